// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/mode_variant.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/compile/model/run_at.hpp"
#include "alembert/structure/hidden_singularity.hpp"
#include "alembert/structure/lengthen_chains.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::compile {

using structure::Chart;
using structure::Index;
using symbolic::ExprId;

namespace {

/// What lies further is not looked for: most choices have no plan, and each costs a structure.
constexpr std::size_t most_variants = 2000;

/// How exactly an equation that repeats others has to hold, beside the largest of its terms.
constexpr double repeated_to = 1e-6;
constexpr double least_size = 1e-3;
/// Of one choice of modes, with other unknowns held in each.
constexpr std::size_t most_holding = 8;

/// Values beside those given, by some share of their size, not all by the same.
std::vector<double> disturbed(std::span<const double> values, double share) {
  constexpr double least = 1e-3;
  std::vector<double> beside(values.begin(), values.end());
  for (std::size_t i = 0; i < beside.size(); ++i)
    beside[i] +=
        share * std::max(least, std::abs(beside[i])) * (1 + 0.1 * static_cast<double>(i % 7));
  return beside;
}

/// How large an expression is by its terms, which may cancel.
ExprId size_of_terms(symbolic::ExprPool& pool, ExprId sum) {
  if (pool.op(sum) != symbolic::Op::add) return pool.apply(symbolic::Op::abs, sum);
  const std::vector<ExprId> terms(pool.children(sum).begin(), pool.children(sum).end());
  std::vector<ExprId> sizes;
  for (const ExprId term : terms) sizes.push_back(pool.apply(symbolic::Op::abs, term));
  return pool.add(sizes);
}

/// Error S001 to S006 where there is none.
structure::StructuralPlan plan_of(const flat::FlatSystem& given,
                                  structure::SimplifiedSystem& simplified,
                                  std::span<const Index> orders) {
  std::vector<structure::DroppedConstraint> dropped;
  structure::StructuralPlan plan = structure::plan_without_redundancy(
      given, simplified, structure::extract_structure(simplified.flat, simplified.residuals),
      dropped);
  structure::resolve_hidden_singularities(given, simplified, plan);
  bool complete = true;
  for (std::size_t j = 0; j < orders.size(); ++j)
    complete = complete && plan.highest_order[j] >= orders[j];
  if (complete) return plan;
  structure::Structure structure =
      structure::extract_structure(simplified.flat, simplified.residuals);
  // A derivative that a branch leaves out follows all the same.
  structure::lengthen_chains(structure, orders);
  structure::require_structurally_regular(simplified.flat, structure);
  return structure::make_plan(std::move(structure));
}

}  // namespace

std::vector<double> ModeVariant::selection_entries(double time, const double* variables,
                                                   const double* constants) const {
  return run_at(selection, time, variables, constants);
}

const structure::HeldUnknown* ModeVariant::broken(double time, const double* variables,
                                                  const double* constants) const {
  if (held.empty()) return nullptr;
  const std::vector<double> values = run_at(left_out, time, variables, constants);
  // Behind the residuals there are the sizes of their terms.
  for (std::size_t k = 0; k < held.size(); ++k)
    if (!(std::abs(values[k]) <= repeated_to * std::max(least_size, values[held.size() + k])))
      return &held[k];
  return nullptr;
}

void CompiledModel::find_switches() const {
  if (std::exchange(has_switches_, true)) return;
  const symbolic::ExprPool& pool = *flat().pool;
  const std::set<ExprId> constants(constants_.symbols.begin(), constants_.symbols.end());
  const auto is_known = [&](ExprId symbol) { return constants.contains(symbol); };
  const auto is_discrete = [&](ExprId symbol) {
    return pool.symbol_of(symbol).kind == symbolic::SymbolKind::discrete;
  };
  std::set<ExprId> met;
  const symbolic::Reach reach(pool, simplified_.residuals);
  for (const ExprId node : reach.nodes()) {
    if (pool.op(node) != symbolic::Op::if_then_else) continue;
    const ExprId condition = pool.children(node)[0];
    if (!met.insert(condition).second) continue;
    const std::vector<ExprId> symbols = symbolic::free_symbols(pool, condition);
    if (std::ranges::all_of(symbols, is_known) && std::ranges::any_of(symbols, is_discrete))
      switches_.push_back(condition);
  }
  if (!switches_.empty())
    switch_values_ = make_kernel(lower(pool, {}, constants_.symbols, switches_), backend_);
}

