// SPDX-License-Identifier: Apache-2.0
// The mass-matrix and the fully implicit shape of models that nobody can solve by hand. Second
// route: the ordinary shape. Along a run of it everything in the other two vanishes, on the chart
// that is best at each point; and integrated by themselves they end where it ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/model/backend.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/integrate/solve.hpp"
#include "alembert/structure/formulations.hpp"
#include "alembert/structure/passes.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert {
namespace {

namespace fs = std::filesystem;
using structure::Index;
using symbolic::ExprId;

const fs::path root = ALEMBERT_SOURCE_ROOT;
constexpr double eps = std::numeric_limits<double>::epsilon();

flat::FlatSystem read(const std::string& file, const std::string& model) {
  return modelica::flatten({.files = {root / file}, .model = model}).system;
}

/// A model with the passes done and a run of its ordinary shape.
struct Case {
  Case(flat::FlatSystem system, double stop, double tolerance)
      : flat(std::move(system)), phase(structure::run_passes(flat)) {
    const compile::CompiledModel model(flat);
    run = integrate::simulate(model, {.stop = stop, .tolerance = tolerance, .intervals = 8});
    parameters = flat::evaluate_parameters(flat);
  }

  double value(ExprId symbol, std::size_t row) const {
    return run.trajectory.column(flat.pool->symbol_text(symbol))[row];
  }

  /// Time, parameters and all variables of the differentiated system.
  symbolic::Values values(std::size_t row) const {
    symbolic::Values values = flat::values_by_symbol(flat, parameters);
    values[flat.pool->time()] = run.trajectory.times()[row];
    for (const ExprId symbol : phase.differentiated.variables) values[symbol] = value(symbol, row);
    return values;
  }

  flat::FlatSystem flat;
  structure::StructuralPhase phase;
  integrate::SimulationResult run;
  std::vector<double> parameters;
};

/// A residual beside the terms that it is made of.
double relative_residual(symbolic::ExprPool& pool, ExprId residual, const symbolic::Values& at) {
  std::vector<ExprId> symbols = free_symbols(pool, residual);
  std::erase_if(symbols,
                [&](ExprId s) { return pool.symbol_of(s).kind != symbolic::SymbolKind::unknown; });
  const std::vector<double> slopes = evaluate(pool, gradient(pool, residual, symbols), at);
  double scale = 0;
  for (std::size_t k = 0; k < symbols.size(); ++k)
    scale += std::abs(slopes[k]) * std::max(1e-3, std::abs(at.at(symbols[k])));
  return std::abs(evaluate(pool, residual, at)) / scale;
}

/// The reduced system on the chart that is best at a row of the run.
structure::ReducedSystem best_reduced(const Case& c, const symbolic::Values& at) {
  const std::vector<double> entries =
      evaluate(*c.flat.pool, c.phase.differentiated.selection_jacobian, at);
  const structure::Chart chart = structure::best_chart(c.phase.simplified.flat, c.phase.plan,
                                                       structure::SelectionEntries{entries})
                                     .chart;
  return structure::apply_plan(c.phase.simplified.flat, c.phase.plan, c.phase.differentiated,
                               chart);
}

void expect_both_vanish(const Case& c) {
  symbolic::ExprPool& pool = *c.flat.pool;
  const auto& variables = c.phase.differentiated.variables;
  for (std::size_t row = 0; row < c.run.trajectory.n_rows(); ++row) {
    SCOPED_TRACE("time " + std::to_string(c.run.trajectory.times()[row]));
    const symbolic::Values at = c.values(row);
    const structure::ReducedSystem reduced = best_reduced(c, at);

    const auto mass = structure::mass_matrix_form(c.phase.differentiated, reduced);
    ASSERT_EQ(mass.right_side.size(), mass.unknowns.size());
    symbolic::Values computed = flat::values_by_symbol(c.flat, c.parameters);
    computed[pool.time()] = at.at(pool.time());
    for (const Index v : mass.unknowns) computed[variables[v]] = at.at(variables[v]);
    for (const structure::Assignment& assignment : mass.assignments) {
      const ExprId symbol = variables[assignment.unknown];
      computed[symbol] = evaluate(pool, assignment.value, computed);
      EXPECT_NEAR(computed[symbol], at.at(symbol), 1e-7 * std::max(1.0, std::abs(at.at(symbol))))
          << pool.symbol_text(symbol);
      computed[symbol] = at.at(symbol);  // so that errors do not add up
    }
    for (std::size_t i = 0; i < mass.right_side.size(); ++i)
      if (i < mass.n_differential)
        EXPECT_EQ(evaluate(pool, mass.right_side[i], at), at.at(variables[reduced.derivatives[i]]));
      else
        EXPECT_LT(relative_residual(pool, mass.right_side[i], at), 1e6 * eps);

    const auto implicit = structure::implicit_form(c.phase.plan, c.phase.differentiated, reduced);
    for (const ExprId residual : implicit.residuals)
      EXPECT_LT(relative_residual(pool, residual, at), 1e6 * eps);
    for (const auto& [of, to] : implicit.links)
      EXPECT_EQ(pool.symbol_of(variables[implicit.unknowns[of]]).derivative,
                variables[implicit.unknowns[to]]);
  }
}

/// Expressions as a function of time and some symbols, with others assigned on the way.
class Evaluator {
 public:
  Evaluator(const Case& c, std::span<const ExprId> inputs,
            std::span<const std::pair<ExprId, ExprId>> assigned, std::span<const ExprId> outputs)
      : parameters_(c.parameters) {
    compile::TapeBuilder builder(static_cast<std::uint32_t>(1 + inputs.size()),
                                 static_cast<std::uint32_t>(c.flat.parameters.size()));
    compile::Lowering lowering(*c.flat.pool, builder);
    lowering.bind(c.flat.pool->time(), builder.input(0));
    for (std::uint32_t i = 0; i < inputs.size(); ++i)
      lowering.bind(inputs[i], builder.input(1 + i));
    for (std::uint32_t i = 0; i < c.flat.parameters.size(); ++i)
      lowering.bind(c.flat.parameters[i].symbol, builder.parameter(i));
    for (const auto& [symbol, value] : assigned) lowering.bind(symbol, lowering.lower(value));
    for (const compile::ValueId value : lowering.lower(outputs)) builder.output(value);
    kernel_ = compile::make_kernel(std::move(builder).finish());
    workspace_ = compile::AlignedDoubles(kernel_.shape().workspace_size);
    inputs_.resize(1 + inputs.size());
  }

