// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What is solved for what at the start. In: a plan with its differentiated
// system, a chart, and which variables have start values. Out: blocks in solve order that determine
// every variable and every parameter to be solved for, from all equations, their derivatives and
// the initial equations; and which variables keep their start value. Rule: every fixed start is
// kept as far as the equations leave room; what is then still missing is filled in by start values
// of states, given ones first, then of other variables; ties by canonical order. The sets of
// columns that rows can be matched to form a matroid, so that taking columns in this order is the
// best choice.
#pragma once

#include <span>
#include <vector>

#include "alembert/structure/reduced_system.hpp"

namespace alembert::structure {

struct InitialRow {
  enum class Kind : std::uint8_t { equation, parameter, initial, discrete };

  Kind kind;
  Index source;     // equation of the structure; parameter, initial or discrete equation of `flat`
  ExprId residual;  // zero at the start
};

/// What a start value says about a variable of the structure.
struct StartMark {
  bool given = false;
  bool zero = false;  // given, as the number 0, which often means no more than a default
  bool fixed = false;
};

/// The marks of variables of the structure; the system is the one they belong to.
std::vector<StartMark> start_marks(const flat::FlatSystem& flat, std::span<const ExprId> variables);

/// Conditions of which one is too many: each of them could be left out, and the rest would
/// determine all that occurs in them. No smaller set of them is too many by structure.
struct StartConflict {
  std::vector<Index> rows;   // of the plan, ascending
  std::vector<Index> fixed;  // columns whose fixed start is one of the conditions, ascending
};

struct InitialBlock {
  std::vector<Index> rows;
  std::vector<Index> columns;  // as many
};

/// Guesses worth this much stay as they are; others may follow from better ones.
inline constexpr double meant_guess = 16;

/// A Real that changes at events only, of which initial equations speak: itself, or pre(v).
struct DiscreteColumn {
  Index variable;  // of the flat system
  bool previous;
};

struct InitialPlan {
  /// Symbols: variables of the structure, then parameters, then discrete Reals.
  std::vector<ExprId> columns;
  std::vector<Index> parameters;  // of the flat system: solved for, or dependent on such
  std::vector<DiscreteColumn> discretes;
  /// [n columns]: how much a start value says as a guess, beside the others.
  std::vector<double> guess_worth;
  std::vector<InitialRow> rows;
  std::vector<InitialBlock> blocks;  // in solve order
  std::vector<Index> filled;         // columns that keep a start value which is not fixed
  std::vector<Index> doubtful;       // columns that are fixed and solved for all the same
  std::vector<Index> left_over;      // rows that nothing is left to be solved for
  /// One for each of `doubtful`, then one for each of `left_over`; not more than some.
  std::vector<StartConflict> conflicts;
  /// Rows, ascending: all that `doubtful` and `left_over` hang together with. What occurs in them
  /// is determined by them and by fixed starts alone.
  std::vector<Index> overdetermined;
};

/// Error S012 for an initial equation with a derivative that the model does not have. marks:
/// [n variables of the structure].
InitialPlan plan_start(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       const DifferentiatedSystem& differentiated, const Chart& chart,
                       std::span<const StartMark> marks);

}  // namespace alembert::structure
