// SPDX-License-Identifier: Apache-2.0
// Stage: compile. Derivatives of a tape itself, solved regions included. In: a tape, and which of
// its inputs count. Out: where outputs depend on them, and a tape for the exact Jacobian: forward
// mode, one pass a group of columns that no row meets twice (Curtis, Powell and Reid 1974). Through
// a region u(c) with r(u, c) = 0 goes the implicit function theorem: r_u du = -r_c dc, a linear
// region of its own.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::compile {

/// Entries column by column; rows (outputs of the tape) ascend in a column.
struct ColumnSparsity {
  std::vector<std::uint32_t> column_start = {0};  // [n_columns + 1]
  std::vector<std::uint32_t> row;                 // [n_entries]
};

/// Where outputs may depend on the inputs given, one a column. The guesses of regions do not count.
ColumnSparsity tape_sparsity(const Tape& tape, std::span<const std::uint32_t> inputs);

/// A tape like the given one whose outputs are the entries of `sparsity`, in its order; none where
/// a user function whose derivatives are not known stands between an input and an output.
std::optional<Tape> tape_jacobian(const Tape& tape, std::span<const std::uint32_t> inputs,
                                  const ColumnSparsity& sparsity);

}  // namespace alembert::compile
