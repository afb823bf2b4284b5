// SPDX-License-Identifier: Apache-2.0
// User functions: those of one output, families of several, and derivatives by difference quotients
// for functions that have none of their own.
#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/called_function.hpp"
#include "alembert/symbolic/pool.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

namespace {

/// Derivatives of all outputs of a function by one argument, from values at two points. The step
/// balances the noise of the values against the curvature between the points; differences of
/// differences start from noisier values, so their steps are wider.
struct Difference {
  UserFunction function;
  std::uint32_t argument;
  double relative_step;

  void values_at(const double* arguments, double* values) const {
    if (function.outputs != nullptr)
      function.outputs(arguments, values, function.context.get());
    else
      *values = function.function(arguments, function.context.get());
  }

  void operator()(const double* given, double* slopes) const {
    const std::uint32_t n = function.n_outputs;
    ShortList<double, 32> work;
    work.reserve(function.arity + 2 * n);
    double* const arguments = work.begin();
    double* const below = arguments + function.arity;
    double* const here = below + n;
    std::copy_n(given, function.arity, arguments);
    const double x = given[argument];
    const double step = relative_step * std::max(std::fabs(x), 1.0);
    const double right = x + step;
    const double left = x - step;
    const auto move_to = [&](double place, double* values) {
      arguments[argument] = place;
      values_at(arguments, values);
    };
    move_to(right, slopes);
    move_to(left, below);
    // At the edge of the domain one side has no value; the slope is then that of the other side.
    bool two_sided = true;
    for (std::uint32_t k = 0; k < n; ++k)
      two_sided = two_sided && std::isfinite(slopes[k]) && std::isfinite(below[k]);
    if (!two_sided) move_to(x, here);
    for (std::uint32_t k = 0; k < n; ++k) {
      if (std::isfinite(slopes[k]) && std::isfinite(below[k]))
        slopes[k] = (slopes[k] - below[k]) / (right - left);
      else if (std::isfinite(slopes[k]))
        slopes[k] = (slopes[k] - here[k]) / (right - x);
      else
        slopes[k] = (here[k] - below[k]) / (x - left);
    }
  }
};

void check_partials(const ExprPool& pool, const std::string& name, std::uint32_t arity,
                    const std::vector<FunctionId>& partials) {
  if (!partials.empty() && partials.size() != arity)
    throw Error("E003", "function '" + name + "' takes " + std::to_string(arity) +
                            " arguments but " + std::to_string(partials.size()) +
                            " derivative functions were given; give one for each argument");
  for (const FunctionId partial : partials)
    if (partial.valid() && pool.function(partial).arity != arity)
      throw Error("E003", "the derivative '" + pool.function(partial).name + "' of function '" +
                              name + "' must take the same " + std::to_string(arity) +
                              " arguments");
}

}  // namespace

FunctionId ExprPool::define_function(UserFunction function) {
  if (function_by_name_.contains(function.name))
    throw Error("N003", "a function named '" + function.name + "' is already defined");
  check_partials(*this, function.name, function.arity, function.partials);
  ensure((function.function != nullptr) != (function.outputs != nullptr),
         "a user function has one address");
  ensure(function.output < function.n_outputs, "an output of a user function is in range");
  if (function.family.empty()) function.family = function.name;
  const FunctionId id{static_cast<std::uint32_t>(functions_.size())};
  function_by_name_.emplace(function.name, id);
  functions_.push_back(std::move(function));
  return id;
}

FunctionId ExprPool::define_function(std::string name, std::uint32_t arity,
                                     std::function<double(std::span<const double>)> function,
                                     std::vector<FunctionId> partials, bool numeric_partials) {
  struct Held {
    std::function<double(std::span<const double>)> function;
    std::uint32_t arity;
  };
  auto held = std::make_shared<const Held>(std::move(function), arity);
  return define_function({.name = std::move(name),
                          .arity = arity,
                          .function =
                              [](const double* arguments, const void* context) {
                                const auto* self = static_cast<const Held*>(context);
                                return self->function({arguments, self->arity});
                              },
                          .context = held,
                          .partials = std::move(partials),
                          .numeric_partials = numeric_partials});
}

