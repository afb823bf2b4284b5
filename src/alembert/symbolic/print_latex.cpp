// SPDX-License-Identifier: Apache-2.0
// LaTeX for display mathematics; needs amsmath (cases, \dddot, \operatorname).
#include <cmath>
#include <limits>
#include <string>

#include "alembert/symbolic/names.hpp"
#include "alembert/symbolic/print_layout.hpp"

namespace alembert::symbolic {

namespace {

using print::Factor;
using print::Item;
using print::Level;
using print::Quotient;

/// The command for a function of Op, or null: it is written \operatorname{name}.
const char* command(Op op) {
  switch (op) {
    case Op::sin: return "\\sin";
    case Op::cos: return "\\cos";
    case Op::tan: return "\\tan";
    case Op::asin: return "\\arcsin";
    case Op::acos: return "\\arccos";
    case Op::atan: return "\\arctan";
    case Op::sinh: return "\\sinh";
    case Op::cosh: return "\\cosh";
    case Op::tanh: return "\\tanh";
    case Op::asinh: return "\\operatorname{arsinh}";
    case Op::acosh: return "\\operatorname{arcosh}";
    case Op::atanh: return "\\operatorname{artanh}";
    case Op::exp: return "\\exp";
    case Op::log: return "\\ln";
    case Op::log10: return "\\log_{10}";
    case Op::min: return "\\min";
    case Op::max: return "\\max";
    case Op::sign: return "\\operatorname{sgn}";
    case Op::integer_part: return "\\operatorname{integer}";
    default: return nullptr;
  }
}

/// Functions whose powers are written \sin^{2}\left(x\right).
bool takes_exponent(Op op) { return op >= Op::sin && op <= Op::tanh && command(op) != nullptr; }

/// 3^{x}, but not \sqrt{3}.
bool is_power_of_number(const ExprPool& pool, ExprId id) {
  if (pool.op(id) != Op::pow || !pool.is_number(pool.children(id)[0])) return false;
  const ExprId exponent = pool.children(id)[1];
  if (!pool.is_number(exponent) || !pool.number_of(exponent).is_exact()) return true;
  const std::int64_t numerator = pool.number_of(exponent).numerator();
  return numerator != 1 && numerator != -1;
}

class LatexPrinter final : private print::Printer {
 public:
  explicit LatexPrinter(const ExprPool* pool) : Printer(pool, "\\left(", "\\right)") {}

  std::string print(ExprId id) { return print_node(id, std::numeric_limits<std::size_t>::max()); }
  std::string print(const Number& number);

 private:
  void node(const Item& item) override;
  void product(const Item& item);
  void factors(const std::vector<Factor>& factors, bool after_number, bool in_braces);
  void power(const Item& item);
  void choice(const Item& item);
  void otherwise(const Item& item) override;
  void around(const char* open, const Item& item, const char* close);
  void function(const Item& item);

