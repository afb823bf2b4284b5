// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/scene_motion.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"

namespace alembert::visual {
namespace {

using flat::Quantity;
using flat::SceneShape;
using Kind = SceneShape::Kind;

constexpr Colour neutral = palette::rgb(118, 126, 138);  // readable on light and on dark

/// 1, 2 or 5 times a power of ten, not above the value.
double round_down(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}

/// What a person can follow: the model's own clock where a run takes seconds or a minute.
double comfortable_speed(double duration) {
  if (!(duration > 0) || (duration >= 2 && duration <= 60)) return 1;
  return round_down(duration / 12);
}

/// Values of one run on the times of the frames.
class Sampler {
 public:
  Sampler(const SceneRun& run, const SceneMotion& motion) : run_(run), motion_(motion) {}

  Track track(const Quantity& quantity) {
    if (quantity.expression.empty()) return Track(quantity.number);
    const auto known = tracks_.find(quantity.expression);
    if (known != tracks_.end()) return known->second;
    const auto values =
        result::evaluate_formula(quantity.expression, *run_.trajectory, run_.constants);
    return tracks_.emplace(quantity.expression, sampled(values)).first->second;
  }

  PlaceTrack place(const flat::ScenePlace& place) {
    return {track(place.x), track(place.y), track(place.z)};
  }

 private:
  Track sampled(const std::vector<double>& values) const {
    const auto& times = run_.trajectory->times();
    std::vector<double> frames(motion_.n_frames);
    double last = 0;  // in place of what is not finite
    std::size_t row = 0;
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const double time = motion_.start + static_cast<double>(k) * motion_.step;
      while (row + 1 < times.size() && times[row + 1] <= time) ++row;
      double value = values[row];
      if (row + 1 < times.size() && time > times[row])
        value +=
            (time - times[row]) / (times[row + 1] - times[row]) * (values[row + 1] - values[row]);
      frames[k] = last = std::isfinite(value) ? value : last;
    }
    const bool constant = std::all_of(frames.begin(), frames.end(),
                                      [&](double value) { return value == frames.front(); });
    return constant ? Track(frames.front()) : Track(std::move(frames));
  }

  const SceneRun& run_;
  const SceneMotion& motion_;
  std::map<std::string, Track, std::less<>> tracks_;
};

bool stretches(Kind kind) {
  return kind == Kind::rod || kind == Kind::box || kind == Kind::cylinder || kind == Kind::cone ||
         kind == Kind::spring;
}

std::vector<std::variant<std::string, Track>> label_parts(const std::string& label,
                                                          Sampler& sampler) {
  std::vector<std::variant<std::string, Track>> parts;
  std::size_t at = 0;
  while (at < label.size()) {
    const std::size_t open = label.find('{', at);
    const std::size_t close = open == label.npos ? label.npos : label.find('}', open);
    if (close == label.npos) break;
    if (open > at) parts.emplace_back(label.substr(at, open - at));
    parts.emplace_back(sampler.track(label.substr(open + 1, close - open - 1)));
    at = close + 1;
  }
  if (at < label.size()) parts.emplace_back(label.substr(at));
  return parts;
}

/// Colours for shapes without one. What follows the same point has the same colour.
class Colours {
 public:
  Colours(std::size_t system, std::size_t n_systems) : system_(system), n_systems_(n_systems) {}

  Colour of(const SceneShape& shape, Sampler& sampler) {
    const auto part = [&](const Quantity& share) {
      return std::clamp(sampler.track(share).at(0), 0., 1.);
    };
    if (shape.colour)
      return {part(shape.colour->red), part(shape.colour->green), part(shape.colour->blue)};
    if (n_systems_ > 1) return by_system();
    if (stretches(shape.kind) || shape.kind == Kind::text || shape.kind == Kind::wheel)
      return neutral;
    const auto key = [](const Quantity& q) {
      return q.expression.empty() ? std::to_string(q.number) : q.expression;
    };
    const std::string place = key(shape.at.x) + ';' + key(shape.at.y) + ';' + key(shape.at.z);
    const auto [found, is_new] = by_place_.emplace(place, next_);
    if (is_new) ++next_;
    return palette::series[found->second % palette::series.size()];
  }

 private:
  /// Around the circle of hues, all of the same lightness.
  Colour by_system() const {
    const double hue = static_cast<double>(system_) / static_cast<double>(n_systems_);
    const auto wave = [&](double shift) {
      return 0.5 + 0.38 * std::cos(2 * 3.14159265358979 * (hue - shift));
    };
    return {wave(0), wave(1. / 3), wave(2. / 3)};
  }

