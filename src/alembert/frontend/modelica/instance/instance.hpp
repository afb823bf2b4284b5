// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. The instance tree: a class of the library, with everything
// that `extends`, modifications and redeclarations do to it, expanded on demand.
//
// In: a `ClassLibrary` (syntax/) and the name of a model. Out: `Instance`s. An instance is
//  - a component: `r`, `plant.r[2].p`; the tree of components of the model; or
//  - a class used by its name: a package, function, record or type such as `Modelica.Constants`,
//    `medium.h_T`. Looking into one builds only what is looked up. A class is built once for each
//    environment, so that the address of a class instance may serve as a key for caches.
// Both have `children`, `equations`, `scope` and so on by the same rules.
//
// Arrays. A component of a simple type (Real, Integer, Boolean, String, enumeration, Clock,
// ExternalObject) with dimensions is ONE instance. Of a structured type (model, record, connector)
// there is one instance for the whole (`is_array()`) and one for each entry (`entry(i)`, row by
// row); what is inside of it belongs to the entries. `prototype()` is an entry without a place, for
// questions about the type.
//
// Everything here is lazy and remembered; nothing is const in the strict sense, and a tree belongs
// to one thread. Mistakes in the model are thrown as Error M1xx.
//
// Language specification: Modelica 3.6, chapters 5 (scoping, lookup) and 7 (inheritance,
// modification, redeclaration).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/frontend/modelica/instance/binding.hpp"
#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::modelica {

class Instance;
class InstanceTree;
struct InstanceData;
struct ScopeData;
struct TreeState;

/// The body of one class inside of an instance: its own class, or one that it extends. Names in
/// expressions are looked up from here: first among what the class declares and inherits, then in
/// the scope that encloses the class in the text.
class Scope {
 public:
  Instance& instance() const { return *instance_; }
  ClassNode& node() const { return *node_; }
  const ClassDefinition& definition() const { return node_->definition(); }
  Scope* enclosing() const { return enclosing_; }  ///< null for the outermost

 private:
  friend struct TreeState;
  Instance* instance_ = nullptr;
  ClassNode* node_ = nullptr;
  Scope* enclosing_ = nullptr;
  ScopeData* data_ = nullptr;
};

enum class TypeKind : std::uint8_t {
  structured,  ///< model, record, connector, package, function ...: see restriction()
  real,
  integer,
  boolean,
  string,
  enumeration,
  clock,
  external_object,
};

/// A dimension as it is written; `expression->kind == colon` for `:`.
struct Dimension {
  const Expression* expression = nullptr;
  Scope* scope = nullptr;
};

template <class T>
struct InScope {
  const T* item = nullptr;
  Scope* scope = nullptr;
};
using ScopedEquations = InScope<EquationSection>;
using ScopedAlgorithm = InScope<AlgorithmSection>;
using ScopedExternal = InScope<External>;

struct Attribute {
  Name name;  ///< start, fixed, min, max, unit, quantity, displayUnit, nominal, stateSelect, ...
  Binding binding;
};

class Instance {
 public:
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  InstanceTree& tree() const;
  Name name() const;
  /// The component (or class) that this one is declared in; null for the model itself and the top
  /// of the library. An entry of an array has the same parent as the array.
  Instance* parent() const;
  /// "a.b[2].c" for components (the model itself has the empty name), "Modelica.Constants" for
  /// classes.
  std::string full_name() const;
  Place place() const;  ///< of the declaration
  bool is_component() const;
  bool is_class() const { return !is_component(); }
  /// The declaration of a component after redeclaration; null for classes and the model itself.
  const Component* component() const;

  // --- the class
  /// The class after redeclaration; for short classes the short one. See also base_definition().
  ClassNode& class_node() const;
  const ClassDefinition& definition() const { return class_node().definition(); }
  Restriction restriction() const { return definition().restriction; }
  bool is_partial();
  /// Where names in the body of the class are looked up.
  Scope& scope();
  /// The class by itself, without what was modified in this component: constructors and operators
  /// of records are looked up in it. A class is its own.
  Instance& class_instance();
  TypeKind type();
  bool is_simple() { return type() != TypeKind::structured; }
  /// Of an enumeration, in order; the value of the first one is 1.
  List<EnumerationLiteral> literals();
  /// The class with the literals, or with the body: after all short definitions.
  ClassNode& base_class_node();

