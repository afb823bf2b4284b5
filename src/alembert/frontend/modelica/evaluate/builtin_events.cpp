// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Builtin functions that see the call and not only values:
// derivatives, events, connections, sizes.
#include <algorithm>
#include <unordered_map>

#include "alembert/base/number_text.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {

using symbolic::Op;

const Expression* CallSite::argument(std::size_t k, std::string_view name) const {
  if (k < n_arguments()) return expression.operands[k];
  for (const NamedArgument& named : expression.named)
    if (named.name == name) return named.value;
  return nullptr;
}

void CallSite::require_count(std::size_t least, std::size_t most) const {
  if (n_arguments() < least || n_arguments() > most)
    fail(place(), "M204",
         "'" + function_name() + "' takes " + std::to_string(least) +
             (most > least ? " to " + std::to_string(most) : "") + " argument" +
             (most == 1 ? "" : "s") + ", but there are " + std::to_string(n_arguments()) + ".");
}

namespace {

/// Most of them take their arguments by position alone (Modelica 3.6, 12.4.1); a name that is
/// passed over would be a value that nobody uses.
void check_names(const CallSite& site, std::string_view builtin) {
  static const std::unordered_map<std::string_view, std::vector<std::string_view>> names = {
      {"homotopy", {"actual", "simplified"}},
      {"subSample", {"u", "factor"}},
      {"superSample", {"u", "factor"}},
      {"shiftSample", {"u", "shiftCounter", "resolution"}},
      {"backSample", {"u", "shiftCounter", "resolution"}},
      {"spatialDistribution",
       {"in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"}},
  };
  if (site.expression.named.empty() || builtin == "String") return;  // which looks at its own
  const auto known = names.find(builtin);
  const std::string call = "'" + std::string(builtin) + "'";
  for (const NamedArgument& named : site.expression.named) {
    const std::string argument = "'" + named.name.string() + "'";
    if (known == names.end())
      fail(named.place, "M205",
           call + " takes its arguments by their order, not by name. Leave out '" +
               named.name.string() + " ='.");
    const auto at = std::ranges::find(known->second, named.name.text());
    if (at == known->second.end()) {
      std::string all;
      for (const std::string_view name : known->second)
        all += (all.empty() ? "" : ", ") + std::string(name);
      fail(named.place, "M205", call + " has no argument " + argument + "; it has " + all + ".");
    }
    if (at < known->second.begin() + static_cast<std::ptrdiff_t>(site.n_arguments()))
      fail(named.place, "M204", "argument " + argument + " of " + call + " is given twice.");
  }
}

}  // namespace

Value Evaluation::call_builtin(const CallSite& site, std::string_view name) {
  check_names(site, name);
  if (const Builtin builtin = site_builtin(name)) return (this->*builtin)(site);
  const PlainBuiltin plain = plain_builtin(name);
  if (plain == nullptr) return unsupported(site);
  std::vector<Value> values;
  for (const Expression* operand : site.expression.operands)
    values.push_back(evaluate(*operand, site.scope));
  if (!values.empty() && values[0].kind == ValueKind::record && values[0].record) {
    std::vector<Argument> arguments;
    for (const Value& value : values) arguments.push_back({Name(), value, site.place()});
    if (auto value = overloaded_call(*values[0].record->type, "'" + std::string(name) + "'",
                                     arguments, site.place()))
      return std::move(*value);
  }
  return (this->*plain)(values, site.place());
}

Value Evaluation::raw_argument(const CallSite& site, std::size_t k) {
  return evaluate_raw(*site.expression.operands[k], site.scope);
}

Value Evaluation::der(const CallSite& site) {
  site.require_count(1, 1);
  Value value = raw_argument(site, 0);
  differentiate_in_time(value, site.place());
  return value;
}

void Evaluation::differentiate_in_time(Value& value, Place place) {
  if (value.kind != ValueKind::record && value.kind != ValueKind::real)
    fail(place, "M202", "only a Real has a derivative, but this is " + type_text(value) + ".");
  value = as_real(std::move(value));
  for (ExprId& id : value.scalars) {
    if (pool().is_symbol(id) && pool().symbol_of(id).kind == symbolic::SymbolKind::discrete &&
        variable_symbols_.contains(id))
      fail(place, "M202",
           "'" + pool().symbol_of(id).name +
               "' changes at events only, because a when-clause gives it its value, so that it has "
               "no derivative. To change a state at an event, write reinit(x, value).");
    id = symbolic::time_derivative(pool(), id);
  }
  for (Value& field : value.fields) differentiate_in_time(field, place);
}

