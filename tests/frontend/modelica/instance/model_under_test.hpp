// SPDX-License-Identifier: Apache-2.0
// A text, the instance tree of one of its models, and short ways to look at it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/modelica/instance/small_evaluator.hpp"

namespace alembert::modelica::testing {

class ModelUnderTest {
 public:
  /// Instantiates `model` of the text, which may hold further classes.
  explicit ModelUnderTest(std::string text, std::string_view model = "M");

  Instance& root() { return tree_.model(); }
  InstanceTree& tree() { return tree_; }
  /// By its name: "a.b[2].c". Fails if there is none.
  Instance& at(std::string_view path);
  /// The text of its binding with the steps into it.
  std::string value(std::string_view path) { return text_of(at(path).binding()); }
  std::string attribute(std::string_view path, std::string_view name);
  /// The names of all components of simple type that are present, in order.
  std::vector<std::string> names();
  /// What a name means when it is written in the class of a component.
  Denotation lookup(std::string_view component, std::string reference);

 private:
  void list(Instance& instance, std::vector<std::string>& names);

  ClassLibrary library_;
  InstanceTree tree_;
  SmallEvaluator evaluator_;
  std::vector<ParsedExpression> parsed_;
};

/// The message of the error that looking at everything in the model gives; empty if there is none.
std::string error_of(const std::string& text, std::string_view model = "M");
/// Of a message: what is wrong and where, without notes.
inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace alembert::modelica::testing
