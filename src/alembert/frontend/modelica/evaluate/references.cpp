// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. From names and subscripts to values.

#include "alembert/base/number_text.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"
#include "alembert/symbolic/hash.hpp"

namespace alembert::modelica {

namespace {

/// Up to this many elements a subscript that is known only in the run is a chain of choices even
/// where a table of numbers would do.
constexpr std::int64_t short_chain = 4;
constexpr std::int64_t longest_chain = 2000;

std::string path_text(List<ReferencePart> parts, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? "." : "") + parts[i].name.string();
  return text;
}

bool has_unassigned(const Value& value) {
  for (const ExprId id : value.scalars)
    if (!id.valid()) return true;
  return false;
}

}  // namespace

std::size_t Evaluation::LookupHash::operator()(const LookupKey& key) const {
  return std::hash<const void*>()(key.scope) * 31 + std::hash<const void*>()(key.reference);
}

Denotation Evaluation::lookup(const ComponentReference& reference, const EvaluationScope& scope) {
  const LookupKey key{scope.scope, &reference};
  if (const auto found = denotations_.find(key); found != denotations_.end()) return found->second;
  const Denotation denotation = scope.scope->instance().tree().lookup(*scope.scope, reference);
  denotations_.emplace(key, denotation);
  return denotation;
}

Value Evaluation::reference(const ComponentReference& reference, const EvaluationScope& scope) {
  if (!reference.absolute && scope.locals != nullptr) {
    const ReferencePart& first = reference.parts.front();
    if (const Value* local = scope.locals->find(first.name)) {
      Value value = first.subscripts.empty()
                        ? *local
                        : subscripted(*local, first.subscripts, scope,
                                      "'" + first.name.string() + "'", first.place);
      value = member_path(std::move(value), reference.parts, 1, scope);
      if (has_unassigned(value))
        fail(reference.place, "M213",
             "'" + path_text(reference.parts, reference.parts.size()) +
                 "' is used before it gets a value.");
      return value;
    }
  }
  const Denotation denotation = lookup(reference, scope);
  switch (denotation.kind) {
    case DenotationKind::component:
      return component_path(*denotation.instance, reference.parts, denotation.parts_used - 1,
                            scope);
    case DenotationKind::literal: {
      Value value = scalar_value(ValueKind::enumeration, pool().integer(denotation.literal));
      value.enumeration = enumeration_type(*denotation.instance);
      return value;
    }
    case DenotationKind::builtin:
      if (reference.parts.size() == 1 && reference.parts[0].name == "time")
        return scalar_value(ValueKind::real, pool().time());
      fail(reference.place, "M202",
           "'" + path_text(reference.parts, reference.parts.size()) +
               "' is a function and must be called: add parentheses.");
    case DenotationKind::class_: {
      const Restriction restriction = denotation.instance->restriction();
      if (restriction == Restriction::function || restriction == Restriction::operator_function) {
        Value value;
        value.kind = ValueKind::function;
        value.function = std::make_shared<FunctionValue>(FunctionValue{denotation.instance, {}});
        return value;
      }
      if (denotation.instance->type() == TypeKind::enumeration ||
          denotation.instance->type() == TypeKind::boolean) {
        return range_of_type(*denotation.instance);
      }
      break;
    }
    case DenotationKind::nothing: break;
  }
  fail(reference.place, "M202",
       "'" + path_text(reference.parts, reference.parts.size()) + "' is a class, not a value.");
}

/// A type as a range or a dimension: all of its values in order.
Value Evaluation::range_of_type(Instance& type) {
  Value value;
  if (type.type() == TypeKind::boolean)
    return array_value(ValueKind::boolean, {2}, {pool().truth(false), pool().truth(true)});
  value.kind = ValueKind::enumeration;
  value.enumeration = enumeration_type(type);
  const auto count = static_cast<std::int64_t>(value.enumeration->literals.size());
  value.dims = {count};
  for (std::int64_t i = 1; i <= count; ++i) value.scalars.push_back(pool().integer(i));
  return value;
}

