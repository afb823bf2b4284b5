// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert::integrate {

namespace {

constexpr std::pair<std::string_view, Formulation> names[] = {
    {"auto", Formulation::automatic},
    {"dynamic", Formulation::dynamic},
    {"dummy", Formulation::dummy},
    {"static", Formulation::dummy},
    {"projection", Formulation::projection},
    {"baumgarte", Formulation::baumgarte},
    {"ggl", Formulation::ggl},
};

}  // namespace

std::string_view to_string(Formulation formulation) {
  for (const auto& [name, value] : names)
    if (value == formulation) return name;
  ensure(false, "unknown formulation");
  return {};
}

Formulation formulation_named(std::string_view name) {
  std::string all;
  for (const auto& [known, value] : names) {
    if (known == name) return value;
    all += (all.empty() ? "" : ", ") + std::string(known);
  }
  throw Error("I015", "there is no formulation named '" + std::string(name) +
                          "'. The formulations are " + all + ".");
}

}  // namespace alembert::integrate
