// SPDX-License-Identifier: Apache-2.0
// How exact each state has to be: by its nominal value, by its size, and by what can be known of
// it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "alembert/integrate/foreseen_sizes.hpp"
#include "alembert/integrate/simulation.hpp"

namespace alembert::integrate {

namespace {

/// Of the size of a small state without a nominal value, in which its absolute tolerance is
/// measured: it is as exact as this many times the tolerance of its size.
constexpr double small_share = 10;

}  // namespace

void Simulation::set_tolerances() {
  absolute_each_.assign(y_.size(), infinity);
  small_states_.clear();
  const std::span<const std::uint32_t> states = point_.chart().states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double nominal = model_.nominal_of(states[i]);
    const double known = sizes_.empty() ? 0 : sizes_[states[i]];
    const double size = known > 0 ? std::min(1.0, small_share * known) : 1;
    absolute_each_[i] = tolerance() * (nominal > 0 ? nominal : size);
    widen_tolerance(i);
    if (!(nominal > 0) && size < 1) small_states_.push_back(static_cast<std::uint32_t>(i));
  }
}

/// To what can be known. Of a state that passes through zero little is known beside how large it
/// was, and little counts.
void Simulation::widen_tolerance(std::size_t i) {
  constexpr double share = 1e-3;
  const std::uint32_t state = point_.chart().states[i];
  const double known = std::max(share * tolerance() * largest_[state], least_tolerance_[state]);
  if (known > absolute_each_[i] && !(model_.nominal_of(state) > 0)) absolute_each_[i] = known;
}

/// What was small at the start may have grown since; then its passages through zero are nothing to
/// look at closely.
void Simulation::follow_sizes(std::span<const double> y) {
  if (form_ || in_passage_ || start_.event_chart != nullptr) return;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double& largest = largest_[point_.chart().states[i]];
    if (!(std::abs(y[i]) > largest)) continue;
    largest = std::abs(y[i]);
    widen_tolerance(i);
  }
  std::erase_if(small_states_, [&](std::uint32_t i) {
    double& size = sizes_[point_.chart().states[i]];
    if (!(std::abs(y[i]) > size)) return false;
    size = std::abs(y[i]);
    absolute_each_[i] = tolerance() * std::min(1.0, small_share * size);
    widen_tolerance(i);
    return small_share * size >= 1;
  });
}

/// Of states without a nominal value that are small: by their value at the start. One of zero tells
/// nothing, nor does one that is beside the largest of all what rounding is beside the tolerance,
/// as a coordinate that should be zero. What an event leaves of a velocity, when friction holds it,
/// is small and means nothing either.
void Simulation::measure_sizes() {
  const bool by_series = start_.event_chart != nullptr;
  if (form_ || in_passage_ || point_.slides() || (by_series && !sizes_.empty())) return;
  const AtEvent with_states(*this);
  const std::span<const std::uint32_t> states = point_.chart().states;
  std::vector<double> y(states.size());
  point_.copy_states(y);
  if (sizes_.empty()) sizes_.assign(model_.n_variables(), 0);
  double largest = 0;
  for (const double value : y)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < states.size(); ++i) {
    double& size = sizes_[states[i]];
    const double here = std::abs(y[i]);
    if (size > 0 && std::isfinite(here)) size = std::max(size, here);
    if (size == 0 && leg_.start == options_.start && eps * largest <= tolerance() * here)
      size = here;
  }
  if (leg_.start != options_.start) return;
  // What was is not known at other times than those of steps.
  if (!delays_.any()) {
    const double least = eps * largest / tolerance();
    const std::vector<double> foreseen =
        foresee_sizes(point_, std::abs(options_.stop - options_.start), tolerance());
    for (std::size_t i = 0; i < states.size(); ++i)
      if (foreseen[i] > least) sizes_[states[i]] = foreseen[i];
  }
  measure_least_tolerances(y);
}

