// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. The clocks of a compiled model, for those who let them tick.
#pragma once

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/flat/clocked_part.hpp"

namespace alembert::compile {

/// Null where nothing is clocked.
inline const flat::ClockedPart* clocked_part(const CompiledModel& model) {
  return model.flat().clocked.get();
}

}  // namespace alembert::compile
