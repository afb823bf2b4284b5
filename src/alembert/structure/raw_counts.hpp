// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What textbooks print about a system as it is written, with its aliases and all:
// how much of it can be matched before and after Pantelides' algorithm, and which blocks are left
// to be solved together. In: a FlatSystem. Out: counts and blocks with names, plain data.
#pragma once

#include <string>
#include <vector>

#include "alembert/structure/structure.hpp"

namespace alembert::structure {

struct RawCounts {
  struct RawBlock {
    std::vector<std::string> unknowns;         // [n]: highest derivatives, matched to the rows
    std::vector<std::string> equations;        // [n]
    std::vector<std::vector<char>> incidence;  // [n][n]: 1 where an equation has an unknown
  };

  Index n_equations = 0;
  Index n_unknowns = 0;
  Index n_matched_before = 0;  ///< equations with highest derivatives, as written
  Index n_added = 0;           ///< equations that differentiation adds
  Index n_matched_after = 0;   ///< of the last version of each equation
  Index n_blocks = 0;
  std::vector<RawBlock> blocks;  ///< those larger than one, in solve order
};

RawCounts raw_counts(const flat::FlatSystem& flat);
/// A matrix of dots and crosses with names beside it.
std::string to_text(const RawCounts::RawBlock& block);

}  // namespace alembert::structure
