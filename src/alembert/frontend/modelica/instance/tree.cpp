// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/tree.hpp"

#include <array>
#include <span>

#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

/// The types of the language. Their attributes are known to this stage and need no text.
constexpr std::string_view builtin_source = R"(
type Real end Real;
type Integer end Integer;
type Boolean end Boolean;
type String end String;
type Clock end Clock;
partial class ExternalObject end ExternalObject;
type StateSelect = enumeration(never, avoid, default, prefer, always);
type AssertionLevel = enumeration(warning, error);
)";

struct BuiltinType {
  std::string_view name;
  TypeKind type;
};
constexpr std::array<BuiltinType, 6> builtin_kinds{{{"Real", TypeKind::real},
                                                    {"Integer", TypeKind::integer},
                                                    {"Boolean", TypeKind::boolean},
                                                    {"String", TypeKind::string},
                                                    {"Clock", TypeKind::clock},
                                                    {"ExternalObject", TypeKind::external_object}}};

}  // namespace

TreeState::TreeState(InstanceTree& owner, ClassLibrary& classes) : tree(owner), library(classes) {
  top = &new_instance();
  Slot& root = slots.emplace_back();
  root.node = &library.root();
  root.owner = nullptr;
  root.resolved = std::make_unique<ResolvedClass>();
  root.resolved->declared = root.resolved->node = root.node;
  root.instance = top;
  data(*top).cls = root.resolved.get();
  data(*top).class_slot = &root;

  builtin_text = parse_or_throw("built-in types", std::string(builtin_source));
  for (const ClassDefinition* definition : builtin_text->definition.classes) {
    Slot& slot = slots.emplace_back();
    slot.name = definition->name;
    slot.owner = top;
    slot.node = &library.local_class(*definition, library.root());
    slot.scope = &root_layer(*top);
    ResolvedClass cls{.declared = slot.node, .node = slot.node, .enclosing = slot.scope};
    if (definition->body == ClassBody::enumeration) cls.type = TypeKind::enumeration;
    for (const BuiltinType& builtin : builtin_kinds) {
      if (definition->name == builtin.name) cls.type = builtin.type;
    }
    slot.resolved = std::make_unique<ResolvedClass>(std::move(cls));
    builtin_types.emplace(slot.name, &slot);
  }
}

InstanceTree::InstanceTree(ClassLibrary& library)
    : state_(std::make_unique<TreeState>(*this, library)) {}
InstanceTree::~InstanceTree() = default;

void InstanceTree::set_evaluator(ConstantEvaluator& evaluator) { state_->evaluator = &evaluator; }

ConstantEvaluator& InstanceTree::evaluator() const {
  ensure(state_->evaluator != nullptr, "the instance tree has an evaluator");
  return *state_->evaluator;
}

ClassLibrary& InstanceTree::library() const { return state_->library; }

Instance& InstanceTree::instantiate(std::string_view full_class_name) {
  return instantiate(full_class_name, nullptr);
}

namespace {

bool may_be_instantiated(Restriction restriction) {
  return restriction == Restriction::model || restriction == Restriction::block ||
         restriction == Restriction::class_;
}

}  // namespace

Instance& InstanceTree::instantiate(std::string_view full_class_name,
                                    const ModificationBody* modification) {
  ensure(!state_->model, "an instance tree holds one model");
  Instance* wanted = find_class(full_class_name);
  if (!wanted) {
    throw Error("M101", "there is no class '" + std::string(full_class_name) +
                            "' in the files and libraries that were given.");
  }
  const ClassDefinition& definition = wanted->definition();
  const std::string name = "'" + wanted->full_name() + "'";
  if (!may_be_instantiated(definition.restriction)) {
    state_->fail(definition.place, "M117",
                 name + " is not a model or block, so it cannot be run. Name one with --model.");
  }
  if (state_->builtin_types.contains(definition.name)) {
    state_->fail(
        definition.place, "M122",
        "'" + definition.name.string() + "' is a type of the language. Take another name.");
  }
  if (wanted->is_partial()) {
    state_->fail(definition.place, "M113",
                 name + " is partial, so that it cannot be run. Run a model that extends it.");
  }
  Slot& class_slot = *TreeState::data(*wanted).class_slot;
  Instance& model = state_->new_instance();
  InstanceData& own = TreeState::data(model);
  own.is_component = true;
  own.class_slot = &class_slot;
  own.cls = &state_->resolve(class_slot);
  own.all = own.cls->modifier;
  state_->model = &model;
  if (modification) {
    // Looked up in the model itself, so that its first layer must exist before it is modified.
    Scope& scope = model.scope();
    own.modifier = state_->modifiers.build(modification, scope, 0);
    own.all = state_->modifiers.merge(own.modifier, own.all);
    TreeState::data(scope).modifier = own.all;
  }
  return model;
}

Instance& InstanceTree::model() const {
  ensure(state_->model != nullptr, "a model was instantiated");
  return *state_->model;
}

std::span<Instance* const> InstanceTree::implicit_inners() const { return state_->implicit_inners; }

Denotation InstanceTree::lookup(Scope& scope, const ComponentReference& reference) {
  return state_->lookup(scope, reference, true);
}

Denotation InstanceTree::try_lookup(Scope& scope, const ComponentReference& reference) {
  return state_->lookup(scope, reference, false);
}

Instance* InstanceTree::find_class(std::string_view full_name) {
  Instance* at = state_->top;
  if (full_name.starts_with('.')) full_name.remove_prefix(1);
  while (at && !full_name.empty()) {
    const std::size_t dot = full_name.find('.');
    Slot* slot = state_->find_member(*at, Name(full_name.substr(0, dot)));
    at = slot && !slot->component ? &state_->class_instance(*slot) : nullptr;
    full_name = dot == std::string_view::npos ? std::string_view{} : full_name.substr(dot + 1);
  }
  return at == state_->top ? nullptr : at;
}

Instance& InstanceTree::member_at(Instance& owner, Name name, Place place) {
  Instance* found = owner.member(name);
  if (found == nullptr) no_member(owner, name, place);
  state_->check_visible(owner, name, place);
  return *found;
}

void InstanceTree::no_member(Instance& instance, Name member, Place place) {
  const std::string name = instance.full_name();
  state_->fail(place, "M102",
               (name.empty() ? "the model" : "'" + name + "'") + " has no '" + member.string() +
                   "'." + state_->similar_members(instance, member));
}

std::string InstanceTree::similar_members(Instance& instance, Name member) const {
  return state_->similar_members(instance, member);
}

void InstanceTree::set_entry_values(std::vector<EntryValue> values) {
  state_->entry_values = std::move(values);
  state_->entry_value_used.assign(state_->entry_values.size(), 0);
}

const EntryValue* InstanceTree::unused_entry_value() const {
  for (std::size_t i = 0; i < state_->entry_values.size(); ++i)
    if (!state_->entry_value_used[i]) return &state_->entry_values[i];
  return nullptr;
}

const std::vector<Diagnostic>& InstanceTree::warnings() const { return state_->warnings; }
void InstanceTree::warn(Diagnostic warning) { state_->warnings.push_back(std::move(warning)); }

}  // namespace alembert::modelica
