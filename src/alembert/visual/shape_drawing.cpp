// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/shape_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace alembert::visual {
namespace {

using namespace vectors;
using Kind = flat::SceneShape::Kind;

class Outliner {
 public:
  Outliner(const MovingShape& shape, std::size_t frame, const Projection& project, double unit,
           bool dark, std::vector<DrawnShape>& drawn)
      : shape_(shape), frame_(frame), project_(project), unit_(unit), dark_(dark), drawn_(drawn) {
    at_ = place(shape.at);
    to_ = place(shape.to);
    width_ = shape.width.at(frame);
  }

  void run() {
    switch (shape_.kind) {
      case Kind::rod: bar(true); break;
      case Kind::cylinder: bar(false); break;
      case Kind::cone: cone(); break;
      case Kind::box: box(); break;
      case Kind::spring: spring(); break;
      case Kind::arrow: arrow(); break;
      case Kind::point: ball(8.4 * unit_); break;
      case Kind::sphere: ball(width_ / 2 * project_(at_).scale); break;
      case Kind::wheel: wheel(); break;
      case Kind::text: text(); break;
      case Kind::trace: break;  // drawn by the painter, which knows the past
    }
  }

 private:
  Vector place(const PlaceTrack& track) const {
    return {track[0].at(frame_), track[1].at(frame_), track[2].at(frame_)};
  }
  Vector side(const Vector& along) const {
    if (shape_.has_side) return place(shape_.side);
    return cross({0, 0, 1}, along);
  }

  DrawnShape& add(std::vector<Point> points) {
    drawn_.push_back({.points = std::move(points), .colour = shape_.colour});
    return drawn_.back();
  }

  void bar(bool round) {
    const Projected a = project_(at_), b = project_(to_);
    DrawnShape& line = add({a.at, b.at});
    line.width = std::max(width_ * a.scale, 1.5 * unit_);
    line.round = round;
  }

  void ball(double radius) { add({project_(at_).at}).radius = std::max(radius, 1.); }

  void cone() {
    const Basis b = basis(sum(to_, at_, -1), side(sum(to_, at_, -1)));
    std::vector<Point> hull;
    for (int k = 0; k < 24; ++k) {
      const double angle = 2 * std::numbers::pi * k / 24;
      hull.push_back(project_(sum(sum(at_, b.y, width_ / 2 * std::cos(angle)), b.z,
                                  width_ / 2 * std::sin(angle)))
                         .at);
    }
    hull.push_back(project_(to_).at);
    add(convex_hull(std::move(hull))).filled = true;
  }

  void box() {
    const Basis b = basis(sum(to_, at_, -1), side(sum(to_, at_, -1)));
    const auto corner = [&](const Vector& end, double y) {
      return project_(sum(end, b.y, y * width_ / 2)).at;
    };
    add({corner(at_, -1), corner(to_, -1), corner(to_, 1), corner(at_, 1)}).filled = true;
  }

  void spring() {
    const Vector along = sum(to_, at_, -1);
    const Basis b = basis(along, side(along));
    const double length = std::sqrt(dot(along, along));
    const int n = static_cast<int>(std::ceil(shape_.turns * 24));
    std::vector<Point> points = {project_(at_).at};
    for (int k = 0; k <= n; ++k) {
      const double share = static_cast<double>(k) / n;
      const double angle = 2 * std::numbers::pi * shape_.turns * share;
      Vector p = sum(at_, b.x, length * (0.06 + 0.88 * share));
      p = sum(p, b.y, width_ / 2 * std::sin(angle));
      p = sum(p, b.z, width_ / 2 * std::cos(angle));
      points.push_back(project_(p).at);
    }
    points.push_back(project_(to_).at);
    const Projected middle = project_(sum(at_, along, 0.5));
    DrawnShape& line = add(std::move(points));
    line.width = std::max(0.08 * width_ * middle.scale, 2 * unit_);
    line.round = true;
  }

