// SPDX-License-Identifier: Apache-2.0
// What methods that find all variables by themselves need of a model, and what a run watches.
#include <algorithm>
#include <numeric>
#include <ranges>
#include <unordered_set>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/compile/model/delay_kernels.hpp"
#include "alembert/compile/model/mechanical_model.hpp"
#include "alembert/compile/model/series_model.hpp"
#include "alembert/compile/model/source_kernels.hpp"
#include "alembert/flat/delayed.hpp"
#include "alembert/structure/hidden_kinks.hpp"
#include "alembert/structure/time_sources.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::compile {

using symbolic::ExprId;
using symbolic::Op;

namespace {

/// What time decides by a straight line is computed ahead.
std::vector<ExprId> crossings_to_find(const structure::HybridSystem& hybrid) {
  std::vector<ExprId> found;
  for (const structure::Mode& mode : hybrid.modes)
    if (!mode.change_time.valid())
      found.insert(found.end(), hybrid.crossings.begin() + mode.first_crossing,
                   hybrid.crossings.begin() + mode.first_crossing + mode.n_crossings);
  return found;
}

}  // namespace

const SeriesModel& CompiledModel::series() const {
  const std::lock_guard lock(mutex_);
  if (!series_)
    series_ = std::make_shared<const SeriesModel>(
        SeriesRequest{simplified_.flat, simplified_.residuals, plan_, differentiated_.variables,
                      eliminated_, constants_.symbols, hybrid_.crossings, backend_});
  return *series_;
}

const SourceKernels& CompiledModel::sources() const {
  {
    const std::lock_guard lock(mutex_);
    if (sources_) return *sources_;
    std::vector<ExprId> all = differentiated_.residuals;
    all.insert(all.end(), hybrid_.crossings.begin(), hybrid_.crossings.end());
    // Without time there is nothing to look for, and no chart to be made for it.
    if (!symbolic::Reach(*flat().pool, all).contains(flat().pool->time()))
      sources_ = std::make_shared<const SourceKernels>();
    if (sources_) return *sources_;
  }
  const CompiledChart& chart = static_chart();
  const std::lock_guard lock(mutex_);
  if (sources_) return *sources_;
  std::vector<ExprId> eliminated, values, delayed = flat::delayed_symbols(flat());
  for (const EliminatedVariable& variable : eliminated_) {
    eliminated.push_back(variable.symbol);
    values.push_back(variable.value);
  }
  for (const ConstantLayout::DelaySlope& slope : constants_.delay_slopes)
    delayed.push_back(constants_.symbols[slope.place]);
  const std::vector<ExprId> watched = crossings_to_find(hybrid_);
  sources_ = std::make_shared<const SourceKernels>(compile_sources(structure::time_sources(
      {*flat().pool, differentiated_, chart.reduced, watched, eliminated, values, delayed})));
  return *sources_;
}

Kernel CompiledModel::kernel_of(std::span<const ExprId> inputs,
                                const std::vector<ExprId>& outputs) const {
  if (outputs.empty()) return {};
  return make_kernel(lower(*flat().pool, inputs, constants_.symbols, outputs), backend_);
}

SourceKernels CompiledModel::compile_sources(const structure::TimeSources& found) const {
  const ExprId time = flat().pool->time();
  return {kernel_of({&time, 1}, found.angles), kernel_of({&time, 1}, found.others)};
}

const DelayKernels& CompiledModel::delayed() const {
  {
    const std::lock_guard lock(mutex_);
    if (delayed_) return *delayed_;
  }
  const CompiledChart& chart = static_chart();
  const std::lock_guard lock(mutex_);
  if (delayed_) return *delayed_;
  symbolic::ExprPool& pool = *flat().pool;
  const std::vector<ExprId> delayed = flat::delayed_symbols(flat());
  std::vector<ExprId> values;
  for (const flat::Delay& delay : simplified_.flat.delays) values.push_back(delay.value);
  const structure::DrivenSystem past{.pool = pool,
                                     .differentiated = differentiated_,
                                     .reduced = chart.reduced,
                                     .watched = values,
                                     .eliminated = {},
                                     .eliminated_values = {},
                                     .delayed = delayed,
                                     .of_slopes = false};
  DelayKernels made;
  made.sources = compile_sources(structure::time_sources(past));
  made.kinks = kernel_of(
      kernel_inputs(), structure::hidden_kinks(pool, structure::needed_expressions(past), delayed));
  made.drives = driving_delays(chart.reduced, values);
  delayed_ = std::make_shared<const DelayKernels>(std::move(made));
  return *delayed_;
}

