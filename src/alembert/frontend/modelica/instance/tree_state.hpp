// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. The inside of the instance tree; for the files of this folder
// only. The terms:
//   layer   a Scope: one class body inside of an instance. The first layer is the class itself, its
//           bases are what it extends, and so on.
//   slot    one name inside of an instance: a component or a class, after redeclaration, with the
//           modifications that reach it. The instance of a slot is built when it is asked for.
//   resolve from a slot of a class to the class with a body: through all short definitions.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "alembert/frontend/modelica/instance/class_index.hpp"
#include "alembert/frontend/modelica/instance/modifier.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"
#include "alembert/frontend/modelica/syntax/mistakes.hpp"

namespace alembert::modelica {

struct Slot;

/// A class after all short definitions.
struct ResolvedClass {
  ClassNode* declared = nullptr;       ///< what the slot names
  ClassNode* node = nullptr;           ///< the class with a body
  Scope* enclosing = nullptr;          ///< of `node`
  const Modifier* modifier = nullptr;  ///< on the elements of `node`
  const Slot* extended = nullptr;      ///< of `model extends M`: the M that is inherited
  std::vector<Dimension> dimensions = {};
  TypePrefix prefix = {};
  TypeKind type = TypeKind::structured;  ///< if `node` is one of the language
  Slot* same_as = nullptr;               ///< a short definition that changes nothing: its target
};

struct Slot {
  Name name;
  Instance* owner = nullptr;
  Visibility visibility = Visibility::public_;
  const Component* component = nullptr;  ///< null: a class
  ClassNode* node = nullptr;             ///< of a class
  /// Of a component: where its type and modification are looked up. Of a class: what encloses it.
  Scope* scope = nullptr;
  const Modifier* outer = nullptr;  ///< goes before the modification in the declaration
  const Modifier* weak = nullptr;   ///< goes after it; of constraining clauses
  const Slot* replaced = nullptr;   ///< what was redeclared
  Instance* instance = nullptr;
  std::unique_ptr<ResolvedClass> resolved;
  bool in_progress = false;
  bool is_listed = false;
  bool is_implicit_inner = false;
  bool constraint_checked = false;

  Place place() const { return component ? component->place : node->definition().place; }
  const ElementPrefix& prefix() const {
    return component ? component->prefix : node->definition().prefix;
  }
  /// A redeclaration that says neither inner nor outer keeps what the original said.
  const Slot& with_place() const {
    const Slot* at = this;
    while (at->replaced && !at->prefix().inner && !at->prefix().outer) at = at->replaced;
    return *at;
  }
  bool is_inner() const { return is_implicit_inner || with_place().prefix().inner; }
  bool is_outer() const { return !is_implicit_inner && with_place().prefix().outer; }
};

struct ScopeData {
  const ClassIndex* index = nullptr;
  const Modifier* modifier = nullptr;          ///< on what this layer declares or inherits
  const Modifier* extends_modifier = nullptr;  ///< the part of it that the `extends` clause says
  const Slot* extended = nullptr;              ///< see ResolvedClass
  Scope* derived = nullptr;                    ///< the layer that extends this one
  Visibility visibility = Visibility::public_;
  TypeKind type = TypeKind::structured;
  bool is_package = false;                    ///< may have classes in files of their own
  bool sees_first_bases = false;              ///< while the rest of them is being found
  std::vector<const Modification*> left_out;  ///< `break` of the `extends` clause
  std::vector<Scope*> bases;
  enum class Bases : std::uint8_t { unknown, in_progress, known } bases_state = Bases::unknown;
};

/// What only structured instances have.
struct Content {
  std::vector<Slot*> slots;
  std::unordered_map<Name, Slot*> slot_by_name;  ///< used when there are many
  std::vector<Instance*> children;
  std::vector<ScopedEquations> equations;
  std::vector<ScopedAlgorithm> algorithms;
  ScopedExternal external;
  bool children_known = false;
  bool sections_known = false;
  bool modifier_checked = false;
};

struct ArrayContent {
  std::vector<Instance*> entries;
  Instance* prototype = nullptr;
};

struct InstanceData {
  Instance self;
  TreeState* tree = nullptr;
  Instance* parent = nullptr;
  Slot* slot = nullptr;  ///< null for the model and the top of the library
  Name name;
  bool is_component = false;
  bool is_entry = false;
  bool binding_known = false;
  bool attributes_known = false;
  bool dimensions_known = false;
  std::int8_t presence = -1;  ///< unknown
  TypeKind type = TypeKind::structured;
  bool type_known = false;
  std::uint32_t depth = 0;
  std::uint32_t n_layers = 0;
  Slot* class_slot = nullptr;  ///< of the class
  const ResolvedClass* cls = nullptr;
  const Modifier* modifier = nullptr;  ///< on the component itself
  const Modifier* all = nullptr;       ///< with that of the class: on what is inside
  Scope* root = nullptr;
  std::unique_ptr<Content> content;
  std::unique_ptr<ArrayContent> array_content;
  std::vector<Dimension> declared_dimensions;
  std::vector<std::int64_t> dimensions;
  std::vector<std::int64_t> indices;
  Instance* array = nullptr;
  Instance* outer_target = nullptr;
  Binding binding;
  std::vector<Attribute> attributes;
};

struct TreeState {
  TreeState(InstanceTree& tree, ClassLibrary& library);

