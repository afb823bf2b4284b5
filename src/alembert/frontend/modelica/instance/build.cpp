// SPDX-License-Identifier: Apache-2.0
// From slots to instances; `outer` to `inner`; what is inside of an instance.
#include <algorithm>

#include "alembert/base/for_now.hpp"
#include "alembert/frontend/modelica/instance/class_rules.hpp"
#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

// Far beyond any model that is meant: what reaches these contains itself, unnoticed.
constexpr std::uint32_t max_instance_depth = 150;
constexpr std::size_t max_instances = 4'000'000;

}  // namespace

Instance& TreeState::new_instance() {
  if (instances.size() >= max_instances) {
    throw Error("M119", "the model has more than 4000000 components. Does it contain itself?");
  }
  InstanceData& added = instances.emplace_back();
  added.tree = this;
  added.self.data_ = &added;
  return added.self;
}

Content& TreeState::content(Instance& instance) {
  std::unique_ptr<Content>& inside = data(instance).content;
  if (!inside) inside = std::make_unique<Content>();
  return *inside;
}

Instance& TreeState::instance_of(Slot& slot) {
  return slot.component ? component_instance(slot) : class_instance(slot);
}

Instance& TreeState::class_instance(Slot& slot) {
  if (slot.instance) return *slot.instance;
  if (slot.is_outer() && !slot.is_inner()) {
    slot.instance = &class_instance(inner_class(slot));
    return *slot.instance;
  }
  const ResolvedClass& cls = resolve(slot);
  if (cls.same_as) {
    slot.instance = &class_instance(*cls.same_as);
    return *slot.instance;
  }
  Instance& added = new_instance();
  InstanceData& own = data(added);
  own.parent = slot.owner;
  own.slot = &slot;
  own.class_slot = &slot;
  own.name = slot.name;
  own.cls = &cls;
  own.all = cls.modifier;
  slot.instance = &added;
  check_constraint(slot);
  return added;
}

bool TreeState::is_inside_itself(const Instance& instance) {
  const InstanceData& own = data(instance);
  for (const Instance* at = own.parent; at; at = data(*at).parent) {
    const InstanceData& above = data(*at);
    if (!above.is_component || above.cls->node != own.cls->node) continue;
    if (!above.slot || above.slot->component == own.slot->component) return true;
  }
  return false;
}

/// A component with a condition may be inside itself, as long as that ends somewhere.
void TreeState::check_recursion(const Instance& instance) {
  const Instance* at = &instance;
  if (data(instance).depth > max_instance_depth) {
    while (at && data(*at).slot && !is_inside_itself(*at)) at = data(*at).parent;
    if (!at || !data(*at).slot) at = &instance;
  } else if (data(instance).slot->component->condition != nullptr || !is_inside_itself(instance)) {
    return;
  }
  const InstanceData& own = data(*at);
  fail(own.slot->place(), "M108",
       "'" + own.name.string() + "' is part of itself: '" + own.cls->node->full_name() +
           "' contains a component of its own class.");
}

namespace {

/// Of a redeclaration without dimensions, those of the original.
const Slot& slot_with_dimensions(const Slot& slot) {
  const Slot* at = &slot;
  while (at->replaced && at->component->dimensions.empty() &&
         at->component->type_dimensions.empty()) {
    at = at->replaced;
  }
  return *at;
}

std::vector<Dimension> declared_dimensions(const Slot& slot, const ResolvedClass& cls) {
  std::vector<Dimension> result;
  const Slot& written = slot_with_dimensions(slot);
  for (const Expression* dimension : written.component->dimensions) {
    result.push_back({dimension, written.scope});
  }
  for (const Expression* dimension : written.component->type_dimensions) {
    result.push_back({dimension, written.scope});
  }
  result.insert(result.end(), cls.dimensions.begin(), cls.dimensions.end());
  return result;
}

}  // namespace

namespace {

/// By its own declaration, or by what it redeclares.
bool has_direction(const Slot& slot) {
  for (const Slot* at = &slot; at; at = at->replaced)
    if (at->component->type_prefix.causality != Causality::none) return true;
  return false;
}

}  // namespace

