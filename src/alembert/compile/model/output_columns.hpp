// SPDX-License-Identifier: Apache-2.0
// Stage: compile/model. What results show of a model: what it declares, not what was added to find
// it. In: a CompiledModel. Out: names, where the values are, and what was eliminated of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::compile {

struct OutputColumns {
  explicit OutputColumns(const CompiledModel& model);

  std::vector<std::string> names;
  std::vector<std::uint32_t> outputs;    // of variables and, behind them, observed quantities
  std::vector<std::uint32_t> discretes;  // of the discrete variables

  /// What variables have been found to be: another one up to sign, or constant.
  struct Source {
    std::uint32_t variable;  // itself where it is not eliminated
    bool negated = false;
    bool constant = false;
  };
  std::vector<Source> sources;  // [n variables of the model]
};

}  // namespace alembert::compile
