// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/foreseen_sizes.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>

namespace alembert::integrate {

namespace {

constexpr std::size_t most_states = 50;
constexpr double smallest = 1e-18;

class Foresight {
 public:
  /// at_zero: the states to be looked at.
  Foresight(const ModelPoint& start, std::vector<std::size_t> at_zero)
      // A point of its own: values that are missing far from the start are nothing to be told of.
      : point_(start.model(), {start.constants().begin(), start.constants().end()}),
        at_zero_(std::move(at_zero)),
        t_(start.time()),
        rates_(start.n_states(), 0.0),
        slopes_(start.n_states()),
        there_(start.n_states()),
        beside_(start.n_states()) {
    point_.use(start.chart());
    std::ranges::copy(start.variables(), point_.variables().begin());
    start.copy_states(beside_);
  }

  /// The steepest slope of each state that is seen where slopes lead in a part of the run: one that
  /// rests moves when what drives it has moved. Of those that move at once, that at the start.
  void find_rates(double length, double tolerance) {
    constexpr double parts[] = {0, 1e-3, 1e-2, 1e-1};
    std::vector<char> moves(rates_.size(), 0);
    for (const double part : parts) {
      for (const std::size_t i : at_zero_) beside_[i] = part * length * rates_[i];
      std::vector<char> certain;
      if (!find_certain(t_ + part * length, tolerance, certain)) break;
      for (const std::size_t i : at_zero_)
        if (certain[i] && !moves[i] && std::abs(slopes_[i]) > std::abs(rates_[i]))
          rates_[i] = slopes_[i];
      if (part == 0)
        for (const std::size_t i : at_zero_) moves[i] = rates_[i] != 0;
    }
    for (const std::size_t i : at_zero_) beside_[i] = 0;
  }

  /// To be called before `size_of`; false where there are no slopes.
  bool return_to_start() { return slopes_at(t_, slopes_); }

  double size_of(std::size_t i, double length) {
    constexpr int n_halvings = 6;
    const double whole = std::min(1.0, length * std::abs(rates_[i]));
    if (!(whole > 0) || !turns(i, whole)) return whole;
    double stays = std::log(std::min(smallest, whole)), beyond = std::log(whole);
    for (int n = 0; n < n_halvings; ++n) {
      const double middle = 0.5 * (stays + beyond);
      (turns(i, std::exp(middle)) ? beyond : stays) = middle;
    }
    return std::exp(beyond);
  }

 private:
  bool slopes_at(double time, std::vector<double>& out) {
    return point_.derivatives(time, beside_.data(), out.data());
  }

  /// Slopes, and which of them come out the same however their terms are rounded.
  bool find_certain(double time, double tolerance, std::vector<char>& certain) {
    constexpr double least_certainty = 1e-3;
    const int mode = std::fegetround();
    std::vector<double> down(slopes_.size());
    const bool known = slopes_at(time, slopes_) && std::fesetround(FE_UPWARD) == 0 &&
                       slopes_at(time, there_) && std::fesetround(FE_DOWNWARD) == 0 &&
                       slopes_at(time, down);
    std::fesetround(mode);
    certain.assign(slopes_.size(), 0);
    for (std::size_t i = 0; known && i < certain.size(); ++i)
      certain[i] = std::abs(there_[i] - down[i]) <
                   std::min(tolerance, least_certainty) * std::abs(slopes_[i]);
    return known;
  }

  /// With the state so far from zero, another slope, or its own, leads back.
  bool turns(std::size_t i, double displacement) {
    beside_[i] = std::copysign(displacement, rates_[i]);
    const bool known = slopes_at(t_, there_);
    beside_[i] = 0;
    return known && std::ranges::any_of(at_zero_, [&](std::size_t j) {
             return rates_[j] * slopes_[j] > 0 && there_[j] * slopes_[j] < 0;
           });
  }

  ModelPoint point_;
  std::vector<std::size_t> at_zero_;
  double t_;
  std::vector<double> rates_;   // [n_states], with their signs
  std::vector<double> slopes_;  // [n_states], where it was looked last; then at the start
  std::vector<double> there_;   // [n_states], work
  std::vector<double> beside_;  // [n_states]: the states, displaced
};

}  // namespace

std::vector<double> foresee_sizes(const ModelPoint& start, double length, double tolerance) {
  const std::span<const std::uint32_t> states = start.chart().states;
  std::vector<double> y(states.size()), sizes(states.size(), 0.0);
  start.copy_states(y);
  std::vector<std::size_t> at_zero;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (y[i] == 0 && !(start.model().nominal_of(states[i]) > 0)) at_zero.push_back(i);
  if (at_zero.empty() || at_zero.size() > most_states || !(length > 0)) return sizes;
  Foresight foresight(start, at_zero);
  foresight.find_rates(length, tolerance);
  if (!foresight.return_to_start()) return sizes;
  for (const std::size_t i : at_zero)
    if (const double size = foresight.size_of(i, length); size > smallest) sizes[i] = size;
  return sizes;
}

}  // namespace alembert::integrate
