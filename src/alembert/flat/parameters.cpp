// SPDX-License-Identifier: Apache-2.0
#include "alembert/flat/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>

#include "alembert/base/similar_names.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::flat {

namespace {

using symbolic::SymbolKind;

/// How far the search for a parameter's value has come.
enum class State : std::uint8_t {
  open,     ///< has a definition that is not evaluated yet
  valued,   ///< has its value
  blocked,  ///< its definition is wrong, and a diagnostic says so
};

struct Definitions {
  const FlatSystem& system;
  std::unordered_map<ExprId, std::uint32_t> index_of = {};  // looked up, never iterated
  std::vector<State> state = {};                            // [n_parameters]
  std::vector<std::vector<std::uint32_t>> uses = {};        // [n_parameters] of parameters
  ParameterReport report = {};

  const std::string& name(std::uint32_t i) const {
    return system.pool->symbol_of(system.parameters[i].symbol).name;
  }
};

void apply_overrides(Definitions& all, const ParameterOverrides& overrides) {
  for (const auto& [name, value] : overrides) {
    const ExprId symbol = all.system.pool->find_symbol(name);
    const auto found = symbol.valid() ? all.index_of.find(symbol) : all.index_of.end();
    if (found == all.index_of.end()) {
      std::vector<std::string> names;
      for (std::uint32_t i = 0; i < all.system.parameters.size(); ++i) names.push_back(all.name(i));
      const std::string similar = nearest_name(name, names);
      for (std::string& candidate : names) candidate = in_quotes(candidate);
      std::string advice = "It has no parameters.";
      if (!similar.empty())
        advice = "Did you mean '" + similar + "'?";
      else if (!names.empty())
        advice = "Its parameters are " + listed(names) + ".";
      all.report.diagnostics.push_back(
          {.code = "F012",
           .text = fmt::format("model '{}' has no parameter '{}' to give the value {}. {}",
                               all.system.name, name, number_text(value), advice),
           .origin = all.system.origin,
           .notes = {}});
      continue;
    }
    all.report.values[found->second] = value;
    all.state[found->second] = State::valued;
    if (!std::isfinite(value)) {
      all.report.diagnostics.push_back(
          {.code = "F008",
           .text = fmt::format("the value given for parameter '{}' is {}. Give a finite one.", name,
                               number_text(value)),
           .origin = all.system.parameters[found->second].origin,
           .notes = {}});
    }
  }
}

/// "parameter Real k = 1;" of k, "r(k = 1)" of r.k.
std::string declaration_with_value(const std::string& name, ValueType type) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos)
    return fmt::format("{}({} = 1)", name.substr(0, dot), name.substr(dot + 1));
  const char* words = type == ValueType::integer   ? "Integer"
                      : type == ValueType::boolean ? "Boolean"
                      : type == ValueType::text    ? "String"
                                                   : "Real";
  const char* value = type == ValueType::boolean ? "true" : type == ValueType::text ? "\"a\"" : "1";
  return fmt::format("parameter {} {} = {};", words, name, value);
}

/// Finds what each definition uses, and blocks those that use what they may not.
void read_definitions(Definitions& all) {
  const FlatSystem& system = all.system;
  for (std::uint32_t i = 0; i < system.parameters.size(); ++i) {
    const Parameter& parameter = system.parameters[i];
    if (all.state[i] == State::valued) continue;
    if (!parameter.value.valid() && parameter.solved_for) {
      all.report.values[i] = 0;  // the first guess
      all.state[i] = State::valued;
      continue;
    }
    if (!parameter.value.valid()) {
      all.state[i] = State::blocked;
      all.report.diagnostics.push_back(
          {.code = "F007",
           .text = fmt::format("parameter '{}' of model '{}' has no value. Give it one where it is "
                               "declared, such as '{}', or for a run, such as '--set {}=1'.",
                               all.name(i), system.name,
                               declaration_with_value(all.name(i), parameter.type), all.name(i)),
           .origin = parameter.origin,
           .notes = {}});
      continue;
    }
    std::vector<ExprId> varying;
    for (const ExprId symbol : symbolic::free_symbols(*system.pool, parameter.value)) {
      if (system.pool->symbol_of(symbol).kind != SymbolKind::parameter) {
        varying.push_back(symbol);
      } else if (const auto used = all.index_of.find(symbol); used != all.index_of.end()) {
        all.uses[i].push_back(used->second);
      } else {
        all.state[i] = State::blocked;
        all.report.diagnostics.push_back(undeclared_symbol(
            system, symbol, fmt::format("the definition of parameter '{}'", all.name(i)),
            parameter.origin));
      }
    }
    if (varying.empty()) continue;
    all.state[i] = State::blocked;
    all.report.diagnostics.push_back(varying_definition(
        system, fmt::format("parameter '{}'", all.name(i)), parameter.value, varying,
        fmt::format("Make '{}' an unknown with this as its equation.", all.name(i)),
        parameter.origin));
  }
}

