// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Whether equations mix units. In: equations as they are
// written, with the scope of a component. Out: a warning M340 where two quantities with units of
// different dimension are added, subtracted, compared or equated.
//
// It is careful: what has no unit fits everything, and so does a product with such a factor or with
// a number that may stand for a quantity (9.81*m). Only dimensions are compared, not scales. Each
// equation of the text is looked at once, for the first component that has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "alembert/base/unit.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::modelica {

class UnitCheck {
 public:
  explicit UnitCheck(InstanceTree& tree) : tree_(tree) {}

  void look_at(const ScopedEquations& section);

 private:
  void look_at(const Equation& equation, Scope& scope);
  /// The unit of a value, if it is known; warns of what does not fit inside.
  std::optional<Unit> unit_of(const Expression& expression, Scope& scope);
  std::optional<Unit> unit_of_reference(const ComponentReference& reference, Scope& scope);
  /// "Ohm", as the declaration of the variable has it.
  std::optional<std::string_view> declared_unit(const ComponentReference& reference, Scope& scope);
  std::string text_of(const Expression& expression, const Unit& unit, Scope& scope);
  std::optional<Unit> unit_of_operation(const Expression& expression, Scope& scope);
  std::optional<Unit> unit_of_power(const Expression& expression, Scope& scope);
  std::optional<Unit> unit_of_call(const Expression& expression, Scope& scope);
  /// What both sides are in; warns if that cannot be.
  std::optional<Unit> common(const Expression& left, const Expression& right, Scope& scope,
                             const Expression* whole, const char* what);

  InstanceTree& tree_;
  bool has_told_ = false;                            // of the equation that is being looked at
  std::unordered_set<const EquationSection*> seen_;  // looked up only
};

}  // namespace alembert::modelica
