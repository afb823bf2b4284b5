// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/library.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include "alembert/frontend/modelica/syntax/package_folder.hpp"

namespace alembert::modelica {

namespace fs = std::filesystem;

/// What is known of a class so far. The steps towards knowing all of it: the folder is listed, the
/// file is read, the classes in it get nodes, the children are put in order.
struct ClassNode::Content {
  const ClassDefinition* definition = nullptr;
  fs::path file;            ///< what to read for the definition; empty for classes inside a file
  fs::path package_folder;  ///< of a package that is a folder; else empty
  bool folder_listed = false;
  bool definition_indexed = false;
  bool in_order = false;
  std::vector<Diagnostic> mistakes;  ///< of the file, if it could not be read
  std::unordered_map<Name, ClassNode*> children;
  std::vector<ClassNode*> order;  ///< as they became known, until `in_order`
};

struct ClassLibrary::State {
  struct Root {
    fs::path folder;
    bool listed = false;
    std::unordered_map<Name, std::vector<StoredClass>> candidates;
    std::vector<Name> names;  ///< sorted
  };

  explicit State(ClassLibrary& owner) : library(owner) {}

  ClassNode& make_node(ClassNode* parent, Name name);
  ClassNode& add_child(ClassNode& parent, ClassNode& child);
  ClassNode& stored_child(ClassNode& parent, const StoredClass& stored);
  const SyntaxFile& read_file(const std::string& name);
  void read(ClassNode& node);
  const ClassDefinition& only_class(const SyntaxFile& file, ClassNode& node);
  template <class Work>
  void once(ClassNode& node, bool& done, const Work& work);
  void list_folder(ClassNode& node);
  void index_definition(ClassNode& node);
  void put_in_order(ClassNode& node);
  void put_root_in_order();

  ClassNode* root_child(Name name);
  void list_root(Root& root);
  const StoredClass* best_version(const std::vector<StoredClass>& candidates);
  void note_uses(const ClassDefinition& definition);

  std::vector<ClassNode*> load_folder(const fs::path& folder);
  std::vector<ClassNode*> load_file(const fs::path& file);
  std::vector<ClassNode*> add_classes(const SyntaxFile& file, const fs::path& path);
  ClassNode& package_of(const SyntaxFile& file);

  ClassLibrary& library;
  std::deque<std::unique_ptr<ClassNode>> nodes;
  std::vector<std::unique_ptr<SyntaxFile>> files;
  std::size_t files_read = 0;
  std::size_t bytes_read = 0;
  std::vector<Root> roots;
  std::unordered_map<Name, std::string> wanted_versions;
  std::map<std::pair<const ClassDefinition*, const ClassNode*>, ClassNode*> local_classes;
  std::map<fs::path, std::vector<ClassNode*>> loaded;  ///< what each file or folder declared
  std::vector<ClassNode*> given;                       ///< top-level classes, as they were loaded
};

namespace {

/// The tree of the root: nothing in it.
const ClassDefinition no_definition{.restriction = Restriction::package};

std::string quoted(const fs::path& path) { return "'" + path.string() + "'"; }

/// One spelling for one file.
fs::path unique_path(const fs::path& path) {
  std::error_code failed;
  const fs::path result = fs::weakly_canonical(path, failed);
  return failed ? path : result;
}

/// How messages call a file: short if it is below the current folder.
std::string shown_path(const fs::path& path) {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed) return path.string();
  const std::string shown = path.lexically_relative(here).string();
  return shown.empty() || shown.starts_with("..") ? path.string() : shown;
}

std::string text_of(const Path& path) {
  std::string text;
  for (const Name part : path.parts) text += (text.empty() ? "" : ".") + part.string();
  return text;
}

Note place_note(std::string text, ClassNode& node) {
  return {std::move(text), origin_of(node.definition().place)};
}

}  // namespace

// ---- nodes --------------------------------------------------------------------------------------

