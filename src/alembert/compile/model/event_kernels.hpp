// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. What is constant between events, and the kernels that change it at events.
// In: a HybridSystem. Out: the layout of the parameter array that all kernels of a model share, and
// kernels over [time, variables...]. A delayed value is in that array too, although it varies: it
// is entered before each call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/compile/model/clocked_kernels.hpp"
#include "alembert/structure/hybrid_system.hpp"

namespace alembert::compile {

/// Places in the parameter array: parameters first, then these, each list as the flat system has
/// it.
struct ConstantLayout {
  std::vector<symbolic::ExprId> symbols;  // [size]
  std::uint32_t discretes = 0;
  std::uint32_t samples = 0;
  std::uint32_t delays = 0;  // of delays, then both ends of transports: [n_delayed]
  std::uint32_t n_delayed = 0;
  std::uint32_t fronts = 0;   // as HybridSystem::fronts
  std::uint32_t initial = 0;  // one place, whether the model asks or not
  /// One place each where the model asks, else `nowhere`: the end of a run, and how much of
  /// simplified equations there is at the start (structure/homotopy.hpp).
  std::uint32_t terminal = nowhere;
  std::uint32_t homotopy = nowhere;
  std::uint32_t previous_discretes = 0;
  std::uint32_t previous_unknowns = 0;  // as HybridSystem::previous_unknowns
  std::uint32_t modes = 0;
  std::uint32_t clocked_samples = 0;  // as ClockedPart::samples
  std::uint32_t clock_intervals = 0;  // as ClockedPart::clocks, as first_ticks
  std::uint32_t first_ticks = 0;

  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  ConstantLayout() = default;
  explicit ConstantLayout(const structure::HybridSystem& hybrid);

  /// Derivatives of delayed quantities, as far as equations were differentiated that hold them.
  struct DelaySlope {
    std::uint32_t place;
    std::uint32_t delay;  // of the delayed
    std::uint32_t order;
  };
  std::vector<DelaySlope> delay_slopes;
  void add_delay_slopes(const flat::FlatSystem& flat);

  std::size_t size() const { return symbols.size(); }
};

struct EventKernels {
  Kernel modes;  // outputs: [n_modes, n_crossings], as they would be now
  /// Outputs: [n_crossings], the sum of the sizes of the terms of each; then functions that change
  /// their sign where a crossing function has a corner, such as x - a of |x - a| - b.
  Kernel terms;
  Kernel angles;        // outputs: what crossing functions take a sine, cosine or tangent of
  Kernel assignments;   // outputs: [n_discretes], each after those it depends on
  Kernel reinits;       // outputs: [n_reinits] conditions, [n_reinits] values
  Kernel terminations;  // outputs: [n_terminations] conditions
  Kernel assertions;    // outputs: [n_assertions] conditions, then all values of all messages
  Kernel change_times;  // outputs: [n timed modes]
  Kernel clocks;        // outputs: [n_samples] starts, [n_samples] intervals
  Kernel delays;        // outputs: [n_delays] values, delays, longest delays
  /// Outputs: [n_transports][7], what is offered at both ends, the position, 1 or 0 whether it goes
  /// forward, the velocity, and the rates of what is offered; NaN where the model does not have
  /// them.
  Kernel transports;
  Kernel transport_starts;  // outputs: of each transport all points, then all values
  ClockedKernels clocked;
  std::vector<std::uint32_t> timed_modes;  // modes with a change time
  std::vector<char> stepwise_delays;       // [n_delays]: of what changes at events only

  EventKernels() = default;
  EventKernels(const structure::HybridSystem& hybrid, const ConstantLayout& constants,
               std::span<const symbolic::ExprId> inputs, Backend backend);
};

}  // namespace alembert::compile
