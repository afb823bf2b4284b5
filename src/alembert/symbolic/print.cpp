// SPDX-License-Identifier: Apache-2.0
// The notations written on one line: plain text, Modelica and C. LaTeX is in print_latex.cpp.
#include "alembert/symbolic/print.hpp"

#include <cmath>
#include <deque>
#include <limits>

#include "alembert/base/message_text.hpp"
#include "alembert/symbolic/names.hpp"
#include "alembert/symbolic/print_layout.hpp"
#include "alembert/symbolic/print_truth.hpp"
#include "alembert/symbolic/text_call.hpp"

namespace alembert::symbolic {

namespace {

using print::Factor;
using print::Item;
using print::Level;
using print::Quotient;

class LinePrinter final : private print::Printer {
 public:
  LinePrinter(const ExprPool& pool, Notation notation, bool for_people = false,
              const IsTruth* is_truth = nullptr)
      : Printer(&pool, "(", ")"),
        notation_(notation),
        for_people_(for_people),
        is_truth_(is_truth) {}

  std::string print(ExprId id, std::size_t max_length, bool truth = false) {
    return print_node(id, max_length, truth);
  }
  std::string print(const Number& number);

 private:
  bool is_c() const { return notation_ == Notation::c; }

  void node(const Item& item) override;
  void product(const Item& item);
  void denominator(const Quotient& quotient);
  void power(const Item& item);
  void choice(const Item& item);
  void otherwise(const Item& item) override;
  void branch(ExprId id, bool truth);
  bool stands_for_truth(ExprId id) const;
  bool is_choice_of_truth(ExprId id) const;
  bool truth_test(const Item& item);
  bool truth_value(const Item& item);
  void arguments(const Item& item);
  void function(const Item& item);
  void text(const Item& item, const std::string& text);
  const char* kept(std::string piece) { return pieces_.emplace_back(std::move(piece)).c_str(); }

  void write_number(const Number& number, Level level) override;
  void write_whole(std::int64_t value) override;
  void write_real(double value) override;
  void write_symbol(const Symbol& symbol);
  std::string quoted_apart(std::string_view name, bool taken) const;
  void write_function_name(const UserFunction& function);

