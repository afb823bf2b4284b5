// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/start_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>

#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/flat/short_text.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/homotopy.hpp"
#include "alembert/structure/hybrid_system.hpp"
#include "alembert/structure/initial_discretes.hpp"
#include "alembert/structure/user_place.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// Larger sets are not followed from value to value.
constexpr std::size_t most_followed = 200;
/// What a run overlooks, with some room: it must never accept what is an error here.
constexpr double overlooked = 1e-5;
constexpr std::size_t most_notes = 10;

/// The start values that are fixed are all of states, and nothing else is said about the start.
bool is_plain(const StructuralPhase& phase) {
  const flat::FlatSystem& flat = phase.simplified.flat;
  const InitialDiscretes said(flat);
  for (const flat::FlatEquation& equation : flat.initial_equations)
    if (said.given(equation).variable == graph::none) return false;
  for (const flat::DerivativeStart& start : flat.derivative_starts)
    if (start.fixed) return false;
  for (std::size_t j = 0; j < flat.unknowns.size(); ++j)
    if (flat.unknowns[j].fixed && phase.chart.n_dummies[j] >= phase.plan.highest_order[j])
      return false;
  return true;
}

/// The conditions of a conflict, followed by closed forms from the fixed starts on.
class Follower {
 public:
  Follower(const flat::FlatSystem& flat, const InitialPlan& plan, const StartConflict& conflict)
      : flat_(flat), pool_(*flat.pool), plan_(plan), conflict_(conflict) {}

  struct Miss {
    Index row;  // of the plan: what is left when all other conditions were followed
    double by;
  };

  /// Nothing where the conditions agree, or where that is not known for sure.
  std::optional<Miss> miss() {
    if (conflict_.rows.size() + conflict_.fixed.size() > most_followed) return std::nullopt;
    if (!enter_known() || !order_rows()) return std::nullopt;
    const double off = difference_with(none, 0);
    if (!std::isfinite(off)) return std::nullopt;
    // A run lets go of any one of the conditions, and overlooks little enough of it.
    for (Index k = 0; k < conflict_.fixed.size() + conflict_.rows.size(); ++k)
      for (const double sign : {-1.0, 1.0}) {
        const double moved = difference_with(k, sign * overlooked);
        if (!(std::abs(moved - off) <= 0.5 * std::abs(off))) return std::nullopt;
      }
    return Miss{conflict_.rows[last_], std::abs(off)};
  }

 private:
  struct Step {
    Index row;      // place among the conflict's rows
    ExprId column;  // symbol
    ExprId value;   // solved for it
    ExprId slope;   // an offset of the row moves the value by its share
  };

  /// Parameters that are numbers, the time of the start, fixed starts.
  bool enter_known() {
    std::vector<double> numbers = flat::examine_parameters(flat_).values;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (flat_.parameters[i].solved_for) numbers[i] = std::numeric_limits<double>::quiet_NaN();
    known_ = flat::values_by_symbol(flat_, numbers);
    known_[pool_.time()] = flat_.experiment.start.value_or(0);
    const flat::StartNumbers starts = flat::evaluate_starts(flat_, numbers);
    symbolic::Values start_of;  // looked up, never iterated
    for (std::size_t j = 0; j < flat_.unknowns.size(); ++j)
      start_of[flat_.unknowns[j].symbol] = starts.unknowns[j].value_or(0);
    for (std::size_t i = 0; i < flat_.derivative_starts.size(); ++i)
      start_of[flat_.derivative_starts[i].symbol] = starts.derivatives[i];
    for (const Index c : conflict_.fixed) {
      const auto start = start_of.find(plan_.columns[c]);
      if (start == start_of.end() || !std::isfinite(start->second)) return false;
      fixed_.push_back(start->second);
    }
    return true;
  }

  /// Rows in an order in which each gives one more value, down to the one that gives none.
  bool order_rows() {
    std::unordered_set<ExprId> open;  // looked up, never iterated
    for (const ExprId column : plan_.columns) open.insert(column);
    for (const Index c : conflict_.fixed) open.erase(plan_.columns[c]);
    std::vector<char> used(conflict_.rows.size(), 0);
    for (bool grows = true; grows;) {
      grows = false;
      for (Index k = 0; k < conflict_.rows.size(); ++k) {
        if (used[k]) continue;
        std::vector<ExprId> unknown;
        for (const ExprId symbol : symbolic::free_symbols(pool_, residual_of(k))) {
          if (open.contains(symbol)) unknown.push_back(symbol);
          // Choices, delays and the like have values in the run alone.
          if (pool_.symbol_of(symbol).kind == symbolic::SymbolKind::discrete) return false;
        }
        if (unknown.size() != 1) continue;
        const auto form = symbolic::linear_form(pool_, residual_of(k), unknown[0]);
        if (!form) continue;
        steps_.push_back({k, unknown[0], form->offset, form->slope});
        open.erase(unknown[0]);
        used[k] = 1;
        grows = true;
      }
    }
    if (steps_.size() + 1 != conflict_.rows.size()) return false;
    last_ = static_cast<Index>(std::find(used.begin(), used.end(), 0) - used.begin());
    return true;
  }

