// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Calls that wait for the run: a function whose loops or
// subscripts depend on quantities of the run becomes a function of the pool. Its body runs the same
// statements by the same evaluator, on numbers, in a pool of its own that is emptied when it has
// grown. Its derivatives are difference quotients.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "alembert/base/complaint.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/printed.hpp"
#include "alembert/base/text_number.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/open_values.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"
#include "alembert/symbolic/function_body.hpp"

namespace alembert::modelica {

namespace {

constexpr std::size_t largest_pool = 500'000;  // nodes of earlier calls; then it is made anew

void take_numbers(const Evaluation& evaluation, const Value& value, double*& out) {
  for (const ExprId id : value.scalars) {
    const auto number = id.valid() ? evaluation.scalars.number(id) : std::nullopt;
    *out++ = number.value_or(std::nan(""));
  }
  for (const Text& text : value.texts)
    *out++ = text.is_constant() ? number_of_text(text.text) : std::nan("");
  for (const Value& field : value.fields) take_numbers(evaluation, field, out);
}

}  // namespace

class RunTimeFunction {
 public:
  /// When it runs. `where_asked` and `once` have arguments behind those of the function: whether it
  /// is asked for, and for `once` the time.
  struct Asking {
    enum class Kind { always, where_asked, once } kind = Kind::always;
    std::size_t n_arguments = 0;
  };

  RunTimeFunction(Instance& function, std::vector<Value> inputs,
                  std::vector<std::optional<double>> numbers, std::size_t n_outputs, Place place,
                  std::shared_ptr<const void> keep_alive, Asking asking)
      : function_(function),
        inputs_(std::move(inputs)),
        numbers_(std::move(numbers)),
        n_outputs_(n_outputs),
        place_(place),
        keep_alive_(std::move(keep_alive)),
        asking_(asking) {}

  static void run(const double* arguments, double* values, const void* context) {
    static_cast<const RunTimeFunction*>(context)->evaluate(arguments, values);
  }

 private:
  struct Workspace {
    symbolic::ExprPool pool;
    ModelHooks hooks;
    Evaluation evaluation{pool, hooks};
  };

  void evaluate(const double* arguments, double* values) const {
    static std::mutex one_at_a_time;  // the instance tree belongs to one thread
    const std::lock_guard lock(one_at_a_time);
    switch (asking_.kind) {
      case Asking::Kind::always: compute(arguments, values); return;
      case Asking::Kind::where_asked:
        if (arguments[asking_.n_arguments - 1] != 0)
          compute(arguments, values);
        else
          std::fill_n(values, n_outputs_, 0.0);  // nobody takes it
        return;
      case Asking::Kind::once: evaluate_once(arguments, values); return;
    }
  }

  /// Impure functions change something elsewhere: they run where they are asked for, and once for
  /// one instant, however often equations are looked at there.
  void evaluate_once(const double* arguments, double* values) const {
    const std::vector<double> now(arguments, arguments + asking_.n_arguments);
    const bool is_asked_for = now[asking_.n_arguments - 2] != 0;
    if (is_asked_for && now != last_arguments_) {
      last_values_.assign(n_outputs_, 0.0);
      const PrintingOnce printing(this, now.back());
      compute(arguments, last_values_.data());
      last_arguments_ = now;
    }
    last_values_.resize(n_outputs_, 0.0);
    std::copy(last_values_.begin(), last_values_.end(), values);
  }

  void compute(const double* arguments, double* values) const {
    if (!workspace_ || workspace_->pool.size() > largest_pool)
      workspace_ = std::make_unique<Workspace>();
    Evaluation& evaluation = workspace_->evaluation;
    evaluation.assertions_.clear();  // what they say differs from call to call
    std::vector<Value> inputs = inputs_;
    std::span<const std::optional<double>> numbers = numbers_;
    const auto next = [&](ValueKind kind) { return id_of(workspace_->pool, kind, *arguments++); };
    for (Value& input : inputs) put_scalars(workspace_->pool, input, numbers, next);
    try {
      const Evaluation::ActiveCall active(evaluation, function_);
      const Value result = evaluation.execute(function_, std::move(inputs), place_);
      double* out = values;
      take_numbers(evaluation, result, out);
      if (asking_.kind == Asking::Kind::once) values[n_outputs_ - 1] = 1;  // it has run
      return;
    } catch (const Error& error) {
      const Diagnostic& first = error.diagnostics().front();
      const std::string place = to_string(first.origin);
      complain(first.text + (place.empty() ? "" : " (" + place + ")"));
    } catch (const std::exception& error) {
      complain(error.what());
    } catch (const NeedsNumbers&) {  // an argument is no number
    }
    // No value here: the integrator meets a NaN and tries a smaller step.
    std::fill_n(values, n_outputs_, std::nan(""));
  }

