// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/mechanical_form.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/consistent_point.hpp"
#include "alembert/structure/transversal.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/solve.hpp"

namespace alembert::structure {

using symbolic::Replacements;
using symbolic::Symbol;
using symbolic::SymbolKind;

namespace {

class Recognition {
 public:
  Recognition(const flat::FlatSystem& flat, std::span<const ExprId> residuals)
      : flat_(flat), pool_(*flat.pool) {
    for (Index i = 0; i < residuals.size(); ++i) rows_.push_back({i, residuals[i]});
    for (Index j = 0; j < flat.unknowns.size(); ++j) unknown_of_[flat.unknowns[j].symbol] = j;
    kind_.assign(flat.unknowns.size(), Kind::other);
  }

  MechanicalForm run() {
    name_velocities();
    find_positions();
    split_constraints();
    put_in_formulas();
    form_.mass.resize(n() * n());
    read_dynamics();
    for (const Row& row : constraints_) form_.constraints.push_back(row.residual);
    return std::move(form_);
  }

 private:
  enum class Kind { other, position, multiplier, defined };
  struct Row {
    Index equation;  // of the flat system
    ExprId residual;
  };

  std::size_t n() const { return form_.positions.size(); }

  [[noreturn]] void refuse(const std::string& why, std::optional<Index> equation = {}) const {
    std::vector<Note> notes;
    if (equation)
      notes.push_back({flat::equation_text(flat_, flat_.equations[*equation]),
                       flat_.equations[*equation].origin});
    throw Error("S013",
                "the equations are not those of constrained mechanics, M(q) q'' = f - G' lambda "
                "with g(q) = 0: " +
                    why + ". Use another method, such as taylor or auto.",
                flat_.origin, notes);
  }

  /// The unknown that a symbol belongs to.
  std::optional<Index> unknown(ExprId symbol) const {
    const auto found = unknown_of_.find(pool_.symbol_of(symbol).base);
    return found == unknown_of_.end() ? std::nullopt : std::optional(found->second);
  }

  std::string name(Index unknown) const {
    return flat::in_quotes(pool_.symbol_text(flat_.unknowns[unknown].symbol));
  }

  std::vector<ExprId> unknown_symbols(ExprId expression) const {
    std::vector<ExprId> result;
    for (const ExprId symbol : free_symbols(pool_, expression))
      if (unknown(symbol)) result.push_back(symbol);
    return result;
  }

  Index order(ExprId symbol) const { return pool_.symbol_of(symbol).order; }

  /// Puts a formula in place of an unknown and its derivatives.
  void define(std::span<const MechanicalForm::Definition> definitions) {
    Replacements replacements;
    std::vector<ExprId> residuals;
    for (const Row& row : rows_) residuals.push_back(row.residual);
    for (const Row& row : constraints_) residuals.push_back(row.residual);
    for (const auto& known : form_.definitions) residuals.push_back(known.value);
    std::map<Index, Index> highest;
    for (const ExprId symbol : free_symbols(pool_, residuals))
      if (const auto j = unknown(symbol)) highest[*j] = std::max(highest[*j], order(symbol));
    for (const auto& definition : definitions) {
      kind_[definition.unknown] = Kind::defined;
      ExprId symbol = flat_.unknowns[definition.unknown].symbol;
      ExprId value = definition.value;
      const auto found = highest.find(definition.unknown);
      const Index last = found == highest.end() ? 0 : found->second;
      for (Index k = 0; k <= last; ++k) {
        replacements.emplace(symbol, value);
        if (k == last) break;
        symbol = pool_.derivative_symbol(symbol);
        value = time_derivative(pool_, value);
      }
    }
    const std::vector<ExprId> changed = substitute(pool_, residuals, replacements);
    std::size_t next = 0;
    for (Row& row : rows_) row.residual = changed[next++];
    for (Row& row : constraints_) row.residual = changed[next++];
    for (auto& known : form_.definitions) known.value = changed[next++];
    form_.definitions.insert(form_.definitions.end(), definitions.begin(), definitions.end());
  }

