// SPDX-License-Identifier: Apache-2.0
// Wording: where it happened, and which names are similar to one that was not found.
#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "alembert/base/similar_names.hpp"
#include "alembert/flat/wording.hpp"
#include "alembert/frontend/modelica/instance/tree_state.hpp"

namespace alembert::modelica {

void TreeState::fail(Place place, std::string code, std::string text, std::vector<Note> notes) {
  throw Error({diagnostic_at(place, std::move(code), std::move(text), std::move(notes))});
}

namespace {

bool differ_in_case_only(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// One is the other with something before or behind it: "resistor" of "Resistor2", "Fixed" of
/// "FixedTemperature". Short ones are in too many.
bool is_part_of_other(std::string_view a, std::string_view b) {
  const std::string one = in_lower_case(a.size() < b.size() ? a : b);
  const std::string other = in_lower_case(a.size() < b.size() ? b : a);
  constexpr std::size_t shortest = 3;
  return one.size() >= shortest && other.size() <= 60 && other.find(one) != std::string::npos;
}

/// How far apart two names are that may be taken for each other; nothing if they are not alike.
std::optional<std::size_t> distance_of_similar(std::string_view wanted, std::string_view name) {
  if (differ_in_case_only(wanted, name)) return 0;
  const std::size_t longer = std::max(wanted.size(), name.size());
  const std::size_t shorter = std::min(wanted.size(), name.size());
  const std::size_t allowed = longer <= 4 ? 1 : 2;
  if (longer - shorter <= allowed && longer <= 60 && shorter >= 2)
    if (const std::size_t distance = edit_distance(wanted, name); distance <= allowed)
      return distance;
  if (!is_part_of_other(wanted, name)) return std::nullopt;
  return 3 + longer - shorter;
}

/// What a name must stand for where it was looked for.
using Sought = TreeState::Sought;

bool is_sought(const ClassDefinition& definition, Sought sought) {
  switch (definition.restriction) {
    case Restriction::function:
    case Restriction::operator_function:
    case Restriction::operator_: return sought != Sought::type;
    case Restriction::record:
    case Restriction::operator_record: return true;
    default: return sought != Sought::function;
  }
}

/// Protected names are known within the class itself only.
void collect_names(Scope& layer, Sought sought, bool with_protected, std::set<Name>& names) {
  for (const auto& [name, declared] : TreeState::data(layer).index->names) {
    if (!with_protected && declared.visibility == Visibility::protected_) continue;
    const bool fits = declared.class_definition != nullptr
                          ? is_sought(*declared.class_definition, sought)
                          : sought == Sought::anything;
    if (fits) names.insert(name);
  }
  for (const auto& [name, import] : TreeState::data(layer).index->imports) names.insert(name);
  if (TreeState::data(layer).is_package) {
    for (const ClassNode* node : layer.node().children()) names.insert(node->name());
  }
  for (Scope* base : TreeState::data(layer).bases)
    collect_names(*base, sought, with_protected, names);
}

std::string did_you_mean(const std::set<Name>& names, Name wanted) {
  std::vector<std::pair<std::size_t, Name>> similar;
  for (const Name name : names)
    if (name != wanted)
      if (const auto distance = distance_of_similar(wanted.text(), name.text()))
        similar.emplace_back(*distance, name);
  if (similar.empty()) return {};
  std::sort(similar.begin(), similar.end());
  for (const auto& [distance, name] : similar)
    if (differ_in_case_only(wanted.text(), name.text()))
      return " Did you mean '" + name.string() + "'?";
  std::string text = " Did you mean '" + similar[0].second.string() + "'";
  for (std::size_t i = 1; i < std::min<std::size_t>(similar.size(), 3); ++i) {
    text += " or '" + similar[i].second.string() + "'";
  }
  return text + "?";
}

/// " There are 'a', 'b' and 'c'."
std::string what_there_is(const std::set<Name>& names) {
  constexpr std::size_t most = 10;
  std::vector<std::string> shown;
  for (const Name name : names) shown.push_back(flat::in_quotes(name.text()));
  if (shown.empty()) return {};
  if (shown.size() == 1) return " There is " + shown.front() + " only.";
  std::sort(shown.begin(), shown.end());
  if (shown.size() > most) {
    const std::size_t n_more = shown.size() - most + 1;
    shown.resize(most - 1);
    shown.push_back(std::to_string(n_more) + " more");
  }
  std::string text = " There are " + shown.front();
  for (std::size_t i = 1; i < shown.size(); ++i)
    text += (i + 1 == shown.size() ? " and " : ", ") + shown[i];
  return text + ".";
}

/// Words of other languages and of textbooks.
std::string in_other_words(Name wanted) {
  static constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"double", " A number with a fraction is a 'Real'."},
      {"float", " A number with a fraction is a 'Real'."},
      {"int", " A whole number is an 'Integer'."},
      {"bool", " What is true or false is a 'Boolean'."},
      {"char", " A text is a 'String'."},
      {"t", " The time is called 'time'."},
      {"pi", " Write Modelica.Constants.pi, or declare 'constant Real pi = 2*acos(0)'."},
      {"ln", " The natural logarithm is 'log'."},
      {"pow", " Powers are written 'a^b'."},
      {"fabs", " Absolute values are 'abs'."},
      {"arcsin", " It is called 'asin'."},
      {"arccos", " It is called 'acos'."},
      {"arctan", " It is called 'atan'."},
      {"diff", " Derivatives in time are written 'der(x)'."},
      {"ddot", " Second derivatives in time are written 'der(der(x))'."},
      {"d2", " Second derivatives in time are written 'der(der(x))'."},
      {"ddt", " Derivatives in time are written 'der(x)'."},
      {"length", " The length of a vector is 'size(v, 1)'."},
      {"len", " The length of a vector is 'size(v, 1)'."}};
  for (const auto& [word, advice] : words)
    if (wanted == word) return std::string(advice);
  return {};
}

/// "dx" where there is an "x".
std::string as_derivative(const std::set<Name>& names, Name wanted) {
  const std::string_view text = wanted.text();
  if (text.size() < 2 || text.front() != 'd' || !names.contains(Name(text.substr(1)))) return {};
  const std::string variable(text.substr(1));
  return " The derivative of '" + variable + "' in time is written 'der(" + variable + ")'.";
}

}  // namespace

