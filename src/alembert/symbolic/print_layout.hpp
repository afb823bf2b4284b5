// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside print. What all notations share: the stack of things still to print, the
// order of terms on display, and products as quotients. In: canonical ids. Out: items for a
// notation to spell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/symbolic/number.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic::print {

/// How tightly a text holds together. An item asks for a level; what holds less gets parentheses.
enum class Level : std::uint8_t {
  choice,
  logical_or,
  logical_and,
  logical_not,
  relation,
  sum,
  product,
  power,
  primary
};

/// One thing still to print.
struct Item {
  enum class Kind : std::uint8_t {
    text,       ///< a fixed piece of text
    node,       ///< an expression
    whole,      ///< a whole number
    real,       ///< a double, not negative
    exponent,   ///< the number that is the exponent of the power `id`
    otherwise,  ///< what follows the first branch of a choice: else, or elseif
  };
  Kind kind = Kind::text;
  Level level = Level::choice;
  bool negate = false;  ///< print -id; for terms that have a negative number in front
  bool invert = false;  ///< print 1/id; for powers with a negative number as exponent
  bool truth = false;   ///< print the numbers 0 and 1 as false and true
  ExprId id;
  union {
    const char* text = "";
    std::int64_t whole;
    double real;
  };
};

/// Items in reading order, printed before everything that was there.
class Items {
 public:
  void text(const char* text);
  void node(ExprId id, Level level, bool negate = false, bool invert = false);
  void truth(ExprId id, Level level);
  void whole(std::int64_t value);
  void real(double value);
  void exponent(ExprId power, Level level, bool invert);
  void otherwise(ExprId id, bool truth = false);

  /// Moves what was listed since the last call to the top of the stack.
  void commit();
  bool empty() const { return stack_.empty(); }
  Item pop();

 private:
  std::vector<Item> listed_;
  std::vector<Item> stack_;
};

struct Term {
  ExprId id;
  bool negative;  ///< print -id behind a minus
};

/// The terms of a sum as they read best: small sums by falling degree, a positive term first.
std::vector<Term> terms_on_display(const ExprPool& pool, ExprId sum);

struct Factor {
  ExprId id;
  bool invert;
};

/// A product or power as sign * coefficient * over / under.
struct Quotient {
  bool negative = false;
  Number coefficient = 1;  ///< not negative
  std::vector<Factor> over;
  std::vector<Factor> under;

  bool number_has_denominator() const {
    return coefficient.is_exact() && coefficient.denominator() != 1;
  }
  bool has_fraction() const { return !under.empty() || number_has_denominator(); }
};

/// True for a power that is written below a fraction line.
bool goes_under(const ExprPool& pool, ExprId power);

/// What a notation is made of: the loop over items, parentheses, sums, operators between operands,
/// and the number of a product. A notation spells the rest.
class Printer {
 protected:
  Printer(const ExprPool* pool, const char* open, const char* close)
      : pool_(pool), open_(open), close_(close) {}
  ~Printer() = default;

  const ExprPool& pool() const { return *pool_; }
  /// The text of `id`; about `max_length` bytes of it, if it is longer.
  std::string print_node(ExprId id, std::size_t max_length, bool truth = false);
  void opening(const Item& item, Level own);
  void closing(const Item& item, Level own);
  void sum(const Item& item);
  void infix(const Item& item, Level own, Level operands, const char* separator);
  /// Of a product or power, with the sign it has in its place.
  Quotient quotient_of(const Item& item) const;
  /// Lists the number above the line, unless it is a 1 that need not be seen; true if it is there.
  bool number_above(const Quotient& quotient);
  /// The same below the line.
  bool number_below(const Quotient& quotient);
  /// The exponent of a power, inverted where the item says so; it must be a number.
  Number exponent_of(const Item& item) const;

  Items items_;
  std::string out_;

 private:
  virtual void node(const Item& item) = 0;
  virtual void otherwise(const Item& item) = 0;
  virtual void write_number(const Number& number, Level level) = 0;
  virtual void write_whole(std::int64_t value) = 0;
  virtual void write_real(double value) = 0;

  const ExprPool* pool_;
  const char* open_;
  const char* close_;
};

/// Shortest digits that read back to the same double, with a point or an exponent; `value` must be
/// finite.
std::string real_text(double value);

}  // namespace alembert::symbolic::print

namespace alembert::symbolic {

/// LaTeX, in a file of its own.
std::string to_latex(const ExprPool& pool, ExprId id);
std::string to_latex(const Number& number);

}  // namespace alembert::symbolic
