// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/class_index.hpp"

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

void add_import(ClassIndex& index, const Import& import) {
  switch (import.kind) {
    case ImportKind::qualified:
    case ImportKind::renamed:
      index.imports.emplace(import.alias, ImportedName{.import = &import, .name = {}});
      break;
    case ImportKind::selected:
      for (const Name name : import.names) {
        index.imports.emplace(name, ImportedName{.import = &import, .name = name});
      }
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
