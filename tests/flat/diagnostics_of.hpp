// SPDX-License-Identifier: Apache-2.0
// For tests: the findings about a model as lines of text, without the places, which change with
// every edit.
#pragma once

#include <string>
#include <vector>

#include "alembert/flat/check.hpp"
#include "alembert/frontend/builder/model.hpp"

namespace alembert {

/// "F001 text", a line a finding.
inline std::vector<std::string> findings(const flat::FlatSystem& system,
                                         const flat::ParameterOverrides& overrides = {}) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : flat::diagnose(system, overrides))
    lines.push_back(diagnostic.code + " " + diagnostic.text);
  return lines;
}

inline std::vector<std::string> findings(const builder::Model& model,
                                         const flat::ParameterOverrides& overrides = {}) {
  return findings(model.flatten(), overrides);
}

using Lines = std::vector<std::string>;

}  // namespace alembert
