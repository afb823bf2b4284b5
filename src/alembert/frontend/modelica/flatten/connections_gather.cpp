// SPDX-License-Identifier: Apache-2.0
// The connects of all components, and what they connect.
#include <fmt/format.h>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/flatten/connections.hpp"
#include "alembert/frontend/modelica/flatten/loops.hpp"
#include "alembert/frontend/modelica/instance/selection.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"

namespace alembert::modelica {

using flat::ConnectionElement;

namespace {

std::string type_text(Instance& instance) {
  const std::string name = instance.class_node().full_name();
  return name.empty() ? instance.class_node().name().string() : name;
}

const char* connection_text(Connection connection) {
  switch (connection) {
    case Connection::flow: return "a flow";
    case Connection::stream: return "a stream";
    case Connection::none: break;
  }
  return "no flow";
}

/// Parameters are connected with parameters, constants with constants (specification, 9.3).
template <class Mismatch>
void check_variability(Instance& first, Instance& second, const Mismatch& mismatch) {
  const auto fixed = [](Instance& variable) {
    const Variability variability = variable.variability();
    return variability < Variability::parameter ? Variability::none : variability;
  };
  if (fixed(first) == fixed(second)) return;
  const auto text = [&](Instance& variable) {
    switch (fixed(variable)) {
      case Variability::parameter: return "a parameter";
      case Variability::constant: return "a constant";
      default: return "a variable";
    }
  };
  mismatch(fmt::format("the first is {}, the second {}", text(first), text(second)));
}

/// Connectors are those of the component where the connect stands, or of its parts.
void check_connectable(const Referenced& side, const ComponentReference& reference) {
  if (side.parts.empty()) return;
  Instance& instance = *side.parts[0].instance;
  if (!side.has_connector)
    fail(reference.place, "M302",
         fmt::format("connect joins connectors, but '{}' is of the {} '{}'.{}",
                     reference_text(reference), to_text(instance.restriction()),
                     type_text(instance),
                     instance.is_simple() ? " Write an equation instead." : ""));
  if (side.n_before_connector > 1)
    fail(reference.place, "M302",
         fmt::format("'{}' is a connector of a part of a part. Connect inside of '{}', or give it "
                     "a connector of its own.",
                     reference_text(reference), side.first->full_name()));
}

}  // namespace

bool is_connection_call(const Equation& equation) {
  if (equation.kind != EquationKind::call || equation.left->kind != ExpressionKind::call)
    return false;
  const auto parts = equation.left->reference->parts;
  return parts.size() == 2 && parts[0].name == "Connections";
}

bool Connections::has_connections(const Equation& equation) {
  if (equation.kind == EquationKind::connect || is_connection_call(equation)) return true;
  if (equation.branches.empty()) return false;
  const auto [entry, is_new] = has_connections_.try_emplace(&equation, false);
  if (!is_new) return entry->second;
  bool found = false;
  for (const EquationBranch& branch : equation.branches)
    for (const Equation* inner : branch.body) found = found || has_connections(*inner);
  return has_connections_[&equation] = found;
}

void Connections::gather() {
  for (std::size_t i = 0; i < state_.components.structured.size(); ++i) {
    Instance& owner = *state_.components.structured[i];
    state_.current = &owner;
    for (const ScopedEquations& section : owner.equations())
      if (!section.item->initial) gather(section.item->equations, owner, *section.scope, nullptr);
    state_.take_implicit_inners();
  }
  expand_connectors();
  for (const auto& statement : statements_) connect(*statement);
  for (const auto& statement : graph_statements_) add_to_graph(*statement);
  span_graph();
  shared_.settle(state_.is_open);
  finished_ = sets_.sets();
  drop_unused_members();
}

void Connections::gather(List<const Equation*> equations, Instance& owner, Scope& scope,
                         const std::shared_ptr<const Locals>& locals) {
  for (const Equation* equation : equations) {
    if (!has_connections(*equation)) continue;
    if (equation->kind == EquationKind::connect && is_left_out(scope, *equation)) continue;
    switch (equation->kind) {
      case EquationKind::connect:
      case EquationKind::call: {
        auto& list = equation->kind == EquationKind::connect ? statements_ : graph_statements_;
        list.push_back(std::make_unique<Statement>(Statement{equation, &owner, &scope, locals}));
        break;
      }
      case EquationKind::if_equation: gather_if(*equation, owner, scope, locals); break;
      case EquationKind::for_equation: gather_for(*equation, 0, owner, scope, locals); break;
      default:
        fail(equation->place, "M305",
             "connect cannot stand in a when-equation: what is connected does not change during a "
             "run. Move it out.");
    }
  }
}

void Connections::gather_if(const Equation& equation, Instance& owner, Scope& scope,
                            const std::shared_ptr<const Locals>& locals) {
  const EvaluationScope where{.scope = &scope, .locals = locals.get()};
  for (const EquationBranch& branch : equation.branches) {
    if (branch.condition != nullptr && !state_.evaluator.constant_boolean(*branch.condition, where))
      continue;
    gather(branch.body, owner, scope, locals);
    return;
  }
}

void Connections::gather_for(const Equation& equation, std::size_t iterator, Instance& owner,
                             Scope& scope, const std::shared_ptr<const Locals>& locals) {
  if (iterator == equation.iterators.size()) {
    gather(equation.branches[0].body, owner, scope, locals);
    return;
  }
  const Iterator& loop = equation.iterators[iterator];
  for (Value& value : loop_values(state_, equation, loop, {&scope, locals.get()})) {
    const auto inner = std::make_shared<Locals>();
    if (locals) inner->variables = locals->variables;
    inner->variables.push_back({.name = loop.name, .value = std::move(value)});
    gather_for(equation, iterator + 1, owner, scope, inner);
  }
}

void Connections::connect(const Statement& statement) {
  state_.current = statement.owner;
  const EvaluationScope scope{.scope = statement.scope, .locals = statement.locals.get()};
  const Equation& equation = *statement.equation;
  const Referenced from = resolve_reference(state_, *equation.from, scope);
  if (from.is_absent) return;
  const Referenced to = resolve_reference(state_, *equation.to, scope);
  if (to.is_absent) return;
  check_connectable(from, *equation.from);
  check_connectable(to, *equation.to);
  if (from.dims != to.dims)
    fail(equation.place, "M303",
         fmt::format("connect of arrays of different size: '{}' has {} and '{}' has {}.",
                     reference_text(*equation.from),
                     from.dims.empty() ? "no dimensions" : "size " + dims_text(from.dims),
                     reference_text(*equation.to),
                     to.dims.empty() ? "no dimensions" : "size " + dims_text(to.dims)));
  const bool from_outside = is_connector(*from.first);
  const bool to_outside = is_connector(*to.first);
  for (std::size_t i = 0; i < from.parts.size(); ++i) {
    ++cardinality_[from.parts[i].instance];
    ++cardinality_[to.parts[i].instance];
    connect(Side{from.parts[i], from_outside}, Side{to.parts[i], to_outside}, statement);
  }
}

void Connections::connect(const Side& a, const Side& b, const Statement& statement) {
  Instance& first = *a.part.instance;
  Instance& second = *b.part.instance;
  if (first.is_simple() != second.is_simple())
    fail(statement.equation->place, "M303",
         fmt::format("'{}' and '{}' cannot be connected: the first is {}, the second {}.",
                     first.full_name(), second.full_name(), type_text(first), type_text(second)));
  if (first.is_simple()) {
    const bool are_whole = a.part.scalar < 0 && b.part.scalar < 0;
    if (are_whole && is_overconstrained(first) && is_overconstrained(second))
      connect_overconstrained(a, b, statement);
    else
      connect_simple(a, b, statement);
    return;
  }
  if (first.is_array() || second.is_array()) {
    const std::size_t n = first.is_array() ? first.n_entries() : 1;
    if (n != (second.is_array() ? second.n_entries() : 1))
      fail(statement.equation->place, "M303",
           fmt::format("connect of arrays of different size: '{}' has {} and '{}' has {}.",
                       first.full_name(), dims_text(first.dimensions()), second.full_name(),
                       dims_text(second.dimensions())));
    for (std::size_t i = 0; i < n; ++i)
      connect(Side{{first.is_array() ? &first.entry(i) : &first}, a.outside},
              Side{{second.is_array() ? &second.entry(i) : &second}, b.outside}, statement);
    return;
  }
  if (is_overconstrained(first)) {
    if (is_shared(first) && is_shared(second)) {
      shared_.connect(first, second);
      return;
    }
    connect_overconstrained(a, b, statement);
    return;
  }
  if (!connect_shared_records(a, b, statement)) connect_members(a, b, statement);
}

void Connections::connect_overconstrained(const Side& a, const Side& b,
                                          const Statement& statement) {
  graph_.connections.push_back(
      {node(*a.part.instance, statement), node(*b.part.instance, statement)});
  connected_records_.push_back({a, b, &statement});
}

void Connections::connect_members(const Side& a, const Side& b, const Statement& statement) {
  Instance& first = *a.part.instance;
  Instance& second = *b.part.instance;
  std::size_t n_first = 0;
  for (Instance* member : first.children()) {
    if (!member->is_present()) continue;
    ++n_first;
    Instance* other = second.component_member(member->name());
    if (other == nullptr || !other->is_present())
      fail(statement.equation->place, "M303",
           fmt::format("'{}' and '{}' cannot be connected: {} has '{}', {} has not.",
                       first.full_name(), second.full_name(), type_text(first),
                       member->name().text(), type_text(second)));
    connect(Side{{member}, a.outside}, Side{{other}, b.outside}, statement);
  }
  std::size_t n_second = 0;
  for (Instance* member : second.children()) n_second += member->is_present() ? 1 : 0;
  if (n_first != n_second)
    fail(statement.equation->place, "M303",
         fmt::format("'{}' and '{}' cannot be connected: {} has {} members, {} has {}.",
                     first.full_name(), second.full_name(), type_text(first), n_first,
                     type_text(second), n_second));
}

void Connections::connect_simple(const Side& a, const Side& b, const Statement& statement) {
  Instance& first = *a.part.instance;
  Instance& second = *b.part.instance;
  const auto mismatch = [&](const std::string& why) {
    fail(statement.equation->place, "M303",
         fmt::format("'{}' and '{}' cannot be connected: {}.", first.full_name(),
                     second.full_name(), why));
  };
  if (first.type() != second.type())
    mismatch(fmt::format("the first is {}, the second {}", type_text(first), type_text(second)));
  if (first.connection() != second.connection())
    mismatch(fmt::format("the first is {}, the second {}", connection_text(first.connection()),
                         connection_text(second.connection())));
  check_variability(first, second, mismatch);
  if ((first.causality() == Causality::none) != (second.causality() == Causality::none) &&
      !is_in_expandable(first) && !is_in_expandable(second)) {
    Instance& plain = first.causality() == Causality::none ? first : second;
    mismatch(fmt::format("'{}' is neither an input nor an output, the other is. Declare both alike",
                         plain.full_name()));
  }
  if (first.type() == TypeKind::external_object) return;
  const std::vector<ExprId>& left = scalars(first);
  const std::vector<ExprId>& right = scalars(second);
  const bool whole = a.part.scalar < 0 && b.part.scalar < 0;
  if (whole && left.size() != right.size())
    mismatch(fmt::format("the first has size {}, the second {}", dims_text(first.dimensions()),
                         dims_text(second.dimensions())));
  if (whole) {
    for (std::size_t i = 0; i < left.size(); ++i)
      connect_scalars(left[i], a.outside, right[i], b.outside, statement);
    return;
  }
  const auto pick = [](const std::vector<ExprId>& list, std::int64_t i) {
    return list[static_cast<std::size_t>(i < 0 ? 0 : i)];
  };
  connect_scalars(pick(left, a.part.scalar), a.outside, pick(right, b.part.scalar), b.outside,
                  statement);
}

void Connections::connect_scalars(ExprId a, bool a_outside, ExprId b, bool b_outside,
                                  const Statement& statement) {
  if (!info_.contains(a) || !info_.contains(b)) {  // parameters and constants
    if (a != b)
      equal_parameters_.push_back({.left = a, .right = b, .place = statement.equation->place});
    return;
  }
  const ConnectionElement first{a.value, a_outside};
  const ConnectionElement second{b.value, b_outside};
  sets_.connect(first, second);
  first_statement_.try_emplace(flat::ConnectionSets::key(first), &statement);
  first_statement_.try_emplace(flat::ConnectionSets::key(second), &statement);
}

const std::vector<ExprId>& Connections::scalars(Instance& variable) {
  const auto found = scalars_.find(&variable);
  if (found != scalars_.end()) return found->second;
  std::vector<ExprId> list = state_.evaluator.numeric_scalars(state_.evaluator.value_of(variable));
  const bool varies = variable.variability() != Variability::parameter &&
                      variable.variability() != Variability::constant;
  for (std::size_t i = 0; varies && i < list.size(); ++i) {
    ScalarInfo info{.variable = &variable, .connection = variable.connection()};
    if (info.connection == Connection::stream) find_flow(variable, i, info);
    info_.emplace(list[i], info);
  }
  return scalars_.emplace(&variable, std::move(list)).first->second;
}

}  // namespace alembert::modelica
