// SPDX-License-Identifier: Apache-2.0
#include "frontend/modelica/instance/model_under_test.hpp"

#include <charconv>
#include <stdexcept>

namespace alembert::modelica::testing {

ModelUnderTest::ModelUnderTest(std::string text, std::string_view model)
    : tree_(library_), evaluator_(tree_) {
  library_.load_text("test.mo", std::move(text));
  tree_.instantiate(model);
}

Instance& ModelUnderTest::at(std::string_view path) {
  Instance* found = &root();
  const std::string whole(path);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of(".["), path.size());
    found = found->member(Name(path.substr(0, end)));
    if (!found) throw std::runtime_error("no component '" + whole + "'");
    path.remove_prefix(end);
    if (path.starts_with('[')) {
      std::size_t index = 0;
      std::from_chars(path.data() + 1, path.data() + path.size(), index);
      found = &found->entry(index - 1);
      path.remove_prefix(path.find(']') + 1);
    }
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return *found;
}

std::string ModelUnderTest::attribute(std::string_view path, std::string_view name) {
  const Binding* binding = at(path).attribute(name);
  return binding ? text_of(*binding) + (binding->each ? " each" : "") : "-";
}

void ModelUnderTest::list(Instance& instance, std::vector<std::string>& names) {
  if (instance.is_outer()) {
    instance.outer_target();
    return;
  }
  if (!instance.is_present()) return;
  if (instance.is_array()) {
    for (std::size_t i = 0; i < instance.n_entries(); ++i) list(instance.entry(i), names);
  } else if (instance.is_simple()) {
    instance.dimensions();
    instance.attributes();
    instance.binding();
    names.push_back(instance.full_name());
  } else {
    for (Instance* child : instance.children()) list(*child, names);
    instance.equations();
  }
}

std::vector<std::string> ModelUnderTest::names() {
  std::vector<std::string> names;
  list(root(), names);
  for (std::size_t i = 0; i < tree_.implicit_inners().size(); ++i) {
    list(*tree_.implicit_inners()[i], names);
  }
  return names;
}

Denotation ModelUnderTest::lookup(std::string_view component, std::string reference) {
  parsed_.push_back(parse_expression(std::move(reference)));
  return tree_.lookup(at(component).scope(), *parsed_.back().expression->reference);
}

std::string error_of(const std::string& text, std::string_view model) {
  try {
    ModelUnderTest(text, model).names();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace alembert::modelica::testing
