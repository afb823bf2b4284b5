// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Calls: who is called, with which arguments, once or for every
// element.
#include <algorithm>
#include <bit>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/operators.hpp"
#include "alembert/symbolic/hash.hpp"

namespace alembert::modelica {

namespace {

constexpr int max_call_depth = 200;

std::string reference_text(const ComponentReference& reference) {
  std::string text;
  for (const ReferencePart& part : reference.parts)
    text += (text.empty() ? "" : ".") + part.name.string();
  return text;
}

bool is_function(Restriction restriction) {
  return restriction == Restriction::function || restriction == Restriction::operator_function;
}

bool is_record(Restriction restriction) {
  return restriction == Restriction::record || restriction == Restriction::operator_record ||
         restriction == Restriction::connector || restriction == Restriction::class_;
}

/// The first output of several; anything else as it is.
Value first_output(Value value) {
  if (value.kind != ValueKind::tuple || value.fields.empty()) return value;
  return std::move(value.fields.front());
}

std::string plural(std::size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

std::string CallSite::function_name() const { return reference_text(*expression.reference); }

std::size_t Evaluation::KeyHash::operator()(const std::vector<std::uint64_t>& key) const {
  std::uint64_t hash = key.size();
  for (const std::uint64_t part : key) hash = (std::rotl(hash, 23) ^ part) * 0x9e3779b97f4a7c15ULL;
  return hash;
}

const FunctionHead& Evaluation::head(Instance& function) {
  const auto found = heads_.find(&function);
  if (found != heads_.end()) return found->second;
  if (Instance* base = function.differentiated_function()) {
    const FunctionHead of_base = head(*base);
    return heads_.emplace(&function, of_base).first->second;
  }
  FunctionHead head;
  for (Instance* child : function.children()) {
    switch (child->causality()) {
      case Causality::input: head.inputs.push_back(child); break;
      case Causality::output: head.outputs.push_back(child); break;
      case Causality::none: head.locals.push_back(child); break;
    }
  }
  return heads_.emplace(&function, std::move(head)).first->second;
}

Value Evaluation::call(const Expression& expression, const EvaluationScope& scope) {
  return first_output(call_outputs(expression, scope));
}

/// `a.b.f`, `a.P.f`: a function that a component has in its class (specification, 5.3.2); null if
/// there is none.
Instance* Evaluation::function_of_component(Instance& component, const ComponentReference& callee,
                                            std::size_t next) {
  Instance* at = &component;
  for (std::size_t k = next; k < callee.parts.size(); ++k) {
    if (at->is_component()) {
      require_unconditional(*at, callee.parts[k - 1].place);
      if (at->is_array() && callee.parts[k - 1].subscripts.empty())
        fail(callee.parts[k - 1].place, "M206",
             "'" + at->full_name() +
                 "' is an array, and functions are called by way of single components. Name the "
                 "class of the function instead.");
    }
    Instance& owner = at->is_component() ? at->outer_target().prototype() : *at;
    Instance& member = owner.tree().member_at(owner, callee.parts[k].name, callee.parts[k].place);
    if (at->is_class() && member.is_component())
      fail(callee.parts[k].place, "M103",
           "'" + callee.parts[k].name.string() + "' is a component of the class '" +
               at->full_name() + "'; here a class is needed.",
           {{"it is declared here", origin_of(member.place())}});
    at = &member;
  }
  return at->is_class() ? at : nullptr;
}

Value Evaluation::call_outputs(const Expression& expression, const EvaluationScope& scope) {
  const ComponentReference& callee = *expression.reference;
  if (scope.locals != nullptr && callee.parts.size() == 1)
    if (const Value* local = scope.locals->find(callee.parts[0].name))
      if (local->kind == ValueKind::function)
        return call_value(*local, arguments(expression, scope), expression.place);
  const Denotation denotation = lookup(callee, scope);
  switch (denotation.kind) {
    case DenotationKind::builtin: return call_builtin({expression, scope}, reference_text(callee));
    case DenotationKind::class_: return call_class(*denotation.instance, expression, scope);
    case DenotationKind::component: {
      if (Instance* function =
              function_of_component(*denotation.instance, callee, denotation.parts_used))
        return call_class(*function, expression, scope);
      break;
    }
    default: break;
  }
  fail(expression.place, "M202", "'" + reference_text(callee) + "' cannot be called.");
}

Value Evaluation::call_class(Instance& class_, const Expression& expression,
                             const EvaluationScope& scope) {
  const Place place = expression.place;
  switch (class_.type()) {
    case TypeKind::string: return string_of({expression, scope});
    case TypeKind::clock: return clock({expression, scope});
    case TypeKind::external_object: {
      Instance* constructor = class_.member(Name("constructor"));
      if (constructor == nullptr)
        fail(place, "M202", "'" + class_.full_name() + "' has no constructor.");
      return call_function(*constructor, arguments(expression, scope), place);
    }
    case TypeKind::integer:
    case TypeKind::enumeration: {
      std::vector<Argument> given = arguments(expression, scope);
      if (given.size() != 1 || !given[0].value.has_scalars())
        fail(place, "M204", "'" + class_.full_name() + "' converts one value.");
      Value value = std::move(given[0].value);
      if (value.kind == ValueKind::boolean)
        for (ExprId& id : value.scalars) id = scalars.number_of_condition(id);
      const bool to_integer = class_.type() == TypeKind::integer;
      value.kind = to_integer ? ValueKind::integer : ValueKind::enumeration;
      value.enumeration = to_integer ? nullptr : enumeration_type(class_);
      return value;
    }
    default: break;
  }
  if (is_function(class_.restriction()))
    return call_function(class_, arguments(expression, scope), place);
  if (class_.restriction() == Restriction::operator_) {
    std::vector<Argument> given = arguments(expression, scope);
    if (auto value = overloaded(class_, given, place)) return std::move(*value);
    fail(place, "M202", "no function of '" + class_.full_name() + "' fits these arguments.");
  }
  if (is_record(class_.restriction())) {
    std::vector<Argument> given = arguments(expression, scope);
    if (class_.restriction() == Restriction::operator_record ||
        class_.member(Name("'constructor'")) != nullptr)
      if (auto value = overloaded_call(class_, "'constructor'", given, place))
        return std::move(*value);
    return construct_record(class_, std::move(given), place);
  }
  fail(place, "M202",
       "'" + class_.full_name() + "' is neither a function nor a record and cannot be called.");
}

std::vector<Argument> Evaluation::arguments(const Expression& call, const EvaluationScope& scope) {
  std::vector<Argument> result;
  for (const Expression* operand : call.operands)
    result.push_back({Name(), evaluate(*operand, scope), operand->place});
  for (const NamedArgument& named : call.named)
    result.push_back({named.name, evaluate(*named.value, scope), named.place});
  return result;
}

Value Evaluation::call_value(const Value& function, std::vector<Argument> arguments, Place place) {
  if (!function.function)
    fail(place, "M213", "the function that is to be called here is not given.");
  std::vector<Argument> all;
  for (const auto& [name, value] : function.function->given) all.push_back({name, value, place});
  // Those by position fill the inputs that are not given yet.
  std::size_t next = 0;
  const FunctionHead& inputs = head(*function.function->function);
  const auto is_given = [&](Name name) {
    return std::any_of(function.function->given.begin(), function.function->given.end(),
                       [&](const auto& given) { return given.first == name; });
  };
  for (Argument& argument : arguments) {
    if (argument.name.empty()) {
      while (next < inputs.inputs.size() && is_given(inputs.inputs[next]->name())) ++next;
      if (next == inputs.inputs.size()) fail(place, "M204", "too many arguments.");
      argument.name = inputs.inputs[next++]->name();
    }
    all.push_back(std::move(argument));
  }
  return call_function(*function.function->function, std::move(all), place);
}

Value Evaluation::partial_application(const Expression& expression, const EvaluationScope& scope) {
  auto made = std::make_shared<FunctionValue>();
  const Value base = reference(*expression.reference, scope);
  if (base.kind != ValueKind::function || !base.function)
    fail(expression.place, "M202", "only a function can be given some of its arguments.");
  *made = *base.function;
  for (const NamedArgument& named : expression.named)
    made->given.emplace_back(named.name, evaluate(*named.value, scope));
  Value value;
  value.kind = ValueKind::function;
  value.function = std::move(made);
  return value;
}

Value Evaluation::call_function(Instance& function, std::vector<Argument> arguments, Place place) {
  std::vector<Value> inputs = bound_inputs(function, std::move(arguments), place);
  if (auto value = vectorised(function, inputs, place)) return std::move(*value);
  return call_bound(function, std::move(inputs), place);
}

namespace {

[[noreturn]] void unknown_argument(const std::string& callee, const Argument& argument,
                                   std::span<Instance* const> inputs) {
  std::string known;
  for (const Instance* input : inputs)
    known += (known.empty() ? "" : ", ") + input->name().string();
  fail(argument.place, "M205",
       "'" + callee + "' has no argument '" + argument.name.string() + "'" +
           (known.empty() ? "." : "; it has " + known + "."));
}

/// Which argument belongs to which input; null: not given.
std::vector<Argument*> placed(const std::string& callee, std::span<Instance* const> inputs,
                              std::vector<Argument>& arguments, Place place) {
  std::vector<Argument*> result(inputs.size(), nullptr);
  std::size_t next = 0;
  for (Argument& argument : arguments) {
    std::size_t at = next;
    if (argument.name.empty()) {
      ++next;
      if (at >= inputs.size())
        fail(place, "M204",
             "'" + callee + "' takes " + plural(inputs.size(), "argument") + ", but there are " +
                 std::to_string(arguments.size()) + ".");
    } else {
      const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const Instance* input) {
        return input->name() == argument.name;
      });
      if (found == inputs.end()) unknown_argument(callee, argument, inputs);
      at = static_cast<std::size_t>(found - inputs.begin());
    }
    if (result[at] != nullptr)
      fail(argument.place, "M204",
           "argument '" + inputs[at]->name().string() + "' of '" + callee + "' is given twice.");
    result[at] = &argument;
  }
  return result;
}

}  // namespace

std::vector<Value> Evaluation::bound_inputs(Instance& function, std::vector<Argument> arguments,
                                            Place place) {
  const FunctionHead& parts = head(function);
  const auto given = placed(function.full_name(), parts.inputs, arguments, place);
  Locals locals;
  locals.function = &function;
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < parts.inputs.size(); ++i) {
    Instance& input = *parts.inputs[i];
    if (given[i] == nullptr && !input.binding())
      fail(place, "M204",
           "'" + function.full_name() + "' needs a value for '" + input.name().string() + "'.");
    inputs.push_back(given[i] != nullptr ? std::move(given[i]->value)
                                         : default_value(input.binding(), locals));
    locals.variables.push_back({input.name(), inputs.back()});
  }
  return inputs;
}

