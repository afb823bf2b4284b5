// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/hidden_singularity.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/flat/state_priority.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/cancelled_symbols.hpp"
#include "alembert/structure/consistent_point.hpp"
#include "alembert/structure/equal_names.hpp"
#include "alembert/structure/floating_network.hpp"
#include "alembert/structure/hidden_singularity_error.hpp"
#include "alembert/structure/null_combination.hpp"
#include "alembert/structure/redundant_equations.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/solution_set.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/simplify.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// Entries that are not smooth become symbols of their own, equal ones the same: what is singular
/// whatever they are is singular in every mode.
struct OpaqueMatrix {
  OpaqueMatrix(symbolic::ExprPool& pool, const ExprMatrix& given) : matrix(given) {
    std::vector<ExprId> met;
    for (auto& row : matrix)
      for (ExprId& entry : row) {
        if (pool.is_number(entry) || is_smooth(pool, {&entry, 1})) continue;
        auto place = std::find(met.begin(), met.end(), entry);
        if (place == met.end()) {
          met.push_back(entry);
          symbols.push_back(pool.parameter("entry " + std::to_string(met.size())));
          place = met.end() - 1;
        }
        entry = symbols[static_cast<std::size_t>(place - met.begin())];
      }
  }

  /// True if no symbol of ours is left in the vector once a factor of all its entries is divided
  /// by; the vector is then without it.
  bool is_cancelled_in(symbolic::ExprPool& pool, std::vector<ExprId>& vector) const {
    if (is_absent_in(pool, vector)) return true;
    for (const ExprId factor : vector) {
      if (pool.is_zero(factor)) continue;
      std::vector<ExprId> divided;
      for (const ExprId entry : vector) divided.push_back(pool.div(entry, factor));
      if (!is_absent_in(pool, divided)) continue;
      vector = std::move(divided);
      return true;
    }
    return false;
  }

 private:
  /// True if no symbol of ours is in the expressions.
  bool is_absent_in(const symbolic::ExprPool& pool, std::span<const ExprId> expressions) const {
    for (const ExprId symbol : symbolic::free_symbols(pool, expressions))
      if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end()) return false;
    return true;
  }

 public:
  ExprMatrix matrix;
  std::vector<ExprId> symbols;
};

class Repairer {
 public:
  Repairer(const flat::FlatSystem& given, SimplifiedSystem& simplified, StructuralPlan& plan)
      : given_(given),
        simplified_(simplified),
        flat_(simplified.flat),
        residuals_(simplified.residuals),
        pool_(*flat_.pool),
        plan_(plan) {}

  std::vector<StructureRepair> run() {
    while (auto repair = repair_one()) repairs_.push_back(std::move(*repair));
    return std::move(repairs_);
  }

 private:
  std::optional<StructureRepair> repair_one() {
    // Of a single equation only values can take the unknown away.
    const std::size_t smallest = flat_.equations.size() <= largest_solved ? 1 : 2;
    for (const JacobianBlock& block : jacobian_blocks(plan_, smallest, largest_counted)) {
      combination_failed_ = false;
      contradiction_.reset();
      const Index n_columns = static_cast<Index>(block.unknowns.size());
      if (const auto u = integer_combination(pool_, jacobian().sparse(block), n_columns))
        if (auto repair = combine(block, *u)) return repair;
      if (block.equations.size() > largest_tested) continue;
      const ExprMatrix matrix = jacobian().dense(block);
      const OpaqueMatrix opaque(pool_, matrix);
      const bool is_single = block.equations.size() == 1;
      const std::vector<std::size_t> rows =
          is_single ? std::vector<std::size_t>{} : dependent_rows_of(pool_, opaque.matrix);
      if (rows.empty()) {
        if (auto repair = repair_by_values(block, opaque)) return repair;
        continue;
      }
      if (auto u = null_combination(pool_, opaque.matrix, rows))
        if (opaque.is_cancelled_in(pool_, u->factors))
          if (auto repair = combine(block, *u)) return repair;
      if (const auto u = number_combination(pool_, opaque.matrix, rows))
        if (auto repair = combine(block, *u)) return repair;
      if (!opaque.symbols.empty()) {
        throw_if_floating(part_of(block, rows, {}));
        continue;  // it may be regular where it matters
      }
      const ExprMatrix columns = transposed(matrix);
      const std::vector<std::size_t> dependent = dependent_rows_of(pool_, columns);
      if (const auto v = null_combination(pool_, columns, dependent))
        if (auto repair = substitute_in(block, matrix, v->factors)) return repair;
      if (auto repair = repair_by_values(block, opaque)) return repair;
      const JacobianBlock part = part_of(block, rows, dependent);
      throw_if_floating(part);
      if (contradiction_) throw contradiction_error(given_, *contradiction_);
      throw_singular(part, combined_before(part));
    }
    return repair_on_solutions();
  }

