// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/reduced_system.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "alembert/base/error.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/structure/passes.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "structure/random_structure.hpp"
#include "structure/text_model.hpp"
#include "structure/validation_problems.hpp"

namespace alembert::structure {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

struct Reduction {
  StructuralPlan plan;
  DifferentiatedSystem differentiated;
  ReducedSystem reduced;
};

Reduction reduce(const flat::FlatSystem& flat) {
  Reduction result;
  result.plan = make_plan(flat);
  result.differentiated = differentiate(flat, result.plan);
  result.reduced =
      apply_plan(flat, result.plan, result.differentiated, static_chart(flat, result.plan));
  return result;
}

/// Every equation and variable has one place, and a block reads states, earlier unknowns and its
/// own; read from the expressions, not from the incidence that the order was made from.
void expect_block_triangular(const flat::FlatSystem& flat, const Reduction& r) {
  const Structure& s = r.plan.structure;
  std::set<symbolic::ExprId> known{flat.pool->time()};
  for (const auto& parameter : flat.parameters) known.insert(parameter.symbol);
  for (const Index v : r.reduced.states) known.insert(r.differentiated.variables[v]);
  std::set<Index> equations;
  for (const Block& block : r.reduced.blocks) {
    const std::vector<Index> unknowns = block.unknowns();
    ASSERT_EQ(unknowns.size(), block.size());
    ASSERT_EQ(block.equations().size(), block.size());
    const std::set<symbolic::ExprId> before = known;
    for (const Index v : unknowns) ASSERT_TRUE(known.insert(r.differentiated.variables[v]).second);
    for (const Index e : block.equations()) {
      ASSERT_TRUE(equations.insert(e).second);
      for (const auto symbol : free_symbols(*flat.pool, r.differentiated.residuals[e]))
        ASSERT_TRUE(known.contains(symbol)) << flat.pool->symbol_text(symbol);
    }
    // Tears are given; then one unknown after the other.
    ASSERT_EQ(block.tears.size(), block.residuals.size());
    ASSERT_EQ(block.tears.empty(), block.kind == Block::Kind::assign);
    std::set<symbolic::ExprId> there = before;
    std::set<Index> used(block.residuals.begin(), block.residuals.end());
    for (const Index v : block.tears) there.insert(r.differentiated.variables[v]);
    for (const Assignment& assignment : block.assignments) {
      for (const auto symbol : free_symbols(*flat.pool, assignment.value))
        ASSERT_TRUE(there.contains(symbol)) << flat.pool->symbol_text(symbol);
      ASSERT_TRUE(there.insert(r.differentiated.variables[assignment.unknown]).second);
      ASSERT_TRUE(used.insert(assignment.equation).second);
    }
    ASSERT_EQ(there, known);
  }
  ASSERT_EQ(equations.size(), s.equations.size());
  for (const auto symbol : r.differentiated.variables) ASSERT_TRUE(known.contains(symbol));
  ASSERT_EQ(r.reduced.states.size(), r.plan.degrees_of_freedom);
  for (std::size_t k = 0; k < r.reduced.states.size(); ++k)
    ASSERT_EQ(r.reduced.derivatives[k], s.variables[r.reduced.states[k]].derivative);
}

/// Linear equations with random coefficients on the entries of a signature.
flat::FlatSystem random_linear_model(const RandomShape& shape, std::mt19937& random) {
  std::vector<std::string> left(shape.n);
  std::string unknowns;
  for (Index j = 0; j < shape.n; ++j) unknowns += fmt::format("x{} ", j);
  for (const auto& [at, order] : random_regular_signature(shape, random)) {
    std::string name = fmt::format("x{}", at.second);
    for (Index k = 0; k < order; ++k) name = "der(" + name + ")";
    const double size = 0.5 + static_cast<double>(random() % 1000) / 1000;
    left[at.first] += fmt::format("{}{}*{}", random() % 2 ? " + " : " - ", size, name);
  }
  for (Index i = 0; i < shape.n; ++i) left[i] += fmt::format(" = sin({}*time)", 1.0 / (i + 1));
  return text_model(unknowns, left);
}

/// Values of all variables at a point with the given states, which come from the compiled model.
symbolic::Values solve_at(const compile::CompiledModel& model, const compile::CompiledChart& chart,
                          double time, std::vector<double> guess) {
  std::vector<double> inputs{time};
  inputs.insert(inputs.end(), guess.begin(), guess.end());
  const std::vector<double> parameters = model.parameter_values();
  std::vector<double> outputs(chart.variables.shape().n_outputs);
  compile::AlignedDoubles workspace(chart.variables.shape().workspace_size);
  chart.variables(inputs.data(), parameters.data(), outputs.data(), workspace.data());
  symbolic::Values values = flat::values_by_symbol(model.flat(), parameters);
  values[model.flat().pool->time()] = time;
  for (const symbolic::Symbol& symbol : model.flat().pool->symbols()) {
    if (symbol.kind != symbolic::SymbolKind::unknown) continue;
    symbolic::ExprId id = symbol.base;
    for (std::uint32_t k = 0; k < symbol.order; ++k) id = model.flat().pool->derivative_symbol(id);
    if (const auto at = model.variable_of(id); at < model.n_variables()) values[id] = outputs[at];
  }
  return values;
}

double largest_residual(const flat::FlatSystem& flat, const symbolic::Values& values) {
  const StructuralPlan plan = make_plan(flat);
  double largest = 0;
  for (const double value : evaluate(*flat.pool, differentiate(flat, plan).residuals, values)) {
    EXPECT_TRUE(std::isfinite(value));
    largest = std::max(largest, std::abs(value));
  }
  return largest;
}

TEST(ReducedSystem, PublishedProblemsAreBlockTriangular) {
  for (const Problem& problem : validation_problems()) {
    const auto flat = text_model(problem.unknowns, problem.equations, problem.parameters);
    expect_block_triangular(flat, reduce(flat));
    if (HasFatalFailure()) FAIL() << problem.name;
  }
}

TEST(ReducedSystem, RandomSystemsAreBlockTriangular) {
  std::mt19937 random(21);
  for (int trial = 0; trial < 400; ++trial) {
    const RandomShape shape{1 + Index(random() % 9), Index(random() % 4), Index(random() % 3)};
    const auto flat = random_linear_model(shape, random);
    expect_block_triangular(flat, reduce(flat));
    if (HasFatalFailure()) FAIL() << "trial " << trial;
  }
}

/// Random coefficients are regular where structure is, so every equation and every derivative of
/// one must hold at the solution for any values of the states.
TEST(ReducedSystem, SolvesAllEquationsAndTheirDerivatives) {
  std::mt19937 random(22);
  std::uniform_real_distribution value(-1.0, 1.0);
  for (int trial = 0; trial < 150; ++trial) {
    const RandomShape shape{1 + Index(random() % 7), 1 + Index(random() % 2), Index(random() % 3)};
    const auto flat = random_linear_model(shape, random);
    const compile::CompiledModel model(flat, compile::Backend::interpreter);
    std::vector<double> states(model.n_variables());
    for (double& x : states) x = value(random);
    const auto values = solve_at(model, model.static_chart(), 0.3, states);
    double size = 1;
    for (const auto& entry : values) size = std::max(size, std::abs(entry.second));
    ASSERT_LT(largest_residual(flat, values), 1000 * eps * size) << "trial " << trial;
  }
}

TEST(ReducedSystem, BothChartsOfThePendulumSolveIt) {
  const auto flat = text_model(
      "x y lambda", {"der(der(x)) = lambda*x", "der(der(y)) = lambda*y - g", "x^2 + y^2 = 1"}, "g");
  const compile::CompiledModel model(flat);
  ASSERT_EQ(model.variable_names()[0], "x");
  ASSERT_EQ(model.variable_names()[3], "y");
  for (const Chart& chart : {Chart{{2, 0, 0}}, Chart{{0, 2, 0}}}) {
    const auto values = solve_at(model, model.compile(chart), 0, {0.6, 0.3, 0, 0.7, -0.4, 0, 0});
    EXPECT_LT(largest_residual(flat, values), 100 * eps);
    EXPECT_EQ(values.at(flat.unknowns[0].symbol) == 0.6, chart.n_dummies[0] == 0);
  }
}

struct Shape {
  Block::Kind kind;
  std::size_t n_unknowns, n_tears;

