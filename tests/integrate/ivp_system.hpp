// SPDX-License-Identifier: Apache-2.0
// A problem of ivp_problems.h as steppers take it.
#pragma once

#include <cstring>

#include "alembert/integrate/ode_system.hpp"
#include "integrate/ivp_problems.h"

namespace alembert::integrate {

inline OdeSystem system_of(const ivp_problem& problem) {
  OdeSystem system{.n = static_cast<std::uint32_t>(problem.n)};
  system.context = const_cast<ivp_problem*>(&problem);
  system.rhs = [](void* p, double t, const double* y, double* f) {
    static_cast<const ivp_problem*>(p)->rhs(t, y, f);
    return true;
  };
  if (problem.jacobian != nullptr)
    system.jacobian = [](void* p, double t, const double* y, double* dfdy, double* dfdt) {
      const auto& problem = *static_cast<const ivp_problem*>(p);
      const auto n = static_cast<std::size_t>(problem.n);
      std::memset(dfdy, 0, n * n * sizeof(double));
      std::memset(dfdt, 0, n * sizeof(double));
      problem.jacobian(t, y, dfdy, dfdt);
      return true;
    };
  system.mass = problem.mass;
  return system;
}

}  // namespace alembert::integrate