std::optional<Dims> Evaluation::common_extra_dims(Instance& function,
                                                  const std::vector<Value>& inputs, Place place) {
  std::optional<Dims> extra;
  const FunctionHead& parts = head(function);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t declared = parts.inputs[i]->declared_dimensions().size();
    if (inputs[i].dims.size() <= declared) continue;
    const Dims more(inputs[i].dims.begin(),
                    inputs[i].dims.end() - static_cast<std::ptrdiff_t>(declared));
    if (extra && *extra != more)
      fail(place, "M203",
           "'" + function.full_name() + "' is called for arrays of different sizes: " +
               dims_text(*extra) + " and " + dims_text(more) + ".");
    extra = more;
  }
  return extra;
}

std::optional<Value> Evaluation::vectorised(Instance& function, const std::vector<Value>& inputs,
                                            Place place) {
  const auto extra = common_extra_dims(function, inputs, place);
  if (!extra) return std::nullopt;
  const FunctionHead& parts = head(function);
  const std::size_t count = element_count(*extra);
  if (count == 0) {
    if (parts.outputs.empty()) return Value{};
    return filled(blank(*parts.outputs.front(), {}), *extra, place);
  }
  std::vector<Value> results;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::int64_t> index(extra->size());
    std::size_t rest = k;
    for (std::size_t d = extra->size(); d-- > 0;) {
      index[d] = static_cast<std::int64_t>(rest % static_cast<std::size_t>((*extra)[d]));
      rest /= static_cast<std::size_t>((*extra)[d]);
    }
    std::vector<Value> one;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t declared = parts.inputs[i]->declared_dimensions().size();
      one.push_back(inputs[i].dims.size() > declared ? element(inputs[i], index) : inputs[i]);
    }
    results.push_back(call_bound(function, std::move(one), place));
  }
  const auto gathered = [&](std::vector<Value> values) {
    return with_leading_dims(array_of(std::move(values), place), 1, *extra);
  };
  if (results.front().kind != ValueKind::tuple) return gathered(std::move(results));
  Value tuple = results.front();
  for (std::size_t f = 0; f < tuple.fields.size(); ++f) {
    std::vector<Value> column;
    for (const Value& result : results) column.push_back(result.fields[f]);
    tuple.fields[f] = gathered(std::move(column));
  }
  return tuple;
}

