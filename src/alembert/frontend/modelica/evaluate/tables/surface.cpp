// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/tables/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::modelica::tables {

Surface::Surface(Smoothness smoothness, Extrapolation extrapolation, const Matrix& matrix)
    : smoothness_(smoothness), extrapolation_(extrapolation) {
  for (std::size_t i = 1; i < matrix.n_rows; ++i) x_.push_back(matrix(i, 0));
  for (std::size_t j = 1; j < matrix.n_columns; ++j) y_.push_back(matrix(0, j));
  for (std::size_t i = 1; i < matrix.n_rows; ++i)
    for (std::size_t j = 1; j < matrix.n_columns; ++j) z_.push_back(matrix(i, j));
  if (is_spline(smoothness_)) fit_slopes();
}

namespace {

std::vector<double> slopes_or_zero(Smoothness smoothness, std::span<const double> x,
                                   std::span<const double> y) {
  return x.size() < 2 ? std::vector<double>(x.size(), 0.0) : spline_slopes(smoothness, x, y);
}

/// Akima's weights of the neighbours at each point; halves where there is no choice.
std::vector<double> weights_or_halves(bool is_modified, std::span<const double> x,
                                      std::span<const double> y) {
  if (x.size() < 2) return std::vector<double>(2 * x.size(), 0.5);
  return akima_weights(is_modified, extended_differences(x, y));
}

}  // namespace

void Surface::fit_slopes() {
  const std::size_t n_x = x_.size();
  const std::size_t n_y = y_.size();
  const bool is_modified = smoothness_ == Smoothness::modified_akima;
  z_x_.assign(n_x * n_y, 0);
  z_y_.assign(n_x * n_y, 0);
  z_xy_.assign(n_x * n_y, 0);
  std::vector<double> weights_x(2 * n_x * n_y);
  std::vector<double> weights_y(2 * n_x * n_y);
  std::vector<double> line;
  for (std::size_t j = 0; j < n_y; ++j) {
    line.clear();
    for (std::size_t i = 0; i < n_x; ++i) line.push_back(z(i, j));
    const auto slopes = slopes_or_zero(smoothness_, x_, line);
    const auto weights = weights_or_halves(is_modified, x_, line);
    for (std::size_t i = 0; i < n_x; ++i) {
      z_x_[i * n_y + j] = slopes[i];
      weights_x[2 * (i * n_y + j)] = weights[2 * i];
      weights_x[2 * (i * n_y + j) + 1] = weights[2 * i + 1];
    }
  }
  for (std::size_t i = 0; i < n_x; ++i) {
    line.assign(z_.begin() + static_cast<std::ptrdiff_t>(i * n_y),
                z_.begin() + static_cast<std::ptrdiff_t>((i + 1) * n_y));
    const auto slopes = slopes_or_zero(smoothness_, y_, line);
    const auto weights = weights_or_halves(is_modified, y_, line);
    for (std::size_t j = 0; j < n_y; ++j) {
      z_y_[i * n_y + j] = slopes[j];
      weights_y[2 * (i * n_y + j)] = weights[2 * j];
      weights_y[2 * (i * n_y + j) + 1] = weights[2 * j + 1];
    }
  }
  if (n_x < 2 || n_y < 2) return;
  // The mixed derivative of each cell, weighted as the slopes are. Beyond an edge it goes on
  // straight, as the slopes of a curve do there.
  const auto cell = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
    const auto a = static_cast<std::size_t>(i);
    const auto b = static_cast<std::size_t>(j);
    return (z(a + 1, b + 1) - z(a, b + 1) - z(a + 1, b) + z(a, b)) /
           ((x_[a + 1] - x_[a]) * (y_[b + 1] - y_[b]));
  };
  const auto straight_on = [](std::ptrdiff_t k, std::size_t n_points, const auto& inner) {
    const auto last = static_cast<std::ptrdiff_t>(n_points) - 2;
    if (k >= 0 && k <= last) return inner(k);
    if (last == 0) return inner(0);
    return k < 0 ? 2 * inner(0) - inner(1) : 2 * inner(last) - inner(last - 1);
  };
  const auto mixed = [&](std::ptrdiff_t i, std::ptrdiff_t j) {
    return straight_on(i, n_x, [&](std::ptrdiff_t a) {
      return straight_on(j, n_y, [&](std::ptrdiff_t b) { return cell(a, b); });
    });
  };
  for (std::size_t i = 0; i < n_x; ++i)
    for (std::size_t j = 0; j < n_y; ++j) {
      const std::size_t at = i * n_y + j;
      const auto a = static_cast<std::ptrdiff_t>(i);
      const auto b = static_cast<std::ptrdiff_t>(j);
      z_xy_[at] = weights_x[2 * at] * (weights_y[2 * at] * mixed(a - 1, b - 1) +
                                       weights_y[2 * at + 1] * mixed(a - 1, b)) +
                  weights_x[2 * at + 1] *
                      (weights_y[2 * at] * mixed(a, b - 1) + weights_y[2 * at + 1] * mixed(a, b));
    }
}

