// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Whether a reduced system is separable: its states are positions and momenta,
// as many of both, the slopes of positions depend on momenta alone and those of momenta on
// positions alone (and both on time). That is the shape of q'' = a(t, q) and of a Hamiltonian T(p)
// + V(q), and what symplectic compositions need. Hairer, Lubich and Wanner, Geometric Numerical
// Integration, I.1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alembert/structure/reduced_system.hpp"

namespace alembert::structure {

enum class Part : std::uint8_t { position, momentum };

/// [n states], or empty where the system is not separable. `variables`: the symbols of the
/// structure's variables. A state whose slope is another state is a position; where there is none,
/// the last by name of those that are connected is.
std::vector<Part> separable_parts(const symbolic::ExprPool& pool, const Structure& structure,
                                  std::span<const ExprId> variables, const ReducedSystem& reduced);

}  // namespace alembert::structure
