// SPDX-License-Identifier: Apache-2.0
// Values and attributes of components, after all modifications.
#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

void add_indices(std::vector<Step>& steps, std::span<const std::int64_t> indices) {
  for (const std::int64_t index : indices) steps.push_back({.member = {}, .index = index});
}

}  // namespace

std::vector<Step> TreeState::steps_of(const Instance& instance, std::uint32_t levels) {
  const Instance* at = &instance;
  std::vector<const Instance*> entries;
  for (std::uint32_t level = 0; level < levels && at; ++level, at = data(*at).parent) {
    if (!data(*at).indices.empty()) entries.push_back(at);
  }
  std::vector<Step> steps;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    add_indices(steps, data(**entry).indices);
  }
  return steps;
}

Binding TreeState::binding_of(const Instance& instance, const Modifier& modifier,
                              std::uint32_t levels) {
  return {.expression = modifier.binding,
          .scope = modifier.scope,
          .steps = steps_of(instance, levels),
          .final_ = modifier.final_};
}

namespace {

/// Of a record with a value: was this member modified from further out than the value was given?
bool member_goes_first(const InstanceData& record, Name member) {
  const Modifier* modifier = record.modifier;
  if (!modifier) return false;
  const auto children = modifier->children;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i].name != member) continue;
    if (modifier->binding) return i < modifier->n_before_binding;
    const Instance* above = record.parent;
    return above && member_goes_first(TreeState::data(*above), record.name);
  }
  return false;
}

}  // namespace

const EntryValue* TreeState::entry_value(const Instance& instance) {
  if (entry_values.empty() || !instance.is_component()) return nullptr;
  const std::string name = instance.full_name();
  for (std::size_t i = 0; i < entry_values.size(); ++i) {
    if (!entry_values[i].indices.empty() || entry_values[i].component != name) continue;
    entry_value_used[i] = 1;
    return &entry_values[i];
  }
  return nullptr;
}

std::vector<const EntryValue*> Instance::entry_values() const {
  TreeState& tree = *data_->tree;
  std::vector<const EntryValue*> found;
  if (tree.entry_values.empty()) return found;
  const std::string name = full_name();
  for (std::size_t i = 0; i < tree.entry_values.size(); ++i) {
    if (tree.entry_values[i].indices.empty() || tree.entry_values[i].component != name) continue;
    tree.entry_value_used[i] = 1;
    found.push_back(&tree.entry_values[i]);
  }
  return found;
}

namespace {

/// A value that is set is that of a parameter, and the start of everything else.
bool is_set_by_value(Instance& instance) {
  return instance.variability() == Variability::parameter ||
         instance.variability() == Variability::constant;
}

}  // namespace

void TreeState::know_binding(Instance& instance) {
  InstanceData& own = data(instance);
  if (own.binding_known) return;
  own.binding_known = true;
  if (const EntryValue* set = entry_value(instance); set && is_set_by_value(instance)) {
    own.binding = {.expression = set->expression, .scope = &model->scope()};
    return;
  }
  const bool is_given = own.modifier && own.modifier->binding;
  Instance* parent = own.parent;
  if (parent && own.is_component && data(*parent).is_component) {
    const Binding& whole = parent->binding();
    if (whole && !(is_given && member_goes_first(data(*parent), own.name))) {
      own.binding = whole;
      own.binding.steps.push_back({.member = own.name});
      add_indices(own.binding.steps, own.indices);
      return;
    }
  }
  if (!is_given) return;
  own.binding = binding_of(instance, *own.modifier, own.modifier->levels);
  const ModificationBody* declared =
      own.slot && own.slot->component ? own.slot->component->modification : nullptr;
  own.binding.is_default = declared && declared->binding == own.binding.expression;
  own.binding.final_ = own.binding.final_ || (own.slot && own.slot->prefix().final_);
}

void TreeState::know_attributes(Instance& instance) {
  InstanceData& own = data(instance);
  if (own.attributes_known) return;
  own.attributes_known = true;
  if (type_of(instance) == TypeKind::structured) return;
  const bool is_plain = own.cls->type != TypeKind::structured;  // no class body in between
  const Modifier* modifier =
      is_plain ? own.all : data(*simple_layer(root_layer(instance))).modifier;
  const EntryValue* set = entry_value(instance);
  const bool starts_with_it = set && !is_set_by_value(instance);
  if (starts_with_it)
    own.attributes.push_back(
        {Name("start"), {.expression = set->expression, .scope = &model->scope()}});
  if (!modifier) return;
  if (is_plain) {
    check_attributes(*own.cls->node, own.cls->type, *modifier);
  } else {
    check_modifier(instance);
  }
  for (const NamedModifier& entry : modifier->children) {
    if (!entry.modifier->binding || (starts_with_it && entry.name == "start")) continue;
    const std::uint32_t levels = entry.modifier->levels;
    Binding binding = binding_of(instance, *entry.modifier, levels == 0 ? 0 : levels - 1);
    binding.each = entry.modifier->each;
    own.attributes.push_back({entry.name, std::move(binding)});
  }
}

}  // namespace alembert::modelica
