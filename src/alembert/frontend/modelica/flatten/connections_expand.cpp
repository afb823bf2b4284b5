// SPDX-License-Identifier: Apache-2.0
// Expandable connectors: their members are what is connected to them, anywhere. Language
// specification: Modelica 3.6, section 9.1.3.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/flatten/connections.hpp"
#include "alembert/graph/disjoint_sets.hpp"

namespace alembert::modelica {

namespace {

bool is_expandable_part(const ReferencedPart& part) {
  return !part.instance->is_simple() && is_expandable(*part.instance);
}

/// `Real x[:]`, whose size is that of what is connected to it.
bool is_unsized(Instance& member) {
  if (!member.is_simple() || member.binding()) return false;
  return std::ranges::any_of(member.declared_dimensions(), [](const Dimension& dimension) {
    return dimension.expression->kind == ExpressionKind::colon;
  });
}

}  // namespace

bool is_in_expandable(Instance& variable) {
  for (Instance* around = variable.parent(); around != nullptr; around = around->parent()) {
    if (is_expandable(*around)) return true;
    if (!is_connector(*around) && around->restriction() != Restriction::record) return false;
  }
  return false;
}

/// The reference, or the expandable connectors on its way that lack the next member.
Connections::Expandable Connections::look_for(const ComponentReference& reference,
                                              const EvaluationScope& scope) {
  const Denotation start = state_.tree.lookup(*scope.scope, reference);
  for (std::size_t n = start.parts_used; n < reference.parts.size(); ++n) {
    const ComponentReference head{.place = reference.place, .parts = reference.parts.first(n)};
    const Referenced owners = resolve_reference(state_, head, scope);
    if (owners.is_absent) return {.is_absent = true};
    if (owners.parts.empty() || !is_expandable_part(owners.parts[0])) continue;
    Expandable missing{.owner_dims = owners.dims, .member = reference.parts[n].name};
    const bool is_last = n + 1 == reference.parts.size();
    for (const ReferencedPart& owner : owners.parts) {
      Instance* member = owner.instance->component_member(missing.member);
      if (member == nullptr)
        missing.owners.push_back(owner.instance);
      else if (is_last && reference.parts[n].subscripts.empty() && is_unsized(*member))
        missing.unsized.push_back(member);
    }
    if (!missing.unsized.empty()) return missing;
    if (missing.owners.empty()) continue;
    if (n + 1 < reference.parts.size())
      fail(reference.parts[n].place, "M321",
           fmt::format("'{}' is not declared in the expandable connector '{}', so nothing can be "
                       "connected to a member of it. Declare it there.",
                       missing.member.text(), missing.owners.front()->full_name()));
    if (!reference.parts[n].subscripts.empty())
      missing.least_sizes = least_sizes(reference.parts[n], scope);
    return missing;
  }
  Referenced found = resolve_reference(state_, reference, scope);
  return {.is_absent = found.is_absent, .found = std::move(found)};
}

bool Connections::add_missing(const Expandable& side, const Referenced& like) {
  if (like.parts.empty()) return false;
  // Of an array of bus connectors each gets its part, a single one all of it.
  const bool is_shared_out =
      !side.owner_dims.empty() && like.dims.size() >= side.owner_dims.size() &&
      std::equal(side.owner_dims.begin(), side.owner_dims.end(), like.dims.begin());
  const Dims sizes(
      like.dims.begin() + static_cast<std::ptrdiff_t>(is_shared_out ? side.owner_dims.size() : 0),
      like.dims.end());
  for (std::size_t i = 0; i < side.owners.size(); ++i) {
    const bool all_lack_it = side.owners.size() == element_count(side.owner_dims);
    const std::size_t first =
        is_shared_out && all_lack_it ? i * like.parts.size() / side.owners.size() : 0;
    const ReferencedPart& part = like.parts[first];
    const bool is_entry = part.instance->is_entry();
    Instance& original = is_entry ? *part.instance->array() : *part.instance;
    state_.tree.add_member(*side.owners[i], side.member, original, &sizes);
  }
  return true;
}

/// `bus.x[2]` of an x that nobody declared: it has two elements at least.
Dims Connections::least_sizes(const ReferencePart& part, const EvaluationScope& scope) {
  Dims sizes;
  for (const Expression* subscript : part.subscripts) {
    if (subscript->kind == ExpressionKind::colon)
      fail(subscript->place, "M321",
           fmt::format("'{}' is not declared in the expandable connector, so its size is not "
                       "known. Name its elements by number, or declare it there as an array.",
                       part.name.text()));
    const Value value = state_.evaluator.constant(*subscript, scope);
    double most = 0;
    for (const ExprId id : value.scalars) most = std::max(most, state_.pool.number_of(id).value());
    sizes.push_back(static_cast<std::int64_t>(most));
  }
  return sizes;
}

/// Elements may be connected one by one, so all connects are looked at before there is an array.
bool Connections::note_elements(const Expandable& side, const Referenced& like) {
  if (like.parts.empty()) return false;
  for (Instance* owner : side.owners) {
    auto found = std::ranges::find_if(noted_, [&](const NotedArray& one) {
      return one.owner == owner && one.member == side.member;
    });
    if (found == noted_.end()) {
      noted_.push_back({.owner = owner, .member = side.member});
      found = noted_.end() - 1;
    }
    NotedArray& noted = *found;
    noted.sizes.resize(std::max(noted.sizes.size(), side.least_sizes.size()), 0);
    for (std::size_t k = 0; k < side.least_sizes.size(); ++k)
      noted.sizes[k] = std::max(noted.sizes[k], side.least_sizes[k]);
    Instance& part = *like.parts.front().instance;
    noted.like = part.is_entry() ? part.array() : &part;
  }
  return false;
}

bool Connections::add_noted() {
  const bool any = !noted_.empty();
  for (const NotedArray& noted : noted_)
    state_.tree.add_member(*noted.owner, noted.member, *noted.like, &noted.sizes);
  noted_.clear();
  return any;
}

bool Connections::give_sizes(const Expandable& side, const Referenced& like) {
  for (Instance* member : side.unsized) state_.tree.give_sizes(*member, like.dims);
  return !side.unsized.empty();
}

bool Connections::unite_members(Instance& a, Instance& b) {
  bool changed = false;
  const auto copy = [&](Instance& from, Instance& to) {
    const std::vector<Instance*> members(from.children().begin(), from.children().end());
    for (Instance* member : members) {
      if (!member->is_present()) continue;
      Instance* known = to.component_member(member->name());
      if (known == nullptr) {
        state_.tree.add_member(to, member->name(), *member);
        changed = true;
      } else if (!known->is_simple() && !known->is_array() && !member->is_array() &&
                 is_expandable(*known) && is_expandable(*member)) {
        changed = unite_members(*member, *known) || changed;
      }
    }
  };
  copy(a, b);
  copy(b, a);
  return changed;
}

/// True if a connector got a member.
bool Connections::expand(const Statement& statement) {
  state_.current = statement.owner;
  const EvaluationScope scope{.scope = statement.scope, .locals = statement.locals.get()};
  const Expandable from = look_for(*statement.equation->from, scope);
  const Expandable to = look_for(*statement.equation->to, scope);
  if (from.is_absent || to.is_absent) return false;
  if (!from.unsized.empty() && to.owners.empty() && to.unsized.empty())
    return give_sizes(from, to.found);
  if (!to.unsized.empty() && from.owners.empty() && from.unsized.empty())
    return give_sizes(to, from.found);
  if (!from.unsized.empty() || !to.unsized.empty()) return false;
  if (!to.least_sizes.empty() && from.owners.empty()) return note_elements(to, from.found);
  if (!from.least_sizes.empty() && to.owners.empty()) return note_elements(from, to.found);
  if (from.owners.empty() && to.owners.empty()) {
    bool changed = false;
    const std::size_t n = std::min(from.found.parts.size(), to.found.parts.size());
    for (std::size_t i = 0; i < n; ++i)
      if (is_expandable_part(from.found.parts[i]) && is_expandable_part(to.found.parts[i]))
        changed =
            unite_members(*from.found.parts[i].instance, *to.found.parts[i].instance) || changed;
    return changed;
  }
  if (from.owners.empty()) return add_missing(to, from.found);
  if (to.owners.empty()) return add_missing(from, to.found);
  return false;
}

void Connections::expand_connectors() {
  const auto& structured = state_.components.structured;
  if (std::none_of(structured.begin(), structured.end(),
                   [](Instance* component) { return is_expandable(*component); }))
    return;
  bool expanded = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& statement : statements_) changed = expand(*statement) || changed;
    if (!changed) changed = add_noted();
    expanded = expanded || changed;
  }
  // What nothing is connected to is not there.
  for (Instance* variable : state_.components.simple)
    if (is_in_expandable(*variable) && is_unsized(*variable))
      state_.tree.give_sizes(*variable, Dims(variable->declared_dimensions().size(), 0));
  if (expanded) state_.walk();
}

