// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/text_variables.hpp"

#include <algorithm>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/texts.hpp"
#include "alembert/frontend/modelica/flatten/loops.hpp"

namespace alembert::modelica {

namespace {

bool is_text_variable(Instance& component) {
  return component.type() == TypeKind::string && component.variability() < Variability::parameter &&
         !component.binding();
}

std::size_t position(std::span<const std::int64_t> dims, std::span<const std::int64_t> index) {
  std::size_t offset = 0;
  for (std::size_t k = 0; k < index.size(); ++k)
    offset = offset * static_cast<std::size_t>(dims[k]) + static_cast<std::size_t>(index[k]);
  return offset;
}

}  // namespace

std::optional<Value> TextVariables::text_of(Instance& variable) {
  know_definitions();
  const auto found = definitions_.find(&variable);
  if (found == definitions_.end()) return std::nullopt;
  const std::vector<Definition>& all = found->second;
  if (all.front().by_algorithm) return of_algorithm(variable, all.front());
  if (std::ranges::any_of(all, [](const Definition& one) { return one.in_when; }))
    return of_when(variable, all);
  const auto dims = variable.dimensions();
  Value value;
  value.kind = ValueKind::string;
  value.dims.assign(dims.begin(), dims.end());
  value.texts.resize(value.count());
  std::vector<char> is_told(value.count(), 0);
  for (const Definition& one : all) {
    const Value part = evaluated(one);
    if (part.kind != ValueKind::string) return std::nullopt;  // told where the equation is read
    if (!one.index.empty() && part.is_scalar() && one.index.size() == dims.size()) {
      const std::size_t at = position(dims, one.index);
      value.texts[at] = part.texts.front();
      is_told[at] = 1;
    } else if (one.index.empty() && part.dims == value.dims) {
      value.texts = part.texts;
      is_told.assign(is_told.size(), 1);
    }
  }
  if (std::ranges::find(is_told, 0) != is_told.end()) return std::nullopt;
  return value;
}

Value TextVariables::evaluated(const Definition& definition) {
  return state_.evaluator.evaluate(
      *definition.value, {.scope = definition.scope,
                          .locals = definition.around ? &definition.around->locals : nullptr});
}

Value TextVariables::of_algorithm(Instance& variable, const Definition& definition) {
  for (auto& [assigned, value] :
       state_.evaluator.texts_of_algorithm(definition.statements, {.scope = definition.scope}))
    if (assigned == &variable) return std::move(value);
  ensure(false, "an algorithm that assigns a String gives it a text");
  return {};
}

/// One number for each element: which of the texts it has that the when-equations give it.
Value TextVariables::of_when(Instance& variable, const std::vector<Definition>& definitions) {
  const auto refuse = [&](Place place) {
    fail(place, "M209",
         "when-equations can give the String '" + variable.full_name() +
             "' texts only that are known before the run. Show what changes in another way.");
  };
  std::vector<std::string> words{""};
  if (const Binding* start = variable.attribute("start")) {
    const Value first = state_.evaluator.constant_binding_value(*start);
    if (!first.texts.empty()) words.front() = first.texts.front().text;
  }
  for (const Definition& one : definitions) {
    const Value value = evaluated(one);
    for (const Text& text : value.texts) {
      const auto some = possible_texts(state_.evaluator.scalars(), text);
      if (!some) refuse(one.value->place);
      for (const PossibleText& each : *some)
        if (std::ranges::find(words, each.text) == words.end()) words.push_back(each.text);
    }
  }
  const auto dims = variable.dimensions();
  Value value;
  value.kind = ValueKind::string;
  value.dims.assign(dims.begin(), dims.end());
  for (std::size_t i = 0; i < value.count(); ++i) {
    const flat::ExprId symbol =
        state_.pool.discrete(variable.full_name() + subscript_text(i, value.dims));
    std::optional<Text> text = numbered_text(words, symbol);
    if (!text) refuse(variable.place());
    value.texts.push_back(std::move(*text));
    Origin origin = state_.origin(variable.place());
    origin.derived_from = "the texts of a String";
    state_.system.discrete_variables.push_back({.symbol = symbol,
                                                .start = state_.pool.integer(0),
                                                .type = flat::ValueType::integer,
                                                .origin = origin});
    state_.texts_of_symbol.emplace(symbol, words);
  }
  return value;
}

// ---- who gives a text
// ----------------------------------------------------------------------------

void TextVariables::know_definitions() {
  if (is_known_) return;
  is_known_ = true;
  for (std::size_t i = 0; i < state_.components.structured.size(); ++i) {
    Instance& component = *state_.components.structured[i];
    for (const ScopedEquations& section : component.equations())
      if (!section.item->initial) read(section.item->equations, {section.scope, nullptr, false});
    for (const ScopedAlgorithm& section : component.algorithms()) {
      if (section.item->initial) continue;
      std::vector<List<const Statement*>> bodies{section.item->statements};
      for (std::size_t k = 0; k < bodies.size(); ++k)
        for (const Statement* statement : bodies[k]) {
          for (const StatementBranch& branch : statement->branches) bodies.push_back(branch.body);
          if (statement->target == nullptr ||
              statement->target->kind != ExpressionKind::reference ||
              statement->target->reference->parts.size() != 1)
            continue;
          Instance* named =
              component.component_member(statement->target->reference->parts.front().name);
          if (named == nullptr || !is_text_variable(*named)) continue;
          Definition definition{.scope = section.scope, .by_algorithm = true};
          definition.statements = section.item->statements;
          definitions_[named].push_back(std::move(definition));
        }
    }
  }
}

void TextVariables::read(List<const Equation*> equations, const Site& at) {
  for (const Equation* equation : equations) {
    switch (equation->kind) {
      case EquationKind::equality:
        if (!define(*equation->left, *equation->right, at) && !at.in_when)
          define(*equation->right, *equation->left, at);
        break;
      case EquationKind::for_equation: read_for(*equation, 0, at); break;
      case EquationKind::if_equation: read_if(*equation, at); break;
      case EquationKind::when_equation:
        for (const EquationBranch& branch : equation->branches)
          read(branch.body, {at.scope, at.around, true});
        break;
      default: break;
    }
  }
}

void TextVariables::read_for(const Equation& equation, std::size_t iterator, const Site& at) {
  if (iterator == equation.iterators.size()) {
    read(equation.branches[0].body, at);
    return;
  }
  const Iterator& loop = equation.iterators[iterator];
  std::vector<Value> values;
  try {
    values = loop_values(state_, equation, loop,
                         {.scope = at.scope, .locals = at.around ? &at.around->locals : nullptr});
  } catch (const Error&) {
    return;  // told where the equation is read
  }
  for (Value& value : values) {
    auto around = std::make_shared<Around>();
    around->outer = at.around;
    around->locals = {.variables = {{.name = loop.name, .value = std::move(value)}},
                      .outer = at.around ? &at.around->locals : nullptr};
    read_for(equation, iterator + 1, {at.scope, around, at.in_when});
  }
}

/// Where the condition is not known the text is one that nobody can tell; a when may have all.
void TextVariables::read_if(const Equation& equation, const Site& at) {
  for (const EquationBranch& branch : equation.branches) {
    if (branch.condition != nullptr && !at.in_when) {
      try {
        const std::optional<Value> known = state_.evaluator.try_constant(
            *branch.condition,
            {.scope = at.scope, .locals = at.around ? &at.around->locals : nullptr});
        if (!known || known->scalars.size() != 1) return;
        if (!*state_.evaluator.scalars().truth(known->scalar())) continue;
      } catch (const Error&) {
        return;
      }
    }
    read(branch.body, at);
    if (!at.in_when) return;
  }
}

bool TextVariables::define(const Expression& target, const Expression& value, const Site& at) {
  if (target.kind != ExpressionKind::reference) return false;
  try {
    Evaluator::Located found = state_.evaluator.locate(
        target, {.scope = at.scope, .locals = at.around ? &at.around->locals : nullptr});
    if (found.instance == nullptr || !is_text_variable(*found.instance)) return false;
    definitions_[found.instance].push_back({.index = std::move(found.index),
                                            .value = &value,
                                            .scope = at.scope,
                                            .around = at.around,
                                            .in_when = at.in_when});
    return true;
  } catch (const Error&) {
    return false;  // told where the equation is read
  }
}

}  // namespace alembert::modelica
