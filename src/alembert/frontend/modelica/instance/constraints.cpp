// SPDX-License-Identifier: Apache-2.0
// What may stand where something replaceable is declared (specification, 6.4, 7.3.2): a class with
// all public elements of the constraining one. A class that extends the constraining one has them,
// so that only others are looked at element by element.
#include <algorithm>

#include "alembert/frontend/modelica/instance/class_rules.hpp"
#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

/// Elements of elements are compared so deep; classes may contain one another in circles.
constexpr int max_compared_depth = 4;

const Constraint* constraint_of(const Slot& slot) {
  return slot.component ? slot.component->constraint : slot.node->definition().constraint;
}

std::string text_of(TypeKind type) {
  switch (type) {
    case TypeKind::real: return "a Real";
    case TypeKind::integer: return "an Integer";
    case TypeKind::boolean: return "a Boolean";
    case TypeKind::string: return "a String";
    case TypeKind::enumeration: return "an enumeration";
    case TypeKind::clock: return "a Clock";
    case TypeKind::external_object: return "an ExternalObject";
    case TypeKind::structured: break;
  }
  return "no simple type";
}

}  // namespace

/// Is the class of the text among the layers?
bool TreeState::is_made_from(Scope& layer, const ClassNode& node) {
  if (&layer.node() == &node) return true;
  know_bases(layer);
  return std::ranges::any_of(data(layer).bases,
                             [&](Scope* base) { return is_made_from(*base, node); });
}

void TreeState::public_elements(Scope& layer, std::vector<Name>& names) {
  for (const Element& element : layer.definition().elements) {
    if (element.visibility == Visibility::protected_) continue;
    if (element.kind == ElementKind::component) names.push_back(element.component->name);
    if (element.kind == ElementKind::class_definition &&
        layer.definition().restriction == Restriction::package)
      names.push_back(element.class_definition->name);
  }
  know_bases(layer);
  for (Scope* base : data(layer).bases)
    if (data(*base).visibility == Visibility::public_) public_elements(*base, names);
}

/// What `candidate` lacks to stand for `wanted`: "has no 'x'"; empty if nothing.
std::string TreeState::what_it_lacks(Slot& candidate, Slot& wanted, int depth) {
  if (&candidate == &wanted) return {};
  if (resolve(candidate).node == resolve(wanted).node) return {};
  Instance& has = class_instance(candidate);
  Instance& needs = class_instance(wanted);
  if (&has == &needs) return {};
  if (type_of(has) != type_of(needs)) {
    const bool both_simple =
        type_of(has) != TypeKind::structured && type_of(needs) != TypeKind::structured;
    return both_simple ? "is " + text_of(type_of(has)) + ", not " + text_of(type_of(needs))
           : type_of(has) == TypeKind::structured ? "is not " + text_of(type_of(needs))
                                                  : "is " + text_of(type_of(has));
  }
  if (type_of(has) == TypeKind::enumeration) return {};
  if (is_made_from(root_layer(has), root_layer(needs).node())) return {};
  std::vector<Name> names;
  public_elements(root_layer(needs), names);
  for (const Name name : names) {
    Slot* given = find_member(has, name);
    if (given == nullptr || given->visibility == Visibility::protected_)
      return "has no " + std::string(given ? "public " : "") + "'" + name.string() + "'";
    Slot* asked = find_member(needs, name);
    if (asked == nullptr || asked == given) continue;
    if ((asked->component == nullptr) != (given->component == nullptr))
      return "has '" + name.string() + "' as " +
             (given->component ? "a component, not a class" : "a class, not a component");
    if (asked->component == nullptr || depth >= max_compared_depth) continue;
    const std::string inside =
        what_it_lacks(find_class_slot(*given->scope, given->component->type),
                      find_class_slot(*asked->scope, asked->component->type), depth + 1);
    if (!inside.empty()) return "has an element '" + name.string() + "' that " + inside;
  }
  return {};
}

