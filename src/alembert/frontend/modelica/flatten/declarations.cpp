// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/declarations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "alembert/base/unit.hpp"
#include "alembert/flat/state_priority.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {

using symbolic::SymbolKind;

namespace {

flat::ValueType value_type(Instance& component) {
  switch (component.type()) {
    case TypeKind::boolean: return flat::ValueType::boolean;
    case TypeKind::string: return flat::ValueType::text;
    case TypeKind::integer:
    case TypeKind::enumeration: return flat::ValueType::integer;
    default: return flat::ValueType::real;
  }
}

bool starts_yield(Instance& component) {
  return component.class_annotation({"__Alembert", "starts_yield"}, true).item != nullptr;
}

constexpr std::size_t max_variables = 5'000'000;

/// By the ordinal of StateSelect.never, avoid, default, prefer, always.
double state_priority(double ordinal) {
  constexpr double priorities[] = {-flat::demanded_priority, -1, 0, 1, flat::demanded_priority};
  const int index = static_cast<int>(ordinal) - 1;
  return index >= 0 && index < 5 ? priorities[index] : 0;
}

/// By itself, or as part of a record that is.
bool is_final(Instance& parameter) {
  Instance* part = &parameter;
  while (!part->is_final() && part->parent() != nullptr &&
         part->parent()->restriction() == Restriction::record)
    part = part->parent();
  return part->is_final();
}

template <class T>
T at(const std::vector<T>& list, std::size_t i) {
  return list.empty() ? T{} : list[i];
}

}  // namespace

bool is_free_input(Instance& variable) {
  if (variable.causality() != Causality::input) return false;
  for (Instance* part = &variable; part->parent() != nullptr; part = part->parent()) {
    if (part->binding() || part->is_protected() || is_expandable(*part)) return false;
    Instance& around = *part->parent();
    if (around.parent() == nullptr) return true;
    if (!is_connector(around) && around.restriction() != Restriction::record) return false;
  }
  return false;
}

void Declarations::check_start_type(Instance& component, const Value& value, Place place) {
  Value target = state_.evaluator.value_of(component);
  target.dims = value.dims;
  state_.evaluator.fitted(value, target, "the start of '" + component.full_name() + "'", place);
}

std::vector<ExprId> Declarations::attribute(Instance& component, const char* name,
                                            std::size_t n_scalars) {
  const Binding* binding = component.attribute(name);
  if (binding == nullptr) return {};
  const Value value = state_.evaluator.binding_value(*binding);
  const bool is_start_text = value.kind == ValueKind::string &&
                             component.type() == TypeKind::string && component.is_simple();
  if (!value.has_scalars() && !is_start_text)
    fail(binding->expression->place, "M320",
         fmt::format("the attribute {} of '{}' cannot be {}.", name, component.full_name(),
                     type_text(value)));
  if (std::string_view(name) == "start")
    check_start_type(component, value, binding->expression->place);
  std::vector<ExprId> scalars = state_.evaluator.numeric_scalars(value);
  if (scalars.size() == n_scalars) return scalars;
  if (value.is_scalar()) return std::vector<ExprId>(n_scalars, scalars.front());
  // `each` of a vector for an array of vectors: the last dimensions are given.
  if (!scalars.empty() && n_scalars % scalars.size() == 0 && binding->each) {
    std::vector<ExprId> repeated;
    while (repeated.size() < n_scalars)
      repeated.insert(repeated.end(), scalars.begin(), scalars.end());
    return repeated;
  }
  fail(binding->expression->place, "M320",
       fmt::format("the attribute {} of '{}' has size {}, but '{}' has {}.", name,
                   component.full_name(), dims_text(value.dims), component.name().text(),
                   component.dimensions().empty() ? std::string("no dimensions")
                                                  : dims_text(component.dimensions())));
}

std::vector<ExprId> Declarations::starts(Instance& component, std::size_t n_scalars) {
  std::vector<ExprId> values = attribute(component, "start", n_scalars);
  for (const EntryValue* set : component.entry_values()) {
    if (values.empty()) values.assign(n_scalars, state_.pool.integer(0));
    const Value value = state_.evaluator.binding_value(
        {.expression = set->expression, .scope = &state_.tree.model().scope()});
    if (!value.is_scalar() || !value.has_scalars())
      fail(set->expression->place, "M332",
           fmt::format("an entry of '{}' starts with one number, not with {}.",
                       component.full_name(), type_text(value)));
    check_start_type(component, value, set->expression->place);
    values[entry_position(component, *set)] = state_.evaluator.numeric_scalars(value).front();
  }
  return values;
}