void Evaluation::require_discrete(const Value& value, Place place) {
  for (const ExprId id : value.scalars) {
    if (!pool().is_symbol(id) || pool().symbol_of(id).kind != symbolic::SymbolKind::unknown)
      continue;
    const auto owner = variable_symbols_.find(id);
    if (owner != variable_symbols_.end() &&
        owner->second.parameter->variability() == Variability::discrete)
      continue;  // as an input that another component's when-clause sets
    fail(place, "M202",
         "'" + pool().symbol_text(id) +
             "' may change at any time, so that its value before an event is known inside of "
             "'when' only. Use it there, or let 'when' give it its value, or declare it an "
             "Integer, a Boolean or discrete.");
  }
}

ExprId Evaluation::previous(ExprId id, Place place) {
  if (scalars.is_known(id)) return id;
  if (pool().is_condition(id)) {
    const ExprId symbol = scalars.number_of_condition(id);
    if (pool().is_symbol(symbol)) return scalars.condition_of_boolean(previous(symbol, place));
  } else if (pool().is_symbol(id)) {
    const auto kind = pool().symbol_of(id).kind;
    const bool varies =
        kind == symbolic::SymbolKind::discrete || kind == symbolic::SymbolKind::unknown;
    return varies ? pool().previous_symbol(id) : id;
  }
  fail(place, "M202", "'pre' is for variables only, not for expressions.");
}

Value Evaluation::pre(const CallSite& site) {
  site.require_count(1, 1);
  Value value = raw_argument(site, 0);
  if (hooks->is_continuous() && when_depth_ == 0) require_discrete(value, site.place());
  for (ExprId& id : value.scalars) id = previous(id, site.place());
  for (Text& text : value.texts) text = previous(text, site.place());
  return value;
}

Text Evaluation::previous(const Text& text, Place place) {
  return text.is_constant() ? text : scalars.text_of(previous(scalars.number_of_text(text), place));
}

Value Evaluation::edge(const CallSite& site) {
  site.require_count(1, 1);
  Value before = raw_argument(site, 0);
  Value now = evaluate(*site.expression.operands[0], site.scope);
  if (now.kind != ValueKind::boolean)
    fail(site.place(), "M202", "'edge' is for Booleans, but this is " + type_text(now) + ".");
  for (std::size_t i = 0; i < now.scalars.size(); ++i) {
    const ExprId previously = previous(before.scalars[i], site.place());
    now.scalars[i] = scalars.both(now.scalars[i], scalars.negation(previously));
  }
  return now;
}

Value Evaluation::change(const CallSite& site) {
  site.require_count(1, 1);
  Value before = raw_argument(site, 0);
  if (hooks->is_continuous() && when_depth_ == 0) require_discrete(before, site.place());
  Value now = evaluate(*site.expression.operands[0], site.scope);
  for (std::size_t i = 0; i < now.scalars.size(); ++i) {
    const ExprId previously = previous(before.scalars[i], site.place());
    now.scalars[i] = now.kind == ValueKind::boolean
                         ? scalars.equivalent(now.scalars[i], scalars.negation(previously))
                         : scalars.compare(Operator::not_equal, now.scalars[i], previously);
  }
  for (std::size_t i = 0; i < now.texts.size(); ++i)
    now.scalars.push_back(
        scalars.compare(Operator::not_equal, scalars.number_of_text(now.texts[i]),
                        scalars.number_of_text(previous(before.texts[i], site.place()))));
  now.texts.clear();
  now.kind = ValueKind::boolean;
  now.enumeration = nullptr;
  return now;
}

Value Evaluation::initial(const CallSite& site) {
  site.require_count(0, 0);
  return scalar_value(ValueKind::boolean,
                      scalars.condition_of_boolean(hooks->initial(site.place())));
}

Value Evaluation::terminal(const CallSite& site) {
  site.require_count(0, 0);
  return scalar_value(ValueKind::boolean,
                      scalars.condition_of_boolean(hooks->terminal(site.place())));
}

