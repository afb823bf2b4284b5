// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/overrides.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"

namespace alembert::modelica {

namespace {

/// "cell[3]" of "cell[3].C".
struct NamePart {
  std::string name;
  std::vector<std::int64_t> indices = {};
};

struct Override {
  std::string name;
  std::string value;
  std::vector<NamePart> parts = {};
};

[[noreturn]] void sets_nothing(const std::string& text) {
  throw Error("M331", fmt::format("'{}' sets nothing. Write NAME=VALUE, such as body.m=2, a[2]=1 "
                                  "or cell[3].C=4.",
                                  text));
}

std::vector<std::int64_t> parsed_indices(std::string_view inside, const std::string& text) {
  std::vector<std::int64_t> indices;
  while (true) {
    const std::size_t comma = inside.find(',');
    const std::string_view number = inside.substr(0, comma);
    std::int64_t index = 0;
    const auto [end, problem] =
        std::from_chars(number.data(), number.data() + number.size(), index);
    if (problem != std::errc{} || end != number.data() + number.size()) sets_nothing(text);
    indices.push_back(index);
    if (comma == std::string_view::npos) return indices;
    inside.remove_prefix(comma + 1);
  }
}

Override parsed(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) sets_nothing(text);
  Override change{.name = text.substr(0, equals), .value = text.substr(equals + 1)};
  std::erase_if(change.name, [](char c) { return c == ' ' || c == '\t'; });
  if (change.name.empty() || change.value.find_first_not_of(" \t") == std::string::npos)
    sets_nothing(text);
  std::string_view rest = change.name;
  while (true) {
    const std::size_t end = rest.find_first_of(".[");
    NamePart part{.name = std::string(rest.substr(0, end))};
    if (part.name.empty()) sets_nothing(text);
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
    if (rest.starts_with('[')) {
      const std::size_t close = rest.find(']');
      if (close == std::string_view::npos) sets_nothing(text);
      part.indices = parsed_indices(rest.substr(1, close - 1), text);
      rest.remove_prefix(close + 1);
    }
    change.parts.push_back(std::move(part));
    if (rest.empty()) return change;
    if (!rest.starts_with('.')) sets_nothing(text);
    rest.remove_prefix(1);
  }
}

/// What the name stands for within the model, entries of arrays by their prototypes.
Instance& find_component(Instance& model, const std::string& model_name, const Override& change) {
  Instance* found = &model;
  std::string so_far;
  for (const NamePart& part : change.parts) {
    Instance& around = found->prototype();
    found = around.component_member(Name(part.name));
    if (found == nullptr)
      throw Error(
          "M332",
          fmt::format("the model {} has no '{}' whose value could be set{}.{}", model_name,
                      change.name,
                      so_far.empty() ? "" : fmt::format(": '{}' has no '{}'", so_far, part.name),
                      around.tree().similar_members(around, Name(part.name))));
    so_far += (so_far.empty() ? "" : ".") + part.name;
    const std::size_t n_dimensions = found->declared_dimensions().size();
    if (!part.indices.empty() && part.indices.size() != n_dimensions)
      throw Error(
          "M332",
          fmt::format("'{}' has {} and cannot be set by {} in brackets.", so_far,
                      n_dimensions == 0   ? std::string("no dimensions")
                      : n_dimensions == 1 ? std::string("one dimension")
                                          : fmt::format("{} dimensions", n_dimensions),
                      part.indices.size() == 1 ? std::string("one number")
                                               : fmt::format("{} numbers", part.indices.size())));
  }
  return *found;
}

bool names_an_entry(const Override& change) {
  for (const NamePart& part : change.parts)
    if (!part.indices.empty()) return true;
  return false;
}

std::string index_text(const std::vector<std::int64_t>& indices) {
  return indices.empty() ? std::string() : fmt::format("[{}]", fmt::join(indices, ","));
}

constexpr std::string_view place = "--set";

/// The text as a modification, in a tree that `texts` keeps alive. setting: where it is told to be,
/// empty for several in lines.
const ModificationBody* parsed_modification(const std::string& text, const std::string& setting,
                                            Overrides& result) {
  result.texts.push_back(parse_or_throw(std::string(place) + (setting.empty() ? "" : " " + setting),
                                        fmt::format("model M extends B(\n{}\n); end M;", text)));
  return result.texts.back()->definition.classes.front()->elements.front().extends->modification;
}

/// Before the values are joined, so that a mistake is told of the value that has it.
void require_expression(const Override& change, const std::string& text) {
  try {
    parse_expression(change.value, "--set");
  } catch (const Error& error) {
    const bool has_comma = change.value.find(',') != std::string::npos;
    throw Error("M331",
                fmt::format("'{}' sets nothing, since its value is not an expression: {}{} Write "
                            "NAME=VALUE, with quotes around it where the shell asks for them.",
                            text, error.diagnostics().front().text,
                            has_comma ? " Fractions are written with a point: 0.5." : ""));
  }
}

EntryValue entry_value(Instance& component, const Override& change, const std::string& text,
                       Overrides& result) {
  EntryValue entry;
  for (const NamePart& part : change.parts) {
    const bool is_own = &part == &change.parts.back() && component.is_simple();
    entry.component += (entry.component.empty() ? "" : ".") + part.name +
                       (is_own ? std::string() : index_text(part.indices));
    if (is_own) entry.indices = part.indices;
  }
  entry.expression =
      parsed_modification("v = " + change.value, text, result)->arguments.front()->body->binding;
  return entry;
}

}  // namespace

