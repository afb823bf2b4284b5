// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. A tree as Modelica text, for messages and tests. In: any node.
// Out: text in one style, with as few parentheses as its meaning needs; reading it gives the same
// tree, apart from places.
#pragma once

#include <string>

#include "alembert/frontend/modelica/syntax/ast.hpp"

namespace alembert::modelica {

std::string to_text(const Path& path);
std::string to_text(const ComponentReference& reference);
std::string to_text(const Expression& expression);
std::string to_text(const ModificationBody& body);  ///< "(start = 1) = 2"
std::string to_text(const Modification& modification);
std::string to_text(const Equation& equation);    ///< with `;`, without a final line end
std::string to_text(const Statement& statement);  ///< the same
std::string to_text(const ClassDefinition& definition);
std::string to_text(const StoredDefinition& stored);

/// "+", ".*", "and", "<>".
std::string_view to_text(Operator op);
/// "operator record", "model".
std::string_view to_text(Restriction restriction);
/// In quotes, with escapes.
std::string quoted_string(std::string_view value);

}  // namespace alembert::modelica
