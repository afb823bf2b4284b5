// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/point_sets.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace alembert::ensemble {

namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that mixes every bit.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return mixed(mixed(mixed(seed) ^ stream) ^ index);
}

/// The middle of one of 2^52 equal parts: neither 0 nor 1.
double open_unit(std::uint64_t bits) { return (double(bits >> 12) + 0.5) * 0x1p-52; }

// ---- Sobol ------------------------------------------------------------------------------------

constexpr int n_digits = 52;

struct Polynomial {
  std::uint32_t degree;
  std::uint32_t inner;  // coefficients between the first and the last
};

struct JoeKuo {
  Polynomial polynomial;
  std::array<std::uint32_t, 7> first;  // m_1, m_2, ...
};

constexpr std::array<JoeKuo, 20> joe_kuo = {{
    {{1, 0}, {1}},
    {{2, 1}, {1, 3}},
    {{3, 1}, {1, 3, 1}},
    {{3, 2}, {1, 1, 1}},
    {{4, 1}, {1, 1, 3, 3}},
    {{4, 4}, {1, 3, 5, 13}},
    {{5, 2}, {1, 1, 5, 5, 17}},
    {{5, 4}, {1, 1, 5, 5, 5}},
    {{5, 7}, {1, 1, 7, 11, 19}},
    {{5, 11}, {1, 1, 5, 1, 1}},
    {{5, 13}, {1, 1, 1, 3, 11}},
    {{5, 14}, {1, 3, 5, 5, 31}},
    {{6, 1}, {1, 3, 3, 9, 7, 49}},
    {{6, 13}, {1, 1, 1, 15, 21, 21}},
    {{6, 16}, {1, 3, 1, 13, 27, 49}},
    {{6, 19}, {1, 1, 1, 15, 7, 5}},
    {{6, 22}, {1, 3, 1, 15, 13, 25}},
    {{6, 25}, {1, 1, 5, 5, 19, 61}},
    {{7, 1}, {1, 3, 7, 11, 23, 15, 103}},
    {{7, 4}, {1, 3, 7, 13, 13, 15, 69}},
}};

using Directions = std::array<std::uint64_t, n_digits>;  // digits as the upper bits of n_digits

/// m_k for k > degree follow from the recurrence of the polynomial.
Directions directions_of(const Polynomial& polynomial, std::vector<std::uint64_t> m) {
  const std::uint32_t s = polynomial.degree;
  for (std::uint32_t k = s; k < n_digits; ++k) {
    std::uint64_t next = m[k - s] ^ (m[k - s] << s);
    for (std::uint32_t i = 1; i < s; ++i)
      if ((polynomial.inner >> (s - 1 - i)) & 1u) next ^= m[k - i] << i;
    m.push_back(next);
  }
  Directions directions{};
  for (std::uint32_t k = 0; k < n_digits; ++k) directions[k] = m[k] << (n_digits - 1 - k);
  return directions;
}

/// Whether x is of order 2^degree - 1 modulo the polynomial over GF(2).
bool is_primitive(std::uint32_t degree, std::uint32_t inner) {
  const std::uint64_t full = (std::uint64_t{1} << degree) | (std::uint64_t{inner} << 1) | 1u;
  const std::uint64_t order = (std::uint64_t{1} << degree) - 1;
  std::uint64_t power = 1;
  for (std::uint64_t k = 1; k <= order; ++k) {
    power <<= 1;
    if ((power >> degree) & 1u) power ^= full;
    if (power == 1) return k == order;
  }
  return false;
}

/// Behind the table: the next primitive polynomials, with first numbers by chance. They keep every
/// dimension well spread by itself, if not all pairs as well as those of the table.
std::vector<Directions> sobol_directions(std::uint32_t n_dimensions) {
  std::vector<Directions> all;
  if (n_dimensions == 0) return all;
  Directions first{};
  for (std::uint32_t k = 0; k < n_digits; ++k) first[k] = std::uint64_t{1} << (n_digits - 1 - k);
  all.push_back(first);
  for (const JoeKuo& entry : joe_kuo) {
    if (all.size() == n_dimensions) return all;
    all.push_back(directions_of(
        entry.polynomial, {entry.first.begin(), entry.first.begin() + entry.polynomial.degree}));
  }
  Polynomial next = {7, 5};
  while (all.size() < n_dimensions) {
    if (is_primitive(next.degree, next.inner)) {
      std::vector<std::uint64_t> m;
      for (std::uint32_t k = 0; k < next.degree; ++k)
        m.push_back((random_bits(all.size(), 1, k) & ((std::uint64_t{1} << (k + 1)) - 1)) | 1u);
      all.push_back(directions_of(next, std::move(m)));
    }
    if (++next.inner >> (next.degree - 1)) next = {next.degree + 1, 0};
  }
  return all;
}

std::vector<double> sobol_points(std::uint64_t n, std::uint32_t d, std::uint64_t seed) {
  const std::vector<Directions> directions = sobol_directions(d);
  std::vector<std::uint64_t> x(d);
  for (std::uint32_t j = 0; j < d; ++j) x[j] = random_bits(seed, j, 0) >> (64 - n_digits);
  std::vector<double> points;
  points.reserve(n * d);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < d; ++j) points.push_back((double(x[j]) + 0.5) * 0x1p-52);
    const auto changed = static_cast<std::size_t>(std::countr_one(i));  // Gray code
    for (std::uint32_t j = 0; j < d; ++j) x[j] ^= directions[j][changed];
  }
  return points;
}

/// One point in each of n equal parts of every axis.
std::vector<double> latin_points(std::uint64_t n, std::uint32_t d, std::uint64_t seed) {
  std::vector<double> points(n * d);
  std::vector<std::uint64_t> order(n);
  for (std::uint32_t j = 0; j < d; ++j) {
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    for (std::uint64_t i = n; i > 1; --i) {
      const auto k = static_cast<std::uint64_t>(uniform_number(seed, 2 * j, i) * double(i));
      std::swap(order[i - 1], order[k]);
    }
    for (std::uint64_t i = 0; i < n; ++i)
      points[i * d + j] = (double(order[i]) + uniform_number(seed, 2 * j + 1, i)) / double(n);
  }
  return points;
}

}  // namespace

double uniform_number(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return open_unit(random_bits(seed, stream, index));
}

std::vector<double> unit_points(PointSet set, std::uint64_t n_points, std::uint32_t n_dimensions,
                                std::uint64_t seed) {
  if (set == PointSet::sobol) return sobol_points(n_points, n_dimensions, seed);
  if (set == PointSet::latin_hypercube) return latin_points(n_points, n_dimensions, seed);
  std::vector<double> points;
  points.reserve(n_points * n_dimensions);
  for (std::uint64_t i = 0; i < n_points; ++i)
    for (std::uint32_t j = 0; j < n_dimensions; ++j) points.push_back(uniform_number(seed, j, i));
  return points;
}

// Bisection would do; Newton's steps on the distribution itself are quicker and as exact. The lower
// half only, where 1 - p would lose digits.
double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  const double t = std::sqrt(-2 * std::log(p));
  // Abramowitz and Stegun 26.2.23 as a start.
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int i = 0; i < 3; ++i) {
    const double error = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
    const double step = error * std::sqrt(2 * std::numbers::pi) * std::exp(0.5 * x * x);
    x -= step / (1 + 0.5 * x * step);
  }
  return x;
}

}  // namespace alembert::ensemble
