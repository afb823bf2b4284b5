// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/redundant_equations.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/given_twice.hpp"
#include "alembert/structure/integer_rows.hpp"
#include "alembert/structure/surplus.hpp"
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
    if (!number_.contains(variable)) {
      number_.set(variable, static_cast<Index>(variables_.size()));
      variables_.push_back(variable);
    }
    return number_[variable];
  }
  Index size() const { return static_cast<Index>(variables_.size()); }
  const std::vector<ExprId>& all() const { return variables_; }

 private:
  symbolic::NodeIndex number_;
  std::vector<ExprId> variables_;
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
  const std::vector<ExprId>& all() const { return expressions_; }

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
    for (Row& row : rows_) {
      for (const IntegerEntry& entry : row.right)
        row.left.push_back({entry.column + unknowns_.size(), entry.coefficient});
      std::ranges::sort(row.left, {}, &IntegerEntry::column);
      result.push_back(std::move(row.left));
    }
    return result;
  }

  void forget_rows() { rows_.clear(); }

  /// What columns are numbered by if not as they came: by names and content.
  std::vector<Index> canonical_columns() const {
    std::vector<Index> place = places_in_order(unknowns_.all());
    for (const Index at : places_in_order(known_.all())) place.push_back(at + unknowns_.size());
    return place;
  }

  Index n_unknowns() const { return unknowns_.size(); }
  ExprId known(Index column) const { return known_[column - unknowns_.size()]; }

 private:
  struct Row {
    IntegerRow left, right;
  };

  std::vector<Index> places_in_order(const std::vector<ExprId>& expressions) const {
    std::vector<Index> order(expressions.size()), place(expressions.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(
        order, [&](Index a, Index b) { return pool_.precedes(expressions[a], expressions[b]); });
    for (Index k = 0; k < order.size(); ++k) place[order[k]] = k;
    return place;
  }

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

/// The rows in an order, and with columns, that do not depend on how the model was written. In and
/// out: the equations of the rows. Of each row a multiple is taken whose first entry is positive.
std::vector<IntegerRow> canonical_rows(std::vector<IntegerRow> rows,
                                       std::span<const Index> new_column,
                                       std::vector<Index>& equation_of) {
  for (IntegerRow& row : rows) {
    std::int64_t common = 0;
    for (IntegerEntry& entry : row) {
      entry.column = new_column[entry.column];
      common = std::gcd(common, entry.coefficient);
    }
    std::ranges::sort(row, {}, &IntegerEntry::column);
    if (row.front().coefficient < 0) common = -common;
    for (IntegerEntry& entry : row) entry.coefficient /= common;
  }
  std::vector<Index> order(rows.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto key = [](const IntegerEntry& entry) {
    return std::pair(entry.column, entry.coefficient);
  };
  std::ranges::stable_sort(order, [&](Index a, Index b) {
    return std::ranges::lexicographical_compare(rows[a], rows[b], {}, key, key);
  });
  std::vector<IntegerRow> sorted;
  std::vector<Index> equations;
  for (const Index r : order) {
    sorted.push_back(std::move(rows[r]));
    equations.push_back(equation_of[r]);
  }
  equation_of = std::move(equations);
  return sorted;
}

/// Leaves out the entry of both at a column; nothing if numbers become too long.
std::optional<IntegerRow> without_column(const IntegerRow& a, const IntegerRow& b, Index column) {
  const auto at = [&](const IntegerRow& row) {
    const auto found = std::ranges::lower_bound(row, column, {}, &IntegerEntry::column);
    return found != row.end() && found->column == column ? found->coefficient : 0;
  };
  const std::int64_t of_a = at(a);
  const std::int64_t of_b = at(b);
  if (of_a == 0 || of_b == 0) return std::nullopt;
  IntegerRow result;
  std::int64_t common = 0;
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    const Index next =
        j == b.end() || (i != a.end() && i->column < j->column) ? i->column : j->column;
    std::int64_t left = 0, right = 0, sum = 0;
    if (i != a.end() && i->column == next &&
        __builtin_mul_overflow((i++)->coefficient, of_b, &left))
      return std::nullopt;
    if (j != b.end() && j->column == next &&
        __builtin_mul_overflow((j++)->coefficient, of_a, &right))
      return std::nullopt;
    if (__builtin_sub_overflow(left, right, &sum)) return std::nullopt;
    if (sum == 0) continue;
    common = std::gcd(common, sum);
    result.push_back({next, sum});
  }
  for (IntegerEntry& entry : result) entry.coefficient /= common;
  return result;
}

/// Makes the contradiction one of as few rows as can be found: rows that cancelled on the way are
/// left out, and those of a network go where a combination that repeats itself, as the sum of all
/// its flows, takes more of them away than it brings. others: all dependent rows.
template <class SaysNothing>
void leave_out_needless(std::span<const IntegerRow> rows, Index n_unknowns, Index n_columns,
                        std::span<const DependentRow> others, const SaysNothing& says_nothing,
                        DependentRow& dependent) {
  constexpr std::size_t most = 1000;  // rows; to try costs some times what they did
  if (dependent.combined.size() > most) return;
  std::vector<char> is_taken(rows.size(), 0);
  std::vector<Index> taken = dependent.combined;
  for (const Index r : taken) is_taken[r] = 1;
  std::vector<char> is_added(others.size(), 0);
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t k = 0; k < others.size(); ++k) {
      const std::vector<Index>& more = others[k].combined;
      if (is_added[k] || taken.size() + more.size() > most) continue;
      if (std::ranges::none_of(more, [&](Index r) { return is_taken[r]; })) continue;
      is_added[k] = 1;
      grows = true;
      for (const Index r : more)
        if (!is_taken[r]) taken.push_back(r), is_taken[r] = 1;
    }
  }
  std::ranges::sort(taken);
  std::vector<IntegerRow> marked;
  for (Index k = 0; k < taken.size(); ++k) {
    marked.push_back(rows[taken[k]]);
    marked.back().push_back({n_columns + k, 1});  // how often it was taken
  }
  const std::vector<DependentRow> found = dependent_rows(std::move(marked), n_unknowns);
  const auto is_mark = [&](const IntegerEntry& entry) { return entry.column >= n_columns; };
  const auto contradicts = [&](const IntegerRow& row) {
    IntegerRow rest;
    std::ranges::remove_copy_if(row, std::back_inserter(rest), is_mark);
    return !says_nothing(rest);
  };
  const auto size_of = [&](const IntegerRow& row) { return std::ranges::count_if(row, is_mark); };
  IntegerRow best;
  for (const DependentRow& one : found)
    if (contradicts(one.left_over) && (best.empty() || size_of(one.left_over) < size_of(best)))
      best = one.left_over;
  if (best.empty()) return;
  for (bool shrinks = true; shrinks;) {
    shrinks = false;
    for (const DependentRow& one : found) {
      const IntegerRow before = best;
      for (const IntegerEntry& entry : before) {
        if (!is_mark(entry)) continue;
        const auto fewer = without_column(before, one.left_over, entry.column);
        if (!fewer || size_of(*fewer) >= size_of(best) || !contradicts(*fewer)) continue;
        best = *fewer;
        shrinks = true;
      }
    }
  }
  dependent.combined.clear();
  dependent.left_over.clear();
  for (const IntegerEntry& entry : best)
    if (is_mark(entry))
      dependent.combined.push_back(taken[entry.column - n_columns]);
    else
      dependent.left_over.push_back(entry);
  dependent.row = dependent.combined.back();
}

}  // namespace

