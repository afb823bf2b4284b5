// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/kane_checks.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/print.hpp"

namespace alembert::mechanics {

using flat::counted;
using flat::in_quotes;
using flat::listed;
using symbolic::SymbolKind;
using symbolic::Values;

namespace {

std::string name_of(const Expr& symbol) { return in_quotes(symbolic::to_text(symbol)); }

std::string constraint_text(const Expr& constraint) {
  if (constraint.pool() == nullptr) return "'" + symbolic::to_text(constraint) + " = 0'";
  return "'" + symbolic::to_short_text(*constraint.pool(), constraint.id()) + " = 0'";
}

/// The value at `at`, symbols without one counting as 1.
double value_of(ExprPool& pool, const Expr& expression, const Values& at) {
  Matrix one(1, 1);
  one(0, 0) = expression;
  return evaluate_matrix(pool, one, at, 1.0)[0][0];
}

/// Forces at rest under accelerations that are chosen: they are linear in these, so that
/// differences give the mass matrix, far cheaper than a matrix of expressions would be.
class InertiaProbe {
 public:
  InertiaProbe(ExprPool& pool, const KaneEquations& equations, const Values& at)
      : pool_(pool), forces_(ids_in(pool, equations.forces)), values_(at) {
    for (const Expr& u : equations.u) {
      rates_.push_back(pool.derivative_symbol(u.id()));
      values_[rates_.back()] = values_[u.id()] = 0;
    }
    for (const ExprId symbol : symbolic::free_symbols(pool, forces_)) values_.emplace(symbol, 1.0);
    at_rest_ = symbolic::evaluate(pool, forces_, values_);
  }

  /// [n_u]: mass matrix times accelerations, without what is rounding; not finite where a load is
  /// not at rest.
  std::vector<double> times(std::span<const double> accelerations) {
    for (std::size_t j = 0; j < rates_.size(); ++j) values_[rates_[j]] = accelerations[j];
    std::vector<double> product = symbolic::evaluate(pool_, forces_, values_);
    for (std::size_t i = 0; i < product.size(); ++i) {
      product[i] -= at_rest_[i];
      if (std::abs(product[i]) < 1e-15 * std::abs(at_rest_[i])) product[i] = 0;
    }
    return product;
  }

