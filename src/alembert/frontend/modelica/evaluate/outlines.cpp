// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Functions as bodies of their own. A function that can be
// executed on expressions, but grows large by it or iterates, is executed once on formal arguments;
// a call is then one node, of whose branches only those run that are taken, with exact derivatives.
#include <algorithm>
#include <bit>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/open_values.hpp"
#include "alembert/symbolic/function_body.hpp"

namespace alembert::modelica {

namespace {

constexpr std::size_t most_arguments = 400;
constexpr std::size_t most_outputs = 400;

bool has_open_texts(const Value& value) {
  const auto is_open = [](const Text& text) { return !text.values.empty(); };
  return std::any_of(value.texts.begin(), value.texts.end(), is_open) ||
         std::any_of(value.fields.begin(), value.fields.end(), has_open_texts);
}

}  // namespace

bool Evaluation::is_large(const Value& result, const std::vector<Value>& inputs) {
  std::vector<ExprId> given;
  for (const Value& input : inputs) gather_open(scalars, input, given);
  std::unordered_set<ExprId> seen(given.begin(), given.end());
  std::vector<ExprId> open;
  append_scalars(result, open);
  std::size_t count = 0;
  while (!open.empty() && count <= large_body) {
    const ExprId id = open.back();
    open.pop_back();
    if (!id.valid() || !seen.insert(id).second) continue;
    ++count;
    const auto children = pool().children(id);
    open.insert(open.end(), children.begin(), children.end());
  }
  return count > large_body;
}

/// Symbols in place of what is not known, always the same ones.
void Evaluation::put_formals(Value& value, std::vector<ExprId>& formals) {
  for (ExprId& id : value.scalars) {
    if (!id.valid() || scalars.is_known(id)) continue;
    formals.push_back(pool().parameter("argument " + std::to_string(formals.size() + 1)));
    id = value.kind == ValueKind::boolean ? scalars.condition_of_boolean(formals.back())
                                          : formals.back();
  }
  for (Value& field : value.fields) put_formals(field, formals);
  if (!value.function || value.function->given.empty()) return;
  auto function = std::make_shared<FunctionValue>(*value.function);
  for (auto& [name, given] : function->given) put_formals(given, formals);
  value.function = std::move(function);
}

std::optional<Value> Evaluation::outlined_call(Instance& function, const std::vector<Value>& inputs,
                                               Place place) {
  if (std::any_of(inputs.begin(), inputs.end(), has_open_texts)) return std::nullopt;
  std::vector<ExprId> open;
  for (const Value& input : inputs) gather_open(scalars, input, open);
  if (open.empty() || open.size() > most_arguments) return std::nullopt;
  std::vector<Value> formal_inputs = inputs;
  std::vector<ExprId> formals;
  for (Value& input : formal_inputs) put_formals(input, formals);
  std::vector<std::uint64_t> key = {std::bit_cast<std::uintptr_t>(&function)};
  for (const Value& input : formal_inputs) append_key(input, key);
  auto found = outlines_.find(key);
  if (found == outlines_.end()) {
    has_outlines_.insert(&function);
    Outline made = outline(function, formal_inputs, formals, place);
    found = outlines_.emplace(std::move(key), std::move(made)).first;
  }
  const Outline& outlined = found->second;
  if (outlined.functions.empty()) return std::nullopt;
  std::vector<ExprId> calls;
  for (const auto id : outlined.functions) calls.push_back(pool().call(id, open));
  std::span<const ExprId> rest = calls;
  Value result = outlined.result;
  put_calls(scalars, result, rest);
  last_failure_ = outlined.failure;
  for (ExprId& id : last_failure_.cells.scalars) {
    if (scalars.is_known(id)) continue;
    id = rest.front();
    rest = rest.subspan(1);
  }
  return result;
}

/// Without functions where it cannot be done.
Evaluation::Outline Evaluation::outline(Instance& function, const std::vector<Value>& formal_inputs,
                                        const std::vector<ExprId>& formals, Place place) {
  Outline made;
  const ForNow anywhere(asked_path_, ExprId{});  // a body serves every call
  try {
    made.result = execute(function, formal_inputs, place);
    made.failure = std::exchange(last_failure_, {});
  } catch (const NeedsNumbers&) {
    return made;
  } catch (const Error&) {
    return made;
  }
  std::vector<ExprId> outputs;
  append_scalars(made.result, outputs);
  if (has_texts(made.result) || outputs.empty() || outputs.size() > most_outputs ||
      std::any_of(outputs.begin(), outputs.end(), [](ExprId id) { return !id.valid(); }))
    return made;
  for (const ExprId id : made.failure.cells.scalars)
    if (!scalars.is_known(id)) outputs.push_back(id);
  for (ExprId& id : outputs)
    if (pool().is_condition(id)) id = scalars.number_of_condition(id);
  const std::string name = function.full_name() + "#" + std::to_string(++n_lookups_);
  const auto wrap = [&](std::shared_ptr<const symbolic::CalledFunction> body) {
    return told_calculus(function, formal_inputs, std::move(body));
  };
  made.functions = symbolic::define_body(pool(), symbolic::free_function_name(pool(), name),
                                         formals, outputs, wrap);
  return made;
}

}  // namespace alembert::modelica
