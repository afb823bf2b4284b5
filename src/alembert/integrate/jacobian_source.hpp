// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for implicit steppers. df/dy and df/dt at a point: the system's own, or
// differences where it has none, or none with a value at the point, or is far from them where it is
// doubtful; these with a pattern take one call a group of columns that no row meets twice
// (Curtis, Powell and Reid 1974). In: a point with its f. Out: values, dense column-major or in the
// order of the system's pattern.
#pragma once

#include <vector>

#include "alembert/integrate/counted_system.hpp"

namespace alembert::integrate {

class JacobianSource {
 public:
  explicit JacobianSource(const OdeSystem& system);

  struct Point {
    double t;
    const double* y;  // [n]
    const double* f;  // [n]: f(t, y)
    double h;         ///< the step it is for: sets the least increments
  };

  /// dfdt may be null where it is not wanted. False where f has no value near the point.
  bool evaluate(CountedSystem& system, const Point& point, const Tolerances& tolerances,
                double* dfdy, double* dfdt);

  std::size_t n_values() const { return n_values_; }

 private:
  void prepare_differences(const OdeSystem& system);
  bool is_extreme(const OdeSystem& system, const Point& point, const double* dfdy) const;
  /// How far differences go: above rounding, or as far as the tolerance.
  enum class Reach { rounding, tolerance };
  bool agrees(CountedSystem& system, const Point& point, const Tolerances& tolerances, Reach reach,
              const double* dfdy);
  bool take_differences(CountedSystem& system, const Point& point, const Tolerances& tolerances,
                        Reach reach, double* dfdy);
  bool difference_in_time(CountedSystem& system, const Point& point, double* dfdt);

  std::size_t n_values_;
  std::vector<std::uint32_t> group_start_;                         // [n_groups + 1]; of differences
  std::vector<std::uint32_t> group_column_;                        // columns, group by group
  std::vector<double> y_near_, f_near_, dfdt_, delta_, expected_;  // each [n]
};

}  // namespace alembert::integrate
