// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/scene.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "alembert/base/message_text.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/symbolic/expr.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::modelica {

namespace {

using flat::Quantity;
using flat::ScenePlace;
using flat::SceneShape;
using symbolic::Expr;
using ShapeKind = SceneShape::Kind;
using Vector = std::array<Expr, 3>;

constexpr std::pair<std::string_view, ShapeKind> shape_names[] = {
    {"Rod", ShapeKind::rod},     {"Box", ShapeKind::box},       {"Cylinder", ShapeKind::cylinder},
    {"Cone", ShapeKind::cone},   {"Spring", ShapeKind::spring}, {"Arrow", ShapeKind::arrow},
    {"Point", ShapeKind::point}, {"Sphere", ShapeKind::sphere}, {"Wheel", ShapeKind::wheel},
    {"Trace", ShapeKind::trace}, {"Text", ShapeKind::text},
};

Vector sum(const Vector& a, const Vector& b, const Expr& factor) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// Expressions of the pool as text that `visual` reads.
class Quantities {
 public:
  explicit Quantities(symbolic::ExprPool& pool) : pool_(pool) {}

  Quantity of(const Expr& expression) const {
    if (expression.pool() == nullptr) return expression.constant();
    const ExprId id = expression.id();
    if (pool_.is_number(id)) return pool_.number_of(id).value();
    return symbolic::to_text(pool_, id);
  }
  ScenePlace of(const Vector& v) const { return {of(v[0]), of(v[1]), of(v[2])}; }

 private:
  symbolic::ExprPool& pool_;
};

/// The arguments of one `Rod(...)`, evaluated as they are asked for.
class Arguments {
 public:
  Arguments(FlattenState& state, const Expression& call, Scope* scope)
      : state_(state), call_(call), scope_(scope), quantities_(state.pool) {}

  const NamedArgument* find(std::string_view name) {
    for (const NamedArgument& argument : call_.named)
      if (argument.name == name) {
        used_.push_back(argument.name);
        return &argument;
      }
    return nullptr;
  }

  std::optional<Vector> vector(std::string_view name) {
    const NamedArgument* argument = find(name);
    if (argument == nullptr) return std::nullopt;
    const Value value = evaluated(*argument);
    const std::size_t n = value.scalars.size();
    if (!value.is_numeric() || value.dims.size() != 1 || n < 2 || n > 3)
      fail(argument->place, "M333",
           "'" + std::string(name) + "' must be a place, {x, y} or {x, y, z}, and is a " +
               type_text(value) + ".");
    const auto part = [&](std::size_t k) { return Expr(state_.pool, value.scalars[k]); };
    return Vector{part(0), part(1), n == 3 ? part(2) : Expr(0)};
  }

  std::optional<Expr> scalar(std::string_view name) {
    const NamedArgument* argument = find(name);
    if (argument == nullptr) return std::nullopt;
    const Value value = evaluated(*argument);
    if (!value.is_numeric() || !value.is_scalar())
      fail(argument->place, "M333",
           "'" + std::string(name) + "' must be a number, and is a " + type_text(value) + ".");
    return Expr(state_.pool, value.scalar());
  }

  std::optional<double> number(std::string_view name) {
    const NamedArgument* argument = find(name);
    if (argument == nullptr) return std::nullopt;
    const Value value = state_.evaluator.constant(*argument->value, {.scope = scope_});
    if (!value.is_numeric() || !value.is_scalar())
      fail(argument->place, "M333", "'" + std::string(name) + "' must be a number.");
    return state_.pool.number_of(value.scalar()).value();
  }

  std::optional<flat::SceneColour> colour() {
    const NamedArgument* argument = find("color");
    if (argument == nullptr) argument = find("colour");
    if (argument == nullptr) return std::nullopt;
    const Value value = state_.evaluator.constant(*argument->value, {.scope = scope_});
    if (!value.is_numeric() || value.scalars.size() != 3)
      fail(argument->place, "M333", "a colour is {red, green, blue}, each from 0 to 255.");
    const auto part = [&](std::size_t k) {
      return std::clamp(state_.pool.number_of(value.scalars[k]).value() / 255, 0., 1.);
    };
    return flat::SceneColour{part(0), part(1), part(2)};
  }