void Evaluation::append_key(const Value& value, std::vector<std::uint64_t>& key) {
  key.push_back(static_cast<std::uint64_t>(value.kind) << 32 | value.dims.size());
  for (const std::int64_t dim : value.dims) key.push_back(static_cast<std::uint64_t>(dim));
  for (const ExprId id : value.scalars) key.push_back(id.value);
  for (const Text& text : value.texts) {
    key.push_back(texts_.emplace(text.text, texts_.size()).first->second);
    for (const ExprId id : text.values) key.push_back(id.value);
  }
  if (value.function) {
    key.push_back(std::bit_cast<std::uintptr_t>(value.function->function));
    for (const auto& [name, given] : value.function->given) {
      key.push_back(texts_.emplace(name.string(), texts_.size()).first->second);
      append_key(given, key);
    }
  }
  key.push_back(std::bit_cast<std::uintptr_t>(value.object.get()));
  for (const Value& field : value.fields) append_key(field, key);
}

Value Evaluation::call_bound(Instance& function, std::vector<Value> inputs, Place place) {
  if (Instance* base = function.differentiated_function())
    return partial_derivative(function, *base, std::move(inputs), place);
  const bool in_c = is_in_c(function);
  // Nobody knows what C keeps for the next call, where it is not declared: at events it is called
  // once, so that they come to an end.
  const bool at_event = active_.empty() && (when_depth_ > 0 || !hooks->is_continuous());
  const bool may_keep = in_c && at_event && function.definition().purity == Purity::unspecified;
  const bool impure = (is_impure(function) || may_keep) && !called_pure_;
  if (impure && active_.empty() && !constants_only)
    if (auto called = impure_call(function, inputs, place)) return std::move(*called);
  // What it does is done where its arguments are numbers: its caller waits with it.
  if (impure && !active_.empty() &&
      !std::all_of(inputs.begin(), inputs.end(),
                   [&](const Value& input) { return is_known(input); }))
    throw NeedsNumbers{place, "'" + function.full_name() + "' is impure"};
  // What is in C runs only where it is asked for: it may end the run, or take its time.
  if (in_c && !active_.empty() && undecided_depth > active_.front().undecided_depth)
    throw NeedsNumbers{place, "'" + function.full_name() + "' in C is called in a branch"};
  const ExprId path = active_.empty() ? undecided_path() : ExprId{};
  std::vector<std::uint64_t> key = {std::bit_cast<std::uintptr_t>(&function)};
  for (const Value& input : inputs) append_key(input, key);
  const auto& outputs = head(function).outputs;
  // Every object is one of its own, also where two are made alike.
  const bool makes_object =
      outputs.size() == 1 && outputs.front()->type() == TypeKind::external_object;
  const bool is_remembered = !impure && !makes_object;
  if (const auto found = results_.find(key); found != results_.end() && is_remembered) {
    if (const auto failed = failures_.find(key); failed != failures_.end())
      note_failure(failed->second);
    return found->second;
  }
  require_executable(function, inputs, place);
  Executed result;
  bool is_guarded = in_c && path.valid();  // it has a value only where it is asked for
  const std::size_t n_guarded = n_guarded_calls_;
  const ForNow asked(asked_path_, active_.empty() ? path : asked_path_);
  try {
    if (active_.empty()) quiet_ = !makes_events(function);
    const ActiveCall active(*this, function);
    result = execute_or_outline(function, inputs, path, place);
  } catch (const NeedsNumbers& reason) {
    if (is_active(function)) throw;  // the outermost call waits as a whole
    // What waits for numbers is dear, and may fail where nobody takes it.
    if (asked_path_.valid()) ++n_guarded_calls_;
    result.value = run_time_call(function, inputs, reason, place, asked_path_);
  }
  is_guarded = is_guarded || n_guarded_calls_ > n_guarded;
  note_failure(result.failure);
  if (!is_remembered || is_guarded) return std::move(result.value);
  if (!result.failure.codes.empty()) failures_.emplace(key, std::move(result.failure));
  return results_.emplace(std::move(key), std::move(result.value)).first->second;
}

