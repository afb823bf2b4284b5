// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/class_index.hpp"

#include <algorithm>

namespace alembert::modelica {

namespace {

Place place_of(const DeclaredName& declared) {
  return declared.component ? declared.component->place : declared.class_definition->place;
}

void declare(ClassIndex& index, Name name, const DeclaredName& declared) {
  const auto [entry, is_new] = index.names.emplace(name, declared);
  if (is_new) return;
  throw Error({diagnostic_at(
      place_of(declared), "M114",
      "'" + name.string() + "' is declared twice in this class. Rename or remove one of the two.",
      {{"the first declaration is here", origin_of(place_of(entry->second))}})});
}

bool is_same_path(const Path& a, const Path& b) {
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end());
}

void add_imported(ClassIndex& index, Name alias, const ImportedName& imported) {
  const auto [entry, is_new] = index.imports.emplace(alias, imported);
  const ImportedName& known = entry->second;
  if (is_new ||
      (known.name == imported.name && is_same_path(known.import->path, imported.import->path)))
    return;
  throw Error({diagnostic_at(
      imported.import->place, "M114",
      "'" + alias.string() + "' is imported twice in this class. Rename or remove one of the two.",
      {{"the first import is here", origin_of(known.import->place)}})});
}

void add_import(ClassIndex& index, const Import& import) {
  switch (import.kind) {
    case ImportKind::qualified:
    case ImportKind::renamed: add_imported(index, import.alias, {&import, {}}); break;
    case ImportKind::selected:
      for (const Name name : import.names) add_imported(index, name, {&import, name});
      break;
    case ImportKind::all: index.import_all.push_back(&import); break;
  }
}

}  // namespace

ClassIndex index_class(const ClassDefinition& definition) {
  ClassIndex index;
  for (const Element& element : definition.elements) {
    switch (element.kind) {
      case ElementKind::import: add_import(index, *element.import); break;
      case ElementKind::extends:
        index.bases.push_back({element.extends, element.visibility});
        break;
      case ElementKind::class_definition:
        declare(index, element.class_definition->name,
                {.class_definition = element.class_definition, .visibility = element.visibility});
        break;
      case ElementKind::component:
        declare(index, element.component->name,
                {.component = element.component, .visibility = element.visibility});
        break;
    }
  }
  return index;
}

}  // namespace alembert::modelica
