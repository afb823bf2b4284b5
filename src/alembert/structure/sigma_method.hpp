// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Pryce's Sigma-method (BIT 41(2), 2001), a second route to what Pantelides'
// algorithm finds. In: the signature matrix sigma_ij, the highest order of unknown j in equation i.
// Out: a transversal of highest value, and the smallest c, d >= 0 with d_j - c_i >= sigma_ij, equal
// on it: equation i is differentiated c_i times, unknown j then has order d_j. The assignment is by
// shortest augmenting paths (Jonker and Volgenant, Computing 38, 1987). Iterative, deterministic.
#pragma once

#include <cstdint>
#include <vector>

#include "alembert/structure/structure.hpp"

namespace alembert::structure {

/// Entries that are not there count as minus infinity.
struct SignatureMatrix {
  graph::IndexLists unknowns;  // of each equation, ascending; both numbered as in the flat system
  std::vector<Index> order;    // [n entries]: sigma_ij
  Index n_unknowns = 0;

  Index n_equations() const { return unknowns.size(); }
};

/// Differentiated equations, if there are any, play no part.
SignatureMatrix signature_matrix(const Structure& structure);

struct SigmaAnalysis {
  bool structurally_regular = false;    ///< there is a transversal; what follows is empty if not
  std::vector<Index> transversal;       // [n_equations]: unknown
  std::int64_t value = 0;               ///< sum of sigma over the transversal: degrees of freedom
  std::vector<Index> equation_offsets;  // c, [n_equations]
  std::vector<Index> unknown_offsets;   // d, [n_unknowns]
  Index structural_index = 0;
  /// Blocks of equations in solve order (Pryce, Nedialkov and Tan, ACM TOMS 41(2), 2015): coarse by
  /// all entries, fine by those of the system Jacobian, where d_j - c_i = sigma_ij.
  graph::IndexLists coarse_blocks;
  graph::IndexLists fine_blocks;
};

SigmaAnalysis analyse(const SignatureMatrix& sigma);

}  // namespace alembert::structure
