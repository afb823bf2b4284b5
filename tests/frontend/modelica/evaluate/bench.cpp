// SPDX-License-Identifier: Apache-2.0
#include "frontend/modelica/evaluate/bench.hpp"

namespace alembert::modelica {

symbolic::SymbolKind TestHooks::kind_of(const Instance& variable) {
  return const_cast<Instance&>(variable).type() == TypeKind::real &&
                 const_cast<Instance&>(variable).variability() != Variability::discrete
             ? symbolic::SymbolKind::unknown
             : symbolic::SymbolKind::discrete;
}

void TestHooks::assertion(ExprId condition, const Text& message, bool, Place) {
  log.push_back("assert " + symbolic::to_text(pool_, condition) + ": " + message.text);
}

void TestHooks::reinit(ExprId condition, ExprId unknown, ExprId value, Place) {
  log.push_back("reinit " + symbolic::to_text(pool_, unknown) + " to " +
                symbolic::to_text(pool_, value) + " if " + symbolic::to_text(pool_, condition));
}

Bench::Bench(std::string text) : tree(library), hooks(pool), evaluator(pool, hooks) {
  library.load_text("test.mo", std::move(text));
  tree.set_evaluator(evaluator);
  model = &tree.instantiate("M");
}

Value Bench::value(const std::string& expression) {
  parsed_.push_back(parse_expression(expression));
  return evaluator.evaluate(*parsed_.back().expression, {&model->scope(), nullptr});
}

std::string Bench::shown(const std::string& expression) { return shown(value(expression)); }

std::string Bench::constant(const std::string& expression) {
  parsed_.push_back(parse_expression(expression));
  return shown(evaluator.constant(*parsed_.back().expression, {&model->scope(), nullptr}));
}

std::string Bench::mistake(const std::string& expression) {
  try {
    value(expression);
  } catch (const Error& error) {
    return error.code() + " " + error.diagnostics().front().text;
  }
  return "";
}

std::string Bench::shown(const Value& value) {
  if (!value.dims.empty()) {
    std::string text = "{";
    for (std::int64_t i = 0; i < value.dims.front(); ++i) {
      const std::int64_t index[] = {i};
      text += (i > 0 ? ", " : "") + shown(element(value, index));
    }
    return text + "}";
  }
  if (value.kind == ValueKind::string) return '"' + value.texts.front().text + '"';
  if (value.kind == ValueKind::record || value.kind == ValueKind::tuple) {
    std::string text = "(";
    for (std::size_t f = 0; f < value.fields.size(); ++f)
      text += (f > 0 ? ", " : "") +
              (value.record ? value.record->fields[f].string() + "=" : std::string()) +
              shown(value.fields[f]);
    return text + ")";
  }
  return shown(value.scalar());
}

std::vector<std::string> Bench::algorithm() {
  std::vector<std::string> result;
  for (const ScopedAlgorithm& section : model->algorithms())
    for (const Assignment& assignment :
         evaluator.run_algorithm(section.item->statements, {section.scope, nullptr}))
      result.push_back(shown(assignment.symbol) + " := " + shown(assignment.value));
  return result;
}

}  // namespace alembert::modelica
