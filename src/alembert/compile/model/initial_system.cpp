// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/initial_system.hpp"

#include <algorithm>
#include <unordered_map>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/brief_kernel.hpp"
#include "alembert/structure/guess_plan.hpp"
#include "alembert/structure/start_tearing.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/solve.hpp"

namespace alembert::compile {

using structure::Index;
using structure::InitialBlock;
using structure::InitialPlan;
using structure::StartAssignment;
using symbolic::ExprId;

namespace {

class StageMaker {
 public:
  StageMaker(const flat::FlatSystem& flat, const ConstantLayout& constants, const InitialPlan& plan,
             Backend backend)
      : pool_(*flat.pool), constants_(constants), plan_(plan), backend_(backend) {
    place_of_.emplace(pool_.time(), 0);
    for (std::uint32_t c = 0; c < plan.columns.size(); ++c)
      place_of_.emplace(plan.columns[c], 1 + c);
    for (std::uint32_t i = 0; i < constants.size(); ++i)
      if (!place_of_.contains(constants.symbols[i])) constant_of_.emplace(constants.symbols[i], i);
  }

  /// The one unknown of a block of one row, where it can be solved for without a doubtful division.
  ExprId closed_form(const InitialBlock& block) {
    if (block.rows.size() != 1) return {};
    const auto solution = symbolic::solve_for(pool_, plan_.rows[block.rows[0]].residual,
                                              pool_.integer(0), plan_.columns[block.columns[0]]);
    return solution && solution->divisors.empty() ? solution->value : ExprId{};
  }

  InitialStage assigned(const std::vector<StartAssignment>& assignments) {
    InitialStage stage;
    std::vector<ExprId> values;
    std::unordered_map<ExprId, bool> own;  // looked up, never iterated
    for (const StartAssignment& a : assignments) {
      stage.unknowns.push_back(1 + a.column);
      values.push_back(a.value);
      own.emplace(plan_.columns[a.column], true);
    }
    std::vector<ExprId> outside;
    const auto symbols = symbolic::free_symbols(pool_, values);
    for (const ExprId symbol : symbols)
      if (place_of_.contains(symbol) && !own.contains(symbol)) outside.push_back(symbol);
    TapeBuilder builder(static_cast<std::uint32_t>(outside.size()),
                        static_cast<std::uint32_t>(constants_.size()));
    Lowering lowering(pool_, builder);
    bind_constants(symbols, lowering, builder);
    for (std::uint32_t i = 0; i < outside.size(); ++i) {
      stage.inputs.push_back(place_of_.at(outside[i]));
      lowering.bind(outside[i], builder.input(i));
    }
    for (const StartAssignment& a : assignments) {
      const ValueId value = lowering.lower(a.value);
      lowering.bind(plan_.columns[a.column], value);
      builder.output(value);
    }
    stage.kernel = make_brief_kernel(std::move(builder).finish(), backend_);
    return stage;
  }

  /// Residuals and Jacobian of some rows by some columns.
  InitialStage solved(std::vector<Index> rows, const std::vector<Index>& columns) {
    InitialStage stage;
    stage.assigned = false;
    std::vector<ExprId> unknowns;
    std::vector<ExprId> outputs;
    for (const Index c : columns) {
      unknowns.push_back(plan_.columns[c]);
      stage.unknowns.push_back(1 + c);
    }
    for (const Index r : rows) outputs.push_back(plan_.rows[r].residual);
    stage.rows = std::move(rows);
    const symbolic::SparseExprMatrix jacobian = symbolic::jacobian(pool_, outputs, unknowns);
    outputs.insert(outputs.end(), jacobian.value.begin(), jacobian.value.end());
    stage.jacobian_columns = jacobian.column;
    for (std::uint32_t i = 0; i < jacobian.n_rows; ++i)
      stage.jacobian_rows.insert(stage.jacobian_rows.end(),
                                 jacobian.row_start[i + 1] - jacobian.row_start[i], i);
    compile(stage, unknowns, outputs);
    add_guesses(stage, columns);
    return stage;
  }

  /// A kernel over the unknowns and whatever else the outputs need.
  void compile(InitialStage& stage, const std::vector<ExprId>& unknowns,
               const std::vector<ExprId>& outputs) {
    std::vector<ExprId> inputs = unknowns;
    std::unordered_map<ExprId, bool> own;  // looked up, never iterated
    for (const ExprId symbol : unknowns) own.emplace(symbol, true);
    const auto symbols = symbolic::free_symbols(pool_, outputs);
    for (const ExprId symbol : symbols)
      if (place_of_.contains(symbol) && !own.contains(symbol)) inputs.push_back(symbol);
    TapeBuilder builder(static_cast<std::uint32_t>(inputs.size()),
                        static_cast<std::uint32_t>(constants_.size()));
    Lowering lowering(pool_, builder);
    bind_constants(symbols, lowering, builder);
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      stage.inputs.push_back(place_of_.at(inputs[i]));
      lowering.bind(inputs[i], builder.input(i));
    }
    for (const ValueId value : lowering.lower(outputs)) builder.output(value);
    stage.kernel = make_brief_kernel(std::move(builder).finish(), backend_);
  }

