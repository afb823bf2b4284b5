// SPDX-License-Identifier: Apache-2.0
#include "model_files.hpp"

#include <cstdlib>
#include <filesystem>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/parse_text.hpp"

namespace alembert::commands {

using modelica::ClassLibrary;
using modelica::ClassNode;
using modelica::Restriction;

namespace {

void require(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw Error("U003", "there is no file or folder '" + path + "'.");
}

bool can_run(ClassNode& node) {
  const modelica::ClassDefinition& definition = node.definition();
  const Restriction restriction = definition.restriction;
  return !definition.partial &&
         (restriction == Restriction::model || restriction == Restriction::block ||
          restriction == Restriction::class_);
}

/// Models first, then those inside packages; the last of them.
ClassNode* last_model(std::span<ClassNode* const> nodes) {
  for (std::size_t i = nodes.size(); i-- > 0;)
    if (can_run(*nodes[i])) return nodes[i];
  for (std::size_t i = nodes.size(); i-- > 0;)
    if (nodes[i]->definition().restriction == Restriction::package)
      if (ClassNode* inner = last_model(nodes[i]->children())) return inner;
  return nullptr;
}

/// The deepest package that the name reaches, and the name nearest to what is missing there.
std::string advice_about(ClassLibrary& library, const std::string& name) {
  ClassNode* node = &library.root();
  std::size_t at = 0;
  while (at <= name.size()) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    const std::string part = name.substr(at, dot - at);
    ClassNode* next = node->child(modelica::Name(part));
    if (next == nullptr) {
      std::vector<std::string_view> names;
      for (ClassNode* child : node->children()) names.push_back(child->name().text());
      const std::string nearest = symbolic::parsing::nearest_name(part, names);
      const std::string where =
          node->is_root() ? "" : "'" + node->full_name() + "' has no '" + part + "'. ";
      if (nearest.empty()) return " " + where + "Is its library given, by --library?";
      return " " + where + "Did you mean '" +
             (node->is_root() ? nearest : node->full_name() + "." + nearest) + "'?";
    }
    node = next;
    at = dot + 1;
  }
  return {};
}

}  // namespace

void add_file_options(CLI::App& parser, ModelFiles& options) {
  parser.add_option("FILE", options.files, "Modelica files, or folders with a package.mo")
      ->required();
  parser.add_option("--library", options.libraries,
                    "a folder of packages, or a package; repeatable. Those in the variable "
                    "MODELICAPATH are known too");
}

void add_model_options(CLI::App& parser, ModelFiles& options) {
  add_file_options(parser, options);
  parser.add_option("--model", options.model,
                    "which class; by default the only, or the last, model of the files");
}

std::vector<ClassNode*> load_models(ClassLibrary& library, const ModelFiles& options) {
  for (const std::string& folder : options.libraries) {
    require(folder);
    library.add_root(folder);
  }
  if (const char* path = std::getenv("MODELICAPATH")) library.add_roots(path);
  for (const std::string& file : options.files) require(file);
  std::vector<ClassNode*> declared;
  std::vector<Diagnostic> mistakes;
  for (const std::string& file : options.files) try {
      for (ClassNode* node : library.load(file)) declared.push_back(node);
    } catch (const Error& error) {
      mistakes.insert(mistakes.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  if (!mistakes.empty()) throw Error(std::move(mistakes));
  return declared;
}

ClassNode& choose_model(ClassLibrary& library, const ModelFiles& options,
                        const std::vector<ClassNode*>& declared) {
  if (options.model.empty()) {
    if (ClassNode* node = last_model(declared)) return *node;
    throw Error("U004", "the files declare no model that could run. Name one with --model.");
  }
  if (ClassNode* node = library.find(options.model)) return *node;
  for (ClassNode* node : declared)
    if (ClassNode* inner = library.find(node->full_name() + "." + options.model)) return *inner;
  throw Error("U004",
              "there is no model '" + options.model + "'." + advice_about(library, options.model));
}

}  // namespace alembert::commands
