// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Vectors and dyadics with components in frames of a World.
// In: components in any frame, sums of such. Out: components in any connected frame, products,
// derivatives as a frame sees them. Nothing is expanded, and nothing is re-expressed before it has
// to be: what is computed twice is stored once in the pool.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "alembert/frontend/mechanics/components.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::mechanics {

class Frame;
class World;

/// What stands for what, all at once.
using Replacement = std::vector<std::pair<Expr, Expr>>;

/// A sum of parts, each with components in one frame. Vectors live no longer than their World.
class Vector {
 public:
  Vector() = default;  ///< zero
  Vector(const Frame& frame, const Components& components);

  friend Vector operator+(const Vector& a, const Vector& b);
  friend Vector operator-(const Vector& a, const Vector& b) { return a + -b; }
  friend Vector operator-(const Vector& a) { return Expr(-1) * a; }
  friend Vector operator*(const Expr& scale, const Vector& a);
  friend Vector operator*(const Vector& a, const Expr& scale) { return scale * a; }
  friend Vector operator/(const Vector& a, const Expr& divisor) { return (1 / divisor) * a; }
  Vector& operator+=(const Vector& other) { return *this = *this + other; }
  Vector& operator-=(const Vector& other) { return *this = *this - other; }

  /// Components in a frame. Error K001 if a part's frame is not connected with it.
  Components in(const Frame& frame) const;
  /// The same vector as one part, in that frame.
  Vector expressed_in(const Frame& frame) const { return {frame, in(frame)}; }
  /// The time derivative that an observer in `frame` sees.
  Vector dt(const Frame& frame) const;
  /// The partial derivative by a symbol, as `frame` sees it.
  Vector partial(const Expr& symbol, const Frame& frame) const;
  /// With symbols in its components replaced, such as derivatives of coordinates by speeds.
  Vector replaced(const Replacement& replacement) const;
  bool is_zero() const { return parts_.empty(); }

  struct Part {
    std::uint32_t frame;
    Components components;
  };
  const std::vector<Part>& parts() const { return parts_; }
  World* world() const { return world_; }  ///< null for zero

 private:
  void add(std::uint32_t frame, const Components& components);

  World* world_ = nullptr;
  std::vector<Part> parts_;  // by frame, ascending
};

// Products of vectors in any frames; error K001 where these are not connected.
Expr dot(const Vector& a, const Vector& b);
Vector cross(const Vector& a, const Vector& b);
Expr magnitude(const Vector& a);
/// a / |a|.
Vector unit(const Vector& a);
/// "der(q1)*N.x + l/2*der(q3)*A.y"; "0" for zero.
std::string to_text(const Vector& a, symbolic::Notation notation = symbolic::Notation::plain);
/// All components of all parts.
std::vector<Expr> components_of(const Vector& a);

/// A tensor of second order, with components in one frame.
class Dyadic {
 public:
  Dyadic() = default;  ///< zero
  Dyadic(const Frame& frame, const Components3x3& components);

  friend Dyadic operator+(const Dyadic& a, const Dyadic& b);
  friend Dyadic operator-(const Dyadic& a, const Dyadic& b) { return a + Expr(-1) * b; }
  friend Dyadic operator*(const Expr& scale, const Dyadic& a);
  friend Vector dot(const Dyadic& a, const Vector& v);
  friend Vector dot(const Vector& v, const Dyadic& a);
  /// Components in another frame.
  Components3x3 in(const Frame& frame) const;
  /// Components in the frame that it was given in.
  const Components3x3& own_components() const { return components_; }
  bool is_zero() const { return world_ == nullptr; }

 private:
  World* world_ = nullptr;
  std::uint32_t frame_ = 0;
  Components3x3 components_;
};

Vector dot(const Dyadic& a, const Vector& v);
Vector dot(const Vector& v, const Dyadic& a);
/// a (x) b, with components in the frame of a's first part.
Dyadic outer(const Vector& a, const Vector& b);
/// Moments and products of inertia (the entries of the matrix) about the axes of a frame.
Dyadic inertia(const Frame& frame, const Expr& xx, const Expr& yy, const Expr& zz,
               const Expr& xy = 0, const Expr& yz = 0, const Expr& zx = 0);

}  // namespace alembert::mechanics
