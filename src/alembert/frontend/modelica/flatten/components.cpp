// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/components.hpp"

namespace alembert::modelica {

namespace {

/// By recursion: instances are nested no deeper than `instance` allows (M108).
void walk(Instance& component, Components& components) {
  if (component.is_outer() && !component.is_inner()) return;
  if (!component.is_present()) return;
  if (component.is_simple()) {
    components.simple.push_back(&component);
    return;
  }
  if (component.is_array()) {
    for (std::size_t i = 0; i < component.n_entries(); ++i) walk(component.entry(i), components);
    return;
  }
  components.structured.push_back(&component);
  for (Instance* child : component.children()) walk(*child, components);
}

}  // namespace

Components walk_model(Instance& model) {
  Components components;
  walk(model, components);
  return components;
}

void walk_component(Instance& component, Components& components) { walk(component, components); }

bool is_connector(Instance& component) {
  const Restriction restriction = component.restriction();
  return restriction == Restriction::connector || restriction == Restriction::expandable_connector;
}

bool is_expandable(Instance& component) {
  return component.restriction() == Restriction::expandable_connector;
}

}  // namespace alembert::modelica