/// A state cannot be known better than what drives it. For a small state without a nominal value
/// those are errors of the others that the tolerance allows; for any state it is rounding: where
/// large terms cancel, slopes are noise of their size. What that adds up to within a short part of
/// the run, or until the state follows, is the least tolerance that can be asked for.
void Simulation::measure_least_tolerances(std::span<const double> y) {
  constexpr std::size_t n_disturbances = 2;
  constexpr int most_looks = 50;
  constexpr double part = 1e-3, little = 1e-3, ulps = 4;
  const std::span<const std::uint32_t> states = point_.chart().states;
  const double t = point_.time();
  const double span = part * std::abs(options_.stop - options_.start);
  std::vector<double> slopes(y.size()), there(y.size()), opposite(y.size()), owed(y.size(), 0.0);
  std::vector<double> beside(y.begin(), y.end());
  const auto nominal = [&](std::size_t i) { return model_.nominal_of(states[i]); };
  const auto is_small = [&](std::size_t i) {
    const double size = sizes_[states[i]];
    return size > 0 && small_share * size < 1 && !(nominal(i) > 0);
  };
  // One that starts at zero may be of any size, as far as it is known.
  const auto size = [&](std::size_t i) {
    return std::max(
        {is_small(i) ? sizes_[states[i]] : nominal(i), std::abs(y[i]), span * std::abs(slopes[i])});
  };
  if (!point_.derivatives(t, y.data(), slopes.data())) return;
  // To both sides: a jump just here is no noise.
  const auto disturb = [&](auto displacement, auto counts) {
    for (std::size_t i = 0; i < y.size(); ++i) beside[i] = y[i] + displacement(i);
    if (!point_.derivatives(t, beside.data(), there.data())) return;
    for (std::size_t i = 0; i < y.size(); ++i) beside[i] = y[i] - displacement(i);
    if (!point_.derivatives(t, beside.data(), opposite.data())) return;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (counts(i))
        owed[i] = std::max(
            owed[i], std::min(std::abs(there[i] - slopes[i]), std::abs(opposite[i] - slopes[i])));
  };
  // States whose size was foreseen may be wrong as well, and are not disturbed by themselves.
  const auto in_half = [&](std::size_t i, std::size_t half) {
    return is_small(i) && (y[i] != 0 || i % 2 != half);
  };
  for (std::size_t n = 0; n < n_disturbances; ++n) {
    const auto sign = [&](std::size_t i) { return (i >> n) % 2 == 0 ? 1.0 : -1.0; };
    disturb([&](std::size_t i) { return sign(i) * ulps * eps * y[i]; },
            [](std::size_t) { return true; });
    for (const std::size_t half : {0u, 1u})
      disturb(
          [&](std::size_t i) {
            const double allowed = is_small(i) ? small_share * sizes_[states[i]] : size(i);
            return in_half(i, half) ? 0 : sign(i) * 2 * tolerance() * allowed;
          },
          [&](std::size_t i) { return in_half(i, half); });
  }
  std::copy(y.begin(), y.end(), beside.begin());
  int n_looks = 0;
  for (std::size_t i = 0; i < y.size() && n_looks < most_looks; ++i) {
    double error = owed[i] * span;
    if (nominal(i) > 0 || !(error > tolerance() * std::min(1.0, small_share * size(i)))) continue;
    ++n_looks;
    const double moved = std::max(little * size(i), error);
    beside[i] = y[i] + moved;
    if (point_.derivatives(t, beside.data(), there.data()))
      error = std::min(error, owed[i] * moved / std::abs(there[i] - slopes[i]));
    beside[i] = y[i];
    if (std::isfinite(error)) least_tolerance_[states[i]] = error;
  }
  point_.enter(t, y.data());
}

/// Where no step is short enough for what was taken for the size of small states, it was none.
bool Simulation::forgets_sizes() {
  const bool any =
      std::ranges::any_of(sizes_, [](double size) { return size > 0 && size * small_share < 1; });
  std::ranges::fill(sizes_, 1.0);
  return any;
}

}  // namespace alembert::integrate
