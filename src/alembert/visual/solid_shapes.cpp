// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/solid_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace alembert::visual {
namespace {

using namespace vectors;
using Kind = flat::SceneShape::Kind;

const Vector light = unit({0.35, 0.75, 0.56}, {0, 0, 1});
constexpr double turn = 2 * std::numbers::pi;

struct SurfacePoint {
  Vector at, normal;
};

class SolidBuilder {
 public:
  SolidBuilder(const MovingShape& shape, std::size_t frame, const Projection& project, double unit,
               bool dark, DepthRaster& raster)
      : shape_(shape), frame_(frame), project_(project), unit_(unit), dark_(dark), raster_(raster) {
    at_ = place(shape.at);
    to_ = place(shape.to);
    width_ = shape.width.at(frame);
  }

  void run() {
    switch (shape_.kind) {
      case Kind::rod: rod(); break;
      case Kind::cylinder: cylinder(at_, to_, seen_width(1.5) / 2, shape_.colour); break;
      case Kind::cone: cone(at_, to_, width_ / 2, shape_.colour); break;
      case Kind::box: box(); break;
      case Kind::spring: spring(); break;
      case Kind::arrow: arrow(); break;
      case Kind::point: dot_at(at_, 8.4 * unit_); break;
      case Kind::sphere: ball(at_, width_ / 2); break;
      case Kind::wheel: wheel(); break;
      case Kind::text:
      case Kind::trace: break;
    }
  }

 private:
  Vector place(const PlaceTrack& track) const {
    return {track[0].at(frame_), track[1].at(frame_), track[2].at(frame_)};
  }
  Vector side(const Vector& along) const {
    return shape_.has_side ? place(shape_.side) : cross({0, 0, 1}, along);
  }
  /// At least so many pixels of a picture 1080 high.
  double seen_width(double pixels) const {
    return std::max(width_, pixels * unit_ / project_(at_).scale);
  }

  RasterCorner corner(const SurfacePoint& p, const Colour& colour) const {
    const Projected seen = project_(p.at);
    return {seen.at.x, seen.at.y, seen.scale, lit(colour, dot(p.normal, light))};
  }
  bool looks_away(const SurfacePoint& p) const {
    return dot(p.normal, sum(project_.eye(), p.at, -1)) < 0;
  }

  void triangle(const SurfacePoint& a, const SurfacePoint& b, const SurfacePoint& c,
                const Colour& colour) {
    if (looks_away(a) && looks_away(b) && looks_away(c)) return;
    raster_.triangle(corner(a, colour), corner(b, colour), corner(c, colour));
  }
  void quad(const SurfacePoint& a, const SurfacePoint& b, const SurfacePoint& c,
            const SurfacePoint& d, const Colour& colour) {
    triangle(a, b, c, colour);
    triangle(a, c, d, colour);
  }

  /// Corners of a round section are as close as a few pixels, within reason.
  int n_sides(double radius) const {
    const double rim = turn * radius * project_(at_).scale / (5 * unit_);
    return static_cast<int>(std::clamp(rim, 12., 96.));
  }

  void ball(const Vector& centre, double radius) {
    const Projected seen = project_(centre);
    const double nearer = project_(sum(centre, project_.view(), radius)).scale;
    raster_.ball({.x = seen.at.x,
                  .y = seen.at.y,
                  .radius = std::max(radius * seen.scale, 1.),
                  .nearness = seen.scale,
                  .depth = nearer - seen.scale,
                  .colour = shape_.colour,
                  .light = {dot(light, project_.right()), dot(light, project_.up()),
                            dot(light, project_.view())}});
  }

  void dot_at(const Vector& centre, double pixels) {
    const Projected seen = project_(centre);
    const double nearer = project_(sum(centre, project_.view(), pixels / seen.scale)).scale;
    raster_.ball({.x = seen.at.x,
                  .y = seen.at.y,
                  .radius = pixels,
                  .nearness = seen.scale,
                  .depth = nearer - seen.scale,
                  .colour = shape_.colour,
                  .shaded = false});
  }

