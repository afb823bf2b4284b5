// SPDX-License-Identifier: Apache-2.0
// Tests of integrate: how often operator new was called so far, in the whole test program.
#pragma once

#include <cstdint>

namespace alembert::integrate {

std::uint64_t allocation_count();

}  // namespace alembert::integrate
