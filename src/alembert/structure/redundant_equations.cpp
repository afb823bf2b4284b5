// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/redundant_equations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/given_twice.hpp"
#include "alembert/structure/integer_rows.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/structure/user_place.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

using symbolic::Number;

namespace {

/// Columns by symbol, numbered as they come.
class UnknownColumns {
 public:
  explicit UnknownColumns(const symbolic::ExprPool& pool) : number_(pool) {}

  Index of(ExprId variable) {
    if (!number_.contains(variable)) number_.set(variable, size_++);
    return number_[variable];
  }
  Index size() const { return size_; }

 private:
  symbolic::NodeIndex number_;
  Index size_ = 0;
};

/// Columns by expression, of which there are few that differ.
class KnownColumns {
 public:
  Index of(ExprId expression) {
    const auto [at, fresh] = number_.emplace(expression, static_cast<Index>(expressions_.size()));
    if (fresh) expressions_.push_back(expression);
    return at->second;
  }
  ExprId operator[](Index column) const { return expressions_[column]; }

 private:
  std::unordered_map<ExprId, Index> number_;  // looked up, never iterated
  std::vector<ExprId> expressions_;
};

class RowMaker {
 public:
  RowMaker(symbolic::ExprPool& pool, bool bent_terms)
      : pool_(pool), bent_terms_(bent_terms), unknowns_(pool) {}

  /// False if the equation is no row: not linear, or its coefficients are no short fractions.
  bool add(ExprId residual) {
    const auto form = bent_terms_ ? std::optional(combination_of_terms(pool_, residual))
                                  : number_linear(pool_, residual);
    if (!form || form->terms.empty()) return false;
    std::int64_t scale = 1;
    for (const LinearTerm& term : form->terms)
      if (!widen(scale, term.coefficient)) return false;
    std::vector<std::pair<ExprId, Number>> right;
    for (const KnownTerm& known : form->known) {
      right.push_back(right_entry(known));
      if (!widen(scale, right.back().second)) return false;
    }
    Row row;
    for (const LinearTerm& term : form->terms)
      if (!append(row.left, unknowns_.of(term.variable), term.coefficient, scale)) return false;
    for (const auto& [expression, coefficient] : right)
      if (!append(row.right, known_.of(expression), coefficient, scale)) return false;
    rows_.push_back(std::move(row));
    return true;
  }

  /// Unknowns first, then what is known.
  std::vector<IntegerRow> rows() && {
    std::vector<IntegerRow> result;
    result.reserve(rows_.size());
    const auto by_column = [](const IntegerEntry& a, const IntegerEntry& b) {
      return a.column < b.column;
    };
    for (Row& row : rows_) {
      for (IntegerEntry entry : row.right)
        row.left.push_back({entry.column + unknowns_.size(), entry.coefficient});
      std::sort(row.left.begin(), row.left.end(), by_column);
      result.push_back(std::move(row.left));
    }
    return result;
  }

  Index n_unknowns() const { return unknowns_.size(); }
  ExprId known(Index column) const { return known_[column - unknowns_.size()]; }

 private:
  struct Row {
    IntegerRow left, right;
  };

  /// Least common multiple of denominators; false if there is none, or it is long.
  static bool widen(std::int64_t& scale, const Number& coefficient) {
    constexpr std::int64_t longest = std::int64_t{1} << 30;
    if (!coefficient.is_exact() || std::abs(coefficient.numerator()) > longest) return false;
    if (coefficient.denominator() > longest) return false;
    scale = std::lcm(scale, coefficient.denominator());
    return scale <= longest;
  }

  static bool append(IntegerRow& row, Index column, const Number& coefficient, std::int64_t scale) {
    const Number scaled = coefficient * Number::integer(scale);
    if (!scaled.is_integer()) return false;
    row.push_back({column, scaled.numerator()});
    return true;
  }

  /// Fractions count in units of 1; what is no fraction is a unit of its own.
  std::pair<ExprId, Number> right_entry(const KnownTerm& known) {
    if (pool_.is_number(known.expression)) {
      const Number value = known.coefficient * pool_.number_of(known.expression);
      if (value.is_exact()) return {pool_.number(1), value};
      const bool negative = value.is_negative();
      return {pool_.number(negative ? -value : value), negative ? -1 : 1};
    }
    if (known.coefficient.is_exact()) return {known.expression, known.coefficient};
    return {pool_.mul(pool_.number(known.coefficient), known.expression), 1};
  }

