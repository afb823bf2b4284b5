// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/mechanics. Three components and three by three of them, and their arithmetic;
// zeros and ones fold by themselves.
#pragma once

#include <array>

#include "alembert/symbolic/expr.hpp"

namespace alembert::mechanics {

using symbolic::Expr;

using Components = std::array<Expr, 3>;
using Components3x3 = std::array<Components, 3>;  // row by row

bool is_zero(const Expr& e);
bool is_one(const Expr& e);
bool is_zero(const Components& v);

Components3x3 identity();
Components3x3 transposed(const Components3x3& a);
Components3x3 product(const Components3x3& a, const Components3x3& b);
Components product(const Components3x3& a, const Components& v);
Components sum(const Components& a, const Components& b);
Components scaled(const Expr& scale, const Components& a);
Components cross(const Components& a, const Components& b);
Expr dot(const Components& a, const Components& b);

template <class Function>
Components mapped(const Components& v, Function function) {
  return {function(v[0]), function(v[1]), function(v[2])};
}

}  // namespace alembert::mechanics
