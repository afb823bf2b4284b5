// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/modifier.hpp"

#include <algorithm>

namespace alembert::modelica {

const Modifier* child(const Modifier* modifier, Name name) {
  if (!modifier) return nullptr;
  for (const NamedModifier& entry : modifier->children) {
    if (entry.name == name) return entry.modifier;
  }
  return nullptr;
}

const Modifier* ModifierArena::store(const Modifier& modifier) {
  return new (arena_.allocate(sizeof(Modifier), alignof(Modifier))) Modifier(modifier);
}

std::span<const NamedModifier> ModifierArena::store(const std::vector<NamedModifier>& children) {
  if (children.empty()) return {};
  void* memory = arena_.allocate(sizeof(NamedModifier) * children.size(), alignof(NamedModifier));
  auto* first = static_cast<NamedModifier*>(memory);
  std::uninitialized_copy(children.begin(), children.end(), first);
  return {first, children.size()};
}

namespace {

[[noreturn]] void said_twice(const Modifier& first, const Modifier& second, std::string_view name) {
  throw Error({diagnostic_at(
      second.place, "M106",
      "'" + std::string(name) + "' is modified twice in one modification. Keep one of the two.",
      {{"the other one is here", origin_of(first.place)}})});
}

/// `(a.b = 1, a.c = 2)` says two things about `a`.
bool may_stand_side_by_side(const Modifier& a, const Modifier& b) {
  const bool both_bind = (a.binding || a.removed) && (b.binding || b.removed);
  return !both_bind && !(a.redeclares() && b.redeclares());
}

}  // namespace

const Modifier* ModifierArena::build(const ModificationBody* body, Scope& scope,
                                     std::uint32_t levels, bool lenient, bool may_break) {
  if (!body) return nullptr;
  if (body->arguments.empty() && body->binding_kind == BindingKind::none) return nullptr;
  return build_body(*body, nullptr, scope, levels, lenient, may_break);
}

const Modifier* ModifierArena::build_body(const ModificationBody& body,
                                          const Modification* argument, Scope& scope,
                                          std::uint32_t levels, bool lenient, bool may_break) {
  Modifier result{.place = argument ? argument->place : body.place,
                  .scope = &scope,
                  .binding = body.binding,
                  .removed = body.binding_kind == BindingKind::removed,
                  .lenient = lenient,
                  .levels = levels};
  if (argument) {
    result.each = argument->each;
    result.final_ = argument->final_;
  }
  std::vector<NamedModifier> children;
  for (const Modification* part : body.arguments) {
    Name name;
    const Modifier* modifier = nullptr;
    switch (part->kind) {
      case ModificationKind::element:
        name = part->name.parts.front();
        modifier = build_argument(*part, 0, scope, levels, lenient);
        break;
      case ModificationKind::component:
      case ModificationKind::class_definition: {
        name = part->component ? part->component->name : part->class_definition->name;
        modifier = store({.place = part->place,
                          .scope = &scope,
                          .component = part->component,
                          .class_definition = part->class_definition,
                          .redeclaration_scope = &scope,
                          .each = part->each,
                          .final_ = part->final_,
                          .lenient = lenient,
                          .levels = levels + 1});
        break;
      }
      case ModificationKind::break_component:
      case ModificationKind::break_connect:
        if (argument == nullptr && may_break) continue;  // layers keep them
        throw Error({diagnostic_at(part->place, "M120",
                                   "'break' leaves out elements of a base class, right inside "
                                   "'extends' only. Extend the class and leave it out there.")});
    }
    const auto same = std::find_if(children.begin(), children.end(),
                                   [&](const NamedModifier& entry) { return entry.name == name; });
    if (same == children.end()) {
      children.push_back({name, modifier});
    } else {
      if (!may_stand_side_by_side(*same->modifier, *modifier)) {
        said_twice(*same->modifier, *modifier, name.text());
      }
      // Of a redeclaration and `x(y = 1)` the latter is about what was redeclared.
      const bool later_is_outer = !modifier->redeclares();
      Modifier first = *same->modifier;
      Modifier second = *modifier;
      first.final_ = second.final_ = false;
      const Modifier* both =
          later_is_outer ? merge(store(second), store(first)) : merge(store(first), store(second));
      same->modifier = both;
    }
  }
  result.children = store(children);
  return store(result);
}

const Modifier* ModifierArena::build_argument(const Modification& argument, std::size_t part,
                                              Scope& scope, std::uint32_t levels, bool lenient) {
  // `each` and `final` are about the last name of `a.b.c`.
  const bool last = part + 1 == argument.name.parts.size();
  const std::uint32_t own_levels = argument.each ? 1 : levels + 1;
  static const ModificationBody nothing;
  if (last) {
    return build_body(argument.body ? *argument.body : nothing, &argument, scope, own_levels,
                      lenient);
  }
  const Modifier* inner = build_argument(argument, part + 1, scope, own_levels, lenient);
  const std::vector<NamedModifier> only{{argument.name.parts[part + 1], inner}};
  return store({.place = argument.place,
                .scope = &scope,
                .lenient = lenient,
                .levels = own_levels,
                .children = store(only)});
}

namespace {

[[noreturn]] void modifies_final(const Modifier& outer, const Modifier& inner) {
  throw Error({diagnostic_at(
      outer.place, "M105",
      "this modifies an element that is final. Leave it out, or take the 'final' away.",
      {{"it was made final here", origin_of(inner.place)}})});
}

}  // namespace

const Modifier* ModifierArena::merge(const Modifier* outer, const Modifier* inner) {
  if (!outer) return inner;
  if (!inner) return outer;
  if (inner->final_ && !outer->lenient) modifies_final(*outer, *inner);
  Modifier result = *outer;
  if (outer->redeclares()) {
    result.weak = merge(outer->weak, without_redeclaration(inner));
    if (outer->redeclared || inner->redeclares()) {
      result.redeclared = merge(outer->redeclared, inner);
    }
    return store(result);
  }
  result.component = inner->component;
  result.class_definition = inner->class_definition;
  result.redeclaration_scope = inner->redeclaration_scope;
  result.redeclared = inner->redeclared;
  result.weak = merge(outer->weak, inner->weak);
  const bool binding_is_inner = !outer->binding && !outer->removed;
  if (binding_is_inner) {
    result.binding = inner->binding;
    result.removed = inner->removed;
    result.scope = inner->scope;
    result.each = inner->each;
    result.final_ = outer->final_ || inner->final_;
    result.levels = inner->levels;
    result.n_before_binding = static_cast<std::uint32_t>(outer->children.size());
  }
  std::vector<NamedModifier> children(outer->children.begin(), outer->children.end());
  for (const NamedModifier& entry : inner->children) {
    const auto same = std::find_if(children.begin(), children.end(),
                                   [&](const NamedModifier& c) { return c.name == entry.name; });
    if (same == children.end()) {
      children.push_back(entry);
    } else {
      same->modifier = merge(same->modifier, entry.modifier);
    }
  }
  result.children = store(children);
  return store(result);
}

const Modifier* ModifierArena::without_redeclaration(const Modifier* modifier) {
  if (!modifier) return nullptr;
  if (!modifier->redeclares()) return modifier;
  if (modifier->children.empty() && !modifier->binding && !modifier->removed) return nullptr;
  Modifier rest = *modifier;
  rest.component = nullptr;
  rest.class_definition = nullptr;
  rest.redeclaration_scope = nullptr;
  rest.redeclared = nullptr;
  rest.weak = nullptr;
  rest.final_ = false;
  return store(rest);
}

const Modifier* ModifierArena::lenient_copy(const Modifier& modifier) {
  Modifier copy = modifier;
  copy.lenient = true;
  copy.final_ = false;
  std::vector<NamedModifier> children(modifier.children.begin(), modifier.children.end());
  for (NamedModifier& entry : children) entry.modifier = lenient_copy(*entry.modifier);
  copy.children = store(children);
  return store(copy);
}

const Modifier* ModifierArena::leniently(const Modifier* modifier) {
  modifier = without_redeclaration(modifier);
  return modifier ? lenient_copy(*modifier) : nullptr;
}

const Modifier* ModifierArena::binding_of(const Modifier* modifier) {
  if (!modifier || !modifier->binding) return nullptr;
  Modifier rest = *modifier;
  rest.children = {};
  rest.n_before_binding = 0;
  return store(rest);
}

}  // namespace alembert::modelica
