// SPDX-License-Identifier: Apache-2.0
// Stage: compile/interpret. The reference back end and the instant start: decodes a tape once, then
// runs it operation by operation over all lanes of a group, so that many lanes share the cost of a
// dispatch. In: a tape. Out: a Kernel of any lane count, giving the same bits as native code.
#pragma once

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::interpret {

struct InterpreterOptions {
  std::uint32_t lanes = 1;
  bool parameters_per_lane = false;
  bool portable = false;  ///< the loops for processors without AVX2 and FMA; the same bits, slower
};

Kernel make_kernel(const Tape& tape, const InterpreterOptions& options = {});

}  // namespace alembert::compile::interpret
