// SPDX-License-Identifier: Apache-2.0
// What methods that find all variables by themselves need of a model.
#include <numeric>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/compile/model/mechanical_model.hpp"
#include "alembert/compile/model/series_model.hpp"

namespace alembert::compile {

const SeriesModel& CompiledModel::series() const {
  const std::lock_guard lock(mutex_);
  if (!series_)
    series_ = std::make_shared<const SeriesModel>(
        SeriesRequest{simplified_.flat, simplified_.residuals, plan_, differentiated_.variables,
                      eliminated_, constants_.symbols, hybrid_.crossings, backend_});
  return *series_;
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