std::vector<ExprId> Declarations::fallback_starts(Instance& variable, std::size_t n_scalars) {
  const auto min = numbers(variable, "min", n_scalars);
  const auto max = numbers(variable, "max", n_scalars);
  std::vector<ExprId> result;
  for (std::size_t i = 0; i < n_scalars; ++i) {
    double value = variable.type() == TypeKind::enumeration ? 1 : 0;
    if (at(max, i)) value = std::min(value, *at(max, i));
    if (at(min, i)) value = std::max(value, *at(min, i));
    result.push_back(state_.pool.real(value));
  }
  return result;
}

bool Declarations::are_defaults(Instance& owner, std::span<const ExprId> values) {
  for (Instance* const parameter : owner.children()) {
    if (parameter->variability() != Variability::parameter || !parameter->is_simple()) continue;
    const Binding& binding = parameter->binding();
    const bool own = parameter->entry_values().empty() && (!binding || binding.is_default);
    const Value symbols = state_.evaluator.value_of(*parameter);
    const bool used = std::ranges::any_of(symbols.scalars, [&](ExprId symbol) {
      return std::ranges::any_of(
          values, [&](ExprId value) { return symbolic::depends_on(state_.pool, value, symbol); });
    });
    if (!used || own) continue;
    // What a component hands on to its parts may be a default of its own.
    if (!binding || !starts_yield(binding.scope->instance())) return false;
    const std::optional<Value> given = state_.evaluator.binding_of(*parameter);
    Instance& giver = binding.scope->instance();
    if (!given || &giver == &owner || !are_defaults(giver, given->scalars)) return false;
  }
  return true;
}

bool Declarations::start_yields(Instance& variable, std::span<const ExprId> starts) {
  Instance* const owner = variable.parent();
  const auto said_inside = [&](const char* attribute) {
    const Binding* const binding = variable.attribute(attribute);
    return binding != nullptr && &binding->scope->instance() == owner;
  };
  return owner != nullptr && said_inside("fixed") && said_inside("start") &&
         variable.entry_values().empty() && starts_yield(*owner) && are_defaults(*owner, starts);
}

std::vector<std::optional<double>> Declarations::numbers(Instance& component, const char* name,
                                                         std::size_t n_scalars) {
  std::vector<std::optional<double>> result;
  for (const ExprId scalar : attribute(component, name, n_scalars))
    result.push_back(state_.pool.is_number(scalar)
                         ? std::optional(state_.pool.number_of(scalar).value())
                         : std::nullopt);
  return result;
}

std::vector<char> Declarations::flags(Instance& component, const char* name,
                                      std::size_t n_scalars) {
  const Binding* binding = component.attribute(name);
  if (binding == nullptr) return {};
  const Value value = state_.evaluator.constant_binding_value(*binding);
  std::vector<char> result;
  for (const ExprId scalar : state_.evaluator.numeric_scalars(value))
    result.push_back(!state_.pool.is_zero(scalar));
  if (result.size() == n_scalars) return result;
  if (result.empty()) return {};
  return std::vector<char>(n_scalars, result.front());
}

std::string Declarations::text_attribute(Instance& component, const char* name) {
  const Binding* binding = component.attribute(name);
  if (binding == nullptr) return {};
  const Value value = state_.evaluator.constant_binding_value(*binding);
  return value.texts.empty() ? std::string() : value.texts.front().text;
}

void Declarations::note_display_unit(Instance& component, std::size_t n_scalars) {
  const std::string wanted = text_attribute(component, "displayUnit");
  if (wanted.empty()) return;
  const std::optional<Unit> from = parse_unit(unit(component));
  const std::optional<Unit> to = parse_unit(wanted);
  if (!from || !to) return;
  if (!from->has_same_dimension(*to)) {
    Diagnostic warning = diagnostic_at(
        component.place(), "M340",
        fmt::format("'{}' has the unit '{}' and cannot be shown in '{}', which measures something "
                    "else.",
                    component.full_name(), unit(component), wanted));
    if (warned_of_.insert(to_string(warning.origin)).second) state_.tree.warn(std::move(warning));
    return;
  }
  for (std::size_t i = 0; i < n_scalars; ++i)
    display_units_.emplace(component.full_name() + subscript_text(i, component.dimensions()),
                           wanted);
}