std::string repair_of_contradiction(const flat::FlatSystem& flat,
                                    std::span<const Index> equations) {
  std::vector<std::string> parts, names;  // in quotes, and not
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
    if (std::ranges::find(names, part) != names.end()) continue;
    names.push_back(part);
    parts.push_back(flat::in_quotes(part));
  }
  const bool too_many = flat.equations.size() > flat.unknowns.size();
  if (too_many && n_connections > 0 && !parts.empty())
    return n_connections == 1 ? "Remove the connection listed."
                              : "Remove one of the connections listed.";
  if (parts.size() > 1 && of_flows)
    return "Where " + flat::listed(parts) +
           " meet, connect a part that takes up the difference of their flows.";
  if (parts.size() > 1 && n_connections > 0) {
    std::vector<std::string> gone = removable_parts(flat, names);
    for (std::string& name : gone) name = flat::in_quotes(name);
    if (gone.empty()) gone = parts;  // too large to try, or wrong elsewhere too
    return (gone.size() == 1
                ? "Take " + gone.front() + " away, or put a part between " + flat::listed(parts)
                : "Take one of the parts " + flat::listed(gone) +
                      " away, or put a part between them") +
           " that lets their values differ.";
  }
  if (parts.size() == 1 && n_connections > 0)
    return "Remove " +
           std::string(n_connections == 1 ? "the connection" : "one of the connections") +
           " listed, or put a part there that lets the two sides of " + parts.front() + " differ.";
  if (parts.size() == 1 && n_connections == 0 && of_flows)
    return "Connect a part to " + parts.front() + " that takes up what flows.";
  const bool alone = equations.size() == 1;
  if (const auto surplus = too_many ? find_surplus(flat, equations) : std::nullopt)
    return removal_text(flat, *surplus, equations.size()) +
           (surplus->excess() > 1 ? "."
            : alone               ? ", or let something in it be free."
                                  : ", or let something in them be free.");
  return std::string("Write an equation that says something else in place of ") +
         (alone ? "it." : "one of them.");
}

