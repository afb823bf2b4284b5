// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. A check at run time of code for a vector width that few machines can test:
// every operation of the tape on awkward numbers, in lanes and as scalars. In: a width. Out:
// whether all bits agree.
#pragma once

#include <cstdint>

namespace alembert::compile::native {

bool lanes_agree_with_scalar(std::uint32_t lanes);

}  // namespace alembert::compile::native
