// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/modelica.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "alembert/base/similar_names.hpp"
#include "alembert/frontend/modelica/flatten/flattener.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"
#include "alembert/frontend/modelica/overrides.hpp"
#include "alembert/frontend/modelica/own_library.hpp"
#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::modelica {

namespace {

/// Reads what the source names; returns the classes of the last file or text.
std::vector<ClassNode*> load(ClassLibrary& library, const ModelSource& source) {
  for (const auto& root : source.library_roots) library.add_root(root);
  add_own_library(library);
  std::vector<ClassNode*> classes;
  for (const auto& file : source.files) classes = library.load(file);
  if (!source.text.empty()) classes = library.load_text(source.text_name, source.text);
  return classes;
}

bool can_be_simulated(const ClassDefinition& definition) {
  return !definition.partial && (definition.restriction == Restriction::model ||
                                 definition.restriction == Restriction::block ||
                                 definition.restriction == Restriction::class_);
}

/// The last model among the classes, else the last one within them.
ClassNode* last_model(std::span<ClassNode* const> classes) {
  for (std::size_t i = classes.size(); i-- > 0;)
    if (can_be_simulated(classes[i]->definition())) return classes[i];
  for (std::size_t i = classes.size(); i-- > 0;)
    if (ClassNode* inner = last_model(classes[i]->children())) return inner;
  return nullptr;
}

std::string chosen_model(const ModelSource& source, std::span<ClassNode* const> classes) {
  if (!source.model.empty()) return source.model;
  if (ClassNode* model = last_model(classes)) return model->full_name();
  throw Error("M330",
              source.files.empty() && source.text.empty()
                  ? "there is no file to take a model from. Name one, or a model of a library with "
                    "--model."
                  : "the last file has no model that can be run: its classes are partial, or "
                    "packages, functions and types. Name a model with --model.");
}

/// All that can be simulated in the classes and within them.
void gather_models(std::span<ClassNode* const> classes, std::vector<ClassNode*>& models) {
  constexpr std::size_t most_looked_at = 2000;
  for (ClassNode* node : classes) {
    if (models.size() >= most_looked_at) return;
    if (can_be_simulated(node->definition()))
      models.push_back(node);
    else
      gather_models(node->children(), models);
  }
}

/// Two names that a person takes for one: letters alike but for their case, or one begins the
/// other.
bool are_alike(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return (a.size() >= 3 || a.size() == b.size()) &&
         std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::tolower(static_cast<unsigned char>(x)) ==
                  std::tolower(static_cast<unsigned char>(y));
         });
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

/// A name that was asked for must be there; else a model of the last file may be what was meant, or
/// one of the package that the name begins with.
void require_class(InstanceTree& tree, ClassLibrary& library, const std::string& model,
                   std::span<ClassNode* const> classes) {
  if (tree.find_class(model) != nullptr) return;
  std::vector<ClassNode*> models;
  gather_models(classes, models);
  if (const auto dot = model.rfind('.'); dot != std::string::npos)
    if (ClassNode* package = library.find(model.substr(0, dot)))
      gather_models(package->children(), models);
  // The package of the name may be among the files, which were looked through already.
  std::unordered_set<ClassNode*> met;  // looked up, never iterated
  std::erase_if(models, [&](ClassNode* node) { return !met.insert(node).second; });
  std::vector<std::string> names;
  for (const ClassNode* node : models) names.push_back(node->full_name());
  std::string meant, known;
  std::size_t n_known = 0;
  for (const std::string& name : names) {
    if (are_alike(last_part(name), last_part(model)))
      meant += fmt::format("{}'{}'", meant.empty() ? " Did you mean " : ", ", name);
    if (n_known++ < 8) known += fmt::format("{}'{}'", known.empty() ? "" : ", ", name);
  }
  if (const std::string nearest = nearest_name(model, names); meant.empty() && !nearest.empty())
    meant = fmt::format(" Did you mean '{}'", nearest);
  throw Error("M330", fmt::format("there is no class '{}' in the files and libraries that were "
                                  "given.{}",
                                  model,
                                  !meant.empty()  ? meant + "?"
                                  : known.empty() ? ""
                                  : n_known == 1  ? " There is " + known + " only."
                                  : n_known > 8   ? " There are " + known + ", ..."
                                                  : " There are " + known + "."));
}

}  // namespace

FlattenedModel flatten(const ModelSource& source) {
  struct Texts {
    ClassLibrary library;
    Overrides overrides;
    InstanceTree tree{library};
  };
  const auto texts = std::make_shared<Texts>();
  const std::vector<ClassNode*> classes = load(texts->library, source);
  const std::string model = chosen_model(source, classes);
  require_class(texts->tree, texts->library, model, classes);
  if (!source.overrides.empty()) {
    texts->overrides = read_overrides(texts->library, model, source.overrides);
    texts->tree.set_entry_values(texts->overrides.entries);
  }
  FlattenedModel result;
  try {
    result.system = flatten_model(
        texts->tree, model,
        [&]() -> Instance& {
          return texts->tree.instantiate(model, texts->overrides.modification);
        },
        texts, source.is_part ? &result.connectors : nullptr, &result.display_units);
  } catch (const Error& error) {
    tell_of_setting(texts->overrides, error);
    throw;
  }
  if (const EntryValue* unused = texts->tree.unused_entry_value())
    throw Error("M332",
                fmt::format("there is no '{}' in the model {} to be set: an index may be too "
                            "large, or what it belongs to is absent.",
                            unused->component, model));
  result.warnings = texts->tree.warnings();
  return result;
}

std::string default_model(const ModelSource& source) {
  ClassLibrary library;
  return chosen_model(source, load(library, source));
}

}  // namespace alembert::modelica
