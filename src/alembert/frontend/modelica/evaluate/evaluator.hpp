// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. One evaluator for constants, parameters, equations,
// algorithms and functions. In: expressions as parsed, and where they stand. Out: Values
// (value.hpp), whose scalars are expressions of the pool.
//
// References. A constant gives its value. A parameter gives its symbols, named as in the model, or
// its numbers if a constant is asked for; those parameters are then marked as evaluated
// (`is_evaluated`), since the structure of the model depends on them. A variable gives its symbols:
// `a.b[1].c`, `m[1,2]`; their kind is asked from ModelHooks. der(x) of a symbol is the next of its
// chain, of an expression the chain rule; pre(x) is the pool's previous symbol.
//
// Choices. `if c then a else b`: where c is known, only the branch taken is evaluated. A condition
// of Boolean, Integer and enumeration parameters alone is taken as known (and marks them): such
// parameters choose between variants of a model. Otherwise both branches are evaluated.
//
// Functions are executed on expressions: loops unrolled, both branches of an undecided `if` merged
// by if_then_else, results remembered by arguments. What cannot be: run_time_calls.cpp.
//
// Errors have codes M2xx and the place of the expression.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/frontend/modelica/evaluate/hooks.hpp"
#include "alembert/frontend/modelica/evaluate/value.hpp"
#include "alembert/frontend/modelica/instance/constant_evaluator.hpp"
#include "alembert/frontend/modelica/instance/instance.hpp"
#include "alembert/frontend/modelica/syntax/ast.hpp"

namespace alembert::modelica {

class Evaluation;

/// Loop variables and function locals. A later name hides an earlier one.
struct Local {
  Name name;
  Value value;
};
struct Locals {
  std::vector<Local> variables = {};
  const Locals* outer = nullptr;  ///< looked up after `variables`
  /// The function that is being executed, whose components the variables stand for; null for those
  /// of a loop.
  Instance* function = nullptr;

  const Value* find(Name name) const;
};

/// Where an expression stands: names are looked up in `locals`, then from `scope`.
struct EvaluationScope {
  Scope* scope = nullptr;
  const Locals* locals = nullptr;
};

/// What an algorithm section of a model computes: for each scalar it assigns, its value at the end
/// as an expression of the values at its start.
struct Assignment {
  ExprId symbol;  ///< unknown or discrete
  ExprId value;   ///< numeric: 0 and 1 for Booleans
};

/// One subscript of a reference, evaluated: `[2]`, `[2:4]`, `[:]`, `[end]`.
struct Subscript {
  std::vector<std::int64_t> positions;  ///< count from 0, within the dimension
  bool is_slice = false;                ///< the dimension stays; else it is gone
};

/// Place of an entry that is set from outside, row by row. Error M332 if there is none.
std::size_t entry_position(Instance& component, const EntryValue& set);

class Evaluator final : public ConstantEvaluator {
 public:
  Evaluator(symbolic::ExprPool& pool, ModelHooks& hooks);
  ~Evaluator() override;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  symbolic::ExprPool& pool();
  /// Functions that must wait for numbers run during the simulation and look things up then: this
  /// keeps alive what they need (library, tree, and this evaluator), as long as the pool lives.
  void keep_alive(std::shared_ptr<const void> owner);

  /// A call of a function with several outputs gives a tuple; inside of expressions, the first of
  /// them.
  Value evaluate(const Expression& expression, const EvaluationScope& scope);

  /// Known now, or Error M201 that names what is not. Parameters it needs are marked as evaluated.
  Value constant(const Expression& expression, const EvaluationScope& scope);
  std::int64_t constant_integer(const Expression& expression, const EvaluationScope& scope);
  bool constant_boolean(const Expression& expression, const EvaluationScope& scope);
  /// The same where it may be unknown: nothing if it depends on variables. Other mistakes are
  /// thrown all the same.
  std::optional<Value> try_constant(const Expression& expression, const EvaluationScope& scope);

  /// The value of a component itself, as a reference to it gives it: symbols for a variable or a
  /// parameter (of a record: of its fields; of an array: of all elements), the value of a constant.
  Value value_of(Instance& component);
  /// The value that the declaration of a constant or parameter gives: its binding evaluated where
  /// it was written; nothing if it has none. Numbers and other parameters' symbols.
  std::optional<Value> binding_of(Instance& component);
  /// A binding or attribute, the steps into its value taken.
  Value binding_value(const Binding& binding);
  Value constant_binding_value(const Binding& binding);
  /// The number(s) of a parameter or constant; marks parameters as evaluated.
  Value constant_of(Instance& component, Place place);
  bool is_evaluated(const Instance& parameter) const;

  // What the instance tree asks for.
  std::int64_t integer(const Expression& expression, Scope& scope) override;
  bool boolean(const Expression& expression, Scope& scope) override;
  std::vector<std::int64_t> sizes(const Binding& binding) override;

  /// `value` as the right side for something of the type and dims of `target`: Integer becomes
  /// Real, sizes must agree. Error M2xx at `place` where it does not fit; `what` names the target
  /// ("'x'").
  Value fitted(Value value, const Value& target, const std::string& what, Place place);

  /// The number 1 or 0; `b <> 0` of a Boolean variable b is b itself.
  ExprId number_of_condition(ExprId condition);
  /// The numeric scalars of a value in order, Booleans as numbers: the two sides of equations.
  std::vector<ExprId> numeric_scalars(const Value& value);

  /// The values that the variable of a for-equation takes, in order. They must be known; a type as
  /// the range stands for all its values. For an iterator with a range only.
  std::vector<Value> loop_values(const Iterator& iterator, const EvaluationScope& scope);
  /// Of a Boolean or an enumeration, in order.
  std::vector<Value> values_of_type(Instance& type);
  /// The subscripts of a part of a reference to a component with these dimensions, known now: for
  /// connect and the like. Fewer subscripts than dimensions: the rest is taken whole.
  std::vector<Subscript> subscripts(const ReferencePart& part, std::span<const std::int64_t> dims,
                                    const EvaluationScope& scope);
  /// A function (class instance) called with values for its first inputs.
  Value call(Instance& function, std::vector<Value> arguments, Place place);

  /// Runs the statements of an algorithm section of a model. Discrete variables start from pre(v),
  /// others from their start values, where they are read before they are assigned. when-statements
  /// become choices under ModelHooks::edge; assert, terminate and reinit go to the hooks.
  std::vector<Assignment> run_algorithm(List<const Statement*> statements,
                                        const EvaluationScope& scope);

 private:
  std::unique_ptr<Evaluation> evaluation_;
};

}  // namespace alembert::modelica
