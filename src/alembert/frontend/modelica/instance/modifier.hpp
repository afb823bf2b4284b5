// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. Modifications with the scope they were written in, and how
// those of an outer level are merged with those of an inner one (specification, 7.2.4).
//
// A `Modifier` holds all that is said about one element. It never changes once it is built, so that
// it is shared by the entries of an array and by everything that inherits it.
#pragma once

#include <memory_resource>
#include <span>

#include "alembert/frontend/modelica/instance/instance.hpp"

namespace alembert::modelica {

struct Modifier;

struct NamedModifier {
  Name name;
  const Modifier* modifier = nullptr;
};

struct Modifier {
  Place place;
  Scope* scope = nullptr;                             ///< of `binding`
  const Expression* binding = nullptr;                ///< `= expression`
  bool removed = false;                               ///< `= break`
  const Component* component = nullptr;               ///< `redeclare` of a component
  const ClassDefinition* class_definition = nullptr;  ///< `redeclare` of a class
  Scope* redeclaration_scope = nullptr;               ///< where the redeclaration is written
  bool each = false;
  bool final_ = false;
  /// May name what is not there: it was written for another class than the one it is used on.
  bool lenient = false;
  /// How many levels of components, the element itself first, are distributed over: the indices of
  /// those that are entries of arrays select a part of the value of `binding`.
  std::uint32_t levels = 0;
  /// The first children, this many, come from further out than `binding` and go before it.
  std::uint32_t n_before_binding = 0;
  std::span<const NamedModifier> children = {};
  const Modifier* weak = nullptr;  ///< what an inner level said about what is redeclared here
  /// Of a redeclaration: the one of an inner level that it redeclares in turn.
  const Modifier* redeclared = nullptr;

  bool redeclares() const { return component || class_definition; }
};

const Modifier* child(const Modifier* modifier, Name name);

class ModifierArena {
 public:
  /// Of the text of a modification. `levels`: 1 if it follows a component, 0 for `extends` and
  /// short classes. Null if there is nothing in it.
  const Modifier* build(const ModificationBody* body, Scope& scope, std::uint32_t levels,
                        bool lenient = false, bool may_break = false);
  /// What `outer` says goes before what `inner` says. Error M105 if something final is modified.
  const Modifier* merge(const Modifier* outer, const Modifier* inner);
  /// What is left besides the redeclaration; null if nothing is.
  const Modifier* without_redeclaration(const Modifier* modifier);
  /// For another class than it was written for, which may lack some of the elements.
  const Modifier* leniently(const Modifier* modifier);
  /// Only what is said about the value as a whole; null if nothing is.
  const Modifier* binding_of(const Modifier* modifier);

 private:
  struct Draft;
  const Modifier* store(const Modifier& modifier);
  std::span<const NamedModifier> store(const std::vector<NamedModifier>& children);
  const Modifier* build_argument(const Modification& argument, std::size_t part, Scope& scope,
                                 std::uint32_t levels, bool lenient);
  const Modifier* build_body(const ModificationBody& body, const Modification* argument,
                             Scope& scope, std::uint32_t levels, bool lenient,
                             bool may_break = false);
  const Modifier* lenient_copy(const Modifier& modifier);

  std::pmr::monotonic_buffer_resource arena_;
};

}  // namespace alembert::modelica
