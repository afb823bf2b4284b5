// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/discretise_clocks.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "alembert/base/error.hpp"
#include "alembert/flat/short_text.hpp"
#include "alembert/flat/state_priority.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/structure/consistent_point.hpp"
#include "alembert/structure/initial_plan.hpp"
#include "alembert/structure/passes.hpp"
#include "alembert/structure/residual.hpp"
#include "alembert/structure/start_check.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using flat::ClockedEquation;
using flat::ClockedVariable;
using symbolic::ExprPool;
using symbolic::Op;

/// Behind the names of the unknowns that clocked variables are made from: a pool knows a name once.
constexpr std::string_view mark = "__continuous";

std::string without_mark(std::string text) {
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos;) text.erase(at, mark.size());
  return text;
}

/// What passes say about the continuous model, with the names of the clocked variables.
Error without_mark(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.text = without_mark(std::move(diagnostic.text));
    for (Note& note : diagnostic.notes) note.text = without_mark(std::move(note.text));
  }
  return Error(std::move(diagnostics));
}

/// The equations of one clock. `continuous_` is the model that they would be without it, in the
/// same pool, with an unknown for each clocked variable.
class Discretisation {
 public:
  Discretisation(flat::FlatSystem& flat, flat::ClockedPart& part, std::uint32_t clock)
      : flat_(flat), part_(part), clock_(clock), pool_(*flat.pool) {
    for (Index i = 0; i < flat.discrete_variables.size(); ++i)
      declaration_of_.emplace(flat.discrete_variables[i].symbol, i);
  }

  DiscretisedClock run() {
    enter_unknowns();
    enter_equations();
    add_asked();
    try {
      phase_ = run_shared_passes(continuous_);
      choose_states();
      plan_first_tick();
      leave_out_unused();
      require_differentiable();
    } catch (const Error& error) {
      throw without_mark(error.diagnostics());
    }
    find_steps();
    if (!is_as_written()) replace_equations();
    add_steps();
    return describe();
  }

 private:
  /// A state and its derivative at the ticks.
  struct Step {
    ExprId state;
    ExprId slope;
    Index variable;         // of the structure, which the state is
    bool negative = false;  // or its negative
    Origin origin;
  };
  /// Holds at the first tick.
  struct Condition {
    ExprId residual;
    Index variable = none;  // of the structure: it has its start value
    ExprId start = {};      // where it does
  };

  // ---- the continuous model ---------------------------------------------------------------------

  const flat::DiscreteVariable& declaration(ExprId symbol) const {
    return flat_.discrete_variables[declaration_of_.at(symbol)];
  }

  ExprId continuous_symbol(ExprId discrete) {
    return pool_.unknown(pool_.symbol_text(discrete).append(mark));
  }

  void relate(ExprId discrete, ExprId continuous) {
    continuous_of_.emplace(discrete, continuous);
    discrete_of_.emplace(continuous, discrete);
  }

  /// What the equations that are not real give at once, such as the targets of a when-clause.
  std::unordered_set<ExprId> assigned() const {
    std::unordered_set<ExprId> given;  // looked up, never iterated
    for (const ClockedEquation& equation : part_.equations) {
      if (equation.clock != clock_ || equation.is_real) continue;
      const ExprId left = discrete_side(pool_, equation.left).symbol;
      given.insert(declaration_of_.contains(left) ? left
                                                  : discrete_side(pool_, equation.right).symbol);
    }
    return given;
  }

  /// Each x of which an equation asks for previous(x), and nobody for der(x).
  std::unordered_set<ExprId> looked_back_at() const {
    std::vector<ExprId> sides;
    for (const ClockedEquation& equation : part_.equations)
      if (equation.clock == clock_) sides.insert(sides.end(), {equation.left, equation.right});
    std::unordered_set<ExprId> found;  // looked up, never iterated
    for (const ExprId symbol : symbolic::free_symbols(pool_, sides))
      found.insert(pool_.symbol_of(symbol).previous_of);
    for (const ClockedVariable& variable : part_.variables) found.erase(variable.derivative_of);
    return found;
  }

