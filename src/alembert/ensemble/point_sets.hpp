// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Points of the unit cube to sample from. In: how many, how many dimensions, a
// seed. Out: numbers in (0, 1), the same ones on every machine. Sobol's sequence has the direction
// numbers of S. Joe and F. Y. Kuo (SIAM J. Sci. Comput. 30, 2635, 2008) in its first dimensions and
// is shifted digit by digit by the seed (Owen's simplest randomisation), so that no point is 0.
#pragma once

#include <cstdint>
#include <vector>

namespace alembert::ensemble {

enum class PointSet { random, latin_hypercube, sobol };

/// A number in (0, 1) that depends on nothing but its arguments.
double uniform_number(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

/// [n_points][n_dimensions].
std::vector<double> unit_points(PointSet set, std::uint64_t n_points, std::uint32_t n_dimensions,
                                std::uint64_t seed);

/// Where the standard normal distribution has the probability p, 0 < p < 1.
double normal_quantile(double p);

}  // namespace alembert::ensemble