Value Evaluation::member_path(Value value, List<ReferencePart> parts, std::size_t next,
                              const EvaluationScope& scope) {
  for (std::size_t k = next; k < parts.size(); ++k) {
    const Value* field = value.field(parts[k].name);
    if (field == nullptr)
      fail(parts[k].place, "M208",
           "there is no '" + parts[k].name.string() + "' in a value of type " + type_text(value) +
               ".");
    const std::size_t n_outer = value.dims.size();
    Value inner = *field;
    if (!parts[k].subscripts.empty()) {
      const std::string what = "'" + path_text(parts, k + 1) + "'";
      if (n_outer == 0) {
        inner = subscripted(inner, parts[k].subscripts, scope, what, parts[k].place);
      } else {
        const auto own = std::span<const std::int64_t>(inner.dims).subspan(n_outer);
        auto selected_own = subscripts(parts[k].subscripts, own, scope, what, nullptr);
        std::vector<IndexChoice> all(n_outer);
        for (IndexChoice& subscript : all) subscript.all = true;
        all.insert(all.end(), selected_own.begin(), selected_own.end());
        inner = selected(inner, all);
      }
    }
    value = std::move(inner);
  }
  return value;
}

/// Parameters count as known; inside of pre(x[i]), i is as it is assigned.
Value Evaluation::subscript_value(const Expression& expression, std::int64_t end,
                                  const EvaluationScope& scope) {
  const ForNow guard(constants_only, true);
  const ForNow assigned(raw_references, false);
  end_values.push_back(end);
  struct Inside {
    std::vector<std::int64_t>& end_values;
    ~Inside() { end_values.pop_back(); }
  } inside{end_values};
  return evaluate(expression, scope);
}

std::vector<IndexChoice> Evaluation::subscripts(
    List<const Expression*> written, std::span<const std::int64_t> dims,
    const EvaluationScope& scope, const std::string& what,
    std::vector<std::pair<std::size_t, ExprId>>* undecided) {
  if (written.size() > dims.size())
    fail(written.back()->place, "M206",
         what + " has " + std::to_string(dims.size()) + " dimension" +
             (dims.size() == 1 ? "" : "s") + ", but there are " + std::to_string(written.size()) +
             " subscripts.");
  std::vector<IndexChoice> result;
  for (std::size_t k = 0; k < written.size(); ++k) {
    const Expression& expression = *written[k];
    IndexChoice subscript;
    if (expression.kind == ExpressionKind::colon) {
      subscript.all = true;
      result.push_back(subscript);
      continue;
    }
    const Value index = subscript_value(expression, dims[k], scope);
    if (index.dims.size() > 1 || !index.has_scalars() || index.kind == ValueKind::real)
      fail(expression.place, "M202",
           "a subscript must be an Integer or a vector of them, but this is " + type_text(index) +
               ".");
    subscript.is_vector = index.dims.size() == 1;
    const std::int64_t first = index.kind == ValueKind::boolean ? 0 : 1;
    for (const ExprId id : index.scalars) {
      const auto number = scalars.number(id);
      if (!number) {
        if (subscript.is_vector || undecided == nullptr)
          throw NeedsNumbers{expression.place, "a subscript of " + what + " is not known"};
        subscript.all = true;
        const ExprId counted = index.kind == ValueKind::boolean
                                   ? pool().add(scalars.number_of_condition(id), pool().integer(1))
                                   : id;
        undecided->emplace_back(k, counted);
        if (index.kind == ValueKind::integer)
          assert_subscript(counted, dims[k], k, what, expression.place);
        continue;
      }
      const auto position = static_cast<std::int64_t>(*number) - first;
      if (position < 0 || position >= dims[k])
        fail(expression.place, "M206",
             "subscript " + std::to_string(position + first) + " of " + what +
                 " is out of range: dimension " + std::to_string(k + 1) + " has size " +
                 std::to_string(dims[k]) + "." +
                 (position + first == 0 ? " Subscripts count from 1." : ""));
      subscript.index.push_back(position);
    }
    result.push_back(std::move(subscript));
  }
  return result;
}

namespace {

/// Where in the dims of the selected part the undecided subscripts left their dimensions; the last
/// one first, so that taking one out does not move the others.
std::size_t kept_dimensions_before(std::span<const IndexChoice> subscripts, std::size_t k) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < k; ++i)
    if (subscripts[i].all || subscripts[i].is_vector) ++count;
  return count;
}

}  // namespace

Value Evaluation::subscripted(const Value& value, List<const Expression*> written,
                              const EvaluationScope& scope, const std::string& what, Place place) {
  std::vector<std::pair<std::size_t, ExprId>> undecided;
  const auto chosen = subscripts(written, value.dims, scope, what, &undecided);
  Value result = selected(value, chosen);
  if (!undecided.empty() && result.has_scalars() && result.count() > short_chain &&
      is_known(result)) {
    for (auto& [k, index] : undecided) k = kept_dimensions_before(chosen, k);
    return picked_from_numbers(result, undecided);
  }
  for (auto open = undecided.rbegin(); open != undecided.rend(); ++open)
    result = picked(result, kept_dimensions_before(chosen, open->first), open->second, place);
  return result;
}

