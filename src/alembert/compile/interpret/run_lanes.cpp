// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>

// One lane at a time, for processors without AVX2. A condition is 1 or 0.
namespace alembert::compile::interpret {
namespace {
namespace vector {

using V = double;
constexpr std::size_t width = 1;

inline V load(const double* from) { return *from; }
inline void store(double* to, V x) { *to = x; }
inline V broadcast(double x) { return x; }

inline V add(V a, V b) { return a + b; }
inline V sub(V a, V b) { return a - b; }
inline V mul(V a, V b) { return a * b; }
inline V div(V a, V b) { return a / b; }
inline V fma(V a, V b, V c) { return std::fma(a, b, c); }
inline V fms(V a, V b, V c) { return std::fma(a, b, -c); }
inline V fnma(V a, V b, V c) { return std::fma(-a, b, c); }
inline V fnms(V a, V b, V c) { return std::fma(-a, b, -c); }
inline V neg(V a) { return -a; }
inline V abs(V a) { return std::fabs(a); }
inline V sqrt(V a) { return std::sqrt(a); }
inline V min(V a, V b) { return a < b ? a : b; }
inline V max(V a, V b) { return a > b ? a : b; }
inline V floor(V a) { return std::floor(a); }
inline V ceil(V a) { return std::ceil(a); }
inline V trunc(V a) { return std::trunc(a); }
inline V sign(V a) { return a > 0.0 ? 1.0 : (a < 0.0 ? -1.0 : 0.0); }
inline V less(V a, V b) { return a < b ? 1.0 : 0.0; }
inline V less_equal(V a, V b) { return a <= b ? 1.0 : 0.0; }
inline V equal(V a, V b) { return a == b ? 1.0 : 0.0; }
inline V not_equal(V a, V b) { return a != b ? 1.0 : 0.0; }
inline V logical_and(V a, V b) { return a * b; }
inline V logical_or(V a, V b) { return a > b ? a : b; }
inline V logical_not(V a) { return 1.0 - a; }
inline V number(V a) { return a; }
inline V select(V a, V b, V c) { return a != 0.0 ? b : c; }

}  // namespace vector
}  // namespace
}  // namespace alembert::compile::interpret

#include "alembert/compile/interpret/run_lanes_body.hpp"

namespace alembert::compile::interpret {

LaneOperation lane_operation(TapeOp op, unsigned uniform) {
  return find_lane_operation(op, uniform);
}

}  // namespace alembert::compile::interpret
