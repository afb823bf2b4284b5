// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Which operations change by steps, and so make events.
#pragma once

#include "alembert/symbolic/pool.hpp"

namespace alembert::structure {

inline bool is_comparison(symbolic::Op op) {
  using enum symbolic::Op;
  return op == less || op == less_equal || op == equal || op == not_equal;
}

inline bool is_stepwise(symbolic::Op op) {
  using enum symbolic::Op;
  return op == sign || op == floor || op == ceil || op == integer_part || op == div || op == mod ||
         op == rem;
}

}  // namespace alembert::structure