Value Evaluation::picked(const Value& array, std::size_t dimension, ExprId index, Place place) {
  const std::int64_t size = array.dims[dimension];
  if (size == 0) fail(place, "M206", "a subscript of an array without elements.");
  if (size > longest_chain) throw NeedsNumbers{place, "a subscript of a long array is not known"};
  std::vector<IndexChoice> one(dimension + 1);
  for (IndexChoice& subscript : one) subscript.all = true;
  one.back().all = false;
  const auto part = [&](std::int64_t i) {
    one.back().index = {i};
    return selected(array, one);
  };
  Value result = part(size - 1);
  for (std::int64_t i = size - 2; i >= 0; --i)
    result = choice(scalars, scalars.compare(Operator::equal, index, pool().integer(i + 1)),
                    part(i), result, place);
  return result;
}

/// What may be absent can be modified and connected, never used in expressions (specification,
/// 4.4.5).
void Evaluation::require_unconditional(Instance& component, Place place) {
  if (component.condition().expression == nullptr) return;
  fail(place, "M208",
       "'" + component.full_name() +
           "' is declared with a condition, so it can be modified and connected only. Connect it "
           "to a component that is always there, and use that one here.",
       {{"it is declared here", origin_of(component.place())}});
}

/// A dimension that a type gives is indexed by values of that type (specification, 10.1).
void Evaluation::require_index_types(Instance& component, const ReferencePart& part,
                                     const EvaluationScope& scope) {
  const auto dims = component.declared_dimensions();
  for (std::size_t k = 0; k < part.subscripts.size() && k < dims.size(); ++k) {
    const Expression& subscript = *part.subscripts[k];
    if (dims[k].expression->kind != ExpressionKind::reference ||
        subscript.kind == ExpressionKind::colon)
      continue;
    Instance* type = component.index_type(k);
    if (type == nullptr) continue;
    const Value index = subscript_value(subscript, component.dimension(k), scope);
    if (index.kind != ValueKind::integer) continue;
    const std::string example =
        type->type() == TypeKind::boolean
            ? "true"
            : type->class_node().name().string() + "." + type->literals()[0].name.string();
    fail(subscript.place, "M202",
         "dimension " + std::to_string(k + 1) + " of '" + component.full_name() +
             "' is given by the type '" + type->class_node().name().string() +
             "', so its subscripts are values of that type, such as '" + example +
             "', and no Integers.");
  }
}

Value Evaluation::component_path(Instance& component, List<ReferencePart> parts, std::size_t k,
                                 const EvaluationScope& scope) {
  require_unconditional(component, parts[k].place);
  // Lookup has gone from outer to inner already; an `inner outer` met on the way stays the inner.
  const bool is_last = k + 1 == parts.size();
  const ReferencePart& part = parts[k];
  if (is_last && part.subscripts.empty()) return as_assigned(value_of(component));
  require_index_types(component, part, scope);
  if (component.is_simple()) {
    if (!is_last)
      fail(parts[k + 1].place, "M208",
           "'" + component.full_name() + "' has no '" + parts[k + 1].name.string() + "'.");
    const std::string what = "'" + component.full_name() + "'";
    // A large array is not copied for each of its elements.
    const auto& remembered = constants_only ? constants_ : values_;
    if (const auto known = remembered.find(&component); known != remembered.end())
      return as_assigned(subscripted(known->second, part.subscripts, scope, what, part.place));
    return as_assigned(subscripted(value_of(component), part.subscripts, scope, what, part.place));
  }
  if (component.is_array()) return array_path(component, parts, k, scope);
  if (!part.subscripts.empty())
    fail(part.place, "M206", "'" + component.full_name() + "' is not an array.");
  Instance& member =
      component.tree().member_at(component, parts[k + 1].name, parts[k + 1].place);
  if (member.is_class() || !member.is_component()) return member_of_class(member, parts, k + 1, scope);
  return component_path(member, parts, k + 1, scope);
}

