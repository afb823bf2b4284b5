// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, tables. Surfaces over a rectangular grid: bilinear, stepwise,
// or bicubic. In: a matrix whose first column and first row are the abscissae. Out: values and
// derivatives.
//
// Akima, Bivariate interpolation and smooth surface fitting based on local procedures, Algorithm
// 474 (1974).
#pragma once

#include <array>
#include <vector>

#include "alembert/frontend/modelica/evaluate/tables/curve.hpp"

namespace alembert::modelica::tables {

/// z with its derivatives by the first and second abscissa.
struct SurfaceJet {
  double z = 0;
  double z_x = 0;
  double z_y = 0;
  double z_xx = 0;
  double z_xy = 0;
  double z_yy = 0;
};

class Surface {
 public:
  Surface(Smoothness smoothness, Extrapolation extrapolation, const Matrix& matrix);

  SurfaceJet at(double x, double y) const;
  std::array<double, 2> minimum() const { return {x_.front(), y_.front()}; }
  std::array<double, 2> maximum() const { return {x_.back(), y_.back()}; }

 private:
  double z(std::size_t i, std::size_t j) const { return z_[i * y_.size() + j]; }
  void fit_slopes();
  /// On the grid; `steps_in_x`: constant along x within a cell.
  SurfaceJet inside(double x, double y, bool steps_in_x, bool steps_in_y) const;

  Smoothness smoothness_;
  Extrapolation extrapolation_;
  std::vector<double> x_;
  std::vector<double> y_;
  std::vector<double> z_;  // [n_x * n_y]
  // At the points, of a spline.
  std::vector<double> z_x_;
  std::vector<double> z_y_;
  std::vector<double> z_xy_;
};

}  // namespace alembert::modelica::tables