  void enter_unknowns() {
    flat::FlatSystem& model = continuous_.flat;
    model.name = flat_.name;
    model.pool = flat_.pool;
    model.origin = flat_.origin;
    model.experiment = flat_.experiment;
    model.parameters = flat_.parameters;
    for (flat::Parameter& parameter : model.parameters) parameter.solved_for = false;
    const std::unordered_set<ExprId> given = assigned();
    const std::unordered_set<ExprId> looked_back = looked_back_at();
    for (const ClockedVariable& variable : part_.variables) {
      if (variable.clock != clock_ || given.contains(variable.symbol)) continue;
      const flat::DiscreteVariable& declared = declaration(variable.symbol);
      if (declared.type != flat::ValueType::real) continue;
      if (variable.derivative_of.valid()) {
        const auto lower = continuous_of_.find(variable.derivative_of);
        if (lower == continuous_of_.end()) continue;  // of what changes by assignments alone
        relate(variable.symbol, pool_.derivative_symbol(lower->second));
        derivatives_.push_back(variable);
        if (declared.start.valid())
          model.derivative_starts.push_back({.symbol = continuous_of_.at(variable.symbol),
                                             .value = declared.start,
                                             .fixed = declared.fixed,
                                             .origin = declared.origin});
        continue;
      }
      relate(variable.symbol, continuous_symbol(variable.symbol));
      // Where previous(x) is asked for, the start is what that is at the first tick.
      model.unknowns.push_back({.symbol = continuous_of_.at(variable.symbol),
                                .start = declared.start,
                                .fixed = declared.fixed && !looked_back.contains(variable.symbol),
                                .unit = declared.unit,
                                .description = declared.description,
                                .state_priority = variable.state_priority,
                                .origin = declared.origin});
    }
  }

  void enter_equations() {
    const auto image = [&](const ClockedEquation& equation) {
      return flat::FlatEquation{.left = substitute(pool_, equation.left, continuous_of_),
                                .right = substitute(pool_, equation.right, continuous_of_),
                                .origin = equation.origin};
    };
    for (const ClockedEquation& equation : part_.equations)
      if (equation.clock == clock_ && equation.is_real)
        continuous_.flat.equations.push_back(image(equation));
    for (const ClockedEquation& equation : part_.initial_equations)
      if (equation.clock == clock_) continuous_.flat.initial_equations.push_back(image(equation));
  }

  /// Derivatives that only equations beside the model look at, such as those of a when-clause.
  void add_asked() {
    flat::FlatSystem& model = continuous_.flat;
    std::vector<ExprId> sides;
    for (const flat::FlatEquation& equation : model.equations)
      sides.insert(sides.end(), {equation.left, equation.right});
    const symbolic::Reach reach(pool_, sides);
    for (const ClockedVariable& variable : derivatives_) {
      const ExprId derivative = continuous_of_.at(variable.symbol);
      if (reach.contains(derivative)) continue;
      const ExprId asked = continuous_symbol(variable.symbol);
      discrete_of_.emplace(asked, variable.symbol);
      const Origin& origin = declaration(variable.symbol).origin;
      model.unknowns.push_back(
          {.symbol = asked, .state_priority = flat::priority_of_added, .origin = origin});
      model.equations.push_back({.left = asked, .right = derivative, .origin = origin});
    }
  }

  // ---- decisions --------------------------------------------------------------------------------

  const flat::FlatSystem& simplified() const { return phase_.simplified.flat; }
  const Structure& structure() const { return phase_.plan.structure; }

  /// Differentiated equations that give nothing but a derivative which nobody uses: by structure
  /// alone, what a condition compares has a share in the derivative of the equation.
  void leave_out_unused() {
    const auto& system = phase_.differentiated;
    is_used_equation_.assign(structure().equations.size(), 1);
    is_used_variable_.assign(structure().variables.size(), 1);
    std::unordered_map<ExprId, Index> variable_of;  // looked up, never iterated
    std::vector<char> is_asked(structure().variables.size(), 0);
    for (Index v = 0; v < is_asked.size(); ++v) {
      variable_of.emplace(system.variables[v], v);
      if (structure().variables[v].order == 0 || discrete_of_.contains(system.variables[v]) ||
          is_state(v))
        is_asked[v] = 1;
      if (is_state(v)) is_asked[structure().variables[v].derivative] = 1;
    }
    const auto variables_in = [&](ExprId residual) {
      std::vector<Index> found;
      for (const ExprId symbol : symbolic::free_symbols(pool_, residual))
        if (const auto v = variable_of.find(symbol); v != variable_of.end())
          found.push_back(v->second);
      return found;
    };
    for (const Condition& condition : conditions_)
      for (const Index v : variables_in(condition.residual)) is_asked[v] = 1;
    std::vector<Index> n_uses(structure().variables.size(), 0);
    std::vector<std::vector<Index>> rows;  // variables of each equation
    for (const ExprId residual : system.residuals)
      for (const Index v : rows.emplace_back(variables_in(residual))) ++n_uses[v];
    for (bool again = true; again;) {
      again = false;
      for (Index e = structure().n_sources; e < rows.size(); ++e) {
        if (!is_used_equation_[e]) continue;
        const auto own =
            std::ranges::find_if(rows[e], [&](Index v) { return !is_asked[v] && n_uses[v] == 1; });
        if (own == rows[e].end()) continue;
        is_used_equation_[e] = is_used_variable_[*own] = 0;
        for (const Index v : rows[e]) --n_uses[v];
        again = true;
      }
    }
  }

