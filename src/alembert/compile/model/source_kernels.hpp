// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. What drives a model from outside (structure/time_sources.hpp), compiled.
#pragma once

#include "alembert/compile/kernel.hpp"

namespace alembert::compile {

/// Inputs: [time]. Empty where there are none.
struct SourceKernels {
  Kernel angles;  // outputs: arguments of sine and cosine
  Kernel others;  // outputs: sources that are more than sines and polynomials
};

}  // namespace alembert::compile
