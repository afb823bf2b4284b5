// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/redundant_constraints.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "alembert/base/error.hpp"
#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/graph/dulmage_mendelsohn.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/structure/consistent_point.hpp"
#include "alembert/structure/elimination.hpp"
#include "alembert/structure/floating_network.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/singular_parts.hpp"
#include "alembert/structure/system_jacobian.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// Gradients of length 1 closer to dependent than this are dependent, at a point that obeys the
/// constraints to rounding.
constexpr double least_pivot = 1e-7;
/// How far other points are looked for, beside the size of the values.
constexpr double disturbance = 0.05;
constexpr unsigned n_disturbed = 2;
/// Larger systems are asked only where they are, not at points that must be solved for.
constexpr std::size_t most_solved = 120;

/// A sparse matrix of expressions, and its numbers at a point.
struct Matrix {
  graph::IndexLists incidence;
  std::vector<ExprId> entries;
  Index n_columns = 0;
};

std::vector<Index> count_up(std::size_t n) {
  std::vector<Index> all(n);
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

/// Numbers that are equal are told apart by place: so places must not depend on the order in which
/// a model was written.
template <class KeyOf>
void sort_by_key(std::vector<Index>& list, KeyOf key_of) {
  std::stable_sort(list.begin(), list.end(),
                   [&](Index a, Index b) { return key_of(a) < key_of(b); });
}

Elimination::LeftOver left_over(const Matrix& matrix, const ConsistentPoint& point,
                                std::span<const Index> columns) {
  const std::vector<double> numbers = point.evaluate(matrix.entries);
  const bool finite =
      std::all_of(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); });
  if (!finite) return {};
  Elimination elimination(matrix.incidence, matrix.n_columns, numbers);
  return elimination.left_over(count_up(matrix.incidence.size()), columns, least_pivot);
}

Elimination::LeftOver left_over(const Matrix& matrix, const ConsistentPoint& point) {
  return left_over(matrix, point, count_up(matrix.n_columns));
}

/// The rows whose combination is row `dependent` at the point.
std::vector<Index> combined_rows(const Matrix& matrix, const ConsistentPoint& point,
                                 Index dependent) {
  const std::vector<double> numbers = point.evaluate(matrix.entries);
  const auto n_rows = static_cast<Eigen::Index>(matrix.incidence.size());
  Eigen::MatrixXd transposed = Eigen::MatrixXd::Zero(matrix.n_columns, n_rows);
  for (Index i = 0; i < matrix.incidence.size(); ++i)
    for (Index k = matrix.incidence.begin[i]; k < matrix.incidence.begin[i + 1]; ++k)
      transposed(matrix.incidence.items[k], i) = numbers[k];
  const Eigen::VectorXd target = transposed.col(dependent);
  transposed.col(dependent).setZero();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(transposed);
  const Eigen::VectorXd factors = decomposition.solve(target);
  std::vector<Index> rows;
  for (Eigen::Index i = 0; i < n_rows; ++i)
    if (i == static_cast<Eigen::Index>(dependent) || std::abs(factors[i]) > 1e-6)
      rows.push_back(static_cast<Index>(i));
  return rows;
}

/// True if rows may depend on each other: what has an unknown of its own, in one row after the
/// other, does not. So a tree of bodies costs its entries only; loops are left.
bool may_depend(const StructuralPlan& plan, const SelectionPart& part) {
  std::unordered_map<Index, Index> users;  // of an unknown; looked up, never iterated
  std::unordered_map<Index, std::vector<Index>> rows_of;
  for (const Index r : part.rows)
    for (const Index j : plan.selection_incidence[r]) {
      ++users[j];
      rows_of[j].push_back(r);
    }
  std::unordered_map<Index, char> gone;
  std::vector<Index> next(part.rows.begin(), part.rows.end());
  std::size_t n_left = part.rows.size();
  while (!next.empty()) {
    const Index r = next.back();
    next.pop_back();
    if (gone[r]) continue;
    const auto unknowns = plan.selection_incidence[r];
    const bool has_own =
        std::any_of(unknowns.begin(), unknowns.end(), [&](Index j) { return users[j] == 1; });
    if (!has_own) continue;
    gone[r] = 1;
    --n_left;
    for (const Index j : unknowns)
      if (--users[j] == 1)
        for (const Index other : rows_of[j])
          if (!gone[other]) next.push_back(other);
  }
  return n_left >= 2;
}

