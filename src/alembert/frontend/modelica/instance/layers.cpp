// SPDX-License-Identifier: Apache-2.0
// The class bodies of an instance: its own and those it extends (specification, 7.1).
#include <algorithm>

#include "alembert/frontend/modelica/instance/class_rules.hpp"
#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

// Far beyond any class that is meant: what reaches these would never end, or doubles at each level.
constexpr std::size_t max_layers_above = 200;
constexpr std::size_t max_layers = 20'000;

}  // namespace

const ClassIndex& TreeState::index_of(ClassNode& node) {
  const ClassDefinition& definition = node.definition();
  std::unique_ptr<ClassIndex>& index = indexes[&definition];
  if (!index) {
    index = std::make_unique<ClassIndex>(index_class(definition));
    check_class_rules(definition);
  }
  return *index;
}

Scope& TreeState::make_layer(Instance& instance, const ResolvedClass& cls,
                             const Modifier* modifier) {
  Scope& layer = scopes.emplace_back();
  ScopeData& own = scope_data.emplace_back();
  layer.instance_ = &instance;
  layer.node_ = cls.node;
  layer.enclosing_ = cls.enclosing;
  layer.data_ = &own;
  own.index = &index_of(*cls.node);
  own.modifier = modifier;
  own.extended = cls.extended;
  own.type = cls.type;
  own.is_package = cls.node->is_root() ||
                   cls.node->definition().restriction == Restriction::package ||
                   cls.node->definition().restriction == Restriction::class_;
  return layer;
}

Scope& TreeState::root_layer(Instance& instance) {
  InstanceData& own = data(instance);
  if (!own.root) own.root = &make_layer(instance, *own.cls, own.all);
  return *own.root;
}

namespace {

/// Nothing but an icon, which any class may have.
bool is_empty(const ClassDefinition& definition) {
  return definition.body == ClassBody::long_ && definition.elements.empty() &&
         definition.equations.empty() && definition.algorithms.empty() &&
         definition.external == nullptr;
}

}  // namespace

void TreeState::check_kinds(const ClassDefinition& derived, const ClassDefinition& base,
                            Place place) {
  if (may_extend(derived.restriction, base.restriction)) return;
  Diagnostic mistake =
      diagnostic_at(place, "M123",
                    "'" + derived.name.string() + "' is " + with_article(derived.restriction) +
                        " and cannot be made from '" + base.name.string() + "', which is " +
                        with_article(base.restriction) + ".",
                    {{"it is declared here", origin_of(base.place)}});
  const bool is_harmless = derived.body == ClassBody::long_ && is_empty(base);
  if (!is_harmless) throw Error({std::move(mistake)});
  if (told_kinds.insert(&derived).second) warnings.push_back(std::move(mistake));
}

/// Operators are for the record that has them; what extended it would be another (specification,
/// 14.3). A short definition only gives it other attributes.
void TreeState::check_operator_record(const Scope& layer, const ResolvedClass& cls, Place place) {
  const std::string name = "'" + layer.definition().name.string() + "'";
  const std::string base = "'" + cls.declared->name().string() + "'";
  if (cls.node->definition().restriction == Restriction::operator_record) {
    fail(place, "M123",
         name + " cannot extend the operator record " + base + ". Write 'operator record " +
             layer.definition().name.string() + " = " + cls.declared->name().string() +
             "(...)', or give it a component of that type.");
  }
  for (const Element& element : cls.node->definition().elements) {
    if (element.kind != ElementKind::class_definition ||
        element.class_definition->restriction != Restriction::operator_record ||
        element.class_definition->body != ClassBody::long_)
      continue;
    fail(place, "M123",
         name + " cannot extend " + base + ", in which the operator record '" +
             element.class_definition->name.string() + "' is declared. Declare that elsewhere.",
         {{"it is declared here", origin_of(element.class_definition->place)}});
  }
}

