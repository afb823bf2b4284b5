// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/components.hpp"

namespace alembert::mechanics {

bool is_zero(const Expr& e) {
  if (e.pool() == nullptr) return e.constant() == 0;
  return e.pool()->is_zero(e.id());
}

bool is_one(const Expr& e) {
  if (e.pool() == nullptr) return e.constant() == 1;
  return e.pool()->is_one(e.id());
}

bool is_zero(const Components& v) { return is_zero(v[0]) && is_zero(v[1]) && is_zero(v[2]); }

Components3x3 identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

Components3x3 transposed(const Components3x3& a) {
  Components3x3 result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = a[j][i];
  return result;
}

Components3x3 product(const Components3x3& a, const Components3x3& b) {
  Components3x3 result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      result[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return result;
}

Components product(const Components3x3& a, const Components& v) {
  return {dot(a[0], v), dot(a[1], v), dot(a[2], v)};
}

Components sum(const Components& a, const Components& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

Components scaled(const Expr& scale, const Components& a) {
  return {scale * a[0], scale * a[1], scale * a[2]};
}

Components cross(const Components& a, const Components& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Expr dot(const Components& a, const Components& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace alembert::mechanics
