// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/integrate/auto_stepper.hpp"
#include "alembert/integrate/explicit_runge_kutta.hpp"
#include "alembert/integrate/fixed_step.hpp"
#include "alembert/integrate/implicit_fixed_step.hpp"
#include "alembert/integrate/radau.hpp"
#include "alembert/integrate/rosenbrock.hpp"
#include "alembert/integrate/sundials/sundials_steppers.hpp"

namespace alembert::integrate {

void Stepper::exchange(Archive& archive) {
  double time = t();
  std::vector<double> state(y().begin(), y().end());
  archive(time, state);
  start(time, state);
}
namespace {

struct Entry {
  const MethodInfo* info;
  std::unique_ptr<Stepper> (*make)(const OdeSystem&);
};

template <class S>
std::unique_ptr<Stepper> made(const OdeSystem& system) {
  return std::make_unique<S>(system);
}

constexpr Entry methods[] = {
    {&AutoStepper::info, made<AutoStepper>},
    {&Tsit5::info, made<Tsit5>},
    {&Dop853::info, made<Dop853>},
    {&Rodas5p::info, made<Rodas5p>},
    {&Rodas6p::info, made<Rodas6p>},
    {&Radau5::info, made<Radau5>},
    {&sundials::cvode_info, sundials::make_cvode},
    {&sundials::ida_info, sundials::make_ida},
    {&euler_info, make_euler},
    {&semi_implicit_euler_info, make_semi_implicit_euler},
    {&rk4_info, make_rk4},
    {&implicit_euler_info, make_implicit_euler},
    {&bdf2_info, make_bdf2},
    {&trapezoidal_info, make_trapezoidal},
    {&midpoint_info, make_midpoint},
    {&newmark_info, make_newmark},
    {&verlet_info, make_verlet},
    {&symplectic4_info, make_symplectic4},
    {&symplectic6_info, make_symplectic6},
    {&symplectic8_info, make_symplectic8},
};

std::string names_with_mass(bool fixed_step) {
  std::string names;
  for (const Entry& entry : methods)
    if (entry.info->takes_mass && (entry.info->step_choice == StepChoice::fixed) == fixed_step)
      names += (names.empty() ? "" : ", ") + std::string(entry.info->name);
  return names;
}

void check_fit(const MethodInfo& info, const OdeSystem& system) {
  const std::string name = "the method '" + std::string(info.name) + "' ";
  if (system.mass != nullptr && !info.takes_mass)
    throw Error("I010", name + "takes no mass matrix. Use one of " + names_with_mass(false) +
                            ", or of those with a fixed step " + names_with_mass(true) + ".");
  const bool is_separable = info.needs_separable && system.is_momentum != nullptr;
  if (info.needs_velocities && system.velocity_of == nullptr && !is_separable)
    throw Error("I010",
                name +
                    "needs states that are positions and velocities, each velocity the derivative "
                    "of its position. Use auto, or rattle for a mechanism with constraints.");
}

}  // namespace

std::span<const MethodInfo* const> all_methods() {
  static const auto infos = [] {
    std::array<const MethodInfo*, std::size(methods)> list{};
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = methods[i].info;
    return list;
  }();
  return infos;
}

const MethodInfo* find_method(std::string_view name) {
  for (const auto methods : {all_methods(), model_methods()})
    for (const MethodInfo* info : methods)
      if (info->name == name) return info;
  return nullptr;
}

std::unique_ptr<Stepper> make_stepper(std::string_view method, const OdeSystem& system) {
  for (const Entry& entry : methods) {
    if (entry.info->name != method) continue;
    check_fit(*entry.info, system);
    return entry.make(system);
  }
  return nullptr;
}

}  // namespace alembert::integrate
