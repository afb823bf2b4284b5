// SPDX-License-Identifier: Apache-2.0
// Stage: structure. A hint for messages about equations that are too many: the usual mistake is
// that one thing is given by two of them. In: equations at fault. Out: a sentence, or nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "alembert/flat/flat_system.hpp"
#include "alembert/graph/bipartite_graph.hpp"

namespace alembert::structure {

/// True if a connection made one of the equations.
bool has_connection(const flat::FlatSystem& flat, std::span<const graph::Index> equations);

/// Two equations that have the same unknown or derivative alone on their left side.
struct GivenTwice {
  graph::Index first = 0;
  graph::Index second = 0;
  std::string sentence;  ///< "'q' is given twice: at model.mo:6:3 and at model.mo:9:3."
};

/// Nothing where there are none, or so few equations that everybody sees it. Components that are
/// connected wrongly have no mistake inside.
std::optional<GivenTwice> find_given_twice(const flat::FlatSystem& flat,
                                           std::span<const graph::Index> equations);

/// The sentence with a blank before it, or nothing.
std::string given_twice(const flat::FlatSystem& flat, std::span<const graph::Index> equations);

}  // namespace alembert::structure