  Notation notation_;
  bool for_people_;          // the text is never read back
  const IsTruth* is_truth_;  // none: truth values are shown as numbers
  std::deque<std::string> pieces_;  // of texts, which items refer to
};

std::string LinePrinter::print(const Number& number) {
  write_number(number, Level::choice);
  return std::move(out_);
}

void LinePrinter::node(const Item& item) {
  if (is_truth_ != nullptr && (item.truth ? truth_value(item) : truth_test(item))) return;
  switch (pool().op(item.id)) {
    case Op::number: {
      const Number& number = pool().number_of(item.id);
      return write_number(item.negate ? -number : number, item.level);
    }
    case Op::symbol: return write_symbol(pool().symbol_of(item.id));
    case Op::truth: {
      const bool value = pool().truth_of(item.id);
      out_ += is_c() ? (value ? "1" : "0") : (value ? "true" : "false");
      return;
    }
    case Op::add: return sum(item);
    case Op::mul: return product(item);
    case Op::pow:
      return print::goes_under(pool(), item.id) && !item.invert ? product(item) : power(item);
    case Op::less: return infix(item, Level::relation, Level::sum, " < ");
    case Op::less_equal: return infix(item, Level::relation, Level::sum, " <= ");
    case Op::equal: return infix(item, Level::relation, Level::sum, " == ");
    case Op::not_equal: return infix(item, Level::relation, Level::sum, is_c() ? " != " : " <> ");
    // Compilers warn of && within || without parentheses, and people stumble over it.
    case Op::logical_or:
      return infix(item, Level::logical_or, is_c() ? Level::logical_not : Level::logical_and,
                   is_c() ? " || " : " or ");
    case Op::logical_and:
      return infix(item, Level::logical_and, Level::logical_not, is_c() ? " && " : " and ");
    case Op::logical_not: {
      opening(item, Level::logical_not);
      items_.text(is_c() ? "!" : "not ");
      items_.node(pool().children(item.id)[0], is_c() ? Level::primary : Level::relation);
      return closing(item, Level::logical_not);
    }
    case Op::if_then_else: return choice(item);
    default: return function(item);
  }
}

// ---- products and powers ------------------------------------------------------------------------

void LinePrinter::product(const Item& item) {
  const Quotient quotient = quotient_of(item);
  const Level own = quotient.negative ? Level::sum : Level::product;
  opening(item, own);
  if (quotient.negative) items_.text("-");
  bool first = !number_above(quotient);
  for (const Factor& factor : quotient.over) {
    if (!first) items_.text("*");
    // In C a small power is a product, which joins this one without parentheses.
    const bool joins = is_c() && pool().op(factor.id) == Op::pow;
    items_.node(factor.id, joins ? Level::product : Level::power);
    first = false;
  }
  if (quotient.has_fraction()) denominator(quotient);
  closing(item, own);
}

void LinePrinter::denominator(const Quotient& quotient) {
  const bool has_number = quotient.number_has_denominator();
  const std::size_t count = quotient.under.size() + (has_number ? 1 : 0);
  // Parentheses are read as an expression of their own, so they must not hold what would change by
  // itself: a product too long to be opened up again, or a number that a sum or a long product
  // would take in.
  const auto takes_number_in = [&](const Factor& factor) {
    const auto children = pool().children(factor.id);
    const Op base = pool().op(children[0]);
    return (base == Op::add || base == Op::mul) && pool().number_of(children[1]).is_minus_one();
  };
  const bool absorbs = has_number && count == 2 && takes_number_in(quotient.under[0]);
  const bool together = count > 1 && count <= ExprPool::flat_product_limit && !absorbs;
  items_.text(together ? "/(" : "/");
  bool first = !number_below(quotient);
  for (const Factor& factor : quotient.under) {
    if (!first) items_.text(together ? "*" : "/");
    items_.node(factor.id, Level::power, false, true);
    first = false;
  }
  if (together) items_.text(")");
}

/// base^exponent, or base^(-exponent) for an inverted item, whose exponent is a number.
void LinePrinter::power(const Item& item) {
  const ExprId base = pool().children(item.id)[0];
  const ExprId exponent = pool().children(item.id)[1];
  if (pool().is_number(exponent)) {
    const Number n = exponent_of(item);
    if (n.is_one()) return items_.node(base, item.level);
    if (n == Number::rational(1, 2)) {
      items_.text("sqrt(");
      items_.node(base, Level::choice);
      return items_.text(")");
    }
    if (is_c() && pool().is_symbol(base) && (n == Number(2) || n == Number(3))) {
      opening(item, Level::product);
      for (std::int64_t i = 0; i < n.numerator(); ++i) {
        if (i > 0) items_.text("*");
        items_.node(base, Level::primary);
      }
      return closing(item, Level::product);
    }
  }
  const auto list_exponent = [&](Level level) {
    if (pool().is_number(exponent))
      items_.exponent(item.id, level, item.invert);
    else
      items_.node(exponent, level);
  };
  if (is_c()) {
    items_.text("pow(");
    items_.node(base, Level::choice);
    items_.text(", ");
    list_exponent(Level::choice);
    return items_.text(")");
  }
  opening(item, Level::power);
  items_.node(base, Level::primary);
  items_.text("^");
  list_exponent(Level::primary);
  closing(item, Level::power);
}

// ---- choices and functions ----------------------------------------------------------------------

void LinePrinter::choice(const Item& item) {
  const auto parts = pool().children(item.id);
  opening(item, Level::choice);
  if (is_c()) {
    items_.node(parts[0], Level::logical_or);
    items_.text(" ? ");
    items_.node(parts[1], Level::logical_or);
  } else {
    items_.text("if ");
    items_.node(parts[0], Level::choice);
    items_.text(" then ");
    branch(parts[1], item.truth);
  }
  items_.otherwise(parts[2], item.truth);
  closing(item, Level::choice);
}

void LinePrinter::otherwise(const Item& item) {
  const bool is_choice = pool().op(item.id) == Op::if_then_else;
  if (is_c()) {
    items_.text(" : ");
    items_.node(item.id, Level::choice);
  } else if (is_choice && !(item.truth && is_choice_of_truth(item.id))) {
    const auto parts = pool().children(item.id);
    items_.text(" elseif ");
    items_.node(parts[0], Level::choice);
    items_.text(" then ");
    branch(parts[1], item.truth);
    items_.otherwise(parts[2], item.truth);
  } else {
    items_.text(" else ");
    branch(item.id, item.truth);
  }
}

void LinePrinter::branch(ExprId id, bool truth) {
  if (truth)
    items_.truth(id, Level::choice);
  else
    items_.node(id, Level::choice);
}

// ---- truth values -------------------------------------------------------------------------------

/// `if c then 1 else 0`.
bool LinePrinter::is_choice_of_truth(ExprId id) const {
  if (pool().op(id) != Op::if_then_else) return false;
  const auto parts = pool().children(id);
  return pool().is_one(parts[1]) && pool().is_zero(parts[2]);
}

bool LinePrinter::stands_for_truth(ExprId id) const {
  if (pool().op(id) == Op::no_event) return is_choice_of_truth(pool().children(id)[0]);
  if (!pool().is_symbol(id)) return false;
  const ExprId previous_of = pool().symbol_of(id).previous_of;
  return (*is_truth_)(previous_of.valid() ? previous_of : id);
}

/// `0 <> b` as b, and `0 == b` as not b; false for everything else.
bool LinePrinter::truth_test(const Item& item) {
  const Op op = pool().op(item.id);
  if (op != Op::equal && op != Op::not_equal) return false;
  const auto sides = pool().children(item.id);
  const bool zero_first = pool().is_zero(sides[0]);
  if (!zero_first && !pool().is_zero(sides[1])) return false;
  const ExprId side = sides[zero_first ? 1 : 0];
  if (!stands_for_truth(side)) return false;
  if (op == Op::not_equal) {
    items_.truth(side, item.level);
    return true;
  }
  opening(item, Level::logical_not);
  items_.text("not ");
  items_.truth(side, Level::primary);
  closing(item, Level::logical_not);
  return true;
}

/// A number as the truth value it stands for; false where it looks the same.
bool LinePrinter::truth_value(const Item& item) {
  const Op op = pool().op(item.id);
  if (op == Op::number) {
    out_ += pool().is_zero(item.id) ? "false" : "true";
    return true;
  }
  if (is_choice_of_truth(item.id)) {
    items_.node(pool().children(item.id)[0], item.level);
    return true;
  }
  if (op != Op::no_event) return false;
  items_.text("noEvent(");
  items_.truth(pool().children(item.id)[0], Level::choice);
  items_.text(")");
  return true;
}

void LinePrinter::arguments(const Item& item) {
  const auto children = pool().children(item.id);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i > 0) items_.text(", ");
    items_.node(children[i], Level::choice);
  }
  items_.text(")");
}