  void arrow() {
    const Projected a = project_(at_), b = project_(sum(at_, to_));
    const double dx = b.at.x - a.at.x, dy = b.at.y - a.at.y, length = std::hypot(dx, dy);
    if (!(length > unit_)) return;
    const double thick = std::max(width_ * a.scale, 2 * unit_);
    const double head = std::min(length, 5 * thick);
    const double ux = dx / length, uy = dy / length;
    const Point neck = {b.at.x - head * ux, b.at.y - head * uy};
    add({a.at, neck}).width = thick;
    add({b.at,
         {neck.x - 1.6 * thick * uy, neck.y + 1.6 * thick * ux},
         {neck.x + 1.6 * thick * uy, neck.y - 1.6 * thick * ux}})
        .filled = true;
  }

  void wheel() {
    const Vector axis = unit(place(shape_.axis), {0, 0, 1});
    Vector spoke = shape_.has_side ? place(shape_.side) : Vector{1, 0, 0};
    spoke = sum(spoke, axis, -dot(spoke, axis));
    if (dot(spoke, spoke) < 1e-12) spoke = sum({0, 1, 0}, axis, -axis[1]);
    spoke = unit(spoke, {0, 1, 0});
    const Vector across = cross(axis, spoke);
    const double half = shape_.height.at(frame_) / 2, radius = width_ / 2;
    const double front = dot(axis, project_.view()) >= 0 ? 1 : -1;
    std::vector<Point> all, face;
    for (int k = 0; k < 48; ++k) {
      const double angle = 2 * std::numbers::pi * k / 48;
      const Vector rim =
          sum(sum(at_, spoke, radius * std::cos(angle)), across, radius * std::sin(angle));
      face.push_back(project_(sum(rim, axis, front * half)).at);
      all.push_back(face.back());
      all.push_back(project_(sum(rim, axis, -front * half)).at);
    }
    const Projected centre = project_(at_);
    DrawnShape& tyre = add(convex_hull(std::move(all)));
    tyre.filled = true;
    tyre.colour = mix(shape_.colour, palette::black, dark_ ? 0.2 : 0.35);
    DrawnShape& disc = add(std::move(face));
    disc.filled = true;
    const Vector middle = sum(at_, axis, front * half);
    for (const Vector& direction : {spoke, across}) {
      DrawnShape& line = add({project_(sum(middle, direction, -0.85 * radius)).at,
                              project_(sum(middle, direction, 0.85 * radius)).at});
      line.width = std::max(0.06 * width_ * centre.scale, unit_);
      line.colour = mix(shape_.colour, palette::white, 0.6);
    }
  }

  void text() {
    std::string words;
    for (const auto& part : shape_.label) {
      if (const auto* plain = std::get_if<std::string>(&part)) {
        words += *plain;
        continue;
      }
      char number[40];
      std::snprintf(number, sizeof number, "%.3g", std::get<Track>(part).at(frame_));
      words += number;
    }
    if (words.empty()) return;
    const Projected p = project_(at_);
    DrawnShape& label = add({{p.at.x + 10 * unit_, p.at.y + 9 * unit_}});
    label.text = std::move(words);
    label.width = 26 * unit_;
    if (dark_) label.colour = mix(shape_.colour, palette::white, 0.4);
  }

  static std::vector<Point> convex_hull(std::vector<Point> points) {
    std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
      return a.x < b.x || (a.x == b.x && a.y < b.y);
    });
    std::vector<Point> hull;
    const auto turn = [](const Point& o, const Point& a, const Point& b) {
      return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
    };
    const auto half = [&](auto begin, auto end) {
      const std::size_t base = hull.size();
      for (auto p = begin; p != end; ++p) {
        while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), *p) <= 0)
          hull.pop_back();
        hull.push_back(*p);
      }
      hull.pop_back();
    };
    half(points.begin(), points.end());
    half(points.rbegin(), points.rend());
    return hull;
  }

  const MovingShape& shape_;
  std::size_t frame_;
  const Projection& project_;
  double unit_;
  bool dark_;
  std::vector<DrawnShape>& drawn_;
  Vector at_, to_;
  double width_;
};

}  // namespace

void outline(const MovingShape& shape, std::size_t frame, const Projection& project, double unit,
             bool dark, std::vector<DrawnShape>& drawn) {
  Outliner(shape, frame, project, unit, dark, drawn).run();
}

}  // namespace alembert::visual