/// What is delayed by one that drives something drives it too.
std::vector<char> CompiledModel::driving_delays(const structure::ReducedSystem& reduced,
                                                std::span<const ExprId> values) const {
  std::vector<ExprId> watched = crossings_to_find(hybrid_), eliminated, eliminated_values;
  for (const EliminatedVariable& variable : eliminated_) {
    eliminated.push_back(variable.symbol);
    eliminated_values.push_back(variable.value);
  }
  const std::vector<flat::Delay>& delays = flat().delays;
  std::vector<char> drives(delays.size(), 0);
  for (bool any_new = true; any_new;) {
    any_new = false;
    std::vector<ExprId> roots =
        structure::needed_expressions({.pool = *flat().pool,
                                       .differentiated = differentiated_,
                                       .reduced = reduced,
                                       .watched = watched,
                                       .eliminated = eliminated,
                                       .eliminated_values = eliminated_values,
                                       .delayed = {}});
    roots.insert(roots.end(), eliminated_values.begin(), eliminated_values.end());
    const symbolic::Reach reach(*flat().pool, roots);
    for (std::size_t k = 0; k < delays.size(); ++k) {
      if (drives[k] || !reach.contains(delays[k].symbol)) continue;
      drives[k] = any_new = true;
      watched.push_back(values[k]);
    }
  }
  return drives;
}

const WatchedFunctions& CompiledModel::kinks() const {
  return watched(kinks_, structure::hidden_kinks);
}

const WatchedFunctions& CompiledModel::denominators() const {
  return watched(denominators_, structure::denominators);
}

const WatchedFunctions& CompiledModel::narrow_places() const {
  return watched(narrow_places_, structure::narrow_places);
}

/// The same functions, of states and time where a few assignments lead there: then no block has to
/// be solved for them.
std::vector<ExprId> CompiledModel::of_states(std::vector<ExprId> functions,
                                             const structure::ReducedSystem& reduced) const {
  constexpr std::size_t most_assignments = 100;
  symbolic::ExprPool& pool = *flat().pool;
  std::unordered_set<ExprId> wanted;
  const auto want_symbols_of = [&](ExprId expression) {
    for (const ExprId symbol : symbolic::free_symbols(pool, expression)) wanted.insert(symbol);
  };
  std::ranges::for_each(functions, want_symbols_of);
  std::vector<const structure::Assignment*> needed;
  for (const structure::Block& block : std::views::reverse(reduced.blocks)) {
    if (block.kind != structure::Block::Kind::assign) continue;
    for (const structure::Assignment& one : std::views::reverse(block.assignments)) {
      if (!wanted.contains(differentiated_.variables[one.unknown])) continue;
      if (needed.size() == most_assignments) return functions;
      needed.push_back(&one);
      want_symbols_of(one.value);
    }
  }
  symbolic::Replacements values;
  for (const structure::Assignment* one : std::views::reverse(needed))
    values[differentiated_.variables[one->unknown]] =
        symbolic::substitute(pool, one->value, values);
  return symbolic::substitute(pool, functions, values);
}

template <class Find>
const WatchedFunctions& CompiledModel::watched(std::shared_ptr<const WatchedFunctions>& functions,
                                               Find find) const {
  symbolic::ExprPool& pool = *flat().pool;
  const std::vector<ExprId> delayed = flat::delayed_symbols(flat());
  {
    const std::lock_guard lock(mutex_);
    // Without any there is no chart to be made for it.
    if (!functions && find(pool, differentiated_.residuals, delayed).empty())
      functions = std::make_shared<const WatchedFunctions>();
    if (functions) return *functions;
  }
  const CompiledChart& chart = static_chart();
  const std::lock_guard lock(mutex_);
  if (functions) return *functions;
  const auto expressions = structure::needed_expressions({.pool = pool,
                                                          .differentiated = differentiated_,
                                                          .reduced = chart.reduced,
                                                          .watched = {},
                                                          .eliminated = {},
                                                          .eliminated_values = {},
                                                          .delayed = delayed});
  const std::vector<ExprId> found = of_states(find(pool, expressions, delayed), chart.reduced);
  const symbolic::Reach reach(pool, found);
  std::vector<std::uint32_t> variables;
  for (std::uint32_t v = 0; v < n_variables(); ++v)
    if (reach.contains(symbols_[v])) variables.push_back(v);
  const bool are_smooth =
      structure::hidden_kinks(pool, found, delayed).empty() &&
      std::ranges::none_of(reach.nodes(), [&](ExprId node) { return pool.op(node) == Op::call; });
  functions = std::make_shared<const WatchedFunctions>(
      WatchedFunctions{kernel_of(kernel_inputs(), found), std::move(variables), are_smooth});
  return *functions;
}

const MechanicalModel& CompiledModel::mechanics() const {
  const std::lock_guard lock(mutex_);
  if (!mechanics_)
    mechanics_ = std::make_shared<const MechanicalModel>(simplified_.flat, simplified_.residuals,
                                                         plan_, constants_.symbols, backend_);
  return *mechanics_;
}

const CompiledChart& CompiledModel::direct_chart() const {
  const std::lock_guard lock(mutex_);
  return make_direct_chart();
}

const CompiledChart& CompiledModel::make_direct_chart() const {
  if (direct_chart_) return *direct_chart_;
  auto compiled = std::make_unique<CompiledChart>();
  compiled->reduced.states.resize(plan_.structure.variables.size());
  std::iota(compiled->reduced.states.begin(), compiled->reduced.states.end(), structure::Index{0});
  compile_outputs(*compiled);
  direct_chart_ = std::move(compiled);
  return *direct_chart_;
}

}  // namespace alembert::compile
