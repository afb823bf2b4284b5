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
    if (distance <= tolerance) return reach_ <= tolerance;
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

// Of many points in a column no wider than the tolerance, the first, the lowest, the highest and
// the last show all there is to see (Jugel et al., VLDB 2014: M4). It keeps noise from being drawn
// stroke by stroke.
class ColumnThinner {
 public:
  explicit ColumnThinner(Simplifier& out) : out_(out) {}

  void add(Point p) {
    const double column = std::floor(p.x / tolerance);
    if (n_ == 0 || column != column_) {
      flush();
      column_ = column;
      first_ = low_ = high_ = p;
      low_at_ = high_at_ = 0;
    }
    if (p.y < low_.y) {
      low_ = p;
      low_at_ = n_;
    }
    if (p.y > high_.y) {
      high_ = p;
      high_at_ = n_;
    }
    last_ = p;
    ++n_;
  }

  void flush() {
    if (n_ == 0) return;
    out_.add(first_);
    const bool low_first = low_at_ < high_at_;
    if (low_at_ != high_at_) {
      out_.add(low_first ? low_ : high_);
      out_.add(low_first ? high_ : low_);
    }
    if (n_ > 1) out_.add(last_);
    n_ = 0;
  }

 private:
  Simplifier& out_;
  double column_ = 0;
  std::size_t n_ = 0, low_at_ = 0, high_at_ = 0;
  Point first_, low_, high_, last_;
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
    ColumnThinner thinner(simplifier);
    for (; i < n && shown(i); ++i) thinner.add(axes.to_page(x[i], y[i]));
    thinner.flush();
    simplifier.finish();
  }
  return pieces;
}

}  // namespace alembert::visual
