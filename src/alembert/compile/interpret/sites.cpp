// SPDX-License-Identifier: Apache-2.0
// Calls of user functions and solved regions: lane by lane, so that every back end gives the same
// bits.
#include "alembert/compile/interpret/program.hpp"
#include "alembert/compile/region_solver.hpp"

namespace alembert::compile::interpret {
namespace {

double read(const Frame& frame, Operand operand, std::size_t lane) {
  const std::uint32_t base = operand >> index_bits;
  const std::size_t index = operand & ((1u << index_bits) - 1);
  const bool uniform = base >= static_cast<std::uint32_t>(Base::uniform_parameters);
  return frame.base[base][index * frame.stride[base] + (uniform ? 0 : lane)];
}

// Reads operands of one lane into the scratch area; returns what lies behind them.
double* gather(const Frame& frame, const std::vector<Operand>& operands, std::size_t lane,
               double* to) {
  for (Operand operand : operands) *to++ = read(frame, operand, lane);
  return to;
}

void scatter(const Frame& frame, const std::vector<ResultSlot>& results, std::size_t lane,
             const double* from) {
  for (const ResultSlot& slot : results)
    frame.slots[slot.to * frame.width + lane] = from[slot.result];
}

}  // namespace

void run_call(const Frame& frame, std::uint32_t index) {
  const CallSite& site = frame.program->calls()[index];
  double* to = frame.slots + site.to * frame.width;
  for (std::size_t lane = 0; lane < frame.lanes; ++lane) {
    gather(frame, site.arguments, lane, frame.scratch);
    to[lane] = site.function.function(frame.scratch, site.function.context.get());
  }
}

void run_call_many(const Frame& frame, std::uint32_t index) {
  const CallSite& site = frame.program->calls()[index];
  for (std::size_t lane = 0; lane < frame.lanes; ++lane) {
    double* const values = gather(frame, site.arguments, lane, frame.scratch);
    site.function.outputs(frame.scratch, values, site.function.context.get());
    scatter(frame, site.results, lane, values);
  }
}

void run_solve(const Frame& frame, std::uint32_t index) {
  const SolveSite& site = frame.program->solves()[index];
  const Kernel::Shape shape = frame.program->shape();
  // The solver's work comes first: it wants alignment.
  double* const captured =
      frame.scratch + (region_workspace(site.region, site.body, site.lifted.get()) + 7) / 8 * 8;
  for (std::size_t lane = 0; lane < frame.lanes; ++lane) {
    double* const guesses = gather(frame, site.captured, lane, captured);
    gather(frame, site.guesses, lane, guesses);
    double* const unknowns = guesses + site.region.n_unknowns;
    const double* parameters = frame.parameters;
    if (shape.lanes > 1 && shape.parameters_per_lane) {
      double* const own = unknowns + site.region.n_unknowns;
      for (std::uint32_t k : site.parameters)
        own[k] = frame.parameters[k * shape.lanes + frame.first_lane + lane];
      parameters = own;
    }
    solve_region(site.region, site.body, captured, guesses, parameters, unknowns, frame.scratch,
                 site.lifted.get());
    scatter(frame, site.results, lane, unknowns);
  }
}

}  // namespace alembert::compile::interpret
