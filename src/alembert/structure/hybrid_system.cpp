// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/hybrid_system.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "alembert/base/error.hpp"
#include "alembert/flat/delayed.hpp"
#include "alembert/structure/asked_derivatives.hpp"
#include "alembert/structure/stepwise.hpp"
#include "alembert/structure/timed_conditions.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/solve.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprPool;
using symbolic::Op;
using symbolic::SymbolKind;

/// True of 0 <> a, for any a, and of 0 == a where `zero`; the other side in `side`.
bool compares_with_zero(const ExprPool& pool, ExprId node, bool zero, ExprId& side) {
  if (pool.op(node) != (zero ? Op::equal : Op::not_equal)) return false;
  const auto children = pool.children(node);
  for (const std::size_t k : {0, 1}) {
    if (!pool.is_zero(children[k])) continue;
    side = children[1 - k];
    return pool.is_symbol(side);
  }
  return false;
}

/// True if the condition holds in the moment of an event only: edge(w), with whatever else,
/// initial(), or one of several such. What hangs on it is not looked at between events.
bool is_momentary(const ExprPool& pool, ExprId condition, ExprId initial) {
  std::vector<ExprId> either{condition};
  while (!either.empty()) {
    const ExprId node = either.back();
    either.pop_back();
    const auto parts = pool.children(node);
    if (pool.op(node) == Op::logical_or) {
      either.insert(either.end(), parts.begin(), parts.end());
      continue;
    }
    ExprId side;
    if (compares_with_zero(pool, node, false, side) && side == initial) continue;
    if (pool.op(node) != Op::logical_and) return false;
    const bool has_edge = std::any_of(parts.begin(), parts.end(), [&](ExprId was_not) {
      ExprId before, now;
      if (!compares_with_zero(pool, was_not, true, before)) return false;
      const ExprId of = pool.symbol_of(before).previous_of;
      return of.valid() && std::any_of(parts.begin(), parts.end(), [&](ExprId is) {
               return compares_with_zero(pool, is, false, now) && now == of;
             });
    });
    if (!has_edge) return false;
  }
  return true;
}

/// Replaces what varies stepwise in many expressions that share parts.
class Splitter {
 public:
  /// written: where a condition was put in terms of time, how it stood in the model.
  Splitter(HybridSystem& system, symbolic::Replacements written)
      : system_(system), pool_(*system.flat.pool), written_(std::move(written)) {
    for (const ExprId symbol : flat::delayed_symbols(system.flat)) delayed_.insert(symbol);
  }