  // --- prefixes; what a component has by its declaration, its class, or what it is part of
  Variability variability();
  Causality causality();
  Connection connection();
  bool is_protected();  ///< itself, or what it is part of
  bool is_inner() const;
  bool is_outer() const;  ///< stands for another component: outer_target(); has no place of its own
  bool is_final();
  /// The `inner` component that an `outer` one stands for; itself if it is not `outer`.
  Instance& outer_target();
  /// The same if somebody declared one; null if none is there.
  Instance* declared_inner();
  const ModificationBody* annotation() const;  ///< of the declaration

  // --- arrays
  /// As declared, outermost first: of the component, its type, and short classes. No evaluation.
  std::span<const Dimension> declared_dimensions();
  bool has_dimensions() { return !declared_dimensions().empty() && !is_entry(); }
  /// Evaluated. Empty for scalars and for entries of arrays.
  std::span<const std::int64_t> dimensions();
  /// One of them (counts from 0), without the others: in `Real A[:, size(A, 1)]` the second one
  /// asks for the first.
  std::int64_t dimension(std::size_t i);
  /// `Real x[Boolean]`, `x[Color]`: the type that a dimension is given by; null: by a number.
  Instance* index_type(std::size_t i);
  bool is_array() { return has_dimensions() && type() == TypeKind::structured; }
  std::size_t n_entries();                 ///< of an array: the product of its dimensions
  Instance& entry(std::size_t row_major);  ///< counts from 0
  Instance& prototype();                   ///< itself if it is no array
  bool is_entry() const;
  std::span<const std::int64_t> indices() const;  ///< of an entry, count from 1
  Instance* array() const;                        ///< of an entry

  // --- what is inside; of an array nothing, ask its entries
  /// The components in the order of their declaration, inherited ones where `extends` stands. Also
  /// those that are `outer` or absent by their condition.
  std::span<Instance* const> children();
  /// Component or class of that name inside of this one, declared or inherited; null if there is
  /// none. An `outer` component gives its `inner`.
  Instance* member(Name name);
  Instance* component_member(Name name);
  /// False if the condition of the component (or of what it is part of) does not hold.
  bool is_present();
  Dimension condition() const;  ///< the expression and where it is looked up, or null

  // --- values
  /// After all modifications. A member of a record that has a binding as a whole gets its part.
  const Binding& binding();
  /// Of simple types; those that are given somewhere, in the order of the modifications.
  std::span<const Attribute> attributes();
  const Binding* attribute(std::string_view name);  ///< null if not given
  /// What was set from outside for entries of this component, which is an array of a simple type.
  std::vector<const EntryValue*> entry_values() const;

  // --- behaviour: of the class and all that it extends, in the order of the text
  std::span<const ScopedEquations> equations();
  std::span<const ScopedAlgorithm> algorithms();
  ScopedExternal external();  ///< of a function; item is null if there is none
  /// `function df = der(f, x)`: f. Null for others.
  Instance* differentiated_function();
  /// An entry `a(b = ...)` of the annotation of the class or, if `inherited`, of what it extends,
  /// the nearest first: annotation_value({"experiment", "StopTime"}). item is null if absent.
  InScope<Expression> class_annotation(std::initializer_list<std::string_view> path,
                                       bool inherited = false);

 private:
  friend struct TreeState;
  friend struct InstanceData;
  Instance() = default;
  InstanceData* data_ = nullptr;
};

/// An entry of an annotation by its path, e.g. {"Dialog", "group"}; null if absent.
const Expression* annotation_value(const ModificationBody* annotation,
                                   std::initializer_list<std::string_view> path);
const ModificationBody* annotation_body(const ModificationBody* annotation,
                                        std::initializer_list<std::string_view> path);

}  // namespace alembert::modelica
