// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

Sliding::Sliding(std::uint32_t crossing, std::span<const double> below,
                 std::span<const double> above)
    : crossing_(crossing), sides_{{{below.begin(), below.end()}, {above.begin(), above.end()}}} {}

void Sliding::exchange(Archive& archive) { archive(crossing_, sides_[0], sides_[1]); }

double Sliding::share(ModelPoint& point, double t, std::span<const double> y) {
  if (!measure(point, t, y, false) || !measure(point, t, y, true))
    return std::numeric_limits<double>::quiet_NaN();
  const double share = rates_[0] / (rates_[0] - rates_[1]);
  return std::isfinite(share) ? share : std::numeric_limits<double>::quiet_NaN();
}

bool Sliding::leads_back(ModelPoint& point, double t, std::span<const double> y) {
  constexpr double rounding = 1e-7;  // rates are differences
  const double a = share(point, t, y);
  return a >= -rounding && a <= 1 + rounding && rates_[0] > rates_[1];
}

bool Sliding::measure(ModelPoint& point, double t, std::span<const double> y, bool second) {
  const auto entered = point.constants();
  std::copy(sides_[second].begin(), sides_[second].end(), entered.begin());
  std::vector<double>& f = slopes_[second];
  f.resize(y.size());
  moved_.resize(y.size());
  modes_.resize(point.model().hybrid().modes.size() + point.model().hybrid().crossings.size());
  if (!point.plain_derivatives(t, y.data(), f.data())) return false;
  // As far as the fastest state goes in a small part of its size.
  double fastest = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    fastest = std::max(fastest, std::abs(f[i]) / std::max(1.0, std::abs(y[i])));
  const double ahead = 6e-6 / std::max(fastest, 1.0);
  double g[2];
  for (const int side : {0, 1}) {
    const double h = side == 0 ? -ahead : ahead;
    for (std::size_t i = 0; i < y.size(); ++i) moved_[i] = y[i] + h * f[i];
    point.modes_at(t + h, moved_, modes_);
    g[side] = modes_[point.model().hybrid().modes.size() + crossing_];
  }
  rates_[second] = (g[1] - g[0]) / (2 * ahead);
  point.enter(t, y.data());
  return std::isfinite(rates_[second]);
}

}  // namespace alembert::integrate
