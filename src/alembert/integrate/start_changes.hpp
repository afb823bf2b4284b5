// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Other start values for a run of a model that is compiled already. In: values by
// name, the model's own starts. Out: the changed starts; of an alias, the kept variable's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::integrate {

/// Error I013 for a name that is no variable, or one that has no start of its own.
void change_starts(const compile::CompiledModel& model, const flat::ParameterOverrides& changes,
                   compile::CompiledModel::StartPoint& start);

/// What decides about a start instead of whoever gave another one.
enum class StartsFrom { equations, checkpoint };

/// A sentence where a variable starts with another value than the one that was asked for; empty
/// where it does not. asked: "3 of --set", as who asked knows it.
std::string warn_of_unused_start(std::string_view name, double value, double wanted,
                                 std::string_view asked,
                                 StartsFrom from = StartsFrom::equations);

/// The place of the discrete variable with this name.
std::optional<std::uint32_t> find_discrete(const compile::CompiledModel& model,
                                           std::string_view name);

/// The same of discrete variables, among the constants of the model; other names are skipped. Error
/// I013 for a value that is none of the variable's type.
void change_discrete_starts(const compile::CompiledModel& model,
                            const flat::ParameterOverrides& changes,
                            std::vector<double>& constants);

}  // namespace alembert::integrate
