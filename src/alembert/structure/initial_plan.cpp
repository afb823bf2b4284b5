// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/initial_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/flat/state_priority.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"
#include "alembert/structure/hybrid_system.hpp"
#include "alembert/structure/initial_discretes.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprPool;
using symbolic::SymbolKind;

/// Whoever made so many mistakes is helped by the first of them.
constexpr std::size_t most_conflicts = 20;

class StartPlanner {
 public:
  StartPlanner(const flat::FlatSystem& flat, const StructuralPlan& plan,
               const DifferentiatedSystem& differentiated)
      : flat_(flat), pool_(*flat.pool), plan_(plan), differentiated_(differentiated), said_(flat) {}

  InitialPlan run(const Chart& chart, std::span<const StartMark> marks) {
    add_columns();
    add_discretes();
    add_rows();
    const graph::BipartiteGraph graph(static_cast<Index>(result_.columns.size()), incidence());
    graph::Matching matching(graph.n_equations(), graph.n_unknowns());
    for (const Index column : order(chart, marks)) augment(graph, matching, column);
    free_equations(graph, matching);
    rate_guesses(marks);
    const auto n_variables = static_cast<Index>(differentiated_.variables.size());
    for (Index c = 0; c < n_variables; ++c) {
      const bool solved = matching.var_to_eq[c] != graph::none;
      if (solved && marks[c].fixed) result_.doubtful.push_back(c);
      if (!solved && !marks[c].fixed) result_.filled.push_back(c);
    }
    for (Index r = 0; r < graph.n_equations(); ++r)
      if (matching.eq_to_var[r] == graph::none) result_.left_over.push_back(r);
    find_conflicts(graph, matching, marks);
    add_blocks(graph, matching);
    return std::move(result_);
  }

 private:
  void add_columns() {
    result_.columns = differentiated_.variables;
    for (Index c = 0; c < result_.columns.size(); ++c) column_of_.emplace(result_.columns[c], c);
    // A parameter that is defined by one to be solved for follows it: the system knows both.
    std::vector<char> open(flat_.parameters.size(), 0);
    for (bool grows = true; grows;) {
      grows = false;
      for (Index i = 0; i < open.size(); ++i) {
        const flat::Parameter& parameter = flat_.parameters[i];
        if (open[i] || !(parameter.solved_for || depends_on_column(parameter.value))) continue;
        open[i] = 1;
        grows = true;
        column_of_.emplace(parameter.symbol, static_cast<Index>(result_.columns.size()));
        result_.columns.push_back(parameter.symbol);
        result_.parameters.push_back(i);
      }
      if (result_.parameters.empty()) return;
    }
  }

  bool depends_on_column(ExprId value) const {
    if (!value.valid()) return false;
    const symbolic::Reach reach(pool_, value);
    return std::any_of(reach.nodes().begin(), reach.nodes().end(),
                       [&](ExprId node) { return column_of_.contains(node); });
  }

  /// A discrete Real of which an initial equation speaks is an unknown, and so is what it was
  /// before, unless that is fixed; what they are assigned from comes with them.
  void add_discretes() {
    std::vector<ExprId> expressions;
    std::unordered_set<ExprId> alone;  // sides of their own; looked up, never iterated
    for (const flat::FlatEquation& equation : flat_.initial_equations) {
      if (said_.gives_whole(equation)) continue;
      for (const ExprId side : {equation.left, equation.right}) {
        expressions.push_back(side);
        alone.insert(side);
      }
    }
    if (expressions.empty() || flat_.discrete_variables.empty()) return;
    std::unordered_map<ExprId, Index> variable_of;  // looked up, never iterated
    for (Index i = 0; i < flat_.discrete_variables.size(); ++i) {
      const flat::DiscreteVariable& variable = flat_.discrete_variables[i];
      if (variable.type != flat::ValueType::real) continue;
      variable_of.emplace(variable.symbol, i);
      variable_of.emplace(pool_.previous_symbol(variable.symbol), i);
    }
    const auto speaks_of_one = [&] {
      const symbolic::Reach reach(pool_, expressions);
      return std::ranges::any_of(reach.nodes(),
                                 [&](ExprId node) { return variable_of.contains(node); });
    };
    if (variable_of.empty() || !speaks_of_one()) return;
    std::vector<const DiscreteAssignment*> assignment_of(flat_.discrete_variables.size(), nullptr);
    const std::vector<DiscreteAssignment> assignments = order_assignments(flat_);
    for (const DiscreteAssignment& one : assignments) assignment_of[one.variable] = &one;
    std::vector<char> taken(assignment_of.size(), 0);
    while (!expressions.empty()) {
      const symbolic::Reach reach(pool_, std::exchange(expressions, {}));
      for (const ExprId node : reach.nodes()) {
        const auto found = variable_of.find(node);
        if (found == variable_of.end() || taken[found->second] ||
            assignment_of[found->second] == nullptr)
          continue;
        taken[found->second] = 1;
        expressions.push_back(assignment_of[found->second]->value);
      }
    }
    for (Index i = 0; i < taken.size(); ++i) {
      if (!taken[i]) continue;
      const flat::DiscreteVariable& variable = flat_.discrete_variables[i];
      const ExprId previous = pool_.previous_symbol(variable.symbol);
      add_discrete_column(variable.symbol, {i, false});
      result_.rows.push_back({InitialRow::Kind::discrete, assignment_of[i]->equation,
                              pool_.sub(variable.symbol, assignment_of[i]->value)});
      if (variable.fixed) continue;
      // Who writes d = ... gives d; in other equations its start value says as much as others.
      if (!alone.contains(variable.symbol) && !alone.contains(previous))
        spoken_of_.insert(static_cast<Index>(result_.columns.size()));
      add_discrete_column(previous, {i, true});
    }
  }

