// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/flattener.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "alembert/frontend/modelica/evaluate/evaluator.hpp"
#include "alembert/frontend/modelica/flatten/connections.hpp"
#include "alembert/frontend/modelica/flatten/connector_balance.hpp"
#include "alembert/frontend/modelica/flatten/declarations.hpp"
#include "alembert/frontend/modelica/flatten/equations.hpp"
#include "alembert/frontend/modelica/flatten/events.hpp"
#include "alembert/frontend/modelica/flatten/open_connectors.hpp"
#include "alembert/frontend/modelica/flatten/scene.hpp"
#include "alembert/frontend/modelica/flatten/settle_clocks.hpp"
#include "alembert/frontend/modelica/flatten/settle_discrete_starts.hpp"
#include "alembert/frontend/modelica/flatten/settle_parameters.hpp"
#include "alembert/frontend/modelica/flatten/settle_semi_linear.hpp"
#include "alembert/frontend/modelica/flatten/unit_check.hpp"
#include "alembert/frontend/modelica/flatten/vanishing_terms.hpp"
#include "alembert/frontend/modelica/flatten/when_targets.hpp"
#include "alembert/frontend/modelica/syntax/mistakes.hpp"

namespace alembert::modelica {

namespace {

using symbolic::SymbolKind;

bool is_parameter(Instance& component) { return component.variability() == Variability::parameter; }

bool is_constant(Instance& component) { return component.variability() == Variability::constant; }

std::size_t row_major(std::span<const std::int64_t> dims, std::span<const std::int64_t> index) {
  std::size_t offset = 0;
  for (std::size_t k = 0; k < dims.size() && k < index.size(); ++k)
    offset = offset * static_cast<std::size_t>(dims[k]) + static_cast<std::size_t>(index[k]);
  return offset;
}

class Flattener final : public ModelHooks {
 public:
  Flattener(InstanceTree& tree, const std::string& name)
      : pool_(std::make_shared<symbolic::ExprPool>()),
        evaluator_(*pool_, *this),
        state_{.tree = tree, .evaluator = evaluator_, .pool = *pool_, .system = system_},
        events_(state_),
        equations_(state_, events_),
        connections_(state_),
        declarations_(state_, equations_),
        units_(tree) {
    tree.set_evaluator(evaluator_);
    system_.name = name;
    system_.pool = pool_;
  }

  /// `session` holds this and all that it refers to, but for the pool: functions of the pool keep
  /// it, so it must not keep the pool.
  flat::FlatSystem run(const std::function<Instance&()>& instantiate,
                       const std::shared_ptr<const void>& session,
                       std::vector<OpenConnector>* connectors, DisplayUnits* display_units) {
    state_.is_open = connectors != nullptr;
    const ReleaseAtEnd release{*this};
    evaluator_.keep_alive(session);
    Instance& model = instantiate();
    system_.origin = origin_of(model.place());
    state_.walk();
    guarded([&] { connections_.gather(); });
    report();  // what is connected decides about the rest
    guarded([&] { check_blocks(state_); });
    warn_of_unbalanced_connectors(state_);
    read_components();
    report();
    connections_.add_equations();
    guarded([&] { system_.scene = read_scene(state_); });
    guarded([&] { declarations_.add_parameters(); });
    settle_parameters(system_);
    settle_discrete_starts(system_);
    if (connectors == nullptr) settle_semi_linear(system_);
    if (connectors == nullptr) remove_vanishing_terms(system_, state_.final_parameters);
    read_experiment(model);
    if (connectors != nullptr) guarded([&] { *connectors = open_connectors(model, connections_); });
    report();
    settle_clocks(state_, events_);
    if (display_units != nullptr) *display_units = declarations_.take_display_units();
    return std::move(system_);
  }

  // What expressions ask for.

