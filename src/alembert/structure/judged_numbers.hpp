// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What is zero and what was only rounded. In: expressions. Out: their values at
// two points without a pattern, each beside the sizes of all that it is a sum of, and whether it is
// zero beside these. No unit is in that: a parasitic capacitance of a picofarad in a loop of one
// farad is not zero, and neither is what a coupling of 0.999999999 leaves.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "alembert/base/constants.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::structure {

using symbolic::ExprId;

/// Beside the sizes of what it is a sum of, a number below this is zero.
inline constexpr double rounding = 64 * eps;

inline constexpr unsigned n_generic_points = 2;

/// Made-up values by the names of symbols: the same in every run, whatever the order of a model.
/// Those that are `known` have their own.
symbolic::Values generic_point(const symbolic::ExprPool& pool, std::span<const ExprId> expressions,
                               unsigned number, const symbolic::Values* known = nullptr);

/// What the values at a point are sums of; the sizes of the values where nothing is added.
std::vector<double> sizes_of(const symbolic::ExprPool& pool, std::span<const ExprId> expressions,
                             const symbolic::Values& point);

struct JudgedNumber {
  std::array<double, n_generic_points> value{};
  std::array<double, n_generic_points> size{};

  bool is_zero() const;
};

/// [n expressions]
std::vector<JudgedNumber> judged(const symbolic::ExprPool& pool,
                                 std::span<const ExprId> expressions,
                                 const symbolic::Values* known);

}  // namespace alembert::structure