/// Nothing goes with a class that is an array, or an input or output as a whole (7.1.3).
void TreeState::check_lone_base(Scope& layer, const ResolvedClass& cls, Place place) {
  const bool is_array = !cls.dimensions.empty();
  const bool is_prefixed = cls.prefix.causality != Causality::none ||
                           cls.prefix.connection != Connection::none ||
                           cls.prefix.variability != Variability::none;
  if (!is_array && !is_prefixed) return;
  const auto& elements = layer.definition().elements;
  const auto n_others = std::count_if(elements.begin(), elements.end(), [](const Element& element) {
    return element.kind == ElementKind::component || element.kind == ElementKind::extends;
  });
  if (n_others <= 1) return;
  fail(place, "M123",
       "'" + layer.definition().name.string() + "' extends '" + cls.declared->name().string() +
           "', which is " + (is_array ? "an array" : "an input, output, flow or parameter") +
           " as a whole, so that it can have no other components and extend nothing else.",
       {{"it is declared here", origin_of(cls.declared->definition().place)}});
}

void TreeState::add_base(Scope& layer, Slot& base, const Modifier* extends_modifier,
                         Visibility visibility, Place place, const ModificationBody* selection) {
  const ResolvedClass& cls = resolve(base);
  check_kinds(layer.definition(), cls.declared->definition(), place);
  check_operator_record(layer, cls, place);
  check_lone_base(layer, cls, place);
  std::size_t n_above = 0;
  for (Scope* at = &layer; at; at = data(*at).derived) {
    if (&at->node() == cls.node && cls.node->definition().body != ClassBody::extends) {
      fail(place, "M107",
           "'" + layer.node().full_name() + "' extends itself" +
               (at == &layer ? "" : ", by way of '" + cls.node->full_name() + "'") +
               ". Remove this 'extends', or extend another class.");
    }
    if (++n_above > max_layers_above) {
      fail(place, "M119", "classes extend one another more than 200 deep.");
    }
  }
  const Modifier* modifier =
      modifiers.merge(modifiers.merge(data(layer).modifier, extends_modifier), cls.modifier);
  Scope& added = make_layer(layer.instance(), cls, modifier);
  ScopeData& own = data(added);
  own.derived = &layer;
  own.extends_modifier = extends_modifier;
  own.visibility = visibility;
  if (selection != nullptr) {
    for (const Modification* argument : selection->arguments) {
      if (argument->kind == ModificationKind::break_component ||
          argument->kind == ModificationKind::break_connect) {
        own.left_out.push_back(argument);
      }
    }
  }
  data(layer).bases.push_back(&added);
  auto& dimensions = data(layer.instance()).declared_dimensions;
  dimensions.insert(dimensions.end(), cls.dimensions.begin(), cls.dimensions.end());
  if (++data(layer.instance()).n_layers > max_layers) {
    fail(place, "M119",
         "'" + layer.instance().class_node().full_name() +
             "' inherits in more than 20000 ways. Do classes extend one another twice at each "
             "level?");
  }
}

void TreeState::know_bases(Scope& layer) {
  ScopeData& own = data(layer);
  if (own.bases_state != ScopeData::Bases::unknown) return;
  own.bases_state = ScopeData::Bases::in_progress;
  const ClassDefinition& definition = layer.definition();
  if (definition.body == ClassBody::extends && own.extended) {
    add_base(layer, const_cast<Slot&>(*own.extended),
             modifiers.build(definition.modification, layer, 0), Visibility::public_,
             definition.place);
  }
  for (const BaseClause& clause : own.index->bases) {
    const Extends& extends = *clause.extends;
    Slot* base = find_path(layer, extends.base, false);
    if (!base) {
      own.sees_first_bases = true;
      base = &find_class_slot(layer, extends.base);
      own.sees_first_bases = false;
    } else if (base->component) {
      base = &find_class_slot(layer, extends.base);
    }
    add_base(layer, *base, modifiers.build(extends.modification, layer, 0, false, true),
             clause.visibility, extends.place, extends.modification);
  }
  own.bases_state = ScopeData::Bases::known;
}

namespace {

/// What a type of the language has (specification, 4.9).
std::vector<std::string_view> attributes_of(TypeKind type) {
  switch (type) {
    case TypeKind::real:
      return {"start",    "fixed",   "min",         "max",       "unit",         "displayUnit",
              "quantity", "nominal", "stateSelect", "unbounded", "absoluteValue"};
    case TypeKind::integer:
    case TypeKind::enumeration: return {"start", "fixed", "min", "max", "quantity"};
    case TypeKind::boolean:
    case TypeKind::string: return {"start", "fixed", "quantity"};
    default: return {};
  }
}

/// "start, fixed and quantity", without those that only tools know.
std::string listed_attributes(TypeKind type) {
  std::vector<std::string_view> names = attributes_of(type);
  std::erase_if(
      names, [](std::string_view name) { return name == "unbounded" || name == "absoluteValue"; });
  std::string text(names.front());
  for (std::size_t i = 1; i < names.size(); ++i)
    text.append(i + 1 == names.size() ? " and " : ", ").append(names[i]);
  return text;
}

}  // namespace