ClassNode::ClassNode(ClassLibrary& library, ClassNode* parent, Name name)
    : library_(&library), parent_(parent), name_(name), content_(std::make_unique<Content>()) {}

ClassNode::~ClassNode() = default;

std::string ClassNode::full_name() const {
  if (is_root()) return {};
  std::string text = name_.string();
  for (const ClassNode* node = parent_; !node->is_root(); node = node->parent_)
    text = node->name_.string() + "." + text;
  return text;
}

const ClassDefinition& ClassNode::definition() {
  if (content_->definition == nullptr) library_->state_->read(*this);
  return *content_->definition;
}

ClassNode* ClassNode::child(Name name) {
  const auto known = [&]() -> ClassNode* {
    const auto found = content_->children.find(name);
    return found == content_->children.end() ? nullptr : found->second;
  };
  if (is_root()) {
    ClassNode* found = known();
    return found != nullptr ? found : library_->state_->root_child(name);
  }
  // The folder first: names in it are known without reading the package itself.
  library_->state_->list_folder(*this);
  if (ClassNode* found = known()) return found;
  library_->state_->index_definition(*this);
  return known();
}

std::span<ClassNode* const> ClassNode::children() {
  library_->state_->put_in_order(*this);
  return content_->order;
}

fs::path ClassNode::folder() const {
  for (const ClassNode* node = this; node != nullptr; node = node->parent_) {
    if (!node->content_->package_folder.empty()) return node->content_->package_folder;
    if (!node->content_->file.empty()) return node->content_->file.parent_path();
  }
  return {};
}

// ---- reading on demand --------------------------------------------------------------------------

ClassNode& ClassLibrary::State::make_node(ClassNode* parent, Name name) {
  nodes.push_back(std::unique_ptr<ClassNode>(new ClassNode(library, parent, name)));
  return *nodes.back();
}

ClassNode& ClassLibrary::State::add_child(ClassNode& parent, ClassNode& child) {
  const Name name = child.name();
  const auto [entry, is_new] = parent.content_->children.emplace(name, &child);
  if (!is_new)
    throw Error(
        "M052",
        "'" + name.string() + "' is declared twice in " +
            (parent.is_root() ? "the files that were given" : "'" + parent.full_name() + "'") +
            ". Remove one of the two.",
        origin_of(child.definition().place), {place_note("the other one is here", *entry->second)});
  parent.content_->order.push_back(&child);
  return child;
}

ClassNode& ClassLibrary::State::stored_child(ClassNode& parent, const StoredClass& stored) {
  ClassNode& child = make_node(&parent, stored.name);
  child.content_->file = stored.file();
  if (stored.is_folder) child.content_->package_folder = stored.path;
  return add_child(parent, child);
}

const SyntaxFile& ClassLibrary::State::read_file(const std::string& name) {
  std::string text = read_source(name);
  ++files_read;
  bytes_read += text.size();
  files.push_back(parse_or_throw(name, std::move(text)));
  return *files.back();
}

void ClassLibrary::State::read(ClassNode& node) {
  ClassNode::Content& content = *node.content_;
  if (!content.mistakes.empty()) throw Error(content.mistakes);
  try {
    const SyntaxFile& file = read_file(shown_path(content.file));
    content.definition = &only_class(file, node);
  } catch (const Error& error) {
    content.mistakes = error.diagnostics();
    throw;
  }
  if (node.parent()->is_root()) note_uses(*content.definition);
}

