// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. String variables. In: the equations and algorithms of the
// model. Out: the text of a variable that its declaration gives no value.
//
// A String is no quantity of the flat system: the text that an equation or an algorithm gives it
// stands where it is used. Only one that a when-equation changes needs a place of its own: it
// becomes a discrete number that tells which of its texts it has, the first being its start.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

class TextVariables {
 public:
  explicit TextVariables(FlattenState& state) : state_(state) {}

  /// Nothing if no equation and no algorithm gives it a text.
  std::optional<Value> text_of(Instance& variable);

 private:
  /// The values of the loops around an equation.
  struct Around {
    Locals locals;
    std::shared_ptr<const Around> outer;
  };
  struct Definition {
    std::vector<std::int64_t> index = {};  ///< of the element, from 0; empty: all
    const Expression* value = nullptr;
    Scope* scope = nullptr;
    std::shared_ptr<const Around> around = {};
    bool in_when = false;
    bool by_algorithm = false;  ///< then: `statements`
    List<const Statement*> statements = {};
  };
  struct Site {
    Scope* scope;
    std::shared_ptr<const Around> around;
    bool in_when;
  };

  void know_definitions();
  void read(List<const Equation*> equations, const Site& at);
  void read_for(const Equation& equation, std::size_t iterator, const Site& at);
  void read_if(const Equation& equation, const Site& at);
  bool define(const Expression& target, const Expression& value, const Site& at);
  Value of_algorithm(Instance& variable, const Definition& definition);
  Value evaluated(const Definition& definition);
  Value of_when(Instance& variable, const std::vector<Definition>& definitions);

  FlattenState& state_;
  bool is_known_ = false;
  std::unordered_map<Instance*, std::vector<Definition>> definitions_;  // looked up only
};

}  // namespace alembert::modelica