  /// What is singular only with the values that parameters have. Nothing is thrown: with other
  /// values the model may be meant to run.
  std::optional<StructureRepair> repair_by_values(const JacobianBlock& block,
                                                  const OpaqueMatrix& opaque) {
    std::vector<ExprId> entries;
    for (const auto& row : opaque.matrix) entries.insert(entries.end(), row.begin(), row.end());
    if (parameters_in(entries).empty()) return std::nullopt;
    const symbolic::Values* values = &parameter_values();
    const ExprMatrix matrix = without_vanishing(pool_, opaque.matrix, values);
    const std::vector<std::size_t> rows = dependent_rows_of(pool_, matrix, values);
    if (rows.empty()) return std::nullopt;
    std::optional<StructureRepair> repair;
    if (auto u = null_combination(pool_, matrix, rows, values))
      if (opaque.is_cancelled_in(pool_, u->factors)) repair = combine(block, *u, values);
    if (!repair)
      if (const auto u = number_combination(pool_, matrix, rows, values))
        repair = combine(block, *u, values);
    if (!repair && opaque.symbols.empty()) {
      const ExprMatrix columns = transposed(matrix);
      const std::vector<std::size_t> dependent = dependent_rows_of(pool_, columns, values);
      if (const auto v = null_combination(pool_, columns, dependent, values))
        repair = substitute_in(block, matrix, v->factors);
    }
    if (repair) {
      std::ranges::copy(repair->by_values, std::back_inserter(entries));
      repair->by_values = parameters_in(entries);
    }
    return repair;
  }

  std::vector<ExprId> parameters_in(std::span<const ExprId> expressions) {
    std::vector<ExprId> parameters;
    for (const ExprId symbol : free_symbols(pool_, expressions))
      if (parameter_values().contains(symbol)) parameters.push_back(symbol);
    return parameters;
  }

