// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Components as values: symbols, constants, bindings.
#include <algorithm>
#include <utility>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"

namespace alembert::modelica {

using symbolic::SymbolKind;

namespace {

ValueKind kind_of_type(TypeKind type) {
  switch (type) {
    case TypeKind::real: return ValueKind::real;
    case TypeKind::integer: return ValueKind::integer;
    case TypeKind::boolean: return ValueKind::boolean;
    case TypeKind::string: return ValueKind::string;
    case TypeKind::enumeration: return ValueKind::enumeration;
    case TypeKind::external_object: return ValueKind::external_object;
    case TypeKind::clock: return ValueKind::clock;
    case TypeKind::structured: return ValueKind::record;
  }
  return ValueKind::record;
}

bool is_parametric(Variability variability) {
  return variability == Variability::constant || variability == Variability::parameter;
}

/// A model, block or package has no value; records and connectors have.
bool has_value(Instance& component) {
  switch (component.restriction()) {
    case Restriction::model:
    case Restriction::block:
    case Restriction::package:
    case Restriction::function:
    case Restriction::operator_function:
    case Restriction::operator_: return false;
    default: return true;
  }
}

bool is_false(const Evaluation& evaluation, const Value& value) {
  return !value.scalars.empty() &&
         std::any_of(value.scalars.begin(), value.scalars.end(), [&](ExprId id) {
           const auto known = evaluation.scalars.truth(id);
           return !known || !*known;
         });
}

std::string conversion_advice(const Value& value, const Value& target) {
  if (value.kind == ValueKind::real && target.kind == ValueKind::integer)
    return " A quotient is a Real: write div(a, b) for whole numbers, or integer(x).";
  if (value.is_numeric() && target.kind == ValueKind::boolean)
    return " A Boolean is true, false or a comparison.";
  return {};
}

/// Of an Integer or enumeration with `fixed = false`, such as an index that an initial algorithm
/// searches for: what that algorithm makes of it, where this asks for nothing but known values.
std::optional<Value> value_by_initial_algorithm(Evaluation& evaluation, Instance& parameter) {
  if (parameter.parent() == nullptr) return std::nullopt;
  if (parameter.type() != TypeKind::integer && parameter.type() != TypeKind::enumeration)
    return std::nullopt;
  const ForNow guard(evaluation.constants_only, false);
  const ForNow assigned(evaluation.raw_references, false);
  Value value = evaluation.value_of(parameter);
  std::size_t n_found = 0;
  for (const ScopedAlgorithm& section : parameter.parent()->algorithms()) {
    if (!section.item->initial) continue;
    for (const Assignment& each :
         evaluation.run_algorithm(section.item->statements, {section.scope, nullptr})) {
      const auto target = std::find(value.scalars.begin(), value.scalars.end(), each.symbol);
      if (target == value.scalars.end()) continue;
      if (!evaluation.pool().is_number(each.value)) return std::nullopt;
      *target = each.value;
      ++n_found;
    }
  }
  return n_found == value.scalars.size() ? std::optional(std::move(value)) : std::nullopt;
}

}  // namespace

std::shared_ptr<const EnumerationType> Evaluation::enumeration_type(Instance& type) {
  ClassNode& node = type.base_class_node();
  auto& known = enumerations_[&node];
  if (!known) {
    auto made = std::make_shared<EnumerationType>();
    made->name = node.full_name();
    for (const EnumerationLiteral& literal : type.literals())
      made->literals.push_back(literal.name);
    known = std::move(made);
  }
  return known;
}

std::shared_ptr<const RecordType> Evaluation::record_type(Instance& type) {
  Instance& base = type.class_instance();
  auto& known = records_[&base];
  if (!known) {
    auto made = std::make_shared<RecordType>();
    made->name = base.class_node().full_name();
    made->type = &base;
    for (Instance* child : base.children()) made->fields.push_back(child->name());
    known = std::move(made);
  }
  return known;
}

Value Evaluation::blank(Instance& component, const Dims& dims) {
  Value value;
  value.kind = kind_of_type(component.type());
  value.dims = dims;
  switch (value.kind) {
    case ValueKind::enumeration: value.enumeration = enumeration_type(component); [[fallthrough]];
    case ValueKind::real:
    case ValueKind::integer:
    case ValueKind::clock:
    case ValueKind::boolean: value.scalars.assign(value.count(), ExprId::none()); break;
    case ValueKind::string: value.texts.assign(value.count(), {}); break;
    case ValueKind::record: {
      if (component.restriction() == Restriction::function) {
        value.kind = ValueKind::function;
        break;
      }
      Instance& entry = component.prototype();
      value.record = record_type(entry);
      for (Instance* child : entry.children()) {
        Dims all = dims;
        const auto own = child->dimensions();
        all.insert(all.end(), own.begin(), own.end());
        value.fields.push_back(blank(*child, all));
      }
      break;
    }
    default: break;
  }
  return value;
}

Value Evaluation::value_of(Instance& component) {
  if (constants_only && is_parametric(component.variability()))
    return constant_of(component, component.place());
  const auto found = values_.find(&component);
  if (found != values_.end()) return found->second;
  Value value = compute_value(component);
  if (!constants_only || component.is_simple()) values_.insert_or_assign(&component, value);
  return value;
}

Value Evaluation::compute_value(Instance& component) {
  if (!component.is_present())
    fail(component.place(), "M208",
         "'" + component.full_name() +
             "' does not exist here: the condition of its declaration does not hold.");
  if (!component.is_simple()) return structured_value(component);
  const Variability variability = component.variability();
  const TypeKind type = component.type();
  if (variability == Variability::constant || type == TypeKind::external_object ||
      (type == TypeKind::string && variability == Variability::parameter))
    return constant_of(component, component.place());
  if (variability == Variability::parameter && wants_evaluation(component)) {
    try {
      return constant_of(component, component.place());
    } catch (const Error& error) {
      if (error.code() != "M201") throw;  // the initial equations determine it after all
    }
  }
  return symbols_of(component);
}

/// Parameters with `annotation(Evaluate = true)`, and all that are no Reals: they choose sizes and
/// variants far more often than they enter a formula.
bool Evaluation::wants_evaluation(Instance& parameter) {
  if (evaluated_.contains(&parameter)) return true;
  if (parameter.type() != TypeKind::real) return has_known_value(parameter);
  const Component* declaration = parameter.component();
  if (declaration == nullptr) return false;
  const Expression* evaluate = annotation_value(declaration->comment.annotation, {"Evaluate"});
  return evaluate != nullptr && evaluate->kind == ExpressionKind::boolean && evaluate->boolean &&
         has_known_value(parameter);
}

/// With `fixed = false` the initial equations determine it.
bool Evaluation::is_found_at_start(Instance& parameter) {
  const Binding* fixed = parameter.attribute("fixed");
  return fixed != nullptr && is_false(*this, constant_binding_value(*fixed));
}

bool Evaluation::has_known_value(Instance& parameter) {
  if (constants_.contains(&parameter)) return true;
  if (is_found_at_start(parameter)) return false;
  return parameter.binding() || parameter.attribute("start") != nullptr ||
         hooks->shared_parameter(parameter) != nullptr;
}

Value Evaluation::symbols_of(Instance& component) {
  const auto dims = component.dimensions();
  Value value = blank(component, Dims(dims.begin(), dims.end()));
  const bool is_parameter = component.variability() == Variability::parameter;
  const SymbolKind kind = is_parameter ? SymbolKind::parameter : hooks->kind_of(component);
  const std::string base = component.full_name();
  const auto make_symbol = [&](std::size_t i) {
    const ExprId symbol = pool().symbol(kind, base + subscript_text(i, dims));
    auto& owners = is_parameter ? parameter_symbols_ : variable_symbols_;
    owners.insert_or_assign(symbol, ParameterSymbol{&component, i});
    return symbol;
  };
  for (std::size_t i = 0; i < value.scalars.size(); ++i) {
    const ExprId symbol = make_symbol(i);
    value.scalars[i] =
        value.kind == ValueKind::boolean ? scalars.condition_of_boolean(symbol) : symbol;
  }
  for (std::size_t i = 0; i < value.texts.size(); ++i)
    value.texts[i] = scalars.text_of(make_symbol(i));
  return value;
}

Value Evaluation::structured_value(Instance& component) {
  if (!has_value(component))
    fail(component.place(), "M202",
         "'" + component.full_name() + "' is a component of class " +
             component.class_node().full_name() + ", which has no value.");
  if (component.is_array()) {
    const auto dims = component.dimensions();
    std::vector<Value> entries;
    for (std::size_t i = 0; i < component.n_entries(); ++i)
      entries.push_back(value_of(component.entry(i)));
    if (entries.empty())
      return filled(blank(component.prototype(), {}), Dims(dims.begin(), dims.end()),
                    component.place());
    return with_leading_dims(array_of(std::move(entries), component.place()), 1, dims);
  }
  Value value;
  value.kind = ValueKind::record;
  value.record = record_type(component);
  for (Instance* child : component.children()) value.fields.push_back(value_of(*child));
  return value;
}

Value Evaluation::constant_of(Instance& component, Place place) {
  const auto found = constants_.find(&component);
  if (found != constants_.end()) return found->second;
  const auto [running, is_new] = in_progress_.emplace(&component, place);
  if (!is_new)
    fail(place, "M214",
         "the value of '" + component.full_name() +
             "' depends on itself. Give it one that does not.",
         {{"'" + component.full_name() + "' is declared here", origin_of(component.place())}});
  struct Done {
    Evaluation& evaluation;
    const Instance* component;
    ~Done() { evaluation.in_progress_.erase(component); }
  } done{*this, &component};
  Value value = compute_constant(component, place);
  if (component.variability() == Variability::parameter) evaluated_.insert(&component);
  constants_.insert_or_assign(&component, value);
  return value;
}

Value Evaluation::compute_constant(Instance& component, Place place) {
  const ForNow guard(constants_only, true);
  if (!component.is_simple()) return structured_value(component);
  const Variability variability = component.variability();
  if (!is_parametric(variability) && component.type() != TypeKind::external_object)
    fail(place, "M201",
         "'" + component.full_name() + "' must be known before the run starts, but it varies.");
  if (variability == Variability::parameter && is_found_at_start(component)) {
    if (std::optional<Value> found = value_by_initial_algorithm(*this, component))
      return std::move(*found);
    fail(place, "M201",
         "'" + component.full_name() +
             "' must be known before the run starts, but the initial equations determine it.");
  }
  std::optional<Value> value = binding_of(component);
  if (!value) {
    if (const Binding* start = component.attribute("start")) {
      const auto dims = component.dimensions();
      value =
          fitted(constant_binding_value(*start), blank(component, Dims(dims.begin(), dims.end())),
                 "start of '" + component.full_name() + "'", start->expression->place);
      value = with_entry_values(component, std::move(*value));
    }
  }
  if (!value)
    fail(place, "M213",
         "'" + component.full_name() + "' has no value: give one where it is declared or modified.",
         {{"it is declared here", origin_of(component.place())}});
  require_known(*value, component.binding() ? component.binding().expression->place : place);
  return std::move(*value);
}

std::optional<Value> Evaluation::binding_of(Instance& component) {
  const Binding& binding = component.binding();
  if (!binding) {
    Instance* shared = hooks->shared_parameter(component);
    return shared == nullptr ? std::nullopt : std::optional(value_of(*shared));
  }
  Value value = binding_value(binding);
  if (value.kind == ValueKind::external_object) return value;
  const auto dims = component.dimensions();
  const Value target = component.is_simple() ? blank(component, Dims(dims.begin(), dims.end()))
                                             : structured_value(component);
  if (binding.each && value.dims.size() < target.dims.size()) {
    const auto n_outer = static_cast<std::ptrdiff_t>(target.dims.size() - value.dims.size());
    value = filled(value, Dims(target.dims.begin(), target.dims.begin() + n_outer),
                   binding.expression->place);
  }
  return with_entry_values(component,
                           fitted(std::move(value), target, "'" + component.full_name() + "'",
                                  binding.expression->place));
}

std::size_t entry_position(Instance& component, const EntryValue& set) {
  const auto dims = component.dimensions();
  bool exists = set.indices.size() == dims.size();
  std::size_t position = 0;
  for (std::size_t d = 0; exists && d < dims.size(); ++d) {
    exists = set.indices[d] >= 1 && set.indices[d] <= dims[d];
    position =
        position * static_cast<std::size_t>(dims[d]) + static_cast<std::size_t>(set.indices[d] - 1);
  }
  if (!exists)
    throw Error("M332", "there is no '" + component.full_name() + dims_text(set.indices) +
                            "' to be set: '" + component.full_name() + "' has size " +
                            dims_text(dims) + ".");
  return position;
}

Value Evaluation::with_entry_values(Instance& component, Value value) {
  if (component.is_entry() || !component.has_dimensions()) return value;
  for (const EntryValue* set : component.entry_values()) {
    const std::size_t at = entry_position(component, *set);
    const Value entry =
        fitted(evaluate(*set->expression, {&component.tree().model().scope(), nullptr}),
               blank(component, {}), "'" + component.full_name() + dims_text(set->indices) + "'",
               set->expression->place);
    if (value.has_scalars()) value.scalars[at] = entry.scalars.front();
    if (!value.texts.empty()) value.texts[at] = entry.texts.front();
  }
  return value;
}

Value Evaluation::constant_binding_value(const Binding& binding) {
  const ForNow guard(constants_only, true);
  Value value = binding_value(binding);
  require_known(value, binding.expression->place);
  return value;
}

Value Evaluation::binding_value(const Binding& binding) {
  const EvaluationScope scope{binding.scope, nullptr};
  if (binding.steps.empty()) return evaluate(*binding.expression, scope);
  const auto key =
      std::pair(binding.expression, std::pair<const Scope*, bool>(binding.scope, constants_only));
  auto whole = whole_bindings_.find(key);
  if (whole == whole_bindings_.end())
    whole = whole_bindings_.emplace(key, evaluate(*binding.expression, scope)).first;
  Value value = whole->second;
  for (const Step& step : binding.steps) {
    if (step.member.empty()) {
      const std::int64_t index[] = {step.index - 1};
      if (value.dims.empty() || step.index < 1 || step.index > value.dims.front())
        fail(binding.expression->place, "M203",
             "the value must be an array with an element for each entry, but it is " +
                 type_text(value) + ". Write 'each' if all entries have this value.");
      value = element(value, index);
    } else {
      const Value* field = value.field(step.member);
      if (field == nullptr)
        fail(binding.expression->place, "M202",
             "there is no '" + step.member.string() + "' in a value of type " + type_text(value) +
                 ".");
      value = Value(*field);
    }
  }
  return value;
}

Value Evaluation::fitted(Value value, const Value& target, const std::string& what, Place place) {
  if (target.kind == ValueKind::real) value = as_real(std::move(value));
  const bool is_same_type = value.kind == target.kind && (target.kind != ValueKind::enumeration ||
                                                          value.enumeration == target.enumeration);
  // {} and zeros(0) have no elements that could have a type.
  const bool is_empty = value.count() == 0 && value.has_scalars() && target.has_scalars();
  if (!is_same_type && !is_empty)
    fail(place, "M202",
         what + " has type " + type_text(target) + ", but this is " + type_text(value) + "." +
             conversion_advice(value, target));
  if (value.dims != target.dims)
    fail(place, "M203",
         what + " has size " + (target.dims.empty() ? "1 (a scalar)" : dims_text(target.dims)) +
             ", but this has " + (value.dims.empty() ? "1 (a scalar)" : dims_text(value.dims)) +
             "." +
             (target.dims.size() == 1 && value.dims.size() == 2
                  ? " Brackets make a matrix; a vector is written with braces: {1, 2, 3}."
                  : ""));
  value.kind = target.kind;
  if (target.kind != ValueKind::record) return value;
  if (target.fields.size() != value.fields.size())
    value = fields_by_name(value, target, what, place);
  for (std::size_t f = 0; f < value.fields.size(); ++f)
    if (value.fields[f].kind != ValueKind::function)
      value.fields[f] = fitted(std::move(value.fields[f]), target.fields[f],
                               what + "." + target.record->fields[f].string(), place);
  value.record = target.record;
  return value;
}

/// A record that has more fields fits where all that are wanted are there.
Value Evaluation::fields_by_name(const Value& value, const Value& target, const std::string& what,
                                 Place place) {
  Value result = target;
  for (std::size_t f = 0; f < target.fields.size(); ++f) {
    const Value* field = value.field(target.record->fields[f]);
    if (field == nullptr)
      fail(place, "M202",
           what + " has type " + type_text(target) + ", but this is " + type_text(value) +
               ", which has no '" + target.record->fields[f].string() + "'.");
    result.fields[f] = *field;
  }
  return result;
}

namespace {

void append_scalars_and_texts(Scalars& scalars, const Value& value, std::vector<ExprId>& all) {
  all.insert(all.end(), value.scalars.begin(), value.scalars.end());
  for (const Text& text : value.texts) all.push_back(scalars.number_of_text(text));
  for (const Value& field : value.fields) append_scalars_and_texts(scalars, field, all);
}

}  // namespace

std::vector<ExprId> Evaluation::scalars_and_texts(const Value& value) {
  std::vector<ExprId> all;
  append_scalars_and_texts(scalars, value, all);
  return all;
}

std::vector<ExprId> Evaluation::numeric_scalars(const Value& value) {
  std::vector<ExprId> all = scalars_and_texts(value);
  for (ExprId& id : all) {
    if (!id.valid())
      throw Error("M213", "a field of a value of type " + type_text(value) + " has no value.");
    if (pool().is_condition(id)) id = scalars.number_of_condition(id);
  }
  return all;
}

}  // namespace alembert::modelica
