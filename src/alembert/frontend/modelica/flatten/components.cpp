// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/components.hpp"

#include "alembert/frontend/modelica/evaluate/fail.hpp"

namespace alembert::modelica {

namespace {

/// Components within components; deeper than any model, and far from the end of the stack.
constexpr int max_depth = 500;

void walk(Instance& component, Components& components, int depth) {
  if (component.is_outer() && !component.is_inner()) return;
  if (!component.is_present()) return;
  if (depth > max_depth)
    fail(component.place(), "M301",
         "components are nested more than " + std::to_string(max_depth) + " deep at '" +
             component.full_name() + "'. A class that contains itself never ends.");
  if (component.is_simple()) {
    components.simple.push_back(&component);
    return;
  }
  if (component.is_array()) {
    for (std::size_t i = 0; i < component.n_entries(); ++i)
      walk(component.entry(i), components, depth + 1);
    return;
  }
  components.structured.push_back(&component);
  for (Instance* child : component.children()) walk(*child, components, depth + 1);
}

}  // namespace

Components walk_model(Instance& model) {
  Components components;
  walk(model, components, 0);
  return components;
}

void walk_component(Instance& component, Components& components) { walk(component, components, 0); }

bool is_connector(Instance& component) {
  const Restriction restriction = component.restriction();
  return restriction == Restriction::connector || restriction == Restriction::expandable_connector;
}

bool is_expandable(Instance& component) {
  return component.restriction() == Restriction::expandable_connector;
}

}  // namespace alembert::modelica
