// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/print_layout.hpp"

#include <algorithm>

#include "alembert/base/number_text.hpp"

namespace alembert::symbolic::print {

// ---- items --------------------------------------------------------------------------------------

void Items::text(const char* text) {
  Item item;
  item.text = text;
  listed_.push_back(item);
}

void Items::node(ExprId id, Level level, bool negate, bool invert) {
  Item item;
  item.kind = Item::Kind::node;
  item.level = level;
  item.negate = negate;
  item.invert = invert;
  item.id = id;
  listed_.push_back(item);
}

void Items::truth(ExprId id, Level level) {
  node(id, level);
  listed_.back().truth = true;
}

void Items::whole(std::int64_t value) {
  Item item;
  item.kind = Item::Kind::whole;
  item.whole = value;
  listed_.push_back(item);
}

void Items::real(double value) {
  Item item;
  item.kind = Item::Kind::real;
  item.real = value;
  listed_.push_back(item);
}

void Items::exponent(ExprId power, Level level, bool invert) {
  Item item;
  item.kind = Item::Kind::exponent;
  item.level = level;
  item.invert = invert;
  item.id = power;
  listed_.push_back(item);
}

void Items::otherwise(ExprId id, bool truth) {
  Item item;
  item.kind = Item::Kind::otherwise;
  item.truth = truth;
  item.id = id;
  listed_.push_back(item);
}

void Items::commit() {
  stack_.insert(stack_.end(), listed_.rbegin(), listed_.rend());
  listed_.clear();
}

Item Items::pop() {
  const Item item = stack_.back();
  stack_.pop_back();
  return item;
}

// ---- sums ---------------------------------------------------------------------------------------

namespace {

constexpr std::size_t small_sum = 64;

bool has_negative_number(const ExprPool& pool, ExprId term) {
  const ExprId first = pool.op(term) == Op::mul ? pool.children(term)[0] : term;
  return pool.is_number(first) && pool.number_of(first).is_negative();
}

/// The degree of a term as a polynomial in whatever its factors are; a function counts as one
/// factor.
double degree(const ExprPool& pool, ExprId term) {
  const auto of_factor = [&](ExprId factor) {
    if (pool.is_number(factor)) return 0.0;
    if (pool.op(factor) != Op::pow) return 1.0;
    const ExprId exponent = pool.children(factor)[1];
    if (pool.is_number(pool.children(factor)[0])) return pool.is_number(exponent) ? 0.0 : 1.0;
    const bool finite = pool.is_number(exponent) && pool.number_of(exponent).is_finite();
    return finite ? pool.number_of(exponent).value() : 1.0;
  };
  if (pool.op(term) != Op::mul) return of_factor(term);
  double total = 0.0;
  for (const ExprId factor : pool.children(term)) total += of_factor(factor);
  return total;
}

}  // namespace

std::vector<Term> terms_on_display(const ExprPool& pool, ExprId sum) {
  std::vector<Term> terms;
  const auto children = pool.children(sum);
  terms.reserve(children.size());
  for (const ExprId child : children) terms.push_back({child, has_negative_number(pool, child)});
  if (terms.size() > small_sum) return terms;

  std::vector<std::pair<double, Term>> by_degree;
  by_degree.reserve(terms.size());
  for (const Term& term : terms) by_degree.emplace_back(degree(pool, term.id), term);
  std::stable_sort(by_degree.begin(), by_degree.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i] = by_degree[i].second;
  const auto positive =
      std::find_if(terms.begin(), terms.end(), [](const Term& term) { return !term.negative; });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  return terms;
}

// ---- products -----------------------------------------------------------------------------------

bool goes_under(const ExprPool& pool, ExprId power) {
  if (pool.op(power) != Op::pow) return false;
  const ExprId base = pool.children(power)[0];
  const ExprId exponent = pool.children(power)[1];
  if (!pool.is_number(exponent) || !pool.number_of(exponent).is_negative()) return false;
  // (1e-200*x)^(-2) is kept closed because its number would overflow, which that of its inverse
  // need not.
  if (pool.op(base) == Op::mul && pool.is_number(pool.children(base)[0]))
    return !pool.number_of(exponent).is_integer();
  return !pool.is_number(base);  // 1/0^2 would be read as 1/0
}

namespace {

Quotient as_quotient(const ExprPool& pool, ExprId id) {
  Quotient quotient;
  const auto put = [&](ExprId factor) {
    if (goes_under(pool, factor))
      quotient.under.push_back({factor, true});
    else
      quotient.over.push_back({factor, false});
  };
  if (pool.op(id) != Op::mul) {
    put(id);
    return quotient;
  }
  auto factors = pool.children(id);
  if (pool.is_number(factors.front())) {
    const Number& number = pool.number_of(factors.front());
    quotient.negative = number.is_negative();
    quotient.coefficient = quotient.negative ? -number : number;
    factors = factors.subspan(1);
  }
  for (const ExprId factor : factors) put(factor);
  return quotient;
}

}  // namespace

// ---- what notations share -----------------------------------------------------------------------

std::string Printer::print_node(ExprId id, std::size_t max_length, bool truth) {
  if (truth)
    items_.truth(id, Level::choice);
  else
    items_.node(id, Level::choice);
  items_.commit();
  while (!items_.empty() && out_.size() <= max_length) {
    const Item item = items_.pop();
    switch (item.kind) {
      case Item::Kind::text: out_ += item.text; break;
      case Item::Kind::whole: write_whole(item.whole); break;
      case Item::Kind::real: write_real(item.real); break;
      case Item::Kind::exponent: write_number(exponent_of(item), item.level); break;
      case Item::Kind::otherwise: otherwise(item); break;
      case Item::Kind::node: node(item); break;
    }
    items_.commit();
  }
  return std::move(out_);
}

void Printer::opening(const Item& item, Level own) {
  if (own < item.level) items_.text(open_);
}

void Printer::closing(const Item& item, Level own) {
  if (own < item.level) items_.text(close_);
}

void Printer::infix(const Item& item, Level own, Level operands, const char* separator) {
  opening(item, own);
  const auto children = pool().children(item.id);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i > 0) items_.text(separator);
    items_.node(children[i], operands);
  }
  closing(item, own);
}

