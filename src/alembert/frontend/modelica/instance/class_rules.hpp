// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. What a class may contain and extend by its kind, as far as
// its own text tells (specification, 4.6, 7.1.3, 11.2, 12.2).
#pragma once

#include "alembert/frontend/modelica/syntax/ast.hpp"

namespace alembert::modelica {

/// Error M122 with everything in the class that its kind does not allow.
void check_class_rules(const ClassDefinition& definition);

/// May a class of one kind extend one of the other, or be a short form of it?
bool may_extend(Restriction derived, Restriction base);

/// May a class of one kind have components of the other?
bool may_contain(Restriction owner, Restriction component);

/// "a model", "an operator"
std::string with_article(Restriction restriction);

}  // namespace alembert::modelica
