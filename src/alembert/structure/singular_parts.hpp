// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What no number of differentiations could make regular. In: a Structure. Out:
// the parts at fault by Dulmage and Mendelsohn, in pieces that share nothing, and a finding for
// each.
#pragma once

#include <string>
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

/// Unknowns of each equation, both numbered as in the flat system.
graph::IndexLists unknowns_by_source(const Structure& structure);

SingularParts singular_parts(Structure& structure);
/// One S001 for every part with too many equations, one S002 for every part with too few.
std::vector<Diagnostic> singular_findings(const flat::FlatSystem& flat, const SingularParts& parts);

/// Which unknown is in which equation, with what is at fault first: of the system without its
/// aliases, or as written where those contradict.
struct SingularIncidence {
  std::vector<std::string> equations;
  std::vector<std::string> unknowns;
  graph::IndexLists entries;  // unknowns of each equation
  Index n_equations_at_fault = 0;
  Index n_unknowns_at_fault = 0;
};
/// Nothing is at fault in it where the system is wrong in another way.
SingularIncidence singular_incidence(const flat::FlatSystem& flat);

}  // namespace alembert::structure
