// SPDX-License-Identifier: Apache-2.0
// Stage: integrate. Methods that read the equations of a model themselves instead of a right-hand
// side. In: a name, a compiled model. Out: a stepper whose state is every variable that was kept,
// as CompiledModel::direct_chart has them.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "alembert/integrate/stepper.hpp"

namespace alembert::compile {
class CompiledModel;
}

namespace alembert::integrate {

/// Null where the name is none of model_methods(). The constants are read at each call, and must
/// outlive the stepper as the model must. Errors C003, C004 where the method does not suit the
/// model.
std::unique_ptr<Stepper> make_model_stepper(std::string_view method,
                                            const compile::CompiledModel& model,
                                            std::span<const double> constants, double tolerance);

bool is_model_method(std::string_view method);

/// What `simulate` takes besides: steps of one length, by the method that suits the model.
inline constexpr std::string_view suitable_fixed = "fixed";

}  // namespace alembert::integrate
