// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. What `a.b[2].c`, `x[1:3]` mean as components, for connect and
// other places that name components rather than values. In: a reference and where it stands.
// Out: the components, in the shape that the subscripts leave.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

/// A component, or one scalar of a component that is an array of a simple type.
struct ReferencedPart {
  Instance* instance = nullptr;
  std::int64_t scalar = -1;  ///< row-major, counts from 0; -1: the whole component

  friend bool operator==(const ReferencedPart&, const ReferencedPart&) = default;
};

struct Referenced {
  Dims dims = {};  ///< of the list of parts
  std::vector<ReferencedPart> parts = {};
  Instance* first = nullptr;  ///< what the first name stands for
  /// How many of the names lead to the first connector; all of them, where there is none.
  std::size_t n_before_connector = 0;
  bool has_connector = false;  ///< itself, or what it is part of
  /// Some component on the way is not there, by its condition. Then there are no parts.
  bool is_absent = false;
};

/// Error M1xx or M2xx if something is wrong with it.
Referenced resolve_reference(FlattenState& state, const ComponentReference& reference,
                             const EvaluationScope& scope);

/// `a.b[2]` as it was written.
std::string reference_text(const ComponentReference& reference);

}  // namespace alembert::modelica