  /// Replaces the expressions in place; `may_add`: new modes may be made, else only those that are
  /// there already are put in.
  void run(const std::vector<ExprId*>& places, bool may_add) {
    std::vector<ExprId> roots;
    for (const ExprId* place : places)
      if (place->valid()) roots.push_back(*place);
    const symbolic::Reach reach(pool_, roots);
    if (std::none_of(reach.nodes().begin(), reach.nodes().end(), [&](ExprId node) {
          return is_comparison(pool_.op(node)) || is_stepwise(pool_.op(node));
        }))
      return;
    std::vector<char> outside(reach.size(), 0);   // reached by a way without noEvent and smooth
    std::vector<char> eventful(reach.size(), 0);  // the same, and not by the body of a when-clause
    for (const ExprId root : roots) outside[reach.index_of(root)] = 1;
    for (const ExprId root : roots) eventful[reach.index_of(root)] = may_add;
    for (std::size_t i = reach.size(); i-- > 0;) {
      const ExprId node = reach.nodes()[i];
      if (!outside[i] || pool_.op(node) == Op::no_event || pool_.op(node) == Op::smooth) continue;
      const auto parts = pool_.children(node);
      const bool is_when = pool_.op(node) == Op::if_then_else && eventful[i] &&
                           is_momentary(pool_, parts[0], system_.flat.initial_symbol);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        outside[reach.index_of(parts[k])] = 1;
        if (eventful[i] && !(is_when && k == 1)) eventful[reach.index_of(parts[k])] = 1;
      }
    }
    std::vector<ExprId> image(reach.size());
    std::vector<ExprId> children;
    for (std::size_t i = 0; i < reach.size(); ++i) {
      const ExprId node = reach.nodes()[i];
      image[i] = node;
      if (!outside[i]) {
        note(node);
        continue;
      }
      if (const auto known = known_.find(node); known != known_.end()) {
        image[i] = known->second;
        continue;
      }
      if (pool_.op(node) != Op::no_event && pool_.op(node) != Op::smooth) {
        children.clear();
        bool changed = false;
        for (const ExprId child : pool_.children(node)) {
          children.push_back(image[reach.index_of(child)]);
          changed = changed || children.back() != child;
        }
        const ExprId rebuilt = changed ? pool_.rebuild(node, children) : node;
        note(rebuilt);
        may_add_ = eventful[i];
        image[i] = replaced(node, rebuilt);
      }
      note(image[i]);
      if (may_add) known_.emplace(node, image[i]);
    }
    for (ExprId* place : places)
      if (place->valid()) *place = image[reach.index_of(*place)];
  }

 private:
  enum Varies : char { no, with_time, with_unknowns };

  /// Notes what an expression varies with.
  void note(ExprId root) {
    if (varies_.contains(root)) return;
    const auto children = pool_.children(root);
    if (std::all_of(children.begin(), children.end(),
                    [&](ExprId child) { return varies_.contains(child); }))
      return note_node(root);
    const symbolic::Reach reach(pool_, root);  // something new came out of rebuilding
    for (const ExprId node : reach.nodes())
      if (!varies_.contains(node)) note_node(node);
  }

  void note_node(ExprId node) {
    Varies varies = no;
    if (pool_.is_symbol(node)) {
      const SymbolKind kind = pool_.symbol_of(node).kind;
      if (kind == SymbolKind::unknown || delayed_.contains(node)) varies = with_unknowns;
      if (kind == SymbolKind::time) varies = with_time;
    }
    for (const ExprId child : pool_.children(node)) varies = std::max(varies, varies_.at(child));
    varies_.emplace(node, varies);
  }

  ExprId replaced(ExprId node, ExprId rebuilt) {
    const Op op = pool_.op(rebuilt);
    if (varies_.at(rebuilt) == no) return rebuilt;
    if (is_comparison(op)) {
      // noEvent(a < b) as a condition is `noEvent(if a < b then 1 else 0) <> 0`.
      for (const ExprId side : pool_.children(rebuilt))
        if (pool_.op(side) == Op::no_event) return rebuilt;
      const ExprId mode = mode_of(node, rebuilt);
      return mode.valid() ? pool_.apply(Op::not_equal, mode, pool_.integer(0)) : rebuilt;
    }
    if (!is_stepwise(op)) return rebuilt;
    if (op == Op::mod || op == Op::rem) {
      const ExprId a = pool_.children(rebuilt)[0];
      const ExprId b = pool_.children(rebuilt)[1];
      const ExprId whole =
          op == Op::mod ? pool_.apply(Op::floor, pool_.div(a, b)) : pool_.apply(Op::div, a, b);
      note(whole);
      const ExprId mode = mode_of(whole, whole);
      return mode.valid() ? pool_.sub(a, pool_.mul(mode, b)) : rebuilt;
    }
    const ExprId mode = mode_of(node, rebuilt);
    return mode.valid() ? mode : rebuilt;
  }

  /// none where there is no such mode and none may be made.
  ExprId mode_of(ExprId source, ExprId rebuilt) {
    if (const auto known = modes_.find(rebuilt); known != modes_.end()) return known->second;
    if (!may_add_) return {};
    if (const auto written = written_.find(source); written != written_.end())
      source = written->second;
    Mode mode;
    mode.source = source;
    mode.symbol = pool_.discrete(name_of(source));
    mode.value = is_comparison(pool_.op(rebuilt))
                     ? pool_.if_then_else(rebuilt, pool_.integer(1), pool_.integer(0))
                     : rebuilt;
    mode.first_crossing = static_cast<Index>(system_.crossings.size());
    add_crossings(mode, rebuilt);
    mode.n_crossings = static_cast<Index>(system_.crossings.size()) - mode.first_crossing;
    if (varies_.at(rebuilt) == with_time) mode.change_time = change_time(mode, rebuilt);
    system_.modes.push_back(mode);
    modes_.emplace(rebuilt, mode.symbol);
    return mode.symbol;
  }

  void add_crossings(const Mode& mode, ExprId rebuilt) {
    const Op op = pool_.op(rebuilt);
    const auto children = pool_.children(rebuilt);
    const auto add_zero = [&](ExprId left, ExprId right) {
      const ExprId crossing = pool_.sub(left, right);
      const auto index = static_cast<Index>(system_.crossings.size());
      system_.crossings.push_back(crossing);
      system_.surfaces.push_back(surfaces_.try_emplace(crossing, Surface{index}).first->second);
      surfaces_.try_emplace(pool_.sub(right, left), Surface{index, true});
    };
    const auto add = [&](ExprId value, int distance) {
      add_zero(value, pool_.add(mode.symbol, pool_.integer(distance)));
    };
    if (is_comparison(op)) {
      add_zero(children[0], children[1]);
    } else if (op == Op::sign) {
      add_zero(children[0], pool_.integer(0));
    } else if (op == Op::div) {
      const ExprId quotient = pool_.div(children[0], children[1]);
      for (const int distance : {-1, 0, 1}) add(quotient, distance);
    } else {
      const ExprId value = children[0];
      add(value, 0);
      add(value, op == Op::ceil ? -1 : 1);
    }
  }

  /// Of a comparison where its sides are equal; of floor and its kind the next whole number.
  ExprId change_time(const Mode& mode, ExprId rebuilt) {
    const Op op = pool_.op(rebuilt);
    if (op == Op::div) return {};
    const ExprId varying =
        is_comparison(op) ? system_.crossings[mode.first_crossing] : pool_.children(rebuilt)[0];
    const auto linear = symbolic::linear_form(pool_, varying, pool_.time());
    if (!linear || pool_.is_zero(linear->slope)) return {};
    ExprId target = pool_.integer(0);
    if (!is_comparison(op) && op != Op::sign) {
      const ExprId rises = pool_.apply(Op::less, pool_.integer(0), linear->slope);
      const ExprId above = op == Op::ceil ? mode.symbol : pool_.add(mode.symbol, pool_.integer(1));
      const ExprId below = op == Op::ceil ? pool_.sub(mode.symbol, pool_.integer(1)) : mode.symbol;
      target = pool_.if_then_else(rises, above, below);
    }
    return pool_.div(pool_.sub(target, linear->offset), linear->slope);
  }

  /// Shown in messages about equations, so it reads as what it stands for.
  std::string name_of(ExprId source) {
    const std::string text = symbolic::to_short_text(pool_, source);
    std::string name = text;
    for (int k = 2; pool_.find_symbol(name).valid(); ++k) {
      // Another model of this pool may have made it; two modes of one model may not share it.
      const ExprId symbol = pool_.find_symbol(name);
      if (pool_.symbol_of(symbol).kind == SymbolKind::discrete && !names_.contains(name)) break;
      name = text + " #" + std::to_string(k);
    }
    names_.insert(name);
    return name;
  }

  HybridSystem& system_;
  ExprPool& pool_;
  bool may_add_ = true;  // at the node under way
  // Looked up, never iterated.
  symbolic::Replacements written_;
  std::unordered_set<ExprId> delayed_;
  std::unordered_map<ExprId, Varies> varies_;
  std::unordered_map<ExprId, ExprId> known_;  // outside noEvent
  std::unordered_map<ExprId, ExprId> modes_;
  std::unordered_map<ExprId, Surface> surfaces_;  // of crossing functions and their negatives
  std::unordered_set<std::string> names_;
};

