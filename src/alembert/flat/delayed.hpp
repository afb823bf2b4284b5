// SPDX-License-Identifier: Apache-2.0
// Stage: flat. Delays and transports together: quantities of earlier times. In: a FlatSystem. Out:
// their symbols, and what they are computed from.
#pragma once

#include <vector>

#include "alembert/flat/flat_system.hpp"

namespace alembert::flat {

inline std::size_t n_delayed(const FlatSystem& system) {
  return system.delays.size() + 2 * system.transports.size();
}
/// [n_delayed]: of delays, then both of each transport. Of the kind discrete, they vary all the
/// same.
std::vector<ExprId> delayed_symbols(const FlatSystem& system);
/// The expressions that are looked at in a run.
std::vector<ExprId*> delayed_places(FlatSystem& system);
/// Of one transport.
std::vector<ExprId*> places_in_run(Transport& transport);

}  // namespace alembert::flat
