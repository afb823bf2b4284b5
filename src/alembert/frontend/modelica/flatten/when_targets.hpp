// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Which variables a model changes in when-clauses only, told by
// the text, so that it can be asked before equations are read. In: equation and algorithm sections.
// Out: for a variable, whether some when-clause of a component around it assigns it. A when-clause
// in a branch of an if-equation counts if the branch is taken, which parameters decide.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "alembert/frontend/modelica/evaluate/evaluator.hpp"

namespace alembert::modelica {

class WhenTargets {
 public:
  explicit WhenTargets(Evaluator& evaluator) : evaluator_(evaluator) {}

  bool contains(const Instance& variable);

  struct Choice {
    const Equation* choice;  // an if-equation
    std::size_t branch;
  };
  struct Target {
    std::vector<Name> path;            // `a.b.c` of a reference, without subscripts
    std::vector<Choice> choices = {};  // in which its when-clause stands
  };

 private:
  struct ScopedTarget {
    const Target* target;
    Scope* scope;
    std::optional<bool> taken = {};  // as far as it was asked for
  };

  const std::vector<Target>& of_section(const EquationSection& section);
  const std::vector<Target>& of_section(const AlgorithmSection& section);
  std::vector<ScopedTarget>& of_component(Instance& component);
  bool is_taken(ScopedTarget& target);

  Evaluator& evaluator_;
  bool is_deciding_ = false;  // a condition may ask for variables
  // All looked up, never iterated.
  std::unordered_map<const void*, std::vector<Target>> by_section_;
  std::unordered_map<const Instance*, std::vector<ScopedTarget>> by_component_;
};

}  // namespace alembert::modelica
