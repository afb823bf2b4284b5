// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/model_point.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/small_dense.hpp"

namespace alembert::integrate {

using compile::CompiledChart;
using compile::CompiledModel;
using compile::Kernel;

namespace {

/// Adds to `rates` what f changes by per unit of time while `values` move by their slopes: one
/// central difference.
template <class F>
bool add_change_along(std::span<const double> slopes, std::span<double> values,
                      std::span<double> rates, F f) {
  double size = 0, fastest = 0;
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    size = std::max(size, std::abs(values[k]));
    fastest = std::max(fastest, std::abs(slopes[k]));
  }
  if (fastest == 0) return true;
  const double by = std::cbrt(eps) * (size > 0 ? size : 1.0) / fastest;
  const std::vector<double> here(values.begin(), values.end());
  std::vector<double> before(rates.size()), after(rates.size());
  const auto move = [&](double time) {
    for (std::size_t k = 0; k < here.size(); ++k) values[k] = here[k] + time * slopes[k];
  };
  move(-by);
  f(before.data());
  move(by);
  f(after.data());
  std::ranges::copy(here, values.begin());
  for (std::size_t i = 0; i < rates.size(); ++i) rates[i] += (after[i] - before[i]) / (2 * by);
  return std::ranges::all_of(rates, [](double rate) { return std::isfinite(rate); });
}

std::vector<structure::Undetermined> pairs_of(const std::vector<std::uint32_t>& held) {
  std::vector<structure::Undetermined> pairs;
  for (std::size_t k = 0; k + 1 < held.size(); k += 2) pairs.push_back({held[k], held[k + 1]});
  return pairs;
}

}  // namespace

ModelPoint::ModelPoint(const CompiledModel& model, std::vector<double> constants)
    : model_(model),
      constants_(std::move(constants)),
      inputs_(1 + model.n_variables()),
      outputs_(model.n_variables() + model.n_observed()),
      delays_(3 * model.flat().delays.size()),
      transports_(n_of_transport * model.flat().transports.size()) {
  std::size_t size = 0;
  const compile::EventKernels& events = model.events();
  for (const Kernel* kernel : {&events.modes, &events.assignments, &events.reinits,
                               &events.terminations, &events.assertions, &events.change_times,
                               &events.clocks, &events.delays, &events.transports})
    size = std::max(size, kernel->shape().workspace_size);
  workspace_ = compile::AlignedDoubles(size);
}

void ModelPoint::use(const CompiledChart& chart) {
  chart_ = &chart;
  states_.resize(chart.states.size());
  const std::size_t size =
      std::max({chart.derivatives.shape().workspace_size, chart.variables.shape().workspace_size,
                chart.modes.shape().workspace_size});
  if (workspace_.size() < size) workspace_ = compile::AlignedDoubles(size);
}

/// Small systems are little more than calls, and than this loop.
inline void ModelPoint::enter_states(double t, const double* y) {
  const std::size_t n = chart_->states.size();
  const std::uint32_t* const places = chart_->states.data();
  double* const values = inputs_.data();
  values[0] = t;
  for (std::size_t i = 0; i < n; ++i) values[1 + places[i]] = y[i];
}

void ModelPoint::enter(double t, const double* y) {
  enter_states(t, y);
  if (!follows()) return;
  Delayed found = look_up_delayed(t);
  const auto& all = model_.flat().delays;
  const bool may_vary =
      pipes_ != nullptr ||
      std::any_of(all.begin(), all.end(), [](const auto& delay) { return delay.longest.valid(); });
  if (!(may_vary || found.any_beyond) || !chart_->variables) return;
  // How long a delay is, and how far something was carried, may follow from variables here, and
  // these from what is delayed. What is hardly delayed at all may follow from itself, and so may
  // what enters a pipe; where it does, as between two pipes that both draw from a point between
  // them, it stays.
  constexpr int most_passes = 50;
  blended_.resize(outputs_.size());
  for (int pass = 0; pass < 2 || (found.any_beyond && found.changed && pass < most_passes);
       ++pass) {
    chart_->variables(inputs_.data(), constants_.data(), blended_.data(), workspace_.data());
    for (std::uint32_t i = 0; i < model_.n_variables(); ++i)
      if (std::isfinite(blended_[i])) inputs_[1 + i] = blended_[i];
    found = look_up_delayed(t);
  }
}