void TreeState::check_attributes(const ClassNode& node, TypeKind type, const Modifier& modifier) {
  Mistakes mistakes;
  const std::vector<std::string_view> attributes = attributes_of(type);
  for (const NamedModifier& entry : modifier.children) {
    if (entry.modifier->lenient ||
        std::ranges::find(attributes, entry.name.text()) != attributes.end())
      continue;
    mistakes.add(diagnostic_at(
        entry.modifier->place, "M104",
        "'" + entry.name.string() + "' is not an attribute of '" + node.full_name() + "'." +
            (attributes.empty() ? "" : " There are " + listed_attributes(type) + ".")));
  }
  mistakes.report();
}

void TreeState::check_targets(Scope& layer, const Modifier& modifier) {
  if (const Scope* simple = simple_layer(layer))
    return check_attributes(layer.node(), data(*simple).type, modifier);
  Mistakes mistakes;
  for (const NamedModifier& entry : modifier.children) {
    if (entry.modifier->lenient || declares(layer, entry.name)) continue;
    mistakes.add(diagnostic_at(entry.modifier->place, "M104",
                               "'" + entry.name.string() + "' is modified, but '" +
                                   layer.node().full_name() + "' has no such element." +
                                   similar_members(layer.instance(), entry.name)));
  }
  mistakes.report();
}

void TreeState::check_visibility(Instance& instance) {
  const Modifier* modifier = data(instance).modifier;
  if (!modifier || type_of(instance) != TypeKind::structured) return;
  for (const NamedModifier& entry : modifier->children) {
    if (entry.modifier->lenient || !declares(root_layer(instance), entry.name)) continue;
    const Slot& slot = *slot_of(instance, entry.name);
    if (slot.visibility != Visibility::protected_) continue;
    fail(entry.modifier->place, "M115",
         "'" + entry.name.string() + "' is protected in '" + data(instance).cls->node->full_name() +
             "' and cannot be modified from outside. Make it public there, or set it inside.",
         {{"it is declared here", origin_of(slot.place())}});
  }
}

void TreeState::check_modifier(Instance& instance) {
  Content& inside = content(instance);
  if (inside.modifier_checked) return;
  std::vector<Scope*> layers{&root_layer(instance)};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    know_bases(*layers[i]);
    const ScopeData& layer = data(*layers[i]);
    if (layer.bases_state != ScopeData::Bases::known) return;  // asked for in the middle of it
    layers.insert(layers.end(), layer.bases.begin(), layer.bases.end());
  }
  inside.modifier_checked = true;
  check_visibility(instance);
  if (const Modifier* modifier = data(*layers.front()).modifier) {
    check_targets(*layers.front(), *modifier);
  }
  for (Scope* layer : layers) {
    if (const Modifier* modifier = data(*layer).extends_modifier) check_targets(*layer, *modifier);
    check_selection(*layer);
  }
}

Scope* TreeState::simple_layer(Scope& layer) {
  if (data(layer).type != TypeKind::structured) return &layer;
  know_bases(layer);
  for (std::size_t i = 0; i < data(layer).bases.size(); ++i) {
    if (Scope* found = simple_layer(*data(layer).bases[i])) return found;
  }
  return nullptr;
}

TypeKind TreeState::type_of(Instance& instance) {
  InstanceData& own = data(instance);
  if (own.type_known) return own.type;
  own.type = own.cls->type;
  if (own.type == TypeKind::structured) {
    switch (own.cls->node->definition().restriction) {
      case Restriction::class_:
      case Restriction::connector:
      case Restriction::type:
        if (Scope* simple = simple_layer(root_layer(instance))) own.type = data(*simple).type;
        break;
      default: break;
    }
  }
  own.type_known = true;
  return own.type;
}

}  // namespace alembert::modelica
