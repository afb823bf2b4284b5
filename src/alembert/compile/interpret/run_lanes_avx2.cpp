// SPDX-License-Identifier: Apache-2.0
#include <immintrin.h>

#include <cstddef>

// Four lanes at a time. A condition is a mask: all bits set, or none.
namespace alembert::compile::interpret {
namespace {
namespace vector {

using V = __m256d;
constexpr std::size_t width = 4;

inline V load(const double* from) { return _mm256_loadu_pd(from); }
inline void store(double* to, V x) { _mm256_storeu_pd(to, x); }
inline V broadcast(double x) { return _mm256_set1_pd(x); }

inline V add(V a, V b) { return _mm256_add_pd(a, b); }
inline V sub(V a, V b) { return _mm256_sub_pd(a, b); }
inline V mul(V a, V b) { return _mm256_mul_pd(a, b); }
inline V div(V a, V b) { return _mm256_div_pd(a, b); }
inline V fma(V a, V b, V c) { return _mm256_fmadd_pd(a, b, c); }
inline V fms(V a, V b, V c) { return _mm256_fmsub_pd(a, b, c); }
inline V fnma(V a, V b, V c) { return _mm256_fnmadd_pd(a, b, c); }
inline V fnms(V a, V b, V c) { return _mm256_fnmsub_pd(a, b, c); }
inline V neg(V a) { return _mm256_xor_pd(a, _mm256_set1_pd(-0.0)); }
inline V abs(V a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
inline V sqrt(V a) { return _mm256_sqrt_pd(a); }
// The instructions give b where either is NaN or both are zero, as the tape wants.
inline V min(V a, V b) { return _mm256_min_pd(a, b); }
inline V max(V a, V b) { return _mm256_max_pd(a, b); }
inline V floor(V a) { return _mm256_floor_pd(a); }
inline V ceil(V a) { return _mm256_ceil_pd(a); }
inline V trunc(V a) { return _mm256_round_pd(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC); }
inline V sign(V a) {
  const V zero = _mm256_setzero_pd();
  const V above = _mm256_and_pd(_mm256_cmp_pd(a, zero, _CMP_GT_OQ), _mm256_set1_pd(1.0));
  return _mm256_or_pd(above,
                      _mm256_and_pd(_mm256_cmp_pd(a, zero, _CMP_LT_OQ), _mm256_set1_pd(-1.0)));
}
inline V less(V a, V b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
inline V less_equal(V a, V b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
inline V equal(V a, V b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
inline V not_equal(V a, V b) { return _mm256_cmp_pd(a, b, _CMP_NEQ_UQ); }
inline V logical_and(V a, V b) { return _mm256_and_pd(a, b); }
inline V logical_or(V a, V b) { return _mm256_or_pd(a, b); }
inline V logical_not(V a) { return _mm256_xor_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))); }
inline V number(V a) { return _mm256_and_pd(a, _mm256_set1_pd(1.0)); }
inline V select(V a, V b, V c) { return _mm256_blendv_pd(c, b, a); }

}  // namespace vector
}  // namespace
}  // namespace alembert::compile::interpret

#include "alembert/compile/interpret/run_lanes_body.hpp"

namespace alembert::compile::interpret {

LaneOperation lane_operation_avx2(TapeOp op, unsigned uniform) {
  return find_lane_operation(op, uniform);
}

}  // namespace alembert::compile::interpret