void Evaluation::require_executable(Instance& function, const std::vector<Value>& inputs,
                                    Place place) {
  if (call_depth >= max_call_depth)
    fail(place, "M210",
         "'" + function.full_name() +
             "' is called from itself, or functions are nested, more than " +
             std::to_string(max_call_depth) + " deep.");
  if (is_partial_function(function))
    fail(place, "M202", "'" + function.full_name() + "' is partial and cannot be called.");
  // Both branches of an undecided condition are executed, so that a recursion that ends by such a
  // condition would never end here. With arguments that are known all conditions are.
  const bool decides = std::all_of(inputs.begin(), inputs.end(), [&](const Value& input) {
    return is_known(input) && is_given_known(input);
  });
  if (!decides && is_recursive_by_choice(function))
    throw NeedsNumbers{place, "how often '" + function.full_name() + "' calls itself is not known"};
}

Evaluation::Executed Evaluation::execute_or_outline(Instance& function,
                                                    const std::vector<Value>& inputs, ExprId path,
                                                    Place place) {
  const bool in_c = is_in_c(function);
  const auto as_body = [&] {
    return constants_only ? std::nullopt : outlined_call(function, inputs, place);
  };
  Executed result;
  // Conditions in a body of its own make no events.
  auto call =
      quiet_ && (has_outlines_.contains(&function) || is_told(function)) ? as_body() : std::nullopt;
  if (!call) {
    const std::size_t n_nodes = pool().size();
    const std::size_t n_loops = n_loops_;
    const std::size_t n_c_calls = n_c_calls_;
    const ForNow guard(c_guard_, in_c ? path : c_guard_);
    result.value = execute(function, inputs, place);
    if (path.valid() && !in_c && n_c_calls_ > n_c_calls)
      throw NeedsNumbers{place, "it calls a function in C"};
    result.failure = std::exchange(last_failure_, {});
    const bool has_grown = pool().size() - n_nodes > large_body && quiet_;
    if (n_loops_ > n_loops || (has_grown && is_large(result.value, inputs))) call = as_body();
  }
  if (call) result = {std::move(*call), std::exchange(last_failure_, {})};
  return result;
}

