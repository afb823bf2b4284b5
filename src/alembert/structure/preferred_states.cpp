// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/preferred_states.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/flat/delayed.hpp"
#include "alembert/structure/chart.hpp"
#include "alembert/structure/delay_derivative.hpp"
#include "alembert/structure/lengthen_chains.hpp"
#include "alembert/structure/reduced_system.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using symbolic::SymbolKind;

/// What the value of a discrete quantity follows from, where that is nothing but unknowns as they
/// are now: the phase of a fluid, the side of a comparison.
class CaseSources {
 public:
  CaseSources(const flat::FlatSystem& given, std::span<const Mode> modes,
              const SimplifiedSystem& simplified)
      : pool_(*given.pool), kept_(pool_), stand_in_(pool_), source_(pool_) {
    const flat::FlatSystem& flat = simplified.flat;
    for (Index j = 0; j < flat.unknowns.size(); ++j) kept_.set(flat.unknowns[j].symbol, j);
    for (const EliminatedUnknown& eliminated : simplified.eliminated) {
      stand_in_.set(given.unknowns[eliminated.unknown].symbol,
                    static_cast<Index>(expressions_.size()));
      expressions_.push_back(eliminated.value);
    }
    for (const Mode& mode : modes) {
      source_.set(mode.symbol, static_cast<Index>(expressions_.size()));
      expressions_.push_back(mode.source);
    }
    if (!flat.discrete_variables.empty())
      for (const DiscreteAssignment& assignment : order_assignments(flat)) {
        source_.set(flat.discrete_variables[assignment.variable].symbol,
                    static_cast<Index>(expressions_.size()));
        expressions_.push_back(assignment.value);
      }
    met_.assign(expressions_.size(), 0);
  }

  /// Appends the unknowns behind the discrete symbols of an equation; false if there is more.
  bool append(ExprId residual, std::vector<Index>& unknowns) {
    ++epoch_;
    bool of_equation = true;
    std::vector<ExprId> open{residual};
    while (!open.empty()) {
      const ExprId expression = open.back();
      open.pop_back();
      for (const ExprId symbol : symbolic::free_symbols(pool_, expression)) {
        const SymbolKind kind = pool_.symbol_of(symbol).kind;
        if (kind == SymbolKind::parameter || (of_equation && kind != SymbolKind::discrete))
          continue;
        if (kind == SymbolKind::unknown && kept_.contains(symbol)) {
          unknowns.push_back(kept_[symbol]);
          continue;
        }
        const symbolic::NodeIndex& index = kind == SymbolKind::discrete ? source_ : stand_in_;
        if (!index.contains(symbol)) return false;  // time, pre(v), a derivative, a delay
        const Index place = index[symbol];
        if (std::exchange(met_[place], epoch_) != epoch_) open.push_back(expressions_[place]);
      }
      of_equation = false;
    }
    return true;
  }

 private:
  const symbolic::ExprPool& pool_;
  symbolic::NodeIndex kept_;      // unknowns of the simplified system
  symbolic::NodeIndex stand_in_;  // expressions, by eliminated unknown
  symbolic::NodeIndex source_;    // expressions, by discrete symbol
  std::vector<ExprId> expressions_;
  std::vector<Index> met_;  // [n expressions]: epoch
  Index epoch_ = 0;
};

class PreferredStates {
 public:
  PreferredStates(const flat::FlatSystem& given, std::span<const Mode> modes,
                  const SimplifiedSystem& simplified, const StructuralPlan& plan)
      : simplified_(simplified),
        flat_(simplified.flat),
        plan_(plan),
        cases_(given, modes, simplified),
        top_variable_(highest_variables(plan.structure)),
        rows_(plan.structure.equations.size()),
        met_(plan.structure.equations.size(), 0),
        met_state_(plan.highest_order.size(), 0),
        taken_by_(plan.highest_order.size(), none),
        asked_(plan.highest_order.size(), none) {}

  /// Unknowns to be differentiated.
  std::vector<Index> run() {
    std::vector<Wish> wishes;
    for (const Variable& variable : plan_.structure.variables) {  // in canonical order
      const Index j = variable.unknown;
      if (variable.order > 0 || plan_.highest_order[j] > 0 || priority(j) <= 0) continue;
      if (auto wish = wish_of(j)) wishes.push_back(std::move(*wish));
    }
    std::ranges::stable_sort(wishes, {}, [&](const Wish& wish) {
      return std::pair(-priority(wish.unknown), wish.n_equations);
    });
    std::vector<Index> taken;
    for (Index w = 0; w < wishes.size(); ++w)
      if (take_state(wishes, w)) taken.push_back(wishes[w].unknown);
    return taken;
  }

 private:
  /// An unknown that shall be a state, and what it could be one in place of.
  struct Wish {
    Index unknown;
    std::size_t n_equations;    // it follows from, the states being known
    std::vector<Index> states;  // unknowns of lower priority among these
  };
  /// The variables of an equation, with those behind its cases.
  struct Row {
    bool may_be_differentiated = false;
    std::vector<Index> variables;
  };

  double priority(Index unknown) const { return flat_.unknowns[unknown].state_priority; }

