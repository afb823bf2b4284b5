// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/vector.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/frontend/mechanics/world.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::mechanics {

Vector::Vector(const Frame& frame, const Components& components) : world_(&frame.world()) {
  add(frame.id(), components);
}

void Vector::add(std::uint32_t frame, const Components& components) {
  const auto at =
      std::lower_bound(parts_.begin(), parts_.end(), frame,
                       [](const Part& part, std::uint32_t id) { return part.frame < id; });
  if (at != parts_.end() && at->frame == frame) {
    at->components = sum(at->components, components);
    if (mechanics::is_zero(at->components)) parts_.erase(at);
  } else if (!mechanics::is_zero(components)) {
    parts_.insert(at, {frame, components});
  }
}

Vector operator+(const Vector& a, const Vector& b) {
  if (a.world_ == nullptr) return b;
  if (b.world_ != nullptr && a.world_ != b.world_)
    throw Error("K001", "vectors of two worlds cannot be added: their frames are not connected.");
  Vector result = a;
  for (const Vector::Part& part : b.parts_) result.add(part.frame, part.components);
  return result;
}

Vector operator*(const Expr& scale, const Vector& a) {
  Vector result;
  result.world_ = a.world_;
  for (const Vector::Part& part : a.parts_) result.add(part.frame, scaled(scale, part.components));
  return result;
}

Components Vector::in(const Frame& frame) const {
  Components total = {0, 0, 0};
  for (const Part& part : parts_)
    total = sum(total, world_->express(part.components, part.frame, frame.id()));
  return total;
}

Vector Vector::dt(const Frame& frame) const {
  Vector result;
  result.world_ = world_;
  for (const Part& part : parts_) {
    result.add(part.frame, mapped(part.components, [](const Expr& e) {
                 return e.pool() == nullptr ? Expr(0) : der(e);
               }));
    if (part.frame == frame.id()) continue;
    // The frame of the components turns, as the observer sees it.
    const Frame home = world_->frame(part.frame);
    const Components w = home.angular_velocity_in(frame).in(home);
    result.add(part.frame, cross(w, part.components));
  }
  return result;
}

Vector Vector::partial(const Expr& symbol, const Frame& frame) const {
  // Directions of other frames may depend on the symbol too; then all is seen in one frame.
  const auto depends = [&](const Expr& e) {
    return e.pool() != nullptr && symbolic::depends_on(*e.pool(), e.id(), symbol.id());
  };
  bool direct = true;
  for (const Part& part : parts_)
    if (part.frame != frame.id())
      for (const Components& row : world_->rotation(part.frame, frame.id()))
        direct = direct && std::none_of(row.begin(), row.end(), depends);
  const auto by = [&](const Expr& e) {
    return e.pool() == nullptr ? Expr(0) : symbolic::differentiate(e, symbol);
  };
  if (!direct) return {frame, mapped(in(frame), by)};
  Vector result;
  result.world_ = world_;
  for (const Part& part : parts_) result.add(part.frame, mapped(part.components, by));
  return result;
}

Vector Vector::replaced(const Replacement& replacement) const {
  Vector result;
  result.world_ = world_;
  for (const Part& part : parts_)
    result.add(part.frame, mapped(part.components, [&](const Expr& e) {
                 if (e.pool() == nullptr) return e;
                 symbolic::Replacements ids;
                 for (const auto& [what, by] : replacement)
                   ids.emplace(what.id(), by.id_in(*e.pool()));
                 return Expr(*e.pool(), symbolic::substitute(*e.pool(), e.id(), ids));
               }));
  return result;
}

Expr dot(const Vector& a, const Vector& b) {
  Expr total = 0;
  for (const Vector::Part& left : a.parts())
    for (const Vector::Part& right : b.parts())
      total += dot(left.components, a.world()->express(right.components, right.frame, left.frame));
  return total;
}

