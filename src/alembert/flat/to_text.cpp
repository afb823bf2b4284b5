// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/to_text.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>
#include <vector>

#include "alembert/flat/clocked_part.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/names.hpp"
#include "alembert/symbolic/print_truth.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::flat {

namespace {

/// A Modelica string: quotes and backslashes escaped, a line stays a line.
std::string string_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '\n') {
      literal += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

/// "(start = 1, fixed = true)", or nothing.
std::string modification(const std::vector<std::string>& attributes) {
  if (attributes.empty()) return "";
  return fmt::format("({})", fmt::join(attributes, ", "));
}

std::string comment(const std::string& description) {
  return description.empty() ? "" : fmt::format(" {}", string_literal(description));
}

constexpr double most_operations = 200'000;

/// How long the text would be. Parts that an expression shares are written out each time, so that
/// this may double with every level.
double operations_written_out(const symbolic::ExprPool& pool, ExprId root) {
  const symbolic::Reach reach(pool, root);
  std::vector<double> size(reach.size(), 1);
  for (std::size_t i = 0; i < reach.size(); ++i)
    for (const ExprId child : pool.children(reach.nodes()[i]))
      size[i] += size[reach.index_of(child)];
  return size[reach.index_of(root)];
}

std::string identifier(const std::string& name) {
  return symbolic::is_modelica_name(name) ? name : symbolic::quoted(name);
}

std::string_view type_name(ValueType type) {
  switch (type) {
    case ValueType::integer: return "Integer";
    case ValueType::boolean: return "Boolean";
    case ValueType::text: return "String";
    case ValueType::real: break;
  }
  return "Real";
}

/// "  annotation(experiment(StopTime = 2));\n", or nothing.
std::string experiment(const Experiment& experiment) {
  std::vector<std::string> settings;
  const auto show = [&](std::string_view name, const std::optional<double>& value) {
    if (value) settings.push_back(fmt::format("{} = {}", name, *value));
  };
  show("StartTime", experiment.start);
  show("StopTime", experiment.stop);
  show("Tolerance", experiment.tolerance);
  show("Interval", experiment.interval);
  if (settings.empty()) return "";
  return fmt::format("  annotation(experiment({}));\n", fmt::join(settings, ", "));
}

class SystemText {
 public:
  explicit SystemText(const FlatSystem& system) : system_(system) {
    for (const Parameter& parameter : system.parameters)
      if (parameter.type == ValueType::boolean) booleans_.insert(parameter.symbol);
    for (const DiscreteVariable& variable : system.discrete_variables)
      if (variable.type == ValueType::boolean) booleans_.insert(variable.symbol);
    for (const SampleClock& clock : system.samples) booleans_.insert(clock.symbol);
    if (system.initial_symbol.valid()) booleans_.insert(system.initial_symbol);
    if (system.clocked == nullptr) return;
    for (const ClockedVariable& variable : system.clocked->variables)
      if (variable.derivative_of.valid()) derivatives_.insert(variable.symbol);
  }

  std::string text() const {
    std::string text = fmt::format("model {}\n", identifier(system_.name));
    for (const Parameter& parameter : system_.parameters) text += declaration(parameter);
    for (const Unknown& unknown : system_.unknowns) text += declaration(unknown);
    for (const DiscreteVariable& variable : system_.discrete_variables)
      if (!derivatives_.contains(variable.symbol)) text += declaration(variable);
    for (const Observed& observed : system_.observed) text += declaration(observed);
    const bool has_clocked =
        system_.clocked != nullptr && !system_.clocked->initial_equations.empty();
    if (!system_.initial_equations.empty() || !system_.derivative_starts.empty() || has_clocked)
      text += "initial equation\n";
    for (const DerivativeStart& start : system_.derivative_starts) {
      // A guess is no equation: Modelica has no attribute for it, so it is shown as a comment.
      text += fmt::format("  {}{}\n",
                          start.fixed ? "" : "// guess: ", statement(start.symbol, start.value));
    }
    for (const FlatEquation& equation : system_.initial_equations)
      text += fmt::format("  {}\n", statement(equation.left, equation.right));
    if (has_clocked)
      for (const ClockedEquation& equation : system_.clocked->initial_equations)
        text += fmt::format("  {}\n", statement(equation.left, equation.right));
    text += "equation\n";
    for (const FlatEquation& equation : system_.equations)
      text += fmt::format("  {}\n", statement(equation.left, equation.right));
    std::unordered_set<ExprId> is_clocked;  // looked up, never iterated
    if (system_.clocked != nullptr)
      for (const ClockedVariable& variable : system_.clocked->variables)
        is_clocked.insert(variable.symbol);
    for (const DiscreteEquation& equation : system_.discrete_equations)
      if (!is_clocked.contains(equation.left))
        text += fmt::format("  {}\n", statement(equation.left, equation.right));
    text += signals() + clocked() + actions() + experiment(system_.experiment);
    return text + fmt::format("end {};\n", identifier(system_.name));
  }

 private:
  /// The numbers that stand for truth values become what they stand for.
  std::string expression(ExprId id, ValueType type = ValueType::real) const {
    const double size = operations_written_out(*system_.pool, id);
    if (size > most_operations)
      return fmt::format("{} /* cut off: {:.3g} operations if written out */",
                         symbolic::to_short_text(*system_.pool, id, is_boolean_), size);
    const auto reading =
        type == ValueType::boolean ? symbolic::Reading::truth : symbolic::Reading::plain;
    return with_derivatives(id, symbolic::to_text(*system_.pool, id, symbolic::Notation::modelica,
                                                  is_boolean_, reading));
  }

  /// A clocked variable that is a derivative is named as one: der(x), not 'der(x)'.
  std::string with_derivatives(ExprId id, std::string text) const {
    if (derivatives_.empty()) return text;
    for (const ExprId symbol : symbolic::free_symbols(*system_.pool, id)) {
      if (!derivatives_.contains(symbol)) continue;
      const std::string name = system_.pool->symbol_text(symbol);
      const std::string quoted = symbolic::quoted(name);
      for (std::size_t at = 0; (at = text.find(quoted, at)) != text.npos; at += name.size())
        text.replace(at, quoted.size(), name);
    }
    return text;
  }

  std::string declaration(const Parameter& parameter) const {
    std::vector<std::string> attributes;
    if (parameter.solved_for) attributes.push_back("fixed = false");
    if (!parameter.unit.empty()) attributes.push_back("unit = " + string_literal(parameter.unit));
    return fmt::format(
        "  parameter {} {}{}{}{};\n", type_name(parameter.type), expression(parameter.symbol),
        modification(attributes),
        parameter.value.valid() ? " = " + expression(parameter.value, parameter.type) : "",
        comment(parameter.description));
  }

  std::string declaration(const Unknown& unknown) const {
    std::vector<std::string> attributes;
    if (unknown.start.valid()) attributes.push_back("start = " + expression(unknown.start));
    if (unknown.fixed) attributes.push_back("fixed = true");
    if (unknown.min) attributes.push_back(fmt::format("min = {}", *unknown.min));
    if (unknown.max) attributes.push_back(fmt::format("max = {}", *unknown.max));
    if (unknown.nominal) attributes.push_back(fmt::format("nominal = {}", *unknown.nominal));
    if (!unknown.unit.empty()) attributes.push_back("unit = " + string_literal(unknown.unit));
    return fmt::format("  Real {}{}{};{}\n", expression(unknown.symbol), modification(attributes),
                       comment(unknown.description),
                       unknown.state_priority == 0
                           ? ""
                           : fmt::format("  // state priority {}", unknown.state_priority));
  }

  std::string declaration(const DiscreteVariable& variable) const {
    std::vector<std::string> attributes;
    if (variable.start.valid())
      attributes.push_back("start = " + expression(variable.start, variable.type));
    if (variable.fixed) attributes.push_back("fixed = true");
    if (!variable.unit.empty()) attributes.push_back("unit = " + string_literal(variable.unit));
    return fmt::format("  discrete {} {}{}{};\n", type_name(variable.type),
                       expression(variable.symbol), modification(attributes),
                       comment(variable.description));
  }

  std::string declaration(const Observed& observed) const {
    std::vector<std::string> attributes;
    if (!observed.unit.empty()) attributes.push_back("unit = " + string_literal(observed.unit));
    return fmt::format("  output {} {}{} = {}{};\n", type_name(observed.type),
                       identifier(observed.name), modification(attributes),
                       expression(observed.value, observed.type), comment(observed.description));
  }

  std::string statement(ExprId left, ExprId right) const {
    const ValueType type = booleans_.contains(left) ? ValueType::boolean : ValueType::real;
    return fmt::format("{} = {};", expression(left), expression(right, type));
  }

  std::string vector_text(const std::vector<ExprId>& values) const {
    std::string text;
    for (const ExprId value : values) text += (text.empty() ? "{" : ", ") + expression(value);
    return text + "}";
  }

  /// Ticks, delays and the ends of pipes, which stand in expressions by their symbols.
  std::string signals() const {
    std::string text;
    for (const SampleClock& clock : system_.samples)
      text += fmt::format("  {} = sample({}, {});\n", expression(clock.symbol),
                          expression(clock.start), expression(clock.interval));
    for (const Delay& delay : system_.delays)
      text += fmt::format("  {} = delay({}, {}{});\n", expression(delay.symbol),
                          expression(delay.value), expression(delay.delay),
                          delay.longest.valid() ? ", " + expression(delay.longest) : "");
    for (const Transport& transport : system_.transports)
      text += fmt::format("  ({}, {}) = spatialDistribution({}, {}, {}, {}, {}, {});\n",
                          expression(transport.outputs[0]), expression(transport.outputs[1]),
                          expression(transport.inputs[0]), expression(transport.inputs[1]),
                          expression(transport.position),
                          expression(transport.forward, ValueType::boolean),
                          vector_text(transport.points), vector_text(transport.values));
    return text;
  }

  /// "Clock(1, 50)", "shiftSample(Clock(T), 1, 2)".
  std::string clock_text(const Clock& clock) const {
    const BaseClock& base = system_.clocked->bases[clock.base];
    const bool counts = base.count.valid();
    const bool in_seconds = !counts && expression(base.interval) == "1";
    std::string text;
    if (in_seconds) {
      text = clock.step.denominator() == 1
                 ? fmt::format("Clock({})", clock.step.numerator())
                 : fmt::format("Clock({}, {})", clock.step.numerator(), clock.step.denominator());
    } else {
      text = fmt::format("Clock({})", counts ? "change(" + expression(base.count) + ")"
                                             : expression(base.interval));
      if (clock.step.denominator() != 1)
        text = fmt::format("superSample({}, {})", text, clock.step.denominator());
      if (clock.step.numerator() != 1)
        text = fmt::format("subSample({}, {})", text, clock.step.numerator());
    }
    if (!clock.first.is_zero()) {
      const symbolic::Number shift = clock.first / clock.step;
      text = fmt::format("shiftSample({}, {}, {})", text, shift.numerator(), shift.denominator());
    }
    if (clock.method == SolverMethod::none) return text;
    return fmt::format("Clock({}, solverMethod = \"{}\")", text, name(clock.method));
  }

  /// What clocks drive; pre(x) in it is previous(x).
  std::string clocked() const {
    std::string text;
    if (system_.clocked == nullptr) return text;
    for (const ClockedSample& sample : system_.clocked->samples)
      text +=
          fmt::format("  {} = sample({});\n", expression(sample.symbol), expression(sample.value));
    for (std::uint32_t k = 0; k < system_.clocked->clocks.size(); ++k) {
      std::string body;
      for (const ClockedEquation& equation : system_.clocked->equations)
        if (equation.clock == k)
          body += fmt::format("    {}\n", statement(equation.left, equation.right));
      if (body.empty()) continue;
      text += fmt::format("  when {} then\n{}  end when;\n", clock_text(system_.clocked->clocks[k]),
                          body);
    }
    return text;
  }

  /// What happens at events, and what must hold.
  std::string actions() const {
    std::string text;
    for (const Reinit& reinit : system_.reinits)
      text +=
          fmt::format("  when {} then reinit({}, {}); end when;\n", expression(reinit.condition),
                      expression(reinit.unknown), expression(reinit.value));
    for (const Assertion& assertion : system_.assertions)
      text += fmt::format("  assert({}, {}{});\n", expression(assertion.condition),
                          string_literal(assertion.message),
                          assertion.is_warning ? ", AssertionLevel.warning" : "");
    for (const Termination& termination : system_.terminations)
      text += fmt::format("  when {} then terminate({}); end when;\n",
                          expression(termination.condition), string_literal(termination.message));
    return text;
  }

  const FlatSystem& system_;
  std::unordered_set<ExprId> booleans_;     // looked up, never iterated
  std::unordered_set<ExprId> derivatives_;  // of clocked variables; looked up, never iterated
  symbolic::IsTruth is_boolean_ = [this](ExprId symbol) { return booleans_.contains(symbol); };
};

}  // namespace

std::string to_text(const FlatSystem& system) { return SystemText(system).text(); }

}  // namespace alembert::flat
