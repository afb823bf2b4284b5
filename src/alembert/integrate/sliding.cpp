// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

Sliding::Sliding(std::uint32_t crossing, std::span<const double> below,
                 std::span<const double> above, const Beside& beside)
    : crossing_(crossing),
      beside_(beside),
      sides_{{{below.begin(), below.end()}, {above.begin(), above.end()}}} {}

void Sliding::exchange(Archive& archive) { archive(crossing_, beside_, sides_[0], sides_[1]); }

double Sliding::share(ModelPoint& point, double t, std::span<const double> y) {
  const bool has_below = measure(point, t, y, false), has_above = measure(point, t, y, true);
  if (!has_below || !has_above) return std::numeric_limits<double>::quiet_NaN();
  const double share = rates_[0] / (rates_[0] - rates_[1]);
  return std::isfinite(share) ? share : std::numeric_limits<double>::quiet_NaN();
}

bool Sliding::leads_back(ModelPoint& point, double t, std::span<const double> y) {
  constexpr double rounding = 1e-7;  // rates are differences
  const double a = share(point, t, y);
  return a >= -rounding && a <= 1 + rounding && rates_[0] > rates_[1];
}

bool Sliding::vanishes_beside(const Sliding& farther) const {
  constexpr double clearly = 0.8;
  const auto difference = [](const Sliding& sliding) {
    double most = 0;
    for (std::size_t i = 0; i < sliding.slopes_[0].size(); ++i)
      most = std::max(most, std::abs(sliding.slopes_[0][i] - sliding.slopes_[1][i]));
    return most;
  };
  return difference(*this) < clearly * difference(farther) &&
         rates_[0] - rates_[1] < clearly * (farther.rates_[0] - farther.rates_[1]);
}

bool Sliding::measure(ModelPoint& point, double t, std::span<const double> y, bool second) {
  const auto entered = point.constants();
  std::copy(sides_[second].begin(), sides_[second].end(), entered.begin());
  std::vector<double>& f = slopes_[second];
  std::vector<double>& at = states_[second];
  f.resize(y.size());
  moved_.resize(y.size());
  modes_.resize(point.model().hybrid().modes.size() + point.model().hybrid().crossings.size());
  const auto crossing_at = [&](double time, std::span<const double> states) {
    point.modes_at(time, states, modes_);
    return modes_[point.model().hybrid().modes.size() + crossing_];
  };
  at.assign(y.begin(), y.end());
  if (beside_.width > 0)
    at[beside_.state] +=
        ((second ? beside_.width : -beside_.width) - crossing_at(t, y)) / beside_.slope;
  if (!point.plain_derivatives(t, at.data(), f.data())) return false;
  // As far as the fastest state goes in a small part of its size; of time by itself, since nothing
  // is known of how quick it is in g, and since rounding then adds nothing where it is not in g.
  constexpr double little = 6e-6;
  double fastest = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    fastest = std::max(fastest, std::abs(f[i]) / std::max(1.0, std::abs(y[i])));
  const auto change = [&](double time, double along) {
    const auto crossing_after = [&](double share) {
      for (std::size_t i = 0; i < y.size(); ++i) moved_[i] = at[i] + share * along * f[i];
      return crossing_at(t + share * time, moved_);
    };
    return (crossing_after(1) - crossing_after(-1)) / 2;
  };
  const double in_time = little / std::max(fastest, 1.0);
  rates_[second] = change(in_time, 0) / in_time;
  if (fastest > 0) rates_[second] += change(0, little / fastest) * fastest / little;
  point.enter(t, y.data());
  return std::isfinite(rates_[second]);
}

}  // namespace alembert::integrate
