// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/sliding.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/integrate/small_dense.hpp"

namespace alembert::integrate {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::vector<Sliding::Corner> Sliding::corners(std::size_t n_surfaces) {
  std::vector<Corner> found;
  if (n_surfaces <= most_products) {
    for (Corner corner = 0; corner < Corner{1} << n_surfaces; ++corner) found.push_back(corner);
    return found;
  }
  found.push_back(0);
  for (std::size_t i = 0; i < n_surfaces; ++i) found.push_back(Corner{1} << i);
  found.push_back((Corner{1} << n_surfaces) - 1);
  return found;
}

Sliding::Sliding(std::vector<std::uint32_t> crossings, Beside beside, std::vector<double> constants)
    : crossings_(std::move(crossings)),
      beside_(std::move(beside)),
      corners_(corners(crossings_.size())),
      constants_(std::move(constants)) {
  ensure(!crossings_.empty() && crossings_.size() <= most_surfaces &&
             constants_.size() % corners_.size() == 0,
         "a sliding motion has surfaces, and constants for all corners");
}

void Sliding::exchange(Archive& archive) {
  archive(crossings_, beside_.states, beside_.slopes, beside_.widths, constants_);
  corners_ = corners(crossings_.size());
}

std::span<double> Sliding::constants(std::size_t corner) {
  const std::size_t n = constants_.size() / corners_.size();
  return std::span(constants_).subspan(corner * n, n);
}

std::span<const double> Sliding::derivatives(std::size_t corner) const { return slopes_[corner]; }

std::span<const double> Sliding::states(std::size_t corner) const { return states_[corner]; }

std::span<const double> Sliding::shares(ModelPoint& point, double t, std::span<const double> y) {
  const std::size_t n = crossings_.size(), n_corners = corners_.size();
  shares_.assign(n, nan);
  states_.resize(n_corners);
  slopes_.resize(n_corners);
  rates_.resize(n_corners * n);
  weights_.resize(n_corners);
  weight_slopes_.resize(n_corners);
  by_shares_.resize(n * n);
  for (std::size_t c = 0; c < n_corners; ++c)
    if (!measure(point, t, y, c)) return shares_;
  all_on_.assign(n, Place::on);
  if ((adds_up() && !is_sum()) || !solve(all_on_, trial_)) return shares_;
  shares_ = trial_;
  return shares_;
}

/// What the last corner does is what the others say.
bool Sliding::is_sum() const {
  constexpr double little = 1e-6;
  const std::size_t last = corners_.size() - 1;
  for (std::size_t i = 0; i < slopes_[0].size(); ++i) {
    const double base = slopes_[0][i];
    double sum = base, size = std::abs(base);
    for (std::size_t c = 1; c < last; ++c) {
      sum += slopes_[c][i] - base;
      size += std::abs(slopes_[c][i] - base);
    }
    if (!(std::abs(sum - slopes_[last][i]) <= little * size)) return false;
  }
  return true;
}

void Sliding::weigh(std::span<const double> shares, std::span<double> weights) const {
  if (!adds_up()) {
    for (std::size_t c = 0; c < corners_.size(); ++c) {
      weights[c] = 1;
      for (std::size_t i = 0; i < shares.size(); ++i)
        weights[c] *= (corners_[c] >> i & 1) != 0 ? shares[i] : 1 - shares[i];
    }
    return;
  }
  weights[0] = 1;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    weights[1 + i] = shares[i];
    weights[0] -= shares[i];
  }
  weights.back() = 0;
}

void Sliding::weigh_slopes(std::span<double> shares, std::size_t i,
                           std::span<double> slopes) const {
  if (adds_up()) {
    std::ranges::fill(slopes, 0.0);
    slopes[0] = -1;
    slopes[1 + i] = 1;
    return;
  }
  const double held = std::exchange(shares[i], 1.0);  // weights are linear in each share
  weigh(shares, slopes);
  for (std::size_t c = 0; c < corners_.size(); ++c)
    if ((corners_[c] >> i & 1) == 0) slopes[c] = -slopes[c ^ (std::size_t{1} << i)];
  shares[i] = held;
}

void Sliding::rates_by_shares(std::span<double> shares) {
  const std::size_t n = shares.size();
  for (std::size_t i = 0; i < n; ++i) {
    weigh_slopes(shares, i, weight_slopes_);
    for (std::size_t j = 0; j < n; ++j) {
      double slope = 0;
      for (std::size_t c = 0; c < corners_.size(); ++c)
        slope += weight_slopes_[c] * rates_[c * n + j];
      by_shares_[j * n + i] = slope;
    }
  }
}

