// SPDX-License-Identifier: Apache-2.0
// What stands in the sources of the library: its components with what they say of themselves, and
// its examples. Read as text, so that nothing can be forgotten.
#pragma once

#include <string>
#include <vector>

namespace alembert::library_test {

struct SourceParameter {
  std::string type;
  std::string name;
  std::string description;
};

struct SourceComponent {
  std::string name;  // "Translational.Mass", "Blocks.Logic.And"
  std::string description;
  std::vector<SourceParameter> parameters;
};

struct SourceExample {
  std::string name;  // "Translational.Examples.Oscillator"
  std::string text;
  std::vector<std::string> plot;  // what it wants to be drawn
};

std::vector<SourceComponent> components();
std::vector<SourceExample> examples();
/// The messages of all assertions, those of internal classes too.
std::vector<std::string> assertion_messages();

}  // namespace alembert::library_test
