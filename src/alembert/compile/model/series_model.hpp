// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. Taylor coefficients of a model's solution, solved for on the equations as
// they are: no index is lowered, no state is chosen (Pryce, Numer. Algorithms 19, 1998; Nedialkov
// and Pryce, BIT 45, 2005 and JNAIAM 3, 2008). In: equations f_i with the offsets c_i, d_j of the
// structure. Out: kernels. Stage s takes coefficient s + c_i of every equation to find coefficient
// s + d_j of every unknown, with one matrix, J_ij = df_i / dx_j^(d_j - c_i), for all stages. Stages
// up to 0 are the constraints, hidden ones included, and the highest derivatives; from stage 1 on
// everything is linear. docs/theory/taylor.md.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/compile/static_elimination.hpp"
#include "alembert/compile/tape.hpp"
#include "alembert/compile/tape_series.hpp"
#include "alembert/structure/plan.hpp"

namespace alembert::compile {

/// All kernels read [time, y, branches], y being all derivatives d_j included (SeriesModel), and
/// the model's constants.
struct SeriesKernels {
  std::uint32_t n_stages = 0;
  std::vector<Pivot> pivots;
  /// One Newton step of each stage up to 0, lower ones first. Outputs: y, quality of the pivots
  /// (static_elimination.hpp).
  Kernel correct;
  /// One Newton step of stage 0 alone, what is below it being right. Outputs: for each unknown its
  /// highest derivative, quality of the pivots.
  Kernel finish;
  /// Independence of the rows (static_elimination.hpp): asked for only where they may depend on
  /// each other.
  Kernel independence;
  /// Outputs: for each unknown the coefficients d_j + 1 ... d_j + n_stages; the quality of the
  /// pivots; for each crossing, then each branch, the coefficients 0 ... n_stages.
  Kernel series;
};

/// The operations behind them, for those who make larger kernels of them.
struct SeriesTapes {
  Tape correct, series;
};

/// What a model is made from, as CompiledModel has it.
struct SeriesRequest {
  const flat::FlatSystem& flat;                 // without aliases and constants
  std::span<const symbolic::ExprId> residuals;  // of its equations
  const structure::StructuralPlan& plan;
  std::span<const symbolic::ExprId> variables;  // [n variables of the structure]: symbols
  std::span<const EliminatedVariable> eliminated;
  std::span<const symbolic::ExprId> constants;  // symbols of the kernels' parameter array
  std::span<const symbolic::ExprId> crossings;
  Backend backend;
};

class SeriesModel {
 public:
  /// Error C003: a function in an equation has no series; C004: the model delays or carries one.
  explicit SeriesModel(const SeriesRequest& request);

  struct Chain {
    std::vector<std::uint32_t> place;  // [d_j + 1]: in y, by order
    std::uint32_t highest() const { return static_cast<std::uint32_t>(place.size()) - 1; }
  };
  const std::vector<Chain>& chains() const { return chains_; }  // by unknown
  std::uint32_t n_values() const { return n_values_; }          // of y
  std::uint32_t n_branches() const { return static_cast<std::uint32_t>(branches_.size()); }
  std::uint32_t n_crossings() const { return n_crossings_; }
  /// What a branch is while its left side less its right is `difference`.
  bool branch_holds(std::size_t branch, double difference) const;
  /// Lowest stage: minus the largest d_j.
  std::uint32_t n_hidden_stages() const { return n_hidden_; }
  /// Stage 0 is linear in the highest derivatives: one Newton step finds them, whatever the guess.
  bool linear_in_highest() const { return linear_in_highest_; }
  /// The most stages for which straight-line code stays reasonable.
  std::uint32_t most_stages() const { return most_stages_; }

  /// Pivots by the numbers of one point; fewer than unknowns where the matrix is singular there.
  std::vector<Pivot> pivots_at(double time, const double* y, const double* constants) const;
  /// Where the matrix has entries: by equation and unknown, the derivative of the equation's
  /// highest version by the unknown's highest derivative; and what computes them from [time, y].
  std::span<const MatrixEntry> matrix_entries() const { return matrix_entries_; }
  const Tape& matrix_tape() const { return matrix_tape_; }
  /// An equation and an unknown that a singular matrix leaves over, as a sentence.
  std::string describe_singular(std::span<const Pivot> pivots) const;
  SeriesTapes tapes(std::uint32_t n_stages, const std::vector<Pivot>& pivots) const;
  /// Made when first asked for, and kept. Safe from several threads.
  const SeriesKernels& kernels(std::uint32_t n_stages, const std::vector<Pivot>& pivots) const;

 private:
  class Writer;

  void require_series(const SeriesRequest& request) const;
  void write_matrix(const SeriesRequest& request);
  void measure();

  std::vector<Chain> chains_;
  std::vector<structure::Index> offsets_;  // c, [n equations]
  std::uint32_t n_values_ = 0;
  std::uint32_t n_crossings_ = 0;
  std::uint32_t n_hidden_ = 0;
  std::uint32_t most_stages_ = 0;
  bool linear_in_highest_ = true;
  std::size_t n_products_ = 0;  // operations that become sums over lower orders
  Backend backend_;
  Tape tape_;  // inputs [time, y]; outputs [equations, crossings]
  std::vector<SeriesBranch> branches_;
  std::vector<std::uint32_t> need_;  // [n instructions]: coefficient s + need at stage s
  std::vector<char> awaits_;         // [n instructions]: ... depends on what stage s solves for
  std::vector<std::uint32_t> chain_of_, order_of_;  // [n_values]
  std::vector<MatrixEntry> matrix_entries_;
  std::vector<char> matrix_constant_;  // [n entries]
  Tape matrix_tape_;                   // inputs [time, y]; outputs: the entries
  std::vector<std::string> equation_texts_, unknown_names_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::uint32_t, std::vector<Pivot>>, std::unique_ptr<SeriesKernels>>
      kernels_;
};

}  // namespace alembert::compile
