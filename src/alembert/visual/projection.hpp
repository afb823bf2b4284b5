// SPDX-License-Identifier: Apache-2.0
// Stage: visual. From places in a scene to places on a picture. In: the bounds of a SceneMotion and
// the size of the picture. Out: pixels, how long a metre is there, and how far away it lies.
#pragma once

#include <array>

#include "alembert/visual/canvas.hpp"
#include "alembert/visual/scene_motion.hpp"

namespace alembert::visual {

using Vector = std::array<double, 3>;

struct Projected {
  Point at = {};
  double scale = 1;  ///< pixels a metre: the larger, the nearer
};

/// Seen along z, or by a camera that stands a little above and to the right of the front.
class Projection {
 public:
  Projection(const SceneMotion& motion, double width, double height);

  Projected operator()(const Vector& place) const;
  bool planar() const { return planar_; }
  /// Towards the viewer, of unit length.
  const Vector& view() const { return towards_; }
  /// The other two directions of the picture, and where a spatial view is seen from.
  const Vector& right() const { return right_; }
  const Vector& up() const { return up_; }
  const Vector& eye() const { return eye_; }

 private:
  bool planar_;
  double width_, height_;
  double scale_ = 1;     // planar: pixels a metre
  double distance_ = 1;  // spatial: of the camera
  double focal_ = 1;     // spatial: in pixels
  Vector centre_ = {}, right_ = {}, up_ = {}, towards_ = {}, eye_ = {};
};

namespace vectors {

inline Vector sum(const Vector& a, const Vector& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// Of unit length; `otherwise` where it has none.
Vector unit(const Vector& a, const Vector& otherwise);

/// Three directions at right angles: along `x`, nearest to `y_hint`, and across both.
struct Basis {
  Vector x, y, z;
};
Basis basis(const Vector& x, const Vector& y_hint);

}  // namespace vectors
}  // namespace alembert::visual
