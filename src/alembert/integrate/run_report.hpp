// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. What a run can say about itself. In: how often each state limited the step, the
// point at which a value was first missing, the point where the run ended. Out: names, equations
// and sentences.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::integrate {

/// A state, and in how many attempts it had the largest share of the error.
struct StepLimit {
  std::string name;
  std::uint64_t attempts = 0;
};

/// The first value that was missing in a run; the step may have been tried again, smaller.
struct MissingValue {
  double time = 0;
  std::string variable;
  std::string equation;  ///< that should have given it, as text
  Origin origin;
  bool constrained = false;  ///< the equation was differentiated: a constraint between states
};

/// attempts: [n_variables]. The states that limited the step most often, at most five.
std::vector<StepLimit> step_limits(const compile::CompiledModel& model,
                                   std::span<const std::uint64_t> attempts);

/// largest: [n_variables], of states without a nominal value the largest that they have been, else
/// 0. Which of them were too small for the tolerance to say anything of their digits, in a
/// sentence; empty where none was. What is rounding beside the largest of all is not meant.
std::string warn_of_small_states(const compile::CompiledModel& model,
                                 std::span<const double> largest, double tolerance);

/// Of the first call of ModelPoint::derivatives that failed; empty if none did.
std::vector<MissingValue> find_missing(ModelPoint& point);
/// The same of any failure.
std::vector<MissingValue> find_missing(ModelPoint& point, const ModelPoint::Failure& failure);

/// Whether there are values a little later than where one is missing.
enum class BeyondGap { none, bounded, unbounded };

/// Why a run ends within a step whose states have values; empty where nothing is missing.
std::string explain_end_of_values(std::span<const MissingValue> missing, BeyondGap beyond);

/// Why a run ends before a step that would lead over a pole. steepest: the state that grows fastest
/// towards it, empty if not known.
std::string explain_pole(const std::string& steepest);

/// "'x' has no value at time 1, by equation 'x = sqrt(1 - time)' (a.mo:3:5)".
std::string to_string(const MissingValue& missing);

/// Why a run was given up after so many steps and attempts at some, and what to try.
/// is_stiff: by a method for stiff models.
std::string explain_many_steps(const Statistics& statistics, std::span<const StepLimit> limits,
                               bool is_stiff);

/// That a state is so large that it overflows next, and why that may be; empty if none is.
std::string explain_overflow(std::span<const std::string> names, std::span<const double> y,
                             StepChoice step_choice);

/// Why steps cannot go on from the point: a state that grows without bound, a value that is
/// missing, or the state that limits the step. y, f: [n_states].
std::string explain_stop(const ModelPoint& point, Outcome outcome, double span,
                         std::span<const double> y, std::span<const double> f,
                         std::span<const MissingValue> missing, std::span<const StepLimit> limits);

}  // namespace alembert::integrate