  /// Everything an unknown follows from, up to the states. None if it cannot be a state for that.
  std::optional<Wish> wish_of(Index unknown) {
    const Structure& s = plan_.structure;
    Wish wish{unknown, 0, {}};
    std::vector<Index> equations{s.var_to_eq[top_variable_[unknown]]};
    ++epoch_;
    met_[equations.front()] = epoch_;
    for (std::size_t next = 0; next < equations.size(); ++next) {
      const Row& row = row_of(equations[next]);
      if (equations.size() > most_preferred_equations || !row.may_be_differentiated) return {};
      for (const Index v : row.variables) {
        const Variable& variable = s.variables[v];
        if (!s.is_highest(v)) {
          if (variable.order + 1 == plan_.highest_order[variable.unknown] &&
              priority(variable.unknown) < priority(unknown) &&
              std::exchange(met_state_[variable.unknown], epoch_) != epoch_)
            wish.states.push_back(variable.unknown);
          continue;
        }
        const Index equation = s.var_to_eq[v];
        if (std::exchange(met_[equation], epoch_) != epoch_) equations.push_back(equation);
      }
    }
    if (wish.states.empty()) return {};
    wish.n_equations = equations.size();
    return wish;
  }

  const Row& row_of(Index e) {
    std::optional<Row>& row = rows_[e];
    if (!row) row = read_row(e);
    return *row;
  }

  Row read_row(Index e) {
    const Structure& s = plan_.structure;
    const ExprId residual = simplified_.residuals[s.equations[e].source];
    std::vector<Index> behind_cases;
    if (!cases_.append(residual, behind_cases)) return {};
    try {
      ExprId derivative = residual;
      for (Index k = 0; k <= s.equations[e].order; ++k)
        derivative = time_derivative(*flat_.pool, derivative, flat::delayed_symbols(flat_));
    } catch (const Error&) {  // a function without a derivative
      return {};
    }
    Row row{true, {s.incidence[e].begin(), s.incidence[e].end()}};
    for (const Index j : behind_cases) {
      Index v = top_variable_[j];
      if (s.variables[v].order > 0) continue;  // a state, or follows from what was differentiated
      row.variables.push_back(v);
    }
    return row;
  }

  /// Gives wish w a state to replace, along an augmenting path: a wish that has taken the state may
  /// have another one to go to, after asking others in turn. False if there is none.
  bool take_state(const std::vector<Wish>& wishes, Index w) {
    struct Step {
      Index wish;
      std::size_t n_asked = 0;  // of its states; the next step is who has taken the last of them
    };
    std::vector<Step> path{{w}};
    while (!path.empty()) {
      Step& step = path.back();
      const std::vector<Index>& states = wishes[step.wish].states;
      if (step.n_asked == 0) {  // just reached; a free state ends the path, so these come first
        const auto free = std::ranges::find(states, none, [&](Index s) { return taken_by_[s]; });
        if (free != states.end()) {
          taken_by_[*free] = step.wish;
          path.pop_back();
          for (const Step& above : path)
            taken_by_[wishes[above.wish].states[above.n_asked - 1]] = above.wish;
          return true;
        }
      }
      while (step.n_asked < states.size() && asked_[states[step.n_asked]] == w) ++step.n_asked;
      if (step.n_asked == states.size()) {
        path.pop_back();
        continue;
      }
      const Index state = states[step.n_asked++];
      asked_[state] = w;
      path.push_back({taken_by_[state]});
    }
    return false;
  }

  const SimplifiedSystem& simplified_;
  const flat::FlatSystem& flat_;
  const StructuralPlan& plan_;
  CaseSources cases_;
  std::vector<Index> top_variable_;
  std::vector<std::optional<Row>> rows_;  // [n equations]
  std::vector<Index> met_;                // [n equations]: epoch
  std::vector<Index> met_state_;          // [n unknowns]: epoch
  std::vector<Index> taken_by_;           // [n unknowns]: wish
  std::vector<Index> asked_;              // [n unknowns]: the wish it was last asked for
  Index epoch_ = 0;
};

/// Whether unknowns become states from which the rest of their parts follows, [n unknowns].
std::vector<char> served_by(const StructuralPlan& plan, const Chart& chart) {
  std::vector<char> served(plan.highest_order.size(), 0);
  for (const SelectionPart& part : plan.selection_parts)
    for (const Index j : part.unknowns)
      served[j] = part.settled && chart.n_dummies[j] < plan.highest_order[j];
  return served;
}

}  // namespace

void admit_preferred_states(const flat::FlatSystem& given, std::span<const Mode> modes,
                            const SimplifiedSystem& simplified, StructuralPlan& plan) {
  const flat::FlatSystem& flat = simplified.flat;
  bool any = false;
  for (Index j = 0; j < flat.unknowns.size() && !any; ++j)
    any = flat.unknowns[j].state_priority > 0 && plan.highest_order[j] == 0;
  if (!any || plan.degrees_of_freedom == 0) return;
  std::vector<Index> wanted = PreferredStates(given, modes, simplified, plan).run();
  // Which of them are states, only a chart of the longer system tells.
  constexpr int most_rounds = 5;
  for (int round = 0; round < most_rounds && !wanted.empty(); ++round) {
    std::vector<Index> orders = plan.highest_order;
    for (const Index j : wanted) orders[j] = 1;
    Structure structure = extract_structure(flat, simplified.residuals);
    lengthen_chains(structure, orders);
    StructuralPlan longer = make_plan(std::move(structure));
    // A function that tells its own derivative may say less of it than of its value.
    if (longer.degrees_of_freedom != plan.degrees_of_freedom) return;
    settle_choices(flat, differentiate(flat, longer, simplified.residuals).selection_jacobian,
                   longer);
    const std::vector<char> served = served_by(longer, static_chart(flat, longer));
    const auto n_left_out = std::erase_if(wanted, [&](Index j) { return !served[j]; });
    if (n_left_out > 0) continue;
    plan = std::move(longer);
    return;
  }
}

}  // namespace alembert::structure