Vector cross(const Vector& a, const Vector& b) {
  Vector result;
  for (const Vector::Part& left : a.parts())
    for (const Vector::Part& right : b.parts())
      // In the frame of the second: w x r is mostly used further where r is at home.
      result += Vector(
          b.world()->frame(right.frame),
          cross(b.world()->express(left.components, left.frame, right.frame), right.components));
  return result;
}

Expr magnitude(const Vector& a) { return sqrt(dot(a, a)); }

Vector unit(const Vector& a) {
  const Expr length = magnitude(a);
  return is_one(length) ? a : a / length;
}

std::vector<Expr> components_of(const Vector& a) {
  std::vector<Expr> result;
  for (const Vector::Part& part : a.parts())
    result.insert(result.end(), part.components.begin(), part.components.end());
  return result;
}

std::string to_text(const Vector& a, symbolic::Notation notation) {
  const bool latex = notation == symbolic::Notation::latex;
  std::string text;
  for (const Vector::Part& part : a.parts())
    for (std::size_t k = 0; k < 3; ++k) {
      const Expr& scale = part.components[k];
      if (is_zero(scale)) continue;
      const char letter = "xyz"[k];
      const std::string& frame = a.world()->frame(part.frame).name();
      const std::string axis = latex ? "\\hat{" + frame + "}_" + letter : frame + "." + letter;
      std::string number = is_one(scale) ? "" : symbolic::to_text(scale, notation);
      const bool is_sum =
          scale.pool() != nullptr && scale.pool()->op(scale.id()) == symbolic::Op::add;
      if (is_sum) number = latex ? "\\left(" + number + "\\right)" : "(" + number + ")";
      const bool negative = number.starts_with('-');
      if (!text.empty())
        text += negative ? " - " : " + ";
      else if (negative)
        text += "-";
      if (negative) number.erase(0, 1);
      text += number.empty() ? axis : number + (latex ? "\\," : "*") + axis;
    }
  return text.empty() ? "0" : text;
}

// ---- dyadics ------------------------------------------------------------------------------------

Dyadic::Dyadic(const Frame& frame, const Components3x3& components)
    : world_(&frame.world()), frame_(frame.id()), components_(components) {}

Components3x3 Dyadic::in(const Frame& frame) const {
  if (world_ == nullptr) return {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  if (frame.id() == frame_) return components_;
  const Components3x3 r = world_->rotation(frame_, frame.id());
  return product(product(r, components_), transposed(r));
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const Frame frame = a.world_->frame(a.frame_);
  Components3x3 total = a.components_;
  const Components3x3 other = b.in(frame);
  for (std::size_t i = 0; i < 3; ++i) total[i] = sum(total[i], other[i]);
  return {frame, total};
}

Dyadic operator*(const Expr& scale, const Dyadic& a) {
  if (a.is_zero()) return a;
  Components3x3 result = a.components_;
  for (Components& row : result) row = scaled(scale, row);
  return {a.world_->frame(a.frame_), result};
}

Vector dot(const Dyadic& a, const Vector& v) {
  if (a.is_zero() || v.is_zero()) return {};
  const Frame frame = a.world_->frame(a.frame_);
  return {frame, product(a.components_, v.in(frame))};
}

Vector dot(const Vector& v, const Dyadic& a) {
  if (a.is_zero() || v.is_zero()) return {};
  const Frame frame = a.world_->frame(a.frame_);
  return {frame, product(transposed(a.components_), v.in(frame))};
}

Dyadic outer(const Vector& a, const Vector& b) {
  if (a.is_zero() || b.is_zero()) return {};
  const Frame frame = a.world()->frame(a.parts().front().frame);
  const Components left = a.in(frame), right = b.in(frame);
  return {frame, {scaled(left[0], right), scaled(left[1], right), scaled(left[2], right)}};
}

Dyadic inertia(const Frame& frame, const Expr& xx, const Expr& yy, const Expr& zz, const Expr& xy,
               const Expr& yz, const Expr& zx) {
  return {frame, {{{xx, xy, zx}, {xy, yy, yz}, {zx, yz, zz}}}};
}

}  // namespace alembert::mechanics