void LinePrinter::function(const Item& item) {
  const Op op = pool().op(item.id);
  if (op == Op::call) {
    if (const auto called = called_text(pool(), item.id); called && !is_c())
      return text(item, *called);
    write_function_name(pool().function(pool().function_of(item.id)));
    out_ += '(';
    return arguments(item);
  }
  if (notation_ == Notation::modelica && op == Op::atanh) {
    // Neither the language nor its standard library has it.
    opening(item, Level::product);
    items_.text("0.5*log(2/(1 - ");
    items_.node(pool().children(item.id)[0], Level::product);
    items_.text(") - 1)");
    return closing(item, Level::product);
  }
  if (is_c() && op == Op::div) {
    items_.text("trunc(");
    items_.node(pool().children(item.id)[0], Level::product);
    items_.text("/");
    items_.node(pool().children(item.id)[1], Level::primary);
    return items_.text(")");
  }
  if (is_c() && op == Op::no_event) return items_.node(pool().children(item.id)[0], item.level);
  if (is_c() && op == Op::smooth) return items_.node(pool().children(item.id)[1], item.level);
  const auto spelling = [&]() -> std::string_view {
    if (notation_ == Notation::modelica) {
      if (op == Op::asinh) return "Modelica.Math.asinh";
      if (op == Op::acosh) return "Modelica.Math.acosh";
    }
    if (is_c()) {
      switch (op) {
        case Op::abs: return "fabs";
        case Op::min: return "fmin";
        case Op::max: return "fmax";
        case Op::rem: return "fmod";
        case Op::mod: return "alembert_mod";
        case Op::sign: return "alembert_sign";
        case Op::semi_linear: return "alembert_semi_linear";
        case Op::integer_part: return "floor";
        default: break;
      }
    }
    return name(op);
  };
  out_ += spelling();
  out_ += '(';
  arguments(item);
}

