// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. One step of a method as a single tape. In: an OdeTape, the length of the step.
// Out: a tape from [y, t] to [y, t] at the end of the step, in which the stages stand one after the
// other, so that everything between them stays in registers. What a model does not ask for (time)
// and what cannot go wrong (margins) has no place in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/ensemble/ode_tape.hpp"

namespace alembert::ensemble {

enum class FixedMethod {
  euler,                ///< explicit, order 1
  semi_implicit_euler,  ///< velocities first, positions with the new ones; order 1
  verlet,               ///< half of the positions, velocities, the other half; order 2
  rk4,                  ///< the classical one, order 4
  implicit_midpoint,    ///< order 2, symplectic; a Newton iteration in each lane
};

std::string_view to_string(FixedMethod method);

struct StepTape {
  /// Inputs and outputs [y..., memory..., t if used, the least margin so far if there is one].
  compile::Tape tape;
  std::uint32_t n_states = 0;
  std::uint32_t width = 0;  ///< of inputs and outputs
  bool has_time = false;
  bool has_margin = false;
  std::vector<std::string> names = {};  // [n_states]
  std::vector<double> memory = {};      // as of OdeTape
};

/// Error B003 for a method that needs positions and velocities where they are not known, or
/// accelerations without velocities; B004 where a derivative that implicit_midpoint needs is not
/// known.
StepTape make_step(const OdeTape& ode, FixedMethod method, double step);

/// A step of its own length in each lane, with an error estimate: Tsit5. Inputs [y, t, h, f(t, y),
/// memory]; outputs [new y, error in units of the tolerance, new f, memory, margin if there is one,
/// the length taken, at most h, if it is chosen inside].
struct AdaptiveStepTape {
  compile::Tape tape;
  std::uint32_t n_states = 0;
  bool has_margin = false;
  bool chooses_step = false;
};
AdaptiveStepTape make_tsit5_step(const OdeTape& ode, double relative, double absolute);
/// The same interface with Rodas5P: the matrix of each lane is eliminated in straight-line code.
AdaptiveStepTape make_rodas5p_step(const OdeTape& ode, double relative, double absolute);

}  // namespace alembert::ensemble