  symbolic::ExprPool& pool_;
  bool bent_terms_;
  UnknownColumns unknowns_;
  KnownColumns known_;
  std::vector<Row> rows_;
};

/// Zero up to the rounding of numbers that are no fractions.
bool is_zero(const symbolic::ExprPool& pool, const RowMaker& maker, const IntegerRow& left_over) {
  double sum = 0;
  double size = 0;
  for (const IntegerEntry& entry : left_over) {
    const ExprId expression = maker.known(entry.column);
    if (!pool.is_number(expression)) return false;
    const double value =
        pool.number_of(expression).value() * static_cast<double>(entry.coefficient);
    sum += value;
    size += std::abs(value);
  }
  return std::abs(sum) <= 16 * eps * size;
}

ExprId expression_of(symbolic::ExprPool& pool, const RowMaker& maker, const IntegerRow& left_over) {
  std::vector<ExprId> terms;
  for (const IntegerEntry& entry : left_over)
    terms.push_back(pool.mul(pool.integer(entry.coefficient), maker.known(entry.column)));
  return pool.add(terms);
}

/// The component of the model that the equation is of, as the user named it; empty for the model's
/// own equations.
std::string part_of(const flat::FlatEquation& equation) {
  const std::string& path = equation.origin.path;
  return path.substr(0, path.find('.'));
}

/// The equations, with one of the two outer points where two connections lead over a point that no
/// other of them is about: which point of a network the rest is told to equal is no one's choice.
std::vector<flat::FlatEquation> with_joined_connections(const flat::FlatSystem& flat,
                                                        std::span<const Index> equations) {
  std::unordered_map<ExprId, int> n_met;  // these two are looked up, never iterated
  for (const Index e : equations) {
    const ExprId sides[] = {flat.equations[e].left, flat.equations[e].right};
    for (const ExprId symbol : symbolic::free_symbols(*flat.pool, sides)) ++n_met[symbol];
  }
  std::unordered_map<ExprId, std::size_t> waiting;  // by the point in the middle
  std::vector<flat::FlatEquation> joined;
  for (const Index e : equations) {
    const flat::FlatEquation& equation = flat.equations[e];
    joined.push_back(equation);
    if (equation.origin.derived_from != flat::from_connection || n_met[equation.left] != 2)
      continue;
    const auto [first, is_new] = waiting.emplace(equation.left, joined.size() - 1);
    if (is_new) continue;
    flat::FlatEquation& both = joined[first->second];
    both.left = both.right;
    both.right = equation.right;
    both.origin = equation.origin;
    joined.pop_back();
  }
  return joined;
}

/// Whether it is zero with the parameters as they are.
bool holds_by_values(const flat::FlatSystem& flat, ExprId left_over) {
  if (flat.pool->is_number(left_over) || !is_constant_in_time(*flat.pool, left_over)) return false;
  const auto values = flat::values_by_symbol(flat, flat::examine_parameters(flat).values);
  // Parameters enter as they are written: what is left of equal terms is rounding of the largest.
  double largest = 1;
  for (const ExprId term : flat.pool->children(left_over))
    largest = std::max(largest, std::abs(evaluate(*flat.pool, term, values)));
  return std::abs(evaluate(*flat.pool, left_over, values)) <= 64 * eps * largest;
}

}  // namespace

