// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. What is computed at the ticks of clocks. In: the clocked part of a flat
// system. Out: kernels over [time, variables...] and the constants of the model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/flat/flat_system.hpp"

namespace alembert::compile {

struct ConstantLayout;

struct ClockedKernels {
  struct Segment {
    std::uint32_t clock;
    Kernel kernel;                         // outputs: the new values
    std::vector<std::uint32_t> variables;  // of flat.discrete_variables, as many
  };
  Kernel samples;    // outputs: [n_samples]
  Kernel intervals;  // outputs: [n_bases], of event clocks the interval of the first tick
  std::vector<Segment> segments;                               // in solve order
  std::vector<std::vector<std::uint32_t>> variables_of_clock;  // of flat.discrete_variables
  std::vector<std::uint32_t> count_of_base;                    // discrete variable; none: periodic

  static constexpr std::uint32_t none = 0xffffffffu;

  ClockedKernels() = default;
  ClockedKernels(const flat::FlatSystem& flat, const ConstantLayout& constants,
                 std::span<const symbolic::ExprId> inputs, Backend backend);
};

}  // namespace alembert::compile