  std::size_t system_, n_systems_;
  std::map<std::string, std::size_t> by_place_;
  std::size_t next_ = 0;
};

MovingShape moving_shape(const SceneShape& shape, Sampler& sampler, Colours& colours) {
  MovingShape moving{.kind = shape.kind, .name = shape.name};
  moving.at = sampler.place(shape.at);
  moving.to = sampler.place(shape.to);
  if (shape.kind == Kind::arrow && shape.scale != 1)
    for (Track& part : moving.to) {
      std::vector<double> values = part.values();
      for (double& value : values) value *= shape.scale;
      part = Track(std::move(values));
    }
  moving.has_side = shape.side.has_value();
  if (shape.side) moving.side = sampler.place(*shape.side);
  moving.axis = sampler.place(shape.axis);
  moving.width = sampler.track(shape.width);
  moving.height = sampler.track(shape.height);
  moving.turns = std::isfinite(shape.turns) ? std::clamp(shape.turns, 1., 100.) : 8;
  moving.seconds = shape.seconds;
  moving.label = label_parts(shape.label, sampler);
  moving.colour = colours.of(shape, sampler);
  return moving;
}

bool lies_in_a_plane(const SceneMotion& motion) {
  const double plane = motion.systems[0].empty() ? 0 : motion.systems[0][0].at[2].at(0);
  for (const auto& shapes : motion.systems)
    for (const MovingShape& shape : shapes) {
      const bool is_vector = shape.kind == Kind::arrow;
      if (!shape.at[2].is_constant() || shape.at[2].at(0) != plane) return false;
      if ((stretches(shape.kind) || is_vector) &&
          (!shape.to[2].is_constant() || shape.to[2].at(0) != (is_vector ? 0 : plane)))
        return false;
    }
  return true;
}

void find_bounds(SceneMotion& motion) {
  motion.low.fill(infinity);
  motion.high.fill(-infinity);
  const auto take = [&](std::size_t axis, double value, double around) {
    motion.low[axis] = std::min(motion.low[axis], value - around);
    motion.high[axis] = std::max(motion.high[axis], value + around);
  };
  for (const auto& shapes : motion.systems)
    for (const MovingShape& shape : shapes)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool has_end = stretches(shape.kind) || shape.kind == Kind::arrow;
        const bool all_still = shape.at[axis].is_constant() && shape.to[axis].is_constant() &&
                               shape.width.is_constant();
        const std::size_t n = all_still ? 1 : motion.n_frames;
        for (std::size_t k = 0; k < n; ++k) {
          const double at = shape.at[axis].at(k), around = shape.width.at(k) / 2;
          take(axis, at, around);
          if (!has_end) continue;
          const double end = shape.to[axis].at(k);
          take(axis, shape.kind == Kind::arrow ? at + end : end, around);
        }
      }
}

double natural_width(Kind kind) {  // as a share of the scene's size
  switch (kind) {
    case Kind::rod: return 0.014;
    case Kind::box: return 0.05;
    case Kind::cylinder: return 0.03;
    case Kind::cone: return 0.05;
    case Kind::spring: return 0.06;
    case Kind::arrow: return 0.01;
    case Kind::sphere: return 0.06;
    case Kind::wheel: return 0.12;
    default: return 0;
  }
}

bool is_zero(const Track& track) { return track.is_constant() && track.at(0) == 0; }

void fill_in_sizes(SceneMotion& motion) {
  const double size = motion.size();
  for (auto& shapes : motion.systems)
    for (MovingShape& shape : shapes) {
      if (is_zero(shape.width)) shape.width = Track(natural_width(shape.kind) * size);
      if (!is_zero(shape.height)) continue;
      if (shape.kind == Kind::wheel) {
        std::vector<double> quarter = shape.width.values();
        for (double& value : quarter) value /= 4;
        shape.height = Track(std::move(quarter));
      } else {
        shape.height = shape.width;
      }
    }
}

/// Start, step and number of frames, so that all runs are covered.
void choose_frames(SceneMotion& motion, const std::vector<SceneRun>& runs,
                   const MotionOptions& options) {
  motion.start = infinity;
  double stop = -motion.start;
  for (const SceneRun& run : runs) {
    if (run.trajectory->n_rows() == 0)
      throw Error("R012", "the result has no rows: there is nothing to animate.");
    motion.start = std::min(motion.start, run.trajectory->times().front());
    stop = std::max(stop, run.trajectory->times().back());
  }
  const double duration = stop - motion.start;
  if (!std::isfinite(duration))
    throw Error("R012", "the times of the result are not finite: it cannot be animated.");
  motion.speed = options.speed > 0 ? options.speed : comfortable_speed(duration);
  motion.step = motion.speed / options.frames_per_second;
  const double n = std::floor(duration / motion.step + 1e-9) + 1;
  motion.n_frames = static_cast<std::size_t>(
      std::min(n, static_cast<double>(std::max<std::size_t>(2, options.most_frames))));
  if (n > static_cast<double>(motion.n_frames))
    motion.step = duration / static_cast<double>(motion.n_frames - 1);
}

}  // namespace

double SceneMotion::size() const {
  double largest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) largest = std::max(largest, high[axis] - low[axis]);
  return largest > 0 && std::isfinite(largest) ? largest : 1;
}

SceneMotion move_scene(const flat::Scene& scene, const std::vector<SceneRun>& runs,
                       const MotionOptions& options) {
  if (scene.shapes.empty())
    throw Error("R012", "the scene has no shapes: there is nothing to show.");
  if (runs.empty()) throw Error("R012", "there is no run to animate.");
  SceneMotion motion{.title = scene.title, .up = scene.up};
  choose_frames(motion, runs, options);
  for (std::size_t system = 0; system < runs.size(); ++system) {
    Sampler sampler(runs[system], motion);
    Colours colours(system, runs.size());
    std::vector<MovingShape> shapes;
    for (const SceneShape& shape : scene.shapes)
      shapes.push_back(moving_shape(shape, sampler, colours));
    motion.systems.push_back(std::move(shapes));
  }
  find_bounds(motion);
  fill_in_sizes(motion);
  motion.planar = scene.view == flat::Scene::View::planar ||
                  (scene.view == flat::Scene::View::automatic && lies_in_a_plane(motion));
  return motion;
}

}  // namespace alembert::visual