/// A file below a package holds one class, named like the file, and says where it belongs.
const ClassDefinition& ClassLibrary::State::only_class(const SyntaxFile& file, ClassNode& node) {
  const StoredDefinition& stored = file.definition;
  const std::string expected = node.parent()->full_name();
  if (stored.has_within && text_of(stored.within) != expected)
    throw Error({diagnostic_at(
        stored.within.place, "M051",
        "this file belongs to " + (expected.empty() ? "no package" : "'" + expected + "'") +
            " by its folder, but says 'within " + text_of(stored.within) + "'.")});
  for (const ClassDefinition* definition : stored.classes)
    if (definition->name == node.name() && stored.classes.size() == 1) return *definition;
  const std::string what = stored.classes.empty()
                               ? "none"
                               : "'" + stored.classes.front()->name.string() + "'" +
                                     (stored.classes.size() > 1 ? " and others" : "");
  throw Error("M051",
              "the file should hold the class '" + node.name().string() +
                  "' and no other, but holds " + what + ".",
              Origin{.span = {.file = file.source.file(), .line = 1, .column = 1, .length = 0},
                     .path = {},
                     .derived_from = {}});
}

/// Does it once; a class with a mistake in it says so every time.
template <class Work>
void ClassLibrary::State::once(ClassNode& node, bool& done, const Work& work) {
  ClassNode::Content& content = *node.content_;
  if (!content.mistakes.empty()) throw Error(content.mistakes);
  if (done) return;
  done = true;
  try {
    work();
  } catch (const Error& error) {
    content.mistakes = error.diagnostics();
    throw;
  }
}

void ClassLibrary::State::list_folder(ClassNode& node) {
  const fs::path& folder = node.content_->package_folder;
  if (folder.empty()) return;
  once(node, node.content_->folder_listed, [&] {
    for (const StoredClass& stored : stored_classes(folder, false)) stored_child(node, stored);
  });
}

void ClassLibrary::State::index_definition(ClassNode& node) {
  if (node.is_root()) return;
  once(node, node.content_->definition_indexed, [&] {
    for (const Element& element : node.definition().elements) {
      if (element.kind != ElementKind::class_definition) continue;
      ClassNode& child = make_node(&node, element.class_definition->name);
      child.content_->definition = element.class_definition;
      add_child(node, child);
    }
  });
}

/// package.order first, then what it does not name: classes of the text, then files by name.
void ClassLibrary::State::put_in_order(ClassNode& node) {
  ClassNode::Content& content = *node.content_;
  if (node.is_root()) return put_root_in_order();
  if (content.in_order) return;
  list_folder(node);
  index_definition(node);
  content.in_order = true;
  if (content.package_folder.empty()) return;
  std::unordered_map<Name, std::size_t> rank;
  for (const Name name : package_order(content.package_folder)) rank.emplace(name, rank.size());
  const auto rank_of = [&](ClassNode* child) {
    const auto found = rank.find(child->name());
    if (found != rank.end()) return found->second;
    return rank.size() + (child->content_->file.empty() ? 0 : 1);
  };
  std::stable_sort(content.order.begin(), content.order.end(),
                   [&](ClassNode* a, ClassNode* b) { return rank_of(a) < rank_of(b); });
}

/// What was given, as it was given; then what the roots hold, by name.
void ClassLibrary::State::put_root_in_order() {
  std::vector<ClassNode*> order = given;
  std::unordered_set<Name> seen;
  for (const ClassNode* node : given) seen.insert(node->name());
  for (Root& root : roots) {
    list_root(root);
    for (const Name name : root.names)
      if (seen.insert(name).second) order.push_back(library.root().child(name));
  }
  library.root().content_->order = std::move(order);
}

// ---- roots --------------------------------------------------------------------------------------

void ClassLibrary::State::list_root(Root& root) {
  if (root.listed) return;
  root.listed = true;
  std::vector<StoredClass> found;
  std::error_code unknown;
  const bool is_package =
      !fs::is_directory(root.folder, unknown) || fs::exists(root.folder / "package.mo", unknown);
  if (!is_package)
    found = stored_classes(root.folder, true);
  else if (auto package = stored_class(unique_path(root.folder), true))
    found.push_back(std::move(*package));
  for (StoredClass& stored : found) {
    const Name name = stored.name;
    std::vector<StoredClass>& candidates = root.candidates[name];
    if (candidates.empty()) root.names.push_back(name);
    candidates.push_back(std::move(stored));
  }
}

