// SPDX-License-Identifier: Apache-2.0
// Stage: compile. Tapes for derivatives: exact sparse Jacobians, gradients, Jacobian-vector
// products. In: expressions with their inputs and parameters. Out: a tape and, for Jacobians, the
// sparsity as plain data. A Jacobian is formed entry by entry (reverse mode, row by row) or by
// groups of columns that no row meets twice (forward mode, Curtis, Powell and Reid 1974); whichever
// takes fewer operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alembert/compile/tape.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::compile {

/// Entries row by row.
struct SparsityPattern {
  std::uint32_t n_rows = 0;
  std::uint32_t n_columns = 0;
  std::vector<std::uint32_t> row_start;  // [n_rows + 1]
  std::vector<std::uint32_t> column;     // [n_entries], ascending in a row

  std::size_t n_entries() const { return column.size(); }
};

/// What the tape's inputs and parameters are, in order.
struct Arguments {
  std::span<const symbolic::ExprId> inputs;
  std::span<const symbolic::ExprId> parameters;
};

enum class JacobianMethod : std::uint8_t { fewest_operations, by_entry, by_colour };

struct JacobianTape {
  Tape tape;                // outputs: the entries, in the order of the pattern
  SparsityPattern pattern;  // rows: outputs; columns: `by`
  JacobianMethod method = JacobianMethod::by_entry;  // the one chosen
  std::uint32_t n_colours = 0;                       // of the pattern
};

/// d outputs / d by, where `by` is any list of the tape's inputs and parameters.
JacobianTape jacobian_tape(symbolic::ExprPool& pool, std::span<const symbolic::ExprId> outputs,
                           std::span<const symbolic::ExprId> by, const Arguments& arguments,
                           JacobianMethod method = JacobianMethod::fewest_operations);

/// Reverse mode: d output / d by, dense. Outputs of the tape: [n_by].
Tape gradient_tape(symbolic::ExprPool& pool, symbolic::ExprId output,
                   std::span<const symbolic::ExprId> by, const Arguments& arguments);

/// Forward mode: Jacobian times vector. The tape's inputs are arguments.inputs followed by the
/// vector [n_by].
Tape jacobian_vector_tape(symbolic::ExprPool& pool, std::span<const symbolic::ExprId> outputs,
                          std::span<const symbolic::ExprId> by, const Arguments& arguments);

}  // namespace alembert::compile