[[noreturn]] void throw_contradiction(const flat::FlatSystem& flat, std::vector<Index> equations) {
  std::sort(equations.begin(), equations.end());
  std::vector<Note> notes;
  constexpr std::size_t most = 10;
  for (std::size_t k = 0; k < std::min(most, equations.size()); ++k)
    notes.push_back({flat::equation_text(flat, flat.equations[equations[k]]),
                     flat.equations[equations[k]].origin});
  throw Error(
      "S006",
      "constraints that contradict each other: " + flat::counted(equations.size(), "equation") +
          " say the same of what they constrain, with different values, so that they "
          "cannot all hold. Correct one of them, or remove it.",
      flat.equations[equations.front()].origin, std::move(notes));
}

/// Which of the undetermined unknowns get a value: the last that can, so that all others follow.
/// rows: unknowns of each equation.
std::vector<Index> last_determining(graph::IndexLists rows, Index n_unknowns,
                                    std::span<const Index> undetermined, std::size_t wanted) {
  const auto count_matched = [&](const graph::IndexLists& lists) {
    const graph::Matching matching =
        graph::maximum_matching(graph::BipartiteGraph(n_unknowns, graph::IndexLists(lists)));
    return std::count_if(matching.eq_to_var.begin(), matching.eq_to_var.end(),
                         [](Index v) { return v != none; });
  };
  std::vector<Index> chosen;
  auto matched = count_matched(rows);
  for (std::size_t k = undetermined.size(); k-- > 0 && chosen.size() < wanted;) {
    graph::IndexLists trial = rows;
    trial.items.push_back(undetermined[k]);
    trial.end_list();
    const auto n = count_matched(trial);
    if (n <= matched) continue;
    matched = n;
    rows = std::move(trial);
    chosen.push_back(undetermined[k]);
  }
  return chosen;
}

class Dropper {
 public:
  Dropper(const flat::FlatSystem& given, SimplifiedSystem& simplified)
      : given_(given), simplified_(simplified), flat_(simplified.flat), pool_(*flat_.pool) {}

  std::vector<DroppedConstraint> drop_surplus();
  std::vector<DroppedConstraint> drop_dependent(StructuralPlan& plan);

 private:
  std::uint64_t equation_key(Index equation) const {
    return pool_.hash(simplified_.residuals[equation]);
  }
  std::uint64_t unknown_key(Index unknown) const {
    return pool_.hash(flat_.unknowns[unknown].symbol);
  }

  /// A row of the system Jacobian.
  void add_row(Matrix& matrix, const StructuralPlan& plan, Index equation,
               std::span<const Index> unknowns) {
    matrix.incidence.items.insert(matrix.incidence.items.end(), unknowns.begin(), unknowns.end());
    matrix.incidence.end_list();
    const auto slopes = SystemJacobian(flat_, simplified_.residuals, plan).row(equation, unknowns);
    matrix.entries.insert(matrix.entries.end(), slopes.begin(), slopes.end());
  }

  Matrix gradients(std::span<const ExprId> residuals);
  Matrix system_matrix(const StructuralPlan& plan);
  std::vector<Index> dependent_rows(const Matrix& matrix, const SelectionPart& part,
                                    ConsistentPoint& point, const StructuralPlan& plan);
  std::vector<Index> undetermined(const StructuralPlan& plan, const ConsistentPoint& point);
  DroppedConstraint replace(Index equation, Index unknown, Index differentiations);
  std::vector<Index> surplus_rows(const graph::SystemPart& over, ConsistentPoint& point);
  Matrix force_matrix(const graph::SystemPart& under);
  bool act_as_forces(std::span<const Index> unknowns, std::span<const ExprId> dropped);
  bool move_something(std::span<const Index> unknowns, const std::vector<char>& passable,
                      const std::vector<char>& inertial);
  bool constrains_motion(std::span<const ExprId> dropped, const std::vector<char>& undetermined);
  std::vector<char> given_by_rates(const graph::Matching& matching);
  void give_values(std::span<const Index> unknowns, std::vector<DroppedConstraint>& dropped);
  std::vector<char> differentiated() const;
  const std::vector<char>& potentials();
  std::vector<ExprId> kept_symbols(std::span<const ExprId> residuals);

