// SPDX-License-Identifier: Apache-2.0
// The double pendulum's step written by hand: lanes of a compiler's choice, and lanes tuned with
// vector types and the Schur complement. Compiled for this host alone.
#pragma once

#include <cstdint>

namespace seed {

/// Each as [8][n]; one step of semi-implicit Euler with Baumgarte's omega.
void soa_step(double* y, std::uint64_t n, double h, double omega);
/// n_steps steps for all systems, in blocks that stay in the cache; n a multiple of 16. With
/// `trajectory` [n_steps][8][n] every step is stored.
void tuned_steps(double* y, std::uint64_t n, double h, double omega, std::uint64_t n_steps,
                 double* trajectory);
/// A plain loop over systems with Eigen's LU of the 6 by 6 matrix.
void eigen_step(double* y, std::uint64_t n, double h, double omega);

}  // namespace seed
