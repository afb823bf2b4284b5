// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/native/schedule.hpp"

namespace alembert::compile::native {

void schedule(Block&, int) {}

}  // namespace alembert::compile::native