  void add_discrete_column(ExprId symbol, DiscreteColumn column) {
    column_of_.emplace(symbol, static_cast<Index>(result_.columns.size()));
    result_.columns.push_back(symbol);
    result_.discretes.push_back(column);
  }

  void add_rows() {
    std::vector<InitialRow> discrete = std::exchange(result_.rows, {});
    for (Index e = 0; e < differentiated_.residuals.size(); ++e)
      result_.rows.push_back({InitialRow::Kind::equation, e, differentiated_.residuals[e]});
    for (const Index i : result_.parameters) {
      const flat::Parameter& parameter = flat_.parameters[i];
      if (parameter.solved_for) continue;
      result_.rows.push_back(
          {InitialRow::Kind::parameter, i, pool_.sub(parameter.symbol, parameter.value)});
    }
    result_.rows.insert(result_.rows.end(), discrete.begin(), discrete.end());
    const std::size_t first = result_.rows.size();
    for (Index i = 0; i < flat_.initial_equations.size(); ++i) {
      const flat::FlatEquation& equation = flat_.initial_equations[i];
      if (said_.gives_whole(equation)) continue;
      result_.rows.push_back({InitialRow::Kind::initial, i, residual(pool_, equation)});
    }
    // In canonical order as all the rest, so that no decision depends on the order of writing.
    std::stable_sort(result_.rows.begin() + static_cast<std::ptrdiff_t>(first), result_.rows.end(),
                     [&](const InitialRow& a, const InitialRow& b) {
                       return pool_.precedes(a.residual, b.residual);
                     });
  }

  graph::IndexLists incidence() const {
    graph::IndexLists lists;
    for (const InitialRow& row : result_.rows) {
      const symbolic::Reach reach(pool_, row.residual);
      for (const ExprId node : reach.nodes()) {
        if (const auto found = column_of_.find(node); found != column_of_.end())
          lists.items.push_back(found->second);
        else if (pool_.is_symbol(node) && pool_.symbol_of(node).kind == SymbolKind::unknown)
          report_missing(row, node);
      }
      lists.end_list();
    }
    return lists;
  }

  [[noreturn]] void report_missing(const InitialRow& row, ExprId symbol) const {
    ensure(row.kind == InitialRow::Kind::initial, "equations hold variables of the structure");
    const flat::FlatEquation& equation = flat_.initial_equations[row.source];
    throw Error("S012",
                "initial " + flat::equation_text(flat_, equation) + " asks for '" +
                    pool_.symbol_text(symbol) +
                    "', which the equations do not determine: the model differentiates it less "
                    "often. Write it with lower derivatives.",
                equation.origin);
  }

