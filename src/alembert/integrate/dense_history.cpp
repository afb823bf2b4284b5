// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/dense_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace alembert::integrate {
namespace {

/// No dense output here has a higher degree than this many nodes can carry.
constexpr std::size_t n_nodes = 9;

/// Chebyshev's extreme points in [0, 1], in which interpolation is well conditioned.
double node(std::size_t k) {
  return 0.5 * (1 - std::cos(std::numbers::pi * static_cast<double>(k) / (n_nodes - 1)));
}

}  // namespace

void DenseHistory::Segment::at(double time, std::span<double> out) const {
  if (values.size() == width_ || t == t_old) {
    std::copy_n(values.begin(), width_, out.begin());
    return;
  }
  // Barycentric (Berrut and Trefethen 2004); the weights of these nodes alternate, halved at the
  // ends.
  const double s = (time - t_old) / (t - t_old);
  std::array<double, n_nodes> weights;
  double sum = 0;
  for (std::size_t k = 0; k < n_nodes; ++k) {
    const double distance = s - node(k);
    if (distance == 0) {
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * width_), width_, out.begin());
      return;
    }
    weights[k] = (k % 2 == 0 ? 1.0 : -1.0) * (k == 0 || k + 1 == n_nodes ? 0.5 : 1.0) / distance;
    sum += weights[k];
  }
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t k = 0; k < n_nodes; ++k)
    for (std::size_t i = 0; i < width_; ++i) out[i] += weights[k] / sum * values[k * width_ + i];
}

DenseHistory::Segment DenseHistory::begin_segment(ModelPoint& point, double t_old, double t) {
  Segment segment;
  segment.t_old = t_old;
  segment.t = t;
  segment.chart = &point.chart();
  segment.width_ = point.n_states() + point.model().constants().n_delayed;
  segment.guess.assign(point.variables().begin(), point.variables().end());
  const auto constants = point.constants();
  if (!segments_.empty() &&
      std::equal(constants.begin(), constants.end(), segments_.back().constants->begin()))
    segment.constants = segments_.back().constants;
  else
    segment.constants =
        std::make_shared<const std::vector<double>>(constants.begin(), constants.end());
  return segment;
}

void DenseHistory::take_node(ModelPoint& point, double t, std::span<const double> y,
                             Segment& segment) {
  segment.values.insert(segment.values.end(), y.begin(), y.end());
  const std::size_t n_delayed = point.model().constants().n_delayed;
  if (n_delayed == 0) return;
  point.enter(t, y.data());
  const auto delayed = point.constants().subspan(point.model().constants().delays, n_delayed);
  segment.values.insert(segment.values.end(), delayed.begin(), delayed.end());
}

void DenseHistory::add(ModelPoint& point, const AcceptedStep& step, double end) {
  Segment segment = begin_segment(point, step.t_old, end);
  state_.resize(step.y.size());  // multipliers may stand behind the states
  for (std::size_t k = 0; k < n_nodes; ++k) {
    const double t = k + 1 == n_nodes ? end : step.t_old + node(k) * (end - step.t_old);
    if (t == step.t)
      std::copy(step.y.begin(), step.y.end(), state_.begin());
    else if (k == 0)
      std::copy(step.y_old.begin(), step.y_old.end(), state_.begin());
    else if (!step.interpolate(t, state_))
      return;  // no values inside: the run ends here
    take_node(point, t, std::span<const double>(state_).first(point.n_states()), segment);
  }
  segments_.push_back(std::move(segment));
}

void DenseHistory::add(ModelPoint& point) {
  Segment segment = begin_segment(point, point.time(), point.time());
  state_.resize(point.n_states());
  point.copy_states(state_);
  take_node(point, point.time(), state_, segment);
  segments_.push_back(std::move(segment));
}

const DenseHistory::Segment& DenseHistory::find(double time, Side side) const {
  if (side == Side::before) {
    const auto first = std::partition_point(segments_.begin(), segments_.end(),
                                            [&](const Segment& s) { return s.t < time; });
    return first == segments_.end() ? segments_.back() : *first;
  }
  const auto behind = std::partition_point(segments_.begin(), segments_.end(),
                                           [&](const Segment& s) { return s.t_old <= time; });
  return behind == segments_.begin() ? segments_.front() : *(behind - 1);
}

}  // namespace alembert::integrate
