// SPDX-License-Identifier: Apache-2.0
// Names: from where they stand to what they denote (specification, chapter 5).
#include <cctype>

#include "alembert/frontend/modelica/instance/class_rules.hpp"
#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

bool TreeState::declares(Scope& layer, Name name) {
  ScopeData& own = data(layer);
  if (own.index->names.contains(name)) return true;
  if (own.is_package && layer.node().child(name)) return true;
  know_bases(layer);
  // While the bases are being found, their own names are looked up from here: what is inherited is
  // not seen then.
  if (own.bases_state != ScopeData::Bases::known && !own.sees_first_bases) return false;
  for (std::size_t i = 0; i < own.bases.size(); ++i) {
    if (declares(*own.bases[i], name)) return true;
  }
  return false;
}

Slot* TreeState::find_local(Scope& layer, Name name) {
  return declares(layer, name) ? slot_of(layer.instance(), name) : nullptr;
}

namespace {

std::optional<int> literal_of(Instance& type, Name name) {
  const auto literals = type.literals();
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (literals[i].name == name) return static_cast<int>(i + 1);
  }
  return std::nullopt;
}

}  // namespace

/// Of a value of an enumeration, which `import A.Kind.value` names, the enumeration.
Slot* TreeState::find_from_top(const Path& path, Name last) {
  Slot* found = nullptr;
  const auto enter = [&](Name name) {
    Instance& owner = found ? class_instance(*found) : *top;
    Slot* next = found && found->component ? nullptr : find_local(root_layer(owner), name);
    if (!next && found && !found->component && literal_of(owner, name)) return;
    if (!next) {
      fail(path.place, "M101",
           "the import of '" + std::string(path.place.text()) + "' finds no '" + name.string() +
               "'" + (found ? " in '" + owner.full_name() + "'" : "") + "." +
               (found ? similar_members(owner, name) : library_advice(owner, name)));
    }
    if (found) check_visible(owner, name, path.place);
    found = next;
  };
  for (const Name part : path.parts) enter(part);
  if (!last.empty()) enter(last);
  return found;
}

Slot* TreeState::find_imported(Scope& layer, Name name) {
  const ClassIndex& index = *data(layer).index;
  if (const auto entry = index.imports.find(name); entry != index.imports.end()) {
    Slot*& known = imported[{entry->second.import, entry->second.name}];
    if (!known) known = find_from_top(entry->second.import->path, entry->second.name);
    return known;
  }
  Slot* found = nullptr;
  for (const Import* import : index.import_all) {
    Slot*& package = imported[{import, Name{}}];
    if (!package) package = find_from_top(import->path, Name{});
    Slot* here = find_local(root_layer(class_instance(*package)), name);
    if (!here || here->visibility == Visibility::protected_) continue;
    if (found && found != here) {
      fail(import->place, "M121",
           "'" + name.string() +
               "' is found by two imports of the form 'import A.*'. Import it by its full name.");
    }
    found = here;
  }
  return found;
}

TreeState::Visible TreeState::find_visible(Scope& scope, Name name) {
  for (Scope* at = &scope; at; at = at->enclosing()) {
    if (Slot* slot = find_local(*at, name)) return {slot, at != &scope};
    if (Slot* slot = find_imported(*at, name)) return {slot, false};
    if (at->definition().encapsulated) break;
  }
  const auto builtin = builtin_types.find(name);
  return {builtin == builtin_types.end() ? nullptr : builtin->second, false};
}

/// What is protected is named by itself, inside and in what is derived, never after a dot.
void TreeState::check_visible(Instance& owner, Name name, Place place) {
  const Slot* slot = find_member(owner, name);
  if (slot == nullptr || slot->visibility != Visibility::protected_) return;
  const std::string around = owner.full_name();
  fail(place, "M115",
       "'" + name.string() + "' is protected in '" +
           (around.empty() ? owner.class_node().name().string() : around) +
           "' and cannot be named from outside. Make it public there.",
       {{"it is declared here", origin_of(slot->place())}});
}

void TreeState::check_has_time(const Scope& scope, Place place) {
  const Restriction kind = scope.definition().restriction;
  if (kind == Restriction::model || kind == Restriction::block || kind == Restriction::class_)
    return;
  fail(place, "M122",
       "in " + with_article(kind) + " there is no 'time'." +
           (kind == Restriction::function ? " Hand it over as an argument."
                                          : " Give the value in the model that uses it."));
}

/// Classes have no values of their own: of what is declared in one that is around, or named by a
/// path, only constants can be meant.
void TreeState::check_constant(Slot& slot, Place place) {
  Instance& component = component_instance(slot);
  if (component.variability() == Variability::constant) return;
  fail(place, "M125",
       "'" + slot.name.string() + "' belongs to the class '" +
           slot.owner->class_node().full_name() +
           "', of which only constants can be used here. Declare it 'constant', hand it over as a "
           "parameter, or make it 'inner' and 'outer'.",
       {{"it is declared here", origin_of(slot.place())}});
}

/// Of what is `outer` only what its own class has is known, whatever the `inner` one has.
void TreeState::check_outer_member(Instance& outer, const ReferencePart& part) {
  if (type_of(outer) != TypeKind::structured) return;
  Instance& cls = outer.class_instance();
  if (cls.restriction() == Restriction::expandable_connector || find_member(cls, part.name)) return;
  fail(part.place, "M102",
       "'" + outer.name().string() + "' is 'outer' and of the class '" +
           outer.class_node().full_name() + "', which has no '" + part.name.string() + "'." +
           similar_members(cls, part.name),
       {{"it is declared here", origin_of(outer.place())}});
}