  ExprId residual_of(Index k) const { return plan_.rows[conflict_.rows[k]].residual; }

  /// With one of the conditions, fixed starts first, moved by so much.
  double difference_with(Index moved, double by) const {
    symbolic::Values values = known_;
    for (Index i = 0; i < fixed_.size(); ++i)
      values[plan_.columns[conflict_.fixed[i]]] =
          fixed_[i] + (i == moved ? by * std::max(1.0, std::abs(fixed_[i])) : 0.0);
    const auto n_fixed = static_cast<Index>(fixed_.size());
    for (const Step& step : steps_) {
      const double offset =
          evaluate(pool_, step.value, values) + (n_fixed + step.row == moved ? by : 0.0);
      values[step.column] = -offset / evaluate(pool_, step.slope, values);
    }
    return evaluate(pool_, residual_of(last_), values) + (n_fixed + last_ == moved ? by : 0.0);
  }

  const flat::FlatSystem& flat_;
  symbolic::ExprPool& pool_;
  const InitialPlan& plan_;
  const StartConflict& conflict_;
  symbolic::Values known_;
  std::vector<double> fixed_;  // [n fixed columns of the conflict]
  std::vector<Step> steps_;
  Index last_ = none;  // row without a step
};

/// Conflicts as findings.
class StartReporter {
 public:
  StartReporter(const flat::FlatSystem& given, const HybridSystem& extended,
                const StructuralPhase& phase, const InitialPlan& plan,
                std::string_view where_they_agree)
      : given_(given),
        extended_(extended),
        phase_(phase),
        plan_(plan),
        where_they_agree_(where_they_agree) {}

  Diagnostic report(const StartConflict& conflict,
                    const std::optional<Follower::Miss>& miss) const {
    std::vector<Note> said;   // by initial equations and fixed starts
    std::vector<Note> bound;  // by equations of the model
    for (const Index r : conflict.rows) {
      const InitialRow& row = plan_.rows[r];
      if (is_of_ours(row)) continue;
      (row.kind == InitialRow::Kind::initial ? said : bound).push_back(described(row));
    }
    const bool has_initial = !said.empty();
    for (const Index c : conflict.fixed)
      said.push_back(describe_fixed_start(given_, phase_.simplified, plan_.columns[c]));
    // Texts, not numbers of equations, so that the order of writing makes no difference.
    const auto by_text = [](const Note& a, const Note& b) { return a.text < b.text; };
    std::stable_sort(said.begin(), said.end(), by_text);
    std::stable_sort(bound.begin(), bound.end(), by_text);

    std::string text = "the start has one condition too many: ";
    std::vector<std::string> names;
    for (const Note& note : said) names.push_back(note.text);
    text +=
        names.empty() ? "the equations alone determine more than there is" : flat::listed(names);
    if (!bound.empty() && !names.empty())
      text += names.size() == 1 ? " beside what the equations say" : " with what the equations say";
    text += miss ? ". They contradict each other: with the others, " + description(miss->row) +
                       " is off by " + rounded_text(miss->by)
                 : ". " + std::string(where_they_agree_);
    const bool has_fixed = !conflict.fixed.empty();
    text += has_fixed && has_initial ? ". Remove an initial equation, or leave a start free."
            : has_fixed              ? ". Leave one of the starts free (fixed = false)."
            : has_initial            ? ". Remove one of the initial equations."
                                     : ". Remove one of the equations.";
    std::vector<Origin> places;
    for (const Note& note : said) places.push_back(note.origin);
    for (const Note& note : bound) places.push_back(note.origin);
    if (places.empty()) places.push_back(given_.origin);
    std::vector<Note> notes = said;
    notes.insert(notes.end(), bound.begin(), bound.end());
    if (notes.size() > most_notes + 1) {
      const std::size_t more = notes.size() - most_notes;
      notes.resize(most_notes);
      notes.push_back({"and " + flat::counted(more, "more condition"), {}});
    }
    return {"S016", std::move(text), user_place(given_, places), std::move(notes)};
  }

 private:
  /// An equation that only names a derivative which an initial equation asks for.
  bool is_of_ours(const InitialRow& row) const {
    if (row.kind != InitialRow::Kind::equation) return false;
    const Index source = phase_.plan.structure.equations[row.source].source;
    return phase_.simplified.kept_equations[source] >= given_.equations.size();
  }

