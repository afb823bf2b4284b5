// SPDX-License-Identifier: Apache-2.0
// Stage: integrate, for Taylor series. Horner's rule. In: coefficients of several series at once.
// Out: their sums and derivatives at a point.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace alembert::integrate {

/// Sums of several series side by side: each waits for its own last coefficient only.
using SummedTogether = std::array<double, 4>;
inline constexpr std::size_t summed_at_a_time = SummedTogether().size();

/// Series of the same number of coefficients each, to be summed with their derivatives up to an
/// order (each over the factorial).
struct Summand {
  const double* c[summed_at_a_time];
  std::size_t n;
};

/// One step of Horner's rule. Plain products: the compiler's fused one is a call where the machine
/// need not have it.
template <std::size_t order>
inline void add_coefficient(const Summand& series, std::size_t k, double tau,
                            SummedTogether* sums) {
// Unrolled, or the sums would not stay in registers.
#pragma GCC unroll 4
  for (std::size_t m = order; m > 0; --m)
#pragma GCC unroll 4
    for (std::size_t i = 0; i < summed_at_a_time; ++i)
      sums[m][i] = sums[m][i] * tau + sums[m - 1][i];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < summed_at_a_time; ++i) sums[0][i] = sums[0][i] * tau + series.c[i][k];
}

template <std::size_t order>
void horner(const Summand& series, double tau, SummedTogether* p) {
  SummedTogether sums[order + 1] = {};
  for (std::size_t k = series.n; k-- > 0;) add_coefficient<order>(series, k, tau, sums);
  std::copy_n(sums, order + 1, p);
}

/// Two at once: each coefficient waits for the one before it, and meanwhile the other goes on.
template <std::size_t order, std::size_t other_order>
void horner(const Summand& series, const Summand& other, double tau, SummedTogether* p,
            SummedTogether* other_p) {
  SummedTogether sums[order + 1] = {}, other_sums[other_order + 1] = {};
  std::size_t k = series.n, other_k = other.n;
  while (k > other_k) add_coefficient<order>(series, --k, tau, sums);
  while (other_k > k) add_coefficient<other_order>(other, --other_k, tau, other_sums);
  while (k-- > 0) {
    add_coefficient<order>(series, k, tau, sums);
    add_coefficient<other_order>(other, k, tau, other_sums);
  }
  std::copy_n(sums, order + 1, p);
  std::copy_n(other_sums, other_order + 1, other_p);
}

inline void horner(const Summand& series, double tau, SummedTogether* p, std::size_t order) {
  std::fill_n(p, order + 1, SummedTogether{});
  for (std::size_t k = series.n; k-- > 0;)
    for (std::size_t i = 0; i < summed_at_a_time; ++i) {
      for (std::size_t m = order; m > 0; --m) p[m][i] = p[m][i] * tau + p[m - 1][i];
      p[0][i] = p[0][i] * tau + series.c[i][k];
    }
}

inline void horner_of_length(const Summand& series, std::size_t length, double tau,
                             SummedTogether* p) {
  switch (length) {
    case 1: return horner<0>(series, tau, p);
    case 2: return horner<1>(series, tau, p);
    case 3: return horner<2>(series, tau, p);
    default: return horner(series, tau, p, length - 1);
  }
}

/// Of chains whose lengths ascend.
inline void horner_of_lengths(const Summand& series, std::size_t length, SummedTogether* p,
                              const Summand& other, std::size_t other_length,
                              SummedTogether* other_p, double tau) {
  switch (other_length > 3 ? 0 : 4 * length + other_length) {
    case 4 * 1 + 1: return horner<0, 0>(series, other, tau, p, other_p);
    case 4 * 1 + 2: return horner<0, 1>(series, other, tau, p, other_p);
    case 4 * 1 + 3: return horner<0, 2>(series, other, tau, p, other_p);
    case 4 * 2 + 2: return horner<1, 1>(series, other, tau, p, other_p);
    case 4 * 2 + 3: return horner<1, 2>(series, other, tau, p, other_p);
    case 4 * 3 + 3: return horner<2, 2>(series, other, tau, p, other_p);
    default:
      horner_of_length(series, length, tau, p);
      horner_of_length(other, other_length, tau, other_p);
  }
}

}  // namespace alembert::integrate