Value Evaluation::sample(const CallSite& site) {
  site.require_count(1, 2);
  if (site.n_arguments() == 1) return clocked_sample(site);
  const Value interval = evaluate(*site.expression.operands[1], site.scope);
  if (interval.kind == ValueKind::clock) return clocked_sample(site);
  const Value start = evaluate(*site.expression.operands[0], site.scope);
  if (!start.is_numeric() || !start.is_scalar() || !interval.is_numeric() || !interval.is_scalar())
    fail(site.place(), "M202", "'sample' takes a start time and an interval.");
  const ExprId tick = hooks->sample(start.scalar(), interval.scalar(), site.place());
  return scalar_value(ValueKind::boolean, scalars.condition_of_boolean(tick));
}

Value Evaluation::delay(const CallSite& site) {
  site.require_count(2, 3);
  Value value = as_real(evaluate(*site.expression.operands[0], site.scope));
  const Value time = evaluate(*site.expression.operands[1], site.scope);
  ExprId longest;
  if (site.n_arguments() == 3)
    longest = evaluate(*site.expression.operands[2], site.scope).scalar();
  const auto known = scalars.number(time.scalar());
  const auto limit = longest.valid() ? scalars.number(longest) : std::nullopt;
  if (known && limit && *known > *limit)
    fail(site.place(), "M202",
         "the delay of " + number_text(*known) + " is longer than the longest one, " +
             number_text(*limit) + ".");
  for (ExprId& id : value.scalars) id = hooks->delay(id, time.scalar(), longest, site.place());
  return value;
}

/// The same value, whose comparisons make no events. Of a condition it is the comparison with zero
/// of a number that makes none.
ExprId Evaluation::without_events(ExprId id) {
  if (scalars.is_known(id)) return id;
  if (!pool().is_condition(id)) return pool().apply(Op::no_event, id);
  const ExprId number = scalars.number_of_condition(id);
  if (pool().is_symbol(number)) return id;
  return pool().apply(Op::not_equal, pool().apply(Op::no_event, number), pool().integer(0));
}

Value Evaluation::no_event(const CallSite& site) {
  site.require_count(1, 1);
  Value value = evaluate(*site.expression.operands[0], site.scope);
  strip_events(value);
  return value;
}

void Evaluation::strip_events(Value& value) {
  for (ExprId& id : value.scalars) id = without_events(id);
  for (Text& text : value.texts)
    for (ExprId& id : text.values) id = without_events(id);
  for (Value& field : value.fields) strip_events(field);
}

bool Evaluation::makes_events(Instance& function) {
  for (Instance* output : head(function).outputs)
    if (output->type() != TypeKind::real && output->type() != TypeKind::structured) return true;
  const InScope<Expression> wanted = function.class_annotation({"GenerateEvents"}, true);
  return wanted.item != nullptr && wanted.item->kind == ExpressionKind::boolean &&
         wanted.item->boolean;
}

Value Evaluation::quiet_in_functions(Value value) {
  if (!active_.empty() && quiet_) strip_events(value);
  return value;
}

Value Evaluation::smooth(const CallSite& site) {
  site.require_count(2, 2);
  const Value order = evaluate(*site.expression.operands[0], site.scope);
  Value value = evaluate(*site.expression.operands[1], site.scope);
  smooth_scalars(order.scalar(), value);
  return value;
}

void Evaluation::smooth_scalars(ExprId order, Value& value) {
  for (ExprId& id : value.scalars)
    if (!pool().is_condition(id)) id = scalars.apply(Op::smooth, order, id);
  for (Value& field : value.fields) smooth_scalars(order, field);
}

namespace {

/// An unknown is in it.
bool has_unknown(const symbolic::ExprPool& pool, const Value& value) {
  const std::vector<ExprId> symbols = symbolic::free_symbols(pool, value.scalars);
  return std::any_of(symbols.begin(), symbols.end(), [&](ExprId symbol) {
    return pool.symbol_of(symbol).kind == symbolic::SymbolKind::unknown;
  });
}

}  // namespace