  /// A round surface about the line from a to b, of these radii at its ends.
  void lathe(const Vector& a, const Vector& b, double radius_a, double radius_b,
             const Colour& colour) {
    const Vector along = sum(b, a, -1);
    const double length = std::sqrt(dot(along, along));
    if (!(length > 0)) return;
    const Basis axes = basis(along, side(along));
    const int n = n_sides(std::max(radius_a, radius_b));
    const auto point = [&](int k, bool end) {
      const double angle = turn * k / n;
      Vector out{};
      out = sum(sum(out, axes.y, std::cos(angle)), axes.z, std::sin(angle));
      const Vector normal = unit(sum(out, axes.x, (radius_a - radius_b) / length), out);
      return SurfacePoint{sum(end ? b : a, out, end ? radius_b : radius_a), normal};
    };
    for (int k = 0; k < n; ++k)
      quad(point(k, false), point(k + 1, false), point(k + 1, true), point(k, true), colour);
  }

  void disc(const Vector& centre, const Vector& normal, double radius, const Colour& colour) {
    const Basis axes = basis(normal, side(normal));
    const int n = n_sides(radius);
    const auto point = [&](int k) {
      const double angle = turn * k / n;
      return SurfacePoint{
          sum(sum(centre, axes.y, radius * std::cos(angle)), axes.z, radius * std::sin(angle)),
          normal};
    };
    for (int k = 0; k < n; ++k) triangle({centre, normal}, point(k), point(k + 1), colour);
  }

  void cylinder(const Vector& a, const Vector& b, double radius, const Colour& colour) {
    const Vector along = unit(sum(b, a, -1), {1, 0, 0});
    lathe(a, b, radius, radius, colour);
    disc(a, {-along[0], -along[1], -along[2]}, radius, colour);
    disc(b, along, radius, colour);
  }

  void rod() {
    const double radius = seen_width(1.5) / 2;
    lathe(at_, to_, radius, radius, shape_.colour);
    ball(at_, radius);
    ball(to_, radius);
  }

  void cone(const Vector& base, const Vector& tip, double radius, const Colour& colour) {
    const Vector along = unit(sum(tip, base, -1), {1, 0, 0});
    lathe(base, tip, radius, 0, colour);
    disc(base, {-along[0], -along[1], -along[2]}, radius, colour);
  }

  void arrow() {
    const double length = std::sqrt(dot(to_, to_)), scale = project_(at_).scale;
    if (!(length * scale > unit_)) return;
    const double thick = seen_width(3), head = std::min(length, 5 * thick);
    const Vector tip = sum(at_, to_), neck = sum(tip, to_, -head / length);
    if (head < length) cylinder(at_, neck, thick / 2, shape_.colour);
    cone(neck, tip, 1.6 * thick, shape_.colour);
  }

  void box() {
    const Vector along = sum(to_, at_, -1);
    const Basis b = basis(along, side(along));
    const double half_width = width_ / 2, half_height = shape_.height.at(frame_) / 2;
    const auto point = [&](int end, int y, int z, const Vector& normal, double sign) {
      return SurfacePoint{sum(sum(end == 0 ? at_ : to_, b.y, y * half_width), b.z, z * half_height),
                          {sign * normal[0], sign * normal[1], sign * normal[2]}};
    };
    for (const int s : {-1, 1}) {
      const int end = s > 0 ? 1 : 0;
      quad(point(end, -1, -1, b.x, s), point(end, 1, -1, b.x, s), point(end, 1, 1, b.x, s),
           point(end, -1, 1, b.x, s), shape_.colour);
      quad(point(0, s, -1, b.y, s), point(1, s, -1, b.y, s), point(1, s, 1, b.y, s),
           point(0, s, 1, b.y, s), shape_.colour);
      quad(point(0, -1, s, b.z, s), point(1, -1, s, b.z, s), point(1, 1, s, b.z, s),
           point(0, 1, s, b.z, s), shape_.colour);
    }
  }

  /// A wire that winds about the line from end to end.
  void spring() {
    const Vector along = sum(to_, at_, -1);
    const Basis axes = basis(along, side(along));
    const double length = std::sqrt(dot(along, along));
    const int n = static_cast<int>(std::ceil(shape_.turns * 24));
    std::vector<Vector> path = {at_};
    for (int k = 0; k <= n; ++k) {
      const double share = static_cast<double>(k) / n, angle = turn * shape_.turns * share;
      Vector p = sum(at_, axes.x, length * (0.06 + 0.88 * share));
      p = sum(p, axes.y, width_ / 2 * std::sin(angle));
      path.push_back(sum(p, axes.z, width_ / 2 * std::cos(angle)));
    }
    path.push_back(to_);
    tube(path, std::max(0.04 * width_, 1.5 * unit_ / project_(at_).scale));
  }