  /// Columns, those first that shall rather be solved for.
  std::vector<Index> order(const Chart& chart, std::span<const StartMark> marks) const {
    std::vector<int> rank(result_.columns.size(), 0);
    for (Index v = 0; v < differentiated_.variables.size(); ++v) {
      const Variable& variable = plan_.structure.variables[v];
      const double priority = flat_.unknowns[variable.unknown].state_priority;
      const Index highest = plan_.highest_order[variable.unknown];
      const bool may_be_state = variable.order < highest && priority > flat::priority_of_added;
      const bool state =
          may_be_state && variable.order + chart.n_dummies[variable.unknown] < highest;
      // Who shall be a state, or could be one in another chart, and has a start value says more
      // than a state without one.
      const bool meant = marks[v].given && (may_be_state || (variable.order == 0 && priority > 0));
      rank[v] = marks[v].fixed            ? 7
                : state && marks[v].given ? 5
                : meant                   ? 4
                : state                   ? 3
                : marks[v].given          ? 2
                                          : 1;
    }
    for (std::size_t c = differentiated_.variables.size(); c < rank.size(); ++c)
      if (spoken_of_.contains(static_cast<Index>(c))) rank[c] = 6;
    std::vector<Index> columns(rank.size());
    std::iota(columns.begin(), columns.end(), Index{0});
    std::stable_sort(columns.begin(), columns.end(),
                     [&](Index a, Index b) { return rank[a] < rank[b]; });
    return columns;
  }

  /// Somebody meant a number other than zero, unless it belongs to what shall not be a state; zeros
  /// of what shall be one come next.
  void rate_guesses(std::span<const StartMark> marks) {
    result_.guess_worth.assign(result_.columns.size(), 0);
    for (Index v = 0; v < differentiated_.variables.size(); ++v) {
      if (!marks[v].given) continue;
      const Index unknown = plan_.structure.variables[v].unknown;
      const double priority = flat_.unknowns[unknown].state_priority;
      const bool meant = marks[v].fixed || (!marks[v].zero && priority >= 0);
      result_.guess_worth[v] = (meant ? meant_guess : 1) *
                               std::exp2(2 * std::clamp(priority, -1.0, 1.0)) *
                               (marks[v].zero ? 1 : 2);
    }
  }

  /// Breadth first from a column to a free row; all that was matched stays so.
  void augment(const graph::BipartiteGraph& graph, graph::Matching& matching, Index column) {
    if (matching.size == graph.n_equations()) return;
    reached_from_.resize(graph.n_equations(), graph::none);
    queue_.assign(1, column);
    std::vector<Index> met;
    bool found = false;
    for (std::size_t next = 0; next < queue_.size() && !found; ++next)
      for (const Index r : graph.equations_of(queue_[next])) {
        if (reached_from_[r] != graph::none || in_vain_.contains(r)) continue;
        reached_from_[r] = queue_[next];
        met.push_back(r);
        if (matching.eq_to_var[r] != graph::none) {
          queue_.push_back(matching.eq_to_var[r]);
          continue;
        }
        for (Index row = r; row != graph::none;) {
          const Index c = reached_from_[row];
          const Index previous = matching.var_to_eq[c];
          matching.eq_to_var[row] = c;
          matching.var_to_eq[c] = row;
          row = previous;
        }
        ++matching.size;
        found = true;
        break;
      }
    for (const Index r : met) {
      reached_from_[r] = graph::none;
      // What a search met in vain leads to no free row later either.
      if (!found) in_vain_.insert(r);
    }
  }

  /// Rows left over shall be initial equations, which may be too many, not equations.
  void free_equations(const graph::BipartiteGraph& graph, graph::Matching& matching) {
    for (Index start = 0; start < graph.n_equations(); ++start) {
      if (matching.eq_to_var[start] != graph::none ||
          result_.rows[start].kind == InitialRow::Kind::initial)
        continue;
      std::vector<Index> from(graph.n_equations(), graph::none);  // row before, on the way
      std::vector<char> seen(graph.n_equations(), 0);
      std::vector<Index> queue{start};
      seen[start] = 1;
      Index end = graph::none;
      for (std::size_t next = 0; next < queue.size() && end == graph::none; ++next)
        for (const Index c : graph.unknowns_of(queue[next])) {
          const Index r = matching.var_to_eq[c];
          if (r == graph::none || seen[r]) continue;
          seen[r] = 1;
          from[r] = queue[next];
          queue.push_back(r);
          if (result_.rows[r].kind == InitialRow::Kind::initial) {
            end = r;
            break;
          }
        }
      if (end == graph::none) continue;
      // Each row on the way hands its column to the row before it.
      Index handed = std::exchange(matching.eq_to_var[end], graph::none);
      for (Index r = from[end]; r != graph::none; r = from[r]) {
        matching.var_to_eq[handed] = r;
        handed = std::exchange(matching.eq_to_var[r], handed);
      }
    }
  }

