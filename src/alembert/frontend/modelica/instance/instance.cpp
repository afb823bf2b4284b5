// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/instance.hpp"

#include <algorithm>

#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

InstanceTree& Instance::tree() const { return data_->tree->tree; }
Name Instance::name() const { return data_->name; }
Instance* Instance::parent() const { return data_->parent; }
bool Instance::is_component() const { return data_->is_component; }
bool Instance::is_entry() const { return data_->is_entry; }
std::span<const std::int64_t> Instance::indices() const { return data_->indices; }
Instance* Instance::array() const { return data_->array; }
ClassNode& Instance::class_node() const { return *data_->cls->declared; }
ClassNode& Instance::base_class_node() { return *data_->cls->node; }
Scope& Instance::scope() { return data_->tree->root_layer(*this); }
TypeKind Instance::type() { return data_->tree->type_of(*this); }

std::string Instance::full_name() const {
  std::vector<const InstanceData*> path;
  for (const Instance* at = this; at && !at->data_->name.empty(); at = at->data_->parent) {
    path.push_back(at->data_);
  }
  std::string name;
  for (auto part = path.rbegin(); part != path.rend(); ++part) {
    if (!name.empty()) name += '.';
    name += (*part)->name.text();
    if ((*part)->indices.empty()) continue;
    char before = '[';
    for (const std::int64_t index : (*part)->indices) {
      name += before;
      name += std::to_string(index);
      before = ',';
    }
    name += ']';
  }
  return name;
}

Place Instance::place() const { return data_->slot ? data_->slot->place() : definition().place; }

const Component* Instance::component() const {
  return data_->slot ? data_->slot->component : nullptr;
}

bool Instance::is_partial() { return base_class_node().definition().partial; }

Instance& Instance::class_instance() {
  if (!is_component()) return *this;
  return data_->tree->class_instance(*data_->class_slot);
}

List<EnumerationLiteral> Instance::literals() {
  if (type() != TypeKind::enumeration) return {};
  if (data_->cls->type == TypeKind::enumeration) return data_->cls->node->definition().literals;
  return data_->tree->simple_layer(scope())->definition().literals;
}

// ---------------------------------------------------------------------------------------------------
// Prefixes

namespace {

/// What the declaration says, else what it redeclares, else the class.
template <class Prefix>
Prefix own_prefix(const InstanceData& data, Prefix TypePrefix::*member) {
  for (const Slot* at = data.is_component ? data.slot : nullptr; at; at = at->replaced) {
    const Prefix prefix = at->component->type_prefix.*member;
    if (prefix != Prefix::none) return prefix;
  }
  return data.cls->prefix.*member;
}

}  // namespace

Variability Instance::variability() {
  Variability result = own_prefix(*data_, &TypePrefix::variability);
  for (const Instance* at = data_->parent; at && at->data_->is_component; at = at->data_->parent) {
    result = std::max(result, own_prefix(*at->data_, &TypePrefix::variability));
  }
  return result;
}

Causality Instance::causality() {
  for (const Instance* at = this; at && at->data_->is_component; at = at->data_->parent) {
    const Causality own = own_prefix(*at->data_, &TypePrefix::causality);
    if (own != Causality::none) return own;
  }
  return Causality::none;
}

Connection Instance::connection() {
  for (const Instance* at = this; at && at->data_->is_component; at = at->data_->parent) {
    const Connection own = own_prefix(*at->data_, &TypePrefix::connection);
    if (own != Connection::none) return own;
  }
  return Connection::none;
}

bool Instance::is_protected() {
  for (const Instance* at = this; at && at->data_->slot; at = at->data_->parent) {
    if (at->data_->slot->visibility == Visibility::protected_) return true;
  }
  return false;
}

bool Instance::is_inner() const { return data_->slot && data_->slot->is_inner(); }
bool Instance::is_outer() const {
  return data_->slot && data_->slot->is_outer() && !data_->slot->is_inner();
}

bool Instance::is_final() {
  if (!data_->slot) return false;
  return data_->slot->prefix().final_ || (data_->modifier && data_->modifier->final_);
}

Instance& Instance::outer_target() {
  if (!data_->slot || !data_->slot->is_outer()) return *this;
  if (!data_->outer_target) data_->outer_target = &data_->tree->find_inner(*this);
  return *data_->outer_target;
}

Instance* Instance::declared_inner() {
  if (!data_->slot || !data_->slot->is_outer()) return nullptr;
  if (!data_->outer_target) data_->outer_target = data_->tree->find_declared_inner(*this);
  return data_->outer_target;
}

const ModificationBody* Instance::annotation() const {
  return component() ? component()->comment.annotation : definition().comment.annotation;
}

// ---------------------------------------------------------------------------------------------------
// What is inside

std::span<Instance* const> Instance::children() {
  data_->tree->know_children(*this);
  return data_->content->children;
}

Instance* Instance::member(Name name) {
  if (is_array()) return nullptr;
  Slot* slot = data_->tree->find_member(*this, name);
  if (!slot) return nullptr;
  Instance& found = data_->tree->instance_of(*slot);
  return slot->component && slot->is_outer() && !slot->is_inner() ? &found.outer_target() : &found;
}

Instance* Instance::component_member(Name name) {
  Instance* found = member(name);
  return found && found->is_component() ? found : nullptr;
}

std::span<const ScopedEquations> Instance::equations() {
  data_->tree->know_sections(*this);
  return data_->content->equations;
}

std::span<const ScopedAlgorithm> Instance::algorithms() {
  data_->tree->know_sections(*this);
  return data_->content->algorithms;
}

ScopedExternal Instance::external() {
  data_->tree->know_sections(*this);
  return data_->content->external;
}

Instance* Instance::differentiated_function() {
  const ClassDefinition& body = base_class_node().definition();
  if (body.body != ClassBody::derivative) return nullptr;
  return &data_->tree->class_instance(
      data_->tree->find_class_slot(*data_->cls->enclosing, body.base));
}

// ---------------------------------------------------------------------------------------------------
// Values

const Binding& Instance::binding() {
  data_->tree->know_binding(*this);
  return data_->binding;
}

std::span<const Attribute> Instance::attributes() {
  data_->tree->know_attributes(*this);
  return data_->attributes;
}

const Binding* Instance::attribute(std::string_view name) {
  for (const Attribute& attribute : attributes()) {
    if (attribute.name == name) return &attribute.binding;
  }
  return nullptr;
}

}  // namespace alembert::modelica
