// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. What the instance tree must know of values while it is built:
// sizes of arrays and conditions of components. evaluate/ implements it.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/frontend/modelica/instance/binding.hpp"

namespace alembert::modelica {

class ConstantEvaluator {
 public:
  virtual ~ConstantEvaluator() = default;

  /// The value of an Integer expression that must be known now: a dimension. Error if it is not.
  virtual std::int64_t integer(const Expression& expression, Scope& scope) = 0;
  /// The same for a condition.
  virtual bool boolean(const Expression& expression, Scope& scope) = 0;
  /// The sizes of a value, for a component whose dimensions are given by `:`.
  virtual std::vector<std::int64_t> sizes(const Binding& binding) = 0;
};

}  // namespace alembert::modelica