 private:
  ExprPool& pool_;
  std::vector<ExprId> forces_, rates_;
  Values values_;
  std::vector<double> at_rest_;
};

bool all_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

struct InertiaVerdict {
  bool regular = true;
  std::vector<std::size_t> light;  // speeds along which nothing has inertia
};

/// From the whole matrix [M C^T; C 0].
InertiaVerdict judge_matrix(InertiaProbe& probe, const NumberMatrix& constraints, std::size_t n) {
  const std::size_t m = constraints.size();
  NumberMatrix matrix(n + m, std::vector<double>(n + m, 0.0));
  std::vector<double> accelerations(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    accelerations[j] = 1;
    const std::vector<double> column = probe.times(accelerations);
    accelerations[j] = 0;
    if (!all_finite(column)) return {};
    for (std::size_t i = 0; i < n; ++i) matrix[i][j] = column[i];
    for (std::size_t k = 0; k < m; ++k) matrix[n + k][j] = matrix[j][n + k] = constraints[k][j];
  }
  const Elimination order = eliminate(std::move(matrix), 1e-13);
  InertiaVerdict verdict{.regular = order.pivots.size() == n + m, .light = {}};
  std::vector<char> found(n + m, 0);
  for (const auto& pivot : order.pivots) found[pivot.column] = 1;
  for (std::size_t j = 0; j < n; ++j)
    if (!found[j]) verdict.light.push_back(j);
  return verdict;
}

/// From one product: a mass matrix has no negative directions, so that a row whose product with
/// numbers that are special in no way vanishes is zero, and the speed has no inertia of its own.
InertiaVerdict judge_rows(InertiaProbe& probe, const NumberMatrix& constraints, std::size_t n) {
  std::vector<double> accelerations(n);
  for (std::size_t j = 0; j < n; ++j) accelerations[j] = 1 + 0.3 * std::sin(1.0 + 2.0 * double(j));
  const std::vector<double> product = probe.times(accelerations);
  InertiaVerdict verdict;
  for (std::size_t j = 0; j < n; ++j)
    if (product[j] == 0 && std::all_of(constraints.begin(), constraints.end(),
                                       [&](const auto& row) { return row[j] == 0; }))
      verdict.light.push_back(j);
  verdict.regular = verdict.light.empty();
  return verdict;
}

}  // namespace

Values generic_point(const ExprPool& pool, const Values& start) {
  Values point = start;
  double shift = 0;
  for (const symbolic::Symbol& symbol : pool.symbols()) {  // in order of creation
    if (symbol.kind != SymbolKind::unknown || symbol.order != 0) continue;
    shift += 0.6180339887498949;
    shift -= std::floor(shift);
    point[symbol.base] += 0.1 + 0.3 * shift;
  }
  return point;
}

std::vector<ExprId> without_apparent_symbols(ExprPool& pool, std::vector<ExprId> expressions,
                                             std::span<const Expr> symbols, const Values& generic) {
  constexpr double shifts[] = {0, 0.7390851332151607, -1.2020569031595942, 2.6854520010653064};
  const auto number = [&](ExprId expression, ExprId symbol, double shift) {
    Values at = generic;
    at[symbol] += shift;
    return value_of(pool, {pool, expression}, at);
  };
  for (ExprId& expression : expressions)
    for (const Expr& symbol : symbols) {
      if (!symbolic::depends_on(pool, expression, symbol.id())) continue;
      const double here = number(expression, symbol.id(), 0);
      double size = std::abs(here);
      bool varies = false;
      for (const double shift : shifts) {
        const double there = number(expression, symbol.id(), shift);
        size = std::max(size, std::abs(there));
        varies = varies || !(std::abs(there - here) <= 1e-13 * (1 + size));
      }
      if (!varies)
        expression = symbolic::substitute(pool, expression, {{symbol.id(), pool.number(0)}});
    }
  return expressions;
}

void require_masses(ExprPool& pool, const KaneSystem& system, const Values& start,
                    const Origin& origin) {
  if (system.bodies.empty())
    throw Error("K006", "there are no bodies, so nothing has mass. Add at least one.", origin);
  std::vector<Expr> masses;
  for (const Body& body : system.bodies) masses.push_back(body.mass);
  const NumberMatrix values = evaluate_matrix(pool, Matrix::column(masses), start, 1.0);
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const Body& body = system.bodies[k];
    const double mass = values[k].front();
    const bool has_inertia = body.frame && !body.central_inertia.is_zero();
    if (mass > 0 || (mass == 0 && has_inertia)) continue;
    throw Error(
        "K006",
        "body " + in_quotes(body.name) +
            (mass == 0 ? " has no mass. Give it one, or leave the body out."
                       : " has the mass " + flat::number_text(mass) + ", and masses are positive."),
        origin);
  }
}

void require_inertias(ExprPool& pool, const KaneSystem& system, const Values& start,
                      const Origin& origin) {
  for (const Body& body : system.bodies) {
    if (!body.frame || body.central_inertia.is_zero()) continue;
    const Components3x3 c = body.central_inertia.own_components();
    const NumberMatrix i = evaluate_matrix(
        pool,
        {{c[0][0], c[0][1], c[0][2]}, {c[1][0], c[1][1], c[1][2]}, {c[2][0], c[2][1], c[2][2]}},
        start, 1.0);
    const double size = std::max({i[0][0], i[1][1], i[2][2]});
    const auto minor = [&](std::size_t a, std::size_t b) {
      return i[a][a] * i[b][b] - i[a][b] * i[b][a];
    };
    const double det = i[0][0] * minor(1, 2) - i[0][1] * (i[1][0] * i[2][2] - i[1][2] * i[2][0]) +
                       i[0][2] * (i[1][0] * i[2][1] - i[1][1] * i[2][0]);
    const double rounding = 1e-9;  // inertias come with few digits
    const double least = std::min({i[0][0], i[1][1], i[2][2]});
    const double least_minor = std::min({minor(0, 1), minor(0, 2), minor(1, 2)});
    if (least >= -rounding * size && least_minor >= -rounding * size * size &&
        det >= -rounding * size * size * size)
      continue;
    throw Error("K006",
                "body " + in_quotes(body.name) +
                    " has an inertia that is negative about some axis. Look at the signs of its "
                    "moments, and whether its products are too large for them.",
                origin);
  }
}

