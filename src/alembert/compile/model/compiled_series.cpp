// SPDX-License-Identifier: Apache-2.0
// What methods that find all variables by themselves need of a model.
#include <numeric>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/compile/model/mechanical_model.hpp"
#include "alembert/compile/model/series_model.hpp"
#include "alembert/compile/model/source_kernels.hpp"
#include "alembert/flat/delayed.hpp"
#include "alembert/structure/hidden_kinks.hpp"
#include "alembert/structure/time_sources.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::compile {

using symbolic::ExprId;

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
  std::vector<ExprId> eliminated, values, watched, delayed = flat::delayed_symbols(flat());
  for (const EliminatedVariable& variable : eliminated_) {
    eliminated.push_back(variable.symbol);
    values.push_back(variable.value);
  }
  for (const ConstantLayout::DelaySlope& slope : constants_.delay_slopes)
    delayed.push_back(constants_.symbols[slope.place]);
  // What time decides by a straight line is computed ahead.
  for (const structure::Mode& mode : hybrid_.modes)
    if (!mode.change_time.valid())
      watched.insert(watched.end(), hybrid_.crossings.begin() + mode.first_crossing,
                     hybrid_.crossings.begin() + mode.first_crossing + mode.n_crossings);
  symbolic::ExprPool& pool = *flat().pool;
  const structure::TimeSources found = structure::time_sources(
      {pool, differentiated_, chart.reduced, watched, eliminated, values, delayed});
  const ExprId time = pool.time();
  const auto kernel = [&](const std::vector<ExprId>& outputs) {
    if (outputs.empty()) return Kernel{};
    return make_kernel(lower(pool, std::span(&time, 1), constants_.symbols, outputs), backend_);
  };
  sources_ = std::make_shared<const SourceKernels>(
      SourceKernels{kernel(found.angles), kernel(found.others)});
  return *sources_;
}

const Kernel& CompiledModel::kinks() const { return watched(kinks_, structure::hidden_kinks); }

const Kernel& CompiledModel::denominators() const {
  return watched(denominators_, structure::denominators);
}

const Kernel& CompiledModel::narrow_places() const {
  return watched(narrow_places_, structure::narrow_places);
}

template <class Find>
const Kernel& CompiledModel::watched(std::shared_ptr<const Kernel>& kernel, Find find) const {
  symbolic::ExprPool& pool = *flat().pool;
  const std::vector<ExprId> delayed = flat::delayed_symbols(flat());
  {
    const std::lock_guard lock(mutex_);
    // Without any there is no chart to be made for it.
    if (!kernel && find(pool, differentiated_.residuals, delayed).empty())
      kernel = std::make_shared<const Kernel>();
    if (kernel) return *kernel;
  }
  const CompiledChart& chart = static_chart();
  const std::lock_guard lock(mutex_);
  if (kernel) return *kernel;
  const auto expressions = structure::needed_expressions({.pool = pool,
                                                          .differentiated = differentiated_,
                                                          .reduced = chart.reduced,
                                                          .watched = {},
                                                          .eliminated = {},
                                                          .eliminated_values = {},
                                                          .delayed = delayed});
  const std::vector<ExprId> found = find(pool, expressions, delayed);
  kernel = std::make_shared<const Kernel>(
      found.empty()
          ? Kernel{}
          : make_kernel(lower(pool, kernel_inputs(), constants_.symbols, found), backend_));
  return *kernel;
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