ModelPoint::Delayed ModelPoint::look_up_delayed(double t) {
  Delayed found;
  if (history_ != nullptr) look_up_history(t, found);
  if (pipes_ != nullptr) look_up_pipes(found);
  for (const auto& slope : model_.constants().delay_slopes)
    constants_[slope.place] = delayed_slope(slope.delay, t, slope.order);
  return found;
}

void ModelPoint::enter_delayed(std::size_t k, double value, Delayed& found) {
  double& place = constants_[model_.constants().delays + k];
  found.changed = found.changed || !(std::abs(value - place) <= 4 * eps * std::abs(value));
  place = value;
}

void ModelPoint::look_up_pipes(Delayed& found) {
  transports();
  found.any_beyond = true;
  const std::size_t first = model_.flat().delays.size();
  for (std::size_t j = 0; j < pipes_->size(); ++j) {
    const double* const numbers = transports_.data() + n_of_transport * j;
    const std::size_t entry = numbers[is_forward] != 0 ? 0 : 1;
    enter_delayed(first + 2 * j + entry, numbers[entry], found);
    enter_delayed(first + 2 * j + 1 - entry,
                  (*pipes_)[j].leaving(1 - entry, numbers[position], numbers[entry]), found);
  }
}

double ModelPoint::delayed_slope(std::size_t k, double t, unsigned order) const {
  const std::size_t n = model_.flat().delays.size();
  if (k < n) return history_ == nullptr ? 0.0 : history_->slope(k, t - delays_[n + k], order);
  if (pipes_ == nullptr) return 0;
  const std::size_t j = (k - n) / 2;
  const double* const numbers = transports_.data() + n_of_transport * j;
  const TransportProfile& pipe = (*pipes_)[j];
  const std::size_t end = (k - n) % 2;
  const bool enters = (numbers[is_forward] != 0) == (end == 0);
  if (enters && order == 1 && std::isfinite(numbers[rates + end])) return numbers[rates + end];
  double rate = numbers[velocity];
  if (!std::isfinite(rate))
    rate = t > pipes_time_ ? (numbers[position] - pipe.position()) / (t - pipes_time_)
                           : pipes_rates_[j];
  const double slope = pipe.slope(end, numbers[position], order);
  return order == 1 ? slope * rate : slope * rate * rate;
}

void ModelPoint::look_up_history(double t, Delayed& found) {
  const std::size_t n = history_->size();
  const std::vector<char>& stepwise = model_.events().stepwise_delays;
  const double end = history_->end();
  delays();
  for (std::size_t k = 0; k < n; ++k) {
    // A jump arrives at the time computed ahead for it, however that was rounded.
    const double late = stepwise[k] ? 4 * eps * std::abs(t) : 0.0;
    const double then = std::min(t, t - delays_[n + k] + late);
    double value = history_->at(k, std::min(then, end));
    // What is delayed by less than the step so far lies between its beginning and what is now.
    if (then > end && !stepwise[k]) {
      const double share = (then - end) / (t - end);
      value = share < 1 ? value + share * (delays_[k] - value) : delays_[k];
      found.any_beyond = true;
    }
    enter_delayed(k, value, found);
  }
}

std::span<const double> ModelPoint::delays() {
  run(model_.events().delays, delays_);
  return delays_;
}

std::span<const double> ModelPoint::transports() {
  run(model_.events().transports, transports_);
  return transports_;
}

bool ModelPoint::derivatives(double t, const double* y, double* f) {
  return sliding_ ? blend_derivatives(t, y, f) : plain_derivatives(t, y, f);
}

bool ModelPoint::plain_derivatives(double t, const double* y, double* f) {
  if (follows())
    enter(t, y);
  else
    enter_states(t, y);
  chart_->derivatives(inputs_.data(), constants_.data(), f, workspace_.data());
  return all_finite({f, chart_->states.size()}) || note_failure();
}

bool ModelPoint::note_failure() {
  ++n_failures_;
  last_failure_.chart = chart_;
  last_failure_.inputs.assign(inputs_.begin(), inputs_.end());
  last_failure_.constants.assign(constants_.begin(), constants_.end());
  if (failure_.chart == nullptr) failure_ = last_failure_;
  return false;
}

bool ModelPoint::use_residual() {
  if (residual_chart_ != chart_) residual_exists_ = residual_.use(model_, *chart_);
  residual_chart_ = chart_;
  return residual_exists_;
}