  void operator()(std::span<double> out, std::span<const double> y, double t) {
    inputs_[0] = t;
    std::copy(y.begin(), y.end(), inputs_.begin() + 1);
    kernel_(inputs_.data(), parameters_.data(), out.data(), workspace_.data());
  }

 private:
  std::vector<double> parameters_;
  compile::Kernel kernel_;
  compile::AlignedDoubles workspace_;
  std::vector<double> inputs_;
};

integrate::SolveResult solve_from_start(const Case& c, std::vector<ExprId> unknowns,
                                        std::vector<double> mass, Evaluator& f, const char* method,
                                        double tolerance) {
  integrate::HandProblem problem;
  for (const ExprId symbol : unknowns) {
    problem.start.push_back(c.value(symbol, 0));
    problem.names.push_back(c.flat.pool->symbol_text(symbol));
  }
  problem.f = [&](std::span<double> out, std::span<const double> y, std::span<const double>,
                  double t) { f(out, y, t); };
  problem.t_start = c.run.trajectory.times().front();
  problem.t_stop = c.run.trajectory.times().back();
  problem.mass = std::move(mass);
  return integrate::solve(problem, {.method = method,
                                    .relative_tolerance = tolerance,
                                    .absolute_tolerance = tolerance,
                                    .intervals = 8});
}

void expect_same_end(const Case& c, const integrate::SolveResult& run, std::size_t n_differential,
                     double tolerance) {
  ASSERT_EQ(run.outcome, integrate::Outcome::done) << run.message;
  const std::size_t last = run.trajectory.n_rows() - 1;
  for (std::size_t i = 0; i < n_differential; ++i) {
    const std::string& name = run.trajectory.names()[i];
    const auto column = c.run.trajectory.column(name);
    double size = 1e-3;
    for (const double v : column) size = std::max(size, std::abs(v));
    EXPECT_NEAR(run.trajectory.column(name)[last], column.back(), tolerance * size) << name;
  }
}

/// On the chart that is best at the start; the run must not have needed another one.
void expect_both_run(const Case& c, const char* method, double tolerance, double slack) {
  const auto& variables = c.phase.differentiated.variables;
  const structure::ReducedSystem reduced = best_reduced(c, c.values(0));
  {
    SCOPED_TRACE("mass-matrix");
    const auto form = structure::mass_matrix_form(c.phase.differentiated, reduced);
    std::vector<ExprId> unknowns;
    for (const Index v : form.unknowns) unknowns.push_back(variables[v]);
    std::vector<std::pair<ExprId, ExprId>> assigned;
    for (const auto& a : form.assignments) assigned.emplace_back(variables[a.unknown], a.value);
    Evaluator f(c, unknowns, assigned, form.right_side);
    expect_same_end(c, solve_from_start(c, unknowns, form.mass, f, method, tolerance),
                    form.n_differential, slack * tolerance);
  }
  {
    // F(t, y, y') = 0 as y' = w, 0 = F(t, y, w), with a w for each rate that is in F.
    SCOPED_TRACE("fully implicit");
    const auto form = structure::implicit_form(c.phase.plan, c.phase.differentiated, reduced);
    std::vector<ExprId> unknowns, right_side;
    std::vector<double> mass;
    std::vector<ExprId> rate(form.size());
    for (Index k = 0; k < form.size(); ++k) rate[k] = form.rates[k];
    for (const auto& [of, to] : form.links) rate[of] = variables[form.unknowns[to]];
    for (Index k = 0; k < form.size(); ++k)
      if (form.differential[k]) {
        unknowns.push_back(variables[form.unknowns[k]]);
        right_side.push_back(rate[k]);
        mass.push_back(1);
      }
    const std::size_t n_differential = mass.size();
    for (Index k = 0; k < form.size(); ++k)
      if (!form.differential[k]) unknowns.push_back(variables[form.unknowns[k]]);
    for (Index k = 0; k < form.size(); ++k)
      if (form.rates[k].valid()) unknowns.push_back(form.rates[k]);
    right_side.insert(right_side.end(), form.residuals.begin(), form.residuals.end());
    mass.resize(unknowns.size(), 0);
    ASSERT_EQ(right_side.size(), unknowns.size());
    Evaluator f(c, unknowns, {}, right_side);
    expect_same_end(c, solve_from_start(c, unknowns, mass, f, method, tolerance), n_differential,
                    slack * tolerance);
  }
}

struct Sample {
  const char* file;
  const char* model;
  double stop;
  bool is_integrated = true;  // one chart is good all the way
};

// Index 0 to 3, chains of derivatives, torn nonlinear and linear blocks, constraints that depend on
// time, terms that cancel.
constexpr Sample samples[] = {
    {"models/validation/chemistry.mo", "Chemistry.Robertson", 1},
    {"models/validation/chemistry.mo", "Chemistry.ChemicalAkzo", 10},
    {"models/validation/circuits.mo", "Circuits.TransistorAmplifier", 0.002},
    {"models/validation/mechanics.mo", "Mechanics.PendulumIndex3", 0.5},
    {"models/validation/mechanics.mo", "Mechanics.PendulumIndex2", 0.5},
    {"models/validation/mechanics.mo", "Mechanics.PendulumIndex1", 0.5},
    {"models/validation/mechanics.mo", "Mechanics.CarAxis", 0.05},
    {"models/validation/mechanics.mo", "Mechanics.SliderCrank", 0.2},
    {"models/validation/mechanics.mo", "Mechanics.Snakeboard", 1, false},
    {"models/validation/mechanics.mo", "Mechanics.RollingDisc", 0.2, false},
    {"models/validation/further.mo", "Further.ConicalPendulum", 0.3},
    {"models/validation/further.mo", "Further.KnifeEdge", 0.3, false},
    {"models/double_pendulum.mo", "DoublePendulum", 0.2},
    {"models/mechanisms.mo", "Mechanisms.Spherical", 0.2},
    {"models/mechanisms.mo", "Mechanisms.FourBarPoints", 0.2},
    {"models/linkages.mo", "Linkages.SliderCrank", 0.1},
    {"models/linkages.mo", "Linkages.MotorPendulum", 0.1, false},
    {"models/linkages.mo", "Linkages.BodyFourBar", 0.05, false},
    {"models/machines.mo", "Machines.ScotchYoke", 0.2},
    {"models/planar_loop.mo", "Planar.FourBar", 0.05, false},
    {"models/rotational.mo", "Rotational.Drive", 0.5},
    {"models/circuits.mo", "Circuits.Ladder", 1},
};

TEST(Shapes, VanishAlongRunsOfTheOrdinaryOneAndRunByThemselves) {
  constexpr double tolerance = 1e-8;
  for (const Sample& sample : samples) {
    SCOPED_TRACE(sample.model);
    const Case c(read(sample.file, sample.model), sample.stop, tolerance);
    ASSERT_EQ(c.run.outcome, integrate::Outcome::done) << c.run.message;
    expect_both_vanish(c);
    if (!sample.is_integrated) continue;
    for (const char* method : {"radau5", "rodas5p", "ida"}) {
      SCOPED_TRACE(method);
      expect_both_run(c, method, tolerance, 1e3);
    }
  }
}

}  // namespace
}  // namespace alembert
