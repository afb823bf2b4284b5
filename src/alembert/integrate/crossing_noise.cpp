// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/crossing_noise.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

std::span<const double> CrossingNoise::measure(double t, std::span<const double> y) {
  constexpr std::size_t n_disturbances = 8;
  constexpr double ulps = 4;    // more each time: the same few may change nothing
  constexpr double margin = 2;  // the few that are tried need not be the worst
  const auto disturbed = [](double value, std::size_t n, std::size_t pattern) {
    const double by = static_cast<double>(n + 1) * ulps * eps;
    return value * (1 + (pattern % 2 == 0 ? by : -by));
  };
  const std::size_t n_modes = point_.model().hybrid().modes.size();
  noise_.assign(point_.model().hybrid().crossings.size(), 0.0);
  here_.resize(n_modes + noise_.size());
  there_.resize(here_.size());
  disturbed_.resize(y.size());
  point_.modes_at(t, y, here_);
  for (std::size_t n = 0; n < n_disturbances; ++n) {
    // Each time with other signs, so that in one of them terms do not make up for each other.
    for (std::size_t i = 0; i < y.size(); ++i)
      disturbed_[i] = disturbed(y[i], n, (i + 1) * 0x9e3779b1u >> (n + 5));
    point_.modes_at(disturbed(t, n, n), disturbed_, there_);
    for (std::size_t c = 0; c < noise_.size(); ++c)
      noise_[c] = std::max(noise_[c], std::abs(there_[n_modes + c] - here_[n_modes + c]));
  }
  for (double& noise : noise_) noise *= margin;
  point_.enter(t, y.data());
  return noise_;
}

}  // namespace alembert::integrate
