// SPDX-License-Identifier: Apache-2.0
// Every member of a syntax tree, apart from places, as nested lists: two trees are equal if their
// dumps are. A second route beside the printer, which could forget a member on both ways.
#pragma once

#include <string>

#include "alembert/frontend/modelica/syntax/ast.hpp"

namespace alembert::modelica {

std::string dump(const Expression* expression);
std::string dump(const StoredDefinition& stored);

}  // namespace alembert::modelica
