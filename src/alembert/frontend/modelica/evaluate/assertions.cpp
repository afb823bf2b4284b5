// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Assertions, in models and in functions. What an assertion in
// a function says is a variable of that function which nobody can write down: the number of the
// first assertion that failed, 0 for none, with the values that its message shows. So branches,
// loops and early returns treat it as they treat every variable, it leaves the function with its
// outputs, and in the model it becomes one assertion of the run for each number.
#include <algorithm>

#include "alembert/base/message_text.hpp"
#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

/// Values of a message that can be shown; of further ones only that they are there.
constexpr std::size_t most_shown = 4;
/// For errors, then for warnings.
constexpr std::size_t group_size = 1 + most_shown;
constexpr std::size_t n_cells = 2 * group_size;

std::size_t group_of(bool is_warning) { return is_warning ? group_size : 0; }

/// The placeholders beyond those that can be shown are dots.
std::string shortened(std::string text, std::size_t n_values) {
  for (std::size_t k = n_values; k > most_shown; --k)
    while (const auto mark = find_mark(text, k)) text.replace(mark->at, mark->size, "...");
  return text;
}

}  // namespace

Name Evaluation::failure_name() {
  static const Name name("assertions that failed");
  return name;
}

Value Evaluation::no_failure() {
  return array_value(ValueKind::real, {static_cast<std::int64_t>(n_cells)},
                     std::vector<ExprId>(n_cells, pool().integer(0)));
}

/// The failure `code` with its values, where none of its kind was met before, and `when` holds.
void Evaluation::put_failure(Value& cells, std::size_t group, ExprId when, ExprId code,
                             std::span<const ExprId> values) {
  const ExprId first =
      scalars.both(when, scalars.compare(Operator::equal, cells.scalars[group], pool().integer(0)));
  cells.scalars[group] = scalars.choice(first, code, cells.scalars[group]);
  for (std::size_t k = 0; k < values.size(); ++k)
    cells.scalars[group + 1 + k] = scalars.choice(first, values[k], cells.scalars[group + 1 + k]);
}

void Evaluation::check_assertion(const Expression& call, Execution& execution,
                                 const EvaluationScope& scope) {
  if (call.operands.empty()) fail(call.place, "M204", "'assert' needs a condition and a message.");
  const auto argument = [&](std::size_t k, std::string_view name) -> const Expression* {
    if (k < call.operands.size()) return call.operands[k];
    for (const NamedArgument& named : call.named)
      if (named.name == name) return named.value;
    return nullptr;
  };
  const ExprId holds = condition(*call.operands[0], scope);
  if (const auto known = scalars.truth(holds); known && *known) return;
  const Expression* level = argument(2, "level");
  bool is_warning = false;
  if (level != nullptr) {
    const Value value = evaluate(*level, scope);
    is_warning = value.has_scalars() && scalars.number(value.scalar()) == 1.0;
  }
  const Expression* text = argument(1, "message");
  const auto message = [&] {
    const Value value = text ? evaluate(*text, scope) : string_value("");
    return value.texts.empty() ? Text{} : value.texts.front();
  };
  if (execution.function == nullptr) {
    hooks->assertion(scalars.either(scalars.negation(execution.path), holds), message(), is_warning,
                     call.place);
    return;
  }
  const std::string function = execution.function->full_name();
  const std::string prefix = "assertion in '" + function + "' failed: ";
  const bool fails = scalars.truth(holds).has_value() && undecided_depth == 0;
  if (fails && !is_warning) fail(call.place, "M211", prefix + message().text);
  Text said;
  try {
    said = message();
  } catch (const NeedsNumbers&) {  // text that is put together in the run
    said = {"its message is known in the run only"};
  } catch (const Error& error) {  // one of several texts
    if (error.code() != "M201") throw;
    said = {"its message is known in the run only"};
  }
  said.text = prefix + said.text;
  assert_in_function(execution, holds, std::move(said), is_warning, call.place);
}

void Evaluation::assert_in_function(Execution& execution, ExprId holds, Text said, bool is_warning,
                                    Place place) {
  const std::size_t code =
      assertion_code(place, execution.function->full_name(),
                     shortened(std::move(said.text), said.values.size()), is_warning);
  said.values.resize(std::min(said.values.size(), most_shown));
  for (ExprId& value : said.values)
    if (pool().is_condition(value)) value = scalars.number_of_condition(value);
  execution.codes.insert(code);
  for (Local& local : execution.locals.variables)
    if (local.name == failure_name())
      put_failure(local.value, group_of(is_warning), scalars.negation(holds),
                  pool().integer(static_cast<std::int64_t>(code)), said.values);
}

