// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/linearise.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <numeric>

#include "alembert/base/error.hpp"
#include "alembert/base/similar_names.hpp"
#include "alembert/integrate/chart_control.hpp"
#include "alembert/integrate/event_iteration.hpp"
#include "alembert/integrate/initialise.hpp"
#include "alembert/integrate/model_point.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::integrate {

using compile::CompiledModel;
using flat::FlatSystem;
using symbolic::ExprId;

namespace {

using Rows = std::vector<std::vector<double>>;

/// A symbol that no model has a name for.
std::string fresh(const FlatSystem& system, const std::string& wish) {
  std::string name = wish;
  while (system.pool->find_symbol(name).valid()) name += "'";
  return name;
}

/// " Did you mean 'x'?", or nothing. Of what the lists declare.
template <class... Lists>
std::string did_you_mean(const FlatSystem& system, const std::string& name, const Lists&... lists) {
  std::vector<std::string> names;
  const auto add = [&](const auto& list) {
    for (const auto& entry : list) names.push_back(system.pool->symbol_text(entry.symbol));
  };
  (add(lists), ...);
  const std::string nearest = nearest_name(name, names);
  return nearest.empty() ? "" : " Did you mean '" + nearest + "'?";
}

ExprId find_quantity(const FlatSystem& system, const std::string& name) {
  for (const flat::Observed& observed : system.observed)
    if (observed.name == name) return observed.value;
  // "der(der(x))": as often differentiated as it says.
  std::string base = name;
  std::size_t order = 0;
  while (base.starts_with("der(") && base.ends_with(")")) {
    base = base.substr(4, base.size() - 5);
    ++order;
  }
  const auto unknown = std::find_if(
      system.unknowns.begin(), system.unknowns.end(),
      [&](const flat::Unknown& u) { return system.pool->symbol_text(u.symbol) == base; });
  if (unknown == system.unknowns.end())
    throw Error("I020", "there is no variable named '" + name + "' to linearise for." +
                            did_you_mean(system, base, system.unknowns));
  ExprId symbol = unknown->symbol;
  for (; order > 0; --order) symbol = system.pool->derivative_symbol(symbol);
  return symbol;
}

void set_starts(FlatSystem& system, const NamedValues& at) {
  for (flat::Unknown& unknown : system.unknowns) {
    const auto value = at.find(system.pool->symbol_text(unknown.symbol));
    if (value != at.end()) unknown.start = system.pool->real(value->second);
  }
  for (flat::DerivativeStart& start : system.derivative_starts) {
    const auto value = at.find(system.pool->symbol_text(start.symbol));
    if (value != at.end()) start.value = system.pool->real(value->second);
  }
}

/// Each input a state with derivative 0, in all equations.
std::vector<ExprId> inputs_to_states(FlatSystem& system, const std::vector<std::string>& inputs) {
  symbolic::ExprPool& pool = *system.pool;
  symbolic::Replacements by_states;
  std::vector<ExprId> states;
  for (const std::string& name : inputs) {
    const auto parameter =
        std::find_if(system.parameters.begin(), system.parameters.end(),
                     [&](const flat::Parameter& p) { return pool.symbol_text(p.symbol) == name; });
    if (parameter == system.parameters.end())
      throw Error("I020", "there is no parameter named '" + name +
                              "' to be an input. Inputs are parameters of the model." +
                              did_you_mean(system, name, system.parameters));
    states.push_back(pool.unknown(fresh(system, "input " + name)));
    by_states.emplace(parameter->symbol, states.back());
    system.unknowns.push_back({.symbol = states.back(), .start = parameter->symbol, .fixed = true});
  }
  for (auto* list : {&system.equations, &system.discrete_equations})
    for (flat::FlatEquation& equation : *list) {
      equation.left = symbolic::substitute(pool, equation.left, by_states);
      equation.right = symbolic::substitute(pool, equation.right, by_states);
    }
  for (flat::Observed& observed : system.observed)
    observed.value = symbolic::substitute(pool, observed.value, by_states);
  for (const ExprId state : states)
    system.equations.push_back({pool.derivative_symbol(state), pool.number(0)});
  return states;
}

/// A state for each quantity, which collects it.
std::vector<ExprId> outputs_to_states(FlatSystem& system, const std::vector<ExprId>& quantities) {
  std::vector<ExprId> states;
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    states.push_back(
        system.pool->unknown(fresh(system, "integral of output " + std::to_string(k + 1))));
    system.unknowns.push_back(
        {.symbol = states.back(), .start = system.pool->number(0), .fixed = true});
    system.equations.push_back({system.pool->derivative_symbol(states.back()), quantities[k]});
  }
  return states;
}