  /// What comes from other clocks or from the tick before has a value at each tick and no slope.
  void require_differentiable() const {
    std::unordered_set<ExprId> steady;  // looked up, never iterated
    for (const flat::Clock& clock : part_.clocks) {
      steady.insert(clock.interval);
      steady.insert(clock.first_tick);
    }
    for (const flat::DiscreteVariable& variable : flat_.discrete_variables) {
      if (variable.type == flat::ValueType::real) continue;
      steady.insert(variable.symbol);
      steady.insert(pool_.previous_symbol(variable.symbol));
    }
    std::vector<ExprId> jump_in(structure().equations.size());  // of what it is a derivative of
    for (Index e = 0; e < structure().equations.size(); ++e) {
      if (jump_in[e].valid() && is_used_equation_[e]) report_jump(e, jump_in[e]);
      const Index derivative = structure().equations[e].derivative;
      if (derivative == none) continue;
      jump_in[derivative] = jump_in[e];
      const ExprId residual = phase_.differentiated.residuals[e];
      std::vector<ExprId> jumping;
      for (const ExprId symbol : symbolic::free_symbols(pool_, residual))
        if (pool_.symbol_of(symbol).kind == symbolic::SymbolKind::discrete &&
            !steady.contains(symbol))
          jumping.push_back(symbol);
      const std::vector<ExprId> slopes = gradient(pool_, residual, jumping);
      for (std::size_t i = 0; i < jumping.size(); ++i)
        if (!pool_.is_zero(slopes[i])) jump_in[derivative] = jumping[i];
    }
  }

  [[noreturn]] void report_jump(Index e, ExprId symbol) const {
    const Index source = structure().equations[e].source;
    const ClockedEquation equation = written(source);
    const ExprId of = pool_.symbol_of(symbol).previous_of;
    std::string what =
        of.valid() ? "previous(" + pool_.symbol_text(of) + ")" : pool_.symbol_text(symbol);
    for (const flat::ClockedSample& sample : part_.samples)
      if (sample.symbol == symbol) what = "sample(" + flat::short_text(flat_, sample.value) + ")";
    throw Error("S017",
                "the derivatives at the ticks of this clock can be found only if " +
                    flat::in_quotes(what) +
                    " is differentiated, which has one value at each tick and no derivative. Put a "
                    "filter behind it, of an order as high as that of the derivatives asked for.",
                equation.origin,
                {{"it is in equation " +
                      flat::in_quotes(flat::clocked_text(flat_, equation.left, equation.right)),
                  equation.origin}});
  }

  /// By numbers near the start values where there are any: structure alone allows more.
  void choose_states() {
    const StructuralPlan& plan = phase_.plan;
    const std::vector<ExprId>& entries = phase_.differentiated.selection_jacobian;
    std::vector<ExprId> constraints;
    for (Index e = 0; e < structure().equations.size(); ++e)
      if (structure().equations[e].derivative != none)
        constraints.push_back(phase_.differentiated.residuals[e]);
    if (entries.empty() || !is_smooth(pool_, entries) || !is_smooth(pool_, constraints)) {
      phase_.chart = static_chart(simplified(), plan);
      return;
    }
    const symbolic::Values starts = start_values(simplified());
    ConsistentPoint point(pool_, starts, std::move(constraints));
    point.solve();
    const std::vector<double> numbers = point.evaluate(entries);
    phase_.chart = best_chart(simplified(), plan, SelectionEntries{.values = numbers}).chart;
  }

  bool is_state(Index v) const {
    const Variable& variable = structure().variables[v];
    return variable.order + phase_.chart.n_dummies[variable.unknown] <
           phase_.plan.highest_order[variable.unknown];
  }