namespace {

std::string text_literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return literal + '"';
}

}  // namespace

/// "x is " + String(x), as somebody may have written it.
void LinePrinter::text(const Item& item, const std::string& text) {
  const auto values = pool().children(item.id);
  if (values.empty()) {
    out_ += text_literal(text);
    return;
  }
  opening(item, Level::sum);
  std::size_t done = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto mark = find_mark(text, k + 1, done);
    if (!mark) break;
    if (k > 0) items_.text(" + ");
    if (mark->at > done)
      items_.text(kept(text_literal(text.substr(done, mark->at - done)) + " + "));
    done = mark->at + mark->size;
    if (mark->how == how_text) {
      items_.node(values[k], Level::product);
      continue;
    }
    items_.text("String(");
    items_.node(values[k], Level::choice);
    const bool has_format = mark->how.starts_with('%');
    items_.text(has_format ? kept(", format = " + text_literal(mark->how.substr(1)) + ")") : ")");
  }
  if (done < text.size()) items_.text(kept(" + " + text_literal(text.substr(done))));
  closing(item, Level::sum);
}

// ---- leaves -------------------------------------------------------------------------------------

void LinePrinter::write_number(const Number& number, Level level) {
  const bool fraction = number.is_exact() && number.denominator() != 1;
  const Level own = number.is_negative() ? Level::sum : fraction ? Level::product : Level::primary;
  if (own < level) out_ += '(';
  if (number.is_negative()) out_ += '-';
  const Number size = number.is_negative() ? -number : number;
  if (size.is_exact()) {
    write_whole(size.numerator());
    if (fraction) {
      out_ += '/';
      write_whole(size.denominator());
    }
  } else {
    write_real(size.value());
  }
  if (own < level) out_ += ')';
}

void LinePrinter::write_whole(std::int64_t value) {
  out_ += std::to_string(value);
  // Integers are 32 bits wide in most Modelica tools, and 1/2 is 0 in C.
  const bool large = value > std::numeric_limits<std::int32_t>::max();
  if (is_c() || (notation_ == Notation::modelica && large)) out_ += ".0";
}

void LinePrinter::write_real(double value) {
  if (std::isfinite(value)) {
    out_ += print::real_text(value);
    return;
  }
  const bool nan = std::isnan(value);
  switch (notation_) {
    case Notation::c: out_ += nan ? "NAN" : "INFINITY"; break;
    case Notation::modelica: out_ += nan ? "(0.0/0.0)" : "Modelica.Constants.inf"; break;
    default: out_ += nan ? "nan" : "inf";
  }
}

