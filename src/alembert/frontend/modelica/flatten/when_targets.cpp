// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/when_targets.hpp"

#include <algorithm>

namespace alembert::modelica {

namespace {

using NamePaths = std::vector<std::vector<Name>>;

void add_target(const Expression* target, NamePaths& paths) {
  if (target == nullptr) return;
  if (target->kind == ExpressionKind::tuple) {
    for (const Expression* part : target->operands) add_target(part, paths);
    return;
  }
  if (target->kind != ExpressionKind::reference) return;
  std::vector<Name> path;
  for (const ReferencePart& part : target->reference->parts) path.push_back(part.name);
  paths.push_back(std::move(path));
}

void gather(List<const Equation*> equations, bool in_when, NamePaths& paths) {
  for (const Equation* equation : equations) {
    if (in_when && equation->kind == EquationKind::equality) add_target(equation->left, paths);
    const bool is_when = equation->kind == EquationKind::when_equation;
    for (const EquationBranch& branch : equation->branches)
      gather(branch.body, in_when || is_when, paths);
  }
}

void gather(List<const Statement*> statements, bool in_when, NamePaths& paths) {
  for (const Statement* statement : statements) {
    if (in_when) {
      add_target(statement->target, paths);
      for (const Expression* target : statement->targets) add_target(target, paths);
    }
    const bool is_when = statement->kind == StatementKind::when_statement;
    for (const StatementBranch& branch : statement->branches)
      gather(branch.body, in_when || is_when, paths);
  }
}

}  // namespace

const std::vector<WhenTargets::NamePath>& WhenTargets::of_section(const EquationSection& section) {
  const auto [entry, is_new] = by_section_.try_emplace(&section);
  if (is_new) gather(section.equations, false, entry->second);
  return entry->second;
}

const std::vector<WhenTargets::NamePath>& WhenTargets::of_section(const AlgorithmSection& section) {
  const auto [entry, is_new] = by_section_.try_emplace(&section);
  if (is_new) gather(section.statements, false, entry->second);
  return entry->second;
}

const std::vector<WhenTargets::NamePath>& WhenTargets::of_component(Instance& component) {
  const auto [entry, is_new] = by_component_.try_emplace(&component);
  if (is_new) {
    std::vector<NamePath> all;
    const auto add = [&](const auto& sections) {
      for (const auto& section : sections) {
        const std::vector<NamePath>& paths = of_section(*section.item);
        all.insert(all.end(), paths.begin(), paths.end());
      }
    };
    add(component.equations());
    add(component.algorithms());
    by_component_[&component] = std::move(all);
  }
  return by_component_[&component];
}

bool WhenTargets::contains(const Instance& variable) {
  NamePath names;  // from the variable outwards
  names.push_back(variable.name());
  for (Instance* around = variable.parent(); around != nullptr; around = around->parent()) {
    const std::size_t depth = names.size();
    for (const NamePath& path : of_component(*around)) {
      // A record may be assigned as a whole, so the path may be shorter.
      if (path.size() > depth) continue;
      if (std::equal(path.begin(), path.end(), names.rbegin())) return true;
    }
    names.push_back(around->name());
  }
  return false;
}

}  // namespace alembert::modelica
