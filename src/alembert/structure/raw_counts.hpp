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
    std::vector<std::string> unknowns;   // [n]: highest derivatives, matched to the rows
    std::vector<std::string> equations;  // [n]
    /// [n][n]: 1 where an equation has an unknown; empty above `largest_matrix`.
    std::vector<std::vector<char>> incidence;
  };

  Index n_equations = 0;
  Index n_unknowns = 0;
  Index n_matched_before = 0;  ///< equations with highest derivatives, as written
  Index n_added = 0;           ///< equations that differentiation adds
  Index n_matched_after = 0;   ///< of the last version of each equation
  Index n_blocks = 0;
  std::vector<RawBlock> blocks;  ///< those larger than one, in solve order
};

inline constexpr std::size_t largest_matrix = 200;  // of a block, for printing

RawCounts raw_counts(const flat::FlatSystem& flat);
/// The same where the structure is known already; it must be regular.
RawCounts raw_counts(const flat::FlatSystem& flat, Structure as_written);
/// A matrix of dots and crosses with names beside it.
std::string to_text(const RawCounts::RawBlock& block);

}  // namespace alembert::structure
