// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/connector_balance.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_set>

#include "alembert/flat/wording.hpp"
#include "alembert/frontend/modelica/evaluate/arrays.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

struct Balance {
  std::size_t n_potentials = 0;
  std::size_t n_flows = 0;
  Instance* stream = nullptr;  ///< one of them
  bool is_open = false;  ///< values of a network stand in it, or sizes that are not known yet
};

/// How many equations two overconstrained records that are connected give, which may be none;
/// nothing for other records.
std::optional<std::size_t> n_residues(Instance& record) {
  Instance* function = record.class_instance().member(Name("equalityConstraint"));
  if (function == nullptr || !function->is_class() ||
      function->restriction() != Restriction::function)
    return std::nullopt;
  for (Instance* child : function->children())
    if (child->causality() == Causality::output) return element_count(child->dimensions());
  return std::nullopt;
}

void count(Instance& component, Balance& balance) {
  for (Instance* member : component.children()) {
    if (!member->is_present()) continue;
    const Variability variability = member->variability();
    const auto n_constraints =
        member->is_array() ? std::nullopt : n_residues(*member);
    if (variability == Variability::parameter || variability == Variability::constant) {
      balance.is_open = balance.is_open || n_constraints.has_value();
      continue;
    }
    if (member->connection() == Connection::stream) balance.stream = member;
    if (member->causality() != Causality::none || member->connection() == Connection::stream)
      continue;
    if (n_constraints) {
      balance.n_potentials += *n_constraints;
    } else if (member->is_array()) {
      for (std::size_t i = 0; i < member->n_entries(); ++i) count(member->entry(i), balance);
    } else if (!member->is_simple()) {
      count(*member, balance);
    } else if (member->type() == TypeKind::real) {
      (member->connection() == Connection::flow ? balance.n_flows : balance.n_potentials) +=
          element_count(member->dimensions());
    }
  }
}

}  // namespace

void fail_without_flow(Instance& stream) {
  fail(
      stream.place(), "M308",
      fmt::format("the stream variable '{}' stands in a connector without a flow variable. Declare "
                  "one, such as 'flow Real m_flow'.",
                  stream.full_name()));
}

namespace {

/// Flows are summed up to zero with their signs, so a record of them needs these operators.
void check_flow_operators(Instance& connector) {
  for (Instance* member : connector.children()) {
    if (member->is_simple() || member->connection() != Connection::flow ||
        member->restriction() != Restriction::operator_record)
      continue;
    for (const char* op : {"'+'", "'-'", "'0'"}) {
      if (member->class_instance().member(Name(op)) != nullptr) continue;
      fail(
          member->place(), "M122",
          fmt::format("'{}' is a flow of the operator record '{}', which has no operator {}: flows "
                      "that meet are added up to zero, so '+', '-' and '0' are needed. Add it.",
                      member->name().text(), member->class_node().full_name(), op));
    }
  }
}

/// A variable that is neither input nor output, parameter nor constant; null if there is none.
Instance* without_direction(Instance& connector) {
  const Variability variability = connector.variability();
  if (variability == Variability::parameter || variability == Variability::constant ||
      connector.causality() != Causality::none)
    return nullptr;
  if (connector.is_simple()) return &connector;
  for (Instance* member : connector.prototype().children())
    if (Instance* found = without_direction(*member)) return found;
  return nullptr;
}

}  // namespace

void check_blocks(FlattenState& state) {
  std::unordered_set<const ClassNode*> seen;  // looked up, never iterated
  for (Instance* component : state.components.structured) {
    if (component->restriction() != Restriction::block ||
        !seen.insert(&component->class_node()).second)
      continue;
    for (Instance* child : component->children()) {
      if (child->restriction() != Restriction::connector || child->is_outer() ||
          child->is_protected() || !child->is_present())
        continue;
      Instance* plain = without_direction(*child);
      if (plain == nullptr) continue;
      fail(child->place(), "M122",
           fmt::format(
               "the block '{}' has a connector '{}' whose variable '{}' is neither an input "
               "nor an output. Declare it so, or make a model of the block.",
               component->class_node().full_name(), child->name().text(), plain->name().text()));
    }
  }
}

void warn_of_unbalanced_connectors(FlattenState& state) {
  std::unordered_set<const ClassNode*> seen;  // looked up, never iterated
  for (Instance* component : state.components.structured) {
    if (component->restriction() != Restriction::connector) continue;
    if (!seen.insert(&component->class_node()).second) continue;
    check_flow_operators(*component);
    Balance balance;
    count(*component, balance);
    if (balance.stream != nullptr && balance.n_flows == 0) fail_without_flow(*balance.stream);
    if (balance.stream != nullptr && balance.n_flows > 1)
      fail(component->class_node().definition().place, "M308",
           fmt::format("a connector with streams has one flow, which carries them, but '{}' has "
                       "{}.",
                       component->class_node().full_name(), balance.n_flows));
    if (balance.is_open || balance.n_flows == balance.n_potentials) continue;
    state.tree.warn(diagnostic_at(
        component->class_node().definition().place, "M341",
        fmt::format("connector '{}' is unbalanced: it has {} and {}. What is connected by it lacks "
                    "equations or has too many. Give each potential a flow, or make it an input, "
                    "an output or a parameter.",
                    component->class_node().full_name(),
                    flat::counted(balance.n_potentials, "potential"),
                    flat::counted(balance.n_flows, "flow"))));
  }
}

}  // namespace alembert::modelica
