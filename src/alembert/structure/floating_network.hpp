// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Networks without a reference: a circuit without ground, a chain of springs that
// nothing holds. Only differences of potentials are in their equations, so that all of them may
// move together, and the sum of the flows says nothing new. In: a part of a system with fewer
// equations than unknowns. Out: an S007 for each network, with the names that float together, if
// that is all that is missing.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/graph/dulmage_mendelsohn.hpp"
#include "alembert/structure/simplify.hpp"

namespace alembert::structure {

/// part: of the simplified system; its equations are all those that have its unknowns.
/// Nothing if something else is missing, or the search would take too long.
std::optional<std::vector<Diagnostic>> floating_networks(const flat::FlatSystem& given,
                                                         const SimplifiedSystem& simplified,
                                                         const graph::SystemPart& part);

/// An S007 for each network that floats in a system whose equations are as many as its unknowns,
/// with notes on those that repeat each other: one of them is what a level may be given in place
/// of. repeating: of the simplified system. None if nothing floats.
std::vector<Diagnostic> hidden_floating_networks(const flat::FlatSystem& given,
                                                 const SimplifiedSystem& simplified,
                                                 std::span<const Index> repeating);

/// True for units of potentials: volts, metres, kelvins and the like. Forces and other flows have
/// no such unit.
bool measures_level(std::string_view unit);

}  // namespace alembert::structure
