// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. Many systems at once, each with steps and error control of its own. In: an
// OdeTape, start values, parameters and times of each system, functions whose zeros matter. Out:
// states at the end, extrema and time means, times of crossings. Each lane goes at its own pace;
// one that has finished takes the next system, so that a slow one holds nobody up. A system's
// result does not depend on its lane, its neighbours or the threads, bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "alembert/compile/kernel.hpp"
#include "alembert/ensemble/step_tape.hpp"
#include "alembert/integrate/adaptive.hpp"

namespace alembert::ensemble {

enum class AdaptiveMethod { tsit5, rodas5p };

struct AdaptiveOptions {
  AdaptiveMethod method = AdaptiveMethod::tsit5;
  double relative = 1e-6;
  double absolute = 1e-6;
  std::uint64_t max_steps = 1'000'000;  ///< of each system
  std::uint32_t lanes = 0;              ///< 0: the host's widest
  std::uint32_t n_threads = 1;          ///< 0: all cores
  bool parameters_per_system = false;
};

/// A function g(t, y) whose zeros are looked for within each step (one sign change a step), on the
/// step's cubic interpolant.
struct BatchEvent {
  compile::Tape function = {};  // inputs [t, y...], one output; parameters as the system's
  int direction = 0;            ///< 1: rising only, -1: falling only, 0: both
  bool stops = false;           ///< the system ends there
};

struct CrossingTime {
  std::uint64_t system;
  std::uint32_t event;
  double time;
};

struct AdaptiveBatchResult {
  std::vector<double> states;                // [n_states][n_systems], at the end
  std::vector<double> end_times;             // [n_systems]
  std::vector<integrate::Outcome> outcomes;  // [n_systems]: done, terminated (by an event), ...
  std::vector<std::uint64_t> n_steps;        // [n_systems]: accepted
  std::vector<std::uint64_t> n_rejected;     // [n_systems]
  std::vector<double> low, high;             // [n_states][n_systems]: extrema at the steps' ends
  std::vector<double> mean, variance;        // [n_states][n_systems]: over time
  std::vector<CrossingTime> crossings;       // by system, then time
};

/// Steps for all lanes, and what belongs to them.
struct LaneSteps {
  AdaptiveStepTape step = {};
  compile::Tape slopes = {};            // inputs [t, y, memory]; outputs [f, memory, ...]
  std::vector<double> memory = {};      // where iterations begin
  std::vector<std::string> names = {};  // [n_states]
  /// The step of one lane by a safer way, for its inputs and parameters; null if there is none.
  /// Several threads may ask.
  std::function<const compile::Kernel*(const double* in, const double* parameters)> safe = {};
};

class AdaptiveBatch {
 public:
  /// Error B004 where rodas5p needs a derivative that is not known.
  /// `safe`: as of Batch.
  AdaptiveBatch(const OdeTape& ode, const OdeTape* safe, std::vector<BatchEvent> events,
                const AdaptiveOptions& options = {});
  /// Steps made elsewhere, such as make_taylor_steps; the method and tolerances of the options do
  /// not count.
  AdaptiveBatch(LaneSteps steps, std::vector<BatchEvent> events,
                const AdaptiveOptions& options = {});

  const std::vector<std::string>& names() const { return names_; }  // [n_states]
  /// As of Batch.
  void begin_iterations_at(std::vector<double> memory) { memory_ = std::move(memory); }

  /// states: [n_states][n_systems]. parameters: [n_parameters], or [n_parameters][n_systems].
  AdaptiveBatchResult run(std::span<const double> states, std::uint64_t n_systems,
                          std::span<const double> parameters, double t, double t_end) const;

  std::uint32_t lanes() const { return step_.shape().lanes; }

 private:
  class Lanes;

  AdaptiveOptions options_;
  std::uint32_t n_states_;
  std::uint32_t n_parameters_;
  std::vector<BatchEvent> events_;
  std::vector<std::string> names_;
  bool has_margin_ = false;
  bool chooses_step_ = false;
  std::vector<double> model_memory_;      // [n_memory]
  std::vector<double> memory_;            // [n_memory][n_systems], or empty
  compile::Kernel step_;                  // as make_tsit5_step
  decltype(LaneSteps::safe) safe_;        // where a margin is not positive
  compile::Kernel rhs_;                   // one lane: [t, y, memory] to [f, memory]
  std::vector<compile::Kernel> crossed_;  // [n_events], one lane
};

}  // namespace alembert::ensemble