void require_speeds(ExprPool& pool, const KaneSystem& system, const Origin& origin) {
  const auto refuse = [&](const std::string& why) { throw Error("K020", why, origin); };
  const auto require_unknown = [&](const std::vector<Expr>& symbols, const char* role) {
    for (const Expr& symbol : symbols)
      if (symbol.pool() != &pool || !pool.is_symbol(symbol.id()) ||
          pool.symbol_of(symbol.id()).kind != SymbolKind::unknown ||
          pool.symbol_of(symbol.id()).order != 0)
        refuse(name_of(symbol) + " is given as " + role + ", but is not an unknown of the model.");
  };
  require_unknown(system.q, "a coordinate");
  require_unknown(system.u, "a speed");
  require_unknown(system.auxiliary, "an auxiliary speed");
  if (system.kinematics.size() != system.q.size())
    refuse(counted(system.q.size(), "coordinate") + " need as many kinematical equations, and " +
           "there " + (system.kinematics.size() == 1 ? "is " : "are ") +
           std::to_string(system.kinematics.size()) +
           ". Write one for each, like u1 - der(q1) = 0.");
  std::vector<ExprId> known = ids_in(pool, system.q);
  for (const auto* list : {&system.u, &system.auxiliary})
    for (const Expr& symbol : *list) known.push_back(symbol.id());
  for (const Expr& equation : system.kinematics)
    for (const ExprId symbol : symbolic::free_symbols(pool, equation.id_in(pool))) {
      const symbolic::Symbol& what = pool.symbol_of(symbol);
      if (what.kind != SymbolKind::unknown) continue;
      const ExprId base = what.base;
      const bool is_coordinate =
          std::find(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(system.q.size()),
                    base) != known.begin() + static_cast<std::ptrdiff_t>(system.q.size());
      if (what.order == 0 && std::find(known.begin(), known.end(), symbol) != known.end()) continue;
      if (what.order == 1 && is_coordinate) continue;
      refuse("the kinematical equation " + constraint_text(equation) + " has " +
             in_quotes(pool.symbol_text(symbol)) +
             ", which is neither a coordinate nor a speed nor the derivative of a coordinate. "
             "The set of speeds is incomplete: add it to the speeds.");
    }
}

void require_regular_kinematics(const KaneSystem& system, const NumberMatrix& numbers,
                                const Origin& origin) {
  const Elimination order = eliminate(numbers);
  if (order.pivots.size() == system.q.size()) return;
  std::vector<char> given(system.q.size(), 0);
  for (const auto& pivot : order.pivots) given[pivot.column] = 1;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < system.q.size(); ++i)
    if (!given[i]) missing.push_back(name_of(system.q[i]));
  throw Error("K020",
              "the kinematical equations do not give the " +
                  std::string(missing.size() == 1 ? "derivative" : "derivatives") + " of " +
                  listed(missing) + ". The set of speeds is incomplete: write an equation with a " +
                  "speed for each.",
              origin);
}

