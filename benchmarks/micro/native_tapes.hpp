// SPDX-License-Identifier: Apache-2.0
// Tapes for measuring back ends: a small hot kernel, two models that grow with n, and a tape
// without any locality. In: sizes. Out: tapes, as the front ends would make them.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::benchmarks {

using compile::Tape;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

/// Arithmetic on a TapeBuilder in the order of the formulas.
class Formulas {
 public:
  Formulas(std::uint32_t n_inputs, std::uint32_t n_parameters) : builder(n_inputs, n_parameters) {}

  ValueId add(ValueId a, ValueId b) { return builder.apply(TapeOp::add, a, b); }
  ValueId sub(ValueId a, ValueId b) { return builder.apply(TapeOp::sub, a, b); }
  ValueId mul(ValueId a, ValueId b) { return builder.apply(TapeOp::mul, a, b); }
  ValueId div(ValueId a, ValueId b) { return builder.apply(TapeOp::div, a, b); }
  ValueId fma(ValueId a, ValueId b, ValueId c) { return builder.apply(TapeOp::fma, a, b, c); }
  ValueId fnma(ValueId a, ValueId b, ValueId c) { return builder.apply(TapeOp::fnma, a, b, c); }
  ValueId dot(ValueId a, ValueId b, ValueId c, ValueId d) { return fma(a, b, mul(c, d)); }

  TapeBuilder builder;
};

/// Double pendulum in Cartesian coordinates: constraints with Baumgarte terms, the 2 x 2 system for
/// the multipliers (Schur complement of the KKT matrix), semi-implicit Euler. Inputs and outputs:
/// x1 y1 x2 y2 and rates. Parameters: 1/m1, 1/m2, L1^2, L2^2, g, step, 2 alpha, beta^2.
inline Tape double_pendulum(int n_steps) {
  Formulas f(8, 8);
  ValueId q[4], v[4];
  for (std::uint32_t i = 0; i < 4; ++i) q[i] = f.builder.input(i), v[i] = f.builder.input(4 + i);
  const ValueId w1 = f.builder.parameter(0), w2 = f.builder.parameter(1);
  const ValueId l1 = f.builder.parameter(2), l2 = f.builder.parameter(3);
  const ValueId gravity = f.builder.parameter(4), h = f.builder.parameter(5);
  const ValueId alpha2 = f.builder.parameter(6), beta2 = f.builder.parameter(7);
  const ValueId half = f.builder.constant(0.5);
  for (int step = 0; step < n_steps; ++step) {
    const ValueId dx = f.sub(q[2], q[0]), dy = f.sub(q[3], q[1]);
    const ValueId du = f.sub(v[2], v[0]), dv = f.sub(v[3], v[1]);
    // phi = (|r|^2 - L^2) / 2, J the rows (x1 y1 0 0) and (-dx -dy dx dy).
    const ValueId r1 = f.dot(q[0], q[0], q[1], q[1]), r2 = f.dot(dx, dx, dy, dy);
    const ValueId phi1 = f.mul(half, f.sub(r1, l1)), phi2 = f.mul(half, f.sub(r2, l2));
    const ValueId rate1 = f.dot(q[0], v[0], q[1], v[1]), rate2 = f.dot(dx, du, dy, dv);
    const ValueId s11 = f.mul(w1, r1), s22 = f.mul(f.add(w1, w2), r2);
    const ValueId cross = f.dot(q[0], dx, q[1], dy);
    const ValueId s12 = f.builder.apply(TapeOp::neg, f.mul(w1, cross));
    // Right-hand sides: -(Jdot v) - J a_free - 2 alpha rate - beta^2 phi; free fall acts on row 1
    // only.
    const ValueId c1 = f.dot(v[0], v[0], v[1], v[1]), c2 = f.dot(du, du, dv, dv);
    const ValueId damped1 = f.fma(beta2, phi1, f.fma(alpha2, rate1, c1));
    const ValueId damped2 = f.fma(beta2, phi2, f.fma(alpha2, rate2, c2));
    const ValueId b1 = f.sub(f.mul(gravity, q[1]), damped1);
    const ValueId b2 = f.builder.apply(TapeOp::neg, damped2);
    const ValueId determinant = f.fnma(s12, s12, f.mul(s11, s22));
    const ValueId inverse = f.div(f.builder.constant(1.0), determinant);
    const ValueId m1 = f.mul(inverse, f.fnma(s12, b2, f.mul(s22, b1)));
    const ValueId m2 = f.mul(inverse, f.fnma(s12, b1, f.mul(s11, b2)));
    const ValueId ax1 = f.mul(w1, f.fnma(m2, dx, f.mul(m1, q[0])));
    const ValueId ay1 = f.sub(f.mul(w1, f.fnma(m2, dy, f.mul(m1, q[1]))), gravity);
    const ValueId ax2 = f.mul(w2, f.mul(m2, dx));
    const ValueId ay2 = f.sub(f.mul(w2, f.mul(m2, dy)), gravity);
    const ValueId a[4] = {ax1, ay1, ax2, ay2};
    for (int i = 0; i < 4; ++i) v[i] = f.fma(h, a[i], v[i]);
    for (int i = 0; i < 4; ++i) q[i] = f.fma(h, v[i], q[i]);
  }
  for (const ValueId id : q) f.builder.output(id);
  for (const ValueId id : v) f.builder.output(id);
  return std::move(f.builder).finish();
}