  SymbolKind kind_of(const Instance& variable) override {
    Instance& component = const_cast<Instance&>(variable);  // answers are remembered, not changed
    if (!state_.is_open && is_free_input(component)) return SymbolKind::parameter;
    if (component.type() != TypeKind::real) return SymbolKind::discrete;
    return when_targets_.contains(component) ? SymbolKind::discrete : SymbolKind::unknown;
  }
  ExprId initial(Place) override { return events_.initial(); }
  ExprId terminal(Place) override { return pool_->discrete("terminal()"); }
  ExprId sample(ExprId start, ExprId interval, Place place) override {
    return events_.sample(start, interval, place);
  }
  ExprId delay(ExprId value, ExprId delay, ExprId longest, Place place) override {
    return events_.delay(value, delay, longest, place);
  }
  std::array<ExprId, 2> transport(const TransportCall& call, Place place) override {
    return events_.transport(call, place);
  }
  ExprId clocked_call(const ClockedCall& call, Place place) override {
    return events_.clocked_call(call, place);
  }
  ExprId clock(const ClockDefinition& definition, Place place) override {
    return events_.clock(definition, place);
  }
  void note_real_equality(bool is_equal, Place place) override {
    if (!told_equalities_.insert({place.source, place.offset}).second) return;
    Diagnostic warning = diagnostic_at(
        place, "M342",
        fmt::format(
            "a Real that varies is hardly ever exactly equal to another number, and Modelica "
            "allows '{}' between Reals in functions only. {}",
            is_equal ? "==" : "<>",
            is_equal ? "Write '>=' or '<=', which finds the moment when one passes the other."
                     : "Write '>' or '<', or both joined by 'or'."));
    state_.tree.warn(std::move(warning));
  }
  void note_previous(ExprId variable, Place place) override {
    state_.clocks.previous.emplace_back(variable, state_.origin(place));
  }
  ExprId edge(ExprId condition, Place place) override { return events_.edge(condition, place); }
  ExprId in_stream(Instance& variable, std::span<const std::int64_t> index, Place place) override {
    return connections_.in_stream(variable, row_major(variable.dimensions(), index), place);
  }
  ExprId actual_stream(Instance& variable, std::span<const std::int64_t> index,
                       Place place) override {
    return connections_.actual_stream(variable, row_major(variable.dimensions(), index), place);
  }
  std::int64_t cardinality(Instance& connector, Place) override {
    return connections_.cardinality(connector);
  }
  bool is_root(Instance& record, Place) override { return connections_.is_root(record); }
  bool rooted(Instance& record, Place) override { return connections_.rooted(record); }
  Instance* shared_parameter(const Instance& parameter) override {
    return connections_.shared_parameter(parameter);
  }
  ExprId guard() const override { return equations_.guard(); }
  bool is_continuous() const override {
    return is_reading_variables_ && !equations_.in_initial() && !equations_.in_when();
  }
  bool is_clocked() const override { return equations_.in_clocked_when(); }
  void perform(ExprId call, Place place) override { equations_.add_performed(call, place); }
  void assertion(ExprId condition, const Text& message, bool is_warning, Place place) override {
    equations_.add_assertion(condition, message, is_warning, place);
  }
  void termination(ExprId condition, const Text& message, Place place) override {
    equations_.add_termination(condition, message, place);
  }
  void reinit(ExprId condition, ExprId unknown, ExprId value, Place place) override {
    equations_.add_reinit(condition, unknown, value, place);
  }

 private:
  /// Nothing is left here that keeps the session or the pool, however `run` ends.
  struct ReleaseAtEnd {
    Flattener& flattener;
    ~ReleaseAtEnd() {
      flattener.evaluator_.keep_alive(nullptr);
      flattener.system_.pool.reset();
      flattener.pool_.reset();
    }
  };

  /// Runs a step; what is wrong with it is kept, so that the next steps are looked at too.
  template <class Step>
  void guarded(Step step) {
    mistakes_.attempt(step);
  }

  void report() { mistakes_.report(); }

  void read_components() {
    std::size_t n_structured = 0;
    std::size_t n_simple = 0;
    do {
      for (; n_simple < state_.components.simple.size(); ++n_simple)
        guarded([&] { read_declaration(*state_.components.simple[n_simple]); });
      for (; n_structured < state_.components.structured.size(); ++n_structured)
        read_behaviour(*state_.components.structured[n_structured]);
      state_.take_implicit_inners();
    } while (n_simple < state_.components.simple.size() ||
             n_structured < state_.components.structured.size());
  }

