// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/clock_inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "alembert/symbolic/traverse.hpp"

namespace alembert::modelica {

namespace {

using symbolic::Number;
using Kind = ClockedCall::Kind;

/// ticks(to) = ticks(from) with step_to = step_from * ratio, first_to = first_from + shift *
/// step_from.
struct Relation {
  std::uint32_t from;
  std::uint32_t to;
  bool is_known = true;  // else the ratio is to be inferred
  Number ratio = 1;
  Number shift = 0;
  const Origin* origin = nullptr;
};

/// When a part ticks, in units of what it was found from.
struct Ticks {
  Number first = 0;
  Number step = 1;
};

/// Where something was said that makes a part clocked, or continuous.
struct Mark {
  ExprId symbol;
  const Origin* origin = nullptr;
};

class Inference {
 public:
  Inference(const flat::FlatSystem& system, const ClockRecords& records)
      : system_(system), records_(records), pool_(*system.pool) {}

  ClockPartition run() {
    add_nodes();
    find_used();
    join_equations();
    mark_operators();
    number_parts();
    relate_parts();
    place_groups();
    hand_out();
    return std::move(result_);
  }

 private:
  // ---- symbols ----------------------------------------------------------------------------------

  void add_node(ExprId symbol) {
    if (node_of_.emplace(symbol, static_cast<std::uint32_t>(parent_.size())).second) {
      parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
      symbols_.push_back(symbol);
    }
  }

  void add_nodes() {
    for (const flat::Unknown& unknown : system_.unknowns) add_node(unknown.symbol);
    for (const flat::DiscreteVariable& variable : system_.discrete_variables)
      add_node(variable.symbol);
    for (const ClockedOperator& one : records_.operators) {
      add_node(one.symbol);
      if (is_clock_argument(one)) result_.clock_symbols.insert(one.symbol);
    }
    for (const DefinedClock& clock : records_.definitions) {
      add_node(clock.symbol);
      result_.clock_symbols.insert(clock.symbol);
    }
    for (const auto& [symbol, origin] : records_.clock_variables) {
      add_node(symbol);
      result_.clock_symbols.insert(symbol);
    }
    clocked_.resize(parent_.size());
    continuous_.resize(parent_.size());
  }

  static bool is_clock_argument(const ClockedOperator& one) {
    return one.call.type == ValueKind::clock && one.call.kind != Kind::interval &&
           one.call.kind != Kind::first_tick;
  }

  std::uint32_t root(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    if (b < a) std::swap(a, b);  // the first one stays: the same whatever is joined when
    parent_[b] = a;
  }

  /// The node of a symbol; of pre(x) and der(x) that of x.
  std::uint32_t node(ExprId symbol) const {
    const symbolic::Symbol& info = pool_.symbol_of(symbol);
    const ExprId variable = info.previous_of.valid() ? info.previous_of : symbol;
    const auto found = node_of_.find(pool_.symbol_of(variable).base);
    return found == node_of_.end() ? no_clock : found->second;
  }

  std::vector<std::uint32_t> nodes_in(std::initializer_list<ExprId> expressions) const {
    std::vector<std::uint32_t> nodes;
    const symbolic::Reach reach(pool_, std::span(expressions.begin(), expressions.size()));
    for (const ExprId id : reach.nodes())
      if (pool_.is_symbol(id))
        if (const std::uint32_t found = node(id); found != no_clock) nodes.push_back(found);
    return nodes;
  }

  // ---- what is used -----------------------------------------------------------------------------

