// SPDX-License-Identifier: Apache-2.0
// Constant expressions of integers and truth values, enough for sizes and conditions in the tests
// of the instance tree; the language's own evaluator is another stage.
#pragma once

#include <string>

#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::modelica::testing {

class SmallEvaluator : public ConstantEvaluator {
 public:
  explicit SmallEvaluator(InstanceTree& tree) : tree_(tree) { tree.set_evaluator(*this); }

  std::int64_t integer(const Expression& expression, Scope& scope) override;
  bool boolean(const Expression& expression, Scope& scope) override;
  std::vector<std::int64_t> sizes(const Binding& binding) override;

 private:
  std::int64_t number(const Expression& expression, Scope& scope);
  std::int64_t reference(const Expression& expression, Scope& scope);
  std::int64_t size_call(const Expression& expression, Scope& scope);
  std::int64_t bound(const Binding& binding);

  InstanceTree& tree_;
};

/// The text of a binding as the user wrote it, with its steps: `{1, 2}[2]`, `f(3).x`; "-" if there
/// is none.
std::string text_of(const Binding& binding);

}  // namespace alembert::modelica::testing
