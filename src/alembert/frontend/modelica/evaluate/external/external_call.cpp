// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"

#include <algorithm>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

const Value& ExternalCall::argument(std::size_t k) const {
  if (k >= arguments.size())
    fail(place, "M204", "the external function of '" + function + "' needs more arguments.");
  return arguments[k];
}

bool ExternalCall::all_known() const {
  for (const Value& value : arguments) {
    for (const ExprId id : value.scalars)
      if (id.valid() && !evaluation.scalars.is_known(id)) return false;
    for (const Text& text : value.texts)
      if (!text.is_constant()) return false;
  }
  return true;
}

void ExternalCall::require_known() const {
  if (!all_known()) throw NeedsNumbers{place, "an argument of '" + function + "' is not known"};
}

double ExternalCall::number(std::size_t k) const {
  const Value& value = argument(k);
  if (value.scalars.size() != 1)
    fail(place, "M202", "a number is wanted by the external function of '" + function + "'.");
  if (!value.scalar().valid()) return 0;  // an output that the call is to give
  const auto number = evaluation.scalars.number(value.scalar());
  if (!number) throw NeedsNumbers{place, "an argument of '" + function + "' is not known"};
  return *number;
}

std::int64_t ExternalCall::integer(std::size_t k) const {
  return static_cast<std::int64_t>(number(k));
}

bool ExternalCall::boolean(std::size_t k) const { return number(k) != 0; }

const std::string& ExternalCall::text(std::size_t k) const {
  const Value& value = argument(k);
  if (value.texts.size() != 1)
    fail(place, "M202", "a String is wanted by the external function of '" + function + "'.");
  if (!value.texts[0].is_constant())
    throw NeedsNumbers{place, "an argument of '" + function + "' is not known"};
  return value.texts[0].text;
}

std::vector<double> ExternalCall::numbers(std::size_t k) const {
  std::vector<double> result;
  for (const ExprId id : argument(k).scalars) {
    if (!id.valid()) {  // an output that the call is to give
      result.push_back(0);
      continue;
    }
    const auto number = evaluation.scalars.number(id);
    if (!number) throw NeedsNumbers{place, "an argument of '" + function + "' is not known"};
    result.push_back(*number);
  }
  return result;
}

Value ExternalCall::real(double value) const { return evaluation.real_number(value); }

Value ExternalCall::integer_value(std::int64_t value) const {
  return evaluation.integer_number(value);
}

Value ExternalCall::truth(bool value) const { return evaluation.truth_value(value); }

Value ExternalCall::reals_like(std::size_t k, const std::vector<double>& values) const {
  Value result;
  result.dims = argument(k).dims;
  for (const double value : values) result.scalars.push_back(evaluation.pool().real(value));
  ensure(result.scalars.size() == result.count(), "as many values as the argument has");
  return result;
}

Value ExternalCall::integers_like(std::size_t k, const std::vector<std::int64_t>& values) const {
  Value result;
  result.kind = ValueKind::integer;
  result.dims = argument(k).dims;
  for (const std::int64_t value : values)
    result.scalars.push_back(evaluation.pool().integer(value));
  ensure(result.scalars.size() == result.count(), "as many values as the argument has");
  return result;
}

std::string name_in_c(Instance& function, const External& declared) {
  return declared.function.empty() ? function.base_class_node().name().string()
                                   : declared.function.string();
}

ExternalFunction find_external(std::string_view name) {
  for (const auto find :
       {find_string_function, find_system_function, find_table_function, find_random_function,
        find_matrix_function, find_fourier_function, find_matrix_file_function})
    if (const ExternalFunction found = find(name)) return found;
  return nullptr;
}

std::size_t Evaluation::object_number(const std::shared_ptr<const ExternalObject>& object) {
  const auto found = std::find(objects->begin(), objects->end(), object);
  const auto number = static_cast<std::size_t>(found - objects->begin()) + 1;
  if (found == objects->end()) objects->push_back(object);
  return number;
}

void Evaluation::call_external(Instance& function, Execution& execution, Place place) {
  const ScopedExternal external = function.external();
  const External& declared = *external.item;
  const EvaluationScope scope{external.scope, &execution.locals};
  const FunctionHead& parts = head(function);
  ExternalCall call{*this, function.full_name(),      {},       {},
                    place, function.tree().library(), &function};

  const std::string name = name_in_c(function, declared);
  std::vector<const Expression*> written(declared.arguments.begin(), declared.arguments.end());
  const bool is_bare = declared.function.empty();
  if (is_bare) {
    for (Instance* input : parts.inputs)
      call.arguments.push_back(*execution.locals.find(input->name()));
  }
  for (const Expression* argument : written)
    call.arguments.push_back(evaluate_unchecked(*argument, scope));

  if (declared.has_language && declared.language == "builtin") {
    const PlainBuiltin builtin = plain_builtin(name);
    if (builtin == nullptr)
      fail(place, "M209", "the builtin function '" + name + "' is not supported yet.");
    call.result = (this->*builtin)(call.arguments, place);
  } else {
    call.symbol = name;
    const ExternalFunction implementation = find_external(name);
    if (implementation != nullptr)
      implementation(call);
    else if (is_bare)
      call_bare_c(function, call, execution);
    else
      call_written_c(function, call, execution);
  }
  const auto assign_to = [&](const ComponentReference& target, Value value) {
    for (Local& local : execution.locals.variables)
      if (local.name == target.parts.front().name) {
        // Outside of the language an enumeration is the number of its literal.
        const bool is_literal = local.value.kind == ValueKind::enumeration &&
                                value.kind == ValueKind::integer && target.parts.size() == 1;
        if (is_literal) {
          value.kind = ValueKind::enumeration;
          value.enumeration = local.value.enumeration;
        }
        assign_local(local, target, std::move(value), scope, execution, place);
        return;
      }
  };
  if (call.result && declared.result != nullptr) assign_to(*declared.result, *call.result);
  if (call.result && declared.result == nullptr && !parts.outputs.empty()) {
    for (Local& local : execution.locals.variables)
      if (local.name == parts.outputs.front()->name()) local.value = *call.result;
  }
  for (auto& [k, value] : call.outputs)
    if (k < written.size() && written[k]->kind == ExpressionKind::reference)
      assign_to(*written[k]->reference, std::move(value));
}

}  // namespace alembert::modelica