  /// Found once, when first asked for.
  const symbolic::Values& starts() {
    if (!starts_) starts_ = start_values(flat_);
    return *starts_;
  }

  std::optional<symbolic::Values> starts_;
  std::optional<std::vector<char>> potentials_;  // [n unknowns]
  const flat::FlatSystem& given_;
  SimplifiedSystem& simplified_;
  flat::FlatSystem& flat_;  // simplified
  symbolic::ExprPool& pool_;
};

/// By all unknowns, derivatives and time: an equation that only cancels in its highest derivatives,
/// and says something else in lower ones, repeats nothing.
Matrix Dropper::gradients(std::span<const ExprId> residuals) {
  Matrix matrix;
  std::vector<ExprId> symbols;
  for (const ExprId symbol : free_symbols(pool_, residuals)) {
    const symbolic::SymbolKind kind = pool_.symbol_of(symbol).kind;
    if (kind == symbolic::SymbolKind::unknown || symbol == pool_.time()) symbols.push_back(symbol);
  }
  std::sort(symbols.begin(), symbols.end(),
            [&](ExprId a, ExprId b) { return pool_.hash(a) < pool_.hash(b); });
  matrix.n_columns = static_cast<Index>(symbols.size());
  std::unordered_map<ExprId, Index> place;  // looked up, never iterated
  for (Index k = 0; k < symbols.size(); ++k) place[symbols[k]] = k;
  for (const ExprId residual : residuals) {
    std::vector<ExprId> own;
    for (const ExprId symbol : free_symbols(pool_, residual))
      if (const auto found = place.find(symbol); found != place.end()) {
        own.push_back(symbol);
        matrix.incidence.items.push_back(found->second);
      }
    matrix.incidence.end_list();
    const auto slopes = gradient(pool_, residual, own);
    matrix.entries.insert(matrix.entries.end(), slopes.begin(), slopes.end());
  }
  return matrix;
}

/// Highest versions of all equations by the highest derivatives of all unknowns.
Matrix Dropper::system_matrix(const StructuralPlan& plan) {
  const Structure& s = plan.structure;
  const std::vector<Index> top = highest_equations(s);
  Matrix matrix;
  matrix.n_columns = static_cast<Index>(plan.highest_order.size());
  std::vector<Index> equations = count_up(s.n_sources);
  sort_by_key(equations, [&](Index e) { return equation_key(e); });
  for (const Index e : equations) {
    std::vector<Index> unknowns;
    for (const Index v : s.incidence[top[e]])
      if (s.is_highest(v)) unknowns.push_back(s.variables[v].unknown);
    add_row(matrix, plan, e, unknowns);
  }
  return matrix;
}