/// Are there components of this kind, and may the owner have one, with these prefixes?
void TreeState::check_type(const Slot& slot, const ResolvedClass& cls) {
  const Component& component = *slot.component;
  const Restriction kind = cls.declared->definition().restriction;
  const Restriction owner = data(*slot.owner).cls->node->definition().restriction;
  const std::string name = "'" + component.name.string() + "'";
  const std::vector<Note> here{
      {"it is declared here", origin_of(cls.declared->definition().place)}};
  if (!may_contain(owner, kind)) {
    fail(component.place, "M123",
         name + " would be a component of '" + cls.declared->full_name() + "', which is " +
             with_article(kind) + ", inside of " + with_article(owner) +
             (kind == Restriction::model || kind == Restriction::block
                  ? ". Take a record or a type instead."
                  : ". That cannot be."),
         here);
  }
  const TypePrefix& prefix = component.type_prefix;
  if ((owner == Restriction::function || owner == Restriction::operator_function) &&
      slot.visibility == Visibility::public_ && !has_direction(slot) &&
      cls.prefix.causality == Causality::none && prefix.variability < Variability::parameter) {
    fail(component.place, "M122",
         name +
             " is public in a function, but neither an input nor an output. Declare it behind "
             "'protected'.");
  }
  const bool is_prefixed = prefix.causality != Causality::none ||
                           prefix.connection != Connection::none ||
                           prefix.variability != Variability::none;
  if (is_prefixed && (kind == Restriction::model || kind == Restriction::block)) {
    fail(component.place, "M124",
         "parameter, constant, discrete, input, output, flow and stream are for values, but " +
             name + " is " + with_article(kind) + ".",
         here);
  }
  const bool is_fixed =
      prefix.variability == Variability::parameter || prefix.variability == Variability::constant;
  if (is_fixed && (kind == Restriction::connector || kind == Restriction::expandable_connector)) {
    fail(component.place, "M124",
         "a connector cannot be a parameter or a constant, as " + name +
             " is. Declare so what is inside of it.",
         here);
  }
  if (prefix.connection == Connection::stream && cls.type != TypeKind::structured &&
      cls.type != TypeKind::real) {
    fail(component.place, "M124",
         "a stream is carried by a flow and mixes, so it is a Real, but " + name + " is of type '" +
             cls.declared->name().string() + "'.");
  }
}

/// It stands for another component, which has its values from its own declaration.
void TreeState::check_outer(const Slot& slot) {
  const bool is_modified = slot.outer != nullptr && !slot.outer->lenient;
  const ModificationBody* said = slot.component->modification;
  const bool says = said && (!said->arguments.empty() || said->binding_kind != BindingKind::none);
  if (!is_modified && !says) return;
  fail(is_modified ? slot.outer->place : said->place, "M112",
       "'" + slot.name.string() +
           "' is 'outer' and cannot be modified: it is what is declared 'inner' somewhere around "
           "it. Modify it there.");
}

void TreeState::check_inner(Instance& outer, Instance& inner) {
  const bool same_kind = outer.type() == inner.type();
  const std::size_t n_outer = data(outer).declared_dimensions.size();
  const std::size_t n_inner = data(inner).declared_dimensions.size();
  if (same_kind && n_outer == n_inner) return;
  fail(outer.place(), "M112",
       "'" + outer.name().string() + "' is 'outer', but the 'inner' one is " +
           (same_kind ? "an array with another number of dimensions" : "of another type") +
           ". Declare both alike.",
       {{"the 'inner' one is declared here", origin_of(inner.place())}});
}

