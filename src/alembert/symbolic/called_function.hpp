// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Functions of a pool that know more about themselves than values: derivatives and
// inverses, which are made when first asked for. The same object serves a function in every pool
// that it is defined in; the function's context is the object.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

class CalledFunction {
 public:
  virtual ~CalledFunction() = default;

  /// Thread-safe.
  virtual void evaluate(const double* arguments, double* values) const = 0;
  /// Defines the derivatives of all outputs by one argument: [n_outputs].
  virtual std::vector<FunctionId> partials(ExprPool& pool, FunctionId function,
                                           std::uint32_t argument) const = 0;
  /// The derivatives of all outputs by one argument as a function of the same arguments, without a
  /// pool; the same object each time.
  virtual std::shared_ptr<const CalledFunction> partial(std::uint32_t argument) const = 0;
  /// The derivative of an output where the arguments change at these rates in time; not valid: by
  /// partials. A function may tell it from other arguments than it is evaluated by.
  virtual ExprId time_derivative(ExprPool&, FunctionId, std::span<const ExprId> /*arguments*/,
                                 std::span<const ExprId> /*rates*/) const {
    return {};
  }
  /// The derivative of an output along a direction, which has a part for each argument, where one
  /// call gives that at once; not valid: by partials.
  virtual ExprId directional_derivative(ExprPool&, FunctionId,
                                        std::span<const ExprId> /*arguments*/,
                                        std::span<const ExprId> /*direction*/) const {
    return {};
  }
  /// The function that gives argument k, where its own argument k is the value of this function;
  /// not valid if there is none.
  virtual FunctionId inverse(ExprPool&, FunctionId, std::uint32_t) const { return {}; }
  /// The output as an expression of the arguments, where that is short; not valid: a call only.
  virtual ExprId as_expression(ExprPool&, FunctionId, std::span<const ExprId> /*arguments*/) const {
    return {};
  }
  /// Whether `time_derivative` may say other than `partials`: the call then stands for its value
  /// only once all derivatives were made, and an argument that the value ignores may be told of.
  virtual bool tells_derivative() const { return false; }

  /// Null for functions that are just values.
  static const CalledFunction* of(const UserFunction& function) {
    return of(function.outputs, function.context.get());
  }
  using Address = void (*)(const double* arguments, double* values, const void* context);
  static const CalledFunction* of(Address address, const void* context) {
    return address == run ? static_cast<const CalledFunction*>(context) : nullptr;
  }
  static std::vector<FunctionId> define(ExprPool& pool, std::string name, std::size_t arity,
                                        std::size_t n_outputs,
                                        std::shared_ptr<const CalledFunction> function) {
    return pool.define_functions({.name = std::move(name),
                                  .arity = static_cast<std::uint32_t>(arity),
                                  .n_outputs = static_cast<std::uint32_t>(n_outputs),
                                  .outputs = run,
                                  .context = std::move(function)});
  }

  /// With the object as context.
  static void run(const double* arguments, double* values, const void* context) {
    static_cast<const CalledFunction*>(context)->evaluate(arguments, values);
  }
};

}  // namespace alembert::symbolic
