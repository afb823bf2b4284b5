// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/model_methods.hpp"

#include <algorithm>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/mechanical_stepper.hpp"
#include "alembert/integrate/taylor_stepper.hpp"

namespace alembert::integrate {

std::span<const MethodInfo* const> model_methods() {
  static constexpr const MethodInfo* infos[] = {&TaylorStepper::info, &rattle_info,
                                                &rattle4_info,        &rattle6_info,
                                                &rattle8_info,        &manifold_midpoint_info};
  return infos;
}

bool is_model_method(std::string_view method) {
  return std::ranges::any_of(model_methods(),
                             [&](const MethodInfo* info) { return info->name == method; });
}

std::unique_ptr<Stepper> make_model_stepper(std::string_view method,
                                            const compile::CompiledModel& model,
                                            std::span<const double> constants, double tolerance) {
  if (method == TaylorStepper::info.name)
    return std::make_unique<TaylorStepper>(model.series(), constants, tolerance);
  for (const MethodInfo* info : model_methods())
    if (info->name == method)
      return std::make_unique<MechanicalStepper>(*info, model.mechanics(), model.series(),
                                                 constants);
  return nullptr;
}

}  // namespace alembert::integrate