structure::SimplifiedSystem CompiledModel::with_switches(std::span<const double> values) const {
  symbolic::ExprPool& pool = *flat().pool;
  symbolic::Replacements known;
  for (std::size_t i = 0; i < switches_.size(); ++i)
    known.emplace(switches_[i], pool.truth(values[i] != 0));
  structure::SimplifiedSystem simplified = simplified_;
  simplified.residuals = symbolic::substitute(pool, simplified.residuals, known);
  for (std::size_t e = 0; e < simplified.residuals.size(); ++e) {
    simplified.flat.equations[e].left = simplified.residuals[e];
    simplified.flat.equations[e].right = pool.integer(0);
  }
  return simplified;
}

std::unique_ptr<ModeVariant> CompiledModel::make_variant(
    structure::SimplifiedSystem simplified_with_modes) const {
  auto variant = std::make_unique<ModeVariant>();
  structure::SimplifiedSystem& simplified = variant->simplified;
  simplified = std::move(simplified_with_modes);
  try {
    variant->plan = plan_of(hybrid_.flat, simplified, plan_.highest_order);
  } catch (const Error&) {
    return nullptr;  // these values of the switches cannot be
  }
  if (simplified.flat.unknowns.size() != simplified_.flat.unknowns.size()) return nullptr;
  variant->differentiated = std::make_shared<const structure::DifferentiatedSystem>(
      structure::differentiate(simplified.flat, variant->plan, simplified.residuals));
  for (const ExprId symbol : variant->differentiated->variables)
    variant->place.push_back(variable_of(symbol));
  const auto& selection = variant->differentiated->selection_jacobian;
  if (are_here(selection))
    variant->selection =
        make_kernel(lower(*flat().pool, kernel_inputs(), constants_.symbols, selection), backend_);
  variant->jump = make_jump(simplified.flat, variant->plan, *variant->differentiated);
  return variant;
}

bool CompiledModel::are_here(std::span<const ExprId> expressions,
                             std::span<const ExprId> added) const {
  const symbolic::ExprPool& pool = *flat().pool;
  return std::ranges::all_of(symbolic::free_symbols(pool, expressions), [&](ExprId symbol) {
    return pool.symbol_of(symbol).kind != symbolic::SymbolKind::unknown ||
           variable_of(symbol) < n_variables() || std::ranges::find(added, symbol) != added.end();
  });
}

std::vector<structure::Undetermined> CompiledModel::undetermined_at(
    const structure::SimplifiedSystem& simplified, const structure::StructuralPlan& plan,
    double time, const double* variables, const double* constants) const {
  if (simplified.residuals.size() > structure::most_unknowns_held_among) return {};
  const structure::BlockDiagonal matrix = structure::block_diagonal(simplified, plan);
  if (!are_here(matrix.entries)) return {};
  const Kernel entries = make_kernel(
      lower(*flat().pool, kernel_inputs(), constants_.symbols, matrix.entries), backend_);
  std::vector<double> numbers = run_at(entries, time, variables, constants);
  // A slope may have no value just here, as that of a root at 0: a little beside it has one.
  if (!std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); })) {
    const std::vector<double> beside = disturbed({variables, n_variables()}, 1e-6);
    const std::vector<double> there = run_at(entries, time, beside.data(), constants);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (!std::isfinite(numbers[k])) numbers[k] = there[k];
  }
  return structure::find_undetermined(simplified, plan, matrix, std::move(numbers));
}