  void plan_first_tick() {
    const InitialPlan start =
        plan_start(simplified(), phase_.plan, phase_.differentiated, phase_.chart,
                   start_marks(simplified(), phase_.differentiated.variables));
    if (!start.doubtful.empty() || !start.left_over.empty())
      throw Error(check_start(continuous_.flat, phase_, "There is no room for it at a first tick"));
    std::vector<char> solved(start.columns.size(), 0);
    for (const InitialBlock& block : start.blocks) {
      for (const Index c : block.columns) solved[c] = 1;
      for (const Index r : block.rows)
        if (start.rows[r].kind == InitialRow::Kind::initial)
          conditions_.push_back(
              {.residual =
                   residual(pool_, continuous_.flat.initial_equations[start.rows[r].source])});
    }
    for (Index v = 0; v < structure().variables.size(); ++v) {
      if (solved[v]) continue;
      const ExprId value = start_of(v);
      conditions_.push_back({.residual = pool_.sub(phase_.differentiated.variables[v], value),
                             .variable = v,
                             .start = value});
    }
  }

  ExprId start_of(Index v) const {
    const ExprId symbol = phase_.differentiated.variables[v];
    ExprId start = {};
    if (structure().variables[v].order == 0)
      start = simplified().unknowns[structure().variables[v].unknown].start;
    for (const flat::DerivativeStart& given : simplified().derivative_starts)
      if (given.symbol == symbol) start = given.value;
    return start.valid() ? start : pool_.integer(0);
  }

  // ---- equations at the ticks -------------------------------------------------------------------

  /// As many states as the model has derivatives, and nothing was done to its equations.
  bool is_as_written() const {
    return structure().equations.size() == structure().n_sources && phase_.dropped.empty() &&
           phase_.repairs.empty() && phase_.simplified.redundant.empty() &&
           steps_.size() == derivatives_.size();
  }

  /// The state that a derivative of the model belongs to has its name where nothing is changed.
  void find_steps() {
    std::unordered_map<ExprId, Index> variable_of;  // looked up, never iterated
    for (Index v = 0; v < structure().variables.size(); ++v)
      variable_of.emplace(phase_.differentiated.variables[v], v);
    symbolic::Replacements kept;  // what stands for eliminated unknowns
    for (const EliminatedUnknown& eliminated : phase_.simplified.eliminated) {
      ExprId symbol = continuous_.flat.unknowns[eliminated.unknown].symbol;
      for (Index order = 0; order <= eliminated.highest_order; ++order) {
        kept.emplace(symbol, eliminated_value(pool_, eliminated, order));
        symbol = pool_.derivative_symbol(symbol);
      }
    }
    std::vector<char> is_named(structure().variables.size(), 0);
    for (const ClockedVariable& derivative : derivatives_) {
      const ExprId symbol = continuous_of_.at(derivative.derivative_of);
      const auto found = kept.find(symbol);
      const ExprId value = found == kept.end() ? symbol : found->second;
      const bool negative = !variable_of.contains(value);
      const auto variable = variable_of.find(negative ? pool_.neg(value) : value);
      if (variable == variable_of.end() || !is_state(variable->second)) continue;
      if (is_named[variable->second]) continue;
      is_named[variable->second] = 1;
      steps_.push_back({.state = derivative.derivative_of,
                        .slope = derivative.symbol,
                        .variable = variable->second,
                        .negative = negative,
                        .origin = declaration(derivative.symbol).origin});
    }
    for (Index v = 0; v < structure().variables.size(); ++v) {
      if (!is_state(v) || is_named[v]) continue;
      steps_.push_back({.state = discrete_symbol(v),
                        .slope = discrete_symbol(structure().variables[v].derivative),
                        .variable = v,
                        .origin = simplified().unknowns[structure().variables[v].unknown].origin});
    }
  }

  /// The clocked variable of a variable of the structure, made if there is none.
  ExprId discrete_symbol(Index v) {
    const ExprId continuous = phase_.differentiated.variables[v];
    const auto known = discrete_of_.find(continuous);
    if (known != discrete_of_.end()) return known->second;
    const ExprId symbol = pool_.discrete(without_mark(pool_.symbol_text(continuous)));
    discrete_of_.emplace(continuous, symbol);
    if (declaration_of_.contains(symbol)) return symbol;
    Origin origin = simplified().unknowns[structure().variables[v].unknown].origin;
    origin.derived_from = "a derivative at ticks";
    declaration_of_.emplace(symbol, static_cast<Index>(flat_.discrete_variables.size()));
    part_.variables.push_back({.symbol = symbol, .clock = clock_});
    flat_.discrete_variables.push_back({.symbol = symbol, .start = {}, .origin = origin});
    flat_.discrete_equations.push_back(
        {.left = symbol, .right = pool_.previous_symbol(symbol), .origin = origin});
    return symbol;
  }