namespace {

std::size_t interval(const std::vector<double>& x, double u) {
  if (x.size() < 2) return 0;
  const auto after = std::upper_bound(x.begin(), x.end() - 1, u);
  return after == x.begin() ? 0 : static_cast<std::size_t>(after - x.begin()) - 1;
}

/// Values, and first and second derivatives, of the four cubic Hermite functions on [0, h].
struct Hermite {
  double left, left_slope, right, right_slope;
};

std::array<Hermite, 3> hermite(double s, double h) {
  const double t = s / h;
  return {{{1 + t * t * (2 * t - 3), h * t * (1 + t * (t - 2)), t * t * (3 - 2 * t),
            h * t * t * (t - 1)},
           {6 * t * (t - 1) / h, 1 + t * (3 * t - 4), 6 * t * (1 - t) / h, t * (3 * t - 2)},
           {(12 * t - 6) / (h * h), (6 * t - 4) / h, (6 - 12 * t) / (h * h), (6 * t - 2) / h}}};
}

/// One abscissa only: constant along it.
std::array<Hermite, 3> constant_hermite() { return {{{1, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}}; }

/// The same for straight lines, or steps.
std::array<Hermite, 3> straight(double s, double h, bool is_step) {
  if (is_step) return constant_hermite();
  return {{{1 - s / h, 0, s / h, 0}, {-1 / h, 0, 1 / h, 0}, {0, 0, 0, 0}}};
}

}  // namespace

SurfaceJet Surface::inside(double x, double y, bool steps_in_x, bool steps_in_y) const {
  const std::size_t i = interval(x_, x);
  const std::size_t j = interval(y_, y);
  const std::size_t n_y = y_.size();
  const bool spline = is_spline(smoothness_);
  const auto along = [&](const std::vector<double>& grid, std::size_t k, double u, bool is_step) {
    if (grid.size() < 2) return constant_hermite();
    const double h = grid[k + 1] - grid[k];
    // The last point belongs to the table.
    if (is_step && u >= grid.back())
      return std::array<Hermite, 3>{{{0, 0, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
    return spline ? hermite(u - grid[k], h) : straight(u - grid[k], h, is_step);
  };
  const auto in_x = along(x_, i, x, steps_in_x);
  const auto in_y = along(y_, j, y, steps_in_y);
  const std::size_t next_i = x_.size() > 1 ? i + 1 : i;
  const std::size_t next_j = n_y > 1 ? j + 1 : j;
  const auto combined = [&](const Hermite& a, const Hermite& b) {
    const auto row = [&](std::size_t at_i, double weight, double weight_slope) {
      const std::size_t p = at_i * n_y + j;
      const std::size_t q = at_i * n_y + next_j;
      double sum = weight * (b.left * z_[p] + b.right * z_[q]);
      if (spline)
        sum += weight * (b.left_slope * z_y_[p] + b.right_slope * z_y_[q]) +
               weight_slope * (b.left * z_x_[p] + b.right * z_x_[q] + b.left_slope * z_xy_[p] +
                               b.right_slope * z_xy_[q]);
      return sum;
    };
    return row(i, a.left, a.left_slope) + row(next_i, a.right, a.right_slope);
  };
  return {combined(in_x[0], in_y[0]), combined(in_x[1], in_y[0]), combined(in_x[0], in_y[1]),
          combined(in_x[2], in_y[0]), combined(in_x[1], in_y[1]), combined(in_x[0], in_y[2])};
}

SurfaceJet Surface::at(double x, double y) const {
  const auto wrapped = [](const std::vector<double>& grid, double u) {
    const double period = grid.back() - grid.front();
    return period > 0 ? u - period * std::floor((u - grid.front()) / period) : u;
  };
  if (extrapolation_ == Extrapolation::periodic) {
    x = wrapped(x_, x);
    y = wrapped(y_, y);
  }
  const double x_in = std::clamp(x, x_.front(), x_.back());
  const double y_in = std::clamp(y, y_.front(), y_.back());
  const double dx = x - x_in;
  const double dy = y - y_in;
  const bool is_step = smoothness_ == Smoothness::constant;
  if (dx == 0 && dy == 0) return inside(x, y, is_step, is_step);
  if (extrapolation_ == Extrapolation::none) {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    return {nothing, nothing, nothing, nothing, nothing, nothing};
  }
  // Steps have no slope: the last two points give one, as for straight pieces, and outside of the
  // table the surface is straight in both directions. Along a single point nothing is outside.
  const bool holds = extrapolation_ == Extrapolation::hold;
  const bool is_outside = (dx != 0 && x_.size() > 1) || (dy != 0 && y_.size() > 1);
  const bool keeps_steps = is_step && (holds || !is_outside);
  SurfaceJet jet = inside(x_in, y_in, keeps_steps, keeps_steps);
  if (holds) {
    if (dx != 0) jet.z_x = jet.z_xx = jet.z_xy = 0;
    if (dy != 0) jet.z_y = jet.z_yy = jet.z_xy = 0;
    return jet;
  }
  // Straight on, with the slope at the edge, which itself may vary along the edge.
  SurfaceJet result = jet;
  result.z = jet.z + jet.z_x * dx + jet.z_y * dy + jet.z_xy * dx * dy;
  result.z_x = jet.z_x + jet.z_xy * dy;
  result.z_y = jet.z_y + jet.z_xy * dx;
  if (dx != 0) result.z_xx = 0;
  if (dy != 0) result.z_yy = 0;
  return result;
}

}  // namespace alembert::modelica::tables