/// `component.function` and the like: a class inside of a component as a value.
Value Evaluation::member_of_class(Instance& member, List<ReferencePart> parts, std::size_t k,
                                  const EvaluationScope&) {
  if (k + 1 == parts.size() && member.restriction() == Restriction::function) {
    Value value;
    value.kind = ValueKind::function;
    value.function = std::make_shared<FunctionValue>(FunctionValue{&member, {}});
    return value;
  }
  fail(parts[k].place, "M202", "'" + path_text(parts, k + 1) + "' is a class, not a value.");
}

Value Evaluation::array_path(Instance& array, List<ReferencePart> parts, std::size_t k,
                             const EvaluationScope& scope) {
  const ReferencePart& part = parts[k];
  const auto dims = array.dimensions();
  std::vector<std::pair<std::size_t, ExprId>> undecided;
  const auto chosen =
      subscripts(part.subscripts, dims, scope, "'" + array.full_name() + "'", &undecided);
  const Selection where = selection(dims, chosen);
  const bool is_last = k + 1 == parts.size();
  const auto value_in = [&](Instance& entry) {
    if (is_last) return as_assigned(value_of(entry));
    Instance& member = array.tree().member_at(entry, parts[k + 1].name, parts[k + 1].place);
    return component_path(member, parts, k + 1, scope);
  };
  Value result;
  if (where.dims.empty()) {
    result = value_in(array.entry(where.positions.front()));
  } else if (where.positions.empty()) {
    result = filled(value_in(array.prototype()), where.dims, part.place);
  } else {
    std::vector<Value> entries;
    for (const std::size_t position : where.positions)
      entries.push_back(value_in(array.entry(position)));
    result = array_of(std::move(entries), part.place);
    if (where.dims.size() != 1) result = with_leading_dims(std::move(result), 1, where.dims);
  }
  for (auto open = undecided.rbegin(); open != undecided.rend(); ++open)
    result = picked(result, kept_dimensions_before(chosen, open->first), open->second, part.place);
  return result;
}

/// While an algorithm of a model runs, a variable has the value that it was assigned last.
Value Evaluation::as_assigned(Value value) {
  if (algorithm == nullptr || raw_references) return value;
  for (ExprId& id : value.scalars) {
    if (scalars.is_known(id)) continue;
    const ExprId symbol = value.kind == ValueKind::boolean ? scalars.number_of_condition(id) : id;
    if (!pool().is_symbol(symbol)) continue;
    const auto found = algorithm->assigned.find(symbol);
    if (found != algorithm->assigned.end())
      id = found->second;
    else if (algorithm->targets.contains(symbol))
      id = start_of_algorithm(symbol, value.kind);
  }
  for (Text& text : value.texts) {
    if (text.is_constant()) continue;
    const ExprId symbol = scalars.number_of_text(text);
    const auto found = algorithm->assigned.find(symbol);
    if (found != algorithm->assigned.end())
      text = scalars.text_of(found->second);
    else if (algorithm->targets.contains(symbol))
      text = scalars.text_of(start_of_algorithm(symbol, value.kind));
  }
  for (Value& field : value.fields) field = as_assigned(std::move(field));
  return value;
}

Evaluation::Located Evaluation::locate(const Expression& expression, const EvaluationScope& scope) {
  Located located;
  if (expression.kind != ExpressionKind::reference) return located;
  const ComponentReference& reference = *expression.reference;
  if (scope.locals != nullptr && scope.locals->find(reference.parts.front().name) != nullptr)
    return located;
  const Denotation denotation = lookup(reference, scope);
  if (denotation.kind != DenotationKind::component) return located;
  Instance* instance = denotation.instance;
  for (std::size_t k = denotation.parts_used - 1; k < reference.parts.size(); ++k) {
    const ReferencePart& part = reference.parts[k];
    if (!part.subscripts.empty()) {
      const auto dims = instance->dimensions();
      const auto chosen =
          subscripts(part.subscripts, dims, scope, "'" + instance->full_name() + "'", nullptr);
      const Selection where = selection(dims, chosen);
      if (instance->is_simple()) {
        for (const IndexChoice& subscript : chosen) {
          if (subscript.all || subscript.is_vector) return {};
          located.index.push_back(subscript.index.front());
        }
      } else {
        if (!where.dims.empty()) return {};
        instance = &instance->entry(where.positions.front());
      }
    }
    if (k + 1 == reference.parts.size()) break;
    if (instance->is_array()) return {};
    instance = &instance->tree().member_at(*instance, reference.parts[k + 1].name,
                                           reference.parts[k + 1].place);
  }
  located.instance = instance;
  return located;
}

}  // namespace alembert::modelica