  ExprId at_ticks(ExprId continuous) const { return substitute(pool_, continuous, discrete_of_); }

  /// An equation of the simplified system as it was given, with the symbols of the ticks.
  ClockedEquation written(Index source) const {
    const Index given = phase_.simplified.kept_equations[source];
    const bool is_given = given < continuous_.flat.equations.size();
    const flat::FlatEquation& equation =
        is_given ? continuous_.flat.equations[given] : simplified().equations[source];
    return {.left = at_ticks(equation.left),
            .right = at_ticks(equation.right),
            .clock = clock_,
            .origin = equation.origin};
  }

  /// Those that were written, aliases by name, and what was made of them.
  void replace_equations() {
    for (Index v = 0; v < structure().variables.size(); ++v)
      if (is_used_variable_[v]) discrete_symbol(v);
    share_guesses();
    std::erase_if(part_.equations, [&](const ClockedEquation& equation) {
      return equation.clock == clock_ && equation.is_real;
    });
    const auto add = [&](ExprId left, ExprId right, const Origin& origin) {
      if (left == right) return;  // a derivative and what was asked for
      part_.equations.push_back({.left = left, .right = right, .clock = clock_, .origin = origin});
    };
    for (const EliminatedUnknown& eliminated : phase_.simplified.eliminated) {
      const flat::Unknown& unknown = continuous_.flat.unknowns[eliminated.unknown];
      ExprId symbol = unknown.symbol;
      for (Index order = 0; order <= eliminated.highest_order; ++order) {
        const auto known = discrete_of_.find(symbol);
        if (known != discrete_of_.end())
          add(known->second, at_ticks(eliminated_value(pool_, eliminated, order)), unknown.origin);
        symbol = pool_.derivative_symbol(symbol);
      }
    }
    const std::vector<char> changed = changed_sources();
    for (Index e = 0; e < structure().equations.size(); ++e) {
      if (!is_used_equation_[e]) continue;
      const Equation& equation = structure().equations[e];
      if (equation.order == 0 && !changed[equation.source]) {
        const ClockedEquation given = written(equation.source);
        add(given.left, given.right, given.origin);
      } else {
        add(at_ticks(phase_.differentiated.residuals[e]), pool_.integer(0),
            simplified().equations[equation.source].origin);
      }
    }
  }

  /// A variable without a start value is guessed to be what an alias of it says.
  void share_guesses() {
    const std::unordered_set<ExprId> looked_back = looked_back_at();
    const auto guess = [&](ExprId continuous, ExprId value) {
      const auto known = discrete_of_.find(continuous);
      if (known == discrete_of_.end() || !value.valid()) return;
      ExprId& start = flat_.discrete_variables[declaration_of_.at(known->second)].start;
      if (!start.valid() && !looked_back.contains(known->second)) start = value;
    };
    symbolic::Replacements starts;  // of what was kept
    for (const flat::Unknown& unknown : simplified().unknowns) {
      guess(unknown.symbol, unknown.start);
      if (unknown.start.valid()) starts.emplace(unknown.symbol, unknown.start);
    }
    for (const EliminatedUnknown& eliminated : phase_.simplified.eliminated) {
      const ExprId value = substitute(pool_, eliminated.value, starts);
      if (value != eliminated.value)
        guess(continuous_.flat.unknowns[eliminated.unknown].symbol, value);
    }
  }

  /// Equations in whose place the passes put others.
  std::vector<char> changed_sources() const {
    std::vector<char> changed(structure().n_sources, 0);
    for (Index source = 0; source < changed.size(); ++source)
      changed[source] =
          phase_.simplified.kept_equations[source] >= continuous_.flat.equations.size();
    for (const DroppedConstraint& dropped : phase_.dropped) changed[dropped.equation] = 1;
    for (const StructureRepair& repair : phase_.repairs)
      for (const Index source : repair.equations) changed[source] = 1;
    return changed;
  }

