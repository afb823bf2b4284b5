// SPDX-License-Identifier: Apache-2.0
// The loops over lanes, included by run_lanes.cpp and run_lanes_avx2.cpp after each has defined, in
// namespace `vector`, the type V of `width` doubles and the operations on it. Operands that are one
// number for all lanes (constants, common parameters) are read once, so they take no slot.
#pragma once

#include "alembert/compile/interpret/code.hpp"

namespace alembert::compile::interpret {
namespace {

using vector::V;

inline const double* find(const Frame& frame, Operand operand) {
  const std::uint32_t base = operand >> index_bits;
  const std::uint32_t index = operand & ((1u << index_bits) - 1);
  return frame.base[base] + index * frame.stride[base];
}

// An operand of the loop: a row of lanes, or one number.
template <bool uniform>
struct Source {
  const double* row;
  Source(const Frame& frame, Operand operand) : row(find(frame, operand)) {}
  V at(std::size_t lane) const { return vector::load(row + lane); }
};

template <>
struct Source<true> {
  V value;
  Source(const Frame& frame, Operand operand) : value(vector::broadcast(*find(frame, operand))) {}
  V at(std::size_t) const { return value; }
};

// Calls compute(lane) for every vector of the row; four at a time, so that the loop costs little
// beside the arithmetic and its end is easy to predict.
template <class Compute>
inline __attribute__((always_inline)) void for_each_vector(double* to, std::size_t width,
                                                           Compute compute) {
  constexpr std::size_t step = vector::width;
  std::size_t i = 0;
  for (; i + 4 * step <= width; i += 4 * step) {
    const V x0 = compute(i), x1 = compute(i + step);
    const V x2 = compute(i + 2 * step), x3 = compute(i + 3 * step);
    vector::store(to + i, x0);
    vector::store(to + i + step, x1);
    vector::store(to + i + 2 * step, x2);
    vector::store(to + i + 3 * step, x3);
  }
  for (; i < width; i += step) vector::store(to + i, compute(i));
}

template <auto operation, unsigned uniform>
void loop_1(const LaneCode& code, const Frame& frame) {
  const Source<(uniform & 1) != 0> a(frame, code.a);
  double* to = frame.slots + code.to * frame.width;
  for_each_vector(to, frame.width, [&](std::size_t i) { return operation(a.at(i)); });
}

template <auto operation, unsigned uniform>
void loop_2(const LaneCode& code, const Frame& frame) {
  const Source<(uniform & 1) != 0> a(frame, code.a);
  const Source<(uniform & 2) != 0> b(frame, code.b);
  double* to = frame.slots + code.to * frame.width;
  for_each_vector(to, frame.width, [&](std::size_t i) { return operation(a.at(i), b.at(i)); });
}

template <auto operation, unsigned uniform>
void loop_3(const LaneCode& code, const Frame& frame) {
  const Source<(uniform & 1) != 0> a(frame, code.a);
  const Source<(uniform & 2) != 0> b(frame, code.b);
  const Source<(uniform & 4) != 0> c(frame, code.c);
  double* to = frame.slots + code.to * frame.width;
  for_each_vector(to, frame.width,
                  [&](std::size_t i) { return operation(a.at(i), b.at(i), c.at(i)); });
}

// Elementary functions: `c` indexes Frame::functions.
inline void loop_unary(const LaneCode& code, const Frame& frame) {
  const auto function = reinterpret_cast<V (*)(V)>(frame.functions[code.c]);
  const double* a = find(frame, code.a);
  double* to = frame.slots + code.to * frame.width;
  for (std::size_t i = 0; i < frame.width; i += vector::width)
    vector::store(to + i, function(vector::load(a + i)));
}

// A function of one number for all lanes is computed once.
inline void loop_unary_uniform(const LaneCode& code, const Frame& frame) {
  const auto function = reinterpret_cast<V (*)(V)>(frame.functions[code.c]);
  const V value = function(vector::broadcast(*find(frame, code.a)));
  double* to = frame.slots + code.to * frame.width;
  for (std::size_t i = 0; i < frame.width; i += vector::width) vector::store(to + i, value);
}

template <unsigned uniform>
void loop_binary(const LaneCode& code, const Frame& frame) {
  const auto function = reinterpret_cast<V (*)(V, V)>(frame.functions[code.c]);
  const Source<(uniform & 1) != 0> a(frame, code.a);
  const Source<(uniform & 2) != 0> b(frame, code.b);
  double* to = frame.slots + code.to * frame.width;
  for (std::size_t i = 0; i < frame.width; i += vector::width)
    vector::store(to + i, function(a.at(i), b.at(i)));
}

template <auto operation>
LaneOperation unary(unsigned uniform) {
  return uniform == 0 ? &loop_1<operation, 0> : &loop_1<operation, 1>;
}

template <auto operation>
LaneOperation binary(unsigned uniform) {
  constexpr LaneOperation loops[] = {&loop_2<operation, 0>, &loop_2<operation, 1>,
                                     &loop_2<operation, 2>, &loop_2<operation, 3>};
  return loops[uniform];
}

template <auto operation>
LaneOperation ternary(unsigned uniform) {
  constexpr LaneOperation loops[] = {
      &loop_3<operation, 0>, &loop_3<operation, 1>, &loop_3<operation, 2>, &loop_3<operation, 3>,
      &loop_3<operation, 4>, &loop_3<operation, 5>, &loop_3<operation, 6>, &loop_3<operation, 7>};
  return loops[uniform];
}

inline LaneOperation find_lane_operation(TapeOp op, unsigned uniform) {
  constexpr LaneOperation binary_functions[] = {&loop_binary<0>, &loop_binary<1>, &loop_binary<2>,
                                                &loop_binary<3>};
  switch (op) {
    case TapeOp::add: return binary<vector::add>(uniform);
    case TapeOp::sub: return binary<vector::sub>(uniform);
    case TapeOp::mul: return binary<vector::mul>(uniform);
    case TapeOp::div: return binary<vector::div>(uniform);
    case TapeOp::fma: return ternary<vector::fma>(uniform);
    case TapeOp::fms: return ternary<vector::fms>(uniform);
    case TapeOp::fnma: return ternary<vector::fnma>(uniform);
    case TapeOp::fnms: return ternary<vector::fnms>(uniform);
    case TapeOp::neg: return unary<vector::neg>(uniform);
    case TapeOp::abs: return unary<vector::abs>(uniform);
    case TapeOp::sqrt: return unary<vector::sqrt>(uniform);
    case TapeOp::min: return binary<vector::min>(uniform);
    case TapeOp::max: return binary<vector::max>(uniform);
    case TapeOp::floor: return unary<vector::floor>(uniform);
    case TapeOp::ceil: return unary<vector::ceil>(uniform);
    case TapeOp::trunc: return unary<vector::trunc>(uniform);
    case TapeOp::sign: return unary<vector::sign>(uniform);
    case TapeOp::less: return binary<vector::less>(uniform);
    case TapeOp::less_equal: return binary<vector::less_equal>(uniform);
    case TapeOp::equal: return binary<vector::equal>(uniform);
    case TapeOp::not_equal: return binary<vector::not_equal>(uniform);
    case TapeOp::logical_and: return binary<vector::logical_and>(uniform);
    case TapeOp::logical_or: return binary<vector::logical_or>(uniform);
    case TapeOp::logical_not: return unary<vector::logical_not>(uniform);
    case TapeOp::number: return unary<vector::number>(uniform);
    case TapeOp::select: return ternary<vector::select>(uniform);
    case TapeOp::atan2:
    case TapeOp::pow: return binary_functions[uniform];
    case TapeOp::call:
      return [](const LaneCode& code, const Frame& frame) { run_call(frame, code.a); };
    case TapeOp::call_many:
      return [](const LaneCode& code, const Frame& frame) { run_call_many(frame, code.a); };
    case TapeOp::solve:
      return [](const LaneCode& code, const Frame& frame) { run_solve(frame, code.a); };
    default: return uniform == 0 ? &loop_unary : &loop_unary_uniform;  // sin .. log10
  }
}

}  // namespace
}  // namespace alembert::compile::interpret
