// SPDX-License-Identifier: Apache-2.0
// Overconstrained connections: Connections.branch, root, potentialRoot, and what is broken.
#include <fmt/format.h>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/flatten/connections.hpp"

namespace alembert::modelica {

namespace {

const Name equality_constraint("equalityConstraint");

}  // namespace

bool Connections::is_overconstrained(Instance& record) {
  const auto [entry, is_new] = is_overconstrained_.try_emplace(&record.class_node(), false);
  if (!is_new) return entry->second;
  Instance* function = record.class_instance().member(equality_constraint);
  const bool found = function != nullptr && function->is_class() &&
                     function->restriction() == Restriction::function;
  return is_overconstrained_[&record.class_node()] = found;
}

bool Connections::is_shared(Instance& record) {
  return is_overconstrained(record) && record.variability() == Variability::parameter;
}

/// A source of what spreads over a network, such as a fluid: beside it there are only flows, which
/// nothing takes up.
bool Connections::gives_shared_records_only(Instance& connector) {
  bool found = false;
  for (Instance* member : connector.children()) {
    if (!member->is_present() || member->connection() == Connection::flow) continue;
    if (member->is_simple() || !is_shared(*member)) return false;
    found = true;
  }
  return found;
}

/// A connector that gives shared records only may be connected with any that has them. It is no
/// member of a connection set: two ports linked with one source have pressures of their own.
bool Connections::connect_shared_records(const Side& a, const Side& b, const Statement& statement) {
  const bool first_gives = gives_shared_records_only(*a.part.instance);
  if (first_gives == gives_shared_records_only(*b.part.instance)) return false;
  Instance& source = first_gives ? *a.part.instance : *b.part.instance;
  Instance& target = first_gives ? *b.part.instance : *a.part.instance;
  for (Instance* member : source.children()) {
    if (!member->is_present() || member->connection() == Connection::flow) continue;
    Instance* other = target.component_member(member->name());
    if (other == nullptr || !other->is_present() || other->is_simple() || !is_shared(*other))
      fail(
          statement.equation->place, "M303",
          fmt::format("'{}' and '{}' cannot be connected: the first gives a '{}', which the second "
                      "has not.",
                      source.full_name(), target.full_name(), member->name().text()));
    shared_.connect(*member, *other);
  }
  return true;
}

Instance* Connections::shared_parameter(const Instance& parameter) const {
  const Instance* record = parameter.parent();
  Instance* root = record == nullptr ? nullptr : shared_.root_of(*record);
  return root == nullptr ? nullptr : root->component_member(parameter.name());
}

std::uint32_t Connections::node(Instance& record, const Statement& statement) {
  if (!is_overconstrained(record))
    fail(statement.equation->place, "M306",
         fmt::format("'{}' is not an overconstrained record: its class has no function "
                     "equalityConstraint.",
                     record.full_name()));
  const auto [entry, is_new] = node_of_.try_emplace(&record, graph_.n_nodes);
  if (is_new) ++graph_.n_nodes;
  return entry->second;
}

Instance* Connections::record_argument(const Statement& statement, std::size_t index) {
  const Expression& call = *statement.equation->left;
  const bool is_given =
      index < call.operands.size() && call.operands[index]->kind == ExpressionKind::reference;
  if (!is_given)
    fail(statement.equation->place, "M306",
         fmt::format("'{}' wants the names of overconstrained records, such as frame_a.R.",
                     reference_text(*call.reference)));
  const EvaluationScope scope{.scope = statement.scope, .locals = statement.locals.get()};
  const Referenced record = resolve_reference(state_, *call.operands[index]->reference, scope);
  // A type such as an angle may be overconstrained too, and one that is an array has entries.
  if (record.parts.empty()) return nullptr;
  Instance* const only = record.parts[0].instance;
  const bool is_one =
      only->is_simple()
          ? is_overconstrained(*only) && record.parts.size() == element_count(only->dimensions())
          : record.parts.size() == 1;
  if (!is_one)
    fail(call.operands[index]->place, "M306",
         fmt::format("'{}' is not one overconstrained record.",
                     reference_text(*call.operands[index]->reference)));
  return only;
}

void Connections::add_to_graph(const Statement& statement) {
  state_.current = statement.owner;
  const Expression& call = *statement.equation->left;
  const Name operation = call.reference->parts[1].name;
  Instance* const first = record_argument(statement, 0);
  Instance* const second = operation == "branch" ? record_argument(statement, 1) : first;
  if (first == nullptr || second == nullptr) return;
  Instance& record = *first;
  if (is_shared(record)) {
    if (operation == "branch") {
      node(*second, statement);
      shared_.connect(record, *second);
      return;
    }
    if (operation == "root") {
      shared_.add_root(record);
      return;
    }
  }
  if (operation == "branch") {
    graph_.branches.push_back({node(record, statement), node(*second, statement)});
    const auto [from, to] = graph_.branches.back();
    branch_at_.insert_or_assign(from, branch_statements_.size());  // rooted() asks by the first
    branch_at_.try_emplace(to, branch_statements_.size());
    branch_statements_.push_back(&statement);
  } else if (operation == "root") {
    graph_.roots.push_back(node(record, statement));
    root_statements_.push_back(&statement);
  } else if (operation == "potentialRoot") {
    const Expression* priority = call.operands.size() > 1 ? call.operands[1] : nullptr;
    for (const NamedArgument& argument : call.named)
      if (argument.name == "priority") priority = argument.value;
    const EvaluationScope scope{.scope = statement.scope, .locals = statement.locals.get()};
    graph_.potential_roots.push_back(
        {.node = node(record, statement),
         .priority = priority ? state_.evaluator.constant_integer(*priority, scope) : 0});
  } else if (operation != "uniqueRoot") {
    fail(call.place, "M306",
         fmt::format("there is no equation 'Connections.{}'. There are branch, root and "
                     "potentialRoot.",
                     operation.text()));
  }
}

void Connections::span_graph() {
  forest_ = span_connection_graph(graph_);
  if (forest_.fault) {
    using Kind = ConnectionGraphFault::Kind;
    const ConnectionGraphFault& fault = *forest_.fault;
    if (fault.kind == Kind::branch_loop) {
      const Statement& statement = *branch_statements_[fault.index];
      fail(statement.equation->place, "M307",
           fmt::format("the branches of the connection graph make a loop at component '{}', which "
                       "nothing can break. Connect through a joint or another breakable part.",
                       statement.owner->full_name()));
    }
    if (fault.kind == Kind::two_roots) {
      const Statement& statement = *root_statements_[fault.index];
      const Statement& other = *root_statements_[fault.other];
      fail(statement.equation->place, "M307",
           fmt::format(
               "the roots '{}' and '{}' of the connection graph are rigidly connected. Keep "
               "one of them.",
               record_argument(statement, 0)->full_name(), record_argument(other, 0)->full_name()));
    }
  }
  for (std::size_t i = 0; i < connected_records_.size(); ++i) {
    if (forest_.broken[i]) continue;
    const auto& [a, b, statement] = connected_records_[i];
    if (a.part.instance->is_simple())
      connect_simple(a, b, *statement);
    else
      connect_members(a, b, *statement);
  }
}

void Connections::add_broken(const ConnectedRecords& records) {
  Instance& first = *records.a.part.instance;
  Instance& second = *records.b.part.instance;
  const Place place = records.statement->equation->place;
  state_.current = records.statement->owner;
  Instance& function = *first.class_instance().member(equality_constraint);
  const Value residual = state_.evaluator.call(
      function, {state_.evaluator.value_of(first), state_.evaluator.value_of(second)}, place);
  for (const ExprId scalar : state_.evaluator.numeric_scalars(residual))
    state_.add({.left = scalar, .right = state_.pool.integer(0), .place = place});
}

bool Connections::is_root(const Instance& record) const {
  const auto found = node_of_.find(&record);
  return found != node_of_.end() && forest_.is_root[found->second];
}

bool Connections::rooted(const Instance& record) const {
  const auto found = node_of_.find(&record);
  if (found == node_of_.end()) return false;
  const auto branch = branch_at_.find(found->second);
  if (branch == branch_at_.end()) return false;
  const auto [from, to] = graph_.branches[branch->second];
  const std::uint32_t other = from == found->second ? to : from;
  return forest_.distance[found->second] < forest_.distance[other];
}

}  // namespace alembert::modelica
