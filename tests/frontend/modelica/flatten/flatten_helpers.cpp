// SPDX-License-Identifier: Apache-2.0
#include "flatten_helpers.hpp"

#include "alembert/flat/check.hpp"
#include "alembert/flat/to_text.hpp"
#include "alembert/frontend/modelica/modelica.hpp"

namespace alembert::modelica {

flat::FlatSystem flat_of(const std::string& text, std::vector<std::string> overrides) {
  return flatten({.text = text, .text_name = "m.mo", .overrides = std::move(overrides)}).system;
}

std::string flat_text_of(const std::string& text, std::vector<std::string> overrides) {
  const std::string whole = flat::to_text(flat_of(text, std::move(overrides)));
  const std::size_t first = whole.find('\n') + 1;
  return whole.substr(first, whole.rfind("end ") - first);
}

std::string mistakes_in(const std::string& text) {
  try {
    flat_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace alembert::modelica