std::string TreeState::similar_names(Scope& scope, Name name, Sought sought) {
  if (std::string advice = in_other_words(name); !advice.empty()) return advice;
  std::set<Name> names;
  for (Scope* at = &scope; at; at = at->enclosing()) {
    collect_names(*at, sought, true, names);
    if (at->definition().encapsulated) break;
  }
  if (sought != Sought::function)
    for (const auto& [type, slot] : builtin_types) names.insert(type);
  if (sought == Sought::anything)
    if (std::string advice = as_derivative(names, name); !advice.empty()) return advice;
  if (sought == Sought::anything) names.insert(Name("time"));
  if (sought == Sought::function)
    for (const std::string_view builtin : all_builtin_names())
      if (builtin != "time") names.insert(Name(builtin));
  return did_you_mean(names, name);
}

std::string TreeState::library_advice(Instance& instance, Name name) {
  const std::string similar = similar_names(instance.scope(), name, Sought::type);
  if (!similar.empty()) return similar;
  return " If it is a library, name the folder that holds it with --library or MODELICAPATH.";
}

std::string TreeState::similar_members(Instance& instance, Name name, Sought sought) {
  std::set<Name> names;
  collect_names(root_layer(instance), sought, false, names);
  for (const EnumerationLiteral& literal : instance.literals()) names.insert(literal.name);
  const std::string similar = did_you_mean(names, name);
  return similar.empty() ? what_there_is(names) : similar;
}

}  // namespace alembert::modelica
