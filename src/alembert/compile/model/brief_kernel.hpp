// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. Kernels of what runs some dozen times at most, such as a stage of a start.
// In: a tape. Out: machine code, if it is not asked for, of large ones only: of a small one it
// takes longer to make than all runs by the interpreter.
#pragma once

#include "alembert/compile/model/backend.hpp"

namespace alembert::compile {

Kernel make_brief_kernel(const Tape& tape, Backend backend);

}  // namespace alembert::compile
