// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Other start values for a run of a model that is compiled already. In: values by
// name, the model's own starts. Out: the changed starts; of an alias, the kept variable's.
#pragma once

#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::integrate {

/// Error I013 for a name that is no variable, or one that has no start of its own.
void change_starts(const compile::CompiledModel& model, const flat::ParameterOverrides& changes,
                   compile::CompiledModel::StartPoint& start);

}  // namespace alembert::integrate