std::optional<Value> Evaluation::impure_call(Instance& function, const std::vector<Value>& inputs,
                                             Place place) {
  const bool gives_nothing = head(function).outputs.empty();  // such as a message
  if (hooks->is_continuous() && when_depth_ == 0 && !gives_nothing)
    fail(place, "M216",
         "'" + function.full_name() +
             "' is impure: what it gives or does depends on when it is called, so it can be called "
             "in when-clauses and at the start only. Move the call into a 'when', or write "
             "'pure(...)' around it if it depends on its arguments alone.");
  ExprId path = here();
  const auto known = scalars.truth(path);
  // What is done for its own sake, and holds all the time, is done when a run starts.
  if (known == true && gives_nothing && !hooks->is_clocked())
    path = scalars.condition_of_boolean(hooks->initial(place));
  else if (known && !hooks->is_clocked())
    return std::nullopt;
  return run_time_call(function, inputs, {place, "it is impure"}, place, path, true);
}

ExprId Evaluation::undecided_path() {
  if (constants_only) return {};
  const ExprId path = here();
  return scalars.truth(path).has_value() ? ExprId{} : path;
}

bool Evaluation::is_impure(Instance& function) {
  return function.definition().purity == Purity::impure;
}

/// By its text: the same function may be an instance of its own where it is looked up from inside.
bool Evaluation::is_active(const Instance& function) const {
  return std::any_of(active_.begin(), active_.end(), [&](const ActiveFunction& other) {
    return &other.function->definition() == &function.definition();
  });
}

/// Of a function as an argument: what it was given with it.
bool Evaluation::is_given_known(const Value& value) const {
  return !value.function || std::all_of(value.function->given.begin(), value.function->given.end(),
                                        [&](const auto& given) { return is_known(given.second); });
}

bool Evaluation::is_recursive_by_choice(const Instance& function) const {
  return std::any_of(active_.begin(), active_.end(), [&](const ActiveFunction& other) {
    return &other.function->definition() == &function.definition() &&
           undecided_depth > other.undecided_depth;
  });
}

