// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Which variables a model changes in when-clauses only, told by
// the text alone, so that it can be asked before anything is evaluated. In: equation and algorithm
// sections. Out: for a variable, whether some when-clause of a component around it assigns it.
#pragma once

#include <unordered_map>
#include <vector>

#include "alembert/frontend/modelica/instance/instance.hpp"

namespace alembert::modelica {

class WhenTargets {
 public:
  bool contains(const Instance& variable);

 private:
  using NamePath = std::vector<Name>;  // `a.b.c` of a reference, without subscripts

  const std::vector<NamePath>& of_section(const EquationSection& section);
  const std::vector<NamePath>& of_section(const AlgorithmSection& section);
  const std::vector<NamePath>& of_component(Instance& component);

  // All looked up, never iterated.
  std::unordered_map<const void*, std::vector<NamePath>> by_section_;
  std::unordered_map<const Instance*, std::vector<NamePath>> by_component_;
};

}  // namespace alembert::modelica