/// Places in the part's rows that depend on the others wherever all hold.
std::vector<Index> Dropper::dependent_rows(const Matrix& matrix, const SelectionPart& part,
                                           ConsistentPoint& point, const StructuralPlan& plan) {
  if (part.rows.size() > most_solved && left_over(matrix, point).rows.empty()) return {};
  ConsistentPoint::End end = point.solve();
  // The middle of a circle leads nowhere, and is no contradiction for that: other points may.
  for (unsigned k = 1; k <= n_disturbed && end == ConsistentPoint::End::contradiction; ++k) {
    point.disturb(n_disturbed + k, 1.0);
    end = point.solve();
  }
  if (end == ConsistentPoint::End::contradiction) {
    const std::vector<Index> rows = left_over(matrix, point).rows;
    bool everywhere = !rows.empty();
    for (unsigned k = 1; k <= n_disturbed && everywhere; ++k) {
      point.disturb(k, 10 * disturbance);
      everywhere = !left_over(matrix, point).rows.empty();
    }
    if (!everywhere) return {};
    std::vector<Index> equations;
    for (const Index i : combined_rows(matrix, point, rows.front()))
      equations.push_back(plan.selection_rows[part.rows[i]]);
    throw_contradiction(flat_, std::move(equations));
  }
  if (end != ConsistentPoint::End::met) return {};
  std::vector<Index> rows = left_over(matrix, point).rows;
  for (unsigned k = 1; k <= n_disturbed && !rows.empty(); ++k) {
    point.disturb(k, disturbance);
    if (point.solve() != ConsistentPoint::End::met) return {};
    std::vector<Index> there = left_over(matrix, point).rows;
    if (there.size() <= rows.size()) rows = std::move(there);
  }
  return rows;
}

/// Unknowns without derivatives that the equations do not tell from others of that kind at a point.
/// What could only be made up for by derivatives would be the motion.
std::vector<Index> Dropper::undetermined(const StructuralPlan& plan, const ConsistentPoint& point) {
  const Matrix matrix = system_matrix(plan);
  std::vector<Index> columns;
  for (Index j = 0; j < matrix.n_columns; ++j)
    if (plan.highest_order[j] == 0) columns.push_back(j);
  sort_by_key(columns, [&](Index j) { return unknown_key(j); });
  return left_over(matrix, point, columns).columns;
}

DroppedConstraint Dropper::replace(Index equation, Index unknown, Index differentiations) {
  flat::FlatEquation& old = flat_.equations[equation];
  DroppedConstraint dropped{.equation = equation,
                            .unknown = unknown,
                            .residual = simplified_.residuals[equation],
                            .differentiations = differentiations,
                            .text = text_as_given(given_, simplified_, equation),
                            .origin = old.origin};
  old.left = flat_.unknowns[unknown].symbol;
  old.right = pool_.number(0);
  old.origin.derived_from = "nothing determines it";
  simplified_.residuals[equation] = residual(pool_, old.left, old.right);
  return dropped;
}

std::vector<DroppedConstraint> Dropper::drop_dependent(StructuralPlan& plan) {
  std::vector<DroppedConstraint> all;
  for (Index p = 0; p < plan.selection_parts.size();) {
    // Too many would cost too much.
    if (plan.selection_parts[p].rows.size() > most_constraints_ranked ||
        !may_depend(plan, plan.selection_parts[p])) {
      ++p;
      continue;
    }
    SelectionPart part = plan.selection_parts[p++];
    sort_by_key(part.rows, [&](Index r) { return equation_key(plan.selection_rows[r]); });
    std::vector<ExprId> residuals;
    for (const Index r : part.rows)
      residuals.push_back(simplified_.residuals[plan.selection_rows[r]]);
    const Matrix matrix = gradients(residuals);
    ConsistentPoint point(pool_, starts(), std::move(residuals));
    const std::vector<Index> rows = dependent_rows(matrix, part, point, plan);
    if (rows.empty()) continue;
    std::vector<ExprId> left_out;
    for (const Index row : rows) left_out.push_back(point.residuals()[row]);
    std::vector<Index> free = undetermined(plan, point);
    std::vector<char> passable = differentiated();
    for (char& one : passable) one = !one;
    std::erase_if(free, [&](Index j) {
      return !act_as_forces(std::span(&j, 1), left_out) ||
             !move_something(std::span(&j, 1), passable, std::vector<char>(passable.size(), 0));
    });
    if (free.size() < rows.size()) continue;

    const SimplifiedSystem before = simplified_;
    std::vector<DroppedConstraint> dropped;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Index equation = plan.selection_rows[part.rows[rows[k]]];
      dropped.push_back(replace(equation, free[k], plan.differentiations[equation]));
    }
    try {
      Structure structure = extract_structure(flat_, simplified_.residuals);
      require_structurally_regular(flat_, structure);
      plan = make_plan(std::move(structure));
    } catch (const Error&) {
      simplified_ = before;
      continue;
    }
    all.insert(all.end(), dropped.begin(), dropped.end());
    p = 0;  // the parts are others now; each time constraints become fewer, so there is an end
  }
  return all;
}