/// n masses in the plane, each joined to the next by a nonlinear spring with damping: about 30
/// operations a mass.
inline Tape spring_chain(std::uint32_t n) {
  Formulas f(4 * n, 4);
  const ValueId k = f.builder.parameter(0), rest = f.builder.parameter(1);
  const ValueId damping = f.builder.parameter(2), gravity = f.builder.parameter(3);
  ValueId previous_x = f.builder.constant(0.0), previous_y = previous_x;
  for (std::uint32_t i = 0; i < n; ++i) {
    const ValueId x = f.builder.input(4 * i), y = f.builder.input(4 * i + 1);
    const ValueId u = f.builder.input(4 * i + 2), v = f.builder.input(4 * i + 3);
    ValueId force_x = previous_x, force_y = previous_y;
    if (i + 1 < n) {
      const ValueId dx = f.sub(f.builder.input(4 * i + 4), x),
                    dy = f.sub(f.builder.input(4 * i + 5), y);
      const ValueId du = f.sub(f.builder.input(4 * i + 6), u),
                    dv = f.sub(f.builder.input(4 * i + 7), v);
      const ValueId length = f.builder.apply(TapeOp::sqrt, f.dot(dx, dx, dy, dy));
      const ValueId stretch = f.sub(length, rest);
      const ValueId cubic = f.fma(f.mul(stretch, stretch), stretch, stretch);
      const ValueId pull = f.div(f.fma(k, cubic, f.mul(damping, f.dot(dx, du, dy, dv))), length);
      const ValueId px = f.mul(pull, dx), py = f.mul(pull, dy);
      force_x = f.sub(px, previous_x);
      force_y = f.sub(py, previous_y);
      previous_x = px;
      previous_y = py;
    }
    f.builder.output(u);
    f.builder.output(v);
    f.builder.output(f.fnma(damping, u, force_x));
    f.builder.output(f.sub(f.fnma(damping, v, force_y), gravity));
  }
  return std::move(f.builder).finish();
}

/// n pendulums coupled in a row: sin of every angle and of every difference of neighbours.
inline Tape pendulum_chain(std::uint32_t n) {
  Formulas f(2 * n, 3);
  const ValueId k = f.builder.parameter(0), g = f.builder.parameter(1), d = f.builder.parameter(2);
  ValueId previous = f.builder.constant(0.0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const ValueId angle = f.builder.input(2 * i), rate = f.builder.input(2 * i + 1);
    const ValueId swing = f.builder.apply(TapeOp::sin, angle);
    ValueId torque = f.builder.apply(TapeOp::neg, previous);
    if (i + 1 < n) {
      const ValueId difference = f.sub(f.builder.input(2 * i + 2), angle);
      const ValueId twist = f.mul(k, f.builder.apply(TapeOp::sin, difference));
      torque = f.sub(twist, previous);
      previous = twist;
    }
    f.builder.output(rate);
    f.builder.output(f.fnma(d, rate, f.fnma(g, swing, torque)));
  }
  return std::move(f.builder).finish();
}

/// n sums, products and fused ones over operands drawn from the `reach` latest values: no structure
/// to exploit.
inline Tape scattered(std::uint32_t n, std::uint32_t reach) {
  std::mt19937_64 random(7);
  const std::uint32_t n_inputs = 16 + n / 40;
  Formulas f(n_inputs, 8);
  std::vector<ValueId> values;
  for (std::uint32_t i = 0; i < n_inputs; ++i) values.push_back(f.builder.input(i));
  for (std::uint32_t i = 0; i < 8; ++i) values.push_back(f.builder.parameter(i));
  const auto pick = [&] {
    const std::size_t near =
        random() % 10 == 0 ? values.size() : std::min<std::size_t>(values.size(), reach);
    return values[values.size() - 1 - random() % near];
  };
  static constexpr TapeOp kinds[] = {TapeOp::add, TapeOp::mul, TapeOp::sub,  TapeOp::mul,
                                     TapeOp::add, TapeOp::fma, TapeOp::fnma, TapeOp::fma};
  while (values.size() < n + n_inputs + 8)
    values.push_back(f.builder.apply(kinds[random() % 8], pick(), pick(), pick()));
  for (std::uint32_t i = 0; i < n / 20 + 4; ++i) f.builder.output(pick());
  for (std::uint32_t i = 0; i < reach && i < values.size(); ++i)
    f.builder.output(values[values.size() - 1 - i]);
  return std::move(f.builder).finish();
}

}  // namespace alembert::benchmarks