  // --- lookup.cpp
  bool declares(Scope& layer, Name name);
  Slot* find_local(Scope& layer, Name name);
  Slot* find_imported(Scope& layer, Name name);
  struct Visible {
    Slot* slot = nullptr;
    bool is_around = false;  ///< declared by a class around the one where the name stands
  };
  Visible find_visible(Scope& scope, Name name);
  void check_visible(Instance& owner, Name name, Place place);
  void check_constant(Slot& slot, Place place);
  void check_outer_member(Instance& outer, const ReferencePart& part);
  void check_has_time(const Scope& scope, Place place);
  Slot* find_member(Instance& owner, Name name);
  Slot* find_path(Scope& scope, const Path& path, bool report);
  Slot* find_from_top(const Path& path, Name last);
  Slot& find_class_slot(Scope& scope, const Path& path);
  Denotation lookup(Scope& scope, const ComponentReference& reference, bool report);

  // --- slots.cpp
  struct Declaration {
    Scope* layer = nullptr;
    const Component* component = nullptr;
    ClassNode* node = nullptr;
    Visibility visibility = Visibility::public_;
  };
  Slot* slot_of(Instance& owner, Name name);
  void declarations(Scope& layer, Name name, Visibility visibility,
                    std::vector<Declaration>& found);
  Slot& make_slot(Instance& owner, Name name, std::span<const Declaration> found,
                  const Modifier* outer);
  Slot& apply_redeclaration(Slot& declared, const Modifier& redeclaration);
  bool keeps_type(const Slot& original, const Component& component, Scope& scope);
  void check_redeclarable(const Slot& original, Place place);
  void refuse_not_replaceable(const Slot& original, Place place);
  const Modifier* weak_modifier(const Slot& slot, const Modifier* of_replaced);
  const ResolvedClass& resolve(Slot& slot);

  // --- constraints.cpp
  struct Constraining {
    Slot* cls = nullptr;
    Place place;
  };
  void check_constraint(Slot& slot);
  Constraining constraining(Slot& slot);
  void check_fits(const Slot& slot, Slot& cls, const Constraining& constraining);
  void check_same_rank(const Slot& slot, Slot& type, Slot& constraint, Place place);
  std::string what_it_lacks(Slot& candidate, Slot& wanted, int depth);
  bool is_made_from(Scope& layer, const ClassNode& node);
  void public_elements(Scope& layer, std::vector<Name>& names);

  // --- layers.cpp
  Scope& root_layer(Instance& instance);
  Scope& make_layer(Instance& instance, const ResolvedClass& cls, const Modifier* modifier);
  void know_bases(Scope& layer);
  void add_base(Scope& layer, Slot& base, const Modifier* extends_modifier, Visibility visibility,
                Place place, const ModificationBody* selection = nullptr);
  void check_kinds(const ClassDefinition& derived, const ClassDefinition& base, Place place);
  void check_operator_record(const Scope& layer, const ResolvedClass& cls, Place place);
  void check_lone_base(Scope& layer, const ResolvedClass& cls, Place place);
  void check_modifier(Instance& instance);
  void check_selection(Scope& layer);
  void check_visibility(Instance& instance);
  void check_targets(Scope& layer, const Modifier& modifier);
  void check_attributes(const ClassNode& node, TypeKind type, const Modifier& modifier);
  TypeKind type_of(Instance& instance);
  Scope* simple_layer(Scope& layer);
  const ClassIndex& index_of(ClassNode& node);