/// The version a loaded file asked for, else the one without a version in its name, else the
/// newest.
const StoredClass* ClassLibrary::State::best_version(const std::vector<StoredClass>& candidates) {
  const auto wanted = wanted_versions.find(candidates.front().name);
  for (const StoredClass& candidate : candidates)
    if (wanted != wanted_versions.end() && candidate.version == wanted->second) return &candidate;
  return candidates.front().version.empty() ? &candidates.front() : &candidates.back();
}

ClassNode* ClassLibrary::State::root_child(Name name) {
  for (Root& root : roots) {
    list_root(root);
    const auto found = root.candidates.find(name);
    if (found == root.candidates.end()) continue;
    return &stored_child(library.root(), *best_version(found->second));
  }
  return nullptr;
}

/// annotation(uses(Modelica(version = "4.1.0"))): the first wish for a library counts.
void ClassLibrary::State::note_uses(const ClassDefinition& definition) {
  const auto argument = [](const ModificationBody* body, std::string_view name) {
    const Modification* found = nullptr;
    if (body != nullptr)
      for (const Modification* item : body->arguments)
        if (item->kind == ModificationKind::element && item->name.parts.size() == 1 &&
            item->name.parts[0] == name)
          found = item;
    return found;
  };
  const Modification* uses = argument(definition.comment.annotation, "uses");
  if (uses == nullptr || uses->body == nullptr) return;
  for (const Modification* used : uses->body->arguments) {
    if (used->kind != ModificationKind::element) continue;
    const Modification* version = argument(used->body, "version");
    if (version == nullptr || version->body == nullptr) continue;
    const Expression* value = version->body->binding;
    if (value == nullptr || value->kind != ExpressionKind::string) continue;
    wanted_versions.emplace(used->name.parts[0], std::string(value->text));
  }
}

// ---- what the user names ------------------------------------------------------------------------

std::vector<ClassNode*> ClassLibrary::State::load_folder(const fs::path& folder) {
  std::error_code unknown;
  const fs::path above = folder.parent_path();
  if (above != folder && fs::exists(above / "package.mo", unknown)) {
    ClassNode* outer = load_folder(above).front();
    ClassNode* inner = outer->child(Name(folder.filename().string()));
    ensure(inner != nullptr, "a folder with package.mo is a child of the package around it");
    inner->definition();
    return {inner};
  }
  if (const auto before = loaded.find(folder); before != loaded.end()) return before->second;
  const std::string name = folder.filename().string();
  ClassNode& node = stored_child(
      library.root(), {Name(name.substr(0, name.find(' '))), {}, folder, /*is_folder=*/true});
  node.definition();
  given.push_back(&node);
  return loaded[folder] = {&node};
}

std::vector<ClassNode*> ClassLibrary::State::load_file(const fs::path& file) {
  const fs::path unique = unique_path(file);
  std::error_code unknown;
  if (unique.filename() == "package.mo" && fs::exists(unique, unknown))
    return load_folder(unique.parent_path());
  if (fs::exists(unique.parent_path() / "package.mo", unknown)) {
    ClassNode* package = load_folder(unique.parent_path()).front();
    if (ClassNode* node = package->child(Name(unique.stem().string()))) {
      node->definition();
      return {node};
    }
  }
  if (const auto before = loaded.find(unique); before != loaded.end()) return before->second;
  return loaded[unique] = add_classes(read_file(file.string()), unique);
}

ClassNode& ClassLibrary::State::package_of(const SyntaxFile& file) {
  const Path& within = file.definition.within;
  if (within.parts.empty()) return library.root();
  if (ClassNode* package = library.find(within)) return *package;
  throw Error({diagnostic_at(within.place, "M054",
                             "there is no package '" + text_of(within) +
                                 "' to put this file into. Give its files too, or its folder with "
                                 "--library.")});
}