void LinePrinter::write_symbol(const Symbol& symbol) {
  if (is_c()) {
    out_ += c_identifier(symbol.name, symbol.order);
    return;
  }
  if (symbol.previous_of.valid()) {
    out_ += "pre(";
    write_symbol(pool().symbol_of(symbol.previous_of));
    out_ += ')';
    return;
  }
  // A variable that a front end made for a call, such as 'integer(time) 2', is that call.
  const std::size_t end_of_call = symbol.name.rfind(')');
  if (for_people_ && symbol.kind == SymbolKind::discrete && end_of_call != std::string::npos) {
    out_.append(symbol.name, 0, end_of_call + 1);
    return;
  }
  for (std::uint32_t i = 0; i < symbol.order; ++i) out_ += "der(";
  const bool as_is = notation_ == Notation::modelica
                         ? is_modelica_name(symbol.name) || symbol.name == "initial()"
                         : is_plain_name(symbol.name);
  if (as_is)
    out_ += symbol.name;
  else
    out_ += quoted_apart(symbol.name, pool().find_symbol(quoted(symbol.name)).valid());
  out_.append(symbol.order, ')');
}

/// The quoted name; if `taken`, the quotes are part of someone else's name, and an escape tells the
/// two apart.
std::string LinePrinter::quoted_apart(std::string_view name, bool taken) const {
  if (!taken) return quoted(name);
  constexpr std::string_view digits = "0123456789abcdef";
  const auto first = static_cast<unsigned char>(name[0]);
  std::string text = quoted(name.substr(1));
  return text.insert(1, {'\\', 'x', digits[first >> 4], digits[first & 15]});
}

void LinePrinter::write_function_name(const UserFunction& function) {
  if (is_c()) {
    out_ += c_identifier(function.name);
    if (pool().find_symbol(function.name).valid()) out_ += "__f";
    return;
  }
  const bool as_is = notation_ == Notation::modelica ? is_modelica_name(function.name)
                                                     : is_plain_name(function.name);
  if (as_is && !is_built_in_function(function.name))
    out_ += function.name;
  else
    out_ += quoted_apart(function.name, pool().find_function(quoted(function.name)).valid());
}

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

}  // namespace

std::string to_text(const ExprPool& pool, ExprId id, Notation notation) {
  if (notation == Notation::latex) return to_latex(pool, id);
  return LinePrinter(pool, notation).print(id, unlimited);
}

std::string to_text(const Expr& expression, Notation notation) {
  if (expression.pool() != nullptr) return to_text(*expression.pool(), expression.id(), notation);
  const Number number = Number::real(expression.constant());
  if (notation == Notation::latex) return to_latex(number);
  const ExprPool none;
  return LinePrinter(none, notation).print(number);
}

std::string to_text(const Equation& equation, Notation notation) {
  return to_text(equation.left, notation) + " = " + to_text(equation.right, notation);
}

namespace {

std::string cut(std::string text, std::size_t max_length) {
  if (text.size() <= max_length) return text;
  std::size_t end = max_length > 3 ? max_length - 3 : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string to_short_text(const ExprPool& pool, ExprId id, std::size_t max_length) {
  return cut(LinePrinter(pool, Notation::plain, /*for_people=*/true).print(id, max_length),
             max_length);
}

std::string to_text(const ExprPool& pool, ExprId id, Notation notation, const IsTruth& is_truth,
                    Reading reading) {
  return LinePrinter(pool, notation, /*for_people=*/false, &is_truth)
      .print(id, unlimited, reading == Reading::truth);
}

std::string to_short_text(const ExprPool& pool, ExprId id, const IsTruth& is_truth,
                          std::size_t max_length, Reading reading) {
  return cut(LinePrinter(pool, Notation::plain, /*for_people=*/true, &is_truth)
                 .print(id, max_length, reading == Reading::truth),
             max_length);
}

std::string_view c_prelude() {
  return R"(#include <math.h>

static double alembert_sign(double x) { return (x > 0) - (x < 0); }
static double alembert_mod(double x, double y) { return x - floor(x / y) * y; }
static double alembert_semi_linear(double x, double k_plus, double k_minus) {
  return x >= 0 ? x * k_plus : x * k_minus;
}
)";
}

}  // namespace alembert::symbolic