void Printer::sum(const Item& item) {
  opening(item, Level::sum);
  bool first = true;
  for (const Term& term : terms_on_display(pool(), item.id)) {
    items_.text(first ? (term.negative ? "-" : "") : (term.negative ? " - " : " + "));
    items_.node(term.id, Level::product, term.negative);
    first = false;
  }
  closing(item, Level::sum);
}

Quotient Printer::quotient_of(const Item& item) const {
  Quotient quotient = as_quotient(pool(), item.id);
  if (item.negate) quotient.negative = !quotient.negative;
  return quotient;
}

bool Printer::number_above(const Quotient& quotient) {
  const Number& number = quotient.coefficient;
  if (!number.is_exact())
    items_.real(number.value());
  else if (quotient.over.empty() || number.numerator() != 1)
    items_.whole(number.numerator());
  else
    return false;
  return true;
}

bool Printer::number_below(const Quotient& quotient) {
  if (quotient.number_has_denominator()) items_.whole(quotient.coefficient.denominator());
  return quotient.number_has_denominator();
}

Number Printer::exponent_of(const Item& item) const {
  const Number& exponent = pool().number_of(pool().children(item.id)[1]);
  return item.invert ? -exponent : exponent;
}

// ---- numbers ------------------------------------------------------------------------------------

std::string real_text(double value) {
  const std::string text = number_text(value);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text.find('.') == std::string::npos ? text + ".0" : text;
  // 1e+22 and 1e-07 as 1e22 and 1e-7.
  std::string exponent = text.substr(e + 1);
  const bool negative = exponent[0] == '-';
  exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
  return text.substr(0, e) + (negative ? "e-" : "e") + exponent;
}

}  // namespace alembert::symbolic::print
