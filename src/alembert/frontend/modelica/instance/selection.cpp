// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/selection.hpp"

#include <algorithm>

#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

/// The same as it is written; spaces do not count.
bool same_text(const ComponentReference& a, const ComponentReference& b) {
  const auto without_spaces = [](std::string_view text) {
    std::string kept;
    std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
                 [](char c) { return c != ' ' && c != '\n' && c != '\t' && c != '\r'; });
    return kept;
  };
  return without_spaces(a.place.text()) == without_spaces(b.place.text());
}

bool is_same_connect(const Modification& argument, const Equation& connect) {
  const ComponentReference& from = *argument.connect_from;
  const ComponentReference& to = *argument.connect_to;
  return (same_text(from, *connect.from) && same_text(to, *connect.to)) ||
         (same_text(from, *connect.to) && same_text(to, *connect.from));
}

bool has_connect(List<const Equation*> equations, const Modification& argument) {
  return std::any_of(equations.begin(), equations.end(), [&](const Equation* equation) {
    if (equation->kind == EquationKind::connect) return is_same_connect(argument, *equation);
    return std::any_of(
        equation->branches.begin(), equation->branches.end(),
        [&](const EquationBranch& branch) { return has_connect(branch.body, argument); });
  });
}

}  // namespace

bool leaves_out(const ScopeData& layer, Name name) {
  return std::any_of(layer.left_out.begin(), layer.left_out.end(), [&](const Modification* out) {
    return out->kind == ModificationKind::break_component && out->name.parts.front() == name;
  });
}

bool is_left_out(const Scope& layer, const Equation& connect) {
  for (const Scope* at = &layer; at != nullptr; at = TreeState::data(*at).derived) {
    const ScopeData& own = TreeState::data(*at);
    if (own.left_out.empty()) continue;
    if (leaves_out(own, connect.from->parts.front().name) ||
        leaves_out(own, connect.to->parts.front().name)) {
      return true;
    }
    for (const Modification* out : own.left_out) {
      if (out->kind == ModificationKind::break_connect && is_same_connect(*out, connect)) {
        return true;
      }
    }
  }
  return false;
}

/// What is left out must be there.
void TreeState::check_selection(Scope& layer) {
  for (const Modification* out : data(layer).left_out) {
    if (out->kind == ModificationKind::break_component) {
      const Name name = out->name.parts.front();
      std::vector<Declaration> found;
      declarations(layer, name, Visibility::public_, found);
      if (found.empty()) {
        fail(out->place, "M120",
             "'break " + name.string() + "' leaves out nothing: '" + layer.node().full_name() +
                 "' has no such element." + similar_members(layer.instance(), name));
      }
      continue;
    }
    std::vector<const Scope*> layers{&layer};
    bool found = false;
    for (std::size_t i = 0; i < layers.size() && !found; ++i) {
      const auto& bases = data(*layers[i]).bases;
      layers.insert(layers.end(), bases.begin(), bases.end());
      for (const EquationSection& section : layers[i]->definition().equations) {
        found = found || has_connect(section.equations, *out);
      }
    }
    if (!found) {
      fail(out->place, "M120",
           "'break' leaves out no connect: '" + layer.node().full_name() +
               "' has none between these two. It must be written as it is there.");
    }
  }
}

}  // namespace alembert::modelica