std::vector<double> Declarations::state_priorities(Instance& component, std::size_t n_scalars) {
  const Binding* binding = component.attribute("stateSelect");
  if (binding == nullptr) return {};
  std::vector<double> result;
  for (const ExprId scalar : state_.evaluator.constant_binding_value(*binding).scalars)
    result.push_back(state_priority(state_.pool.number_of(scalar).value()));
  if (result.size() == n_scalars || result.empty()) return result;
  return std::vector<double>(n_scalars, result.front());
}

std::string Declarations::description(Instance& component) {
  const Component* declared = component.component();
  return declared ? std::string(declared->comment.text) : std::string();
}

/// `discrete Real` with a value that holds all the time: only a when-clause gives it one
/// (specification, 4.4.4).
void Declarations::require_when(Instance& variable) {
  const Component* declared = variable.component();
  if (declared == nullptr || declared->type_prefix.variability != Variability::discrete ||
      variable.causality() == Causality::input || !variable.binding())
    return;
  fail(variable.place(), "M124",
       fmt::format("'{}' is a discrete Real, which only a when-clause changes, but its declaration "
                   "gives it a value that holds all the time. Assign it in a 'when', or take "
                   "'discrete' away.",
                   variable.full_name()));
}

void Declarations::add_variable(Instance& variable) {
  if (variable.type() == TypeKind::external_object) return;
  state_.current = variable.parent();
  Evaluator& evaluator = state_.evaluator;
  const Value value = evaluator.value_of(variable);
  if (variable.type() == TypeKind::clock) {
    for (const ExprId symbol : value.scalars)
      state_.clocks.clock_variables.emplace_back(symbol, state_.origin(variable.place()));
    add_binding(variable, value);
    return;
  }
  const std::vector<ExprId> symbols = evaluator.numeric_scalars(value);
  if (symbols.empty()) return;
  const std::size_t n = symbols.size();
  if (state_.system.unknowns.size() + state_.system.discrete_variables.size() + n > max_variables)
    fail(variable.place(), "M119",
         fmt::format("with '{}' the model has more than {} variables.", variable.full_name(),
                     max_variables));
  const Origin origin = state_.origin(variable.place());
  note_display_unit(variable, n);
  const std::vector<char> fixed = flags(variable, "fixed", n);
  std::vector<ExprId> starts = this->starts(variable, n);
  if (starts.empty() && std::ranges::any_of(fixed, [](char flag) { return flag != 0; }))
    starts = fallback_starts(variable, n);
  if (state_.pool.symbol_of(symbols.front()).kind == SymbolKind::parameter) {  // a free input
    for (std::size_t i = 0; i < n; ++i)
      state_.system.parameters.push_back(
          {.symbol = symbols[i],
           .value = starts.empty() ? state_.pool.integer(0) : starts[i],
           .type = value_type(variable),
           .unit = unit(variable),
           .description = description(variable),
           .origin = origin});
    return;
  }
  if (state_.pool.symbol_of(symbols.front()).kind == SymbolKind::discrete) {
    for (std::size_t i = 0; i < n; ++i)
      state_.system.discrete_variables.push_back({.symbol = symbols[i],
                                                  .start = at(starts, i),
                                                  .fixed = at(fixed, i) != 0,
                                                  .type = value_type(variable),
                                                  .unit = unit(variable),
                                                  .description = description(variable),
                                                  .origin = origin});
  } else {
    require_when(variable);
    const auto min = numbers(variable, "min", n);
    const auto max = numbers(variable, "max", n);
    const auto nominal = numbers(variable, "nominal", n);
    const auto priority = state_priorities(variable, n);
    const std::string unit_text = unit(variable);
    const std::string text = description(variable);
    const bool yields = start_yields(variable, starts);
    for (std::size_t i = 0; i < n; ++i)
      state_.system.unknowns.push_back({.symbol = symbols[i],
                                        .start = at(starts, i),
                                        .fixed = at(fixed, i) != 0 && !yields,
                                        .min = at(min, i),
                                        .max = at(max, i),
                                        .nominal = at(nominal, i),
                                        .unit = unit_text,
                                        .description = text,
                                        .state_priority = at(priority, i),
                                        .origin = origin});
  }
  add_binding(variable, value);
}

void Declarations::add_binding(Instance& variable, const Value& value) {
  if (!variable.binding()) return;
  Evaluator& evaluator = state_.evaluator;
  const Place place = variable.binding().expression->place;
  std::optional<Value> bound = evaluator.binding_of(variable);
  if (!bound) return;
  std::vector<ScalarEquation> equations;
  equations_.equate(
      value, evaluator.fitted(std::move(*bound), value, "'" + variable.full_name() + "'", place),
      place, equations);
  for (const ScalarEquation& equation : equations) state_.add(equation);
}

