// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. A kernel of lanes: machine code where the host has it, else the interpreter; the
// same bits.
#pragma once

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::ensemble {

/// lanes: 0 for the host's widest.
compile::Kernel lane_kernel(const compile::Tape& tape, std::uint32_t lanes,
                            bool parameters_per_lane);

}  // namespace alembert::ensemble
