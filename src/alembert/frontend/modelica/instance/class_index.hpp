// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, instance. What one class text declares, by name: made once for each
// class, shared by all its instances.
#pragma once

#include <unordered_map>
#include <vector>

#include "alembert/frontend/modelica/syntax/ast.hpp"

namespace alembert::modelica {

struct DeclaredName {
  const Component* component = nullptr;               ///< or
  const ClassDefinition* class_definition = nullptr;  ///< one of the two
  Visibility visibility = Visibility::public_;
};

struct ImportedName {
  const Import* import = nullptr;
  Name name;  ///< set for `import A.{name}`
};

struct BaseClause {
  const Extends* extends = nullptr;
  Visibility visibility = Visibility::public_;
};

struct ClassIndex {
  std::unordered_map<Name, DeclaredName> names;
  std::unordered_map<Name, ImportedName> imports;
  std::vector<const Import*> import_all;
  std::vector<BaseClause> bases;
};

/// Error M114 if a name is declared twice.
ClassIndex index_class(const ClassDefinition& definition);

}  // namespace alembert::modelica
