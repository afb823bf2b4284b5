// SPDX-License-Identifier: Apache-2.0
#include "alembert/base/number_text.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"
#include "alembert/frontend/modelica/syntax/printer.hpp"

namespace alembert::modelica {

namespace {

/// How tightly an expression binds: the rule of the grammar that produces it.
enum Level {
  if_level,
  range_level,
  or_level,
  and_level,
  not_level,
  relation_level,
  sum_level,
  product_level,
  power_level,
  primary_level
};

int level_of(const Expression& value) {
  if (value.kind == ExpressionKind::if_expression) return if_level;
  if (value.kind == ExpressionKind::range) return range_level;
  if (value.kind != ExpressionKind::binary && value.kind != ExpressionKind::unary)
    return primary_level;
  switch (value.op) {
    case Operator::logical_or: return or_level;
    case Operator::logical_and: return and_level;
    case Operator::logical_not: return not_level;
    case Operator::less:
    case Operator::less_equal:
    case Operator::greater:
    case Operator::greater_equal:
    case Operator::equal:
    case Operator::not_equal: return relation_level;
    case Operator::plus:
    case Operator::minus:
    case Operator::element_plus:
    case Operator::element_minus: return sum_level;
    case Operator::times:
    case Operator::divide:
    case Operator::element_times:
    case Operator::element_divide: return product_level;
    case Operator::power:
    case Operator::element_power: return power_level;
    case Operator::none: break;
  }
  return primary_level;
}

/// Chains to the left: `a - b - c`. Comparisons and powers do not chain.
bool chains(int level) {
  return level == or_level || level == and_level || level == sum_level || level == product_level;
}

std::string real_text(double value) {
  std::string text = number_text(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";  // stays a Real
  return text;
}

}  // namespace

std::string_view to_text(Operator op) {
  switch (op) {
    case Operator::none: return "";
    case Operator::plus: return "+";
    case Operator::minus: return "-";
    case Operator::times: return "*";
    case Operator::divide: return "/";
    case Operator::power: return "^";
    case Operator::element_plus: return ".+";
    case Operator::element_minus: return ".-";
    case Operator::element_times: return ".*";
    case Operator::element_divide: return "./";
    case Operator::element_power: return ".^";
    case Operator::less: return "<";
    case Operator::less_equal: return "<=";
    case Operator::greater: return ">";
    case Operator::greater_equal: return ">=";
    case Operator::equal: return "==";
    case Operator::not_equal: return "<>";
    case Operator::logical_and: return "and";
    case Operator::logical_or: return "or";
    case Operator::logical_not: return "not";
  }
  return "";
}

std::string quoted_string(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) switch (c) {
      case '"': text += "\\\""; break;
      case '\\': text += "\\\\"; break;
      case '\n': text += "\\n"; break;
      case '\r': text += "\\r"; break;
      case '\t': text += "\\t"; break;
      case '\a': text += "\\a"; break;
      case '\b': text += "\\b"; break;
      case '\f': text += "\\f"; break;
      case '\v': text += "\\v"; break;
      default: text += c;
    }
  return text + "\"";
}

void Printer::path(const Path& path) {
  bool first = !path.absolute;
  for (const Name part : path.parts) {
    if (!first) out_ += '.';
    out_ += part.text();
    first = false;
  }
}

void Printer::reference(const ComponentReference& reference) {
  bool first = !reference.absolute;
  for (const ReferencePart& part : reference.parts) {
    if (!first) out_ += '.';
    out_ += part.name.text();
    subscripts(part.subscripts);
    first = false;
  }
}

void Printer::subscripts(List<const Expression*> items) {
  if (items.empty()) return;
  out_ += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out_ += ", ";
    expression(*items[i]);
  }
  out_ += ']';
}

void Printer::iterators(List<Iterator> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out_ += ", ";
    out_ += items[i].name.text();
    if (items[i].range == nullptr) continue;
    out_ += " in ";
    expression(*items[i].range);
  }
}

/// With commas between them, and nothing where nothing stands.
void Printer::operands(const Expression& value) {
  for (std::size_t i = 0; i < value.operands.size(); ++i) {
    if (i > 0) out_ += ", ";
    if (value.operands[i] != nullptr) expression(*value.operands[i]);
  }
}

