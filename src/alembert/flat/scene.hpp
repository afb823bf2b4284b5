// SPDX-License-Identifier: Apache-2.0
// Stage: flat. What a model looks like: shapes in space, bound to its quantities. Plain data that a
// front end fills, or a person, and that `visual` turns into a moving picture.
// In: shapes with places given as numbers or as text of expressions. Out: FlatSystem::scene.
//
//   Scene scene;
//   scene.shapes = {rod({0, 0}, {"x", "y"}), point({"x", "y"}), trace({"x", "y"}, 2.0)};
//   flat_system.scene = std::make_shared<const Scene>(scene);
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace alembert::flat {

/// A number, or an expression of names as they stand in a result: "body.r[1]", "x + l*sin(phi)",
/// "der(x)"; parameters of the model count as names too.
struct Quantity {
  double number = 0;
  std::string expression = {};  ///< empty: the number

  Quantity() = default;
  Quantity(double value) : number(value) {}  // NOLINT: a number is a quantity, so is a text
  Quantity(int value) : number(value) {}     // NOLINT
  Quantity(std::string text) : expression(std::move(text)) {}  // NOLINT
  Quantity(const char* text) : expression(text) {}             // NOLINT
};

/// A place or a direction in the frame of the world, in metres; the plane of planar models is z =
/// 0.
struct ScenePlace {
  Quantity x = {}, y = {}, z = {};
};

struct SceneColour {
  Quantity red = 0., green = 0., blue = 0.;  ///< 0 to 1; what they are at the start counts
};

/// Which of the fields a kind uses is said beside them; the rest is left alone.
struct SceneShape {
  enum class Kind {
    rod,  ///< a bar with round ends, from `at` to `to`; `width` is its thickness
    box,  ///< a bar from the middle of one end, `at`, to that of the other, `to`; `width` along
          ///< `side`, `height` across both
    cylinder,  ///< from `at` to `to`, thickness `width`
    cone,      ///< the base at `at`, the tip at `to`, thickness `width` at the base
    spring,    ///< a coil from `at` to `to`, thickness `width`, `turns`
    arrow,     ///< from `at`, along the vector `to` times `scale`: a force, a velocity
    point,     ///< a dot at `at` whose size does not depend on the distance
    sphere,    ///< about `at`, thickness `width`
    wheel,  ///< about `at`, thickness `width` (its diameter), `height` wide along `axis`; a spoke
            ///< along `side` shows how it turns
    trace,  ///< where `at` has been during the last `seconds`, fading; 0: since the start
    text,   ///< `label` beside `at`; "{x}" in it stands for the value of the expression x
  };

  Kind kind = Kind::point;
  std::string name = {};  ///< for people who look for the shape; may be empty
  ScenePlace at = {};
  ScenePlace to = {};
  std::optional<ScenePlace> side = {};  ///< default: in the plane z = 0 where there is a choice
  ScenePlace axis = {0., 0., 1.};       ///< of a wheel
  Quantity width = 0.;                  ///< 0: by the size of the scene, as all lengths
  Quantity height = 0.;                 ///< 0: as `width`, of a wheel a quarter of it
  double turns = 8;
  double scale = 1;
  double seconds = 0;
  std::string label = {};
  std::optional<SceneColour> colour = {};  ///< default: the next of the palette
};

struct Scene {
  enum class View {
    automatic,  ///< `planar` where nothing leaves a plane z = constant
    planar,     ///< seen along z; x to the right, y up
    spatial,    ///< in perspective
  };
  enum class Up { y, z };

  std::string title = {};
  std::vector<SceneShape> shapes = {};
  View view = View::automatic;
  Up up = Up::y;  ///< of a spatial view
};

// ---- shapes, in a word ----

inline SceneShape between(SceneShape::Kind kind, ScenePlace at, ScenePlace to,
                          Quantity width = 0.) {
  SceneShape shape;
  shape.kind = kind;
  shape.at = std::move(at);
  shape.to = std::move(to);
  shape.width = std::move(width);
  return shape;
}

inline SceneShape rod(ScenePlace from, ScenePlace to, Quantity width = 0.) {
  return between(SceneShape::Kind::rod, std::move(from), std::move(to), std::move(width));
}
inline SceneShape box(ScenePlace from, ScenePlace to, Quantity width = 0., Quantity height = 0.) {
  SceneShape shape =
      between(SceneShape::Kind::box, std::move(from), std::move(to), std::move(width));
  shape.height = std::move(height);
  return shape;
}
inline SceneShape spring(ScenePlace from, ScenePlace to, Quantity width = 0.) {
  return between(SceneShape::Kind::spring, std::move(from), std::move(to), std::move(width));
}
inline SceneShape arrow(ScenePlace from, ScenePlace vector, double scale = 1) {
  SceneShape shape = between(SceneShape::Kind::arrow, std::move(from), std::move(vector));
  shape.scale = scale;
  return shape;
}
inline SceneShape point(ScenePlace at) {
  return between(SceneShape::Kind::point, std::move(at), {});
}
inline SceneShape sphere(ScenePlace at, Quantity diameter = 0.) {
  return between(SceneShape::Kind::sphere, std::move(at), {}, std::move(diameter));
}
inline SceneShape wheel(ScenePlace at, Quantity diameter = 0., ScenePlace axis = {0., 0., 1.}) {
  SceneShape shape = between(SceneShape::Kind::wheel, std::move(at), {}, std::move(diameter));
  shape.axis = std::move(axis);
  return shape;
}
inline SceneShape trace(ScenePlace of, double seconds = 0) {
  SceneShape shape = between(SceneShape::Kind::trace, std::move(of), {});
  shape.seconds = seconds;
  return shape;
}
inline SceneShape text(ScenePlace at, std::string label) {
  SceneShape shape = between(SceneShape::Kind::text, std::move(at), {});
  shape.label = std::move(label);
  return shape;
}

}  // namespace alembert::flat