void add_equations(std::vector<ExprId*>& places, std::vector<flat::FlatEquation>& equations) {
  for (flat::FlatEquation& equation : equations) {
    places.push_back(&equation.left);
    places.push_back(&equation.right);
  }
}

std::vector<ExprId> find_previous_unknowns(const flat::FlatSystem& flat,
                                           const std::vector<ExprId*>& places) {
  std::vector<ExprId> roots;
  for (const ExprId* place : places)
    if (place->valid()) roots.push_back(*place);
  std::vector<ExprId> unknowns;
  const symbolic::Reach reach(*flat.pool, roots);
  for (const ExprId node : reach.nodes()) {
    if (!flat.pool->is_symbol(node)) continue;
    const ExprId of = flat.pool->symbol_of(node).previous_of;
    if (of.valid() && flat.pool->symbol_of(of).kind == SymbolKind::unknown) unknowns.push_back(of);
  }
  return unknowns;
}

/// Conditions that become true where a jump leaves a pipe. Where that is, the run says.
std::vector<ExprId> add_fronts(HybridSystem& system) {
  ExprPool& pool = *system.flat.pool;
  std::vector<ExprId> arrivals;
  for (const flat::Transport& transport : system.flat.transports) {
    const auto front = [&](std::size_t end) {
      system.fronts.push_back(
          pool.discrete("the next jump in " + pool.symbol_text(transport.outputs[end])));
      return system.fronts.back();
    };
    const ExprId lower = front(0), upper = front(1);
    arrivals.push_back(pool.apply(Op::less_equal, transport.position, lower));
    arrivals.push_back(pool.apply(Op::less_equal, upper, transport.position));
  }
  return arrivals;
}