std::vector<FunctionId> ExprPool::define_functions(FunctionFamily family) {
  if (family.n_outputs == 0)
    throw Error("E003", "function '" + family.name +
                            "' has no outputs, so there is nothing to call it for. Give it one.");
  if (!family.partials.empty() && family.partials.size() != family.n_outputs)
    throw Error("E003", "function '" + family.name + "' has " + std::to_string(family.n_outputs) +
                            " outputs but derivatives were given for " +
                            std::to_string(family.partials.size()) + "; give them for each output");
  std::vector<FunctionId> outputs;
  for (std::uint32_t k = 0; k < family.n_outputs; ++k)
    outputs.push_back(define_function(
        {.name = k == 0 ? family.name : family.name + '.' + std::to_string(k + 1),
         .arity = family.arity,
         .context = family.context,
         .partials = family.partials.empty() ? std::vector<FunctionId>() : family.partials[k],
         .numeric_partials = family.numeric_partials,
         .outputs = family.outputs,
         .n_outputs = family.n_outputs,
         .output = k,
         .family = family.name}));
  return outputs;
}

std::vector<FunctionId> ExprPool::define_functions(
    std::string name, std::uint32_t arity, std::uint32_t n_outputs,
    std::function<void(std::span<const double>, std::span<double>)> outputs,
    bool numeric_partials) {
  struct Held {
    std::function<void(std::span<const double>, std::span<double>)> outputs;
    std::uint32_t arity;
    std::uint32_t n_outputs;
  };
  auto held = std::make_shared<const Held>(std::move(outputs), arity, n_outputs);
  return define_functions({.name = std::move(name),
                           .arity = arity,
                           .n_outputs = n_outputs,
                           .outputs =
                               [](const double* arguments, double* values, const void* context) {
                                 const auto* self = static_cast<const Held*>(context);
                                 self->outputs({arguments, self->arity}, {values, self->n_outputs});
                               },
                           .context = held,
                           .numeric_partials = numeric_partials});
}

FunctionId ExprPool::partial(FunctionId id, std::uint32_t argument) {
  const UserFunction& function = functions_[id.value];
  if (argument < function.partials.size() && function.partials[argument].valid())
    return function.partials[argument];
  const CalledFunction* called = CalledFunction::of(function);
  if (called == nullptr) {
    if (!function.numeric_partials) return FunctionId::none();
    define_differences(id, argument);
    return functions_[id.value].partials[argument];
  }
  // The outputs of a family are defined one after the other.
  const std::uint32_t first = id.value - function.output;
  const std::vector<FunctionId> made = called->partials(*this, id, argument);
  for (std::uint32_t k = 0; k < made.size(); ++k) {
    functions_[first + k].partials.resize(functions_[first + k].arity);
    functions_[first + k].partials[argument] = made[k];
  }
  return functions_[id.value].partials[argument];
}

/// Enters the difference quotients of all outputs of the function's family as their partials.
void ExprPool::define_differences(FunctionId id, std::uint32_t argument) {
  const UserFunction function = functions_[id.value];
  const double relative_step = std::cbrt(function.noise);
  const auto difference = std::make_shared<const Difference>(function, argument, relative_step);
  const std::string suffix = ", " + std::to_string(argument + 1) + ")";
  for (std::uint32_t k = 0; k < function.n_outputs; ++k) {
    // The outputs of a family are defined one after the other.
    const std::uint32_t place = id.value - function.output + k;
    ensure(functions_[place].family == function.family, "the outputs of a family are together");
    UserFunction slope{.name = "der(" + functions_[place].name + suffix,
                       .arity = function.arity,
                       .context = difference,
                       .numeric_partials = true,
                       .outputs =
                           [](const double* arguments, double* slopes, const void* context) {
                             (*static_cast<const Difference*>(context))(arguments, slopes);
                           },
                       .n_outputs = function.n_outputs,
                       .output = k,
                       .family = "der(" + function.family + suffix,
                       .noise = function.noise / relative_step};
    const FunctionId defined = define_function(std::move(slope));
    std::vector<FunctionId>& partials = functions_[place].partials;
    partials.resize(function.arity);
    if (!partials[argument].valid()) partials[argument] = defined;
  }
}

FunctionId ExprPool::find_function(std::string_view name) const {
  const auto found = function_by_name_.find(std::string(name));
  return found == function_by_name_.end() ? FunctionId::none() : found->second;
}

}  // namespace alembert::symbolic