Overrides read_overrides(ClassLibrary& library, const std::string& model,
                         const std::vector<std::string>& texts) {
  Overrides result;
  InstanceTree tree(library);
  Instance& instance = tree.instantiate(model);
  std::string modification;
  std::map<std::string, std::string> set_by;
  for (const std::string& text : texts) {
    const Override change = parsed(text);
    if (const auto [earlier, is_first] = set_by.emplace(change.name, text); !is_first)
      throw Error("M331", fmt::format("'{}' is set twice, by '{}' and '{}': give one of them.",
                                      change.name, earlier->second, text));
    Instance& component = find_component(instance, model, change);
    const Variability variability = component.variability();
    if (variability == Variability::constant)
      throw Error("M332", fmt::format("'{}' of the model {} is a constant and cannot be set.",
                                      change.name, model));
    if (component.is_final())
      throw Error("M332", fmt::format("'{}' of the model {} is final and cannot be set.",
                                      change.name, model));
    require_expression(change, text);
    if (names_an_entry(change)) {
      result.entries.push_back(entry_value(component, change, text, result));
      continue;
    }
    if (!modification.empty()) modification += ", ";
    result.by_line.push_back(text);
    // A comment ends with its line.
    modification += variability == Variability::parameter
                        ? fmt::format("{} = {}\n", change.name, change.value)
                        : fmt::format("{}(start = {}\n)", change.name, change.value);
  }
  if (!modification.empty()) result.modification = parsed_modification(modification, {}, result);
  return result;
}

void tell_of_setting(const Overrides& overrides, const Error& error) {
  const Diagnostic& first = error.diagnostics().front();
  const SourceSpan& at = first.origin.span;
  if (!at.file.starts_with(place)) return;
  constexpr std::size_t first_line = 2;
  std::string setting = at.file.substr(place.size());
  if (const std::size_t k = at.line - first_line; setting.empty() && k < overrides.by_line.size())
    setting = " " + overrides.by_line[k];
  // What comes after it is advice to who writes a model.
  const std::string what = first.text.substr(0, first.text.find(". "));
  throw Error("M331", fmt::format("--set{}: {}{} Give another value.", setting, what,
                                  what.ends_with('.') ? "" : "."));
}

}  // namespace alembert::modelica
