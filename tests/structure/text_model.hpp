// SPDX-License-Identifier: Apache-2.0
// Tests of structure: systems written as text, such as
//   text_model("x y lambda", {"der(der(x)) = lambda*x", "der(der(y)) = lambda*y - g", ...}, "g").
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/symbolic/parse.hpp"

namespace alembert::structure {

inline std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// Unknowns and parameters by name, with blanks between; parameters get values between 1 and 2.
/// Origins are lines of model.txt: 1, 2, ... for equations, 100, 101, ... for unknowns.
inline flat::FlatSystem text_model(const std::string& unknowns,
                                   const std::vector<std::string>& equations,
                                   const std::string& parameters = {}) {
  flat::FlatSystem flat{.name = "Test", .pool = std::make_shared<symbolic::ExprPool>()};
  const auto at_line = [](std::uint32_t line) {
    Origin origin;
    origin.span = {.file = "model.txt", .line = line, .column = 1, .length = 0};
    return origin;
  };
  for (const std::string& name : words(unknowns)) {
    flat::Unknown unknown{.symbol = flat.pool->unknown(name)};
    unknown.origin = at_line(static_cast<std::uint32_t>(100 + flat.unknowns.size()));
    flat.unknowns.push_back(unknown);
  }
  for (const std::string& name : words(parameters)) {
    const double value = 1 + 1 / (2.0 + static_cast<double>(flat.parameters.size()));
    flat.parameters.push_back(
        {.symbol = flat.pool->parameter(name), .value = flat.pool->real(value)});
  }
  for (const std::string& text : equations) {
    const symbolic::Equation equation = symbolic::parse_equation(*flat.pool, text);
    flat.equations.push_back({equation.left.id_in(*flat.pool), equation.right.id_in(*flat.pool),
                              at_line(static_cast<std::uint32_t>(flat.equations.size() + 1))});
  }
  return flat;
}

}  // namespace alembert::structure