Instance& TreeState::component_instance(Slot& slot) {
  if (slot.instance) return *slot.instance;
  if (slot.in_progress) {
    fail(slot.place(), "M107", "the type of '" + slot.name.string() + "' refers to itself.");
  }
  const ForNow in_progress(slot.in_progress, true);
  const Component& component = *slot.component;
  Slot& class_slot = find_class_slot(*slot.scope, component.type);
  const ResolvedClass& cls = resolve(class_slot);
  check_type(slot, cls);
  Instance& added = new_instance();
  InstanceData& own = data(added);
  own.is_component = true;
  own.parent = slot.owner;
  own.slot = &slot;
  own.name = slot.name;
  own.depth = data(*slot.owner).depth + 1;
  own.class_slot = &class_slot;
  own.cls = &cls;
  if (slot.is_outer() && !slot.is_inner()) check_outer(slot);
  if (slot.outer && component.prefix.final_ && !slot.outer->lenient) {
    fail(slot.outer->place, "M105", "'" + slot.name.string() + "' is final and cannot be modified.",
         {{"it is declared here", origin_of(component.place)}});
  }
  const Modifier* said = modifiers.build(component.modification, *slot.scope, 1);
  own.modifier = modifiers.merge(slot.outer, modifiers.merge(said, slot.weak));
  own.all = modifiers.merge(own.modifier, cls.modifier);
  own.declared_dimensions = declared_dimensions(slot, cls);
  check_recursion(added);
  slot.instance = &added;
  check_constraint(slot);
  check_constraint(class_slot);
  // A type may inherit dimensions: type Rotation extends Matrix, type Matrix = Real[3, 3].
  if (cls.node->definition().restriction == Restriction::type && cls.type == TypeKind::structured)
    simple_layer(root_layer(added));
  return added;
}

Instance& TreeState::entry_of(Instance& array, std::span<const std::int64_t> indices) {
  Instance& added = new_instance();
  InstanceData& own = data(added);
  const InstanceData& whole = data(array);
  own.is_component = true;
  own.is_entry = true;
  own.parent = whole.parent;
  own.slot = whole.slot;
  own.name = whole.name;
  own.depth = whole.depth;
  own.type = whole.type;
  own.type_known = whole.type_known;
  own.class_slot = whole.class_slot;
  own.cls = whole.cls;
  own.modifier = whole.modifier;
  own.all = whole.all;
  own.array = &array;
  own.indices.assign(indices.begin(), indices.end());
  return added;
}

// ---------------------------------------------------------------------------------------------------
// inner and outer

Slot& TreeState::inner_class(Slot& outer) {
  for (Instance* at = data(*outer.owner).parent; at; at = data(*at).parent) {
    Slot* slot = find_local(root_layer(*at), outer.name);
    if (slot && !slot->component && slot->is_inner()) return *slot;
  }
  fail(outer.place(), "M112",
       "the class '" + outer.name.string() +
           "' is 'outer', but no component around it declares it 'inner'.");
}

Instance& TreeState::find_inner(Instance& outer) {
  if (Instance* declared = find_declared_inner(outer)) return *declared;
  const Name name = data(outer).name;
  for (Instance* known : implicit_inners) {
    if (data(*known).name == name) return *known;
  }
  return implicit_inner(outer);
}

Instance* TreeState::find_declared_inner(Instance& outer) {
  const Name name = data(outer).name;
  for (Instance* at = data(*data(outer).parent).parent; at; at = data(*at).parent) {
    if (data(*at).type_known && data(*at).type != TypeKind::structured) continue;
    Slot* slot = find_local(root_layer(*at), name);
    if (!slot || !slot->component || !slot->is_inner()) continue;
    Instance& inner = component_instance(*slot);
    check_inner(outer, inner);
    return &inner;
  }
  return nullptr;
}