void report_not_finite(Definitions& all, std::uint32_t i) {
  const Parameter& parameter = all.system.parameters[i];
  std::vector<std::string> used;
  for (const std::uint32_t j : all.uses[i])
    used.push_back(fmt::format("{} = {}", all.name(j), number_text(all.report.values[j])));
  all.report.diagnostics.push_back(
      {.code = "F008",
       .text = fmt::format("parameter '{}' is {}, which is {}{}. Change its definition{}.",
                           all.name(i), expression_text(all.system, parameter.value),
                           number_text(all.report.values[i]),
                           used.empty() ? "" : " with " + listed(used),
                           used.empty() ? "" : " or the values it uses"),
       .origin = parameter.origin,
       .notes = {}});
}

/// Evaluates each parameter after those it uses; what stays open is on a circle or depends on one,
/// or on something blocked.
void evaluate_in_order(Definitions& all) {
  const std::size_t n = all.system.parameters.size();
  std::vector<std::vector<std::uint32_t>> users(n);
  std::vector<std::uint32_t> n_missing(n, 0);
  std::vector<std::uint32_t> ready;
  std::vector<char> is_guess(n, 0);  // to be solved for at the start, or made of such
  symbolic::Values values;
  for (std::uint32_t i = 0; i < n; ++i) {
    is_guess[i] = all.system.parameters[i].solved_for;
    if (all.state[i] == State::valued) ready.push_back(i);
    if (all.state[i] != State::open) continue;
    for (const std::uint32_t j : all.uses[i]) users[j].push_back(i);
    n_missing[i] = static_cast<std::uint32_t>(all.uses[i].size());
    if (n_missing[i] == 0) ready.push_back(i);
  }
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const std::uint32_t i = ready[next];
    double& value = all.report.values[i];
    bool finite = std::isfinite(value);
    if (all.state[i] == State::open) {
      value = symbolic::evaluate(*all.system.pool, all.system.parameters[i].value, values);
      for (const std::uint32_t used : all.uses[i]) is_guess[i] |= is_guess[used];
      if (is_guess[i] && !std::isfinite(value)) value = 0;  // the start will tell
      finite = std::isfinite(value);
      if (!finite) report_not_finite(all, i);
    }
    // One finding for one cause: what depends on a non-finite value is not evaluated.
    all.state[i] = finite ? State::valued : State::blocked;
    if (!finite) continue;
    values.emplace(all.system.parameters[i].symbol, value);
    for (const std::uint32_t user : users[i])
      if (--n_missing[user] == 0) ready.push_back(user);
  }
}

void report_circle(Definitions& all, std::vector<std::uint32_t> circle) {
  // The same circle reads the same wherever it was entered.
  std::rotate(circle.begin(),
              std::min_element(circle.begin(), circle.end(),
                               [&](std::uint32_t a, std::uint32_t b) {
                                 return all.system.pool->precedes(all.system.parameters[a].symbol,
                                                                  all.system.parameters[b].symbol);
                               }),
              circle.end());
  std::string path;
  std::vector<Note> notes;
  for (const std::uint32_t i : circle) {
    path += in_quotes(all.name(i)) + " -> ";
    const Parameter& parameter = all.system.parameters[i];
    notes.push_back({fmt::format("'{}' is defined as {}", all.name(i),
                                 expression_text(all.system, parameter.value)),
                     parameter.origin});
  }
  path += in_quotes(all.name(circle.front()));
  const std::string text =
      circle.size() == 1
          ? fmt::format("parameter '{}' is defined by itself. Give it a value.",
                        all.name(circle.front()))
          : fmt::format("{} are defined in a circle: {}. Give one of them a value of its own.",
                        counted(circle.size(), "parameter"), path);
  all.report.diagnostics.push_back({.code = "F007",
                                    .text = text,
                                    .origin = all.system.parameters[circle.front()].origin,
                                    .notes = std::move(notes)});
}

/// Blocks what waits only for blocked parameters, so that every walk from an open one leads into a
/// circle.
void block_dependents(Definitions& all) {
  const std::size_t n = all.system.parameters.size();
  std::vector<std::vector<std::uint32_t>> users(n);
  std::vector<std::uint32_t> n_open_uses(n, 0);
  std::vector<std::uint32_t> blocked;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (all.state[i] != State::open) continue;
    for (const std::uint32_t j : all.uses[i]) {
      users[j].push_back(i);
      if (all.state[j] == State::open) ++n_open_uses[i];
    }
    if (n_open_uses[i] == 0) blocked.push_back(i);
  }
  for (std::size_t next = 0; next < blocked.size(); ++next) {
    all.state[blocked[next]] = State::blocked;
    for (const std::uint32_t user : users[blocked[next]])
      if (--n_open_uses[user] == 0) blocked.push_back(user);
  }
}

