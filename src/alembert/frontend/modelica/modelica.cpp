// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/modelica.hpp"

#include <fmt/format.h>

#include "alembert/frontend/modelica/flatten/flattener.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"
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
                  : "there is no model in the last file that could be simulated: none that is "
                    "neither partial nor a package, function or type. Name one with --model.");
}

struct Override {
  std::string name;
  std::string value;
};

Override parsed_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error("M331",
                fmt::format("'{}' sets nothing. Write NAME=VALUE, such as body.m=2.", text));
  return {.name = text.substr(0, equals), .value = text.substr(equals + 1)};
}

/// What `name` is within the model; null if it is nothing, or stands for an array's entry.
Instance* find_component(Instance& model, std::string_view name) {
  Instance* found = &model;
  while (!name.empty() && found != nullptr) {
    const std::size_t dot = name.find('.');
    found = found->prototype().component_member(Name(name.substr(0, dot)));
    name = dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1);
  }
  return found;
}

/// The modifications that the overrides stand for, as text: "(body.m = 2, x(start = 1))".
std::string modification_text(ClassLibrary& library, const std::string& model,
                              const std::vector<std::string>& overrides) {
  InstanceTree tree(library);
  Instance& instance = tree.instantiate(model);
  std::string text;
  for (const std::string& entry : overrides) {
    const Override change = parsed_override(entry);
    Instance* component = find_component(instance, change.name);
    if (component == nullptr)
      throw Error("M332", fmt::format("the model {} has no '{}' whose value could be set.", model,
                                      change.name));
    const Variability variability = component->variability();
    if (variability == Variability::constant)
      throw Error("M332", fmt::format("'{}' of the model {} is a constant and cannot be set.",
                                      change.name, model));
    if (!text.empty()) text += ", ";
    text += variability == Variability::parameter
                ? fmt::format("{} = {}", change.name, change.value)
                : fmt::format("{}(start = {})", change.name, change.value);
  }
  return text;
}

/// The text as a modification, in a tree that `file` keeps alive.
const ModificationBody* parsed_modification(const std::string& text,
                                            std::unique_ptr<SyntaxFile>& file) {
  file = parse_or_throw("--set", fmt::format("model M extends B({}); end M;", text));
  return file->definition.classes.front()->elements.front().extends->modification;
}

}  // namespace

FlattenedModel flatten(const ModelSource& source) {
  struct Texts {
    ClassLibrary library;
    std::unique_ptr<SyntaxFile> overrides;
    InstanceTree tree{library};
  };
  const auto texts = std::make_shared<Texts>();
  const std::vector<ClassNode*> classes = load(texts->library, source);
  const std::string model = chosen_model(source, classes);
  const ModificationBody* modification = nullptr;
  if (!source.overrides.empty())
    modification = parsed_modification(modification_text(texts->library, model, source.overrides),
                                       texts->overrides);
  FlattenedModel result;
  result.system = flatten_model(
      texts->tree, model,
      [&]() -> Instance& { return texts->tree.instantiate(model, modification); }, texts,
      source.is_part ? &result.connectors : nullptr);
  result.warnings = texts->tree.warnings();
  return result;
}

std::string default_model(const ModelSource& source) {
  ClassLibrary library;
  return chosen_model(source, load(library, source));
}

}  // namespace alembert::modelica