Instance& TreeState::implicit_inner(Instance& outer) {
  const Slot& original = *data(outer).slot;
  const std::string name = "'" + original.name.string() + "'";
  const std::string class_name = data(outer).cls->declared->full_name();
  if (!model || data(outer).cls->node->definition().partial) {
    fail(original.place(), "M112",
         name + " is 'outer', but nothing around it is declared 'inner " + class_name + " " +
             original.name.string() + "'. Add that to the model.");
  }
  Slot& slot = slots.emplace_back();
  slot.name = original.name;
  slot.owner = model;
  slot.component = original.component;
  slot.scope = original.scope;
  slot.outer = original.outer;
  slot.weak = original.weak;
  slot.replaced = original.replaced;
  slot.is_implicit_inner = true;
  Instance& added = component_instance(slot);
  implicit_inners.push_back(&added);
  warnings.push_back(diagnostic_at(original.place(), "M150",
                                   name + " is 'outer', but nothing around it is 'inner': 'inner " +
                                       class_name + " " + original.name.string() +
                                       "' was added to the model with its default values."));
  return added;
}

Dimension TreeState::written_size(std::int64_t size, const Slot& slot) {
  Expression& written = sizes.emplace_back();
  written.kind = ExpressionKind::integer;
  written.place = slot.place();
  written.integer = size;
  written.real = static_cast<double>(size);
  return {&written, slot.scope};
}

Instance& InstanceTree::add_member(Instance& connector, Name name, Instance& like,
                                   const std::vector<std::int64_t>* sizes) {
  const InstanceData& original = TreeState::data(like);
  Content& inside = state_->content(connector);
  state_->know_children(connector);
  Slot& slot = state_->slots.emplace_back();
  slot.name = name;
  slot.owner = &connector;
  slot.component = original.slot->component;
  slot.scope = original.slot->scope;
  slot.replaced = original.slot->replaced;
  Instance& added = state_->new_instance();
  InstanceData& own = TreeState::data(added);
  own.is_component = true;
  own.parent = &connector;
  own.slot = &slot;
  own.name = name;
  own.depth = TreeState::data(connector).depth + 1;
  own.class_slot = original.class_slot;
  own.cls = original.cls;
  own.modifier = original.modifier;
  own.all = original.all;
  own.presence = 1;
  own.binding_known = true;
  if (sizes != nullptr) {
    for (const std::int64_t size : *sizes)
      own.declared_dimensions.push_back(state_->written_size(size, slot));
  } else if (!original.is_entry) {
    own.declared_dimensions = original.declared_dimensions;
  }
  slot.instance = &added;
  inside.slots.push_back(&slot);
  if (!inside.slot_by_name.empty()) inside.slot_by_name.emplace(name, &slot);
  inside.children.push_back(&added);
  return added;
}

void InstanceTree::give_sizes(Instance& component, const std::vector<std::int64_t>& sizes) {
  InstanceData& own = TreeState::data(component);
  std::vector<Dimension> dimensions;
  for (const std::int64_t size : sizes) dimensions.push_back(state_->written_size(size, *own.slot));
  own.declared_dimensions = std::move(dimensions);
  own.dimensions.clear();
  own.dimensions_known = false;
}

// ---------------------------------------------------------------------------------------------------
// What is inside

void TreeState::list_children(Scope& layer, std::vector<Instance*>& children, Mistakes& mistakes) {
  know_bases(layer);
  std::size_t next_base = 0;
  const auto& bases = data(layer).bases;
  if (layer.definition().body == ClassBody::extends && !bases.empty()) {
    list_children(*bases[next_base++], children, mistakes);
  }
  for (const Element& element : layer.definition().elements) {
    if (element.kind == ElementKind::extends) {
      list_children(*bases[next_base++], children, mistakes);
    } else if (element.kind == ElementKind::component) {
      mistakes.attempt_part([&] {
        Slot* slot = slot_of(layer.instance(), element.component->name);
        if (slot == nullptr || slot->is_listed) return;  // none: left out by `break`
        slot->is_listed = true;
        children.push_back(&component_instance(*slot));
      });
    }
  }
}

void TreeState::check_partial(const Instance& instance) {
  const InstanceData& own = data(instance);
  if (!own.is_component || !own.slot || !own.cls->node->definition().partial) return;
  // Inside of classes that are not flattened, partial ones may stand for what replaces them.
  for (const Instance* at = own.parent; at != model; at = data(*at).parent) {
    if (!at || !data(*at).is_component) return;
  }
  fail(own.slot->place(), "M113",
       "'" + instance.full_name() + "' is of the class '" + own.cls->node->full_name() +
           "', which is partial. Use a class that extends it, or redeclare it.");
}