void require_moving(ExprPool& pool, const KaneEquations& equations, const Values& at,
                    const Origin& origin) {
  const NumberMatrix rates = evaluate_entries(
      pool, symbolic::jacobian(pool, ids_in(pool, equations.q_dot), ids_in(pool, equations.u)), at,
      1.0);
  for (std::size_t i = 0; i < equations.q.size(); ++i)
    if (std::all_of(rates[i].begin(), rates[i].end(), [](double x) { return x == 0; }))
      throw Error("K020",
                  "no speed moves the coordinate " + name_of(equations.q[i]) +
                      ". The set of speeds is incomplete: add one to its kinematical equation.",
                  origin);
  // Speeds as rows: one that follows from others adds no motion.
  NumberMatrix speeds(equations.u.size(), std::vector<double>(equations.q.size()));
  for (std::size_t i = 0; i < equations.q.size(); ++i)
    for (std::size_t j = 0; j < equations.u.size(); ++j) speeds[j][i] = rates[i][j];
  for (const auto& row : eliminate(speeds).dependent) {
    std::vector<std::string> others;
    for (const std::size_t k : row.others) others.push_back(name_of(equations.u[k]));
    throw Error("K020",
                "the speed " + name_of(equations.u[row.row]) +
                    (others.empty() ? " moves no coordinate"
                                    : " moves nothing that " + listed(others) + " do not move") +
                    ". Take it out, or let it appear in a kinematical equation.",
                origin);
  }
}

void require_independent(const NumberMatrix& rows, std::span<const Expr> constraints,
                         std::span<const double> residuals, const Origin& origin) {
  for (const auto& row : eliminate(rows).dependent) {
    if (row.others.empty())
      throw Error("K022",
                  "the constraint " + constraint_text(constraints[row.row]) +
                      " has no speed in it, so that no motion can meet it or leave it.",
                  origin);
    std::vector<std::string> others;
    double size = std::abs(residuals[row.row]);
    bool all_met = size < 1e-9;
    for (const std::size_t k : row.others) {
      others.push_back(constraint_text(constraints[k]));
      all_met = all_met && std::abs(residuals[k]) < 1e-9;
    }
    throw Error("K022",
                "the constraint " + constraint_text(constraints[row.row]) + " depends on " +
                    listed(others) + ": all of them hold the same directions of motion, so that " +
                    (all_met ? "one says nothing new. Take one out."
                             : "they say the same twice or contradict each other. Take one out."),
                origin);
  }
}

void require_inertia(ExprPool& pool, const KaneEquations& equations, const KaneSystem& system,
                     const Values& at, const Origin& origin) {
  const std::size_t n = equations.u.size();
  constexpr std::size_t most_speeds = 12;  // of which all is asked; it costs the square
  InertiaProbe probe(pool, equations, at);
  const NumberMatrix constraints = evaluate_matrix(pool, equations.constraint_jacobian, at, 1.0);
  const InertiaVerdict verdict =
      n <= most_speeds ? judge_matrix(probe, constraints, n) : judge_rows(probe, constraints, n);
  if (verdict.regular) return;
  std::vector<std::string> speeds, light;
  for (const std::size_t j : verdict.light) speeds.push_back(name_of(equations.u[j]));
  for (const Body& body : system.bodies) {
    if (!body.frame) continue;
    const Components3x3 i = body.central_inertia.in(*body.frame);
    const Expr size = symbolic::determinant(
        {{i[0][0], i[0][1], i[0][2]}, {i[1][0], i[1][1], i[1][2]}, {i[2][0], i[2][1], i[2][2]}});
    if (body.central_inertia.is_zero())
      light.push_back(in_quotes(body.name) + " has no inertia");
    else if (value_of(pool, size, at) == 0)
      light.push_back("the inertia of " + in_quotes(body.name) + " is singular");
  }
  throw Error("K024",
              "the mass matrix is singular: nothing has inertia along " +
                  (speeds.empty() ? std::string("the constraints") : listed(speeds)) + "." +
                  (light.empty() ? "" : " " + listed(light) + ".") +
                  " Give a body mass or inertia there, or take the speed out.",
              origin);
}

}  // namespace alembert::mechanics