/// Puts conditions in terms of time where that tells when they change, in place; returns what they
/// were.
symbolic::Replacements use_timed_conditions(const flat::FlatSystem& flat,
                                            const std::vector<ExprId*>& eventful,
                                            const std::vector<ExprId*>& others) {
  std::vector<ExprId> roots;
  for (const ExprId* place : eventful)
    if (place->valid()) roots.push_back(*place);
  const symbolic::Replacements timed = timed_conditions(flat, roots);
  symbolic::Replacements written;
  if (timed.empty()) return written;
  for (const auto* places : {&eventful, &others}) {
    std::vector<ExprId> before;
    for (const ExprId* place : *places)
      before.push_back(place->valid() ? *place : flat.pool->time());
    const std::vector<ExprId> after = symbolic::substitute(*flat.pool, before, timed);
    for (std::size_t i = 0; i < after.size(); ++i)
      if ((*places)[i]->valid()) *(*places)[i] = after[i];
  }
  for (const auto& [was, is] : timed)  // in any order: of several the first that was written
    if (const auto at = written.emplace(is, was).first; was.value < at->second.value)
      at->second = was;
  return written;
}

std::vector<WrittenSides> sides_of(const std::vector<flat::FlatEquation>& equations) {
  std::vector<WrittenSides> sides;
  sides.reserve(equations.size());
  for (Index e = 0; e < equations.size(); ++e)
    sides.push_back({e, equations[e].left, equations[e].right});
  return sides;
}

/// Leaves those that are as before.
void keep_changed(std::vector<WrittenSides>& sides,
                  const std::vector<flat::FlatEquation>& equations) {
  std::erase_if(sides, [&](const WrittenSides& one) {
    return one.left == equations[one.equation].left && one.right == equations[one.equation].right;
  });
  sides.shrink_to_fit();
}

}  // namespace

flat::FlatEquation as_written(const std::vector<WrittenSides>& written, Index index,
                              flat::FlatEquation equation) {
  const auto found = std::ranges::lower_bound(written, index, {}, &WrittenSides::equation);
  if (found == written.end() || found->equation != index) return equation;
  equation.left = found->left;
  equation.right = found->right;
  return equation;
}

HybridSystem split(flat::FlatSystem given) {
  HybridSystem system;
  system.flat = std::move(given);
  flat::FlatSystem& flat = system.flat;
  system.written = {sides_of(flat.equations), sides_of(flat.discrete_equations),
                    sides_of(flat.initial_equations)};
  std::vector<ExprId*> eventful;
  add_equations(eventful, flat.equations);
  add_equations(eventful, flat.discrete_equations);
  for (flat::Reinit& reinit : flat.reinits) eventful.push_back(&reinit.condition);
  for (flat::Termination& termination : flat.terminations)
    eventful.push_back(&termination.condition);
  std::vector<ExprId*> others;
  for (flat::Reinit& reinit : flat.reinits) others.push_back(&reinit.value);
  add_equations(others, flat.initial_equations);
  for (flat::Observed& observed : flat.observed) others.push_back(&observed.value);
  for (flat::Delay& delay : flat.delays)
    eventful.insert(eventful.end(), {&delay.value, &delay.delay});
  std::vector<ExprId> arrivals = add_fronts(system);
  for (flat::Transport& transport : flat.transports)
    for (ExprId* place : flat::places_in_run(transport)) eventful.push_back(place);
  for (ExprId& arrival : arrivals) eventful.push_back(&arrival);
  Splitter splitter(system, use_timed_conditions(flat, eventful, others));
  splitter.run(eventful, true);
  splitter.run(others, false);
  keep_changed(system.written.equations, flat.equations);
  keep_changed(system.written.discrete_equations, flat.discrete_equations);
  keep_changed(system.written.initial_equations, flat.initial_equations);

  eventful.insert(eventful.end(), others.begin(), others.end());
  for (flat::Assertion& assertion : flat.assertions) {
    eventful.push_back(&assertion.condition);
    for (ExprId& value : assertion.values) eventful.push_back(&value);
  }
  for (flat::Termination& termination : flat.terminations)
    for (ExprId& value : termination.values) eventful.push_back(&value);
  for (Mode& mode : system.modes) eventful.push_back(&mode.value);
  system.previous_unknowns = find_previous_unknowns(flat, eventful);
  system.assignments = order_assignments(flat);
  add_asked_derivatives(system);
  return system;
}

}  // namespace alembert::structure