/// Of equations that are too many for their unknowns, those that depend on others where all hold;
/// none where they cannot all hold. Leaves the point where they do.
std::vector<Index> Dropper::surplus_rows(const graph::SystemPart& over, ConsistentPoint& point) {
  const Matrix matrix = gradients(point.residuals());
  std::vector<Index> rows;
  for (unsigned k = 0; k <= n_disturbed; ++k) {
    if (k > 0) point.disturb(k, disturbance);
    if (point.solve() != ConsistentPoint::End::met) return {};
    std::vector<Index> there = left_over(matrix, point).rows;
    if (k == 0 || there.size() < rows.size()) rows = std::move(there);
  }
  for (Index& row : rows) row = over.equations[row];
  return rows;
}

/// How the equations of motion depend on what they leave undetermined. Columns: under.unknowns.
Matrix Dropper::force_matrix(const graph::SystemPart& under) {
  Matrix matrix;
  matrix.n_columns = static_cast<Index>(under.unknowns.size());
  std::vector<ExprId> symbols;
  for (const Index j : under.unknowns) symbols.push_back(flat_.unknowns[j].symbol);
  for (const Index e : under.equations) {
    const auto slopes = gradient(pool_, simplified_.residuals[e], symbols);
    for (Index k = 0; k < matrix.n_columns; ++k) matrix.incidence.items.push_back(k);
    matrix.incidence.end_list();
    matrix.entries.insert(matrix.entries.end(), slopes.begin(), slopes.end());
  }
  return matrix;
}

/// What equations of the given system speak of, by what is left of it. They themselves may cancel:
/// a = c where c was found to be a.
std::vector<ExprId> Dropper::kept_symbols(std::span<const ExprId> residuals) {
  symbolic::NodeIndex eliminated_of(pool_);
  for (Index k = 0; k < simplified_.eliminated.size(); ++k)
    eliminated_of.set(given_.unknowns[simplified_.eliminated[k].unknown].symbol, k);
  std::vector<ExprId> symbols = free_symbols(pool_, residuals);
  for (ExprId& symbol : symbols) {
    const symbolic::Symbol& data = pool_.symbol_of(symbol);
    if (!data.base.valid() || !eliminated_of.contains(data.base)) continue;
    symbol = simplified_.eliminated[eliminated_of[data.base]].value;
  }
  return symbols;
}

bool is_force_unit(std::string_view unit) { return unit == "N" || unit == "N.m"; }

/// What connections make equal: levels of a network whatever their units, as forces are flows.
const std::vector<char>& Dropper::potentials() {
  if (potentials_) return *potentials_;
  symbolic::NodeIndex place(pool_);
  for (Index j = 0; j < flat_.unknowns.size(); ++j) place.set(flat_.unknowns[j].symbol, j);
  std::vector<ExprId> sides;
  for (const flat::FlatEquation& equation : given_.equations)
    if (equation.origin.derived_from == flat::from_connection)
      sides.insert(sides.end(), {equation.left, equation.right});
  potentials_.emplace(flat_.unknowns.size(), 0);
  for (const ExprId symbol : free_symbols(pool_, kept_symbols(sides)))
    if (place.contains(symbol)) (*potentials_)[place[symbol]] = 1;
  return *potentials_;
}

