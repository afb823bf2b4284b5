// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. The initial system of a model, solved stage by stage. In: a ModelPoint with
// guesses. Out: the same point with all variables and parameters that the start determines, a log
// of what was tried, or why there is no start.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/block_ladder.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::integrate {

/// A block of the initial system that was not solved by assignment.
struct StartAttempt {
  std::vector<std::string> unknowns;
  LadderResult result;
};

class StartSolver {
 public:
  /// start: the values that are fixed come from there.
  StartSolver(ModelPoint& point, const compile::InitialSystem& system,
              const compile::CompiledModel::StartPoint& start);

  /// The search ends, by Error I016, soon after this became true.
  void obey(const std::atomic<bool>* interrupt) { interrupt_ = interrupt; }
  /// From the point as guess. False, and why in `failure`, where a block could not be solved.
  bool solve();
  const std::string& failure() const { return failure_; }
  /// Where that is: in the file of the model, if possible.
  const Origin& failure_place() const { return failure_place_; }
  /// What to try then, as sentences.
  const std::string& advice() const { return advice_; }
  /// Of a point that has no value for a variable although all was solved, since it is computed in
  /// another way than it was solved. False, and no failure, where nothing is to be said.
  bool explain_missing();
  /// The block that could not be solved, as a model of its own; empty if there is none.
  std::string failed_block() const;
  const std::vector<StartAttempt>& attempts() const { return attempts_; }
  /// Names of the variables that keep a start value which is not fixed.
  std::vector<std::string> filled() const;
  /// What fixed starts and initial equations say beyond what is needed and is not so; empty if all
  /// agree. To be asked after `solve`.
  std::vector<Diagnostic> contradictions();

 private:
  /// With homotopy as it is.
  bool solve_once();
  /// From the simplified equations to the actual ones.
  bool deform(const std::vector<double>& guess);
  void load();
  void store();
  /// What the kernel of a stage reads, from z_.
  void take_inputs(const compile::InitialStage& stage);
  void run(const compile::InitialStage& stage);
  bool assign(const compile::InitialStage& stage);
  bool solve_stage(const compile::InitialStage& stage, Rung last = Rung::other_guesses);
  /// A block by iterating on its tears alone.
  LadderResult solve_torn(const compile::InitialStage& stage, const NonlinearBlock& whole,
                          std::span<double> x);
  bool take_differences(const compile::InitialStage& stage, std::span<const double> residuals,
                        std::span<double> jacobian);
  /// Start values that nobody meant give way to what follows from better known ones.
  void improve_guesses(const compile::InitialStage& stage);
  bool solve_whole();
  /// Which conditions are left over is a choice by structure alone. Where those do not hold, and
  /// all of them have a solution together, it is taken instead.
  void reconcile(const std::vector<double>& guess);
  /// Whether fixed starts that are solved for come out as given, and what is left over holds.
  bool extra_conditions_hold();
  bool is_as_fixed(std::uint32_t column) const;
  /// [plan.left_over]: what their sides differ by, 0 where that is rounding.
  std::vector<double> left_over_differences();
  std::vector<std::uint32_t> fixed_columns() const;
  /// With room for its kernels.
  compile::InitialStage joint_stage(std::span<const std::uint32_t> rows);
  /// A column that is a variable of the model, rather than a parameter or a further derivative.
  bool is_variable(std::size_t column) const {
    return column < system_.variables.size() &&
           system_.variables[column] < point_.model().n_variables();
  }
  double scale_of(std::uint32_t column) const;
  std::string column_name(std::uint32_t column) const;

  // ---- explanations: start_explanation.cpp
  /// Of a stage that was not solved, with what was reached in z_.
  void note_failure(const compile::InitialStage& stage, const NonlinearBlock& block,
                    std::span<const double> guess, std::span<const double> reached,
                    const LadderResult& result);
  void explain(const compile::InitialStage& stage, const LadderResult& result,
               std::span<const double> residuals, std::span<const double> jacobian);
  /// Of an unknown that is assigned and has no value.
  void explain_assigned(std::uint32_t column);
  /// Of one that an equation gives as an expression of parameters.
  void explain_eliminated(const structure::EliminatedUnknown& eliminated);
  void blame(const std::string& why);
  /// True if some equations of the block, which are linear in its unknowns, contradict each other.
  bool explain_contradiction(const compile::InitialStage& stage, const NonlinearBlock& block,
                             std::span<const double> x);
  /// True if the block has a solution outside the ranges of its unknowns.
  bool explain_range(const compile::InitialStage& stage, const NonlinearBlock& block,
                     std::span<const double> guess, std::span<const double> reached);
  Diagnostic row_diagnostic(std::uint32_t row) const;
  Origin place_of(std::span<const std::uint32_t> rows) const;
  std::string row_text(std::uint32_t row) const;
  /// What determines the doubtful column of the plan with this number, at most five.
  std::vector<std::uint32_t> rows_behind(std::size_t doubtful) const;
  /// " Pa", where the equation gives a variable of that unit outright; else empty.
  std::string unit_of(std::uint32_t row) const;
  symbolic::Values known_values() const;

  ModelPoint& point_;
  const compile::InitialSystem& system_;
  const compile::CompiledModel::StartPoint& start_;
  std::vector<double> z_;  // [time, columns]
  std::vector<double> inputs_, outputs_;
  compile::AlignedDoubles workspace_;
  std::vector<StartAttempt> attempts_;
  std::optional<compile::InitialStage> whole_, overdetermined_;
  std::map<const compile::InitialStage*, compile::TornStage> torn_;  // made when first needed
  std::string failure_, advice_;
  Origin failure_place_;
  const compile::InitialStage* failed_stage_ = nullptr;
  std::vector<double> failed_from_;  // guesses of that stage, as z_
  const std::atomic<bool>* interrupt_ = nullptr;
};

}  // namespace alembert::integrate
