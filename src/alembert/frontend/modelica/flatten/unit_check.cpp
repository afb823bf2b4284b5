// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/unit_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "alembert/frontend/modelica/syntax/source.hpp"

namespace alembert::modelica {

namespace {

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_plain_number(const Expression& expression) {
  return expression.kind == ExpressionKind::real || expression.kind == ExpressionKind::integer;
}

/// 2, 1/2, 4: such factors come from formulas, others may well be quantities.
bool is_factor_of_a_formula(const Expression& number) {
  return number.real == std::floor(number.real) ? number.real <= 4 : number.real == 0.5;
}

bool is_whole(const Expression& expression) {
  return is_plain_number(expression) && expression.real == std::floor(expression.real) &&
         std::abs(expression.real) <= 9;
}

/// By a symbol of the SI that has its dimension, where there is one; else in base units.
std::string unit_text(const Unit& unit) {
  static constexpr std::string_view symbols[] = {"N", "Pa",  "N.m", "W",  "C", "V",
                                                 "F", "Ohm", "S",   "Wb", "T", "H"};
  for (const std::string_view symbol : symbols)
    if (parse_unit(symbol)->has_same_dimension(unit)) return std::string(symbol);
  return base_unit_text(unit);
}

std::string short_text(const Expression& expression) {
  constexpr std::size_t longest = 40;
  const std::string text(expression.place.text());
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

}  // namespace

void UnitCheck::look_at(const ScopedEquations& section) {
  if (!seen_.insert(section.item).second) return;
  try {
    for (const Equation* equation : section.item->equations) look_at(*equation, *section.scope);
  } catch (const Error&) {
    // What is wrong with a name is told by those who evaluate it; nobody asks about dead branches.
  }
}

void UnitCheck::look_at(const Equation& equation, Scope& scope) {
  has_told_ = false;
  if (equation.kind == EquationKind::equality)
    common(*equation.left, *equation.right, scope, nullptr, "equal");
  // Iterators hide names; what is inside of a loop is left alone.
  if (equation.kind == EquationKind::for_equation) return;
  for (const EquationBranch& branch : equation.branches)
    for (const Equation* inner : branch.body) look_at(*inner, scope);
}

std::optional<Unit> UnitCheck::common(const Expression& left, const Expression& right, Scope& scope,
                                      const Expression* whole, const char* what) {
  const std::optional<Unit> a = unit_of(left, scope);
  const std::optional<Unit> b = unit_of(right, scope);
  if (!a || !b) return a ? a : b;
  if (a->has_same_dimension(*b)) return a;
  if (has_told_) return std::nullopt;  // it may well follow from what was told
  has_told_ = true;
  tree_.warn(diagnostic_at(whole != nullptr ? whole->place : left.place, "M340",
                           "units do not fit: '" + short_text(left) + "' is in '" +
                               text_of(left, *a, scope) + "' and '" + short_text(right) + "' in '" +
                               text_of(right, *b, scope) + "', so that they cannot be " + what +
                               "."));
  return std::nullopt;
}

/// As it was declared, where the expression is a variable.
std::string UnitCheck::text_of(const Expression& expression, const Unit& unit, Scope& scope) {
  if (expression.kind == ExpressionKind::unary)
    return text_of(*expression.operands[0], unit, scope);
  if (expression.kind == ExpressionKind::reference)
    if (const std::optional<std::string_view> text = declared_unit(*expression.reference, scope))
      return std::string(*text);
  return unit_text(unit);
}

std::optional<Unit> UnitCheck::unit_of(const Expression& expression, Scope& scope) {
  switch (expression.kind) {
    case ExpressionKind::reference: return unit_of_reference(*expression.reference, scope);
    case ExpressionKind::unary: return unit_of(*expression.operands[0], scope);
    case ExpressionKind::binary: return unit_of_operation(expression, scope);
    case ExpressionKind::call: return unit_of_call(expression, scope);
    case ExpressionKind::if_expression: {
      const std::size_t n = expression.operands.size();
      std::optional<Unit> unit = unit_of(*expression.operands[n - 1], scope);
      for (std::size_t i = 1; !unit && i < n; i += 2)
        unit = unit_of(*expression.operands[i], scope);
      return unit;
    }
    default: return std::nullopt;
  }
}

std::optional<Unit> UnitCheck::unit_of_reference(const ComponentReference& reference,
                                                 Scope& scope) {
  const std::optional<std::string_view> text = declared_unit(reference, scope);
  return text ? parse_unit(*text) : std::nullopt;
}

std::optional<std::string_view> UnitCheck::declared_unit(const ComponentReference& reference,
                                                         Scope& scope) {
  const Denotation found = tree_.try_lookup(scope, reference);
  if (found.kind == DenotationKind::builtin && reference.parts.front().name == "time") return "s";
  if (found.kind != DenotationKind::component) return std::nullopt;
  Instance* at = found.instance;
  for (std::size_t k = found.parts_used; k < reference.parts.size() && at != nullptr; ++k) {
    if (at->is_array()) return std::nullopt;
    at = at->component_member(reference.parts[k].name);
  }
  if (at == nullptr || at->type() != TypeKind::real) return std::nullopt;
  const Binding* unit = at->attribute("unit");
  if (unit == nullptr || unit->expression->kind != ExpressionKind::string || !unit->steps.empty())
    return std::nullopt;
  return unit->expression->text;
}

std::optional<Unit> UnitCheck::unit_of_operation(const Expression& expression, Scope& scope) {
  const Expression& left = *expression.operands[0];
  const Expression& right = *expression.operands[1];
  switch (expression.op) {
    case Operator::plus:
    case Operator::element_plus: return common(left, right, scope, &expression, "added");
    case Operator::minus:
    case Operator::element_minus: return common(left, right, scope, &expression, "subtracted");
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
      common(left, right, scope, &expression, "compared");
      return std::nullopt;
    case Operator::times:
    case Operator::element_times:
    case Operator::divide:
    case Operator::element_divide: {
      const auto factor = [&](const Expression& operand) -> std::optional<Unit> {
        if (is_plain_number(operand) && is_factor_of_a_formula(operand)) return Unit{};
        return unit_of(operand, scope);
      };
      const std::optional<Unit> a = factor(left);
      const std::optional<Unit> b = factor(right);
      if (!a || !b) return std::nullopt;
      const bool is_product =
          expression.op == Operator::times || expression.op == Operator::element_times;
      return is_product ? *a * *b : *a / *b;
    }
    case Operator::power:
    case Operator::element_power: return unit_of_power(expression, scope);
    default: return std::nullopt;
  }
}

std::optional<Unit> UnitCheck::unit_of_power(const Expression& expression, Scope& scope) {
  const std::optional<Unit> base = unit_of(*expression.operands[0], scope);
  const Expression& exponent = *expression.operands[1];
  if (!base) return std::nullopt;
  if (is_whole(exponent)) return power(*base, static_cast<int>(exponent.real));
  return std::nullopt;
}

std::optional<Unit> UnitCheck::unit_of_call(const Expression& expression, Scope& scope) {
  static constexpr std::array<std::string_view, 10> same_as_argument = {
      "abs", "noEvent", "pre", "delay", "previous", "hold", "sum", "floor", "inStream", "homotopy"};
  static constexpr std::array<std::string_view, 2> same_as_all = {"min", "max"};
  static constexpr std::array<std::string_view, 14> numbers = {
      "sin",  "cos",  "tan",  "asin", "acos", "atan",  "atan2",
      "sinh", "cosh", "tanh", "exp",  "log",  "log10", "sign"};
  if (expression.reference == nullptr || expression.operands.empty()) return std::nullopt;
  if (expression.reference->parts.size() != 1) return std::nullopt;
  const std::string_view name = expression.reference->parts.front().name.text();
  if (tree_.try_lookup(scope, *expression.reference).kind != DenotationKind::builtin)
    return std::nullopt;
  const Expression& first = *expression.operands[0];
  if (name == "der") {
    const std::optional<Unit> unit = unit_of(first, scope);
    return unit ? std::optional(*unit / *parse_unit("s")) : std::nullopt;
  }
  if (name == "sqrt") {
    const std::optional<Unit> unit = unit_of(first, scope);
    return unit ? power(*unit, 1, 2) : std::nullopt;
  }
  if (is_one_of(name, same_as_argument)) return unit_of(first, scope);
  if (name == "smooth" && expression.operands.size() == 2)
    return unit_of(*expression.operands[1], scope);
  if (is_one_of(name, same_as_all) && expression.operands.size() == 2)
    return common(first, *expression.operands[1], scope, &expression, "compared");
  if (!is_one_of(name, numbers)) return std::nullopt;
  unit_of(first, scope);
  return Unit{};
}

}  // namespace alembert::modelica
