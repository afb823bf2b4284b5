// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/explicit_runge_kutta.hpp"
#include "alembert/integrate/rosenbrock.hpp"

namespace alembert::integrate {

std::unique_ptr<Stepper> make_stepper(std::string_view method, const OdeSystem& system) {
  if (method == tableaus::Tsit5::name) return std::make_unique<Tsit5>(system);
  if (method == tableaus::Dop853::name) return std::make_unique<Dop853>(system);
  if (method == tableaus::Rodas5p::name) return std::make_unique<Rodas5p>(system);
  return nullptr;
}

}  // namespace alembert::integrate
