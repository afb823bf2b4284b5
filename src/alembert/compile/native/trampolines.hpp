// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. What emitted code calls for user functions and solved regions: plain C++
// that goes lane by lane. In: arguments as the kernel left them in its frame, [argument][lanes].
// Out: results, [result][lanes]. Nothing here may throw: machine code has no unwind tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/lifted_region.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {

struct CallSite {
  ForeignFunction function;
  std::uint32_t n_arguments = 0;
  std::uint32_t lanes = 1;
};

struct SolveSite {
  SolveRegion region;  // its body is kept as a kernel only
  Kernel body;
  std::shared_ptr<const LiftedRegion> lifted;  // null where there is none
  std::uint32_t lanes = 1;
  std::uint32_t n_parameters = 0;
  bool parameters_per_lane = false;
};

/// Emitted code holds addresses into these; they live as long as the code and never move.
struct Sites {
  std::vector<CallSite> calls;    // [Tape::calls]
  std::vector<SolveSite> solves;  // [Tape::regions]
};

/// Sites of a tape, with regions compiled, equal ones once; `compile` makes a scalar kernel of a
/// region's body.
Sites make_sites(const Tape& tape, std::uint32_t lanes, bool parameters_per_lane,
                 Kernel (*compile)(const Tape& body));

/// Doubles, a multiple of 8, that the trampolines of these sites need for themselves.
std::size_t scratch_size(const Sites& sites);

void run_call(const CallSite* site, const double* arguments, double* results,
              double* scratch) noexcept;
void run_solve(const SolveSite* site, const double* arguments, double* results,
               const double* parameters, double* scratch) noexcept;

}  // namespace alembert::compile::native
