// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. What delayed quantities are made of, compiled: all that a run has to know
// so as to keep their past.
#pragma once

#include <vector>

#include "alembert/compile/model/source_kernels.hpp"

namespace alembert::compile {

struct DelayKernels {
  SourceKernels sources;  // that what is delayed is made of (structure/time_sources.hpp)
  /// Outputs: functions that change their sign where something delayed has a kink or a jump that
  /// makes no event (structure/hidden_kinks.hpp). Inputs: [time, variables...].
  Kernel kinks;
  /// [n_delays]: the slopes of states, or comparisons, depend on the delayed quantity.
  std::vector<char> drives;
};

}  // namespace alembert::compile
