// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/loops.hpp"

#include <fmt/format.h>

#include <optional>

#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

struct Extent {
  std::int64_t size = 0;
  Instance* type = nullptr;  ///< whose values the subscripts are; null: 1 to `size`
};

/// The extent of the dimension in which `variable` is used as a subscript, first use first.
class SubscriptSearch {
 public:
  SubscriptSearch(FlattenState& state, Scope& scope, Name variable)
      : state_(state), scope_(scope), variable_(variable) {}

  std::optional<Extent> in(const Equation& equation) {
    search(equation.left);
    search(equation.right);
    search(equation.from);
    search(equation.to);
    for (const EquationBranch& branch : equation.branches) {
      search(branch.condition);
      for (const Equation* inner : branch.body)
        if (!extent_) in(*inner);
    }
    return extent_;
  }

 private:
  void search(const Expression* expression) {
    if (expression == nullptr || extent_) return;
    search(expression->reference);
    for (const Expression* operand : expression->operands) search(operand);
    for (const NamedArgument& argument : expression->named) search(argument.value);
  }

  void search(const ComponentReference* reference) {
    if (reference == nullptr || extent_) return;
    for (std::size_t i = 0; i < reference->parts.size(); ++i) {
      const auto subscripts = reference->parts[i].subscripts;
      for (std::size_t k = 0; k < subscripts.size() && !extent_; ++k) {
        if (is_variable(*subscripts[k]))
          measure(*reference, i, k);
        else
          search(subscripts[k]);
      }
    }
  }

  bool is_variable(const Expression& subscript) const {
    return subscript.kind == ExpressionKind::reference && subscript.reference->parts.size() == 1 &&
           subscript.reference->parts[0].name == variable_;
  }

  void measure(const ComponentReference& reference, std::size_t part, std::size_t dimension) {
    const Denotation start = state_.tree.try_lookup(scope_, reference);
    if (start.kind != DenotationKind::component) return;
    Instance* instance = start.instance;
    for (std::size_t i = start.parts_used; i <= part && instance != nullptr; ++i)
      instance = instance->prototype().component_member(reference.parts[i].name);
    if (instance == nullptr) return;
    const auto dims = instance->dimensions();
    if (dimension < dims.size()) extent_ = {dims[dimension], instance->index_type(dimension)};
  }

  FlattenState& state_;
  Scope& scope_;
  Name variable_;
  std::optional<Extent> extent_;
};

}  // namespace

std::vector<Value> loop_values(FlattenState& state, const Equation& equation,
                               const Iterator& iterator, const EvaluationScope& scope) {
  if (iterator.range != nullptr) return state.evaluator.loop_values(iterator, scope);
  const auto extent = SubscriptSearch(state, *scope.scope, iterator.name).in(equation);
  if (!extent)
    fail(
        iterator.place, "M309",
        fmt::format("the range of '{0}' cannot be told: it is not used as a subscript of an array. "
                    "Write 'for {0} in 1:n'.",
                    iterator.name.text()));
  if (extent->type != nullptr) return state.evaluator.values_of_type(*extent->type);
  std::vector<Value> values;
  for (std::int64_t i = 1; i <= extent->size; ++i)
    values.push_back(scalar_value(ValueKind::integer, state.pool.integer(i)));
  return values;
}

}  // namespace alembert::modelica