  /// "{x}" stands for a value; String(x) gives the same.
  std::string label() {
    const NamedArgument* argument = find("text");
    if (argument == nullptr) return {};
    const Value value = evaluated(*argument);
    if (value.kind != ValueKind::string || !value.is_scalar())
      fail(argument->place, "M333", "'text' must be a String.");
    std::string label = value.texts.front().text;
    const auto& values = value.texts.front().values;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (const auto mark = find_mark(label, k + 1))
        label.replace(mark->at, mark->size, "{" + symbolic::to_text(state_.pool, values[k]) + "}");
    }
    return label;
  }

  void require_all_used() const {
    for (const NamedArgument& argument : call_.named)
      if (std::find(used_.begin(), used_.end(), argument.name) == used_.end())
        fail(argument.place, "M333",
             "the shape has no argument '" + argument.name.string() +
                 "'. docs/guide/seeing.md lists shapes and what they take.");
    if (!call_.operands.empty())
      fail(call_.place, "M333", "arguments of a shape have names, as in Rod(from = {0, 0}, ...).");
  }

  const Quantities& quantities() const { return quantities_; }

 private:
  Value evaluated(const NamedArgument& argument) {
    return state_.evaluator.evaluate(*argument.value, {.scope = scope_});
  }

  FlattenState& state_;
  const Expression& call_;
  Scope* scope_;
  Quantities quantities_;
  std::vector<Name> used_;
};

ShapeKind kind_of(const Expression& call) {
  const bool named = call.kind == ExpressionKind::call && call.reference->parts.size() == 1;
  if (named)
    for (const auto& [name, kind] : shape_names)
      if (call.reference->parts.front().name == name) return kind;
  std::string known;
  for (const auto& [name, kind] : shape_names)
    known += (known.empty() ? "" : ", ") + std::string(name);
  fail(call.place, "M333", "this is not a shape of a scene. The shapes are: " + known + ".");
}

/// The two ends of a box given by its middle, length and angle in the plane.
void place_by_centre(Arguments& arguments, SceneShape& shape, Place place) {
  const auto centre = arguments.vector("center");
  if (!centre) return;
  const auto length = arguments.scalar("length");
  if (!length) fail(place, "M333", "a shape with a 'center' needs its 'length'.");
  const Expr angle = arguments.scalar("angle").value_or(Expr(0));
  const Vector half = {cos(angle) * *length / 2, sin(angle) * *length / 2, Expr(0)};
  shape.at = arguments.quantities().of(sum(*centre, half, Expr(-1)));
  shape.to = arguments.quantities().of(sum(*centre, half, Expr(1)));
}

SceneShape shape_of(FlattenState& state, const Expression& call, Scope* scope,
                    const std::string& owner) {
  SceneShape shape;
  shape.kind = kind_of(call);
  shape.name = owner;
  Arguments arguments(state, call, scope);
  const Quantities& quantities = arguments.quantities();
  for (const char* name : {"at", "from"})
    if (const auto place = arguments.vector(name)) shape.at = quantities.of(*place);
  for (const char* name : {"to", "vector"})
    if (const auto place = arguments.vector(name)) shape.to = quantities.of(*place);
  place_by_centre(arguments, shape, call.place);
  if (const auto side = arguments.vector("side")) shape.side = quantities.of(*side);
  if (const auto axis = arguments.vector("axis")) shape.axis = quantities.of(*axis);
  if (shape.kind == ShapeKind::wheel)
    if (const auto angle = arguments.scalar("angle"))
      shape.side = quantities.of(Vector{cos(*angle), sin(*angle), Expr(0)});
  for (const char* name : {"width", "diameter"})
    if (const auto width = arguments.scalar(name)) shape.width = quantities.of(*width);
  if (const auto height = arguments.scalar("height")) shape.height = quantities.of(*height);
  shape.turns = arguments.number("turns").value_or(shape.turns);
  shape.scale = arguments.number("scale").value_or(shape.scale);
  shape.seconds = arguments.number("seconds").value_or(shape.seconds);
  shape.label = arguments.label();
  shape.colour = arguments.colour();
  arguments.require_all_used();
  return shape;
}

void read_annotation(FlattenState& state, Instance& component, flat::Scene& scene) {
  const InScope<Expression> found = component.class_annotation({"__Alembert", "scene"}, true);
  if (found.item == nullptr) return;
  if (found.item->kind != ExpressionKind::array)
    fail(found.item->place, "M333", "a scene is a list of shapes: scene = {Rod(...), ...}.");
  for (const Expression* call : found.item->operands)
    scene.shapes.push_back(shape_of(state, *call, found.scope, component.full_name()));
}