std::vector<ClassNode*> ClassLibrary::State::add_classes(const SyntaxFile& file,
                                                         const fs::path& path) {
  ClassNode& parent = package_of(file);
  list_folder(parent);  // what is there already must be known to find duplicates
  index_definition(parent);
  std::vector<ClassNode*> added;
  for (const ClassDefinition* definition : file.definition.classes) {
    ClassNode& node = make_node(&parent, definition->name);
    node.content_->definition = definition;
    node.content_->file = path;
    added.push_back(&add_child(parent, node));
    if (parent.is_root()) given.push_back(&node);
    note_uses(*definition);
  }
  return added;
}

// ---- the library --------------------------------------------------------------------------------

ClassLibrary::ClassLibrary() : state_(std::make_unique<State>(*this)) {
  root_ = &state_->make_node(nullptr, Name());
  root_->content_->definition = &no_definition;
}

ClassLibrary::~ClassLibrary() = default;

void ClassLibrary::add_root(const fs::path& folder_or_package) {
  state_->roots.push_back(
      {.folder = folder_or_package, .listed = false, .candidates = {}, .names = {}});
}

void ClassLibrary::add_roots(std::string_view path_list) {
  while (!path_list.empty()) {
    const std::string_view one = path_list.substr(0, path_list.find(':'));
    if (!one.empty()) add_root(one);
    path_list.remove_prefix(std::min(one.size() + 1, path_list.size()));
  }
}

std::vector<ClassNode*> ClassLibrary::load(const fs::path& file_or_folder) {
  std::error_code unknown;
  if (!fs::is_directory(file_or_folder, unknown)) return state_->load_file(file_or_folder);
  if (!fs::exists(file_or_folder / "package.mo", unknown))
    throw Error("M053",
                "the folder " + quoted(file_or_folder) +
                    " is not a package: it has no file 'package.mo'. To make the packages in "
                    "it known, use --library.");
  return state_->load_folder(unique_path(file_or_folder / "package.mo").parent_path());
}

std::vector<ClassNode*> ClassLibrary::load_text(std::string file, std::string text) {
  state_->files.push_back(parse_or_throw(std::move(file), std::move(text)));
  return state_->add_classes(*state_->files.back(), {});
}

ClassNode* ClassLibrary::find(std::string_view full_name) {
  if (full_name.starts_with('.')) full_name.remove_prefix(1);
  ClassNode* node = full_name.empty() ? nullptr : root_;
  while (node != nullptr && !full_name.empty()) {
    std::size_t length = 0;
    if (full_name.front() == '\'') {  // a quoted name may hold dots
      length = 1;
      while (length < full_name.size() && full_name[length] != '\'')
        length += full_name[length] == '\\' ? 2 : 1;
      length = std::min(length + 1, full_name.size());
    } else {
      length = std::min(full_name.find('.'), full_name.size());
    }
    node = length == 0 ? nullptr : node->child(Name(full_name.substr(0, length)));
    full_name.remove_prefix(length);
    if (full_name == ".") return nullptr;
    if (full_name.starts_with('.')) full_name.remove_prefix(1);
  }
  return node;
}

ClassNode* ClassLibrary::find(const Path& path) {
  ClassNode* node = path.parts.empty() ? nullptr : root_;
  for (const Name part : path.parts)
    if (node != nullptr) node = node->child(part);
  return node;
}

ClassNode& ClassLibrary::local_class(const ClassDefinition& definition, ClassNode& scope) {
  ClassNode*& node = state_->local_classes[{&definition, &scope}];
  if (node == nullptr) {
    node = &state_->make_node(&scope, definition.name);
    node->content_->definition = &definition;
  }
  return *node;
}

std::size_t ClassLibrary::files_read() const { return state_->files_read; }
std::size_t ClassLibrary::bytes_read() const { return state_->bytes_read; }

}  // namespace alembert::modelica
