// SPDX-License-Identifier: Apache-2.0
// What follows from the sets: equal potentials, flows that sum to zero, mixed streams.
#include <fmt/format.h>

#include <algorithm>

#include "alembert/flat/derived_from.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/flatten/connections.hpp"
#include "alembert/frontend/modelica/flatten/connector_balance.hpp"
#include "alembert/frontend/modelica/flatten/stream_mixing.hpp"

namespace alembert::modelica {

using flat::ConnectionElement;
using symbolic::Op;

namespace {

ExprId symbol_of(const ConnectionElement& element) { return ExprId{element.scalar}; }

/// So that equations do not tell in which order things were connected.
std::vector<ConnectionElement> in_order_of_names(const symbolic::ExprPool& pool,
                                                 std::vector<ConnectionElement> set) {
  std::ranges::stable_sort(set, [&](const ConnectionElement& a, const ConnectionElement& b) {
    return pool.precedes(symbol_of(a), symbol_of(b));
  });
  return set;
}

/// By itself, or as part of one; elsewhere `flow` says nothing.
bool is_in_connector(Instance& variable) {
  for (Instance* part = &variable; part != nullptr; part = part->parent())
    if (is_connector(*part)) return true;
  return false;
}

}  // namespace

/// Of a connector of the model itself.
bool is_of_model_connector(Instance& variable) {
  for (Instance* part = variable.parent(); part != nullptr; part = part->parent())
    if (is_connector(*part) && part->parent() != nullptr && part->parent()->parent() == nullptr)
      return true;
  return false;
}

void Connections::add_equations() {
  for (const auto& set : finished_.sets) add_set(set);
  for (std::size_t i = 0; i < connected_records_.size(); ++i)
    if (forest_.broken[i]) add_broken(connected_records_[i]);
  for (const ScalarEquation& equal : equal_parameters_) {
    const ExprId condition = state_.pool.apply(Op::equal, equal.left, equal.right);
    if (state_.pool.op(condition) == Op::truth && state_.pool.truth_of(condition)) continue;
    state_.system.assertions.push_back(
        {.condition = condition,
         .message = fmt::format("{} and {} are connected and must be equal",
                                flat::expression_text(state_.system, equal.left),
                                flat::expression_text(state_.system, equal.right)),
         .origin = state_.origin(equal.place)});
  }
  add_unconnected_flows();
  add_defaults();
  mark_open();
}

void Connections::mark_open() {
  std::unordered_map<ExprId, std::string_view> open;  // looked up, never iterated
  for (Instance* variable : state_.components.simple) {
    const bool is_input = variable->causality() == Causality::input;
    Instance* const parent = variable->parent();
    if (parent == nullptr || parent->parent() == nullptr || variable->binding()) continue;
    if (variable->variability() == Variability::parameter ||
        variable->variability() == Variability::constant || variable->type() != TypeKind::real)
      continue;
    if (!is_input && (!is_connector(*parent) || variable->connection() != Connection::none ||
                      variable->causality() == Causality::output))
      continue;
    for (const ExprId scalar : scalars(*variable))
      if (!sets_.contains({scalar.value, false}) && !sets_.contains({scalar.value, true}))
        open.emplace(scalar, is_input ? flat::open_input : flat::open_potential);
  }
  if (open.empty()) return;
  for (flat::Unknown& unknown : state_.system.unknowns)
    if (const auto found = open.find(unknown.symbol); found != open.end())
      unknown.origin.derived_from = found->second;
}

void Connections::add_set(const std::vector<ConnectionElement>& set) {
  const ConnectionElement& first = set.front();
  const Statement& statement = *first_statement_.at(flat::ConnectionSets::key(first));
  state_.current = statement.owner;
  const Place place = statement.equation->place;
  const ScalarInfo& info = info_.at(symbol_of(first));
  if (!is_used(*info.variable)) return;
  switch (info.connection) {
    case Connection::flow: add_flow_set(set, place); return;
    case Connection::stream: add_stream_set(set, place); return;
    case Connection::none: break;
  }
  check_sources(set);
  if (info.variable->type() == TypeKind::real) {
    const auto ordered = in_order_of_names(state_.pool, set);
    for (std::size_t i = 0; i + 1 < ordered.size(); ++i)
      add_equal(ordered[i], ordered.back(), false);
  } else {
    for (std::size_t i = 1; i < set.size(); ++i) add_equal(first, set[i], true);
  }
}

void Connections::add_equal(const ConnectionElement& left, const ConnectionElement& right,
                            bool is_discrete) {
  if (symbol_of(left) == symbol_of(right)) return;  // seen from both sides, and so twice in a set
  const auto said_at = first_statement_.at(flat::ConnectionSets::key(is_discrete ? right : left));
  state_.current = said_at->owner;
  state_.add({.left = symbol_of(left),
              .right = symbol_of(right),
              .discrete = is_discrete,
              .place = said_at->equation->place});
  if (!is_discrete) state_.system.equations.back().origin.derived_from = flat::from_connection;
}

/// Of a signal one gives the value: an output of a part, or a public input of the component around.
void Connections::check_sources(const std::vector<ConnectionElement>& set) {
  const ConnectionElement* first = nullptr;
  for (const ConnectionElement& element : set) {
    Instance& variable = *info_.at(symbol_of(element)).variable;
    const Causality giving = element.outside ? Causality::input : Causality::output;
    if (variable.causality() != giving || is_in_expandable(variable)) continue;
    // A protected input only stands for a conditional one, to which it is connected.
    if (element.outside && variable.is_protected()) continue;
    if (first == nullptr) {
      first = &element;
      continue;
    }
    if (symbol_of(element) == symbol_of(*first)) continue;
    fail(first_statement_.at(flat::ConnectionSets::key(element))->equation->place, "M304",
         fmt::format("'{}' and '{}' are connected, but both give a value. Connect each with inputs "
                     "only.",
                     info_.at(symbol_of(*first)).variable->full_name(), variable.full_name()));
  }
}

void Connections::add_flow_set(const std::vector<ConnectionElement>& set, Place place) {
  std::vector<ExprId> terms;
  for (const ConnectionElement& element : set)
    terms.push_back(element.outside ? state_.pool.neg(symbol_of(element)) : symbol_of(element));
  const bool is_trivial = terms.size() == 1 && set.front().outside;
  if (is_trivial) return;
  state_.add({.left = state_.pool.add(terms), .right = state_.pool.integer(0), .place = place});
  state_.system.equations.back().origin.derived_from = flat::from_balance;
}

void Connections::add_unconnected_flows() {
  const ExprId zero = state_.pool.integer(0);
  for (Instance* variable : state_.components.simple) {
    if (variable->connection() != Connection::flow || !is_in_connector(*variable)) continue;
    if (!is_used(*variable)) continue;
    if (state_.is_open && is_of_model_connector(*variable)) continue;
    state_.current = variable->parent();
    for (const ExprId scalar : scalars(*variable))
      if (!sets_.contains({scalar.value, false})) {
        state_.add({.left = scalar, .right = zero, .place = variable->place()});
        state_.system.equations.back().origin.derived_from = flat::from_balance;
      }
  }
}

// ---- streams ------------------------------------------------------------------------------------

void Connections::find_flow(Instance& stream, std::size_t scalar, ScalarInfo& info) {
  (void)scalar;
  Instance* connector = stream.parent();
  while (connector->restriction() == Restriction::record && connector->parent() != nullptr)
    connector = connector->parent();
  for (Instance* member : connector->children()) {
    if (!member->is_present() || member->connection() != Connection::flow) continue;
    info.flow = scalars(*member).front();
    if (const Binding* min = member->attribute("min")) {
      const Value value = state_.evaluator.binding_value(*min);
      if (value.is_scalar() && state_.pool.is_number(value.scalar()))
        info.only_in = state_.pool.number_of(value.scalar()).value() >= 0;
    }
    return;
  }
  fail_without_flow(stream);
}

ExprId Connections::mixture(const std::vector<ConnectionElement>& set,
                            const ConnectionElement& receiver) {
  std::vector<StreamSource> sources;
  for (const ConnectionElement& element : set) {
    if (element == receiver) continue;
    const ExprId symbol = symbol_of(element);
    const ScalarInfo& info = info_.at(symbol);
    if (element.outside)
      sources.push_back({.value = in_stream(symbol), .rate = info.flow});
    else if (!info.only_in)
      sources.push_back({.value = symbol, .rate = state_.pool.neg(info.flow)});
  }
  return sources.empty() ? symbol_of(receiver) : mix_streams(state_.pool, sources);
}

ExprId Connections::in_stream(ExprId stream) {
  const auto found = in_stream_.find(stream);
  if (found != in_stream_.end()) return found->second;
  const ConnectionElement receiver{stream.value, false};
  const auto* set = finished_.find(receiver);
  const ExprId value = set ? mixture(*set, receiver) : stream;
  in_stream_.emplace(stream, value);
  return value;
}

ExprId Connections::in_stream(Instance& variable, std::size_t scalar, Place place) {
  if (variable.connection() != Connection::stream)
    fail(place, "M308",
         fmt::format("inStream and actualStream want a stream variable of a connector, and '{}' is "
                     "none.",
                     variable.full_name()));
  return in_stream(scalars(variable)[scalar]);
}

ExprId Connections::actual_stream(Instance& variable, std::size_t scalar, Place place) {
  const ExprId inflow = in_stream(variable, scalar, place);
  const ExprId own = scalars(variable)[scalar];
  const ExprId flow = info_.at(own).flow;
  const ExprId condition = state_.pool.apply(Op::less, state_.pool.integer(0), flow);
  return state_.pool.apply(Op::smooth, state_.pool.integer(0),
                           state_.pool.if_then_else(condition, inflow, own));
}

void Connections::add_stream_set(const std::vector<ConnectionElement>& set, Place place) {
  for (const ConnectionElement& element : set)
    if (element.outside)
      state_.add({.left = symbol_of(element), .right = mixture(set, element), .place = place});
}

std::int64_t Connections::cardinality(const Instance& connector) const {
  const auto found = cardinality_.find(&connector);
  return found == cardinality_.end() ? 0 : found->second;
}

}  // namespace alembert::modelica