  /// Of those that have one before a run.
  const symbolic::Values& parameter_values() {
    if (!parameter_values_) {
      parameter_values_.emplace();
      const std::vector<double> values = flat::examine_parameters(given_).values;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const flat::Parameter& parameter = given_.parameters[i];
        if (parameter.value.valid() && !parameter.solved_for && std::isfinite(values[i]))
          parameter_values_->emplace(parameter.symbol, values[i]);
      }
    }
    return *parameter_values_;
  }

  /// What is singular only where the equations hold. A combination by numbers is one there, as far
  /// as what cancels does so as a factor: where the highest derivatives are linear.
  std::optional<StructureRepair> repair_on_solutions() {
    if (flat_.equations.size() > largest_solved) return std::nullopt;
    SolutionSet solutions(flat_, residuals_, plan_);
    for (const JacobianBlock& block : jacobian_blocks(plan_, 1, largest_tested)) {
      combination_failed_ = false;
      const ExprMatrix matrix = jacobian().dense(block);
      const auto found = solutions.dependent_rows(matrix);
      if (!found) continue;
      if (!found->combination.empty() && is_linear_in_highest(block, matrix)) {
        NullVector u{{}, std::vector<double>(matrix.size(), 1.0)};
        for (const std::int64_t factor : found->combination)
          u.factors.push_back(pool_.integer(factor));
        if (auto repair = combine(block, u)) return repair;
      }
      const JacobianBlock part = part_of(block, found->rows, found->columns);
      throw_if_floating(part);
      throw_singular(part, found->because);
    }
    return std::nullopt;
  }

  bool is_linear_in_highest(const JacobianBlock& block, const ExprMatrix& matrix) {
    std::vector<ExprId> entries;
    for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
    const std::vector<ExprId> symbols = free_symbols(pool_, entries);
    return std::ranges::none_of(block.unknowns, [&](Index j) {
      ExprId symbol = flat_.unknowns[j].symbol;
      for (Index k = 0; k <= plan_.highest_order[j]; ++k, symbol = pool_.derivative_symbol(symbol))
        if (k + most_differentiations(block) >= plan_.highest_order[j] &&
            std::ranges::find(symbols, symbol) != symbols.end())
          return true;
      return false;
    });
  }

  Index most_differentiations(const JacobianBlock& block) const {
    Index most = 0;
    for (const Index i : block.equations) most = std::max(most, plan_.differentiations[i]);
    return most;
  }

  /// Equations of combinations that were taken before, about unknowns of these ones: without them
  /// these would not be singular.
  std::vector<Index> combined_before(const JacobianBlock& part) {
    std::vector<ExprId> own;
    for (const Index e : part.equations) own.push_back(residuals_[e]);
    const std::vector<ExprId> symbols = free_symbols(pool_, own);
    const auto is_met = [&](ExprId symbol) {
      return pool_.symbol_of(symbol).kind == symbolic::SymbolKind::unknown &&
             std::ranges::find(symbols, symbol) != symbols.end();
    };
    std::vector<Index> before;
    for (const StructureRepair& repair : repairs_)
      if (repair.replaced != none &&
          std::ranges::any_of(free_symbols(pool_, residuals_[repair.replaced]), is_met))
        std::ranges::copy_if(repair.equations, std::back_inserter(before), [&](Index e) {
          return std::ranges::find(part.equations, e) == part.equations.end();
        });
    return before;
  }

  /// The equations that repeat each other, and the unknowns that go free by it.
  static JacobianBlock part_of(const JacobianBlock& block, std::span<const std::size_t> rows,
                               std::span<const std::size_t> columns) {
    JacobianBlock part;
    for (const std::size_t i : rows) part.equations.push_back(block.equations[i]);
    for (const std::size_t j : columns) part.unknowns.push_back(block.unknowns[j]);
    return columns.empty() ? block : part;
  }

  static ExprMatrix transposed(const ExprMatrix& matrix) {
    ExprMatrix result(matrix.size());
    for (const auto& row : matrix)
      for (std::size_t j = 0; j < row.size(); ++j) result[j].push_back(row[j]);
    return result;
  }

  ExprId derivative(Index unknown, Index order) {
    return derivative_symbol(pool_, flat_.unknowns[unknown].symbol, order);
  }

  SystemJacobian jacobian() const { return {flat_, residuals_, plan_}; }

  /// True if no derivative in the factors is as high as those that are to cancel, which are of the
  /// `cancelled` unknowns: below d_j - c, or up to it for others, which are known before them.
  bool is_low(std::span<const ExprId> factors, Index c, std::span<const Index> cancelled) {
    for (const ExprId symbol : free_symbols(pool_, factors)) {
      const symbolic::Symbol& data = pool_.symbol_of(symbol);
      if (data.kind != symbolic::SymbolKind::unknown) continue;
      for (Index j = 0; j < flat_.unknowns.size(); ++j) {
        if (flat_.unknowns[j].symbol != data.base) continue;
        const bool below = std::ranges::find(cancelled, j) != cancelled.end();
        if (data.order + c + (below ? 1 : 0) > plan_.highest_order[j]) return false;
      }
    }
    return true;
  }

  /// `known`: values for which the vector is one; none if it is one in general.
  std::optional<StructureRepair> combine(const JacobianBlock& block, const NullVector& found,
                                         const symbolic::Values* known = nullptr) {
    const std::vector<ExprId>& null = found.factors;
    StructureRepair repair{StructureRepair::Method::combination, {}, none, {}, {}};
    Index least = none;
    for (std::size_t k = 0; k < null.size(); ++k)
      if (!pool_.is_zero(null[k])) {
        repair.equations.push_back(block.equations[k]);
        least = std::min(least, plan_.differentiations[block.equations[k]]);
      }
    // The equation that gives way: differentiated least, its factor 1; the last of them.
    std::optional<std::vector<ExprId>> u;
    for (std::size_t k = null.size(); k-- > 0 && !u;) {
      if (pool_.is_zero(null[k]) || plan_.differentiations[block.equations[k]] != least) continue;
      u = divided_by(pool_, null, k);
      repair.replaced = block.equations[k];
    }
    if (!u || !is_low(*u, least, block.unknowns)) return std::nullopt;

    std::vector<ExprId> terms;
    std::vector<double> doubts;
    for (std::size_t k = 0; k < u->size(); ++k) {
      if (pool_.is_zero((*u)[k])) continue;
      doubts.push_back(found.doubts[k]);
      ExprId f = residuals_[block.equations[k]];
      for (Index d = least; d < plan_.differentiations[block.equations[k]]; ++d)
        f = time_derivative(pool_, f);
      terms.push_back(pool_.mul((*u)[k], f));
    }
    symbolic::Replacements zeros = highest_of(block, least);
    const CancelledSymbols cancelled = cancelled_symbols(pool_, {terms, doubts, known});
    for (const ExprId symbol : cancelled.symbols) zeros.emplace(symbol, pool_.number(0));
    if (known != nullptr) repair.by_values = parameters_in(cancelled.slopes);
    const Saved saved = save();
    const ExprId combination = without(zeros, pool_.add(terms));
    replace(repair.replaced, combination,
            "combination of " + flat::counted(repair.equations.size(), "equation") +
                " whose derivatives cancel");
    if (!replan(saved)) {
      combination_failed_ = true;
      if (known == nullptr && is_known(combination) &&
          says_something(pool_, {substitute(pool_, terms, zeros), doubts}))
        contradiction_ = {as_given(repair.equations), combination};
      return std::nullopt;
    }
    std::sort(repair.equations.begin(), repair.equations.end());
    return repair;
  }

  bool is_known(ExprId expression) const {
    return std::ranges::all_of(free_symbols(pool_, expression), [&](ExprId symbol) {
      const symbolic::SymbolKind kind = pool_.symbol_of(symbol).kind;
      return kind == symbolic::SymbolKind::time || kind == symbolic::SymbolKind::parameter;
    });
  }

  /// The equations of the given system that these were made from: those of combinations too, and
  /// equalities between names in them.
  std::vector<Index> as_given(std::vector<Index> equations) const {
    for (auto repair = repairs_.rbegin(); repair != repairs_.rend(); ++repair)
      if (std::ranges::find(equations, repair->replaced) != equations.end())
        std::ranges::copy(repair->equations, std::back_inserter(equations));
    std::vector<Index> unknowns(flat_.unknowns.size());
    std::iota(unknowns.begin(), unknowns.end(), Index{0});
    std::vector<Index> given = equalities_between_names(given_, simplified_, equations, unknowns);
    for (const Index e : equations)
      if (simplified_.kept_equations[e] < given_.equations.size())
        given.push_back(simplified_.kept_equations[e]);
    std::ranges::sort(given);
    given.erase(std::unique(given.begin(), given.end()), given.end());
    return given;
  }

  /// The x_j^(d_j - c) of the block, which cancel in a combination. As it has the same value
  /// whatever they are, they are zero.
  symbolic::Replacements highest_of(const JacobianBlock& block, Index c) {
    symbolic::Replacements zeros;
    for (const Index j : block.unknowns)
      if (const Index d = plan_.highest_order[j]; d >= c)
        zeros.emplace(derivative(j, d - c), pool_.number(0));
    return zeros;
  }

  ExprId without(const symbolic::Replacements& zeros, ExprId combination) {
    const ExprId at_zero = symbolic::substitute(pool_, combination, zeros);
    const double value = evaluate(pool_, at_zero, generic_point(pool_, {&at_zero, 1}, 0));
    // Where zero is outside of what a root or a quotient takes, what cancels as a sum is left out.
    return std::isfinite(value) ? at_zero : residual(pool_, combination, pool_.number(0));
  }

  /// J v = 0: the derivatives x_j with v_j != 0 occur in one combination less than there are of
  /// them. With c the most differentiations of an equation that has them, and v_l = 1,
  /// y_j = x_j^(d_j - c) - v_j x_l^(d_l - c) become new unknowns in place of the x_j.
  std::optional<StructureRepair> substitute_in(const JacobianBlock& block, const ExprMatrix& matrix,
                                               const std::vector<ExprId>& null) {
    std::vector<std::size_t> columns;
    std::vector<Index> unknowns;
    for (std::size_t j = 0; j < null.size(); ++j)
      if (!pool_.is_zero(null[j])) {
        columns.push_back(j);
        unknowns.push_back(block.unknowns[j]);
      }
    StructureRepair repair{StructureRepair::Method::substitution, {}, none, {}, {}};
    Index most = 0;
    for (std::size_t i = 0; i < matrix.size(); ++i)
      if (std::ranges::any_of(columns,
                              [&](std::size_t j) { return !pool_.is_zero(matrix[i][j]); })) {
        repair.equations.push_back(block.equations[i]);
        most = std::max(most, plan_.differentiations[block.equations[i]]);
      }
    for (const Index j : unknowns)
      if (plan_.highest_order[j] < most) return std::nullopt;
    std::optional<std::vector<ExprId>> v;
    std::size_t leader = 0;
    for (std::size_t k = 0; k < columns.size() && !v; ++k) {
      v = divided_by(pool_, null, columns[k]);
      leader = columns[k];
    }
    if (!v || !is_low(*v, most, unknowns)) return std::nullopt;

    const Saved saved = save();
    const auto lowered = [&](std::size_t column) {
      const Index j = block.unknowns[column];
      return derivative(j, plan_.highest_order[j] - most);
    };
    std::vector<std::pair<Index, ExprId>> replaced;  // an unknown, and what x^(d - most) becomes
    for (const std::size_t j : columns) {
      if (j == leader) continue;
      const ExprId rest = pool_.mul((*v)[j], lowered(leader));
      const ExprId added = add_unknown(block.unknowns[j]);
      replaced.emplace_back(block.unknowns[j], pool_.add(added, rest));
      repair.added_unknowns.push_back(static_cast<Index>(flat_.unknowns.size() - 1));
      add_equation(added, pool_.sub(lowered(j), rest), repair.equations.front());
    }
    for (const Index i : repair.equations) {
      symbolic::Replacements replacements;
      const Index c = plan_.differentiations[i];
      for (const auto& [j, value] : replaced) {
        ExprId by = value;
        for (Index k = c; k < most; ++k) by = time_derivative(pool_, by);
        replacements[derivative(j, plan_.highest_order[j] - c)] = by;
      }
      replace(i, symbolic::expand(pool_, symbolic::substitute(pool_, residuals_[i], replacements)),
              "substitution of derivatives that occur in one combination only");
    }
    if (!replan(saved)) return std::nullopt;
    std::sort(repair.equations.begin(), repair.equations.end());
    return repair;
  }

  /// A symbol that another analysis of the same system left in the pool is free.
  bool is_taken(const std::string& name) const {
    const ExprId symbol = pool_.find_symbol(name);
    if (!symbol.valid()) return false;
    const auto has_it = [&](const flat::Unknown& unknown) { return unknown.symbol == symbol; };
    return pool_.symbol_of(symbol).kind != symbolic::SymbolKind::unknown ||
           std::ranges::any_of(given_.unknowns, has_it) ||
           std::ranges::any_of(flat_.unknowns, has_it);
  }

  ExprId add_unknown(Index replaced) {
    const std::string base =
        pool_.symbol_text(flat_.unknowns[replaced].symbol) + std::string(substituted);
    std::string name = base;
    for (int k = 2; is_taken(name); ++k) name = base + std::to_string(k);
    const ExprId symbol = pool_.unknown(name);
    simplified_.kept_unknowns.push_back(
        static_cast<Index>(given_.unknowns.size() + n_added_unknowns()));
    Origin origin = flat_.unknowns[replaced].origin;
    origin.derived_from = flat::substituted_combination;
    flat_.unknowns.push_back({.symbol = symbol,
                              .description = "in place of a derivative that cancels",
                              .state_priority = flat::priority_of_added,
                              .origin = std::move(origin)});
    return symbol;
  }

  void add_equation(ExprId left, ExprId right, Index like) {
    simplified_.kept_equations.push_back(
        static_cast<Index>(given_.equations.size() + n_added_equations()));
    flat::FlatEquation equation{left, right, flat_.equations[like].origin};
    equation.origin.derived_from = flat::substituted_combination;
    flat_.equations.push_back(std::move(equation));
    residuals_.push_back(residual(pool_, left, right));
  }

  std::size_t n_added_unknowns() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        simplified_.kept_unknowns, [&](Index j) { return j >= given_.unknowns.size(); }));
  }
  std::size_t n_added_equations() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        simplified_.kept_equations, [&](Index e) { return e >= given_.equations.size(); }));
  }

  void replace(Index equation, ExprId new_residual, std::string reason) {
    replaced_.push_back({equation, flat_.equations[equation], residuals_[equation]});
    flat_.equations[equation].left = residuals_[equation] = new_residual;
    flat_.equations[equation].right = pool_.number(0);
    flat_.equations[equation].origin.derived_from = std::move(reason);
  }

  /// What a repair that turns out to be none is taken back to.
  struct Saved {
    std::size_t n_unknowns;
    std::size_t n_equations;
  };

  Saved save() {
    replaced_.clear();
    return {flat_.unknowns.size(), flat_.equations.size()};
  }

  void take_back(const Saved& saved) {
    for (auto it = replaced_.rbegin(); it != replaced_.rend(); ++it) {
      flat_.equations[it->equation] = it->before;
      residuals_[it->equation] = it->residual;
    }
    flat_.unknowns.resize(saved.n_unknowns);
    simplified_.kept_unknowns.resize(saved.n_unknowns);
    flat_.equations.resize(saved.n_equations);
    residuals_.resize(saved.n_equations);
    simplified_.kept_equations.resize(saved.n_equations);
  }

  /// The degrees of freedom fall with every repair that is one, which is why there is an end.
  bool replan(const Saved& saved) {
    try {
      Structure structure = extract_structure(flat_, residuals_);
      require_structurally_regular(flat_, structure);
      StructuralPlan plan = make_plan(std::move(structure));
      if (plan.degrees_of_freedom < plan_.degrees_of_freedom) {
        plan_ = std::move(plan);
        return true;
      }
    } catch (const Error&) {  // not regular: no repair
    }
    take_back(saved);
    return false;
  }

  /// Where all levels of a network may move together, that is what the user should hear of.
  void throw_if_floating(const JacobianBlock& part) const {
    std::vector<Diagnostic> floating =
        hidden_floating_networks(given_, simplified_, part.equations);
    if (!floating.empty()) throw Error(std::move(floating));
  }

  [[noreturn]] void throw_singular(JacobianBlock part, std::vector<Index> because) const {
    throw hidden_singularity_error(given_, simplified_, plan_,
                                   {.part = std::move(part),
                                    .because = std::move(because),
                                    .combination_failed = combination_failed_});
  }

  struct Replaced {
    Index equation;
    flat::FlatEquation before;
    ExprId residual;
  };

  const flat::FlatSystem& given_;
  SimplifiedSystem& simplified_;
  flat::FlatSystem& flat_;  // simplified
  std::vector<ExprId>& residuals_;
  std::vector<StructureRepair> repairs_;
  std::vector<Replaced> replaced_;   // since the last save
  bool combination_failed_ = false;  // of the block at hand: it made nothing regular
  std::optional<Contradiction>
      contradiction_;  // of the block at hand: a combination without unknowns
  std::optional<symbolic::Values> parameter_values_;
  symbolic::ExprPool& pool_;
  StructuralPlan& plan_;
};

}  // namespace

std::vector<StructureRepair> resolve_hidden_singularities(const flat::FlatSystem& given,
                                                          SimplifiedSystem& simplified,
                                                          StructuralPlan& plan) {
  return Repairer(given, simplified, plan).run();
}

}  // namespace alembert::structure