  /// Equations that say v = der(q) and no more.
  void name_velocities() {
    std::vector<MechanicalForm::Definition> velocities;
    std::vector<Row> rest;
    std::vector<char> used(flat_.unknowns.size(), 0);
    for (const Row& row : rows_) {
      const std::vector<ExprId> symbols = unknown_symbols(row.residual);
      std::optional<MechanicalForm::Definition> found;
      if (symbols.size() == 2 && free_symbols(pool_, row.residual).size() == 2) {
        const bool first = order(symbols[0]) == 1 && order(symbols[1]) == 0;
        const bool second = order(symbols[1]) == 1 && order(symbols[0]) == 0;
        const ExprId rate = first ? symbols[0] : symbols[1];
        const ExprId velocity = first ? symbols[1] : symbols[0];
        if (first || second) {
          const auto form = linear_form(pool_, row.residual, velocity);
          if (form && pool_.is_number(form->slope)) {
            const ExprId value = pool_.neg(pool_.div(form->offset, form->slope));
            if (value == rate) found = {*unknown(velocity), value};
          }
        }
      }
      if (found && !used[found->unknown] && !used[*unknown(found->value)]) {
        used[found->unknown] = used[*unknown(found->value)] = 1;
        velocities.push_back(*found);
      } else {
        rest.push_back(row);
      }
    }
    rows_ = std::move(rest);
    define(velocities);
  }

  void find_positions() {
    for (const Row& row : rows_)
      for (const ExprId symbol : unknown_symbols(row.residual)) {
        if (order(symbol) > 2)
          refuse("a derivative of order " + std::to_string(order(symbol)) + " of " +
                     name(*unknown(symbol)) + " occurs",
                 row.equation);
        if (order(symbol) == 2) kind_[*unknown(symbol)] = Kind::position;
      }
    for (Index j = 0; j < kind_.size(); ++j)
      if (kind_[j] == Kind::position) form_.positions.push_back(j);
    if (form_.positions.empty()) refuse("no second derivative occurs");
  }

  bool knows_accelerations(ExprId expression) const {
    return std::ranges::any_of(unknown_symbols(expression),
                               [&](ExprId symbol) { return order(symbol) == 2; });
  }

  bool is_constraint(ExprId residual) const {
    const auto symbols = unknown_symbols(residual);
    return !symbols.empty() && std::ranges::all_of(symbols, [&](ExprId symbol) {
      return order(symbol) == 0 && kind_[*unknown(symbol)] == Kind::position;
    });
  }

  void split_constraints() {
    std::vector<Row> rest;
    for (const Row& row : rows_) (is_constraint(row.residual) ? constraints_ : rest).push_back(row);
    rows_ = std::move(rest);
  }

  std::size_t n_others() const {
    return static_cast<std::size_t>(std::ranges::count(kind_, Kind::other));
  }

  /// An equation that is a formula for an unknown: linear in it, with a factor that is a number or
  /// a parameter, and without its derivatives.
  std::optional<MechanicalForm::Definition> formula(ExprId residual) {
    for (const ExprId symbol : unknown_symbols(residual)) {
      const Index j = *unknown(symbol);
      if (kind_[j] != Kind::other || order(symbol) != 0) continue;
      const auto form = linear_form(pool_, residual, symbol);
      if (!form) continue;
      const auto fixed = [&](ExprId s) { return pool_.symbol_of(s).kind == SymbolKind::parameter; };
      if (!std::ranges::all_of(free_symbols(pool_, form->slope), fixed)) continue;
      const auto others = unknown_symbols(form->offset);
      if (std::ranges::any_of(others, [&](ExprId s) { return *unknown(s) == j; })) continue;
      // With accelerations in it the derivatives of the formula would be of third order.
      if (knows_accelerations(form->offset) && is_differentiated(j)) continue;
      return MechanicalForm::Definition{j, pool_.neg(pool_.div(form->offset, form->slope))};
    }
    return std::nullopt;
  }

  bool is_differentiated(Index j) const {
    return std::ranges::any_of(rows_, [&](const Row& row) {
      return std::ranges::any_of(unknown_symbols(row.residual),
                                 [&](ExprId s) { return order(s) > 0 && *unknown(s) == j; });
    });
  }

  /// Until no more unknowns are left than constraints: these are the multipliers.
  void put_in_formulas() {
    for (const bool with_accelerations : {false, true}) {
      for (std::size_t i = 0; i < rows_.size() && n_others() > constraints_.size();) {
        const auto found = knows_accelerations(rows_[i].residual) == with_accelerations
                               ? formula(rows_[i].residual)
                               : std::nullopt;
        if (!found) {
          ++i;
          continue;
        }
        rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(i));
        define({&*found, 1});
        split_more_constraints();
        i = 0;
      }
    }
    for (Index j = 0; j < kind_.size(); ++j)
      if (kind_[j] == Kind::other) {
        kind_[j] = Kind::multiplier;
        form_.multipliers.push_back(j);
      }
    for (const Row& row : rows_)
      if (!knows_accelerations(row.residual)) {
        const bool has_velocity = std::ranges::any_of(unknown_symbols(row.residual),
                                                      [&](ExprId s) { return order(s) == 1; });
        refuse(
            has_velocity
                ? "an equation of first order is neither a velocity nor a constraint of positions"
                : "an equation is neither of motion nor a constraint of positions",
            row.equation);
      }
    if (rows_.size() != n())
      refuse("there are " + flat::counted(n(), "position") + " and " +
             flat::counted(rows_.size(), "equation") + " of motion");
    if (form_.multipliers.size() != constraints_.size())
      refuse("there are " + flat::counted(constraints_.size(), "constraint") + " and " +
             flat::counted(form_.multipliers.size(), "multiplier"));
  }