bool ModelPoint::residual(double t, const double* y, const double* slope, double* r) {
  if (!use_residual()) {  // a chart that came later may have none
    if (!plain_derivatives(t, y, r)) return false;
    for (std::size_t i = 0; i < chart_->states.size(); ++i) r[i] = slope[i] - r[i];
    return true;
  }
  enter_states(t, y);
  residual_(inputs_.data(), constants_.data(), slope, r);
  return all_finite({r, chart_->states.size()}) || note_failure();
}

bool ModelPoint::complete_with_slopes(double t, std::span<const double> y) {
  if (!use_residual()) return complete(t, y);
  enter(t, y.data());
  residual_.variables(inputs_.data(), constants_.data(), outputs_.data());
  const std::size_t n = model_.n_variables();
  if (!all_finite({outputs_.data(), n})) return false;
  std::copy_n(outputs_.begin(), n, inputs_.begin() + 1);
  return true;
}

bool ModelPoint::residual_jacobian(double t, const double* y, const double* slope, double factor,
                                   bool dense, double* entries) {
  if (use_residual()) {
    enter_states(t, y);
    return residual_.jacobian(inputs_.data(), constants_.data(), slope, factor, dense, entries);
  }
  ensure(dense, "a pattern holds for one chart");
  const std::size_t n = chart_->states.size();
  states_.resize(n);
  if (!jacobian(t, y, dense, entries, states_.data())) return false;
  for (std::size_t k = 0; k < n * n; ++k) entries[k] = -entries[k];
  for (std::size_t i = 0; i < n; ++i) entries[i * n + i] += factor;
  return true;
}

void ModelPoint::evaluate(const Failure& failure, std::span<double> out) {
  compile::AlignedDoubles workspace(failure.chart->variables.shape().workspace_size);
  failure.chart->variables(failure.inputs.data(), failure.constants.data(), out.data(),
                           workspace.data());
}

bool ModelPoint::use_jacobian() {
  // Of a chart that comes later it is made when it is called for: most charts never need it.
  if (jacobian_chart_ != chart_) jacobian_exists_ = jacobian_.use(model_, *chart_);
  jacobian_chart_ = chart_;
  return jacobian_exists_;
}

bool ModelPoint::jacobian(double t, const double* y, bool dense, double* dfdy, double* dfdt) {
  if (!use_jacobian()) return false;
  enter(t, y);
  if (!jacobian_(inputs_.data(), constants_.data(), dense, dfdy, dfdt)) return false;
  if (!follows() || dfdt == nullptr) return true;
  // What is delayed moves with time too.
  const std::size_t n = model_.constants().n_delayed;
  std::vector<double> slopes(n);
  for (std::size_t k = 0; k < n; ++k) slopes[k] = delayed_slope(k, t, 1);
  const auto values = std::span(constants_).subspan(model_.constants().delays, n);
  return add_change_along(slopes, values, {dfdt, chart_->states.size()}, [&](double* f) {
    chart_->derivatives(inputs_.data(), constants_.data(), f, workspace_.data());
  });
}

bool ModelPoint::complete(double t, std::span<const double> y) {
  if (sliding_) return blend_variables(t, y);
  enter(t, y.data());
  chart_->variables(inputs_.data(), constants_.data(), outputs_.data(), workspace_.data());
  for (std::uint32_t i = 0; i < model_.n_variables(); ++i)
    if (!std::isfinite(outputs_[i])) return false;
  std::copy_n(outputs_.begin(), model_.n_variables(), inputs_.begin() + 1);
  return true;
}

std::span<const double> ModelPoint::sliding_shares(double t, std::span<const double> y) {
  held_.assign(constants_.begin(), constants_.end());
  const std::span<const double> shares = sliding_->shares(*this, t, y);
  std::copy(held_.begin(), held_.end(), constants_.begin());
  enter(t, y.data());
  return shares;
}

void ModelPoint::end_sliding(Sliding::Corner corner, std::span<const double> constants) {
  std::vector<double> beside;
  copy_states(states_);
  sliding_->go_beside(*this, time(), states_, corner, beside);
  sliding_.reset();
  std::ranges::copy(constants, constants_.begin());
  enter_states(time(), beside.data());
}