std::string repair_of_contradiction(const flat::FlatSystem& flat,
                                    std::span<const Index> equations) {
  std::vector<std::string> parts;
  std::size_t n_connections = 0;
  bool of_flows = false;
  for (const flat::FlatEquation& equation : with_joined_connections(flat, equations)) {
    const bool balance = equation.origin.derived_from == flat::from_balance;
    if (balance || equation.origin.derived_from == flat::from_connection) {
      of_flows = of_flows || balance;
      n_connections += balance ? 0 : 1;
      continue;
    }
    const std::string part = part_of(equation);
    if (part.empty()) continue;
    if (std::string name = flat::in_quotes(part); std::ranges::find(parts, name) == parts.end())
      parts.push_back(std::move(name));
  }
  const bool too_many = flat.equations.size() > flat.unknowns.size();
  if (too_many && n_connections > 0 && !parts.empty())
    return n_connections == 1 ? "Remove the connection listed."
                              : "Remove one of the connections listed.";
  if (parts.size() > 1 && of_flows)
    return "Where " + flat::listed(parts) +
           " meet, connect a part that takes up the difference of their flows.";
  if (parts.size() > 1 && n_connections > 0)
    return "Take one of the parts " + flat::listed(parts) +
           " away, or put a part between them that lets their values differ.";
  if (parts.size() == 1 && n_connections > 0)
    return "Remove " +
           std::string(n_connections == 1 ? "the connection" : "one of the connections") +
           " listed, or put a part there that lets the two sides of " + parts.front() + " differ.";
  if (parts.size() == 1 && n_connections == 0 && of_flows)
    return "Connect a part to " + parts.front() + " that takes up what flows.";
  const bool alone = equations.size() == 1;
  if (too_many)
    return std::string("Remove ") + (alone ? "it" : "one of them") + ", or let something in " +
           (alone ? "it" : "them") + " be free.";
  return std::string("Write an equation that says something else in place of ") +
         (alone ? "it." : "one of them.");
}

void throw_contradiction(const flat::FlatSystem& flat, std::span<const Index> equations,
                         ExprId left_over) {
  constexpr std::size_t most = 10;
  const std::vector<flat::FlatEquation> shown = with_joined_connections(flat, equations);
  std::vector<Note> notes;
  std::vector<Origin> places;
  for (const flat::FlatEquation& equation : shown) {
    places.push_back(equation.origin);
    if (notes.size() < most)
      notes.push_back({flat::equation_text(flat, equation), equation.origin});
  }
  if (shown.size() > most)
    notes.push_back({"and " + flat::counted(shown.size() - most, "more equation"), {}});
  const bool alone = shown.size() == 1;
  const bool is_connected = has_connection(flat, equations);
  const std::string conclusion =
      flat.pool->is_number(left_over) ? "0 = 1" : flat::expression_text(flat, left_over) + " = 0";
  throw Error(
      "S004",
      (alone ? "an equation contradicts the rest of the model: with what is known already "
               "it says "
             : flat::counted(shown.size(), "equation") +
                   " contradict each other: taken together they say ") +
          conclusion +
          (holds_by_values(flat, left_over)
               ? ", which holds with the values that parameters have, but not by itself. " +
                     (is_connected ? repair_of_contradiction(flat, equations)
                                   : std::string("Leave the equation out, or declare these "
                                                 "parameters as constants."))
               : ". " + repair_of_contradiction(flat, equations) + given_twice(flat, equations)),
      user_place(flat, places), std::move(notes));
}

std::vector<RedundantEquation> redundant_equations(
    const flat::FlatSystem& flat, std::size_t n_equations,
    const std::function<CurrentEquation(std::size_t)>& equation_at) {
  symbolic::ExprPool& pool = *flat.pool;
  // Where there are too many equations, those are looked for too that repeat others although they
  // are not linear: each term is then an unknown of its own. Elsewhere such an equation may be a
  // constraint whose multiplier is among the unknowns (redundant_constraints.hpp).
  RowMaker maker(pool, n_equations > flat.unknowns.size());
  std::vector<Index> equation_of;  // [n rows]
  for (std::size_t k = 0; k < n_equations; ++k) {
    const CurrentEquation current = equation_at(k);
    if (maker.add(current.residual)) equation_of.push_back(current.equation);
  }
  std::vector<RedundantEquation> redundant;
  const Index n_unknowns = maker.n_unknowns();
  for (DependentRow& row : dependent_rows(std::move(maker).rows(), n_unknowns)) {
    for (Index& r : row.combined) r = equation_of[r];
    std::sort(row.combined.begin(), row.combined.end());
    if (!is_zero(pool, maker, row.left_over))
      throw_contradiction(flat, row.combined, expression_of(pool, maker, row.left_over));
    redundant.push_back({equation_of[row.row], std::move(row.combined)});
  }
  return redundant;
}

}  // namespace alembert::structure