bool Evaluation::is_partial_function(Instance& function) {
  return function.is_partial();
}

Value Evaluation::construct_record(Instance& record, std::vector<Argument> arguments, Place place) {
  std::vector<Instance*> inputs;
  for (Instance* field : record.children())
    if ((field->variability() != Variability::constant || !field->binding()) &&
        !field->is_final() && !field->is_protected())
      inputs.push_back(field);
  const auto given = placed(record.full_name(), inputs, arguments, place);
  Value value;
  value.kind = ValueKind::record;
  value.record = record_type(record);
  Locals locals;
  locals.function = &record;
  std::size_t next = 0;
  for (Instance* field : record.children()) {
    Argument* argument = next < inputs.size() && inputs[next] == field ? given[next++] : nullptr;
    if (argument == nullptr && !field->binding() && field->is_simple())
      fail(place, "M204",
           "'" + record.full_name() + "' needs a value for '" + field->name().string() + "'.");
    Value part = argument != nullptr ? std::move(argument->value)
                 : field->binding()  ? default_value(field->binding(), locals)
                                     : construct_record(*field, {}, place);
    value.fields.push_back(
        as_declared(std::move(part), *field, locals,
                    "'" + field->name().string() + "' of '" + record.full_name() + "'",
                    argument != nullptr ? argument->place : place));
    locals.variables.push_back({field->name(), value.fields.back()});
  }
  return value;
}

Dims Evaluation::declared_dims(Instance& component, const Value* given, const Locals& locals,
                               Place place) {
  Dims dims;
  const auto declared = component.declared_dimensions();
  // `A[:, size(A, 1)]`: the value itself is known to its own dimensions.
  Locals with_itself;
  with_itself.outer = &locals;
  if (given != nullptr) with_itself.variables.push_back({component.name(), *given});
  for (std::size_t k = 0; k < declared.size(); ++k) {
    const Expression& expression = *declared[k].expression;
    if (expression.kind == ExpressionKind::colon) {
      dims.push_back(given != nullptr && k < given->dims.size() ? given->dims[k] : 0);
      continue;
    }
    const ForNow guard(constants_only, true);
    const Locals* inside = locals_of(*declared[k].scope, locals);
    const Value size = evaluate(
        expression, {declared[k].scope, inside == &locals && given ? &with_itself : inside});
    if (size.dims.size() == 1) {  // an enumeration or Boolean as a dimension
      dims.push_back(size.dims[0]);
      continue;
    }
    const auto number = size.scalars.empty() ? std::nullopt : scalars.number(size.scalar());
    if (!number)
      throw NeedsNumbers{expression.place,
                         "the size of '" + component.name().string() + "' is not known"};
    dims.push_back(static_cast<std::int64_t>(*number));
  }
  require_size(dims, place);
  return dims;
}

Value Evaluation::as_declared(Value value, Instance& component, const Locals& locals,
                              const std::string& what, Place place) {
  const Dims dims = declared_dims(component, &value, locals, place);
  if (value.kind == ValueKind::function || value.kind == ValueKind::external_object) return value;
  if (component.is_simple()) return fitted(std::move(value), blank(component, dims), what, place);
  return as_record(std::move(value), component, dims.size(), what, place);
}

/// The fields of a value as those of a record class; their sizes are what they are.
Value Evaluation::as_record(Value value, Instance& component, std::size_t n_outer,
                            const std::string& what, Place place) {
  Instance& type = component.prototype();
  if (value.kind != ValueKind::record)
    fail(place, "M202",
         what + " is a " + type.class_node().full_name() + ", but this is " + type_text(value) +
             ".");
  Value result = value;
  result.record = record_type(type);
  if (value.record == result.record) return result;
  result.fields.clear();
  for (Instance* child : type.children()) {
    Value* field = value.field(child->name());
    if (field == nullptr)
      fail(place, "M202",
           what + " is a " + type.class_node().full_name() + ", but this is " + type_text(value) +
               ", which has no '" + child->name().string() + "'.");
    Value part = std::move(*field);
    if (child->type() == TypeKind::real) part = as_real(std::move(part));
    if (!child->is_simple() && part.kind == ValueKind::record)
      part =
          as_record(std::move(part), *child, n_outer, what + "." + child->name().string(), place);
    result.fields.push_back(std::move(part));
  }
  return result;
}

}  // namespace alembert::modelica