/// A value may be given to what nothing determines only where that is like a force: it measures no
/// level, equations are linear in it, and what is left out says nothing of it.
bool Dropper::act_as_forces(std::span<const Index> unknowns, std::span<const ExprId> dropped) {
  symbolic::NodeIndex is_asked(pool_);
  for (const Index j : unknowns) {
    const flat::Unknown& unknown = flat_.unknowns[j];
    if (measures_level(unknown.unit)) return false;
    if (potentials()[j] && !is_force_unit(unknown.unit)) return false;
    is_asked.set(unknown.symbol, j);
  }
  const auto asked = [&](ExprId symbol) { return is_asked.contains(symbol); };
  if (std::ranges::any_of(free_symbols(pool_, dropped), asked)) return false;
  std::vector<ExprId> own;
  for (const ExprId residual : simplified_.residuals) {
    own = free_symbols(pool_, residual);
    std::erase_if(own, [&](ExprId symbol) { return !asked(symbol); });
    if (own.empty()) continue;
    const std::vector<ExprId> slopes = gradient(pool_, residual, own);
    for (std::size_t k = 0; k < own.size(); ++k)
      if (symbolic::depends_on(pool_, slopes[k], own[k])) return false;
  }
  return true;
}

/// [n unknowns]: has derivatives.
std::vector<char> Dropper::differentiated() const {
  symbolic::NodeIndex place(pool_);
  for (Index j = 0; j < flat_.unknowns.size(); ++j) place.set(flat_.unknowns[j].symbol, j);
  std::vector<char> found(flat_.unknowns.size(), 0);
  for (const ExprId symbol : free_symbols(pool_, simplified_.residuals)) {
    const symbolic::Symbol& data = pool_.symbol_of(symbol);
    if (data.order > 0 && data.base.valid() && place.contains(data.base))
      found[place[data.base]] = 1;
  }
  return found;
}

/// Each of the unknowns acts on a derivative, in an equation of its own or by way of unknowns that
/// may be passed through, or on what follows from a derivative, as the force on a mass does; or is
/// a force by its unit, which may hold up what does not move. passable, inertial: [n unknowns].
bool Dropper::move_something(std::span<const Index> unknowns, const std::vector<char>& passable,
                             const std::vector<char>& inertial) {
  symbolic::NodeIndex place(pool_);
  for (Index j = 0; j < flat_.unknowns.size(); ++j) place.set(flat_.unknowns[j].symbol, j);
  std::vector<std::vector<Index>> rows_of(flat_.unknowns.size()), unknowns_of;
  std::vector<char> has_rate;
  for (const ExprId residual : simplified_.residuals) {
    const auto row = static_cast<Index>(unknowns_of.size());
    unknowns_of.emplace_back();
    has_rate.push_back(0);
    for (const ExprId symbol : free_symbols(pool_, residual)) {
      if (pool_.symbol_of(symbol).kind == symbolic::SymbolKind::unknown &&
          pool_.symbol_of(symbol).order > 0)
        has_rate.back() = 1;
      if (!place.contains(symbol)) continue;
      if (inertial[place[symbol]]) has_rate.back() = 1;
      unknowns_of.back().push_back(place[symbol]);
      rows_of[place[symbol]].push_back(row);
    }
  }
  return std::ranges::all_of(unknowns, [&](Index from) {
    if (is_force_unit(flat_.unknowns[from].unit)) return true;
    std::vector<Index> queue{from};
    std::vector<char> met(flat_.unknowns.size(), 0);
    met[from] = 1;
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (const Index row : rows_of[queue[next]]) {
        if (has_rate[row]) return true;
        for (const Index j : unknowns_of[row])
          if (!met[j] && passable[j]) {
            met[j] = 1;
            queue.push_back(j);
          }
      }
    return false;
  });
}