  /// Operators that no equation sees came about while something was tried, and say nothing.
  void find_used() {
    std::vector<char> used(parent_.size(), 0);
    const auto use = [&](std::initializer_list<ExprId> expressions) {
      for (const std::uint32_t found : nodes_in(expressions)) used[found] = 1;
    };
    for (const auto* list : {&system_.equations, &system_.discrete_equations})
      for (const flat::FlatEquation& equation : *list) use({equation.left, equation.right});
    for (const auto* list : {&records_.in_when, &records_.discrete_in_when})
      for (const auto& [equation, clock] : *list) use({clock});
    for (const flat::Assertion& assertion : system_.assertions) use({assertion.condition});
    for (const flat::Reinit& reinit : system_.reinits) use({reinit.condition, reinit.value});
    for (const flat::Termination& end : system_.terminations) use({end.condition});
    for (const flat::Delay& delay : system_.delays) use({delay.value});
    // What an operator looks at was made before it; clocks may look at operators and the other way.
    for (bool again = true; again;) {
      again = false;
      const auto use_new = [&](ExprId expression) {
        if (!expression.valid()) return;
        for (const std::uint32_t found : nodes_in({expression}))
          again = again || !std::exchange(used[found], 1);
      };
      for (std::size_t i = records_.operators.size(); i-- > 0;) {
        const ClockedOperator& one = records_.operators[i];
        if (!used[node_of_.at(one.symbol)]) continue;
        use_new(one.call.argument);
        use_new(one.call.clock);
      }
      for (const DefinedClock& clock : records_.definitions) {
        if (!used[node_of_.at(clock.symbol)]) continue;
        use_new(clock.definition.clock);
        use_new(clock.definition.condition);
      }
    }
    for (const ClockedOperator& one : records_.operators)
      result_.is_used.push_back(used[node_of_.at(one.symbol)]);
    for (const DefinedClock& clock : records_.definitions)
      is_clock_used_.push_back(used[node_of_.at(clock.symbol)]);
  }

  // ---- parts ------------------------------------------------------------------------------------

  void join_equations() {
    const auto join_list = [&](const std::vector<flat::FlatEquation>& equations,
                               std::vector<std::uint32_t>& first) {
      for (const flat::FlatEquation& equation : equations) {
        const auto nodes = nodes_in({equation.left, equation.right});
        first.push_back(nodes.empty() ? no_clock : nodes.front());
        for (const std::uint32_t other : nodes) join(nodes.front(), other);
      }
    };
    join_list(system_.equations, node_of_equation_);
    join_list(system_.discrete_equations, node_of_discrete_);
    const auto join_when = [&](const auto& list, std::vector<std::uint32_t>& first) {
      for (const auto& [equation, clock] : list) {
        if (first[equation] == no_clock) first[equation] = node_of_.at(clock);
        join(first[equation], node_of_.at(clock));
      }
    };
    join_when(records_.in_when, node_of_equation_);
    join_when(records_.discrete_in_when, node_of_discrete_);
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const DefinedClock& clock = records_.definitions[i];
      if (is_clock_used_[i] && clock.definition.clock.valid())
        join(node_of_.at(clock.symbol), node_of_.at(clock.definition.clock));
    }
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      if (!result_.is_used[i]) continue;
      const std::uint32_t result = node_of_.at(one.symbol);
      if (one.call.clock.valid()) join(result, node_of_.at(one.call.clock));
      if (!one.call.argument.valid() || one.call.kind == Kind::sample) continue;
      const auto nodes = nodes_in({one.call.argument});
      for (const std::uint32_t other : nodes) join(nodes.front(), other);
      if (one.call.kind == Kind::interval || one.call.kind == Kind::first_tick)
        for (const std::uint32_t other : nodes) join(result, other);
    }
  }

  static void set(std::vector<Mark>& marks, std::uint32_t node, ExprId symbol,
                  const Origin& origin) {
    if (marks[node].origin == nullptr) marks[node] = {symbol, &origin};
  }