Value Evaluation::homotopy(const CallSite& site) {
  const Expression* actual = site.argument(0, "actual");
  if (actual == nullptr) fail(site.place(), "M204", "'homotopy' needs the actual value.");
  Value value = evaluate(*actual, site.scope);
  const Expression* simplified = site.argument(1, "simplified");
  if (simplified == nullptr || value.scalars.empty() || !has_unknown(pool(), value)) return value;
  const Value other = evaluate(*simplified, site.scope);
  if (other.scalars.size() != value.scalars.size()) return value;
  // structure/homotopy.hpp: what a start may begin with.
  const ExprId share = pool().discrete("homotopy()");
  const ExprId partly = pool().apply(Op::less, share, pool().integer(1));
  for (std::size_t i = 0; i < value.scalars.size(); ++i) {
    ExprId& id = value.scalars[i];
    if (id != other.scalars[i] && !pool().is_condition(id))
      // The actual one may have no value where the simplified one is to lead away from.
      id = pool().if_then_else(partly,
                               pool().add(id, pool().mul(share, pool().sub(other.scalars[i], id))),
                               other.scalars[i]);
  }
  return value;
}

Value Evaluation::stream(const CallSite& site, bool is_actual) {
  site.require_count(1, 1);
  const Expression& argument = *site.expression.operands[0];
  const Located located = locate(argument, site.scope);
  const auto value_at = [&](Instance& variable, std::span<const std::int64_t> index) {
    return is_actual ? hooks->actual_stream(variable, index, site.place())
                     : hooks->in_stream(variable, index, site.place());
  };
  if (located.instance == nullptr || !located.instance->is_simple()) {
    // A slice over an array of connectors: one by one, by what the scalars belong to.
    Value value = evaluate_raw(argument, site.scope);
    for (ExprId& id : value.scalars) {
      const auto owner = variable_symbols_.find(id);
      if (owner == variable_symbols_.end())
        fail(site.place(), "M202",
             "'" + site.function_name() + "' is for stream variables of connectors.");
      id = value_at(*owner->second.parameter,
                    index_at(owner->second.position, owner->second.parameter->dimensions()));
    }
    return value;
  }
  const auto dims = located.instance->dimensions();
  if (located.index.size() == dims.size())
    return scalar_value(ValueKind::real, value_at(*located.instance, located.index));
  Value value = evaluate_raw(argument, site.scope);
  if (!located.index.empty()) fail(site.place(), "M209", "a part of an array cannot be used here.");
  for (std::size_t i = 0; i < value.scalars.size(); ++i)
    value.scalars[i] = value_at(*located.instance, index_at(i, dims));
  return value;
}

std::vector<std::int64_t> Evaluation::index_at(std::size_t position,
                                               std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> index(dims.size());
  for (std::size_t k = dims.size(); k-- > 0;) {
    index[k] = static_cast<std::int64_t>(position % static_cast<std::size_t>(dims[k]));
    position /= static_cast<std::size_t>(dims[k]);
  }
  return index;
}

Value Evaluation::in_stream(const CallSite& site) { return stream(site, false); }

Value Evaluation::actual_stream(const CallSite& site) { return stream(site, true); }

Instance& Evaluation::component_argument(const CallSite& site) {
  site.require_count(1, 1);
  const Located located = locate(*site.expression.operands[0], site.scope);
  if (located.instance == nullptr)
    fail(site.place(), "M202", "'" + site.function_name() + "' needs a component.");
  return *located.instance;
}

Value Evaluation::cardinality(const CallSite& site) {
  Instance& connector = component_argument(site);
  const Restriction kind = connector.restriction();
  if (kind != Restriction::connector && kind != Restriction::expandable_connector)
    fail(site.place(), "M202",
         "cardinality counts the connections of a connector, and '" + connector.full_name() +
             "' is none.");
  return integer_number(hooks->cardinality(connector, site.place()));
}

Value Evaluation::is_root(const CallSite& site) {
  return truth_value(hooks->is_root(component_argument(site), site.place()));
}

Value Evaluation::rooted(const CallSite& site) {
  return truth_value(hooks->rooted(component_argument(site), site.place()));
}

Value Evaluation::instance_name(const CallSite& site) {
  site.require_count(0, 0);
  Instance& instance = site.scope.scope->instance();
  const std::string model = instance.tree().model().class_node().name().string();
  const std::string path = instance.full_name();
  return string_value(path.empty() ? model : model + "." + path);
}