/// A member is used if what it is connected to, in any number of steps through other expandable
/// connectors, holds a variable outside of them.
void Connections::drop_unused_members() {
  // What is connected from either side hangs together; it exists if one of it is no bus member.
  graph::DisjointSets together(static_cast<std::uint32_t>(finished_.sets.size()));
  std::unordered_map<std::uint32_t, std::uint32_t> set_with;  // by scalar; never iterated
  for (std::uint32_t i = 0; i < finished_.sets.size(); ++i)
    for (const flat::ConnectionElement& element : finished_.sets[i])
      together.unite(i, set_with.try_emplace(element.scalar, i).first->second);
  std::vector<char> is_used(finished_.sets.size(), 0);
  for (std::uint32_t i = 0; i < finished_.sets.size(); ++i)
    for (const flat::ConnectionElement& element : finished_.sets[i])
      if (!is_in_expandable(*info_.at(ExprId{element.scalar}).variable))
        is_used[together.find(i)] = 1;
  std::unordered_set<const Instance*> used;
  for (std::uint32_t i = 0; i < finished_.sets.size(); ++i) {
    if (!is_used[together.find(i)]) continue;
    for (const flat::ConnectionElement& element : finished_.sets[i])
      used.insert(info_.at(ExprId{element.scalar}).variable);
  }
  for (Instance* variable : state_.components.simple)
    if (!used.contains(variable) && is_in_expandable(*variable)) unused_.insert(variable);
}

}  // namespace alembert::modelica