ModeVariant* CompiledModel::holding_variant(
    const double* constants, const std::vector<structure::Undetermined>& undetermined) const {
  const std::vector<double> values = switch_values(constants);
  auto& known = holding_variants_[values];
  for (const auto& variant : known)
    if (std::ranges::equal(variant->held, undetermined, {}, &structure::HeldUnknown::what))
      return variant.get();
  if (undetermined.empty() || known.size() == most_holding) return nullptr;
  const ModeVariant* const plain = variant_at(constants);
  structure::SimplifiedSystem simplified =
      plain != nullptr ? plain->simplified : with_switches(values);
  std::vector<structure::HeldUnknown> held =
      structure::hold(hybrid_.flat, simplified, undetermined);
  symbolic::ExprPool& pool = *flat().pool;
  std::vector<ExprId> left_out;
  for (const structure::HeldUnknown& one : held) left_out.push_back(one.residual);
  for (const structure::HeldUnknown& one : held)
    left_out.push_back(size_of_terms(pool, one.residual));
  if (!are_here(left_out)) return nullptr;
  auto variant = make_variant(std::move(simplified));
  if (variant == nullptr) return nullptr;
  variant->held = std::move(held);
  variant->left_out =
      make_kernel(lower(pool, kernel_inputs(), constants_.symbols, left_out), backend_);
  return known.emplace_back(std::move(variant)).get();
}

const JumpSystem& CompiledModel::jump_system(const CompiledChart& chart) const {
  if (chart.variant != nullptr) return chart.variant->jump;
  const std::lock_guard lock(mutex_);
  if (!jump_)
    jump_ = std::make_shared<const JumpSystem>(make_jump(simplified_.flat, plan_, differentiated_));
  return *jump_;
}

JumpSystem CompiledModel::make_jump(const flat::FlatSystem& simplified,
                                    const structure::StructuralPlan& plan,
                                    const structure::DifferentiatedSystem& differentiated) const {
  JumpSystem jump;
  const structure::Structure& s = plan.structure;
  std::vector<std::uint32_t> columns, slopes;
  std::vector<ExprId> inputs = kernel_inputs();
  for (std::size_t j = 0; j < simplified.unknowns.size(); ++j) {
    // The highest derivative but one; lower ones stay as they are.
    const Index order = plan.highest_order[j];
    std::uint32_t at = variable_of(simplified.unknowns[j].symbol);
    ExprId symbol = simplified.unknowns[j].symbol;
    for (Index k = 1; k < order; ++k) {
      if (at < n_variables()) at = derivative_of(at);
      symbol = flat().pool->derivative_symbol(symbol);
    }
    const bool has_place = at < n_variables();
    if (!has_place) {
      at = n_variables() + jump.n_added++;
      inputs.push_back(symbol);
    }
    const std::uint32_t next = has_place && order > 0 ? derivative_of(at) : n_variables();
    jump.unknowns.push_back(at);
    jump.slopes.push_back(next);
    columns.push_back(1 + at);
    if (next < n_variables()) slopes.push_back(1 + next);
  }
  columns.insert(columns.end(), slopes.begin(), slopes.end());
  std::vector<ExprId> residuals;
  // Of an equation that is differentiated the last version but one, so that all of them are about
  // the same derivatives: a constraint of positions is one of velocities here.
  for (Index e = 0; e < s.n_sources; ++e) {
    Index version = e;
    for (Index c = plan.differentiations[s.equations[e].source]; c > 1; --c)
      version = s.equations[version].derivative;
    residuals.push_back(differentiated.residuals[version]);
  }
  if (!are_here(residuals, std::span(inputs).last(jump.n_added))) return {};
  const Tape tape = lower(*flat().pool, inputs, constants_.symbols, residuals);
  jump.residuals = make_kernel(tape, backend_);
  jump.sparsity = tape_sparsity(tape, columns);
  if (const auto jacobian = tape_jacobian(tape, columns, jump.sparsity))
    jump.jacobian = make_kernel(*jacobian, backend_);
  return jump;
}

std::vector<double> CompiledModel::switch_values(const double* constants) const {
  find_switches();
  std::vector<double> values(switches_.size());
  if (switches_.empty()) return values;
  AlignedDoubles workspace(switch_values_.shape().workspace_size);
  const double no_inputs = 0;
  switch_values_(&no_inputs, constants, values.data(), workspace.data());
  return values;
}

ModeVariant* CompiledModel::variant_at(const double* constants) const {
  const std::vector<double> values = switch_values(constants);
  if (values.empty()) return nullptr;
  const auto found = variants_.find(values);
  if (found != variants_.end()) return found->second.get();
  if (variants_.size() >= most_variants) return nullptr;
  return (variants_[values] = make_variant(with_switches(values))).get();
}

