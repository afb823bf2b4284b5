// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica. What --set says. In: "NAME=VALUE" texts and the model they are for.
// Out: modifications from outside of the model, and values for entries of arrays, which a
// modification cannot name: `R=2`, `body.r={0, 1, 0}`, `data=Data(3)`, `a[2]=1`, `cell[3].C=4`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/instance/binding.hpp"
#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::modelica {

struct Overrides {
  const ModificationBody* modification = nullptr;
  std::vector<EntryValue> entries = {};
  std::vector<std::string> by_line = {};                ///< what each line of the modification says
  std::vector<std::unique_ptr<SyntaxFile>> texts = {};  ///< keep the expressions alive
};

/// Parameters get values, variables start values. Errors: M331 for a text that sets nothing; M332,
/// with similar names, for one that names nothing that could be set; M331 for what is set twice.
Overrides read_overrides(ClassLibrary& library, const std::string& model,
                         const std::vector<std::string>& texts);

/// Error M331, with the text that was given, for a mistake within one; else nothing.
void tell_of_setting(const Overrides& overrides, const Error& error);

}  // namespace alembert::modelica