/// The class that a redeclaration of the slot must fit, and where that is said.
TreeState::Constraining TreeState::constraining(Slot& slot) {
  for (const Slot* at = &slot; at; at = at->replaced) {
    if (const Constraint* constraint = constraint_of(*at))
      return {&find_class_slot(*at->scope, constraint->type), constraint->place};
    if (at->replaced) continue;  // without one of its own, that of what it replaces stays
    if (at->component) return {&find_class_slot(*at->scope, at->component->type), at->place()};
    return {const_cast<Slot*>(at), at->place()};
  }
  return {};
}

namespace {

/// As the user knows it: of a short definition, what it is short for.
std::string known_name(const Slot& cls) {
  const ClassDefinition& definition = cls.node->definition();
  return definition.body == ClassBody::short_ ? std::string(definition.base.place.text())
                                              : cls.name.string();
}

}  // namespace

void TreeState::check_fits(const Slot& slot, Slot& cls, const Constraining& constraining) {
  const std::string lacks = what_it_lacks(cls, *constraining.cls, 0);
  if (lacks.empty()) return;
  const std::string wanted = "'" + known_name(*constraining.cls) + "'";
  const std::string name = "'" + slot.name.string() + "'";
  const bool is_long = &slot == &cls && slot.node->definition().body == ClassBody::long_;
  fail(slot.place(), "M126",
       (is_long ? "the class " + name + " " + lacks
                : name + " cannot be '" + known_name(cls) + "', which " + lacks) +
           ", while all of " + wanted + " is asked for. " +
           (is_long ? "Declare it there" : "Take a class that has it") + ", or constrain " + name +
           " by another one.",
       {{"it is constrained here", origin_of(constraining.place)}});
}

/// The type without dimensions of the declaration, and the constraining one, have as many.
void TreeState::check_same_rank(const Slot& slot, Slot& type, Slot& constraint, Place place) {
  const std::size_t n_type = resolve(type).dimensions.size();
  const std::size_t n_constraint = resolve(constraint).dimensions.size();
  if (n_type == n_constraint) return;
  fail(slot.place(), "M126",
       "'" + slot.name.string() + "' cannot be of the type '" + type.name.string() +
           "' with another number of dimensions than '" + constraint.name.string() +
           "', which it is constrained by. Give both types as many.",
       {{"it is constrained here", origin_of(place)}});
}

void TreeState::check_constraint(Slot& slot) {
  if (slot.constraint_checked) return;
  slot.constraint_checked = true;
  const Constraint* own = constraint_of(slot);
  if (!own && !slot.replaced) return;
  const bool extends_it = slot.node && slot.node->definition().body == ClassBody::extends;
  Slot& cls = slot.component ? find_class_slot(*slot.scope, slot.component->type) : slot;
  if (own) {
    Slot& constraint = find_class_slot(*slot.scope, own->type);
    check_fits(slot, cls, {&constraint, own->place});
    Slot& written = slot.node && slot.node->definition().body == ClassBody::short_
                        ? find_class_slot(*slot.scope, slot.node->definition().base)
                        : cls;
    check_same_rank(slot, written, constraint, own->place);
  }
  if (!slot.replaced || extends_it) return;
  const Constraining before = constraining(const_cast<Slot&>(*slot.replaced));
  if (own) {
    Slot& constraint = find_class_slot(*slot.scope, own->type);
    const std::string lacks = what_it_lacks(constraint, *before.cls, 0);
    if (!lacks.empty())
      fail(own->place, "M126",
           "'" + slot.name.string() + "' cannot be constrained by '" + known_name(constraint) +
               "', which " + lacks + ", while all of '" + known_name(*before.cls) +
               "' was asked for before. A redeclaration may only ask for more.",
           {{"it was constrained here", origin_of(before.place)}});
  }
  check_fits(slot, cls, before);
}

}  // namespace alembert::modelica
