// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Operations on single scalars of the pool as Modelica means
// them: numbers fold to numbers at once (the pool keeps sqrt(2) exact, a Modelica constant is a
// number), Booleans are conditions.
#pragma once

#include <optional>
#include <unordered_set>

#include "alembert/frontend/modelica/evaluate/value.hpp"
#include "alembert/frontend/modelica/syntax/ast.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::modelica {

class Scalars {
 public:
  explicit Scalars(symbolic::ExprPool& pool) : pool_(&pool) {}

  symbolic::ExprPool& pool() const { return *pool_; }

  bool is_known(ExprId id) const;
  /// The number of a number, 0 or 1 of a truth value.
  std::optional<double> number(ExprId id) const;
  std::optional<bool> truth(ExprId condition) const;

  /// A function of the pool with one, two or three arguments.
  ExprId apply(symbolic::Op op, std::span<const ExprId> arguments);
  ExprId apply(symbolic::Op op, ExprId a);
  ExprId apply(symbolic::Op op, ExprId a, ExprId b);
  ExprId power(ExprId base, ExprId exponent);
  ExprId sqrt(ExprId a);

  /// A comparison of numbers.
  ExprId compare(Operator op, ExprId a, ExprId b);
  /// a = b of conditions.
  ExprId equivalent(ExprId a, ExprId b);
  ExprId both(ExprId a, ExprId b) { return pool_->apply(symbolic::Op::logical_and, a, b); }
  ExprId either(ExprId a, ExprId b) { return pool_->apply(symbolic::Op::logical_or, a, b); }
  ExprId negation(ExprId a) { return pool_->apply(symbolic::Op::logical_not, a); }
  /// Of two numbers or two conditions.
  ExprId choice(ExprId condition, ExprId a, ExprId b);

  /// `symbol <> 0` for a symbol that is 0 or 1, and remembers that it is: its number is itself.
  ExprId condition_of_boolean(ExprId symbol);
  ExprId number_of_condition(ExprId condition);

  /// The number that stands for a text in the run (symbolic/text_call.hpp), and back.
  ExprId number_of_text(const Text& text);
  Text text_of(ExprId number) const;

 private:
  symbolic::ExprPool* pool_;
  std::unordered_set<ExprId> boolean_symbols_;  // looked up, never iterated
};

}  // namespace alembert::modelica
