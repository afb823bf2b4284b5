// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, tables. Curves through given points: for each column of a
// table a polynomial of degree three at most on every interval of the abscissa. In: points. Out:
// values and derivatives. Pure; knows nothing of Modelica.
//
// Akima, A new method of interpolation and smooth curve fitting (1970); Fritsch and Butland, A
// method for constructing local monotone piecewise cubic interpolants (1984); Steffen, A simple
// method for monotonic interpolation in one dimension (1990).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace alembert::modelica::tables {

/// As the standard library counts them.
enum class Smoothness {
  linear = 1,
  akima,
  constant,
  fritsch_butland,
  steffen,
  modified_akima,
};

enum class Extrapolation { hold = 1, last_two_points, periodic, none };

struct Matrix {
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<double> entries;  // [n_rows * n_columns], row by row

  double operator()(std::size_t row, std::size_t column) const {
    return entries[row * n_columns + column];
  }
};

/// y and its derivatives by the abscissa.
struct Jet {
  double value = 0;
  double first = 0;
  double second = 0;
};

/// True for the kinds whose first derivative is continuous: the abscissa must be strictly
/// increasing.
bool is_spline(Smoothness smoothness);

/// Slopes at the points, of a spline.
std::vector<double> spline_slopes(Smoothness smoothness, std::span<const double> x,
                                  std::span<const double> y);
/// The weights of the two neighbouring differences in Akima's slope at each point: [2 * n].
std::vector<double> akima_weights(bool is_modified, std::span<const double> differences);
/// Differences (y[i+1] - y[i]) / (x[i+1] - x[i]) with two more at each end, continued linearly.
std::vector<double> extended_differences(std::span<const double> x, std::span<const double> y);

class Curve {
 public:
  /// x is increasing (the same point twice is a jump), at least one point.
  Curve(Smoothness smoothness, Extrapolation extrapolation, std::vector<double> x,
        std::vector<double> y);

  /// At a jump, the value to the right of it.
  Jet at(double u) const;
  /// On the piece that ends at the point `end`, or at the first one after it, continued as far as
  /// u.
  Jet before(double u, double end) const;

 private:
  Jet on_piece(std::size_t piece, double u) const;
  Jet beyond(double u) const;

  Smoothness smoothness_;
  Extrapolation extrapolation_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> slope_;  // at the left of each piece, [n - 1]
  std::vector<double> quadratic_;
  std::vector<double> cubic_;
};

}  // namespace alembert::modelica::tables
