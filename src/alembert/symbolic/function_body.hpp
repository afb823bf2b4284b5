// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Functions whose bodies are expressions: what is large becomes one node, a call,
// and stays exact. In: formal arguments and outputs, or a loop's state, condition and next state.
// Out: functions of a pool. A body is kept in a pool of its own and runs as a Program; derivatives
// of any order are bodies too, made when first asked for. The derivative of a loop is a loop that
// carries the tangents of its state along.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/symbolic/called_function.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// What is told about a function in addition to what its body says, which is given.
using Wrap = std::function<std::shared_ptr<const CalledFunction>(
    std::shared_ptr<const CalledFunction> body)>;

/// One function for each output, of as many arguments as there are formals. Every symbol of the
/// outputs is a formal. Conditions among the outputs are given as 0 and 1.
std::vector<FunctionId> define_body(ExprPool& pool, std::string name,
                                    std::span<const ExprId> formals,
                                    std::span<const ExprId> outputs, const Wrap& wrap = {});

/// while condition(state, fixed) state := next(state, fixed).
struct Loop {
  std::vector<ExprId> state;  ///< symbols
  std::vector<ExprId> fixed;  ///< symbols
  ExprId condition;
  std::vector<ExprId> next;  ///< [n state]
};

/// One function for each entry of the state at the end; arguments: the state at the start, then
/// what is fixed. A loop that does not end within a million rounds gives no numbers.
std::vector<FunctionId> define_loop(ExprPool& pool, std::string name, const Loop& loop);

/// A name that no function of the pool has yet: `name` itself, or with a number behind it.
std::string free_function_name(const ExprPool& pool, const std::string& name);

}  // namespace alembert::symbolic
