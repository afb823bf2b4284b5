// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

namespace {

const Modification* find_entry(const ModificationBody* body, std::string_view name) {
  if (!body) return nullptr;
  for (const Modification* argument : body->arguments) {
    if (argument->kind == ModificationKind::element && argument->name.parts.size() == 1 &&
        argument->name.parts.front() == name) {
      return argument;
    }
  }
  return nullptr;
}

InScope<Expression> layer_annotation(TreeState& tree, Scope& layer,
                                     std::initializer_list<std::string_view> path) {
  if (const Expression* value = annotation_value(layer.definition().comment.annotation, path)) {
    return {value, &layer};
  }
  tree.know_bases(layer);
  for (Scope* base : TreeState::data(layer).bases) {
    const auto found = layer_annotation(tree, *base, path);
    if (found.item) return found;
  }
  return {};
}

}  // namespace

const ModificationBody* annotation_body(const ModificationBody* annotation,
                                        std::initializer_list<std::string_view> path) {
  for (const std::string_view name : path) {
    const Modification* entry = find_entry(annotation, name);
    annotation = entry ? entry->body : nullptr;
  }
  return annotation;
}

const Expression* annotation_value(const ModificationBody* annotation,
                                   std::initializer_list<std::string_view> path) {
  const ModificationBody* body = annotation_body(annotation, path);
  return body ? body->binding : nullptr;
}

InScope<Expression> Instance::class_annotation(std::initializer_list<std::string_view> path,
                                               bool inherited) {
  if (const Expression* value = annotation_value(definition().comment.annotation, path)) {
    return {value, &scope()};
  }
  if (inherited) return layer_annotation(*data_->tree, scope(), path);
  if (const Expression* value = annotation_value(scope().definition().comment.annotation, path)) {
    return {value, &scope()};
  }
  return {};
}

}  // namespace alembert::modelica
