// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Tables that a C function `usertab` of the model has. In: the
// name of the table. Out: its numbers.
#pragma once

#include <optional>
#include <string>

#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/tables/curve.hpp"

namespace alembert::modelica {

/// As `usertab` counts them.
enum class UserTableKind { time = 0, one_dimension = 1, two_dimensions = 2 };

/// None if no function of the model includes `usertab`.
std::optional<tables::Matrix> user_table(const ExternalCall& call, const std::string& table,
                                         UserTableKind kind);

}  // namespace alembert::modelica
