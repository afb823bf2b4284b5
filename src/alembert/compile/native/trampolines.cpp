// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Calls out of machine code; see trampolines.hpp.
#include "alembert/compile/native/trampolines.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/compile/region_solver.hpp"
#include "alembert/compile/shared_kernels.hpp"

namespace alembert::compile::native {
namespace {

/// To whole cache lines, so that the parts behind stay aligned.
std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

std::size_t scratch_of(const SolveSite& site) {
  const SolveRegion& region = site.region;
  return padded(region_workspace(region, site.body, site.lifted.get())) +
         padded(region.captured.size()) + padded(region.guesses.size()) +
         padded(region.n_unknowns) + (site.parameters_per_lane ? padded(site.n_parameters) : 0);
}

void gather(double* to, const double* from, std::size_t n, std::uint32_t lanes) {
  for (std::size_t k = 0; k < n; ++k) to[k] = from[k * lanes];
}

}  // namespace

Sites make_sites(const Tape& tape, std::uint32_t lanes, bool parameters_per_lane,
                 Kernel (*compile)(const Tape& body)) {
  Sites sites;
  sites.calls.reserve(tape.calls.size());
  for (const Call& call : tape.calls)
    sites.calls.push_back(
        {tape.functions[call.function], static_cast<std::uint32_t>(call.arguments.size()), lanes});
  sites.solves.reserve(tape.regions.size());
  SharedKernels bodies(compile);
  const auto kernel_of = [&](const Tape& body) { return bodies.of(body); };
  for (const SolveRegion& region : tape.regions) {
    SolveSite site{.region = {.kind = region.kind,
                              .n_unknowns = region.n_unknowns,
                              .captured = region.captured,
                              .guesses = region.guesses,
                              .jacobian_rows = region.jacobian_rows,
                              .jacobian_columns = region.jacobian_columns,
                              .body = {},
                              .elimination = region.elimination},
                   .body = kernel_of(region.body),
                   .lifted = lift_exponentials(region, kernel_of),
                   .lanes = lanes,
                   .n_parameters = tape.n_parameters,
                   .parameters_per_lane = parameters_per_lane};
    ensure(static_cast<bool>(site.body), "a host that runs a kernel runs those of its regions");
    site.region.body.outputs = region.body.outputs;  // the solver counts them
    sites.solves.push_back(std::move(site));
  }
  return sites;
}

std::size_t scratch_size(const Sites& sites) {
  std::size_t size = 0;
  for (const CallSite& site : sites.calls)
    size = std::max(size, padded(site.n_arguments + site.function.n_outputs));
  for (const SolveSite& site : sites.solves) size = std::max(size, scratch_of(site));
  return size;
}

void run_call(const CallSite* site, const double* arguments, double* results,
              double* scratch) noexcept {
  const ForeignFunction& function = site->function;
  for (std::uint32_t lane = 0; lane < site->lanes; ++lane) {
    gather(scratch, arguments + lane, site->n_arguments, site->lanes);
    if (function.outputs == nullptr) {
      results[lane] = function.function(scratch, function.context.get());
      continue;
    }
    double* const values = scratch + site->n_arguments;
    function.outputs(scratch, values, function.context.get());
    for (std::uint32_t k = 0; k < function.n_outputs; ++k)
      results[k * site->lanes + lane] = values[k];
  }
}

void run_solve(const SolveSite* site, const double* arguments, double* results,
               const double* parameters, double* scratch) noexcept {
  const SolveRegion& region = site->region;
  const std::size_t n_captured = region.captured.size();
  double* work = scratch;
  double* captured = work + padded(region_workspace(region, site->body, site->lifted.get()));
  double* guesses = captured + padded(n_captured);
  double* unknowns = guesses + padded(region.guesses.size());
  double* own_parameters = unknowns + padded(region.n_unknowns);
  for (std::uint32_t lane = 0; lane < site->lanes; ++lane) {
    gather(captured, arguments + lane, n_captured, site->lanes);
    gather(guesses, arguments + n_captured * site->lanes + lane, region.guesses.size(),
           site->lanes);
    const double* lane_parameters = parameters;
    if (site->parameters_per_lane && site->lanes > 1) {
      gather(own_parameters, parameters + lane, site->n_parameters, site->lanes);
      lane_parameters = own_parameters;
    }
    solve_region(region, site->body, captured, region.guesses.empty() ? nullptr : guesses,
                 lane_parameters, unknowns, work, site->lifted.get());
    for (std::uint32_t k = 0; k < region.n_unknowns; ++k)
      results[k * site->lanes + lane] = unknowns[k];
  }
}

}  // namespace alembert::compile::native
