// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. The owner of all instances of one model, and lookup of names.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/instance/constant_evaluator.hpp"
#include "alembert/frontend/modelica/instance/instance.hpp"

namespace alembert::modelica {

enum class DenotationKind : std::uint8_t {
  nothing,
  component,  ///< `instance`; parts after the first `parts_used` are members of it
  class_,     ///< `instance`: package, function, record, type; all parts are used
  literal,    ///< of an enumeration: `instance` is the type, `literal` counts from 1
  builtin,    ///< function, operator or variable of the language: `sin`, `der`, `time`,
              ///< `Connections.root`, by the text of the reference. Types such as `Integer` and
              ///< `String` are classes, also where they are called.
};

/// What a reference means. Subscripts are not looked at: those of a component part are for whoever
/// evaluates. Members of components are found by Instance::member, entry by entry.
struct Denotation {
  DenotationKind kind = DenotationKind::nothing;
  Instance* instance = nullptr;
  std::size_t parts_used = 0;  ///< of the reference, the component included
  int literal = 0;
};

class InstanceTree {
 public:
  explicit InstanceTree(ClassLibrary& library);
  ~InstanceTree();
  InstanceTree(const InstanceTree&) = delete;
  InstanceTree& operator=(const InstanceTree&) = delete;

  /// Must be set before anything with a dimension or a condition is asked for.
  void set_evaluator(ConstantEvaluator& evaluator);
  ConstantEvaluator& evaluator() const;
  ClassLibrary& library() const;

  /// The model that is to be flattened, as a component without a name. Error M1xx if there is no
  /// such class, or it is partial, or no model. Once for each tree.
  Instance& instantiate(std::string_view full_class_name);
  /// The same with modifications from outside, such as those of a command line: "(m = 2)". The
  /// expressions are looked up in the scope of the model.
  Instance& instantiate(std::string_view full_class_name, const ModificationBody* modification);
  Instance& model() const;
  /// Values from outside beside the modifications; looked up in the scope of the model as well.
  void set_entry_values(std::vector<EntryValue> values);
  /// One whose component or entry does not exist, once the whole model was looked at; or null.
  const EntryValue* unused_entry_value() const;
  /// Components that the model lacks: `outer` without `inner`. They belong to the model, as if they
  /// were declared there, and come about while others are looked at; each gives a warning.
  std::span<Instance* const> implicit_inners() const;

  /// A member that an expandable connector gets because something is connected to it: as if it were
  /// declared there like `like`, without its value. One of an array: `scalar`.
  Instance& add_member(Instance& connector, Name name, Instance& like,
                       const std::vector<std::int64_t>* sizes = nullptr);

  /// Sizes for a component whose dimensions are ':' and that has no value.
  void give_sizes(Instance& component, const std::vector<std::int64_t>& sizes);

  /// Error M1xx with what was looked for and what is similar, if there is nothing.
  Denotation lookup(Scope& scope, const ComponentReference& reference);
  /// Without an error: kind nothing.
  Denotation try_lookup(Scope& scope, const ComponentReference& reference);
  /// A class by its full name: "Modelica.Constants"; null if there is none.
  Instance* find_class(std::string_view full_name);
  /// What `owner.name` means where it is written at `place`. Error M102 if there is no such member,
  /// M115 if it is protected.
  Instance& member_at(Instance& owner, Name name, Place place);
  /// Error M1xx that says so and names what is similar.
  [[noreturn]] void no_member(Instance& instance, Name member, Place place);
  /// " Did you mean 'a' or 'b'?", or nothing.
  std::string similar_members(Instance& instance, Name member) const;

  const std::vector<Diagnostic>& warnings() const;
  void warn(Diagnostic warning);

 private:
  std::unique_ptr<TreeState> state_;
};

}  // namespace alembert::modelica