  friend bool operator==(const Shape&, const Shape&) = default;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << fmt::format("{{{}, {}, {}}}", static_cast<int>(shape.kind), shape.n_unknowns,
                      shape.n_tears);
}

std::vector<Shape> shapes(const flat::FlatSystem& flat) {
  std::vector<Shape> result;
  const Reduction r = reduce(flat);
  for (const Block& block : r.reduced.blocks)
    result.push_back({block.kind, block.size(), block.tears.size()});
  return result;
}

TEST(ReducedSystem, KindsOfBlocks) {
  using Kind = Block::Kind;
  EXPECT_EQ(
      shapes(text_model("a b c d e",
                        {"2*a = time", "b + c = a", "b - 2*c = 1", "d + exp(e) = b", "d*e = c"})),
      (std::vector<Shape>{{Kind::assign, 1, 0}, {Kind::assign, 2, 0}, {Kind::nonlinear, 2, 1}}));
  // Coefficients that vary are not divided by, in no position.
  EXPECT_EQ(shapes(text_model("x y z",
                              {"x + sin(time)*y = 1", "cos(time)*x - y*time = 2", "der(z) = x*y"})),
            (std::vector<Shape>{{Kind::linear, 2, 1}, {Kind::assign, 1, 0}}));
  EXPECT_EQ(
      shapes(text_model("x y", {"sin(time)*x + cos(time)*y = 1", "cos(time)*x - y*time = 2"})),
      (std::vector<Shape>{{Kind::linear, 2, 2}}));
}

/// The value of a parameter says whether it may be divided by.
TEST(ReducedSystem, NeverDividesByAParameterThatIsZero) {
  using Kind = Block::Kind;
  auto flat = text_model("x y", {"p*x + sin(time)*y = 1", "cos(time)*x - time*y = 2"}, "p");
  EXPECT_EQ(shapes(flat), (std::vector<Shape>{{Kind::linear, 2, 1}}));
  flat.parameters[0].value = flat.pool->integer(0);
  EXPECT_EQ(shapes(flat), (std::vector<Shape>{{Kind::linear, 2, 2}}));
  flat.parameters[0].value = flat.pool->integer(3);
  flat.parameters[0].solved_for = true;
  EXPECT_EQ(shapes(flat), (std::vector<Shape>{{Kind::linear, 2, 2}}));
  // p - q may be zero though neither is; (p + q)*(p - q) - p*p + q*q always is.
  auto pair = text_model("x y", {"x + p*y = 1", "x + q*y = time"}, "p q");
  EXPECT_EQ(shapes(pair), (std::vector<Shape>{{Kind::assign, 2, 0}}));
  pair.parameters[0].value = pair.parameters[1].value = pair.pool->integer(3);
  EXPECT_EQ(shapes(pair), (std::vector<Shape>{{Kind::linear, 2, 1}}));
}

/// Everything decided about a model by the whole phase, by name and in order.
std::vector<std::string> description(const flat::FlatSystem& flat) {
  std::vector<std::string> lines;
  try {
    const StructuralPhase phase = run_passes(flat);
    const auto name = [&](Index v) {
      return flat.pool->symbol_text(phase.differentiated.variables[v]);
    };
    for (const StructureRepair& repair : phase.repairs)
      lines.push_back(fmt::format("repaired {}", repair.equations.size()));
    for (const Index v : phase.reduced.states) lines.push_back("state " + name(v));
    for (const Block& block : phase.reduced.blocks) {
      lines.push_back(fmt::format("block {}:", static_cast<int>(block.kind)));
      lines.back() += " torn at";
      for (const Index v : block.tears) lines.back() += " " + name(v);
      lines.back() += " then";
      for (const Assignment& a : block.assignments) lines.back() += " " + name(a.unknown);
    }
  } catch (const Error& error) {
    lines.push_back("error " + error.code());
  }
  return lines;
}

template <class List>
void shuffle(List& list, std::mt19937& random) {
  for (std::size_t i = list.size(); i-- > 1;) std::swap(list[i], list[random() % (i + 1)]);
}

/// Ties are broken by names, never by the order in which a model was written.
TEST(ReducedSystem, DoesNotDependOnTheOrderOfWriting) {
  std::mt19937 random(23);
  std::vector<Problem> problems = validation_problems();
  problems.push_back(
      {"double pendulum with angles",
       "",
       "x1 y1 x2 y2 l1 l2 lx2 ly2 theta1 theta2",
       {"der(der(x1)) = l1*x1 - l2*lx2", "der(der(y1)) = l1*y1 - l2*ly2 - 1", "x1 = cos(theta1)",
        "y1 = sin(theta1)", "der(der(x2)) = l2*lx2", "der(der(y2)) = l2*ly2 - 1",
        "lx2 = cos(theta2)", "ly2 = sin(theta2)", "x2 = lx2 + x1", "y2 = ly2 + y1"}});
  for (const Problem& problem : problems) {
    const auto expected =
        description(text_model(problem.unknowns, problem.equations, problem.parameters));
    for (int trial = 0; trial < 8; ++trial) {
      std::vector<std::string> unknowns = words(problem.unknowns);
      std::vector<std::string> equations = problem.equations;
      shuffle(unknowns, random);
      shuffle(equations, random);
      std::string names;
      for (const std::string& name : unknowns) names += name + " ";
      ASSERT_EQ(description(text_model(names, equations, problem.parameters)), expected)
          << problem.name;
    }
  }
}

/// A sparse block of thousands of unknowns, at a size where asking every equation about every
/// unknown of its block would show.
TEST(ReducedSystem, ALargeBlockCostsItsEntries) {
  const Problem problem = cartesian_chain(1000);
  const auto flat = text_model(problem.unknowns, problem.equations, problem.parameters);
  const Reduction r = reduce(flat);
  EXPECT_EQ(r.reduced.blocks.back().size(), 3000u);
  EXPECT_EQ(r.reduced.blocks.back().kind, Block::Kind::linear);
  EXPECT_EQ(r.reduced.states.size(), 2000u);
}

}  // namespace
}  // namespace alembert::structure