bool ModelPoint::blend_derivatives(double t, const double* y, double* f) {
  const std::size_t n = chart_->states.size();
  if (!all_finite(sliding_shares(t, {y, n}))) return false;
  const std::span<const double> weights = sliding_->weights();
  std::fill_n(f, n, 0.0);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const std::span<const double> corner = sliding_->derivatives(c);
    for (std::size_t i = 0; i < n; ++i) f[i] += weights[c] * corner[i];
  }
  return true;
}

bool ModelPoint::blend_variables(double t, std::span<const double> y) {
  if (!all_finite(sliding_shares(t, y))) return false;
  const std::span<const double> weights = sliding_->weights();
  const std::size_t delays = model_.constants().delays;
  blended_.assign(outputs_.size(), 0.0);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    if (weights[c] == 0) continue;
    const std::span<double> constants = sliding_->constants(c);
    std::copy_n(constants_.begin() + static_cast<std::ptrdiff_t>(delays),
                model_.constants().n_delayed,
                constants.begin() + static_cast<std::ptrdiff_t>(delays));
    enter_states(t, sliding_->states(c).data());
    chart_->variables(inputs_.data(), constants.data(), outputs_.data(), workspace_.data());
    for (std::size_t i = 0; i < outputs_.size(); ++i) blended_[i] += weights[c] * outputs_[i];
  }
  std::ranges::copy(blended_, outputs_.begin());
  for (std::size_t i = 0; i < y.size(); ++i) outputs_[chart_->states[i]] = y[i];
  for (std::uint32_t i = 0; i < model_.n_variables(); ++i)
    if (!std::isfinite(outputs_[i])) return false;
  std::copy_n(outputs_.begin(), model_.n_variables(), inputs_.begin() + 1);
  return true;
}

bool ModelPoint::complete() {
  copy_states(states_);
  return complete(time(), states_);
}

void ModelPoint::modes_at(double t, std::span<const double> y, std::span<double> out) {
  enter(t, y.data());
  chart_->modes(inputs_.data(), constants_.data(), out.data(), workspace_.data());
}

void ModelPoint::run(const Kernel& kernel, std::span<double> out) {
  if (!kernel) return;
  ensure(out.size() == kernel.shape().n_outputs, "a kernel's outputs have their place");
  // Kernels of the start are not known when the point is made.
  if (workspace_.size() < kernel.shape().workspace_size)
    workspace_ = compile::AlignedDoubles(kernel.shape().workspace_size);
  kernel(inputs_.data(), constants_.data(), out.data(), workspace_.data());
}

void ModelPoint::exchange(Archive& archive, bool with_chart) {
  if (with_chart) {
    structure::Chart chart = chart_->reduced.chart;
    bool direct = !chart_->derivatives;  // as CompiledModel::direct_chart
    bool variant = chart_->variant != nullptr;
    std::vector<std::uint32_t> held;  // equations and unknowns of a chart that holds some
    if (variant)
      for (const structure::HeldUnknown& one : chart_->variant->held) {
        held.push_back(one.what.equation);
        held.push_back(one.what.unknown);
      }
    archive(direct, variant, chart.n_dummies, constants_, held);
    if (archive.reading()) {
      const CompiledChart* const used =
          direct          ? &model_.direct_chart()
          : !held.empty() ? model_.holding_chart(pairs_of(held), chart, constants_.data())
          : variant       ? model_.mode_chart(chart, constants_.data())
                          : &model_.compile(chart);
      ensure(used != nullptr, "the chart of a checkpoint can be made again");
      use(*used);
    }
  }
  archive(inputs_, constants_, outputs_);
  bool sliding = slides();
  archive(sliding);
  if (archive.reading() && sliding) sliding_.emplace();
  if (sliding) sliding_->exchange(archive);
}

void ModelPoint::run(const Kernel& kernel, std::span<double> out, compile::AlignedDoubles& work) {
  ensure(out.size() == kernel.shape().n_outputs && work.size() >= kernel.shape().workspace_size,
         "a kernel's outputs and work have their place");
  kernel(inputs_.data(), constants_.data(), out.data(), work.data());
}

void ModelPoint::copy_states(std::span<double> y) const {
  for (std::size_t i = 0; i < chart_->states.size(); ++i) y[i] = inputs_[1 + chart_->states[i]];
}

std::vector<std::string> ModelPoint::state_names() const {
  std::vector<std::string> names;
  for (const auto s : chart_->states) names.push_back(model_.variable_names()[s]);
  return names;
}

}  // namespace alembert::integrate