Slot* TreeState::find_member(Instance& owner, Name name) {
  check_modifier(owner);
  if (Slot* declared = find_local(root_layer(owner), name)) return declared;
  if (owner.restriction() != Restriction::expandable_connector) return nullptr;
  for (Slot* added : content(owner).slots)
    if (added->name == name) return added;
  return nullptr;
}

Slot* TreeState::find_path(Scope& scope, const Path& path, bool report) {
  Slot* found = path.absolute ? find_local(root_layer(*top), path.parts.front())
                              : find_visible(scope, path.parts.front()).slot;
  if (!found) {
    if (!report) return nullptr;
    std::string advice = path.parts.size() > 1
                             ? library_advice(scope.instance(), path.parts.front())
                             : similar_names(scope, path.parts.front(), Sought::type);
    if (advice.empty()) advice = " Declare it, import it, or name the file that has it, too.";
    fail(path.place, "M101",
         "there is no class '" + path.parts.front().string() + "' here." + advice);
  }
  for (std::size_t i = 1; i < path.parts.size(); ++i) {
    if (found->component) {
      if (!report) return nullptr;
      fail(path.place, "M103",
           "'" + found->name.string() + "' is a component; here a class is needed.",
           {{"it is declared here", origin_of(found->place())}});
    }
    Instance& owner = class_instance(*found);
    found = find_member(owner, path.parts[i]);
    if (found && report) check_visible(owner, path.parts[i], path.place);
    if (found) continue;
    if (!report) return nullptr;
    fail(path.place, "M102",
         "'" + owner.full_name() + "' has no class '" + path.parts[i].string() + "'." +
             similar_members(owner, path.parts[i], Sought::type));
  }
  return found;
}

Slot& TreeState::find_class_slot(Scope& scope, const Path& path) {
  Slot& found = *find_path(scope, path, true);
  if (found.component) {
    fail(path.place, "M103",
         "'" + std::string(path.place.text()) + "' is a component; here a class is needed.",
         {{"it is declared here", origin_of(found.place())}});
  }
  return found;
}

namespace {

bool is_followed_by_parenthesis(Place place) {
  if (!place.known()) return false;
  const std::string_view rest = place.source->text().substr(place.offset + place.length);
  const std::size_t next = rest.find_first_not_of(" \t\r\n");
  return next != std::string_view::npos && rest[next] == '(';
}

}  // namespace

std::string TreeState::advice_on_unknown(Scope& scope, const ComponentReference& reference) {
  const Name first = reference.parts.front().name;
  if (reference.parts.size() > 1) {
    if (std::isupper(static_cast<unsigned char>(first.text().front())))
      return library_advice(scope.instance(), first);
    return similar_names(scope, first, Sought::anything);
  }
  const bool is_called = is_followed_by_parenthesis(reference.place);
  const std::string similar =
      similar_names(scope, first, is_called ? Sought::function : Sought::anything);
  if (!similar.empty()) return similar;
  return is_called ? " Declare or import a function of that name."
                   : " Declare it, for example with 'Real " + first.string() + ";'.";
}

Denotation TreeState::lookup(Scope& scope, const ComponentReference& reference, bool report) {
  const auto parts = reference.parts;
  const Name first = parts.front().name;
  const Visible visible = reference.absolute ? Visible{find_local(root_layer(*top), first)}
                                             : find_visible(scope, first);
  Slot* slot = visible.slot;
  if (slot && slot->component && visible.is_around && report)
    check_constant(*slot, parts.front().place);
  if (!slot) {
    if (is_builtin_name(first)) {  // with a leading dot too: Modelica.Math.asin calls .asin
      if (first == "time" && report) check_has_time(scope, parts.front().place);
      return {.kind = DenotationKind::builtin, .parts_used = parts.size()};
    }
    if (!report) return {};
    fail(parts.front().place, "M101",
         "there is no '" + first.string() + "' here." + advice_on_unknown(scope, reference));
  }
  if (!slot->component && slot->name != first) {
    Instance& imported = class_instance(*slot);
    if (const auto literal = literal_of(imported, first))
      return {.kind = DenotationKind::literal,
              .instance = &imported,
              .parts_used = 1,
              .literal = *literal};
  }
  for (std::size_t i = 0;; ++i) {
    if (slot->component) {
      Instance& component = component_instance(*slot);
      if (slot->is_outer() && i + 1 < parts.size() && report)
        check_outer_member(component, parts[i + 1]);
      return {.kind = DenotationKind::component,
              .instance = slot->is_outer() ? &component.outer_target() : &component,
              .parts_used = i + 1};
    }
    Instance& found = class_instance(*slot);
    if (i + 1 == parts.size()) {
      return {.kind = DenotationKind::class_, .instance = &found, .parts_used = i + 1};
    }
    const ReferencePart& next = parts[i + 1];
    if (found.type() == TypeKind::enumeration) {
      if (const auto literal = literal_of(found, next.name)) {
        return {.kind = DenotationKind::literal,
                .instance = &found,
                .parts_used = i + 2,
                .literal = *literal};
      }
    }
    slot = find_member(found, next.name);
    if (slot && report) {
      check_visible(found, next.name, next.place);
      if (slot->component) check_constant(*slot, next.place);
    }
    if (slot) continue;
    if (!report) return {};
    tree.no_member(found, next.name, next.place);
  }
}

}  // namespace alembert::modelica