void Printer::arguments(const Expression& value) {
  out_ += '(';
  operands(value);
  for (std::size_t i = 0; i < value.named.size(); ++i) {
    if (i > 0 || !value.operands.empty()) out_ += ", ";
    out_ += value.named[i].name.text();
    out_ += " = ";
    expression(*value.named[i].value);
  }
  if (!value.iterators.empty()) {
    out_ += " for ";
    iterators(value.iterators);
  }
  out_ += ')';
}

void Printer::if_expression(const Expression& value) {
  const std::size_t n = value.operands.size();
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    out_ += i == 0 ? "if " : " elseif ";
    expression(*value.operands[i]);
    out_ += " then ";
    expression(*value.operands[i + 1]);
  }
  out_ += " else ";
  expression(*value.operands[n - 1], range_level);  // 'else if' would go on with the chain
}

void Printer::expression(const Expression& value, int at_least) {
  const int level = level_of(value);
  const bool parentheses = level < at_least;
  if (parentheses) out_ += '(';
  switch (value.kind) {
    case ExpressionKind::real: out_ += real_text(value.real); break;
    case ExpressionKind::integer: out_ += std::to_string(value.integer); break;
    case ExpressionKind::string: out_ += quoted_string(value.text); break;
    case ExpressionKind::boolean: out_ += value.boolean ? "true" : "false"; break;
    case ExpressionKind::reference: reference(*value.reference); break;
    case ExpressionKind::unary:
      out_ += to_text(value.op);
      if (value.op == Operator::logical_not) out_ += ' ';
      expression(*value.operands[0], level + 1);
      break;
    case ExpressionKind::binary: {
      expression(*value.operands[0], chains(level) ? level : level + 1);
      const bool tight = value.op == Operator::power;  // '2.^x' would read as '2. ^ x'
      if (!tight) out_ += ' ';
      out_ += to_text(value.op);
      if (!tight) out_ += ' ';
      expression(*value.operands[1], level + 1);
      break;
    }
    case ExpressionKind::if_expression: if_expression(value); break;
    case ExpressionKind::partial_application: out_ += "function "; [[fallthrough]];
    case ExpressionKind::call:
    case ExpressionKind::reduction:
      reference(*value.reference);
      arguments(value);
      break;
    case ExpressionKind::array:
    case ExpressionKind::array_comprehension:
      out_ += '{';
      operands(value);
      if (!value.iterators.empty()) {
        out_ += " for ";
        iterators(value.iterators);
      }
      out_ += '}';
      break;
    case ExpressionKind::matrix:
      out_ += '[';
      for (std::size_t i = 0; i < value.operands.size(); ++i) {
        if (i > 0) out_ += "; ";
        operands(*value.operands[i]);
      }
      out_ += ']';
      break;
    case ExpressionKind::matrix_row: operands(value); break;
    case ExpressionKind::range:
      for (std::size_t i = 0; i < value.operands.size(); ++i) {
        if (i > 0) out_ += ':';
        expression(*value.operands[i], or_level);
      }
      break;
    case ExpressionKind::tuple:
      out_ += '(';
      operands(value);
      out_ += ')';
      break;
    case ExpressionKind::end: out_ += "end"; break;
    case ExpressionKind::colon: out_ += ':'; break;
    case ExpressionKind::subscripted:
      out_ += '(';
      expression(*value.operands[0]);
      out_ += ')';
      subscripts(value.operands.subspan(1));
      break;
    case ExpressionKind::member:
      out_ += '(';
      expression(*value.operands[0]);
      out_ += ").";
      reference(*value.reference);
      break;
  }
  if (parentheses) out_ += ')';
}

std::string to_text(const Path& path) {
  Printer printer;
  printer.path(path);
  return printer.take();
}

std::string to_text(const ComponentReference& reference) {
  Printer printer;
  printer.reference(reference);
  return printer.take();
}

std::string to_text(const Expression& expression) {
  Printer printer;
  printer.expression(expression);
  return printer.take();
}

}  // namespace alembert::modelica