/// Walks from each open parameter to one that it waits for, until the walk meets itself or an
/// earlier one.
void report_circles(Definitions& all) {
  constexpr std::uint32_t unvisited = 0xffffffffu;
  std::vector<std::uint32_t> visited_by(all.system.parameters.size(), unvisited);
  for (std::uint32_t start = 0; start < visited_by.size(); ++start) {
    if (all.state[start] != State::open || visited_by[start] != unvisited) continue;
    std::vector<std::uint32_t> walk;
    std::uint32_t at = start;
    while (visited_by[at] == unvisited) {
      visited_by[at] = start;
      walk.push_back(at);
      at = *std::find_if(all.uses[at].begin(), all.uses[at].end(),
                         [&](std::uint32_t j) { return all.state[j] == State::open; });
    }
    if (visited_by[at] != start) continue;
    report_circle(all, {std::find(walk.begin(), walk.end(), at), walk.end()});
  }
}

}  // namespace

ParameterReport examine_parameters(const FlatSystem& system, const ParameterOverrides& overrides) {
  Definitions all{.system = system};
  const std::size_t n = system.parameters.size();
  all.state.assign(n, State::open);
  all.uses.resize(n);
  all.report.values.assign(n, std::numeric_limits<double>::quiet_NaN());
  for (std::uint32_t i = 0; i < n; ++i) all.index_of.emplace(system.parameters[i].symbol, i);
  apply_overrides(all, overrides);
  read_definitions(all);
  evaluate_in_order(all);
  block_dependents(all);
  report_circles(all);
  return std::move(all.report);
}

namespace {

/// Values for parameters that the equations were made from: these would not know of them.
void report_structural(const FlatSystem& system, const ParameterOverrides& overrides,
                       ParameterReport& report) {
  std::optional<ParameterReport> made_for;
  for (std::size_t i = 0; i < system.parameters.size(); ++i) {
    if (!system.parameters[i].structural) continue;
    const std::string name = system.pool->symbol_text(system.parameters[i].symbol);
    const auto given = overrides.find(name);
    if (given == overrides.end()) continue;
    if (!made_for) made_for = examine_parameters(system);
    const double before = made_for->values[i];
    if (given->second == before) continue;
    report.diagnostics.push_back(
        {.code = "F016",
         .text = fmt::format("the equations of model '{}' were made for {} = {}, and with {} they "
                             "are other ones. Set it where the model is read: --set {}={}, or a "
                             "modification in the text.",
                             system.name, name, number_text(before), number_text(given->second),
                             name, number_text(given->second)),
         .origin = system.parameters[i].origin,
         .notes = {}});
  }
}

}  // namespace

std::vector<double> evaluate_parameters(const FlatSystem& system,
                                        const ParameterOverrides& overrides) {
  ParameterReport report = examine_parameters(system, overrides);
  if (!overrides.empty()) report_structural(system, overrides, report);
  if (!report.diagnostics.empty()) throw Error(std::move(report.diagnostics));
  return std::move(report.values);
}

void mark_structural(FlatSystem& system, std::span<const ExprId> parameters) {
  std::unordered_map<ExprId, Parameter*> by_symbol;
  for (Parameter& each : system.parameters) by_symbol.emplace(each.symbol, &each);
  std::vector<ExprId> open(parameters.begin(), parameters.end());
  while (!open.empty()) {
    const ExprId next = open.back();
    open.pop_back();
    const auto found = by_symbol.find(next);
    if (found == by_symbol.end()) continue;
    found->second->structural = true;
    const ExprId value = found->second->value;
    by_symbol.erase(found);  // once each
    if (!value.valid()) continue;
    const symbolic::Reach reach(*system.pool, value);
    open.insert(open.end(), reach.nodes().begin(), reach.nodes().end());
  }
}

symbolic::Values values_by_symbol(const FlatSystem& system,
                                  std::span<const double> parameter_values) {
  ensure(parameter_values.size() >= system.parameters.size(), "one value a parameter");
  symbolic::Values values;
  for (std::size_t i = 0; i < system.parameters.size(); ++i)
    values.emplace(system.parameters[i].symbol, parameter_values[i]);
  return values;
}

StartNumbers evaluate_starts(const FlatSystem& system, std::span<const double> parameter_values) {
  std::vector<ExprId> expressions;
  for (const Unknown& unknown : system.unknowns)
    if (unknown.start.valid()) expressions.push_back(unknown.start);
  for (const DerivativeStart& start : system.derivative_starts) expressions.push_back(start.value);
  const std::vector<double> numbers =
      symbolic::evaluate(*system.pool, expressions, values_by_symbol(system, parameter_values));

  StartNumbers result;
  std::size_t next = 0;
  for (const Unknown& unknown : system.unknowns)
    result.unknowns.push_back(unknown.start.valid() ? std::optional(numbers[next++])
                                                    : std::nullopt);
  result.derivatives.assign(numbers.begin() + static_cast<std::ptrdiff_t>(next), numbers.end());
  return result;
}

std::vector<double> evaluate_discrete_starts(const FlatSystem& system,
                                             std::span<const double> parameter_values) {
  std::vector<double> starts;
  const symbolic::Values values = values_by_symbol(system, parameter_values);
  for (const DiscreteVariable& variable : system.discrete_variables)
    starts.push_back(
        variable.start.valid() ? symbolic::evaluate(*system.pool, variable.start, values) : 0.0);
  return starts;
}

}  // namespace alembert::flat
