// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/visible_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace alembert::visual {
namespace {

constexpr double tolerance = 0.04;  // points: a fiftieth of a millimetre is 0.06

// Places are rounded to what Cairo writes with few digits: files are small and do not depend on the
// last bit of a sine.
double rounded(double coordinate) { return std::round(coordinate * 16) / 16; }

// The path since the last point kept, as long as one straight piece can stand for it.
class Simplifier {
 public:
  explicit Simplifier(std::vector<Point>& path) : path_(path) {}

  void add(Point p) {
    if (path_.empty()) {
      keep(p);
      return;
    }
    if (!extend(p)) {
      keep(last_);
      extend(p);
    }
    last_ = p;
    pending_ = true;
  }

  void finish() {
    if (pending_) keep(last_);
  }

 private:
  void keep(Point p) {
    path_.push_back({rounded(p.x), rounded(p.y)});
    anchor_ = last_ = p;
    reach_ = 0;
    pending_ = false;
  }

  // False if a straight piece from the anchor to p would miss a point left out, or hide a turning
  // back.
  bool extend(Point p) {
    const double distance = std::hypot(p.x - anchor_.x, p.y - anchor_.y);
    if (distance <= tolerance) return reach_ <= 2 * tolerance;
    const double angle = std::atan2(p.y - anchor_.y, p.x - anchor_.x);
    const double half = distance > tolerance ? std::asin(tolerance / distance) : std::numbers::pi;
    if (reach_ == 0) {
      direction_ = angle;
      low_ = -half;
      high_ = half;
    } else {
      const double turn = std::remainder(angle - direction_, 2 * std::numbers::pi);
      if (turn < low_ || turn > high_ || distance < reach_ - tolerance) return false;
      low_ = std::max(low_, turn - half);
      high_ = std::min(high_, turn + half);
    }
    reach_ = std::max(reach_, distance);
    return true;
  }

  std::vector<Point>& path_;
  Point anchor_, last_;
  bool pending_ = false;  // last_ is not in the path yet
  double reach_ = 0;      // the farthest point left out, from the anchor; 0: no direction yet
  double direction_ = 0, low_ = 0, high_ = 0;  // the cone, relative to its first direction
};

}  // namespace

std::vector<std::vector<Point>> visible_path(const Axes& axes, const std::vector<double>& x,
                                             const std::vector<double>& y) {
  std::vector<std::vector<Point>> pieces;
  const std::size_t n = std::min(x.size(), y.size());
  const auto shown = [&](std::size_t i) { return axes.x.shows(x[i]) && axes.y.shows(y[i]); };
  for (std::size_t i = 0; i < n;) {
    if (!shown(i)) {
      ++i;
      continue;
    }
    Simplifier simplifier(pieces.emplace_back());
    for (; i < n && shown(i); ++i) simplifier.add(axes.to_page(x[i], y[i]));
    simplifier.finish();
  }
  return pieces;
}

}  // namespace alembert::visual
