// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Many systems at once, with steps of one length. In: an OdeTape, a method, start
// values and parameters of each system. Out: states at the end, and what an observer takes on the
// way: trajectories, extrema, means. Systems are lanes of vector registers, several groups of them
// side by side; blocks of groups stay in the first cache for many steps, threads share the blocks.
// Every system gets the same bits whatever the lanes, neighbours and threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/ensemble/step_tape.hpp"

namespace alembert::ensemble {

struct BatchOptions {
  std::uint32_t lanes = 0;      ///< 0: the host's widest
  std::uint32_t n_threads = 1;  ///< 0: all cores
  bool parameters_per_system = false;
};

/// What an observer sees after each step of a block: the states of systems `first` to
/// `first + n_systems - 1`. Several threads may call it, for different systems.
struct BatchView {
  std::uint64_t step;  // from 1
  std::uint64_t first;
  std::uint64_t n_systems;
  std::uint32_t lanes, width;
  const double* data;  // [group][width][lanes]

  double value(std::uint64_t system, std::uint32_t variable) const {
    return data[(system / lanes * width + variable) * lanes + system % lanes];
  }
};
using BatchObserver = std::function<void(const BatchView&)>;

class Batch {
 public:
  /// `safe`: the same system with pivots by size, for lanes where the margin of `ode` says so; may
  /// be null. Error B003, B004 as of make_step.
  Batch(const OdeTape& ode, const OdeTape* safe, FixedMethod method, double step,
        const BatchOptions& options = {});
  /// Steps made elsewhere, such as make_rattle_step, of that length; `safe` as above.
  Batch(StepTape step, const std::optional<StepTape>& safe, double length,
        const BatchOptions& options = {});

  std::uint32_t n_states() const { return step_.n_states; }
  double step_length() const { return length_; }
  const std::vector<std::string>& names() const { return step_.names; }  // [n_states]
  std::uint32_t lanes() const { return kernel_.shape().lanes; }

  /// states: [n_states][n_systems], replaced by those at the end. parameters: [n_parameters], or
  /// [n_parameters][n_systems] where each system has its own. Returns how many steps of single
  /// systems were made with pivots by size.
  std::uint64_t run(std::span<double> states, std::uint64_t n_systems,
                    std::span<const double> parameters, double t, std::uint64_t n_steps,
                    const BatchObserver& observer = {}) const;
  /// From now on the iterations inside of each system begin there, [n_memory][n_systems], in place
  /// of the model's own start values; empty: those again.
  void begin_iterations_at(std::vector<double> memory) { memory_ = std::move(memory); }

  /// The same, storing every step: trajectory [n_steps][n_states][n_systems].
  std::uint64_t run_stored(std::span<double> states, std::uint64_t n_systems,
                           std::span<const double> parameters, double t, std::uint64_t n_steps,
                           std::span<double> trajectory) const;

 private:
  struct Block;
  std::uint64_t run_all(std::span<double> states, std::uint64_t n_systems,
                        std::span<const double> parameters, double t, std::uint64_t n_steps,
                        const BatchObserver& observer, double* trajectory) const;
  std::uint64_t run_blocks(Block& block, std::uint64_t n_steps, const BatchObserver& observer,
                           double* trajectory, std::uint64_t n_systems) const;
  std::uint64_t mend(const Block& block, const double* before, double* after,
                     double* workspace) const;

  BatchOptions options_;
  double length_;
  std::vector<double> memory_;  // [n_memory][n_systems], or empty
  StepTape step_;
  compile::Kernel kernel_;
  compile::Kernel safe_;  // of one lane
  std::uint32_t n_parameters_;
};

}  // namespace alembert::ensemble
