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

/// More elements than a bus has.
constexpr std::int64_t largest_array = 1'000'000;

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

/// Two expandable connectors that are connected, and those inside of them.
void gather_united(Instance& a, Instance& b, std::vector<std::pair<Instance*, Instance*>>& pairs) {
  pairs.emplace_back(&a, &b);
  for (Instance* member : a.children()) {
    if (!member->is_present() || member->is_simple() || member->is_array()) continue;
    Instance* other = is_expandable(*member) ? b.component_member(member->name()) : nullptr;
    if (other != nullptr && !other->is_simple() && !other->is_array() && is_expandable(*other))
      gather_united(*member, *other, pairs);
  }
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
    missing.subscripts = subscripts_of_missing(reference.parts[n], *missing.owners.front(), scope);
    return missing;
  }
  Referenced found = resolve_reference(state_, reference, scope);
  return {.is_absent = found.is_absent, .found = std::move(found)};
}

std::vector<Subscript> Connections::subscripts_of_missing(const ReferencePart& part,
                                                          const Instance& owner,
                                                          const EvaluationScope& scope) {
  if (part.subscripts.empty()) return {};
  const auto unknown_size = [&] {
    fail(part.place, "M321",
         fmt::format("'{}' is not declared in the expandable connector '{}', so its size is not "
                     "known. Declare it there as an array, or write the numbers of its elements.",
                     part.name.text(), owner.full_name()));
  };
  for (const Expression* subscript : part.subscripts)
    if (subscript->kind == ExpressionKind::colon) unknown_size();
  const Dims largest(part.subscripts.size(), largest_array);
  std::vector<Subscript> subscripts = state_.evaluator.subscripts(part, largest, scope);
  for (const Subscript& subscript : subscripts)
    for (const std::int64_t position : subscript.positions)
      if (position >= largest_array / 2) unknown_size();  // it counts from the end
  return subscripts;
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

bool Connections::give_sizes(const Expandable& side, const Referenced& like) {
  bool changed = false;
  for (Instance* member : side.unsized) {
    if (member->declared_dimensions().size() != like.dims.size()) continue;  // told when connected
    state_.tree.give_sizes(*member, like.dims);
    changed = true;
  }
  return changed;
}

bool Connections::unite_members(Instance& a, Instance& b) {
  bool changed = false;
  const auto copy = [&](Instance& from, Instance& to) {
    const std::vector<Instance*> members(from.children().begin(), from.children().end());
    for (Instance* member : members) {
      if (!member->is_present()) continue;
      Instance* known = to.component_member(member->name());
      if (known == nullptr) {
        Instance& added = state_.tree.add_member(to, member->name(), *member);
        if (sized_.contains(member)) sized_.insert(&added);
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
  if (from.owners.empty() && to.owners.empty()) {
    bool changed = false;
    const std::size_t n = std::min(from.found.parts.size(), to.found.parts.size());
    for (std::size_t i = 0; i < n; ++i)
      if (is_expandable_part(from.found.parts[i]) && is_expandable_part(to.found.parts[i]))
        changed =
            unite_members(*from.found.parts[i].instance, *to.found.parts[i].instance) || changed;
    return changed;
  }
  if (!from.subscripts.empty() || !to.subscripts.empty()) return false;  // `add_arrays` does
  if (from.owners.empty()) return add_missing(to, from.found);
  if (to.owners.empty()) return add_missing(from, to.found);
  return false;
}

bool Connections::expand_all() {
  bool expanded = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& statement : statements_) changed = expand(*statement) || changed;
    expanded = expanded || changed;
  }
  return expanded;
}

bool Connections::merge_wanted(const WantedArray& added, std::vector<WantedArray>& wanted) {
  for (WantedArray& known : wanted) {
    if (known.owner != added.owner || known.member != added.member) continue;
    if (known.sizes.size() != added.sizes.size())
      fail(added.like->place(), "M321",
           fmt::format("'{}' of the expandable connector '{}' is connected as an array of {} "
                       "dimensions and of {}.",
                       added.member.text(), added.owner->full_name(), known.sizes.size(),
                       added.sizes.size()));
    bool grown = false;
    for (std::size_t k = 0; k < known.sizes.size(); ++k) {
      grown = grown || added.sizes[k] > known.sizes[k];
      known.sizes[k] = std::max(known.sizes[k], added.sizes[k]);
    }
    return grown;
  }
  wanted.push_back(added);
  return true;
}

/// What is connected to bus.member[subscripts] says how large the member is at least.
void Connections::want_array(const Expandable& side, const Referenced& like,
                             std::vector<WantedArray>& wanted) {
  if (like.parts.empty()) return;
  Dims sizes;
  std::size_t n_slices = 0;
  for (const Subscript& subscript : side.subscripts) {
    std::int64_t size = 0;
    for (const std::int64_t position : subscript.positions) size = std::max(size, position + 1);
    sizes.push_back(size);
    if (subscript.is_slice) ++n_slices;
  }
  const std::size_t n_taken = side.owner_dims.size() + n_slices;
  for (std::size_t k = n_taken; k < like.dims.size(); ++k) sizes.push_back(like.dims[k]);
  Instance& part = *like.parts.front().instance;
  Instance& original = part.is_entry() ? *part.array() : part;
  for (Instance* owner : side.owners)
    merge_wanted({.owner = owner, .member = side.member, .like = &original, .sizes = sizes},
                 wanted);
}

/// Members that are connected element by element, `bus.speeds[2]`: as large as the largest of all
/// subscripts says, of this connector and of those it is connected to.
bool Connections::add_arrays() {
  std::vector<WantedArray> wanted;
  std::vector<std::pair<Instance*, Instance*>> together;
  for (const auto& statement : statements_) {
    state_.current = statement->owner;
    const EvaluationScope scope{.scope = statement->scope, .locals = statement->locals.get()};
    const Expandable from = look_for(*statement->equation->from, scope);
    const Expandable to = look_for(*statement->equation->to, scope);
    if (from.is_absent || to.is_absent) continue;
    if (from.owners.empty() && !to.subscripts.empty()) want_array(to, from.found, wanted);
    if (to.owners.empty() && !from.subscripts.empty()) want_array(from, to.found, wanted);
    if (!from.owners.empty() || !to.owners.empty()) continue;
    const std::size_t n = std::min(from.found.parts.size(), to.found.parts.size());
    for (std::size_t i = 0; i < n; ++i)
      if (is_expandable_part(from.found.parts[i]) && is_expandable_part(to.found.parts[i]))
        gather_united(*from.found.parts[i].instance, *to.found.parts[i].instance, together);
  }
  for (bool changed = !wanted.empty(); changed;) {
    changed = false;
    for (const auto& [a, b] : together)
      for (std::size_t i = 0; i < wanted.size(); ++i)
        for (Instance* owner : {a, b}) {
          if (wanted[i].owner != (owner == a ? b : a)) continue;
          WantedArray same = wanted[i];
          same.owner = owner;
          changed = merge_wanted(same, wanted) || changed;
        }
  }
  for (const WantedArray& array : wanted)
    sized_.insert(&state_.tree.add_member(*array.owner, array.member, *array.like, &array.sizes));
  return !wanted.empty();
}

void Connections::expand_connectors() {
  const auto& structured = state_.components.structured;
  if (std::none_of(structured.begin(), structured.end(),
                   [](Instance* component) { return is_expandable(*component); }))
    return;
  bool expanded = expand_all();
  while (add_arrays()) {
    expanded = true;
    expand_all();
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
  find_undetermined(is_used, together);
}

/// An array that is connected element by element may have others in between, which nobody gives.
void Connections::find_undetermined(const std::vector<char>& is_used,
                                    graph::DisjointSets& together) {
  if (sized_.empty()) return;
  std::unordered_map<std::uint32_t, std::uint32_t> set_with;  // by scalar; never iterated
  for (std::uint32_t i = 0; i < finished_.sets.size(); ++i)
    for (const flat::ConnectionElement& element : finished_.sets[i])
      set_with.try_emplace(element.scalar, i);
  std::unordered_set<std::uint32_t> given;  // of sets that hang together, one element
  for (Instance* variable : state_.components.simple) {
    if (!sized_.contains(variable) || !this->is_used(*variable)) continue;
    if (variable->connection() != Connection::none) continue;
    for (const ExprId scalar : scalars(*variable)) {
      const auto set = set_with.find(scalar.value);
      if (set != set_with.end() &&
          (is_used[together.find(set->second)] || !given.insert(together.find(set->second)).second))
        continue;
      undetermined_.emplace_back(scalar, variable);
    }
  }
}

/// They are as if they were not there; but they have columns in the result.
void Connections::add_defaults() {
  for (const auto& [scalar, variable] : undetermined_) {
    state_.current = variable->parent();
    state_.add({.left = scalar,
                .right = state_.pool.integer(variable->type() == TypeKind::enumeration ? 1 : 0),
                .discrete = variable->type() != TypeKind::real,
                .place = variable->place()});
  }
}

}  // namespace alembert::modelica
