// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. The choice of a back end. In: a tape. Out: native code where this host runs
// it, else the interpreter; both give the same bits, so the choice shows in the time only.
#pragma once

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile {

enum class Backend { automatic, interpreter, native };

/// Error C002 if native code is asked for and not to be had.
Kernel make_kernel(const Tape& tape, Backend backend = Backend::automatic);

}  // namespace alembert::compile