namespace {

/// A parameter that the expression depends on; null if there is none. Sizes are known.
Instance* parameter_in(InstanceTree& tree, Scope& scope, const Expression& expression) {
  if (expression.kind == ExpressionKind::call && expression.reference->parts.size() == 1 &&
      (expression.reference->parts[0].name == "size" ||
       expression.reference->parts[0].name == "ndims"))
    return nullptr;
  if (expression.kind == ExpressionKind::reference) {
    const Denotation found = tree.try_lookup(scope, *expression.reference);
    if (found.kind != DenotationKind::component) return nullptr;
    Instance* at = found.instance;
    const auto parts = expression.reference->parts;
    for (std::size_t k = found.parts_used; k < parts.size() && at != nullptr; ++k)
      at = at->prototype().component_member(parts[k].name);
    return at != nullptr && at->variability() == Variability::parameter ? at : nullptr;
  }
  const auto in = [&](const Expression* part) {
    return part == nullptr ? nullptr : parameter_in(tree, scope, *part);
  };
  for (const Expression* operand : expression.operands)
    if (Instance* found = in(operand)) return found;
  for (const NamedArgument& named : expression.named)
    if (Instance* found = in(named.value)) return found;
  return nullptr;
}

}  // namespace

void Declarations::require_constant_value(Instance& constant) {
  const Binding& binding = constant.binding();
  // A record of parameters may have constants in it: libraries hand such records on as a whole.
  if (!binding || !binding.steps.empty()) return;
  Instance* parameter = parameter_in(state_.tree, *binding.scope, *binding.expression);
  if (parameter == nullptr) return;
  fail(binding.expression->place, "M310",
       fmt::format("'{}' is a constant, but its value depends on the parameter '{}', which can be "
                   "set before a run. Declare '{}' as a constant, or '{}' as a parameter.",
                   constant.full_name(), parameter->full_name(), parameter->name().text(),
                   constant.name().text()));
}

void Declarations::read_parameter(Instance& parameter) {
  if (parameter.type() == TypeKind::string || parameter.type() == TypeKind::external_object ||
      parameter.type() == TypeKind::clock)
    return;
  state_.current = parameter.parent();
  ReadParameter entry{.instance = &parameter,
                      .symbols = state_.evaluator.value_of(parameter),
                      .value = state_.evaluator.binding_of(parameter)};
  if (entry.value)
    entry.value = state_.evaluator.fitted(
        std::move(*entry.value), entry.symbols, "'" + parameter.full_name() + "'",
        parameter.binding() ? parameter.binding().expression->place : parameter.place());
  parameters_.push_back(std::move(entry));
}

void Declarations::add_parameters() {
  for (const ReadParameter& parameter : parameters_) add_parameter(parameter);
  parameters_.clear();
}

void Declarations::add_parameter(const ReadParameter& parameter) {
  Instance& instance = *parameter.instance;
  Evaluator& evaluator = state_.evaluator;
  state_.current = instance.parent();
  const std::vector<ExprId> symbols = evaluator.numeric_scalars(parameter.symbols);
  const std::size_t n = symbols.size();
  const std::vector<char> fixed = flags(instance, "fixed", n);
  std::vector<ExprId> values;
  if (evaluator.is_evaluated(instance))
    values = evaluator.numeric_scalars(evaluator.constant_of(instance, instance.place()));
  else if (parameter.value)
    values = evaluator.numeric_scalars(*parameter.value);
  else
    values = starts(instance, n);
  const bool final = is_final(instance);
  note_display_unit(instance, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (final) state_.final_parameters.push_back(symbols[i]);
    // Where the equations have its number, it is still shown under its name.
    const ExprId symbol =
        state_.pool.is_symbol(symbols[i])
            ? symbols[i]
            : state_.pool.symbol(SymbolKind::parameter,
                                 instance.full_name() + subscript_text(i, instance.dimensions()));
    state_.system.parameters.push_back({.symbol = symbol,
                                        .value = at(values, i),
                                        .solved_for = !fixed.empty() && !fixed[i],
                                        .structural = evaluator.is_evaluated(instance),
                                        .type = value_type(instance),
                                        .unit = unit(instance),
                                        .description = description(instance),
                                        .origin = state_.origin(instance.place())});
  }
}

}  // namespace alembert::modelica