  Note described(const InitialRow& row) const {
    return describe_start_row(extended_, phase_.simplified, phase_.plan, row);
  }
  std::string description(Index row) const { return described(plan_.rows[row]).text; }

  const flat::FlatSystem& given_;
  const HybridSystem& extended_;  // with what passes added to it
  const StructuralPhase& phase_;
  const InitialPlan& plan_;
  std::string_view where_they_agree_;
};

}  // namespace

Note describe_start_row(const HybridSystem& given, const SimplifiedSystem& simplified,
                        const StructuralPlan& plan, const InitialRow& row) {
  const flat::FlatSystem& flat = given.flat;
  switch (row.kind) {
    case InitialRow::Kind::initial: {
      const flat::FlatEquation equation = as_written(given.written.initial_equations, row.source,
                                                     flat.initial_equations[row.source]);
      return {"initial " + flat::equation_text(flat, equation), equation.origin};
    }
    case InitialRow::Kind::parameter: {
      const flat::Parameter& parameter = simplified.flat.parameters[row.source];
      return {"the definition of '" + flat.pool->symbol_of(parameter.symbol).name + "'",
              parameter.origin};
    }
    case InitialRow::Kind::discrete: {
      const flat::FlatEquation equation = as_written(given.written.discrete_equations, row.source,
                                                     flat.discrete_equations[row.source]);
      return {flat::equation_text(flat, equation), equation.origin};
    }
    case InitialRow::Kind::equation: break;
  }
  const Equation& equation = plan.structure.equations[row.source];
  const Index kept = simplified.kept_equations[equation.source];
  const flat::FlatEquation source = as_written(given.written.equations, kept, flat.equations[kept]);
  static constexpr const char* levels[] = {"", "the derivative of ", "the second derivative of "};
  const bool is_own = source.origin.derived_from == flat::substituted_combination;
  return {(equation.order < 3 ? levels[equation.order] : "a derivative of ") +
              (is_own ? "what (" + flat::short_text(flat, source.right) + ") is made of"
                      : flat::equation_text(flat, source)),
          source.origin};
}

Note describe_fixed_start(const flat::FlatSystem& given, const SimplifiedSystem& simplified,
                          ExprId column) {
  const symbolic::ExprPool& pool = *given.pool;
  const auto text = [&](ExprId symbol, ExprId value) {
    return "the fixed start " +
           flat::in_quotes(pool.symbol_text(symbol) + " = " +
                           (value.valid() ? symbolic::to_short_text(pool, value) : "0"));
  };
  for (const flat::DerivativeStart& start : given.derivative_starts)
    if (start.symbol == column && start.fixed) return {text(column, start.value), start.origin};
  const flat::Unknown* declared = nullptr;
  for (const flat::Unknown& unknown : given.unknowns)
    if (unknown.symbol == column) declared = &unknown;
  if (declared == nullptr || !declared->fixed)  // it may have come from an alias
    for (const EliminatedUnknown& eliminated : simplified.eliminated) {
      if (eliminated.unknown >= given.unknowns.size()) continue;
      const flat::Unknown& alias = given.unknowns[eliminated.unknown];
      const bool same =
          !eliminated.constant && symbolic::depends_on(pool, eliminated.value, column);
      if (same && alias.fixed) return {text(alias.symbol, alias.start), alias.origin};
    }
  if (declared == nullptr)
    return {"the fixed start of " + flat::in_quotes(pool.symbol_text(column)), given.origin};
  return {text(declared->symbol, declared->start), declared->origin};
}

std::vector<Diagnostic> check_start(const flat::FlatSystem& given, const StructuralPhase& phase,
                                    std::string_view where_they_agree) {
  if (is_plain(phase)) return {};
  // As a run prepares it: what varies at events is a constant of the start.
  flat::FlatSystem actual = given;
  take_homotopy(actual);
  HybridSystem hybrid = split(std::move(actual));
  const StructuralPhase own = run_shared_passes(hybrid);
  const flat::FlatSystem& flat = own.simplified.flat;
  const InitialPlan plan =
      plan_start(flat, own.plan, own.differentiated, static_chart(flat, own.plan),
                 start_marks(flat, own.differentiated.variables));
  std::vector<Diagnostic> doubts, contradictions;
  const StartReporter reporter(given, hybrid, own, plan, where_they_agree);
  for (const StartConflict& conflict : plan.conflicts) {
    const std::optional<Follower::Miss> miss = Follower(flat, plan, conflict).miss();
    (miss ? contradictions : doubts).push_back(reporter.report(conflict, miss));
  }
  if (!contradictions.empty()) throw Error(std::move(contradictions));
  return doubts;
}

}  // namespace alembert::structure