  void read_declaration(Instance& component) {
    equations_.set_initial(false);
    is_reading_variables_ = !is_parameter(component) && !is_constant(component);
    if (!connections_.is_used(component)) return;
    if (is_constant(component) && !component.binding()) return;  // nobody asks, or it is told there
    if (is_constant(component)) declarations_.require_constant_value(component);
    if (is_parameter(component) || is_constant(component))
      declarations_.read_parameter(component);
    else
      declarations_.add_variable(component);
  }

  void read_behaviour(Instance& component) {
    state_.current = &component;
    for (const ScopedEquations& section : component.equations()) {
      guarded([&] { read_equations(section); });
      units_.look_at(section);
    }
    for (const ScopedAlgorithm& section : component.algorithms())
      guarded([&] { read_algorithm(section); });
  }

  void add_all(const std::vector<ScalarEquation>& equations, bool initial) {
    for (const ScalarEquation& equation : equations) {
      if (!initial) {
        state_.add(equation);
        continue;
      }
      system_.initial_equations.push_back({.left = equation.left,
                                           .right = equation.right,
                                           .origin = state_.origin(equation.place)});
    }
  }

  void read_equations(const ScopedEquations& section) {
    equations_.set_initial(section.item->initial);
    is_reading_variables_ = true;
    add_all(equations_.of_section(section), section.item->initial);
  }

  void read_algorithm(const ScopedAlgorithm& section) {
    equations_.set_initial(section.item->initial);
    is_reading_variables_ = true;
    const std::vector<Assignment> assignments =
        evaluator_.run_algorithm(section.item->statements, {.scope = section.scope});
    std::vector<ScalarEquation> equations;
    for (const Assignment& assignment : assignments)
      equations.push_back(
          {.left = assignment.symbol,
           .right = assignment.value,
           .discrete = pool_->symbol_of(assignment.symbol).kind == SymbolKind::discrete,
           .place = section.item->place});
    add_all(equations, section.item->initial);
  }

  std::optional<double> experiment_setting(Instance& model, std::string_view name) {
    const InScope<Expression> setting = model.class_annotation({"experiment", name});
    if (setting.item == nullptr) return std::nullopt;
    const std::optional<Value> value =
        evaluator_.try_constant(*setting.item, {.scope = setting.scope});
    if (!value || !value->is_scalar() || !value->is_numeric()) return std::nullopt;
    return pool_->number_of(value->scalar()).value();
  }

  void read_experiment(Instance& model) {
    system_.experiment = {.start = experiment_setting(model, "StartTime"),
                          .stop = experiment_setting(model, "StopTime"),
                          .tolerance = experiment_setting(model, "Tolerance"),
                          .interval = experiment_setting(model, "Interval")};
  }

  std::shared_ptr<symbolic::ExprPool> pool_;
  flat::FlatSystem system_;
  Evaluator evaluator_;
  FlattenState state_;
  Events events_;
  Equations equations_;
  Connections connections_;
  Declarations declarations_;
  UnitCheck units_;
  WhenTargets when_targets_{evaluator_};
  std::set<std::pair<const SourceText*, std::uint32_t>> told_equalities_;  ///< looked up only
  bool is_reading_variables_ = false;  ///< equations, algorithms, bindings of variables
  Mistakes mistakes_;
};

}  // namespace

flat::FlatSystem flatten_model(InstanceTree& tree, const std::string& name,
                               const std::function<Instance&()>& instantiate,
                               std::shared_ptr<const void> owner,
                               std::vector<OpenConnector>* connectors,
                               DisplayUnits* display_units) {
  struct Session {
    Session(std::shared_ptr<const void> tree_owner, InstanceTree& tree, const std::string& name)
        : owner(std::move(tree_owner)), flattener(tree, name) {}
    std::shared_ptr<const void> owner;
    Flattener flattener;
  };
  const auto session = std::make_shared<Session>(std::move(owner), tree, name);
  return session->flattener.run(instantiate, session, connectors, display_units);
}

}  // namespace alembert::modelica
