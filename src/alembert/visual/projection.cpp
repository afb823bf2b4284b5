// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/projection.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::visual {
namespace vectors {

Vector unit(const Vector& a, const Vector& otherwise) {
  const double length = std::sqrt(dot(a, a));
  if (!(length > 1e-12)) return otherwise;
  return {a[0] / length, a[1] / length, a[2] / length};
}

Basis basis(const Vector& x, const Vector& y_hint) {
  Basis b;
  b.x = unit(x, {1, 0, 0});
  const auto across = [&](const Vector& hint) { return cross(b.x, hint); };
  Vector z = across(y_hint);
  if (dot(z, z) < 1e-12) z = across({0, 1, 0});
  if (dot(z, z) < 1e-12) z = across({1, 0, 0});
  b.z = unit(z, {0, 0, 1});
  b.y = cross(b.z, b.x);
  return b;
}

}  // namespace vectors

Projection::Projection(const SceneMotion& motion, double width, double height)
    : planar_(motion.planar), width_(width), height_(height) {
  using namespace vectors;
  const double size = motion.size();
  for (std::size_t k = 0; k < 3; ++k) centre_[k] = (motion.low[k] + motion.high[k]) / 2;
  if (planar_) {
    const double w = (motion.high[0] - motion.low[0]) * 1.15 + 0.05 * size;
    const double h = (motion.high[1] - motion.low[1]) * 1.15 + 0.05 * size;
    scale_ = std::min(width / w, height / h);
    right_ = {1, 0, 0};
    up_ = {0, 1, 0};
    towards_ = {0, 0, 1};
    return;
  }
  const bool z_up = motion.up == flat::Scene::Up::z;
  towards_ = unit(z_up ? Vector{1, -1.6, 0.8} : Vector{1, 0.7, 1.7}, {0, 0, 1});
  right_ = unit(cross(z_up ? Vector{0, 0, 1} : Vector{0, 1, 0}, towards_), {1, 0, 0});
  up_ = cross(towards_, right_);
  focal_ = 1.35 * height;
  // As near as the corners of all that is ever in the picture allow.
  constexpr double filled = 0.42;  // of the width and the height, from the middle
  distance_ = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vector from;
    for (std::size_t k = 0; k < 3; ++k)
      from[k] = ((corner >> k & 1) != 0 ? motion.high[k] : motion.low[k]) - centre_[k];
    const double across = std::abs(dot(from, right_)) / (filled * width);
    const double upward = std::abs(dot(from, up_)) / (filled * height);
    distance_ = std::max(distance_, dot(from, towards_) + focal_ * std::max(across, upward));
  }
  distance_ = std::max(distance_, 0.5 * size);
  eye_ = sum(centre_, towards_, distance_);
}

Projected Projection::operator()(const Vector& place) const {
  using namespace vectors;
  const Vector from = sum(place, centre_, -1);
  const double x = dot(from, right_), y = dot(from, up_), towards = dot(from, towards_);
  const double scale = planar_ ? scale_ : focal_ / std::max(distance_ - towards, 0.05 * distance_);
  return {{width_ / 2 + scale * x, height_ / 2 - scale * y}, scale};
}

}  // namespace alembert::visual