  Instance& function_;
  std::vector<Value> inputs_;
  std::vector<std::optional<double>> numbers_;
  std::size_t n_outputs_;
  Place place_;
  std::shared_ptr<const void> keep_alive_;
  Asking asking_;
  mutable std::vector<double> last_arguments_;
  mutable std::vector<double> last_values_;
  mutable std::unique_ptr<Workspace> workspace_;
};

Value Evaluation::run_time_call(Instance& function, const std::vector<Value>& inputs,
                                const NeedsNumbers& reason, Place place, ExprId active,
                                bool is_impure) {
  std::vector<ExprId> open;
  std::vector<std::optional<double>> numbers;
  for (const Value& input : inputs) {
    gather_open(scalars, input, open);
    gather_known(scalars, input, numbers);
  }
  if (active.valid()) open.push_back(scalars.number_of_condition(active));
  if (is_impure) open.push_back(pool().time());
  if (open.empty())
    fail(reason.place, "M201",
         "'" + function.full_name() + "' cannot be evaluated: " + reason.reason + ".");

  Value outputs;
  outputs.kind = ValueKind::tuple;
  try {
    const ActiveCall active(*this, function);
    const Execution variables = frame(function, inputs, place, true);
    for (Instance* output : head(function).outputs)
      outputs.fields.push_back(*variables.locals.find(output->name()));
  } catch (const NeedsNumbers&) {
    throw reason;  // sizes depend on what is not known: the caller may know more
  }
  if (has_objects(outputs))
    fail(reason.place, "M209",
         "'" + function.full_name() +
             "' would have to make an object during the run: " + reason.reason + ".");
  std::vector<ExprId> scalars_out = scalars_and_texts(outputs);
  if (is_impure) scalars_out.emplace_back();  // that it has run
  // Nothing to wait for: a function that only checks, or gives arrays without elements.
  if (scalars_out.empty()) return outputs.fields.size() == 1 ? outputs.fields.front() : outputs;
  const std::string name = symbolic::free_function_name(
      pool(), function.full_name() + "#" + std::to_string(++n_lookups_));
  using Kind = RunTimeFunction::Asking::Kind;
  const Kind kind = is_impure ? Kind::once : active.valid() ? Kind::where_asked : Kind::always;
  auto context = std::make_shared<const RunTimeFunction>(
      function, inputs, std::move(numbers), scalars_out.size(), place, keep_alive,
      RunTimeFunction::Asking{kind, open.size()});
  symbolic::FunctionFamily family;
  family.name = name;
  family.arity = static_cast<std::uint32_t>(open.size());
  family.n_outputs = static_cast<std::uint32_t>(scalars_out.size());
  family.outputs = RunTimeFunction::run;
  family.context = context;
  family.numeric_partials = true;
  const auto functions = pool().define_functions(std::move(family));
  std::vector<ExprId> calls;
  for (const auto id : functions) calls.push_back(pool().call(id, open));
  std::span<const ExprId> rest = calls;
  put_calls(scalars, outputs, rest);
  // At ticks the equation that takes its result makes it.
  const bool is_taken = hooks->is_clocked() && !outputs.fields.empty();
  if (is_impure && !is_taken) hooks->perform(calls.back(), place);
  return outputs.fields.size() == 1 ? outputs.fields.front() : outputs;
}

Value Evaluation::picked_from_numbers(const Value& array,
                                      std::span<const std::pair<std::size_t, ExprId>> indices) {
  // The dims that are picked from, and those that stay.
  Dims kept;
  std::vector<bool> is_picked(array.dims.size(), false);
  for (const auto& [dimension, index] : indices) is_picked[dimension] = true;
  for (std::size_t k = 0; k < array.dims.size(); ++k)
    if (!is_picked[k]) kept.push_back(array.dims[k]);
  Value result;
  result.kind = array.kind;
  result.enumeration = array.enumeration;
  result.dims = kept;
  Dims picked_dims;
  std::vector<ExprId> arguments;
  for (const auto& [dimension, index] : indices) {
    picked_dims.push_back(array.dims[dimension]);
    arguments.push_back(index);
  }
  for (std::size_t i = 0; i < result.count(); ++i) {
    const auto outer = index_at(i, kept);
    std::vector<double> table;
    for (std::size_t j = 0; j < element_count(picked_dims); ++j) {
      const auto inner = index_at(j, picked_dims);
      std::vector<std::int64_t> full;
      std::size_t next_outer = 0;
      std::size_t next_inner = 0;
      for (std::size_t k = 0; k < array.dims.size(); ++k)
        full.push_back(is_picked[k] ? inner[next_inner++] : outer[next_outer++]);
      table.push_back(*scalars.number(element(array, full).scalar()));
    }
    const ExprId call = pool().call(table_function(std::move(table), picked_dims), arguments);
    result.scalars.push_back(result.kind == ValueKind::boolean ? scalars.condition_of_boolean(call)
                                                               : call);
  }
  return result;
}

symbolic::FunctionId Evaluation::table_function(std::vector<double> table, const Dims& dims) {
  auto key = std::pair(table, dims);
  if (const auto found = table_functions_.find(key); found != table_functions_.end())
    return found->second;
  const auto body = [table = std::move(table), dims](std::span<const double> arguments) {
    std::size_t position = 0;
    for (std::size_t k = 0; k < dims.size(); ++k) {
      const double nearest = std::round(arguments[k]) - 1;
      const double last = static_cast<double>(dims[k] - 1);
      const double inside = nearest > 0 ? std::min(nearest, last) : 0.0;
      position = position * static_cast<std::size_t>(dims[k]) + static_cast<std::size_t>(inside);
    }
    return table[position];
  };
  const std::string name =
      symbolic::free_function_name(pool(), "element#" + std::to_string(++n_lookups_));
  const auto id =
      pool().define_function(name, static_cast<std::uint32_t>(dims.size()), body, {}, true);
  table_functions_.emplace(std::move(key), id);
  return id;
}

}  // namespace alembert::modelica
