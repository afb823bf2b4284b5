// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate, inside. What `Evaluation` hands around while it executes
// functions and algorithms: calls, arguments, variables so far, failures of assertions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/frontend/modelica/evaluate/evaluator.hpp"

namespace alembert::modelica {

/// A function that is executed on expressions meets what needs numbers (an undecided loop, a
/// subscript). Caught where the function is called, which then becomes a call at run time.
struct NeedsNumbers {
  Place place;
  std::string reason;
};

/// The call that is being evaluated, as the builtin functions see it.
struct CallSite {
  const Expression& expression;
  const EvaluationScope& scope;

  Place place() const { return expression.place; }
  std::size_t n_arguments() const { return expression.operands.size(); }
  std::string function_name() const;
  /// By position or by name; null if it is not given.
  const Expression* argument(std::size_t k, std::string_view name) const;
  /// Error M204 for another number of arguments by position.
  void require_count(std::size_t least, std::size_t most) const;
};

/// One evaluated argument; without a name: by position.
struct Argument {
  Name name;
  Value value;
  Place place;
};

/// Assertions of a function that may fail: the codes, and which of them did, with what it shows.
struct Failure {
  Value cells;
  std::set<std::size_t> codes;  ///< none: nothing can fail
};

/// What statements change.
struct ExecutionState {
  std::vector<Local> variables;       ///< of the function
  std::map<ExprId, ExprId> assigned;  ///< of a model's algorithm: symbol -> value so far
  ExprId returned;                    ///< condition: a `return` was met
  ExprId broken;                      ///< condition: a `break` of the innermost loop was met
};

/// An algorithm that is being executed.
struct Execution {
  Instance* function = nullptr;  ///< null: an algorithm section of a model
  Locals locals;                 ///< the function's variables
  std::map<ExprId, ExprId> assigned;
  std::set<ExprId> targets;  ///< all symbols that a model's algorithm assigns
  ExprId returned;
  ExprId broken;
  ExprId path;                  ///< the condition under which the present statement runs
  std::set<std::size_t> codes;  ///< assertions that were met, here or in functions called
};

/// One scalar that an undecided loop carries from round to round.
struct LoopCell {
  ExprId initial = {};
  ExprId formal = {};  ///< a symbol, 0 or 1 for a Boolean
  ExprId next = {};
  ExprId final = {};
  bool is_boolean = false;
  bool is_carried = true;  ///< a round changes it
};

}  // namespace alembert::modelica
