// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Machine code of a symbolic::Program, the body of a function that the run
// calls: branches stay branches, results are in registers as long as there is room and in their
// slots always. In: a program. Out: code that gives the same bits, or nothing where it cannot be
// made. For bodies as long as those of media an interpreter waits at every instruction for the jump
// to the next.
#pragma once

#include "alembert/symbolic/program.hpp"

namespace alembert::compile::native {

symbolic::Program::Translation translate_program(const symbolic::Program& program);

}  // namespace alembert::compile::native