/// What is left out speaks of something that has derivatives, itself or by way of what else is
/// determined. undetermined: [n unknowns].
bool Dropper::constrains_motion(std::span<const ExprId> dropped,
                                const std::vector<char>& undetermined) {
  const std::vector<char> moves = differentiated();
  symbolic::NodeIndex place(pool_);
  for (Index j = 0; j < flat_.unknowns.size(); ++j) place.set(flat_.unknowns[j].symbol, j);
  std::vector<std::vector<Index>> rows;
  std::vector<std::vector<Index>> rows_of(flat_.unknowns.size());
  for (const ExprId residual : simplified_.residuals) {
    rows.emplace_back();
    for (const ExprId symbol : free_symbols(pool_, residual)) {
      const symbolic::Symbol& data = pool_.symbol_of(symbol);
      const ExprId base = data.order > 0 ? data.base : symbol;
      if (base.valid() && place.contains(base)) rows.back().push_back(place[base]);
    }
    // What acts on the motion is no part of what is constrained.
    if (std::ranges::any_of(rows.back(), [&](Index j) { return undetermined[j] != 0; }))
      rows.back().clear();
    for (const Index j : rows.back()) rows_of[j].push_back(static_cast<Index>(rows.size() - 1));
  }
  std::vector<Index> queue;
  std::vector<char> met(moves.size(), 0);
  const auto meet = [&](Index j) {
    if (met[j]) return;
    met[j] = 1;
    queue.push_back(j);
  };
  for (const ExprId symbol : free_symbols(pool_, dropped)) {
    const symbolic::Symbol& data = pool_.symbol_of(symbol);
    if (data.kind == symbolic::SymbolKind::unknown && data.order > 0) return true;
    if (place.contains(symbol)) meet(place[symbol]);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (moves[queue[next]]) return true;
    for (const Index row : rows_of[queue[next]])
      for (const Index j : rows[row]) meet(j);
  }
  return false;
}

/// Unknowns that are matched to an equation with a derivative, as the force of a mass.
std::vector<char> Dropper::given_by_rates(const graph::Matching& matching) {
  std::vector<char> given(flat_.unknowns.size(), 0);
  for (Index j = 0; j < given.size(); ++j) {
    const Index row = matching.var_to_eq[j];
    if (row == none) continue;
    const std::vector<ExprId> symbols = free_symbols(pool_, simplified_.residuals[row]);
    given[j] = std::ranges::any_of(
        symbols, [&](ExprId symbol) { return pool_.symbol_of(symbol).order > 0; });
  }
  return given;
}

/// In the places of equations that were found to be redundant before, and taken out.
void Dropper::give_values(std::span<const Index> unknowns,
                          std::vector<DroppedConstraint>& dropped) {
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const Index redundant = simplified_.redundant[k].equation;
    const flat::FlatEquation& old = given_.equations[redundant];
    flat_.equations.push_back({flat_.unknowns[unknowns[k]].symbol, pool_.number(0), old.origin});
    flat_.equations.back().origin.derived_from = "nothing determines it";
    simplified_.residuals.push_back(
        residual(pool_, flat_.equations.back().left, flat_.equations.back().right));
    simplified_.kept_equations.push_back(redundant);
    dropped.push_back({static_cast<Index>(flat_.equations.size() - 1), unknowns[k],
                       residual(pool_, old), 0, flat::equation_text(given_, old), old.origin});
  }
}