Error contradiction_error(const flat::FlatSystem& flat, const Contradiction& contradiction) {
  const std::vector<Index>& equations = contradiction.equations;
  const ExprId left_over = contradiction.left_over;
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
  return Error(
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
  const auto read_equations = [&] {
    equation_of.clear();
    for (std::size_t k = 0; k < n_equations; ++k) {
      const CurrentEquation current = equation_at(k);
      if (maker.add(current.residual)) equation_of.push_back(current.equation);
    }
  };
  read_equations();
  const Index n_unknowns = maker.n_unknowns();
  // Whether there are any does not depend on an order, which takes its time; which ones does.
  if (dependent_rows(std::move(maker).rows(), n_unknowns).empty()) return {};
  maker.forget_rows();
  read_equations();
  const std::vector<Index> new_column = maker.canonical_columns();
  const auto n_columns = static_cast<Index>(new_column.size());
  std::vector<Index> old_column(n_columns);
  for (Index c = 0; c < n_columns; ++c) old_column[new_column[c]] = c;
  const std::vector<IntegerRow> rows =
      canonical_rows(std::move(maker).rows(), new_column, equation_of);
  const std::vector<DependentRow> dependent = dependent_rows(rows, n_unknowns);
  std::vector<RedundantEquation> redundant;
  std::optional<DependentRow> worst;
  const auto says_nothing = [&](const IntegerRow& left_over) {
    IntegerRow as_made = left_over;
    for (IntegerEntry& entry : as_made) entry.column = old_column[entry.column];
    return is_zero(pool, maker, as_made);
  };
  for (const DependentRow& row : dependent) {
    if (says_nothing(row.left_over)) {
      redundant.push_back({equation_of[row.row], row.combined});
      for (Index& r : redundant.back().combined) r = equation_of[r];
      std::ranges::sort(redundant.back().combined);
      continue;
    }
    DependentRow fewest = row;
    leave_out_needless(rows, n_unknowns, n_columns, dependent, says_nothing, fewest);
    if (!worst || fewest.combined.size() < worst->combined.size()) worst = std::move(fewest);
  }
  if (worst) {
    std::vector<Index> equations;
    for (const Index r : worst->combined) equations.push_back(equation_of[r]);
    std::ranges::sort(equations);
    IntegerRow left_over = worst->left_over;
    for (IntegerEntry& entry : left_over) entry.column = old_column[entry.column];
    throw Contradiction{std::move(equations), expression_of(pool, maker, left_over)};
  }
  return redundant;
}

}  // namespace alembert::structure
