// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/components.hpp"

#include <algorithm>

#include "alembert/frontend/modelica/syntax/mistakes.hpp"

namespace alembert::modelica {

namespace {

/// After a mistake in one component those beside it are looked at as well.
class Walk {
 public:
  explicit Walk(Components& components) : components_(components) {}

  void run(Instance& component) {
    visit(component);
    // Attributes are read with the values, to which it will not come.
    if (!mistakes_.empty())
      for (Instance* simple : components_.simple) mistakes_.attempt([&] { simple->attributes(); });
    mistakes_.report();
  }

 private:
  /// By recursion: instances are nested no deeper than `instance` allows (M108).
  void visit(Instance& component) {
    if (component.is_outer() && !component.is_inner()) {
      check_outer(component);
      return;
    }
    if (!component.is_present()) return;
    if (component.is_simple()) {
      components_.simple.push_back(&component);
      return;
    }
    if (component.is_array()) {
      for (std::size_t i = 0; i < component.n_entries(); ++i) visit(component.entry(i));
      return;
    }
    components_.structured.push_back(&component);
    for (Instance* child : component.children()) mistakes_.attempt_part([&] { visit(*child); });
  }

  /// It may be one that nobody uses, and still it must be what it stands for.
  static void check_outer(Instance& outer) {
    Instance* inner = outer.declared_inner();
    if (inner == nullptr || !outer.is_simple() || !outer.has_dimensions()) return;
    const auto dims = outer.declared_dimensions();
    if (std::ranges::any_of(dims, [](const Dimension& dimension) {
          return dimension.expression->kind == ExpressionKind::colon;
        }))
      return;
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (outer.dimension(i) == inner->dimension(i)) continue;
      throw Error(
          {diagnostic_at(outer.place(), "M112",
                         "'" + outer.name().string() + "' is 'outer' with the size " +
                             std::to_string(outer.dimension(i)) + ", but the 'inner' one has " +
                             std::to_string(inner->dimension(i)) + ". Declare both alike.",
                         {{"the 'inner' one is declared here", origin_of(inner->place())}})});
    }
  }

  Components& components_;
  Mistakes mistakes_;
};

}  // namespace

Components walk_model(Instance& model) {
  Components components;
  walk_component(model, components);
  return components;
}

void walk_component(Instance& component, Components& components) {
  Walk(components).run(component);
}

bool is_connector(Instance& component) {
  const Restriction restriction = component.restriction();
  return restriction == Restriction::connector || restriction == Restriction::expandable_connector;
}

bool is_expandable(Instance& component) {
  return component.restriction() == Restriction::expandable_connector;
}

}  // namespace alembert::modelica