  void split_more_constraints() {
    std::vector<Row> rest;
    for (const Row& row : rows_) (is_constraint(row.residual) ? constraints_ : rest).push_back(row);
    rows_ = std::move(rest);
  }

  /// Which equation of motion belongs to which position: those that make the largest diagonal of
  /// masses, by numbers where the constraints hold. Structure does not tell: coupled equations may
  /// have been written in any order.
  std::vector<Index> match_rows(std::span<const ExprId> masses) const {
    const symbolic::Values given = start_values(flat_);
    std::vector<ExprId> residuals;
    for (const Row& row : constraints_) residuals.push_back(row.residual);
    ConsistentPoint point(pool_, given, std::move(residuals));
    if (!constraints_.empty()) point.solve();
    std::vector<double> numbers = point.evaluate(masses);
    for (std::size_t e = 0; e < masses.size(); ++e)
      if (!std::isfinite(numbers[e])) numbers[e] = pool_.is_zero(masses[e]) ? 0.0 : 1.0;
    std::vector<Index> row_of = largest_transversal(numbers, static_cast<Index>(n()));
    if (row_of.empty()) refuse("the mass matrix is singular");
    return row_of;
  }

  void read_dynamics() {
    std::vector<ExprId> symbols;
    for (const Index j : form_.positions)
      symbols.push_back(pool_.derivative_symbol(pool_.derivative_symbol(flat_.unknowns[j].symbol)));
    for (const Index j : form_.multipliers) symbols.push_back(flat_.unknowns[j].symbol);
    std::vector<symbolic::LinearCombination> linear;
    std::vector<ExprId> masses;
    for (const Row& row : rows_) {
      auto combination = linear_combination(pool_, row.residual, symbols);
      if (!combination)
        refuse("an equation of motion is not linear in accelerations and multipliers",
               row.equation);
      linear.push_back(std::move(*combination));
      masses.insert(masses.end(), linear.back().slopes.begin(),
                    linear.back().slopes.begin() + static_cast<std::ptrdiff_t>(n()));
    }
    const std::vector<Index> row_of = match_rows(masses);
    for (std::size_t p = 0; p < n(); ++p) {
      const Index equation = rows_[row_of[p]].equation;
      const auto& [slopes, offset] = linear[row_of[p]];
      for (std::size_t k = 0; k < n(); ++k) {
        form_.mass[p * n() + k] = slopes[k];
        check_mass(slopes[k], equation);
      }
      for (std::size_t k = n(); k < symbols.size(); ++k) {
        form_.reaction.push_back(slopes[k]);
        if (knows_rates(slopes[k]))
          refuse("the force of a constraint depends on velocities", equation);
      }
      form_.force.push_back(pool_.neg(offset));
      form_.forces_know_velocities |= knows_rates(offset);
    }
  }

  bool knows_rates(ExprId expression) const {
    return std::ranges::any_of(unknown_symbols(expression),
                               [&](ExprId symbol) { return order(symbol) > 0; });
  }

  void check_mass(ExprId entry, Index equation) {
    if (knows_rates(entry)) refuse("the mass matrix depends on velocities", equation);
    for (const ExprId s : free_symbols(pool_, entry))
      form_.constant_mass &= pool_.symbol_of(s).kind == SymbolKind::parameter;
  }

  const flat::FlatSystem& flat_;
  symbolic::ExprPool& pool_;
  std::vector<Row> rows_;
  std::vector<Row> constraints_;
  std::map<ExprId, Index> unknown_of_;  // by symbol of order 0; looked up, never iterated
  std::vector<Kind> kind_;              // [n unknowns]
  MechanicalForm form_;
};

}  // namespace

MechanicalForm mechanical_form(const flat::FlatSystem& flat, std::span<const ExprId> residuals) {
  return Recognition(flat, residuals).run();
}

}  // namespace alembert::structure