void Sliding::find_rates(std::span<double> shares) {
  const std::size_t n = crossings_.size();
  weigh(shares, weights_);
  mean_rates_.assign(n, 0.0);
  for (std::size_t c = 0; c < corners_.size(); ++c)
    for (std::size_t j = 0; j < n; ++j) mean_rates_[j] += weights_[c] * rates_[c * n + j];
  rates_by_shares(shares);
}

/// The shares of surfaces that are to be stayed on, by Newton from the middle; one step is all of
/// it where rates are sums. False if none are found. Rates are afterwards those at the shares.
bool Sliding::solve(std::span<const Place> places, std::vector<double>& shares) {
  constexpr int most_steps = 40;
  constexpr double near = 1e-13;
  const std::size_t n = crossings_.size();
  shares.resize(n);
  free_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    shares[i] = places[i] == Place::on ? 0.5 : places[i] == Place::above ? 1 : 0;
    if (places[i] == Place::on) free_.push_back(i);
  }
  find_rates(shares);
  const std::size_t m = free_.size();
  for (int step = 0; m > 0 && step < most_steps; ++step) {
    matrix_.resize(m * m);
    residual_.resize(m);
    for (std::size_t j = 0; j < m; ++j) {
      residual_[j] = -mean_rates_[free_[j]];
      for (std::size_t i = 0; i < m; ++i) matrix_[j * m + i] = by_shares_[free_[j] * n + free_[i]];
    }
    if (!solve_dense(matrix_, residual_) || !all_finite(residual_)) return false;
    double farthest = 0, size = 1;
    for (std::size_t i = 0; i < m; ++i) {
      double& share = shares[free_[i]];
      share += residual_[i];
      farthest = std::max(farthest, std::abs(residual_[i]));
      size = std::max(size, std::abs(share));
    }
    find_rates(shares);
    if (farthest <= near * size || m == 1 || adds_up()) return true;
  }
  return m == 0;
}

/// Principal pivots by least index (Murty, Linear Complementarity, Linear and Nonlinear
/// Programming, 1988): the first surface whose place contradicts its share, or its rate, takes
/// another one.
std::vector<Sliding::Place> Sliding::places() {
  constexpr double rounding = 1e-7;  // rates are differences
  const std::size_t n = crossings_.size();
  std::vector<Place> found(n, Place::on);
  std::vector<double> shares;
  for (std::size_t pass = 0; pass < 20 * n; ++pass) {
    const bool solved = solve(found, shares);
    std::size_t change = n;
    Place place = Place::on;
    for (std::size_t i = 0; i < n && change == n; ++i) {
      double fastest = 0;
      for (std::size_t c = 0; c < corners_.size(); ++c)
        fastest = std::max(fastest, std::abs(rates_[c * n + i]));
      const double rate = mean_rates_[i], least = rounding * fastest;
      const bool leads_away = !(by_shares_[i * n + i] < -least);  // also from beside it
      if (found[i] == Place::on && (leads_away || (solved && shares[i] > 1 + rounding) ||
                                    (solved && shares[i] < -rounding))) {
        change = i;
        place = (leads_away ? rate : shares[i]) > 0 ? Place::above : Place::below;
      } else if (found[i] != Place::on && !leads_away &&
                 (found[i] == Place::above ? rate < -least : rate > least)) {
        change = i;
      }
    }
    if (change == n) return solved ? found : std::vector<Place>{};
    found[change] = place;
  }
  return {};
}

std::span<const double> Sliding::weights() {
  std::vector<double>& confined = residual_;
  confined.assign(shares_.begin(), shares_.end());
  for (double& share : confined) share = std::clamp(share, 0.0, 1.0);
  weigh(confined, weights_);
  return weights_;
}

bool Sliding::is_held() const {
  constexpr double rounding = 1e-7;  // rates are differences
  const std::size_t n = crossings_.size();
  for (const double share : shares_)
    if (!(share >= -rounding && share <= 1 + rounding)) return false;
  // Beside the surfaces shares follow the crossing functions, each in its own layer however thin:
  // where that comes to rest, the surfaces are met again.
  Eigen::MatrixXd follow(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(by_shares_[j * n + i]));
    if (!(most > 0)) return false;
    for (std::size_t i = 0; i < n; ++i)
      follow(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) =
          by_shares_[j * n + i] / most;
  }
  if (n == 1) return follow(0, 0) < 0;
  const Eigen::VectorXcd growth = follow.eigenvalues();
  return std::ranges::all_of(growth, [](std::complex<double> value) { return value.real() < 0; });
}