/// A component that has what a shape of MultiBody has.
class MultiBodyShape {
 public:
  MultiBodyShape(FlattenState& state, Instance& component)
      : state_(state), component_(component), quantities_(state.pool) {}

  bool is_one() {
    for (const char* name : {"shapeType", "R", "r", "r_shape", "lengthDirection", "widthDirection",
                             "length", "width", "height", "color"})
      if (component_.component_member(Name(name)) == nullptr) return false;
    return true;
  }

  std::optional<SceneShape> read() {
    const std::optional<ShapeKind> kind = kind_of_type();
    const Value rotation = value("R");
    const Value* T = rotation.field(Name("T"));
    if (!kind || T == nullptr || T->scalars.size() != 9) return std::nullopt;
    // T takes vectors of the world into the shape's frame; its transpose brings them back.
    const auto resolved = [&](const Vector& v) {
      const auto part = [&](std::size_t k) {
        Expr result = Expr(0);
        for (std::size_t j = 0; j < 3; ++j)
          result += Expr(state_.pool, T->scalars[3 * j + k]) * v[j];
        return result;
      };
      return Vector{part(0), part(1), part(2)};
    };
    const Vector along = resolved(unit(vector("lengthDirection")));
    const Vector side = resolved(unit(vector("widthDirection")));
    const Vector at = sum(vector("r"), resolved(vector("r_shape")), Expr(1));
    const Expr length = scalar("length"), width = scalar("width");
    SceneShape shape;
    shape.kind = *kind;
    shape.name = component_.full_name();
    if (*kind == ShapeKind::sphere) {
      shape.at = quantities_.of(sum(at, along, length / 2));
      shape.width = quantities_.of(length);
    } else {
      shape.at = quantities_.of(at);
      shape.to = quantities_.of(sum(at, along, length));
      shape.side = quantities_.of(side);
      shape.width = quantities_.of(width);
      shape.height = quantities_.of(scalar("height"));
    }
    shape.colour = colour();
    return shape;
  }

 private:
  Value value(const char* name) {
    return state_.evaluator.value_of(*component_.component_member(Name(name)));
  }
  Vector vector(const char* name) {
    const Value v = value(name);
    ensure(v.scalars.size() == 3, "a vector of a shape has three parts");
    const auto part = [&](std::size_t k) { return Expr(state_.pool, v.scalars[k]); };
    return {part(0), part(1), part(2)};
  }
  Expr scalar(const char* name) { return Expr(state_.pool, value(name).scalar()); }

  static Vector unit(const Vector& v) {
    const Expr length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return {v[0] / length, v[1] / length, v[2] / length};
  }

  std::optional<ShapeKind> kind_of_type() {
    static const std::map<std::string, ShapeKind, std::less<>> kinds = {
        {"box", ShapeKind::box},
        {"beam", ShapeKind::box},
        {"cylinder", ShapeKind::cylinder},
        {"pipe", ShapeKind::cylinder},
        {"pipecylinder", ShapeKind::cylinder},
        {"gearwheel", ShapeKind::cylinder},
        {"cone", ShapeKind::cone},
        {"sphere", ShapeKind::sphere},
        {"spring", ShapeKind::spring}};
    Instance& type = *component_.component_member(Name("shapeType"));
    const Value text = state_.evaluator.constant_of(type, type.place());
    if (text.kind != ValueKind::string || text.texts.empty()) return std::nullopt;
    const auto found = kinds.find(text.texts.front().text);
    return found == kinds.end() ? std::nullopt : std::optional(found->second);
  }

  std::optional<flat::SceneColour> colour() {
    if (value("color").scalars.size() != 3) return std::nullopt;
    const Vector parts = vector("color");
    const auto part = [&](std::size_t k) { return quantities_.of(parts[k] / 255); };
    return flat::SceneColour{part(0), part(1), part(2)};
  }

  FlattenState& state_;
  Instance& component_;
  Quantities quantities_;
};

}  // namespace

std::shared_ptr<const flat::Scene> read_scene(FlattenState& state) {
  auto scene = std::make_shared<flat::Scene>();
  for (Instance* component : state.components.structured) {
    read_annotation(state, *component, *scene);
    MultiBodyShape shape(state, *component);
    if (!shape.is_one()) continue;
    if (auto read = shape.read()) scene->shapes.push_back(std::move(*read));
  }
  return scene->shapes.empty() ? nullptr : scene;
}

}  // namespace alembert::modelica
