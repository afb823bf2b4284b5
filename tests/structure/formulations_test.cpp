// SPDX-License-Identifier: Apache-2.0
// Exact solutions put into the shapes of reduced systems: everything must vanish.
#include "alembert/structure/formulations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "alembert/flat/parameters.hpp"
#include "alembert/structure/passes.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/parse.hpp"
#include "structure/text_model.hpp"

namespace alembert::structure {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct ExactModel {
  std::string name;
  std::string unknowns;
  std::vector<std::string> equations;
  std::map<std::string, std::string> solution;  // of time
};

std::vector<ExactModel> exact_models() {
  return {
      {"circle",
       "x y f",
       {"der(der(x)) = f*x", "der(der(y)) = f*y", "x^2 + y^2 = 1"},
       {{"x", "cos(0.7*time)"}, {"y", "sin(0.7*time)"}, {"f", "-0.49"}}},
      {"torn nonlinear block",
       "x a b c",
       {"der(x) = a - 2*b", "a + b + c = 2*x + cos(time)",
        "a - c + exp(b)*a = x*exp(b) + x - cos(time) + b - x",
        "c*sin(b) + b = cos(time)*sin(x) + b + (a - x)*b + b - x"},
       {{"x", "exp(-time)"}, {"a", "exp(-time)"}, {"b", "exp(-time)"}, {"c", "cos(time)"}}},
      {"linear block with varying coefficients",
       "u v w",
       {"u + time*v = time + cos(time)", "time*u - v = time*cos(time) - 1", "der(w) = u*v"},
       {{"u", "cos(time)"}, {"v", "1"}, {"w", "sin(time)"}}},
      {"rigid gear",
       "p q t",
       {"der(der(p)) = t + 1", "3*der(der(q)) = 2 - t", "p = 2*q"},
       {{"p", "0.6*time^2"}, {"q", "0.3*time^2"}, {"t", "0.2"}}},
  };
}

/// All variables by symbol at one time; derivatives by differentiating the solution.
symbolic::Values values_at(const flat::FlatSystem& flat, const ExactModel& model, double time,
                           const DifferentiatedSystem& differentiated) {
  symbolic::ExprPool& pool = *flat.pool;
  symbolic::Values values{{pool.time(), time}};
  for (const ExprId variable : differentiated.variables) {
    const symbolic::Symbol symbol = pool.symbol_of(variable);
    ExprId value = symbolic::parse(pool, model.solution.at(symbol.name)).id_in(pool);
    for (std::uint32_t k = 0; k < symbol.order; ++k) value = time_derivative(pool, value);
    values[variable] = evaluate(pool, value, {{pool.time(), time}});
  }
  return values;
}

void check(const ExactModel& model) {
  const auto flat = text_model(model.unknowns, model.equations);
  const StructuralPhase phase = run_passes(flat);
  symbolic::ExprPool& pool = *flat.pool;
  const auto& variables = phase.differentiated.variables;
  for (const double time : {0.3, 1.1}) {
    const symbolic::Values exact = values_at(flat, model, time, phase.differentiated);

    const MassMatrixForm mass = mass_matrix_form(phase.differentiated, phase.reduced);
    ASSERT_EQ(mass.right_side.size(), mass.unknowns.size());
    symbolic::Values computed{{pool.time(), time}};
    for (const Index v : mass.unknowns) computed[variables[v]] = exact.at(variables[v]);
    for (const Assignment& assignment : mass.assignments) {
      const double value = evaluate(pool, assignment.value, computed);
      EXPECT_NEAR(value, exact.at(variables[assignment.unknown]), 200 * eps);
      computed[variables[assignment.unknown]] = value;
    }
    for (std::size_t i = 0; i < mass.right_side.size(); ++i) {
      const double right = evaluate(pool, mass.right_side[i], computed);
      const double rate =
          i < mass.n_differential ? exact.at(variables[phase.reduced.derivatives[i]]) : 0.0;
      EXPECT_NEAR(mass.mass[i] * rate, right, 200 * eps);
    }

    const ImplicitForm implicit = implicit_form(phase.plan, phase.differentiated, phase.reduced);
    for (const double r : evaluate(pool, implicit.residuals, exact)) EXPECT_NEAR(r, 0, 200 * eps);
    for (Index e = 0; e < implicit.residuals.size(); ++e) {
      std::set<ExprId> allowed{pool.time()};
      for (const Index k : implicit.incidence[e]) {
        allowed.insert(variables[implicit.unknowns[k]]);
        if (implicit.rates[k].valid()) allowed.insert(implicit.rates[k]);
      }
      for (const ExprId symbol : free_symbols(pool, implicit.residuals[e]))
        EXPECT_TRUE(allowed.contains(symbol)) << pool.symbol_text(symbol);
    }
    for (const auto& [of, to] : implicit.links)
      EXPECT_EQ(pool.symbol_of(variables[implicit.unknowns[of]]).derivative,
                variables[implicit.unknowns[to]]);
  }
}

TEST(Formulations, VanishOnExactSolutions) {
  for (const ExactModel& model : exact_models()) {
    SCOPED_TRACE(model.name);
    check(model);
  }
}

TEST(Formulations, TheCircleInThreeShapes) {
  const auto flat = text_model("x y f", exact_models()[0].equations);
  const StructuralPhase phase = run_passes(flat);
  EXPECT_EQ(phase.reduced.states.size(), 2u);
  const MassMatrixForm mass = mass_matrix_form(phase.differentiated, phase.reduced);
  EXPECT_EQ(mass.n_differential, 2u);
  EXPECT_EQ(mass.unknowns.size(), 4u);  // x or y by Newton, and the force from a linear block
  const ImplicitForm implicit = implicit_form(phase.plan, phase.differentiated, phase.reduced);
  EXPECT_EQ(implicit.residuals.size(), 5u);
  EXPECT_EQ(implicit.links.size(), 1u);
  EXPECT_EQ(implicit.size(), 6u);
}

/// Of the slopes that the form leaves open.
std::set<std::string> open_slopes(const StructuralPhase& phase, const flat::FlatSystem& flat) {
  const auto n = static_cast<Index>(phase.differentiated.variables.size());
  const OpenSlopeForm form = open_slope_form(phase.reduced, n);
  std::set<std::string> names;
  for (std::size_t b = 0; b < form.is_open.size(); ++b)
    if (form.is_open[b])
      for (const Index v : phase.reduced.blocks[b].unknowns())
        names.insert(flat.pool->symbol_text(phase.differentiated.variables[v]));
  std::set<Index> equations;
  for (std::size_t i = 0; i < form.equation_of.size(); ++i) {
    const ExprId slope = phase.differentiated.variables[phase.reduced.derivatives[i]];
    EXPECT_EQ(form.equation_of[i] != none, names.contains(flat.pool->symbol_text(slope)));
    if (form.equation_of[i] != none) equations.insert(form.equation_of[i]);
  }
  EXPECT_EQ(equations.size(), names.size()) << "each row is an equation of its own";
  EXPECT_EQ(form.any(), !names.empty());
  return names;
}

TEST(Formulations, BlocksThatAreSolvedForSlopesAloneStayOpen) {
  const auto flat = text_model(
      "x y z a v w",
      {"(2 + x^2)*der(x) + y*der(y) = z", "y*der(x) + (2 + x*y)*der(y) = -x",  // slopes alone
       "der(z) = a + der(x)",                                                  // assigned
       "a + 0.1*sin(a) = x",                                                   // no slope
       "der(v)*(2 + x^2) + w*y = 1", "der(v)*y - w*(3 + y^2) = x"});           // w as well
  EXPECT_EQ(open_slopes(run_passes(flat), flat), (std::set<std::string>{"der(x)", "der(y)"}));
}

TEST(Formulations, WhereNothingIsSolvedForSlopesNothingIsOpen) {
  const auto flat = text_model("x v", {"der(x) = v", "der(v) = -x"});
  EXPECT_TRUE(open_slopes(run_passes(flat), flat).empty());
}

}  // namespace
}  // namespace alembert::structure