 private:
  void add_guesses(InitialStage& stage, std::span<const Index> columns) {
    const auto guesses = structure::plan_guesses(pool_, plan_, stage.rows, columns);
    if (guesses.empty()) return;
    InitialStage guess = assigned(guesses);
    stage.guessed = std::move(guess.unknowns);
    stage.guess_inputs = std::move(guess.inputs);
    stage.guess = std::move(guess.kernel);
  }

  /// Only those that are needed: a start may have as many stages as there are constants.
  void bind_constants(std::span<const ExprId> symbols, Lowering& lowering, TapeBuilder& builder) {
    for (const ExprId symbol : symbols)
      if (const auto found = constant_of_.find(symbol); found != constant_of_.end())
        lowering.bind(symbol, builder.parameter(found->second));
  }

  symbolic::ExprPool& pool_;
  const ConstantLayout& constants_;
  const InitialPlan& plan_;
  Backend backend_;
  std::unordered_map<ExprId, std::uint32_t> place_of_;  // looked up, never iterated
  /// Without parameters that are solved for: those are columns.
  std::unordered_map<ExprId, std::uint32_t> constant_of_;  // looked up, never iterated
};

}  // namespace

InitialStage joint_start(const flat::FlatSystem& flat, const ConstantLayout& constants,
                         const InitialPlan& plan, std::span<const std::uint32_t> rows,
                         std::span<const std::uint32_t> kept_columns, Backend backend) {
  std::vector<char> kept(plan.columns.size(), 0);
  for (const std::uint32_t c : kept_columns) kept[c] = 1;
  std::unordered_map<ExprId, Index> column_of;  // looked up, never iterated
  for (Index c = 0; c < plan.columns.size(); ++c) column_of.emplace(plan.columns[c], c);
  std::vector<ExprId> residuals;
  for (const Index r : rows) residuals.push_back(plan.rows[r].residual);
  std::vector<Index> columns;
  for (const ExprId symbol : symbolic::free_symbols(*flat.pool, residuals))
    if (const auto found = column_of.find(symbol); found != column_of.end() && !kept[found->second])
      columns.push_back(found->second);
  std::sort(columns.begin(), columns.end());
  return StageMaker(flat, constants, plan, backend).solved({rows.begin(), rows.end()}, columns);
}

TornStage torn_start(const flat::FlatSystem& flat, const ConstantLayout& constants,
                     const InitialPlan& plan, const InitialStage& stage, Backend backend) {
  std::vector<Index> columns;
  for (const std::uint32_t place : stage.unknowns) columns.push_back(place - 1);
  structure::StartTearing tearing = structure::tear_start(*flat.pool, plan, stage.rows, columns);
  TornStage torn;
  if (tearing.assignments.empty()) return torn;
  std::vector<StartAssignment> assignments;
  for (const auto& [unknown, row, value] : tearing.assignments) {
    torn.inner.push_back({unknown, row});
    assignments.push_back({columns[unknown], value});
  }
  torn.tears = std::move(tearing.tears);
  torn.residuals = std::move(tearing.residuals);
  InitialStage inner = StageMaker(flat, constants, plan, backend).assigned(assignments);
  torn.inputs = std::move(inner.inputs);
  torn.kernel = std::move(inner.kernel);
  return torn;
}

void compile_start(const flat::FlatSystem& flat, const ConstantLayout& constants, Backend backend,
                   InitialSystem& system) {
  StageMaker maker(flat, constants, system.plan, backend);
  std::vector<StartAssignment> run;
  const auto flush = [&] {
    if (!run.empty()) system.stages.push_back(maker.assigned(run));
    run.clear();
  };
  for (const InitialBlock& block : system.plan.blocks) {
    if (const ExprId value = maker.closed_form(block); value.valid()) {
      run.push_back({block.columns[0], value});
      continue;
    }
    flush();
    system.stages.push_back(maker.solved(block.rows, block.columns));
  }
  flush();
  if (system.plan.left_over.empty()) return;
  system.left_over = joint_start(flat, constants, system.plan, system.plan.left_over, {}, backend);
}

}  // namespace alembert::compile