bool Sliding::vanishes_beside(const Sliding& farther) const {
  constexpr double clearly = 0.8;
  const std::size_t n = crossings_.size();
  const auto difference = [](const Sliding& sliding) {
    double most = 0;
    for (std::size_t c = 1; c < sliding.corners_.size(); ++c)
      for (std::size_t i = 0; i < sliding.slopes_[c].size(); ++i)
        most = std::max(most, std::abs(sliding.slopes_[0][i] - sliding.slopes_[c][i]));
    return most;
  };
  const auto spread = [n](const Sliding& sliding, std::size_t surface) {
    double least = sliding.rates_[surface], most = least;
    for (std::size_t c = 1; c < sliding.corners_.size(); ++c) {
      least = std::min(least, sliding.rates_[c * n + surface]);
      most = std::max(most, sliding.rates_[c * n + surface]);
    }
    return most - least;
  };
  for (std::size_t j = 0; j < n; ++j)
    if (!(spread(*this, j) < clearly * spread(farther, j))) return false;
  return difference(*this) < clearly * difference(farther);
}

bool Sliding::differs() const {
  constexpr double clearly = 1e-12;
  double largest = 0, most = 0;
  for (std::size_t c = 0; c < corners_.size(); ++c)
    for (std::size_t i = 0; i < slopes_[c].size(); ++i) {
      largest = std::max(largest, std::abs(slopes_[c][i]));
      most = std::max(most, std::abs(slopes_[0][i] - slopes_[c][i]));
    }
  return most > clearly * largest;
}

void Sliding::go_beside(ModelPoint& point, double t, std::span<const double> y, Corner corner,
                        std::vector<double>& at) {
  at.assign(y.begin(), y.end());
  if (beside_.widths.empty()) return;
  const std::size_t n = crossings_.size(), n_modes = point.model().hybrid().modes.size();
  modes_.resize(n_modes + point.model().hybrid().crossings.size());
  point.modes_at(t, y, modes_);
  off_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double width = beside_.widths[i];
    off_[i] = ((corner >> i & 1) != 0 ? width : -width) - modes_[n_modes + crossings_[i]];
  }
  matrix_ = beside_.slopes;
  if (!solve_dense(matrix_, off_)) return;
  for (std::size_t i = 0; i < n; ++i) at[beside_.states[i]] += off_[i];
}

bool Sliding::measure(ModelPoint& point, double t, std::span<const double> y, std::size_t corner) {
  std::ranges::copy(constants(corner), point.constants().begin());
  const std::size_t n = crossings_.size(), n_modes = point.model().hybrid().modes.size();
  std::vector<double>& f = slopes_[corner];
  std::vector<double>& at = states_[corner];
  f.resize(y.size());
  moved_.resize(y.size());
  modes_.resize(n_modes + point.model().hybrid().crossings.size());
  go_beside(point, t, y, corners_[corner], at);
  if (!point.plain_derivatives(t, at.data(), f.data())) return false;
  // As far as the fastest state goes in a small part of its size; of time by itself, since nothing
  // is known of how quick it is in g, and since rounding then adds nothing where it is not in g.
  constexpr double little = 6e-6;
  double fastest = 0;
  for (std::size_t i = 0; i < y.size(); ++i)
    fastest = std::max(fastest, std::abs(f[i]) / std::max(1.0, std::abs(y[i])));
  const std::span<double> rates = std::span(rates_).subspan(corner * n, n);
  std::ranges::fill(rates, 0.0);
  const auto add_change = [&](double time, double along, double factor) {
    for (const double share : {1.0, -1.0}) {
      for (std::size_t i = 0; i < y.size(); ++i) moved_[i] = at[i] + share * along * f[i];
      point.modes_at(t + share * time, moved_, modes_);
      for (std::size_t j = 0; j < n; ++j)
        rates[j] += share * modes_[n_modes + crossings_[j]] / 2 * factor;
    }
  };
  const double in_time = little / std::max(fastest, 1.0);
  add_change(in_time, 0, 1 / in_time);
  if (fastest > 0) add_change(0, little / fastest, fastest / little);
  point.enter(t, y.data());
  return all_finite(rates);
}

}  // namespace alembert::integrate
