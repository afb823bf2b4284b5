// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What no number of differentiations could make regular. In: a Structure. Out:
// the parts at fault by Dulmage and Mendelsohn, in pieces that share nothing, and a finding for
// each.
#pragma once

#include <vector>

#include "alembert/graph/dulmage_mendelsohn.hpp"
#include "alembert/structure/structure.hpp"

namespace alembert::structure {

/// Equations and unknowns of the flat system. Nothing in either: the system is regular.
struct SingularParts {
  std::vector<graph::SystemPart> over;   // more equations than unknowns
  std::vector<graph::SystemPart> under;  // fewer

  bool empty() const { return over.empty() && under.empty(); }
};

SingularParts singular_parts(Structure& structure);
/// One S001 for every part with too many equations, one S002 for every part with too few.
std::vector<Diagnostic> singular_findings(const flat::FlatSystem& flat, const SingularParts& parts);

}  // namespace alembert::structure