  void mark_operators() {
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      if (!result_.is_used[i]) continue;
      const auto nodes =
          one.call.argument.valid() ? nodes_in({one.call.argument}) : std::vector<std::uint32_t>();
      set(one.call.kind == Kind::hold ? continuous_ : clocked_, node_of_.at(one.symbol), one.symbol,
          one.origin);
      for (const std::uint32_t other : nodes)
        set(one.call.kind == Kind::sample ? continuous_ : clocked_, other, symbols_[other],
            one.origin);
    }
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const DefinedClock& clock = records_.definitions[i];
      if (!is_clock_used_[i]) continue;
      set(clocked_, node_of_.at(clock.symbol), clock.symbol, clock.origin);
      if (!clock.definition.condition.valid()) continue;
      for (const std::uint32_t other : nodes_in({clock.definition.condition}))
        set(continuous_, other, symbols_[other], clock.origin);
    }
    for (const auto& [symbol, origin] : records_.clock_variables)
      set(clocked_, node_of_.at(symbol), symbol, origin);
    for (const auto& [symbol, origin] : records_.previous)
      if (const std::uint32_t found = node(symbol); found != no_clock)
        set(clocked_, found, symbol, origin);
    // A state that an event changes goes on between ticks.
    for (const flat::Reinit& reinit : system_.reinits)
      if (const std::uint32_t found = node(reinit.unknown); found != no_clock)
        set(continuous_, found, reinit.unknown, reinit.origin);
  }

  /// Clocked parts get numbers, in the order of their first symbols.
  void number_parts() {
    part_of_root_.assign(parent_.size(), no_clock);
    std::vector<Mark> continuous(parent_.size());
    for (std::uint32_t node = 0; node < parent_.size(); ++node) {
      const std::uint32_t at = root(node);
      if (continuous_[node].origin != nullptr && continuous[at].origin == nullptr)
        continuous[at] = continuous_[node];
      if (clocked_[node].origin == nullptr || part_of_root_[at] != no_clock) continue;
      part_of_root_[at] = static_cast<std::uint32_t>(part_marks_.size());
      part_marks_.push_back(clocked_[node]);
    }
    for (std::uint32_t at = 0; at < parent_.size(); ++at) {
      if (part_of_root_[at] == no_clock || continuous[at].origin == nullptr) continue;
      const Mark& clocked = part_marks_[part_of_root_[at]];
      throw Error("M350",
                  fmt::format("{} is clocked, and {} is continuous, but equations connect the two. "
                              "Put sample() or hold() between them.",
                              text(clocked), text(continuous[at])),
                  *clocked.origin, {{"this is continuous", *continuous[at].origin}});
    }
    has_quantities_.assign(part_marks_.size(), 0);
    for (std::uint32_t node = 0; node < parent_.size(); ++node) {
      const std::uint32_t part = part_of(node);
      if (part == no_clock) continue;
      result_.clock_of_symbol.emplace(symbols_[node], part);  // clocks come later
      // Variables come first: one of them names the part.
      if (!result_.clock_symbols.contains(symbols_[node]) &&
          !std::exchange(has_quantities_[part], 1))
        part_marks_[part].symbol = symbols_[node];
    }
  }

  std::string text(const Mark& mark) const { return "'" + pool_.symbol_text(mark.symbol) + "'"; }

  std::uint32_t part_of(std::uint32_t node) { return part_of_root_[root(node)]; }

  // ---- ticks ------------------------------------------------------------------------------------

  void relate_parts() {
    for (std::size_t i = 0; i < records_.operators.size(); ++i) {
      const ClockedOperator& one = records_.operators[i];
      const ClockedCall& call = one.call;
      result_.clock_of_argument.push_back(no_clock);
      if (!result_.is_used[i] || !call.argument.valid() || call.kind == Kind::sample) continue;
      const auto nodes = nodes_in({call.argument});
      if (nodes.empty()) continue;
      result_.clock_of_argument.back() = part_of(nodes.front());
      if (call.kind < Kind::sub_sample || call.kind > Kind::back_sample) continue;
      Relation relation{.from = part_of(nodes.front()),
                        .to = part_of(node_of_.at(one.symbol)),
                        .origin = &one.origin};
      switch (call.kind) {
        case Kind::sub_sample:
          relation.is_known = call.factor > 0;
          relation.ratio = Number::integer(call.factor);
          break;
        case Kind::super_sample:
          relation.is_known = call.factor > 0;
          if (relation.is_known) relation.ratio = Number::rational(1, call.factor);
          break;
        case Kind::shift_sample:
          relation.shift = Number::rational(call.shift, call.resolution);
          break;
        default: relation.shift = Number::rational(-call.shift, call.resolution);
      }
      relations_.push_back(relation);
    }
  }

  std::string part_name(std::uint32_t part) const { return text(part_marks_[part]); }

  void require_exact(const Ticks& ticks, const Origin& origin) const {
    if (ticks.first.is_exact() && ticks.step.is_exact()) return;
    throw Error("M353", "the ratio of two clocks is too large to be counted with.", origin);
  }

  /// All parts that are tied to `start` by known ratios, in its units.
  std::vector<std::uint32_t> tied_to(std::uint32_t start,
                                     const std::vector<std::vector<std::size_t>>& relations_of) {
    std::vector<std::uint32_t> group = {start};
    is_placed_[start] = 1;
    ticks_[start] = {};
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (const std::size_t r : relations_of[group[k]]) {
        const Relation& relation = relations_[r];
        const bool forwards = relation.from == group[k];
        const Ticks& known = ticks_[group[k]];
        Ticks other;
        if (forwards) {
          other = {known.first + relation.shift * known.step, known.step * relation.ratio};
        } else {
          other.step = known.step / relation.ratio;
          other.first = known.first - relation.shift * other.step;
        }
        require_exact(other, *relation.origin);
        const std::uint32_t part = forwards ? relation.to : relation.from;
        if (!is_placed_[part]) {
          is_placed_[part] = 1;
          ticks_[part] = other;
          group.push_back(part);
        } else if (!(ticks_[part].first == other.first && ticks_[part].step == other.step)) {
          throw Error("M352",
                      fmt::format("by this the clock of {} would tick otherwise than other "
                                  "equations say. Change a factor, or remove one of the two.",
                                  part_name(part)),
                      *relation.origin,
                      {{fmt::format("the clock of {}", part_name(part)), *part_marks_[part].origin},
                       {fmt::format("the clock of {}", part_name(group[k])),
                        *part_marks_[group[k]].origin}});
        }
      }
    }
    return group;
  }

  void place_groups() {
    const std::size_t n_parts = part_marks_.size();
    std::vector<std::vector<std::size_t>> relations_of(n_parts);
    for (std::size_t r = 0; r < relations_.size(); ++r) {
      if (!relations_[r].is_known) continue;
      relations_of[relations_[r].from].push_back(r);
      relations_of[relations_[r].to].push_back(r);
    }
    std::vector<std::vector<std::size_t>> definitions_of(n_parts);
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const ClockDefinition& definition = records_.definitions[i].definition;
      if (is_clock_used_[i] && (definition.interval.valid() || definition.condition.valid()))
        definitions_of[part_of(node_of_.at(records_.definitions[i].symbol))].push_back(i);
    }
    is_placed_.assign(n_parts, 0);
    ticks_.resize(n_parts);
    base_of_part_.assign(n_parts, no_clock);
    for (std::uint32_t part = 0; part < n_parts; ++part)
      if (!is_placed_[part]) define_group(tied_to(part, relations_of), definitions_of);
    check_inferred_factors();
  }

  /// From units of the group to those of the clock that is defined in it.
  void define_group(const std::vector<std::uint32_t>& group,
                    const std::vector<std::vector<std::size_t>>& definitions_of) {
    const DefinedClock* first = nullptr;
    std::uint32_t first_part = 0;
    for (const std::uint32_t part : group)
      for (const std::size_t i : definitions_of[part]) {
        const DefinedClock& clock = records_.definitions[i];
        if (first == nullptr) {
          first = &clock;
          first_part = part;
          move_group(group, part, i);
        } else {
          require_same(*first, first_part, clock, part);
        }
      }
    const bool drives_something = std::any_of(
        group.begin(), group.end(), [&](std::uint32_t part) { return has_quantities_[part] != 0; });
    if (first != nullptr || !drives_something) return;
    std::vector<Note> notes;
    for (const Relation& relation : relations_)
      if (!relation.is_known && std::find(group.begin(), group.end(), relation.to) != group.end())
        notes.push_back({"a factor is left open here", *relation.origin});
    throw Error("M351",
                fmt::format("nothing says when {} is computed: no clock is defined for it, nor for "
                            "what it is connected to. Give a clock, such as sample(u, Clock(0.1)).",
                            part_name(group.front())),
                *part_marks_[group.front()].origin, std::move(notes));
  }

  bool is_exact(const ClockDefinition& definition) const {
    return definition.interval.valid() && pool_.is_number(definition.interval) &&
           pool_.number_of(definition.interval).is_exact();
  }

  void move_group(const std::vector<std::uint32_t>& group, std::uint32_t part, std::size_t i) {
    const ClockDefinition& definition = records_.definitions[i].definition;
    const Origin& origin = records_.definitions[i].origin;
    const bool exact = is_exact(definition);
    Number unit = 1;
    if (exact) {
      unit = pool_.number_of(definition.interval);
      if (unit.is_zero() || unit.is_negative())
        throw Error("M353", "the interval of a clock must be positive.", origin);
    }
    const std::uint32_t base = exact ? seconds() : base_of(i);
    const Ticks defined = ticks_[part];
    const Number scale = unit / defined.step;
    for (const std::uint32_t other : group) {
      Ticks& ticks = ticks_[other];
      ticks = {(ticks.first - defined.first) * scale, ticks.step * scale};
      require_exact(ticks, origin);
      base_of_part_[other] = base;
      if (ticks.first.is_negative())
        throw Error("M353",
                    fmt::format("the clock of {} would have to tick before the run begins. Shift "
                                "the other one, or use a smaller backSample.",
                                part_name(other)),
                    *part_marks_[other].origin);
      const bool is_counted = definition.condition.valid();
      if (is_counted && (!ticks.first.is_integer() || !ticks.step.is_integer()))
        throw Error("M353",
                    fmt::format("the clock of {} would have to tick between the events that its "
                                "base clock waits for. superSample and fractional shifts are for "
                                "periodic clocks.",
                                part_name(other)),
                    *part_marks_[other].origin, {{"the base clock", origin}});
    }
  }

  /// All exact periodic clocks count in seconds, so that their ticks agree exactly.
  std::uint32_t seconds() {
    if (seconds_ == no_clock) {
      seconds_ = static_cast<std::uint32_t>(result_.bases.size());
      result_.bases.push_back({.interval = system_.pool->integer(1)});
      result_.definition_of_base.push_back(no_clock);
    }
    return seconds_;
  }

  std::uint32_t base_of(std::size_t i) {
    const DefinedClock& clock = records_.definitions[i];
    if (clock.definition.interval.valid()) {
      const auto known = base_by_interval_.find(clock.definition.interval);
      if (known != base_by_interval_.end()) return known->second;
    }
    const auto base = static_cast<std::uint32_t>(result_.bases.size());
    if (clock.definition.interval.valid()) base_by_interval_[clock.definition.interval] = base;
    result_.bases.push_back({.interval = clock.definition.interval,
                             .start_interval = clock.definition.start_interval,
                             .origin = clock.origin});
    result_.definition_of_base.push_back(static_cast<std::uint32_t>(i));
    return base;
  }

  void require_same(const DefinedClock& first, std::uint32_t first_part, const DefinedClock& clock,
                    std::uint32_t part) {
    const ClockDefinition& definition = clock.definition;
    bool same = false;
    if (is_exact(definition) && base_of_part_[part] == seconds_)
      same =
          ticks_[part].first.is_zero() && ticks_[part].step == pool_.number_of(definition.interval);
    else if (definition.interval.valid() && definition.interval == first.definition.interval)
      same = ticks_[part].first.is_zero() && ticks_[part].step.is_one();
    if (same) return;
    const std::string others =
        part == first_part ? std::string() : " and of " + part_name(first_part);
    throw Error("M352",
                fmt::format("the clock of {}{} is defined twice, and not in the same way. Remove "
                            "one, or put hold() and sample() between what they are for.",
                            part_name(part), others),
                clock.origin, {{"the other clock", first.origin}});
  }

  void check_inferred_factors() const {
    for (const Relation& relation : relations_) {
      if (relation.is_known || base_of_part_[relation.from] != base_of_part_[relation.to]) continue;
      const Ticks& from = ticks_[relation.from];
      const Ticks& to = ticks_[relation.to];
      const Number ratio = to.step / from.step;
      const Number inverse = from.step / to.step;
      if ((ratio.is_integer() || inverse.is_integer()) && from.first == to.first) continue;
      throw Error("M352",
                  fmt::format("no factor relates the clocks of {} and {} here: their intervals are "
                              "no multiples of each other, or they do not begin together.",
                              part_name(relation.from), part_name(relation.to)),
                  *relation.origin);
    }
  }

  // ---- the result -------------------------------------------------------------------------------

  void hand_out() {
    const std::vector<std::string> methods = solver_methods();
    using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                           std::string>;
    std::map<Key, std::uint32_t> known;
    std::vector<std::uint32_t> clock_of_part;
    for (std::uint32_t part = 0; part < part_marks_.size(); ++part) {
      const Ticks& ticks = ticks_[part];
      clock_of_part.push_back(no_clock);
      if (base_of_part_[part] == no_clock) continue;
      const Key key{base_of_part_[part],    ticks.first.numerator(),  ticks.first.denominator(),
                    ticks.step.numerator(), ticks.step.denominator(), methods[part]};
      const auto [entry, is_new] =
          known.emplace(key, static_cast<std::uint32_t>(result_.clocks.size()));
      clock_of_part.back() = entry->second;
      if (!is_new) continue;
      result_.clocks.push_back({.base = base_of_part_[part],
                                .first = ticks.first,
                                .step = ticks.step,
                                .origin = *part_marks_[part].origin});
      result_.solver_methods.push_back(methods[part]);
    }
    const auto clock_of = [&](std::uint32_t node) {
      const std::uint32_t part = node == no_clock ? no_clock : part_of(node);
      return part == no_clock ? no_clock : clock_of_part[part];
    };
    for (const std::uint32_t node : node_of_equation_)
      result_.clock_of_equation.push_back(clock_of(node));
    for (const std::uint32_t node : node_of_discrete_)
      result_.clock_of_discrete.push_back(clock_of(node));
    for (std::uint32_t& part : result_.clock_of_argument)
      if (part != no_clock) part = clock_of_part[part];
    for (auto& [symbol, part] : result_.clock_of_symbol) part = clock_of_part[part];
  }

  /// Of each part; where none is given for it, that of a part it is related to.
  std::vector<std::string> solver_methods() {
    std::vector<std::string> methods(part_marks_.size());
    for (std::size_t i = 0; i < records_.definitions.size(); ++i) {
      const DefinedClock& clock = records_.definitions[i];
      if (!is_clock_used_[i] || clock.definition.solver_method.empty()) continue;
      std::string& method = methods[part_of(node_of_.at(clock.symbol))];
      if (!method.empty() && method != clock.definition.solver_method)
        throw Error("M352",
                    fmt::format("the solver methods '{}' and '{}' are given for one clock.", method,
                                clock.definition.solver_method),
                    clock.origin);
      method = clock.definition.solver_method;
    }
    for (bool again = true; again;) {  // along the relations
      again = false;
      for (const Relation& relation : relations_) {
        std::string& from = methods[relation.from];
        std::string& to = methods[relation.to];
        if (from.empty() == to.empty()) continue;
        again = true;
        (from.empty() ? from : to) = from.empty() ? to : from;
      }
    }
    return methods;
  }

  const flat::FlatSystem& system_;
  const ClockRecords& records_;
  const symbolic::ExprPool& pool_;
  ClockPartition result_;
  std::unordered_map<ExprId, std::uint32_t> node_of_;  // looked up, never iterated
  std::vector<ExprId> symbols_;                        // [n nodes]
  std::vector<std::uint32_t> parent_;                  // [n nodes]
  std::vector<Mark> clocked_;                          // [n nodes]
  std::vector<Mark> continuous_;                       // [n nodes]
  std::vector<char> is_clock_used_;                    // [n definitions]
  std::vector<std::uint32_t> node_of_equation_;
  std::vector<std::uint32_t> node_of_discrete_;
  std::vector<std::uint32_t> part_of_root_;  // [n nodes]
  std::vector<Mark> part_marks_;             // [n parts]
  std::vector<char> has_quantities_;         // [n parts]: not clocks alone
  std::vector<Relation> relations_;
  std::vector<char> is_placed_;              // [n parts]
  std::vector<Ticks> ticks_;                 // [n parts]
  std::vector<std::uint32_t> base_of_part_;  // [n parts]
  std::uint32_t seconds_ = no_clock;
  std::unordered_map<ExprId, std::uint32_t> base_by_interval_;  // looked up, never iterated
};

}  // namespace

ClockPartition infer_clocks(const flat::FlatSystem& system, const ClockRecords& records) {
  return Inference(system, records).run();
}

}  // namespace alembert::modelica
