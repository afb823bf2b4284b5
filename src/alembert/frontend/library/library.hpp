// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/library. Components written in Modelica as parts of models written in C++:
//   Model m("Drop");
//   Library library(m);
//   auto mass = library.make("Alembert.Translational.Mass", {{"m", 880}});
//   auto spring = library.make("Alembert.Translational.Spring", {{"k", 1e6}});
//   m.connect(mass["flange"], spring["flange_a"]);
//   m += der(x) == mass.quantity("v");
// In: the name of a class, values of its parameters. Out: a part of the model with its connectors.
// The class is flattened by itself, its connectors left open, and included in the model.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <map>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/frontend/builder/part.hpp"

namespace alembert::library {

/// What a modification gives to a parameter or, for variables, to the start: a number, a truth
/// value, or any text of the language such as "{1, 2}" and "2*sqrt(2)".
struct Modification {
  Modification(std::string parameter, double value);
  Modification(std::string parameter, int value);
  Modification(std::string parameter, bool value);
  Modification(std::string parameter, const char* value)
      : Modification(parameter, std::string(value)) {}
  Modification(std::string parameter, std::string value)
      : name(std::move(parameter)), text(std::move(value)) {}

  std::string name;
  std::string text;
};

/// A component in its model.
class Component {
 public:
  /// A connector. Error L002, with the names there are, where it has no such.
  const builder::Connector& operator[](std::string_view connector) const;
  /// An unknown, parameter or discrete variable: "v", "vol_a.x". Error L003 where it has no such.
  builder::Expr quantity(std::string_view name) const;
  const builder::Part& part() const { return part_; }
  const std::string& name() const { return part_.path(); }

 private:
  friend class Library;
  explicit Component(builder::Part part) : part_(std::move(part)) {}

  builder::Part part_;
  std::map<std::string, builder::Connector, std::less<>> connectors_;
};

/// The folder of the package `Alembert` that find_package(Alembert) found; none within this tree.
inline std::vector<std::filesystem::path> installed_components() {
#ifdef ALEMBERT_COMPONENTS
  return {ALEMBERT_COMPONENTS};
#else
  return {};
#endif
}

class Library {
 public:
  /// Finds the package `Alembert`, and what the folders given and MODELICAPATH hold.
  explicit Library(builder::Model& model,
                   std::vector<std::filesystem::path> folders = installed_components());

  /// Makes a component. `name` is what it is called in the model; without one, as its class:
  /// "mass", then "mass2". Errors of the front end for the text, and F004 where the name is taken.
  Component make(const std::string& full_class_name,
                 std::initializer_list<Modification> modifications = {}, std::string_view name = {},
                 std::source_location at = std::source_location::current());

 private:
  std::string free_name(const std::string& full_class_name);

  builder::Model* model_;
  std::vector<std::filesystem::path> folders_;
  std::map<std::string, int> n_made_;  // by name
};

}  // namespace alembert::library
