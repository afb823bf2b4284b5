// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. `function f_xy = der(f, x, y)`: partial derivatives of a
// function by its inputs (specification, 12.7.2). The function is called with symbols in the place
// of these inputs; what comes out is differentiated by them and gets the arguments back.
#include <algorithm>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {

namespace {

/// Every number of a value, those of fields too.
template <class Change>
void change_scalars(Value& value, const Change& change) {
  for (ExprId& scalar : value.scalars) scalar = change(scalar);
  for (Value& field : value.fields) change_scalars(field, change);
}

bool is_real_throughout(const Value& value) {
  if (value.kind == ValueKind::record || value.kind == ValueKind::tuple)
    return std::all_of(value.fields.begin(), value.fields.end(), is_real_throughout);
  return value.kind == ValueKind::real;
}

}  // namespace

Value Evaluation::partial_derivative(Instance& function, Instance& base, std::vector<Value> inputs,
                                     Place place) {
  const ClassDefinition& definition = function.base_class_node().definition();
  const auto& formal = head(base).inputs;
  symbolic::Replacements arguments;
  std::vector<ExprId> by;
  for (const Name name : definition.derivative_inputs) {
    const auto found = std::find_if(formal.begin(), formal.end(),
                                    [&](Instance* input) { return input->name() == name; });
    if (found == formal.end() || (*found)->type() != TypeKind::real ||
        !(*found)->declared_dimensions().empty())
      fail(definition.place, "M205",
           "'" + function.full_name() + "' is a derivative by '" + name.string() +
               "', which is no Real input of '" + base.full_name() + "'.");
    // One symbol for each input of each derivative: calls do not meet, since the symbol is gone
    // when they are done.
    const ExprId symbol = pool().symbol(
        symbolic::SymbolKind::parameter, function.full_name() + "(" + name.string() + ")");
    Value& input = inputs[static_cast<std::size_t>(found - formal.begin())];
    if (input.scalar() != symbol) arguments.emplace(symbol, input.scalar());
    input = scalar_value(ValueKind::real, symbol);
    by.push_back(symbol);
  }
  Value result = call_bound(base, std::move(inputs), place);
  if (!is_real_throughout(result))
    fail(place, "M202", "'" + base.full_name() + "' has outputs that are no Reals, so that '" +
                            function.full_name() + "' cannot be found.");
  change_scalars(result, [&](ExprId scalar) {
    for (const ExprId symbol : by) scalar = symbolic::differentiate(pool(), scalar, symbol);
    return symbolic::substitute(pool(), scalar, arguments);
  });
  return result;
}

}  // namespace alembert::modelica