/// A model at its consistent start.
struct StartedModel {
  StartedModel(const FlatSystem& system, double time, const NamedValues& parameters)
      : model(system),
        point(model, model.parameter_values({parameters.begin(), parameters.end()})),
        events(point),
        charts(point, Formulation::dynamic) {
    initialise(point, events, charts, SimulateOptions{.start = time});
    if (!point.complete())
      throw Error("I021",
                  "the model has no values at this point. Choose another by its start values.");
  }

  NamedValues values() const {
    NamedValues result;
    for (std::uint32_t k = 0; k < model.n_variables(); ++k)
      result.emplace(model.variable_names()[k], point.outputs()[k]);
    for (std::uint32_t k = 0; k < model.n_observed(); ++k)
      result.emplace(model.flat().observed[k].name, point.outputs()[model.n_variables() + k]);
    return result;
  }

  CompiledModel model;
  ModelPoint point;
  EventIteration events;
  ChartControl charts;
};

/// Derivatives of the derivatives of all states by all states.
Eigen::MatrixXd jacobian_at(StartedModel& started) {
  ModelPoint& point = started.point;
  const auto n = static_cast<Eigen::Index>(point.n_states());
  std::vector<double> y(point.n_states()), dfdt(point.n_states());
  point.copy_states(y);
  Eigen::MatrixXd jacobian(n, n);
  if (!point.use_jacobian() ||
      !point.jacobian(point.time(), y.data(), true, jacobian.data(), dfdt.data()))
    throw Error("I021",
                "the model has no derivatives at this point, or a function in it has none. Choose "
                "another point by its start values.");
  return jacobian;
}

Rows rows_of(const Eigen::MatrixXd& matrix) {
  Rows rows(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j < matrix.cols(); ++j)
      rows[static_cast<std::size_t>(i)].push_back(matrix(i, j));
  return rows;
}

/// The rows of `wanted` [w x n], completed by unit rows to a regular matrix [n x n]; `added` names
/// the columns of the unit rows.
Eigen::MatrixXd completed(const Eigen::MatrixXd& wanted, std::vector<Eigen::Index>& added,
                          const std::vector<std::string>& names) {
  const Eigen::Index n = wanted.cols(), w = wanted.rows();
  Eigen::MatrixXd left = wanted;
  std::vector<char> taken(static_cast<std::size_t>(n), 0);
  for (Eigen::Index i = 0; i < w; ++i) {
    Eigen::Index pivot = 0;
    const double size = left.row(i).cwiseAbs().maxCoeff(&pivot);
    if (!(size > 1e-9 * wanted.row(i).cwiseAbs().maxCoeff()))
      throw Error("I020", "'" + names[static_cast<std::size_t>(i)] +
                              "' cannot be a state at this point: it does not vary, or follows "
                              "from those named before it.");
    taken[static_cast<std::size_t>(pivot)] = 1;
    for (Eigen::Index k = i + 1; k < w; ++k)
      left.row(k) -= left(k, pivot) / left(i, pivot) * left.row(i);
  }
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
  result.topRows(w) = wanted;
  Eigen::Index row = w;
  for (Eigen::Index j = 0; j < n; ++j)
    if (!taken[static_cast<std::size_t>(j)]) {
      result(row++, j) = 1;
      added.push_back(j);
    }
  return result;
}

}  // namespace

