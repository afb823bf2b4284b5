// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. The compiler behind make_kernel, without its checks of the host: for
// regions' bodies and for the self-check. In: a tape. Out: a kernel, empty only if the system
// refuses executable memory.
#pragma once

#include "alembert/compile/native/layout.hpp"
#include "alembert/compile/native/native.hpp"

namespace alembert::compile::native {

Kernel compile(const Tape& tape, const NativeOptions& options, const CutOptions& cuts = {});

}  // namespace alembert::compile::native
