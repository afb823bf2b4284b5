// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. An expression with everything that is needed to evaluate it:
// where its names are looked up, and which part of its value is meant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/syntax/ast.hpp"

namespace alembert::modelica {

class Scope;

/// One step into a value: an index (counts from 1), or a member of a record.
struct Step {
  Name member;             ///< empty: `index` holds
  std::int64_t index = 0;  ///< one dimension

  friend bool operator==(const Step&, const Step&) = default;
};

/// `R r[2](R = {1, 2})` gives r[2].R the expression `{1, 2}` with the step [2];
/// `parameter Data d = f(3)` gives d.x the expression `f(3)` with the step .x.
struct Binding {
  const Expression* expression = nullptr;  ///< null: no binding
  Scope* scope = nullptr;                  ///< where the names of the expression are looked up
  std::vector<Step> steps = {};            ///< to be taken into the value, in this order
  /// Of an attribute, said by `each`: one value for all entries of the component, which is an array
  /// of a simple type.
  bool each = false;
  bool final_ = false;
  /// Written in the declaration of the component itself (or its class), not by a modification from
  /// outside.
  bool is_default = false;

  explicit operator bool() const { return expression != nullptr; }
};

/// A value from outside of the model for an entry of an array, or for what is inside of one:
/// `a[2]`, `c[1].r`, `c[1].x[3]`. No modification can say that.
struct EntryValue {
  std::string component;              ///< "a", "c[1].r", "c[1].x"
  std::vector<std::int64_t> indices;  ///< of the entry, if the component is an array itself
  const Expression* expression = nullptr;
};

}  // namespace alembert::modelica
