// SPDX-License-Identifier: Apache-2.0
// Stage: compile. Some of what a tape computes. In: a tape. Out: a tape with fewer outputs, and
// only what these need; the same bits. So that several kernels come from one lowering.
#pragma once

#include <cstddef>

#include "alembert/compile/tape.hpp"

namespace alembert::compile {

/// Outputs first .. first + count - 1.
Tape tape_part(const Tape& tape, std::size_t first, std::size_t count);

/// Without instructions, constants, calls and regions that no output needs.
Tape without_unused(Tape tape);

}  // namespace alembert::compile