/// True if nothing but numbers from 1 to `size` can come out of the choices that it is made of.
bool Evaluation::is_always_within(ExprId index, std::int64_t size) {
  std::vector<ExprId> open = {index};
  for (std::size_t n_seen = 0; !open.empty(); ++n_seen) {
    const ExprId id = open.back();
    open.pop_back();
    if (const auto number = scalars.number(id)) {
      if (*number < 1 || *number > static_cast<double>(size)) return false;
    } else if (pool().op(id) == symbolic::Op::if_then_else && n_seen < 100) {
      open.push_back(pool().children(id)[1]);
      open.push_back(pool().children(id)[2]);
    } else {
      return false;
    }
  }
  return true;
}

void Evaluation::assert_subscript(ExprId index, std::int64_t size, std::size_t dimension,
                                  const std::string& what, Place place) {
  if (constants_only || is_gathering_ || is_always_within(index, size)) return;
  const ExprId inside =
      scalars.both(scalars.compare(Operator::greater_equal, index, pool().integer(1)),
                   scalars.compare(Operator::less_equal, index, pool().integer(size)));
  Text text{"subscript {1} of " + what + " is out of range: dimension " +
                std::to_string(dimension + 1) + " has size " + std::to_string(size),
            {index}};
  if (running_ != nullptr) {
    text.text = "in '" + running_->function->full_name() + "': " + text.text;
    const ExprId holds = expression_path_.valid()
                             ? scalars.either(scalars.negation(expression_path_), inside)
                             : inside;
    assert_in_function(*running_, holds, std::move(text), false, place);
    return;
  }
  const ExprId holds = without_events(scalars.either(scalars.negation(here()), inside));
  if (told_assertions_.emplace(holds, 0).second) hooks->assertion(holds, text, false, place);
}

std::size_t Evaluation::assertion_code(Place place, const std::string& function, std::string text,
                                       bool is_warning) {
  const auto same = [&](const FunctionAssertion& other) {
    return other.place.text().data() == place.text().data() && other.function == function &&
           other.text == text;
  };
  const auto found = std::find_if(assertions_.begin(), assertions_.end(), same);
  if (found != assertions_.end()) return static_cast<std::size_t>(found - assertions_.begin()) + 1;
  assertions_.push_back({place, function, std::move(text), is_warning});
  return assertions_.size();
}

/// What a call leaves behind: nothing where no assertion can fail.
Failure Evaluation::failure_of(const Execution& execution) {
  if (execution.codes.empty()) return {};
  const Value* cells = execution.locals.find(failure_name());
  if (cells == nullptr ||
      (pool().is_zero(cells->scalars[0]) && pool().is_zero(cells->scalars[group_size])))
    return {};
  return {*cells, execution.codes};
}

void Evaluation::note_failure(const Failure& failure) {
  if (failure.codes.empty()) return;
  if (running_ == nullptr) {
    tell_failure(failure);
    return;
  }
  running_->codes.insert(failure.codes.begin(), failure.codes.end());
  const ExprId always = pool().truth(true);
  for (Local& local : running_->locals.variables) {
    if (local.name != failure_name()) continue;
    for (const std::size_t group : {group_of(false), group_of(true)}) {
      const ExprId code = failure.cells.scalars[group];
      if (pool().is_zero(code)) continue;
      const ExprId happens = scalars.compare(Operator::not_equal, code, pool().integer(0));
      put_failure(local.value, group,
                  scalars.both(expression_path_.valid() ? expression_path_ : always, happens), code,
                  std::span(failure.cells.scalars).subspan(group + 1, most_shown));
    }
  }
}

/// In the model: an assertion for each of the codes.
void Evaluation::tell_failure(const Failure& failure) {
  if (constants_only) return;
  ExprId path = here();
  for (const std::size_t code : failure.codes) {
    const FunctionAssertion& assertion = assertions_[code - 1];
    const std::size_t group = group_of(assertion.is_warning);
    const ExprId other = scalars.compare(Operator::not_equal, failure.cells.scalars[group],
                                         pool().integer(static_cast<std::int64_t>(code)));
    const ExprId holds = without_events(scalars.either(scalars.negation(path), other));
    if (const auto known = scalars.truth(holds); known && *known) continue;
    if (!told_assertions_.emplace(holds, code).second) continue;
    Text text{assertion.text};
    for (std::size_t k = 0; k < most_shown; ++k) {
      if (!find_mark(text.text, k + 1)) break;
      text.values.push_back(failure.cells.scalars[group + 1 + k]);
    }
    hooks->assertion(holds, text, assertion.is_warning, assertion.place);
  }
}

/// The condition under which what is being evaluated in the model counts.
ExprId Evaluation::here() {
  ExprId path = hooks->guard();
  if (!path.valid()) path = pool().truth(true);
  if (algorithm != nullptr) path = scalars.both(path, algorithm->path);
  if (expression_path_.valid()) path = scalars.both(path, expression_path_);
  return path;
}

}  // namespace alembert::modelica
