// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/when_targets.hpp"

#include <algorithm>

namespace alembert::modelica {

namespace {

using Choice = WhenTargets::Choice;
using Target = WhenTargets::Target;

void add_target(const Expression* target, const std::vector<Choice>& choices,
                std::vector<Target>& out) {
  if (target == nullptr) return;
  if (target->kind == ExpressionKind::tuple) {
    for (const Expression* part : target->operands) add_target(part, choices, out);
    return;
  }
  if (target->kind != ExpressionKind::reference) return;
  Target& added = out.emplace_back();
  for (const ReferencePart& part : target->reference->parts) added.path.push_back(part.name);
  added.choices = choices;
}

class EquationTargets {
 public:
  explicit EquationTargets(std::vector<Target>& out) : out_(out) {}

  void gather(List<const Equation*> equations) {
    for (const Equation* equation : equations) {
      if (in_when_ && equation->kind == EquationKind::equality)
        add_target(equation->left, choices_, out_);
      const bool is_when = equation->kind == EquationKind::when_equation;
      const bool is_loop = equation->kind == EquationKind::for_equation;
      // Within a when-clause conditions vary, within a loop they may depend on its variable.
      const bool is_choice =
          equation->kind == EquationKind::if_equation && !in_when_ && n_loops_ == 0;
      const bool was_in_when = in_when_;
      in_when_ = in_when_ || is_when;
      n_loops_ += is_loop;
      for (std::size_t b = 0; b < equation->branches.size(); ++b) {
        if (is_choice) choices_.push_back({equation, b});
        gather(equation->branches[b].body);
        if (is_choice) choices_.pop_back();
      }
      in_when_ = was_in_when;
      n_loops_ -= is_loop;
    }
  }

 private:
  std::vector<Target>& out_;
  std::vector<Choice> choices_;
  bool in_when_ = false;
  int n_loops_ = 0;
};

void gather(List<const Statement*> statements, bool in_when, std::vector<Target>& out) {
  for (const Statement* statement : statements) {
    if (in_when) {
      add_target(statement->target, {}, out);
      for (const Expression* target : statement->targets) add_target(target, {}, out);
    }
    const bool is_when = statement->kind == StatementKind::when_statement;
    for (const StatementBranch& branch : statement->branches)
      gather(branch.body, in_when || is_when, out);
  }
}

}  // namespace

const std::vector<Target>& WhenTargets::of_section(const EquationSection& section) {
  const auto [entry, is_new] = by_section_.try_emplace(&section);
  if (is_new) EquationTargets(entry->second).gather(section.equations);
  return entry->second;
}

const std::vector<Target>& WhenTargets::of_section(const AlgorithmSection& section) {
  const auto [entry, is_new] = by_section_.try_emplace(&section);
  if (is_new) gather(section.statements, false, entry->second);
  return entry->second;
}

std::vector<WhenTargets::ScopedTarget>& WhenTargets::of_component(Instance& component) {
  const auto [entry, is_new] = by_component_.try_emplace(&component);
  if (is_new) {
    std::vector<ScopedTarget> all;
    const auto add = [&](const auto& sections) {
      for (const auto& section : sections)
        for (const Target& target : of_section(*section.item))
          all.push_back({&target, section.scope});
    };
    add(component.equations());
    add(component.algorithms());
    by_component_[&component] = std::move(all);
  }
  return by_component_[&component];
}

/// What cannot be told is taken: whoever reads the equation says what is wrong with it.
bool WhenTargets::is_taken(ScopedTarget& target) {
  if (target.taken) return *target.taken;
  if (is_deciding_) return true;
  is_deciding_ = true;
  const auto holds = [&](const Expression& condition) -> std::optional<bool> {
    try {
      const std::optional<Value> value =
          evaluator_.try_constant(condition, {.scope = target.scope});
      if (!value || value->kind != ValueKind::boolean || !value->is_scalar()) return {};
      const ExprId truth = value->scalar();
      if (evaluator_.pool().op(truth) != symbolic::Op::truth) return {};
      return evaluator_.pool().truth_of(truth);
    } catch (const Error&) {
      return {};
    }
  };
  bool taken = true;
  for (const Choice& one : target.target->choices)
    for (std::size_t b = 0; b <= one.branch && taken; ++b) {
      const Expression* const condition = one.choice->branches[b].condition;
      const bool wanted = b == one.branch;
      if (condition != nullptr) taken = holds(*condition).value_or(wanted) == wanted;
    }
  is_deciding_ = false;
  target.taken = taken;
  return taken;
}

bool WhenTargets::contains(const Instance& variable) {
  std::vector<Name> names;  // from the variable outwards
  names.push_back(variable.name());
  for (Instance* around = variable.parent(); around != nullptr; around = around->parent()) {
    const std::size_t depth = names.size();
    for (ScopedTarget& target : of_component(*around)) {
      const std::vector<Name>& path = target.target->path;
      // A record may be assigned as a whole, so the path may be shorter.
      if (path.size() > depth) continue;
      if (std::equal(path.begin(), path.end(), names.rbegin()) && is_taken(target)) return true;
    }
    names.push_back(around->name());
  }
  return false;
}

}  // namespace alembert::modelica