std::vector<std::complex<double>> eigenvalues(const Rows& a, std::size_t n) {
  const auto size = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd block(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      block(i, j) = a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  std::vector<std::complex<double>> values;
  if (n == 0) return values;
  const Eigen::VectorXcd found = block.eigenvalues();
  values.assign(found.begin(), found.end());
  std::sort(values.begin(), values.end(), [](const auto& x, const auto& y) {
    return x.real() != y.real() ? x.real() < y.real() : x.imag() < y.imag();
  });
  return values;
}

namespace {

/// Where things are among the states of the chart.
struct Places {
  std::vector<Eigen::Index> inputs, outputs, own;  // own: the states of the model itself
};

Places places_of(const StartedModel& started, const std::vector<ExprId>& inputs,
                 const std::vector<ExprId>& outputs) {
  const auto& states = started.point.chart().states;
  std::vector<char> is_own(states.size(), 1);
  const auto place_of = [&](ExprId symbol) {
    const auto at = std::find(states.begin(), states.end(), started.model.variable_of(symbol));
    ensure(at != states.end(), "inputs and outputs are states");
    is_own[static_cast<std::size_t>(at - states.begin())] = 0;
    return static_cast<Eigen::Index>(at - states.begin());
  };
  Places places;
  for (const ExprId input : inputs) places.inputs.push_back(place_of(input));
  for (const ExprId output : outputs) places.outputs.push_back(place_of(output));
  for (std::size_t k = 0; k < states.size(); ++k)
    if (is_own[k]) places.own.push_back(static_cast<Eigen::Index>(k));
  return places;
}

struct Matrices {
  Eigen::MatrixXd A, B, C, D;
};

/// Other variables w = W x + V u as states, with V = 0.
void change_states(Matrices& m, const Eigen::MatrixXd& W, const Eigen::MatrixXd& V) {
  if (V.size() > 0 && V.cwiseAbs().maxCoeff() > 0)
    throw Error("I020", "a state that is named depends on an input at once.");
  const Eigen::MatrixXd inverse = Eigen::FullPivLU<Eigen::MatrixXd>(W).inverse();
  m.A = W * m.A * inverse;
  m.B = (W * m.B).eval();
  m.C = (m.C * inverse).eval();
}

}  // namespace

Linearisation linearise(const FlatSystem& given, const LineariseOptions& options) {
  FlatSystem system = given;
  set_starts(system, options.at);
  const std::vector<ExprId> inputs = inputs_to_states(system, options.inputs);
  std::vector<ExprId> quantities;
  for (const auto* names : {&options.outputs, &options.states})
    for (const std::string& name : *names) quantities.push_back(find_quantity(system, name));
  const std::vector<ExprId> outputs = outputs_to_states(system, quantities);
  StartedModel started(system, options.time, options.parameters);
  const Eigen::MatrixXd jacobian = jacobian_at(started);

  const auto [in, out, own] = places_of(started, inputs, outputs);
  const auto first_wanted = out.begin() + static_cast<std::ptrdiff_t>(options.outputs.size());
  const std::vector<Eigen::Index> visible(out.begin(), first_wanted);
  const std::vector<Eigen::Index> wanted(first_wanted, out.end());  // as states
  if (wanted.size() > own.size())
    throw Error("I020", "the model has " + std::to_string(own.size()) + " states, and " +
                            std::to_string(wanted.size()) + " are named.");
  Matrices m{jacobian(own, own), jacobian(own, in), jacobian(visible, own), jacobian(visible, in)};
  std::vector<Eigen::Index> kept(own.size());  // of the model's own states
  std::iota(kept.begin(), kept.end(), 0);
  if (!wanted.empty()) {
    kept.clear();
    change_states(m, completed(jacobian(wanted, own), kept, options.states), jacobian(wanted, in));
  }

  Linearisation result;
  result.states = options.states;
  result.inputs = options.inputs;
  result.outputs = options.outputs;
  result.A = rows_of(m.A);
  result.B = rows_of(m.B);
  result.C = rows_of(m.C);
  result.D = rows_of(m.D);
  const std::vector<std::string> chart_states = started.point.state_names();
  for (const Eigen::Index k : kept)
    result.states.push_back(
        chart_states[static_cast<std::size_t>(own[static_cast<std::size_t>(k)])]);
  result.eigenvalues = eigenvalues(result.A, result.A.size());
  result.point = started.values();
  for (const auto* symbols : {&inputs, &outputs})
    for (const ExprId symbol : *symbols) {
      const std::string name = system.pool->symbol_text(symbol);
      result.point.erase(name);
      result.point.erase("der(" + name + ")");
    }
  return result;
}

NamedValues equilibrium(const FlatSystem& given, const EquilibriumOptions& options) {
  FlatSystem system = given;
  set_starts(system, options.at);
  const auto is_held = [&](const std::string& name) {
    return std::find(options.hold.begin(), options.hold.end(), name) != options.hold.end();
  };
  for (const std::string& name : options.hold) find_quantity(system, name);
  // What were conditions of the start are guesses, and the derivatives vanish instead.
  for (flat::Unknown& unknown : system.unknowns)
    unknown.fixed = unknown.fixed && is_held(system.pool->symbol_text(unknown.symbol));
  for (flat::DerivativeStart& start : system.derivative_starts)
    start.fixed = start.fixed && is_held(system.pool->symbol_text(start.symbol));
  system.initial_equations.clear();
  const std::vector<std::string> states = [&] {
    CompiledModel model(system);
    std::vector<std::string> names;
    for (const std::uint32_t state : model.static_chart().states)
      names.push_back(model.variable_names()[state]);
    return names;
  }();
  for (const std::string& name : states) {
    const ExprId symbol = find_quantity(system, name);
    if (!is_held(name)) {
      system.initial_equations.push_back(
          {system.pool->derivative_symbol(symbol), system.pool->number(0)});
      continue;
    }
    // A state that is held has its start value, and goes on as it likes.
    for (flat::Unknown& unknown : system.unknowns)
      if (unknown.symbol == symbol) {
        if (!unknown.start.valid()) unknown.start = system.pool->number(0);
        unknown.fixed = true;
      }
  }
  StartedModel started(system, options.time, options.parameters);
  return started.values();
}

}  // namespace alembert::integrate
