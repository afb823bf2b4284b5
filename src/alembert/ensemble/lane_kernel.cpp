// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/lane_kernel.hpp"

#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/native/native.hpp"

namespace alembert::ensemble {

compile::Kernel lane_kernel(const compile::Tape& tape, std::uint32_t lanes,
                            bool parameters_per_lane) {
  const std::uint32_t widest = compile::native::widest_lanes();
  if (lanes == 0) lanes = widest == 0 ? 8 : widest;
  compile::Kernel kernel;
  if (lanes == 1 || lanes == 4 || (lanes == 8 && widest == 8))
    kernel = compile::native::make_kernel(
        tape, {.lanes = lanes, .parameters_per_lane = parameters_per_lane});
  if (!kernel)
    kernel = compile::interpret::make_kernel(
        tape, {.lanes = lanes, .parameters_per_lane = parameters_per_lane});
  return kernel;
}

}  // namespace alembert::ensemble