/// Of input, output and flow on something as a whole, nothing inside may say more.
void TreeState::check_prefixes(Instance& instance, const std::vector<Instance*>& children) {
  const InstanceData& own = data(instance);
  if (!own.is_component || !own.slot) return;
  const auto prefixed = [](const TypePrefix& prefix) {
    return prefix.causality != Causality::none || prefix.connection != Connection::none;
  };
  const auto is_prefixed = [&](const InstanceData& one) {
    return prefixed(one.slot->component->type_prefix) || prefixed(one.cls->prefix);
  };
  if (!is_prefixed(own) || own.cls->declared->definition().restriction == Restriction::function)
    return;
  for (const Instance* child : children) {
    if (!is_prefixed(data(*child))) continue;
    fail(own.slot->place(), "M124",
         "'" + instance.full_name() +
             "' is an input, output, flow or stream as a whole, but inside of it '" +
             data(*child).name.string() + "' is one by itself. Take one of the two away.",
         {{"it is declared here", origin_of(data(*child).slot->place())}});
  }
}

/// For messages: what would be checked when somebody looked into the children.
void TreeState::check_modifiers(const std::vector<Instance*>& children, Mistakes& mistakes) {
  for (Instance* child : children)
    mistakes.attempt_part([&] {
      if (type_of(*child) != TypeKind::structured)
        know_attributes(*child);
      else if (!child->is_array())
        check_modifier(*child);
    });
}

/// Those that nobody uses are looked at here.
void TreeState::check_redeclared_classes(Instance& instance) {
  std::vector<Scope*> layers{&root_layer(instance)};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const ScopeData& layer = data(*layers[i]);
    layers.insert(layers.end(), layer.bases.begin(), layer.bases.end());
    const Modifier* said = i == 0 ? layer.modifier : layer.extends_modifier;
    if (!said) continue;
    for (const NamedModifier& entry : said->children) {
      if (!entry.modifier->class_definition || entry.modifier->lenient) continue;
      Slot* slot = slot_of(instance, entry.name);
      if (slot && !slot->component && !slot->in_progress) check_constraint(*slot);
    }
  }
}

void TreeState::know_children(Instance& instance) {
  Content& inside = content(instance);
  if (inside.children_known) return;
  if (!instance.is_array() && type_of(instance) == TypeKind::structured) {
    check_partial(instance);
    check_modifier(instance);
    std::vector<Instance*> children;
    for (Slot* slot : inside.slots) slot->is_listed = false;
    Mistakes mistakes;
    list_children(root_layer(instance), children, mistakes);
    if (!mistakes.empty()) check_modifiers(children, mistakes);
    mistakes.report();
    check_prefixes(instance, children);
    inside.children = std::move(children);
    check_redeclared_classes(instance);
  }
  inside.children_known = true;
}

void TreeState::list_sections(Scope& layer, Content& inside) {
  know_bases(layer);
  for (Scope* base : data(layer).bases) list_sections(*base, inside);
  const ClassDefinition& definition = layer.definition();
  // What is inherited twice counts once (specification, 5.6.1).
  const auto is_known = [](const auto& list, const auto& section) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& known) { return known.item == &section; });
  };
  for (const EquationSection& section : definition.equations) {
    if (!is_known(inside.equations, section)) inside.equations.push_back({&section, &layer});
  }
  for (const AlgorithmSection& section : definition.algorithms) {
    if (!is_known(inside.algorithms, section)) inside.algorithms.push_back({&section, &layer});
  }
  if (definition.external) inside.external = {definition.external, &layer};
}

void TreeState::know_sections(Instance& instance) {
  Content& inside = content(instance);
  if (inside.sections_known) return;
  if (!instance.is_array()) list_sections(root_layer(instance), inside);
  inside.sections_known = true;
}

}  // namespace alembert::modelica