  void write_number(const Number& number, Level level) override;
  void write_whole(std::int64_t value) override { out_ += std::to_string(value); }
  void write_real(double value) override;
};

std::string LatexPrinter::print(const Number& number) {
  write_number(number, Level::choice);
  return std::move(out_);
}

void LatexPrinter::node(const Item& item) {
  switch (pool().op(item.id)) {
    case Op::number: {
      const Number& number = pool().number_of(item.id);
      return write_number(item.negate ? -number : number, item.level);
    }
    case Op::symbol: {
      const Symbol& symbol = pool().symbol_of(item.id);
      const bool raised = symbol.order > 4 && item.level == Level::primary;  // x^{(5)}
      if (symbol.kind == SymbolKind::time) {
        out_ += 't';
        return;
      }
      if (raised) out_ += "\\left(";
      out_ += latex_name(symbol.name, symbol.order);
      if (raised) out_ += "\\right)";
      return;
    }
    case Op::truth: out_ += pool().truth_of(item.id) ? "\\mathrm{true}" : "\\mathrm{false}"; return;
    case Op::add: return sum(item);
    case Op::mul: return product(item);
    case Op::pow:
      return print::goes_under(pool(), item.id) && !item.invert ? product(item) : power(item);
    case Op::less: return infix(item, Level::relation, Level::sum, " < ");
    case Op::less_equal: return infix(item, Level::relation, Level::sum, " \\le ");
    case Op::equal: return infix(item, Level::relation, Level::sum, " = ");
    case Op::not_equal: return infix(item, Level::relation, Level::sum, " \\ne ");
    case Op::logical_or: return infix(item, Level::logical_or, Level::logical_and, " \\lor ");
    case Op::logical_and: return infix(item, Level::logical_and, Level::logical_not, " \\land ");
    case Op::logical_not:
      opening(item, Level::logical_not);
      items_.text("\\lnot ");
      items_.node(pool().children(item.id)[0], Level::primary);
      return closing(item, Level::logical_not);
    case Op::if_then_else: return choice(item);
    default: return function(item);
  }
}

void LatexPrinter::factors(const std::vector<Factor>& factors, bool after_number, bool in_braces) {
  const bool alone = in_braces && factors.size() == 1 && !after_number;
  const Level level = alone ? Level::choice : Level::power;
  bool first = true;
  for (const Factor& factor : factors) {
    // Digits must not run into digits: 2 \cdot 3^{x}.
    const bool starts_with_digit = is_power_of_number(pool(), factor.id);
    if (!first || after_number) items_.text(starts_with_digit ? " \\cdot " : first ? " " : " \\, ");
    items_.node(factor.id, level, false, factor.invert);
    first = false;
  }
}

void LatexPrinter::product(const Item& item) {
  const Quotient quotient = quotient_of(item);
  const bool fraction = quotient.has_fraction();
  const Level own = quotient.negative ? Level::sum : fraction ? Level::power : Level::product;
  opening(item, own);
  if (quotient.negative) items_.text("-");
  if (fraction) items_.text("\\frac{");
  const bool number = number_above(quotient);
  factors(quotient.over, number, fraction);
  if (fraction) {
    items_.text("}{");
    const bool denominator = number_below(quotient);
    factors(quotient.under, denominator, true);
    items_.text("}");
  }
  closing(item, own);
}

void LatexPrinter::power(const Item& item) {
  const ExprId base = pool().children(item.id)[0];
  const ExprId exponent = pool().children(item.id)[1];
  if (pool().is_number(exponent)) {
    const Number n = exponent_of(item);
    if (n.is_one()) return items_.node(base, item.level);
    if (n.is_exact() && n.numerator() == 1) {
      items_.text("\\sqrt");
      if (n.denominator() != 2) {
        items_.text("[");
        items_.whole(n.denominator());
        items_.text("]");
      }
      items_.text("{");
      items_.node(base, Level::choice);
      return items_.text("}");
    }
    if (n.is_integer() && !n.is_negative() && takes_exponent(pool().op(base))) {
      items_.text(command(pool().op(base)));
      items_.text("^{");
      items_.whole(n.numerator());
      items_.text("}\\left(");
      items_.node(pool().children(base)[0], Level::choice);
      return items_.text("\\right)");
    }
  }
  opening(item, Level::power);
  items_.node(base, Level::primary);
  items_.text("^{");
  if (pool().is_number(exponent))
    items_.exponent(item.id, Level::choice, item.invert);
  else
    items_.node(exponent, Level::choice);
  items_.text("}");
  closing(item, Level::power);
}

void LatexPrinter::choice(const Item& item) {
  const auto parts = pool().children(item.id);
  opening(item, Level::choice);
  items_.text("\\begin{cases} ");
  items_.node(parts[1], Level::choice);
  items_.text(" & \\text{if } ");
  items_.node(parts[0], Level::choice);
  items_.otherwise(parts[2]);
  items_.text(" \\end{cases}");
  closing(item, Level::choice);
}

void LatexPrinter::otherwise(const Item& item) {
  const ExprId id = item.id;
  items_.text(" \\\\ ");
  if (pool().op(id) == Op::if_then_else) {
    const auto parts = pool().children(id);
    items_.node(parts[1], Level::choice);
    items_.text(" & \\text{if } ");
    items_.node(parts[0], Level::choice);
    items_.otherwise(parts[2]);
  } else {
    items_.node(id, Level::choice);
    items_.text(" & \\text{otherwise}");
  }
}

void LatexPrinter::around(const char* open, const Item& item, const char* close) {
  items_.text(open);
  items_.node(pool().children(item.id)[0], Level::choice);
  items_.text(close);
}

void LatexPrinter::function(const Item& item) {
  const Op op = pool().op(item.id);
  if (op == Op::abs) return around("\\left|", item, "\\right|");
  if (op == Op::floor) return around("\\left\\lfloor ", item, "\\right\\rfloor");
  if (op == Op::ceil) return around("\\left\\lceil ", item, "\\right\\rceil");
  if (const char* known = command(op)) {
    out_ += known;
  } else {
    // Names of functions read like those of symbols: f_{1}, or upright words.
    out_ += op == Op::call ? latex_name(pool().function(pool().function_of(item.id)).name)
                           : "\\operatorname{" + std::string(name(op)) + "}";
  }
  items_.text("\\left(");
  const auto children = pool().children(item.id);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i > 0) items_.text(", ");
    items_.node(children[i], Level::choice);
  }
  items_.text("\\right)");
}

void LatexPrinter::write_number(const Number& number, Level level) {
  const bool fraction = number.is_exact() && number.denominator() != 1;
  const Number size = number.is_negative() ? -number : number;
  const bool scientific = !size.is_exact() && size.is_finite() &&
                          print::real_text(size.value()).find('e') != std::string::npos;
  const Level own = number.is_negative() ? Level::sum
                    : scientific         ? Level::product
                    : fraction           ? Level::power
                                         : Level::primary;
  if (own < level) out_ += "\\left(";
  if (number.is_negative()) out_ += '-';
  if (fraction)
    out_ += "\\frac{" + std::to_string(size.numerator()) + "}{" +
            std::to_string(size.denominator()) + "}";
  else if (size.is_exact())
    out_ += std::to_string(size.numerator());
  else
    write_real(size.value());
  if (own < level) out_ += "\\right)";
}

void LatexPrinter::write_real(double value) {
  if (!std::isfinite(value)) {
    out_ += std::isnan(value) ? "\\mathrm{NaN}" : "\\infty";
    return;
  }
  const std::string text = print::real_text(value);
  const std::size_t e = text.find('e');
  out_ += text.substr(0, e);
  if (e != std::string::npos) out_ += " \\cdot 10^{" + text.substr(e + 1) + "}";
}

}  // namespace

std::string to_latex(const ExprPool& pool, ExprId id) { return LatexPrinter(&pool).print(id); }
std::string to_latex(const Number& number) { return LatexPrinter(nullptr).print(number); }

}  // namespace alembert::symbolic
