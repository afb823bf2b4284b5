// SPDX-License-Identifier: Apache-2.0
// What a name inside of an instance stands for, after all redeclarations (specification, 7.3).
#include "alembert/base/for_now.hpp"
#include "alembert/frontend/modelica/instance/class_rules.hpp"
#include "alembert/frontend/modelica/instance/selection.hpp"
#include "alembert/frontend/modelica/instance/tree_state.hpp"
#include "alembert/frontend/modelica/syntax/print.hpp"

namespace alembert::modelica {

namespace {

constexpr std::size_t many_slots = 12;

bool is_redeclaration(const Slot& slot) {
  return slot.prefix().redeclare ||
         (!slot.component && slot.node->definition().body == ClassBody::extends);
}

const Constraint* constraint_of(const Slot& slot) {
  return slot.component ? slot.component->constraint : slot.node->definition().constraint;
}

const ModificationBody* modification_of(const Slot& slot) {
  if (slot.component) return slot.component->modification;
  const ClassDefinition& definition = slot.node->definition();
  return definition.body == ClassBody::short_ ? definition.modification : nullptr;
}

/// Without white space: how a text is laid out says nothing.
std::string packed(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') result += c;
  return result;
}

/// Two declarations of one name, of which only one can hold: other types, or two values.
bool contradict(const Component& a, const Component& b) {
  if (&a == &b) return false;
  if (!(a.type.parts.back() == b.type.parts.back())) return true;
  const auto value = [](const Component& component) {
    return component.modification == nullptr ? nullptr : component.modification->binding;
  };
  return value(a) != nullptr && value(b) != nullptr &&
         packed(value(a)->place.text()) != packed(value(b)->place.text());
}

/// The same for classes, compared as they would be printed. Of replaceable ones, and of short
/// names for others, the first is meant: libraries have them twice with other constraints.
bool contradict(ClassNode& a, ClassNode& b) {
  if (&a == &b) return false;
  const auto is_firm = [](const ClassDefinition& definition) {
    return definition.body == ClassBody::long_ && !definition.prefix.replaceable;
  };
  return is_firm(a.definition()) && is_firm(b.definition()) &&
         to_text(a.definition()) != to_text(b.definition());
}

}  // namespace

Slot* TreeState::slot_of(Instance& owner, Name name) {
  Content& inside = content(owner);
  if (inside.slots.size() >= many_slots) {
    if (inside.slot_by_name.empty()) {
      for (Slot* slot : inside.slots) inside.slot_by_name.emplace(slot->name, slot);
    }
    const auto known = inside.slot_by_name.find(name);
    if (known != inside.slot_by_name.end()) return known->second;
  } else {
    for (Slot* slot : inside.slots) {
      if (slot->name == name) return slot;
    }
  }
  std::vector<Declaration> found;
  declarations(root_layer(owner), name, Visibility::public_, found);
  if (found.empty()) return nullptr;
  Slot& slot = make_slot(owner, name, found, child(data(*found.front().layer).modifier, name));
  inside.slots.push_back(&slot);
  if (!inside.slot_by_name.empty()) inside.slot_by_name.emplace(name, &slot);
  return &slot;
}

void TreeState::declarations(Scope& layer, Name name, Visibility visibility,
                             std::vector<Declaration>& found) {
  ScopeData& own = data(layer);
  const auto declared = own.index->names.find(name);
  if (declared != own.index->names.end()) {
    const bool hidden = visibility == Visibility::protected_ ||
                        declared->second.visibility == Visibility::protected_;
    found.push_back({.layer = &layer,
                     .component = declared->second.component,
                     .node = declared->second.component ? nullptr : layer.node().child(name),
                     .visibility = hidden ? Visibility::protected_ : Visibility::public_});
  } else if (own.is_package) {
    if (ClassNode* node = layer.node().child(name)) {
      found.push_back({.layer = &layer, .node = node, .visibility = visibility});
    }
  }
  if (own.bases_state == ScopeData::Bases::unknown) know_bases(layer);
  for (std::size_t i = 0; i < own.bases.size(); ++i) {
    if (leaves_out(data(*own.bases[i]), name)) continue;
    const Visibility inherited = data(*own.bases[i]).visibility == Visibility::protected_
                                     ? Visibility::protected_
                                     : visibility;
    declarations(*own.bases[i], name, inherited, found);
  }
}

Slot& TreeState::make_slot(Instance& owner, Name name, std::span<const Declaration> found,
                           const Modifier* outer) {
  const Declaration& first = found.front();
  Slot& slot = slots.emplace_back();
  slot.name = name;
  slot.owner = &owner;
  slot.visibility = first.visibility;
  slot.component = first.component;
  slot.node = first.node;
  slot.scope = first.layer;
  if (is_redeclaration(slot)) {
    if (found.size() < 2) {
      fail(slot.place(), "M111",
           "'" + name.string() + "' redeclares nothing: no class that '" +
               first.layer->node().full_name() + "' extends declares it. Remove 'redeclare'.");
    }
    const Modifier* between = nullptr;
    for (Scope* at = found[1].layer; at && at != first.layer; at = data(*at).derived) {
      between = modifiers.merge(child(data(*at).extends_modifier, name), between);
    }
    const Slot& replaced = make_slot(owner, name, found.subspan(1), between);
    if ((replaced.component != nullptr) != (slot.component != nullptr)) {
      fail(slot.place(), "M110",
           "'" + name.string() + "' is redeclared as a " +
               (slot.component ? "component, but it is a class." : "class, but it is a component."),
           {{"it is declared here", origin_of(replaced.place())}});
    }
    check_redeclarable(replaced, slot.place());
    if (!replaced.prefix().replaceable &&
        !(slot.component && keeps_type(replaced, *slot.component, *slot.scope))) {
      refuse_not_replaceable(replaced, slot.place());
    }
    if (slot.visibility == Visibility::protected_ && replaced.visibility == Visibility::public_) {
      fail(slot.place(), "M109",
           "'" + name.string() + "' is public and cannot be redeclared as protected.",
           {{"it is declared here", origin_of(replaced.place())}});
    }
    if (slot.visibility == Visibility::public_ && replaced.visibility == Visibility::protected_) {
      fail(slot.place(), "M109",
           "'" + name.string() +
               "' is protected and cannot be redeclared as public. Redeclare it behind "
               "'protected'.",
           {{"it is declared here", origin_of(replaced.place())}});
    }
    slot.replaced = &replaced;
    slot.visibility = replaced.visibility;
  } else {
    for (const Declaration& other : found.subspan(1)) {
      if (other.component != nullptr && first.component != nullptr &&
          contradict(*first.component, *other.component)) {
        fail(slot.place(), "M114",
             "'" + name.string() + "' is declared in '" + first.layer->node().full_name() +
                 "' and in '" + other.layer->node().full_name() +
                 "', but not alike. What is inherited more than once must be declared in the same "
                 "words.",
             {{"the other declaration is here", origin_of(other.component->place)}});
      }
      if (other.node != nullptr && first.node != nullptr && contradict(*first.node, *other.node)) {
        fail(slot.place(), "M114",
             "the class '" + name.string() + "' is declared in '" +
                 first.layer->node().full_name() + "' and in '" + other.layer->node().full_name() +
                 "', but not alike. Write 'redeclare' if it replaces the inherited one, or take "
                 "another name.",
             {{"the other declaration is here", origin_of(other.node->definition().place)}});
      }
      if ((other.component != nullptr) == (first.component != nullptr)) continue;
      const Place place = other.component ? other.component->place : other.node->definition().place;
      fail(slot.place(), "M114",
           "'" + name.string() +
               "' is declared here and inherited, once as a component and once as a class.",
           {{"the other declaration is here", origin_of(place)}});
    }
  }
  if (outer && outer->redeclares()) return apply_redeclaration(slot, *outer);
  slot.outer = outer;
  slot.weak = weak_modifier(slot, nullptr);
  return slot;
}

/// Declared alike but for dimensions and variability, which may be narrowed anywhere.
bool TreeState::keeps_type(const Slot& original, const Component& component, Scope& scope) {
  if (!original.component) return false;
  const ResolvedClass& before = resolve(find_class_slot(*original.scope, original.component->type));
  const ResolvedClass& after = resolve(find_class_slot(scope, component.type));
  return before.declared == after.declared && before.node == after.node;
}

void TreeState::check_redeclarable(const Slot& original, Place place) {
  const std::string name = "'" + original.name.string() + "'";
  const std::vector<Note> here{{"it is declared here", origin_of(original.place())}};
  if (original.prefix().final_) {
    fail(place, "M105", name + " is final and cannot be redeclared.", here);
  }
  if (original.component && original.component->type_prefix.variability == Variability::constant) {
    fail(place, "M109",
         name + " is a constant and cannot be redeclared. Give it another value instead.", here);
  }
}

void TreeState::refuse_not_replaceable(const Slot& original, Place place) {
  const std::string name = "'" + original.name.string() + "'";
  if (original.replaced == nullptr) {
    fail(place, "M109",
         name +
             " is redeclared, but it is not replaceable. Declare it 'replaceable', or modify it "
             "without 'redeclare'.",
         {{"it is declared here", origin_of(original.place())}});
  }
  // Libraries have this, and what is meant is clear: the outermost redeclaration.
  warnings.push_back(diagnostic_at(
      place, "M109",
      name + " is redeclared, but an earlier redeclaration did not leave it replaceable. Write "
             "'redeclare replaceable' there.",
      {{"it was redeclared here", origin_of(original.place())}}));
}

Slot& TreeState::apply_redeclaration(Slot& declared, const Modifier& redeclaration) {
  declared.weak = weak_modifier(declared, nullptr);
  Slot& original = redeclaration.redeclared
                       ? apply_redeclaration(declared, *redeclaration.redeclared)
                       : declared;
  const std::string name = "'" + original.name.string() + "'";
  if ((redeclaration.component != nullptr) != (original.component != nullptr)) {
    fail(redeclaration.place, "M110",
         name + " is redeclared as a " +
             (redeclaration.component ? "component, but it is a class."
                                      : "class, but it is a component."),
         {{"it is declared here", origin_of(original.place())}});
  }
  check_redeclarable(original, redeclaration.place);
  if (!original.prefix().replaceable &&
      !(redeclaration.component &&
        keeps_type(original, *redeclaration.component, *redeclaration.redeclaration_scope))) {
    refuse_not_replaceable(original, redeclaration.place);
  }
  Slot& slot = slots.emplace_back();
  slot.name = original.name;
  slot.owner = original.owner;
  slot.visibility = original.visibility;
  slot.component = redeclaration.component;
  slot.scope = redeclaration.redeclaration_scope;
  if (redeclaration.class_definition) {
    slot.node = &library.local_class(*redeclaration.class_definition, slot.scope->node());
  }
  slot.replaced = &original;
  slot.outer = modifiers.without_redeclaration(&redeclaration);
  slot.weak = weak_modifier(slot, redeclaration.weak);
  return slot;
}

const Modifier* TreeState::weak_modifier(const Slot& slot, const Modifier* of_replaced) {
  const std::uint32_t levels = slot.component ? 1 : 0;
  const Modifier* weak = modifiers.leniently(of_replaced);
  if (const Constraint* constraint = constraint_of(slot)) {
    weak =
        modifiers.merge(weak, modifiers.build(constraint->modification, *slot.scope, levels, true));
  }
  const Slot* replaced = slot.replaced;
  if (!replaced || (slot.node && slot.node->definition().body == ClassBody::extends)) return weak;
  weak = modifiers.merge(weak, modifiers.leniently(replaced->weak));
  // Without a constraining clause, the original declaration is the constraint. Its value stays in
  // any case, unless the redeclaration gives one.
  const Modifier* said =
      modifiers.build(modification_of(*replaced), *replaced->scope, levels, true);
  if (constraint_of(*replaced)) said = modifiers.binding_of(said);
  return modifiers.merge(weak, modifiers.leniently(said));
}

namespace {

TypePrefix joined_prefix(TypePrefix outer, TypePrefix inner) {
  if (outer.connection == Connection::none) outer.connection = inner.connection;
  if (outer.variability == Variability::none) outer.variability = inner.variability;
  if (outer.causality == Causality::none) outer.causality = inner.causality;
  return outer;
}

bool changes_nothing(const ResolvedClass& cls, const ClassDefinition& definition) {
  const TypePrefix& prefix = definition.base_prefix;
  return !cls.modifier && definition.base_dimensions.empty() &&
         prefix.connection == Connection::none && prefix.variability == Variability::none &&
         prefix.causality == Causality::none;
}

}  // namespace

const ResolvedClass& TreeState::resolve(Slot& slot) {
  if (slot.resolved) return *slot.resolved;
  if (slot.is_outer() && !slot.is_inner()) return resolve(inner_class(slot));
  if (slot.in_progress) {
    fail(slot.place(), "M107", "the definition of '" + slot.name.string() + "' refers to itself.");
  }
  const ClassDefinition& definition = slot.node->definition();
  auto cls = std::make_unique<ResolvedClass>();
  cls->declared = slot.node;
  if (definition.body != ClassBody::short_) {
    cls->node = slot.node;
    cls->enclosing = slot.scope;
    cls->modifier = modifiers.merge(slot.outer, slot.weak);
    cls->extended = slot.replaced;
    if (definition.body == ClassBody::enumeration ||
        definition.body == ClassBody::open_enumeration) {
      check_class_rules(definition);
      cls->type = TypeKind::enumeration;
    }
  } else {
    Slot* base_slot = nullptr;
    const ResolvedClass& base = [&]() -> const ResolvedClass& {
      const ForNow in_progress(slot.in_progress, true);
      base_slot = &find_class_slot(*slot.scope, definition.base);
      return resolve(*base_slot);
    }();
    check_kinds(definition, base.declared->definition(), definition.base.place);
    cls->node = base.node;
    cls->enclosing = base.enclosing;
    cls->extended = base.extended;
    cls->type = base.type;
    const Modifier* own = modifiers.build(definition.modification, *slot.scope, 0);
    cls->modifier = modifiers.merge(slot.outer, modifiers.merge(own, slot.weak));
    cls->prefix = joined_prefix(definition.base_prefix, base.prefix);
    for (const Expression* dimension : definition.base_dimensions) {
      cls->dimensions.push_back({dimension, slot.scope});
    }
    if (changes_nothing(*cls, definition)) {
      cls->same_as = base.same_as ? base.same_as : base_slot;
    }
    cls->modifier = modifiers.merge(cls->modifier, base.modifier);
    cls->dimensions.insert(cls->dimensions.end(), base.dimensions.begin(), base.dimensions.end());
  }
  slot.resolved = std::move(cls);
  return *slot.resolved;
}

}  // namespace alembert::modelica