std::vector<DroppedConstraint> Dropper::drop_surplus() {
  if (given_.equations.size() != given_.unknowns.size()) return {};
  const Structure structure = extract_structure(flat_, simplified_.residuals);
  const graph::IndexLists rows = unknowns_by_source(structure);
  std::vector<char> differentiated(structure.n_unknowns, 0);
  for (const Variable& variable : structure.variables)
    if (variable.order > 0) differentiated[variable.unknown] = 1;
  const graph::BipartiteGraph graph(structure.n_unknowns, graph::IndexLists(rows));
  const graph::Matching matching = graph::maximum_matching(graph);
  graph::DulmageMendelsohn parts = graph::dulmage_mendelsohn(graph, matching);
  sort_by_key(parts.over.equations, [&](Index e) { return equation_key(e); });
  sort_by_key(parts.under.equations, [&](Index e) { return equation_key(e); });
  sort_by_key(parts.under.unknowns, [&](Index j) { return unknown_key(j); });
  const std::size_t n_free = parts.under.unknowns.size() - parts.under.equations.size();
  if (parts.under.unknowns.size() <= parts.under.equations.size()) return {};
  for (const Index j : parts.under.unknowns)
    if (differentiated[j]) return {};
  const std::size_t n_surplus = parts.over.equations.size() - parts.over.unknowns.size();
  const std::size_t n_missing = flat_.unknowns.size() - flat_.equations.size();
  if (parts.over.equations.size() > most_constraints_ranked) return {};
  std::vector<Index> gone;
  std::vector<Index> chosen;
  if (n_surplus > 0) {
    // Numbers tell of both: more rows may depend on others than structure shows.
    std::vector<ExprId> constraints;
    for (const Index e : parts.over.equations) constraints.push_back(simplified_.residuals[e]);
    ConsistentPoint point(pool_, starts(), std::move(constraints));
    gone = surplus_rows(parts.over, point);
    for (const Index k : left_over(force_matrix(parts.under), point).columns)
      chosen.push_back(parts.under.unknowns[k]);
  } else {
    chosen = last_determining(rows, structure.n_unknowns, parts.under.unknowns, n_free);
  }
  if (gone.size() < n_surplus || chosen.size() < n_free ||
      chosen.size() != gone.size() + n_missing ||
      chosen.size() > gone.size() + simplified_.redundant.size())
    return {};
  std::vector<ExprId> redundant;
  for (std::size_t k = 0; k < n_missing; ++k)
    redundant.push_back(residual(pool_, given_.equations[simplified_.redundant[k].equation]));
  std::vector<ExprId> left_out = kept_symbols(redundant);
  for (const Index e : gone) left_out.push_back(simplified_.residuals[e]);
  if (!act_as_forces(parts.under.unknowns, left_out)) return {};
  std::vector<char> open(flat_.unknowns.size(), 0);
  for (const Index j : parts.under.unknowns) open[j] = 1;
  const bool are_forces =
      std::ranges::all_of(chosen, [&](Index j) { return is_force_unit(flat_.unknowns[j].unit); });
  std::vector<char> inertial = given_by_rates(matching);
  for (Index j = 0; j < inertial.size(); ++j)
    if (open[j] || differentiated[j]) inertial[j] = 0;
  if (!are_forces &&
      (!move_something(chosen, open, inertial) || !constrains_motion(left_out, open)))
    return {};
  std::vector<DroppedConstraint> dropped;
  for (std::size_t k = 0; k < gone.size(); ++k) dropped.push_back(replace(gone[k], chosen[k], 0));
  give_values(std::span(chosen).subspan(gone.size()), dropped);
  return dropped;
}

}  // namespace

std::vector<DroppedConstraint> drop_surplus_equations(const flat::FlatSystem& given,
                                                      SimplifiedSystem& simplified) {
  return Dropper(given, simplified).drop_surplus();
}

std::vector<DroppedConstraint> drop_dependent_constraints(const flat::FlatSystem& given,
                                                          SimplifiedSystem& simplified,
                                                          StructuralPlan& plan) {
  return Dropper(given, simplified).drop_dependent(plan);
}

StructuralPlan plan_without_redundancy(const flat::FlatSystem& given, SimplifiedSystem& simplified,
                                       Structure structure,
                                       std::vector<DroppedConstraint>& dropped) {
  try {
    require_regular(given, simplified, structure);
  } catch (const Error&) {
    dropped = drop_surplus_equations(given, simplified);
    if (dropped.empty()) throw;
    structure = extract_structure(simplified.flat, simplified.residuals);
    require_regular(given, simplified, structure);
  }
  StructuralPlan plan = make_plan(std::move(structure));
  for (DroppedConstraint& more : drop_dependent_constraints(given, simplified, plan))
    dropped.push_back(std::move(more));
  return plan;
}

std::string describe(const flat::FlatSystem& flat, const DroppedConstraint& dropped) {
  const std::string place = to_string(dropped.origin);
  return (place.empty() ? "" : place + ": ") + dropped.text +
         " says nothing that other constraints do not say: how they share the load is not "
         "determined. It is left out, and " +
         flat::in_quotes(flat.pool->symbol_text(flat.unknowns[dropped.unknown].symbol)) +
         " is set to 0; the motion does not depend on that";
}

}  // namespace alembert::structure
