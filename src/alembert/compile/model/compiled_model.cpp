// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/compiled_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/chart_tape.hpp"
#include "alembert/flat/check.hpp"

namespace alembert::compile {

using structure::Chart;
using symbolic::ExprId;

CompiledModel::CompiledModel(flat::FlatSystem flat, Backend backend)
    : flat_(std::move(flat)), backend_(backend) {
  flat::check(flat_);
  plan_ = structure::make_plan(flat_);
  differentiated_ = structure::differentiate(flat_, plan_);

  const auto& variables = plan_.structure.variables;
  order_.resize(variables.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(variables[a].unknown, variables[a].order) <
           std::pair(variables[b].unknown, variables[b].order);
  });
  place_.resize(order_.size());
  for (std::uint32_t i = 0; i < order_.size(); ++i) {
    place_[order_[i]] = i;
    names_.push_back(flat_.pool->symbol_text(differentiated_.variables[order_[i]]));
  }

  const std::vector<ExprId> inputs = kernel_inputs();
  const std::vector<ExprId> parameters = parameter_symbols();
  selection_ = make_kernel(
      lower(*flat_.pool, inputs, parameters, differentiated_.selection_jacobian), backend_);
  std::vector<ExprId> constrained;
  for (std::size_t e = 0; e < plan_.structure.equations.size(); ++e)
    if (plan_.differentiations[plan_.structure.equations[e].source] > 0)
      constrained.push_back(differentiated_.residuals[e]);
  constraints_ = make_kernel(lower(*flat_.pool, inputs, parameters, constrained), backend_);
}

std::vector<ExprId> CompiledModel::kernel_inputs() const {
  std::vector<ExprId> inputs{flat_.pool->time()};
  for (const std::uint32_t v : order_) inputs.push_back(differentiated_.variables[v]);
  return inputs;
}

std::vector<ExprId> CompiledModel::parameter_symbols() const {
  std::vector<ExprId> symbols;
  for (const auto& parameter : flat_.parameters) symbols.push_back(parameter.symbol);
  return symbols;
}

std::uint32_t CompiledModel::variable_of(ExprId symbol) const {
  for (std::uint32_t i = 0; i < order_.size(); ++i)
    if (differentiated_.variables[order_[i]] == symbol) return i;
  return n_variables();
}

std::uint32_t CompiledModel::derivative_of(std::uint32_t variable) const {
  const auto derivative = plan_.structure.variables[order_[variable]].derivative;
  return derivative == structure::none ? n_variables() : place_[derivative];
}

std::vector<double> CompiledModel::parameter_values(
    const flat::ParameterOverrides& overrides) const {
  return flat::evaluate_parameters(flat_, overrides);
}

CompiledModel::StartPoint CompiledModel::start_point(const std::vector<double>& parameters) const {
  const flat::StartNumbers starts = flat::evaluate_starts(flat_, parameters);
  StartPoint point{std::vector<double>(n_variables(), 0.0), std::vector<char>(n_variables(), 0)};
  const auto enter = [&](ExprId symbol, double value, bool fixed) {
    const std::uint32_t at = variable_of(symbol);
    if (at == n_variables()) return;  // the start of a derivative that the model does not have
    point.values[at] = value;
    point.fixed[at] = fixed;
  };
  for (std::size_t j = 0; j < flat_.unknowns.size(); ++j)
    if (starts.unknowns[j])
      enter(flat_.unknowns[j].symbol, *starts.unknowns[j], flat_.unknowns[j].fixed);
  for (std::size_t k = 0; k < flat_.derivative_starts.size(); ++k)
    enter(flat_.derivative_starts[k].symbol, starts.derivatives[k],
          flat_.derivative_starts[k].fixed);
  return point;
}

const CompiledChart& CompiledModel::static_chart() const {
  return compile(structure::static_chart(flat_, plan_));
}

const CompiledChart& CompiledModel::compile(const Chart& chart) const {
  const std::lock_guard lock(mutex_);
  auto& entry = charts_[chart];
  if (entry) return *entry;
  auto compiled = std::make_unique<CompiledChart>();
  compiled->reduced = structure::apply_plan(flat_, plan_, differentiated_, chart);
  for (const auto v : compiled->reduced.states) compiled->states.push_back(place_[v]);
  const ChartTapeRequest request{flat_, differentiated_, compiled->reduced, place_};

  std::vector<ExprId> derivatives;
  for (const auto v : compiled->reduced.derivatives)
    derivatives.push_back(differentiated_.variables[v]);
  compiled->derivatives = make_kernel(chart_tape(request, derivatives), backend_);

  std::vector<ExprId> all;
  for (const std::uint32_t v : order_) all.push_back(differentiated_.variables[v]);
  for (const auto& observed : flat_.observed) all.push_back(observed.value);
  compiled->variables = make_kernel(chart_tape(request, all), backend_);
  entry = std::move(compiled);
  return *entry;
}

namespace {

/// Runs a kernel over [time, variables...].
std::vector<double> run_at(const Kernel& kernel, double time, const double* variables,
                           const double* parameters) {
  std::vector<double> inputs(kernel.shape().n_inputs);
  inputs[0] = time;
  std::copy_n(variables, inputs.size() - 1, inputs.begin() + 1);
  std::vector<double> outputs(kernel.shape().n_outputs);
  AlignedDoubles workspace(kernel.shape().workspace_size);
  kernel(inputs.data(), parameters, outputs.data(), workspace.data());
  return outputs;
}

}  // namespace

CompiledModel::Selection CompiledModel::select(const Chart& current, double time,
                                               const double* variables,
                                               const double* parameters) const {
  const std::vector<double> entries = run_at(selection_, time, variables, parameters);
  Selection selection;
  selection.best = structure::best_chart(flat_, plan_, structure::SelectionEntries{entries});
  selection.current_quality =
      structure::chart_quality(plan_, current, structure::SelectionEntries{entries});
  return selection;
}

double CompiledModel::constraint_residual(double time, const double* variables,
                                          const double* parameters) const {
  double largest = 0;
  for (const double residual : run_at(constraints_, time, variables, parameters)) {
    if (std::isnan(residual)) return std::numeric_limits<double>::quiet_NaN();
    largest = std::max(largest, std::abs(residual));
  }
  return largest;
}

}  // namespace alembert::compile
