// SPDX-License-Identifier: Apache-2.0
// Stage: visual. A scene in motion: every shape with numbers for every frame. In: a Scene, results
// of one or many runs of its model, values of parameters. Out: SceneMotion, which the page and the
// video draw from; frames are equidistant, sizes and colours that nobody gave are filled in.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "alembert/flat/scene.hpp"
#include "alembert/result/formula.hpp"
#include "alembert/result/trajectory.hpp"
#include "alembert/visual/palette.hpp"

namespace alembert::visual {

/// One number for all frames, or one for each.
class Track {
 public:
  Track(double constant = 0)  // NOLINT: a number is a track that stands still
      : values_(std::make_shared<const std::vector<double>>(1, constant)) {}
  explicit Track(std::vector<double> values)
      : values_(std::make_shared<const std::vector<double>>(std::move(values))) {}

  bool is_constant() const { return values_->size() == 1; }
  double at(std::size_t frame) const {
    return is_constant() ? values_->front() : (*values_)[frame];
  }
  const std::vector<double>& values() const { return *values_; }

 private:
  std::shared_ptr<const std::vector<double>> values_;  // shared by the shapes that use it
};

using PlaceTrack = std::array<Track, 3>;

struct MovingShape {
  flat::SceneShape::Kind kind = flat::SceneShape::Kind::point;
  std::string name = {};
  PlaceTrack at = {}, to = {};  ///< `to` of an arrow: its vector, scaled
  bool has_side = false;
  PlaceTrack side = {}, axis = {};
  Track width = {}, height = {};
  double turns = 8;
  double seconds = 0;
  std::vector<std::variant<std::string, Track>> label = {};
  Colour colour = {};
};

struct SceneMotion {
  std::string title = {};
  bool planar = true;
  flat::Scene::Up up = flat::Scene::Up::y;
  double start = 0;  ///< time of the first frame
  double step = 1;   ///< of time, from frame to frame
  std::size_t n_frames = 0;
  double speed = 1;                                    ///< model seconds in a second of the clock
  std::array<double, 3> low = {}, high = {};           ///< all that is ever in the picture
  std::vector<std::vector<MovingShape>> systems = {};  ///< one a run

  double size() const;
};

/// A run of the model whose scene it is.
struct SceneRun {
  const result::Trajectory* trajectory = nullptr;
  result::NamedConstants constants = {};  ///< parameters
};

struct MotionOptions {
  double frames_per_second = 60;
  double speed = 0;  ///< 0: as fast as the model's clock, or what can be followed
  std::size_t most_frames = 20'000;
};

/// Error R012 for a scene without shapes or a run without rows; R004 and R011 as of
/// evaluate_formula.
SceneMotion move_scene(const flat::Scene& scene, const std::vector<SceneRun>& runs,
                       const MotionOptions& options = {});

}  // namespace alembert::visual
