// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What can be taken out of a system with too many equations so that the rest is
// well-posed; every proposal is tried before a message makes it. In: a FlatSystem and equations at
// fault. Out: equations, or components, without which no equation contradicts others and every
// unknown that is concerned has an equation. A rest is preferred in which all fixed starts have
// room. Nothing is promised where a system is too large to try, or wrong in other places too.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

struct Surplus {
  std::size_t n_equations = 0;  // of the part with too many, by structure
  std::vector<graph::Index> unknowns;
  /// One too many: each of these repairs it. More: these together do. Empty: none was found.
  std::vector<graph::Index> removal;

  std::size_t excess() const { return n_equations - unknowns.size(); }
};

/// Of the equations `blamed`; of more than one too many the first is. Nothing where these are not
/// in a part that has more equations than unknowns.
std::optional<Surplus> find_surplus(const flat::FlatSystem& flat,
                                    std::span<const graph::Index> blamed);

/// Those of the components, by their names at the top of the model, that can be taken away. The
/// connections to them go with them.
std::vector<std::string> removable_parts(const flat::FlatSystem& flat,
                                         std::span<const std::string> parts);

/// "Remove one of them", "Remove 'y = x + 1' (model.mo:3:1)", "2 equations are too many: ...,
/// remove
/// ... and ..." without a stop. n_blamed: equations that `removal` was chosen from.
std::string removal_text(const flat::FlatSystem& flat, const Surplus& surplus, std::size_t n_blamed,
                         std::string_view all = "one of them");

/// 'a = b' (model.mo:3:1) and 'c = d' (model.mo:4:1); `word`: "and", "or".
std::string equations_listed(const flat::FlatSystem& flat, std::span<const graph::Index> equations,
                             std::string_view word);

}  // namespace alembert::structure
