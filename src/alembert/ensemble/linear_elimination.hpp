// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Solves A x = b in straight-line code. In: the entries of A that may differ from
// zero and b, as values of a tape under construction. Out: x. Pivots are chosen by structure alone:
// on the diagonal, numbers first, then by the least fill (Markowitz), so that the masses of a
// mechanism are eliminated first and the Schur complement of its multipliers is left. Symmetry is
// kept, the last two unknowns have a closed form.
#pragma once

#include <optional>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::ensemble {

/// An entry that may be the negative of a value, so that x2 - x1 and x1 - x2 are one; without a
/// value it is zero.
struct Entry {
  compile::ValueId value = compile::no_value;
  bool negative = false;

  bool is_zero() const { return value == compile::no_value; }
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct LinearSolution {
  std::vector<compile::ValueId> x;  // [n]
  /// Positive where no pivot lost more than a set share of its digits by cancellation; no_value
  /// where all pivots are numbers.
  compile::ValueId margin = compile::no_value;
};

/// a: [n * n], b: [n]. None where a pivot cannot be found.
std::optional<LinearSolution> eliminate(compile::TapeBuilder& builder, std::vector<Entry> a,
                                        std::vector<Entry> b);

}  // namespace alembert::ensemble