  void find_conflicts(const graph::BipartiteGraph& graph, const graph::Matching& matching,
                      std::span<const StartMark> marks) {
    const auto add = [&](std::vector<Index> rows, std::vector<Index> fixed) {
      if (result_.conflicts.size() == most_conflicts) return;
      result_.conflicts.push_back(
          conflict_of(graph, matching, marks, std::move(rows), std::move(fixed)));
    };
    for (const Index c : result_.doubtful) add({matching.var_to_eq[c]}, {c});
    for (const Index r : result_.left_over) add({r}, {});
    std::vector<Index> rows = result_.left_over;
    for (const Index c : result_.doubtful) rows.push_back(matching.var_to_eq[c]);
    result_.overdetermined =
        conflict_of(graph, matching, marks, std::move(rows), result_.doubtful).rows;
  }

  /// What fixed columns, with the rows they are solved from, and rows left over hang together with:
  /// the columns of each row lead to the rows that they are solved from, up to what is fixed.
  static StartConflict conflict_of(const graph::BipartiteGraph& graph,
                                   const graph::Matching& matching,
                                   std::span<const StartMark> marks, std::vector<Index> rows,
                                   std::vector<Index> fixed) {
    StartConflict conflict{std::move(rows), std::move(fixed)};
    std::vector<char> met_column(graph.n_unknowns(), 0), met_row(graph.n_equations(), 0);
    for (const Index r : conflict.rows) met_row[r] = 1;
    for (const Index c : conflict.fixed) met_column[c] = 1;
    for (std::size_t next = 0; next < conflict.rows.size(); ++next)
      for (const Index c : graph.unknowns_of(conflict.rows[next])) {
        if (met_column[c]) continue;
        met_column[c] = 1;
        const Index from = matching.var_to_eq[c];
        if (from == graph::none) {
          ensure(c < marks.size() && marks[c].fixed, "what is free takes up a condition");
          conflict.fixed.push_back(c);
        } else if (!met_row[from]) {
          met_row[from] = 1;
          conflict.rows.push_back(from);
        }
      }
    std::sort(conflict.rows.begin(), conflict.rows.end());
    std::sort(conflict.fixed.begin(), conflict.fixed.end());
    return conflict;
  }

  void add_blocks(const graph::BipartiteGraph& graph, const graph::Matching& matching) {
    const graph::StrongComponents components = graph::strong_components(graph, matching);
    for (Index b = 0; b < components.size(); ++b) {
      InitialBlock block;
      for (const Index r : components[b])
        if (matching.eq_to_var[r] != graph::none) {
          block.rows.push_back(r);
          block.columns.push_back(matching.eq_to_var[r]);
        }
      if (!block.rows.empty()) result_.blocks.push_back(std::move(block));
    }
  }

  const flat::FlatSystem& flat_;
  ExprPool& pool_;
  const StructuralPlan& plan_;
  const DifferentiatedSystem& differentiated_;
  InitialDiscretes said_;
  InitialPlan result_;
  std::unordered_map<ExprId, Index> column_of_;  // looked up, never iterated
  std::vector<Index> reached_from_;              // [n rows]; none between searches
  std::vector<Index> queue_;
  std::unordered_set<Index> in_vain_;    // looked up, never iterated
  std::unordered_set<Index> spoken_of_;  // columns; looked up, never iterated
};

}  // namespace

std::vector<StartMark> start_marks(const flat::FlatSystem& flat,
                                   std::span<const ExprId> variables) {
  const auto mark_of = [&](ExprId start, bool fixed) {
    return StartMark{start.valid(), start.valid() && flat.pool->is_zero(start), fixed};
  };
  std::unordered_map<ExprId, StartMark> marks;  // looked up, never iterated
  for (const flat::Unknown& unknown : flat.unknowns)
    marks[unknown.symbol] = mark_of(unknown.start, unknown.fixed);
  for (const flat::DerivativeStart& start : flat.derivative_starts)
    marks[start.symbol] = mark_of(start.value, start.fixed);
  std::vector<StartMark> result;
  result.reserve(variables.size());
  for (const ExprId symbol : variables) result.push_back(marks[symbol]);
  return result;
}

InitialPlan plan_start(const flat::FlatSystem& flat, const StructuralPlan& plan,
                       const DifferentiatedSystem& differentiated, const Chart& chart,
                       std::span<const StartMark> marks) {
  return StartPlanner(flat, plan, differentiated).run(chart, marks);
}

}  // namespace alembert::structure
