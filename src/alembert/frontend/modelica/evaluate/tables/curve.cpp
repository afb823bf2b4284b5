// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/tables/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace alembert::modelica::tables {

bool is_spline(Smoothness smoothness) {
  return smoothness != Smoothness::linear && smoothness != Smoothness::constant;
}

std::vector<double> extended_differences(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = x.size();
  std::vector<double> d(n + 3);
  for (std::size_t i = 0; i + 1 < n; ++i) d[i + 2] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
  if (n == 2) {
    std::fill(d.begin(), d.end(), d[2]);
    return d;
  }
  d[1] = 2 * d[2] - d[3];
  d[0] = 2 * d[1] - d[2];
  d[n + 1] = 2 * d[n] - d[n - 1];
  d[n + 2] = 2 * d[n + 1] - d[n];
  return d;
}

std::vector<double> akima_weights(bool is_modified, std::span<const double> d) {
  const std::size_t n = d.size() - 3;
  std::vector<double> weights(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    double left = std::abs(d[i + 3] - d[i + 2]);  // of the difference to the left
    double right = std::abs(d[i + 1] - d[i]);
    if (is_modified) {
      left += std::abs(d[i + 3] + d[i + 2]) / 2;
      right += std::abs(d[i + 1] + d[i]) / 2;
    }
    const double both = left + right;
    weights[2 * i] = both > 0 ? left / both : 0.5;
    weights[2 * i + 1] = both > 0 ? right / both : 0.5;
  }
  return weights;
}

namespace {

double fritsch_butland(double h0, double h1, double d0, double d1) {
  if (d0 * d1 <= 0) return 0;
  return 3 * (h0 + h1) / ((2 * h1 + h0) / d0 + (h1 + 2 * h0) / d1);
}

double steffen(double h0, double h1, double d0, double d1) {
  if (d0 * d1 <= 0) return 0;
  const double middle = (d0 * h1 + d1 * h0) / (h0 + h1);
  return std::copysign(2.0, d0) * std::min({std::abs(d0), std::abs(d1), std::abs(middle) / 2});
}

}  // namespace

std::vector<double> spline_slopes(Smoothness smoothness, std::span<const double> x,
                                  std::span<const double> y) {
  const std::size_t n = x.size();
  const std::vector<double> d = extended_differences(x, y);
  std::vector<double> slopes(n);
  if (smoothness == Smoothness::akima || smoothness == Smoothness::modified_akima) {
    const auto weights = akima_weights(smoothness == Smoothness::modified_akima, d);
    for (std::size_t i = 0; i < n; ++i)
      slopes[i] = weights[2 * i] * d[i + 1] + weights[2 * i + 1] * d[i + 2];
    return slopes;
  }
  slopes.front() = d[2];
  slopes.back() = d[n];
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double h0 = x[i] - x[i - 1];
    const double h1 = x[i + 1] - x[i];
    slopes[i] = smoothness == Smoothness::steffen ? steffen(h0, h1, d[i + 1], d[i + 2])
                                                  : fritsch_butland(h0, h1, d[i + 1], d[i + 2]);
  }
  return slopes;
}

Curve::Curve(Smoothness smoothness, Extrapolation extrapolation, std::vector<double> x,
             std::vector<double> y)
    : smoothness_(smoothness), extrapolation_(extrapolation), x_(std::move(x)), y_(std::move(y)) {
  const std::size_t n = x_.size();
  const std::size_t n_pieces = n - 1;
  slope_.assign(n_pieces, 0);
  quadratic_.assign(n_pieces, 0);
  cubic_.assign(n_pieces, 0);
  if (n < 2 || smoothness_ == Smoothness::constant) return;
  if (!is_spline(smoothness_) || n == 2) {
    for (std::size_t i = 0; i < n_pieces; ++i) {
      const double width = x_[i + 1] - x_[i];
      slope_[i] = width > 0 ? (y_[i + 1] - y_[i]) / width : 0;
    }
    return;
  }
  const auto slopes = spline_slopes(smoothness_, x_, y_);
  for (std::size_t i = 0; i < n_pieces; ++i) {
    const double h = x_[i + 1] - x_[i];
    const double d = (y_[i + 1] - y_[i]) / h;
    slope_[i] = slopes[i];
    quadratic_[i] = (3 * d - 2 * slopes[i] - slopes[i + 1]) / h;
    cubic_[i] = (slopes[i] + slopes[i + 1] - 2 * d) / (h * h);
  }
}

Jet Curve::on_piece(std::size_t i, double u) const {
  const double s = u - x_[i];
  return {y_[i] + s * (slope_[i] + s * (quadratic_[i] + s * cubic_[i])),
          slope_[i] + s * (2 * quadratic_[i] + 3 * s * cubic_[i]),
          2 * quadratic_[i] + 6 * s * cubic_[i]};
}

Jet Curve::beyond(double u) const {
  const bool left = u < x_.front();
  const std::size_t last = x_.size() - 1;
  const double value = left ? y_.front() : y_[last];
  if (extrapolation_ == Extrapolation::hold) return {value, 0, 0};
  if (extrapolation_ == Extrapolation::none) {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    return {nothing, nothing, nothing};
  }
  double slope = 0;
  if (is_spline(smoothness_)) {
    slope = left ? slope_.front() : on_piece(last - 1, x_[last]).first;
  } else {
    const std::size_t i = left ? 0 : last - 1;
    const double width = x_[i + 1] - x_[i];
    slope = width > 0 ? (y_[i + 1] - y_[i]) / width : 0;
  }
  return {value + slope * (u - (left ? x_.front() : x_[last])), slope, 0};
}

namespace {

/// What sums of periods may be off by.
double rounding(double u) { return 1e-13 * std::max(1.0, std::abs(u)); }

}  // namespace

Jet Curve::at(double u) const {
  if (x_.size() == 1) return {y_.front(), 0, 0};
  if (extrapolation_ == Extrapolation::periodic) {
    const double period = x_.back() - x_.front();
    const double tiny = rounding(u);
    u -= period * std::floor((u - x_.front()) / period);
    if (u < x_.front() || u >= x_.back() - tiny) u = x_.front();
  }
  if (u < x_.front()) return beyond(u);
  if (u >= x_.back()) {
    if (u > x_.back()) return beyond(u);
    // The point itself belongs to the table, whatever comes after it.
    Jet jet = on_piece(x_.size() - 2, u);
    jet.value = y_.back();
    return jet;
  }
  const auto after = std::upper_bound(x_.begin(), x_.end(), u);
  return on_piece(static_cast<std::size_t>(after - x_.begin()) - 1, u);
}

Jet Curve::before(double u, double end) const {
  if (x_.size() == 1) return {y_.front(), 0, 0};
  if (extrapolation_ == Extrapolation::periodic) {
    const double period = x_.back() - x_.front();
    const double shift = period * (std::ceil((end - rounding(end) - x_.front()) / period) - 1);
    u -= shift;
    end = std::min(end - shift, x_.back());
  }
  if (end <= x_.front()) {
    if (u < x_.front()) return beyond(u);
    Jet jet = beyond(x_.front() - 1);
    jet.value = y_.front() + jet.first * (u - x_.front());
    return jet;
  }
  if (end > x_.back()) return beyond(std::max(u, x_.back()));
  const auto reached = std::lower_bound(x_.begin(), x_.end(), end);
  return on_piece(static_cast<std::size_t>(reached - x_.begin()) - 1, u);
}

}  // namespace alembert::modelica::tables