  // --- build.cpp
  Instance& new_instance();
  Instance& instance_of(Slot& slot);
  Instance& class_instance(Slot& slot);
  Instance& component_instance(Slot& slot);
  Instance& entry_of(Instance& array, std::span<const std::int64_t> indices);
  static bool is_inside_itself(const Instance& instance);
  void check_recursion(const Instance& instance);
  void check_type(const Slot& slot, const ResolvedClass& cls);
  void check_outer(const Slot& slot);
  void check_inner(Instance& outer, Instance& inner);
  void check_prefixes(Instance& instance, const std::vector<Instance*>& children);
  Slot& inner_class(Slot& outer);
  Instance& find_inner(Instance& outer);
  Instance* find_declared_inner(Instance& outer);
  Instance& implicit_inner(Instance& outer);
  Content& content(Instance& instance);
  void list_children(Scope& layer, std::vector<Instance*>& children, Mistakes& mistakes);
  void check_modifiers(const std::vector<Instance*>& children, Mistakes& mistakes);
  void check_partial(const Instance& instance);
  Dimension written_size(std::int64_t size, const Slot& slot);  ///< as if somebody wrote it
  void check_redeclared_classes(Instance& instance);
  void know_children(Instance& instance);
  void list_sections(Scope& layer, Content& inside);
  void know_sections(Instance& instance);

  // --- array.cpp
  std::int64_t find_size(Instance& instance, std::size_t i);
  std::int64_t size_at(Instance& instance, std::size_t i);
  void know_dimensions(Instance& instance);

  // --- bindings.cpp
  void know_binding(Instance& instance);
  void know_attributes(Instance& instance);
  /// What was set from outside for this component as a whole; null if nothing was.
  const EntryValue* entry_value(const Instance& instance);
  std::vector<Step> steps_of(const Instance& instance, std::uint32_t levels);
  Binding binding_of(const Instance& instance, const Modifier& modifier, std::uint32_t levels);

  // --- messages.cpp
  [[noreturn]] void fail(Place place, std::string code, std::string text,
                         std::vector<Note> notes = {});
  /// What a name that was not found should have stood for.
  enum class Sought { anything, type, function };
  std::string similar_names(Scope& scope, Name name, Sought sought);
  /// Of what others may use of it.
  std::string similar_members(Instance& instance, Name name, Sought sought = Sought::anything);
  std::string advice_on_unknown(Scope& scope, const ComponentReference& reference);
  /// Of the first part of a longer name.
  std::string library_advice(Instance& instance, Name name);

  static InstanceData& data(const Instance& instance) { return *instance.data_; }
  static ScopeData& data(const Scope& scope) { return *scope.data_; }

  InstanceTree& tree;
  ClassLibrary& library;
  ConstantEvaluator* evaluator = nullptr;
  ModifierArena modifiers;
  std::deque<InstanceData> instances;
  std::deque<Scope> scopes;
  std::deque<ScopeData> scope_data;
  std::deque<Slot> slots;
  std::deque<Expression> sizes;  ///< of members of expandable connectors, that nobody wrote
  std::unordered_map<const ClassDefinition*, std::unique_ptr<ClassIndex>> indexes;
  std::map<std::pair<const Import*, Name>, Slot*> imported;
  std::unique_ptr<SyntaxFile> builtin_text;
  std::unordered_map<Name, Slot*> builtin_types;
  Instance* top = nullptr;
  Instance* model = nullptr;
  std::vector<Instance*> implicit_inners;
  std::vector<Diagnostic> warnings;
  std::unordered_set<const ClassDefinition*> told_kinds;  ///< of M123 as a warning
  std::vector<EntryValue> entry_values;
  std::vector<char> entry_value_used;  // [n_entry_values]
};

/// Functions, operators and variables of the language that are not classes.
bool is_builtin_name(Name name);
std::span<const std::string_view> all_builtin_names();

}  // namespace alembert::modelica
