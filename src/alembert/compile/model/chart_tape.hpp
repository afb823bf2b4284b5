// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. A reduced system as a tape: blocks in order, solved ones as regions.
// In: a ReducedSystem. Out: a tape over inputs [time, variables...] for any list of expressions.
#pragma once

#include <span>

#include "alembert/compile/tape.hpp"
#include "alembert/flat/flat_system.hpp"
#include "alembert/structure/reduced_system.hpp"

namespace alembert::compile {

/// A symbol of the model that stands for an expression of those that were kept.
struct EliminatedVariable {
  symbolic::ExprId symbol;
  symbolic::ExprId value;
};

struct ChartTapeRequest {
  const flat::FlatSystem& flat;  // without aliases and constants
  const structure::DifferentiatedSystem& differentiated;
  const structure::ReducedSystem& reduced;
  /// [n variables of the structure]: input 1 + place; n_variables of one that is no state and whose
  /// guess is 0.
  std::span<const std::uint32_t> place;
  std::uint32_t n_variables;  // of the model
  std::span<const EliminatedVariable> eliminated;
  std::span<const symbolic::ExprId> constants;  // symbols of the kernels' parameter array
  std::span<const char> open_blocks = {};       // [n blocks]: unknowns are inputs; empty: of none
};

/// A tape that computes all block unknowns from time and states, and outputs the given expressions,
/// in which eliminated symbols may occur.
Tape chart_tape(const ChartTapeRequest& request, std::span<const symbolic::ExprId> outputs);

}  // namespace alembert::compile
