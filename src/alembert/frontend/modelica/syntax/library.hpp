// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. Every class that a model may name, as a tree that is read on
// demand. In: files, folders and texts that were asked for, and roots such as those of
// MODELICAPATH. Out: `ClassNode`s. A file is read when its class is first asked for (`definition`,
// or a child that is not a file of its own); a folder is listed when a child of it is first looked
// up; siblings are never read. So the cost of a library is the cost of what is used of it.
//
// How lookup (instance/) uses it:
// - library.root(): a node without a name, whose children are the top-level classes.
// - library.find("Modelica.Media"): a class by its full name; null if there is none.
// - node.child(name): the class of that name that is declared right inside; null if there is none.
//   Inherited and imported classes are not found: that is the work of lookup.
// - node.parent(): the enclosing class, where lookup goes on; null for the root.
// - node.definition(): the syntax tree; that of the root has nothing in it.
// - node.children(): all of them in the order of the text; in a folder, in the order that its
//   package.order gives.
//
// A class that is written outside of the tree, such as in a modification (`redeclare model M =
// ...`), gets a node by `local_class`. Its parent is the class in which the modification was
// written.
//
// Nodes have stable addresses and live as long as the library; compare them by address. Looking
// something up may read files, so a library belongs to one thread at a time. Mistakes in a file
// are thrown as Error with all its diagnostics whenever its class is asked for.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/frontend/modelica/syntax/ast.hpp"
#include "alembert/frontend/modelica/syntax/parser.hpp"

namespace alembert::modelica {

class ClassLibrary;

class ClassNode {
 public:
  ClassNode(const ClassNode&) = delete;
  ClassNode& operator=(const ClassNode&) = delete;
  ~ClassNode();

  Name name() const { return name_; }  ///< empty for the root
  ClassNode* parent() const { return parent_; }
  bool is_root() const { return parent_ == nullptr; }
  /// `Modelica.Blocks.Sources`, for messages and lookup from the top. Empty for the root.
  std::string full_name() const;

  const ClassDefinition& definition();
  ClassNode* child(Name name);
  std::span<ClassNode* const> children();

  /// The folder of the file that holds the class; what `modelica://` and relative names refer to.
  std::filesystem::path folder() const;

 private:
  friend class ClassLibrary;
  struct Content;
  ClassNode(ClassLibrary& library, ClassNode* parent, Name name);

  ClassLibrary* library_;
  ClassNode* parent_;
  Name name_;
  std::unique_ptr<Content> content_;
};

class ClassLibrary {
 public:
  ClassLibrary();
  ~ClassLibrary();
  ClassLibrary(const ClassLibrary&) = delete;
  ClassLibrary& operator=(const ClassLibrary&) = delete;

  /// A folder that holds packages: `Name/package.mo`, `Name 4.1.0/package.mo`, `Name.mo`. Roots
  /// added first win. Of several versions in one root, the one that a `uses` annotation of a loaded
  /// file asks for, else the newest. A package itself, folder or file, may be given as well.
  void add_root(const std::filesystem::path& folder_or_package);
  /// The roots in a list as in MODELICAPATH, separated by `:`; empty ones are skipped.
  void add_roots(std::string_view path_list);

  /// A file, or the folder of a package, which the user named: read at once. It wins over what the
  /// roots hold. Returns the classes that it declares. Error M0xx.
  std::vector<ClassNode*> load(const std::filesystem::path& file_or_folder);
  /// The same for a text.
  std::vector<ClassNode*> load_text(std::string file, std::string text);

  ClassNode& root() { return *root_; }
  /// By full name, with or without a leading dot. Null if there is none.
  ClassNode* find(std::string_view full_name);
  ClassNode* find(const Path& path);
  /// A class outside the tree, e.g. from a modification; `scope` encloses it. One node a definition
  /// and scope.
  ClassNode& local_class(const ClassDefinition& definition, ClassNode& scope);

  /// How many files were read so far, and their bytes.
  std::size_t files_read() const;
  std::size_t bytes_read() const;

 private:
  friend class ClassNode;
  struct State;
  std::unique_ptr<State> state_;
  ClassNode* root_;
};

}  // namespace alembert::modelica