  void add_steps() {
    ensure(steps_.size() == conditions_.size(), "a condition of the start for each state");
    const ExprId first =
        pool_.apply(Op::not_equal, part_.clocks[clock_].first_tick, pool_.integer(0));
    const std::vector<ExprId> at_first = first_residuals();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const ExprId step = pool_.sub(steps_[i].state, one_step(steps_[i]));
      part_.equations.push_back({.left = pool_.if_then_else(first, at_first[i], step),
                                 .right = pool_.integer(0),
                                 .clock = clock_,
                                 .origin = steps_[i].origin});
    }
  }

  /// A condition for each step, of its state as far as there is one: fewer unknowns hang together.
  std::vector<ExprId> first_residuals() const {
    std::vector<ExprId> residuals(steps_.size());
    std::vector<char> is_used(conditions_.size(), 0);
    const auto take = [&](auto fits) {
      for (std::size_t c = 0; c < conditions_.size(); ++c) {
        for (std::size_t i = 0; i < steps_.size() && !is_used[c]; ++i) {
          if (residuals[i].valid() || !fits(conditions_[c], steps_[i])) continue;
          is_used[c] = 1;
          residuals[i] = at_ticks(conditions_[c].residual);
        }
      }
    };
    for (std::size_t i = 0; i < steps_.size(); ++i)
      for (std::size_t c = 0; c < conditions_.size(); ++c) {
        if (conditions_[c].variable != steps_[i].variable) continue;
        is_used[c] = 1;
        const ExprId start = conditions_[c].start;
        residuals[i] = pool_.sub(steps_[i].state, steps_[i].negative ? pool_.neg(start) : start);
      }
    const auto contains = [&](const Condition& condition, ExprId symbol) {
      return symbolic::depends_on(pool_, at_ticks(condition.residual), symbol);
    };
    take([&](const Condition& c, const Step& step) { return contains(c, step.state); });
    take([&](const Condition& c, const Step& step) { return contains(c, step.slope); });
    take([](const Condition&, const Step&) { return true; });
    return residuals;
  }

  ExprId one_step(const Step& step) {
    const ExprId h = part_.clocks[clock_].interval;
    const ExprId before = pool_.previous_symbol(step.state);
    const auto advanced = [&](ExprId by) { return pool_.add(before, pool_.mul(h, by)); };
    const auto slope_before = [&] { return pool_.previous_symbol(step.slope); };
    switch (part_.clocks[clock_].method) {
      case flat::SolverMethod::explicit_euler: return advanced(slope_before());
      case flat::SolverMethod::implicit_euler: return advanced(step.slope);
      case flat::SolverMethod::implicit_trapezoid:
        return advanced(pool_.div(pool_.add(step.slope, slope_before()), pool_.integer(2)));
      case flat::SolverMethod::none: break;
    }
    ensure(false, "a clock with derivatives has a solver method");
    return {};
  }

  DiscretisedClock describe() const {
    DiscretisedClock described{.clock = clock_, .states = {}, .differentiated = {}};
    for (const Step& step : steps_) described.states.push_back(step.state);
    for (Index source = 0; source < phase_.plan.differentiations.size(); ++source) {
      const Index times = phase_.plan.differentiations[source];
      if (times > 0) described.differentiated.push_back({written(source), times});
    }
    return described;
  }

  flat::FlatSystem& flat_;
  flat::ClockedPart& part_;
  std::uint32_t clock_;
  ExprPool& pool_;
  std::unordered_map<ExprId, Index> declaration_of_;  // of discrete variables; never iterated
  HybridSystem continuous_;
  symbolic::Replacements continuous_of_;      // clocked variables
  symbolic::Replacements discrete_of_;        // and back
  std::vector<ClockedVariable> derivatives_;  // of the model
  StructuralPhase phase_;
  std::vector<char> is_used_equation_;  // [n equations of the structure]
  std::vector<char> is_used_variable_;  // [n variables of the structure]
  std::vector<Condition> conditions_;
  std::vector<Step> steps_;
};

}  // namespace

DiscretisedSystem discretise_clocks(flat::FlatSystem flat) {
  DiscretisedSystem result{std::move(flat), {}};
  if (result.flat.clocked == nullptr) return result;
  auto part = std::make_shared<flat::ClockedPart>(*result.flat.clocked);
  std::vector<char> has_derivatives(part->clocks.size(), 0);
  for (const ClockedVariable& variable : part->variables)
    if (variable.derivative_of.valid()) has_derivatives[variable.clock] = 1;
  for (std::uint32_t clock = 0; clock < has_derivatives.size(); ++clock)
    if (has_derivatives[clock])
      result.clocks.push_back(Discretisation(result.flat, *part, clock).run());
  for (ClockedVariable& variable : part->variables) variable.derivative_of = {};
  part->initial_equations.clear();
  result.flat.clocked = std::move(part);
  return result;
}

}  // namespace alembert::structure