  void tube(const std::vector<Vector>& path, double radius) {
    constexpr int n = 8;
    std::vector<SurfacePoint> before(n), here(n);
    Vector hint = {0.31, 0.53, 0.79};  // the section turns as little as it can
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Vector along =
          sum(path[std::min(i + 1, path.size() - 1)], path[i == 0 ? 0 : i - 1], -1);
      const Basis axes = basis(along, hint);
      hint = axes.y;
      for (int k = 0; k < n; ++k) {
        Vector out{};
        out = sum(sum(out, axes.y, std::cos(turn * k / n)), axes.z, std::sin(turn * k / n));
        here[static_cast<std::size_t>(k)] = {sum(path[i], out, radius), out};
      }
      for (std::size_t k = 0; k < n && i > 0; ++k)
        quad(before[k], before[(k + 1) % n], here[(k + 1) % n], here[k], shape_.colour);
      before.swap(here);
    }
  }

  void wheel() {
    const Vector axis = unit(place(shape_.axis), {0, 0, 1});
    Vector spoke = shape_.has_side ? place(shape_.side) : Vector{1, 0, 0};
    spoke = unit(sum(spoke, axis, -dot(spoke, axis)), basis(axis, {0, 1, 0}).y);
    const Vector across = cross(axis, spoke);
    const double half = shape_.height.at(frame_) / 2, radius = width_ / 2;
    const Vector left = sum(at_, axis, -half), right = sum(at_, axis, half);
    const Colour tyre = mix(shape_.colour, palette::black, dark_ ? 0.2 : 0.35);
    lathe(left, right, radius, radius, tyre);
    for (const double s : {-1., 1.}) {
      const Vector normal = {s * axis[0], s * axis[1], s * axis[2]};
      const Vector& middle = s < 0 ? left : right;
      disc(middle, normal, radius, shape_.colour);
      const double wide = std::max(0.03 * width_, 0.5 * unit_ / project_(at_).scale);
      for (const auto& [direction, other] : {std::pair{spoke, across}, std::pair{across, spoke}}) {
        const Vector face = sum(middle, normal, 0.02 * half + 1e-4 * radius);
        const auto point = [&](double u, double v) {
          return SurfacePoint{sum(sum(face, direction, u * 0.85 * radius), other, v * wide),
                              normal};
        };
        quad(point(-1, -1), point(1, -1), point(1, 1), point(-1, 1),
             mix(shape_.colour, palette::white, 0.6));
      }
    }
  }

  const MovingShape& shape_;
  std::size_t frame_;
  const Projection& project_;
  double unit_;
  bool dark_;
  DepthRaster& raster_;
  Vector at_, to_;
  double width_;
};

}  // namespace

void add_solid(const MovingShape& shape, std::size_t frame, const Projection& project, double unit,
               bool dark, DepthRaster& raster) {
  SolidBuilder(shape, frame, project, unit, dark, raster).run();
}

void add_line(std::span<const Projected> points, std::span<const Colour> colours, double thickness,
              DepthRaster& raster) {
  RasterCorner before[2], here[2];
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& next = points[std::min(i + 1, points.size() - 1)].at;
    const Point& last = points[i == 0 ? 0 : i - 1].at;
    const double dx = next.x - last.x, dy = next.y - last.y, length = std::hypot(dx, dy);
    if (!(length > 1e-6) && i > 0) {  // it stands still: the same edge again
      continue;
    }
    const double nx = length > 0 ? -dy / length * thickness / 2 : 0;
    const double ny = length > 0 ? dx / length * thickness / 2 : thickness / 2;
    const Projected& p = points[i];
    here[0] = {p.at.x + nx, p.at.y + ny, p.scale, colours[i]};
    here[1] = {p.at.x - nx, p.at.y - ny, p.scale, colours[i]};
    if (i > 0) {
      raster.triangle(before[0], before[1], here[1]);
      raster.triangle(before[0], here[1], here[0]);
    }
    before[0] = here[0];
    before[1] = here[1];
  }
}

}  // namespace alembert::visual