Value Evaluation::size(const CallSite& site) {
  site.require_count(1, 2);
  const Expression& argument = *site.expression.operands[0];
  Dims dims;
  const Located located = locate(argument, site.scope);
  if (located.instance != nullptr && located.index.empty()) {
    Instance& array = *located.instance;
    const std::size_t n = array.declared_dimensions().size();
    if (site.n_arguments() == 2) {  // one dimension may be known while others ask for it
      const Value which = constant(*site.expression.operands[1], site.scope);
      const auto k = static_cast<std::int64_t>(*scalars.number(which.scalar()));
      if (k >= 1 && k <= static_cast<std::int64_t>(n))
        return integer_number(array.dimension(static_cast<std::size_t>(k - 1)));
    }
    const auto declared = array.dimensions();
    dims.assign(declared.begin(), declared.end());
  } else {
    dims = evaluate_unchecked(argument, site.scope).dims;
  }
  if (site.n_arguments() == 1) {
    Value result;
    result.kind = ValueKind::integer;
    result.dims = {static_cast<std::int64_t>(dims.size())};
    for (const std::int64_t dim : dims) result.scalars.push_back(pool().integer(dim));
    return result;
  }
  const Value which = constant(*site.expression.operands[1], site.scope);
  const auto k = static_cast<std::int64_t>(*scalars.number(which.scalar()));
  if (k < 1 || k > static_cast<std::int64_t>(dims.size()))
    fail(site.place(), "M206",
         "dimension " + std::to_string(k) + " of a value with " + std::to_string(dims.size()) +
             " dimensions.");
  return integer_number(dims[static_cast<std::size_t>(k - 1)]);
}

/// A local variable may have a size before it has values.
Value Evaluation::evaluate_unchecked(const Expression& expression, const EvaluationScope& scope) {
  if (expression.kind == ExpressionKind::reference && scope.locals != nullptr) {
    const auto& parts = expression.reference->parts;
    if (const Value* local = scope.locals->find(parts.front().name)) {
      Value value = *local;
      if (!parts.front().subscripts.empty())
        value = subscripted(value, parts.front().subscripts, scope,
                            "'" + parts.front().name.string() + "'", expression.place);
      return member_path(std::move(value), parts, 1, scope);
    }
  }
  return evaluate(expression, scope);
}

Value Evaluation::ndims(const CallSite& site) {
  site.require_count(1, 1);
  return integer_number(static_cast<std::int64_t>(
      evaluate_unchecked(*site.expression.operands[0], site.scope).dims.size()));
}

Value Evaluation::pure(const CallSite& site) {
  site.require_count(1, 1);
  const ForNow inside(called_pure_, true);
  return evaluate(*site.expression.operands[0], site.scope);
}

Value Evaluation::unsupported(const CallSite& site) {
  const std::string name = site.function_name();
  constexpr std::string_view of_state_machines[] = {"transition", "initialState", "activeState",
                                                    "ticksInState", "timeInState"};
  if (std::find(std::begin(of_state_machines), std::end(of_state_machines), name) !=
      std::end(of_state_machines))
    fail(site.place(), "M209",
         "state machines ('" + name +
             "') are not supported yet. Write the active state as an enumeration that changes in "
             "'when' clauses.");
  fail(site.place(), "M209", "'" + name + "' is not supported yet.");
}

Evaluation::Builtin Evaluation::site_builtin(std::string_view name) {
  using E = Evaluation;
  static const std::unordered_map<std::string_view, Builtin> functions = {
      {"der", &E::der},
      {"pre", &E::pre},
      {"edge", &E::edge},
      {"change", &E::change},
      {"initial", &E::initial},
      {"terminal", &E::terminal},
      {"sample", &E::sample},
      {"delay", &E::delay},
      {"noEvent", &E::no_event},
      {"smooth", &E::smooth},
      {"homotopy", &E::homotopy},
      {"inStream", &E::in_stream},
      {"actualStream", &E::actual_stream},
      {"cardinality", &E::cardinality},
      {"Connections.isRoot", &E::is_root},
      {"Connections.rooted", &E::rooted},
      {"rooted", &E::rooted},
      {"getInstanceName", &E::instance_name},
      {"size", &E::size},
      {"ndims", &E::ndims},
      {"String", &E::string_of},
      {"pure", &E::pure},
      {"hold", &E::hold},
      {"previous", &E::previous_value},
      {"subSample", &E::sub_sample},
      {"superSample", &E::super_sample},
      {"shiftSample", &E::shift_sample},
      {"backSample", &E::back_sample},
      {"noClock", &E::no_clock},
      {"interval", &E::interval},
      {"firstTick", &E::first_tick},
      {"spatialDistribution", &E::spatial_distribution},
      {"Connections.uniqueRoot", &E::unsupported},
      {"Connections.uniqueRootIndices", &E::unsupported},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