/// Null if it has a state that the model has no place for.
const CompiledChart* CompiledModel::variant_chart(ModeVariant& variant, const Chart& chart) const {
  const auto found = variant.charts.find(chart);
  if (found != variant.charts.end()) return found->second.get();
  auto& entry = variant.charts[chart];
  structure::ReducedSystem reduced =
      structure::apply_plan(variant.simplified.flat, variant.plan, *variant.differentiated, chart);
  const auto is_here = [&](Index v) { return variant.place[v] < n_variables(); };
  if (std::ranges::all_of(reduced.states, is_here))
    entry = std::make_unique<CompiledChart>(
        compile_chart(std::move(reduced), variant.differentiated, &variant));
  return entry.get();
}

const CompiledChart* CompiledModel::best_variant_chart(ModeVariant& variant, double time,
                                                       const double* variables,
                                                       const double* constants) const {
  if (variant.has_choice()) {
    const std::vector<double> entries = variant.selection_entries(time, variables, constants);
    const structure::ChartChoice best = structure::best_chart(variant.simplified.flat, variant.plan,
                                                              structure::SelectionEntries{entries});
    if (const CompiledChart* chart = variant_chart(variant, best.chart)) return chart;
  }
  return variant_chart(variant, structure::static_chart(variant.simplified.flat, variant.plan));
}

const CompiledChart* CompiledModel::mode_chart(double time, const double* variables,
                                               const double* constants) const {
  const std::lock_guard lock(mutex_);
  ModeVariant* const variant = variant_at(constants);
  return variant == nullptr ? nullptr : best_variant_chart(*variant, time, variables, constants);
}

std::vector<const CompiledChart*> CompiledModel::known_holding_charts(
    double time, const double* variables, const double* constants) const {
  const std::lock_guard lock(mutex_);
  std::vector<const CompiledChart*> charts;
  if (holding_variants_.empty()) return charts;
  const auto found = holding_variants_.find(switch_values(constants));
  if (found == holding_variants_.end()) return charts;
  for (const auto& variant : found->second)
    if (const auto* chart = best_variant_chart(*variant, time, variables, constants))
      charts.push_back(chart);
  return charts;
}

const CompiledChart* CompiledModel::holding_chart(double time, const double* variables,
                                                  const double* constants) const {
  const std::lock_guard lock(mutex_);
  if (!hybrid_.has_events() || holding_variants_.size() >= most_variants) return nullptr;
  const std::vector<double> values = switch_values(constants);
  const ModeVariant* const plain = variant_at(constants);
  const structure::SimplifiedSystem simplified =
      plain != nullptr ? plain->simplified : with_switches(values);
  const structure::StructuralPlan& plan = plain != nullptr ? plain->plan : plan_;
  const std::vector<structure::Undetermined> undetermined =
      undetermined_at(simplified, plan, time, variables, constants);
  if (undetermined.empty()) return nullptr;
  // Where no branch depends on a mode, what is singular with other values too is so by its
  // parameters: then the model is wrong.
  if (values.empty()) {
    const std::vector<double> elsewhere = disturbed({variables, n_variables()}, 0.1);
    std::vector<double> others(constants, constants + constants_.size());
    const std::vector<double> discretes =
        disturbed({constants + constants_.discretes, flat().discrete_variables.size()}, 0.1);
    std::ranges::copy(discretes, others.begin() + constants_.discretes);
    if (!undetermined_at(simplified, plan, time, elsewhere.data(), others.data()).empty())
      return nullptr;
  }
  ModeVariant* const variant = holding_variant(constants, undetermined);
  return variant == nullptr ? nullptr : best_variant_chart(*variant, time, variables, constants);
}

const CompiledChart* CompiledModel::holding_chart(
    const std::vector<structure::Undetermined>& undetermined, const Chart& chart,
    const double* constants) const {
  const std::lock_guard lock(mutex_);
  ModeVariant* const variant = holding_variant(constants, undetermined);
  return variant == nullptr ? nullptr : variant_chart(*variant, chart);
}

const CompiledChart* CompiledModel::mode_chart(const Chart& chart, const double* constants) const {
  const std::lock_guard lock(mutex_);
  ModeVariant* const variant = variant_at(constants);
  return variant == nullptr ? nullptr : variant_chart(*variant, chart);
}

}  // namespace alembert::compile
