// SPDX-License-Identifier: Apache-2.0
// Stage: flat. Words that front ends leave in Origin::derived_from, by which messages know what a
// user can do about an equation or an unknown.
#pragma once

#include <string_view>

namespace alembert::flat {

/// Of an equation: potentials of connectors that are connected are equal.
inline constexpr std::string_view from_connection = "a connection";
/// Of an equation: flows into a point where connectors meet sum to zero.
inline constexpr std::string_view from_balance = "a balance";
/// Of an unknown: an input of a component that nobody connected or gave a value.
inline constexpr std::string_view open_input = "an open input";
/// Of an unknown: a potential of a connector that nobody connected.
inline constexpr std::string_view open_potential = "an open point";
/// Of an unknown: the value of a derivative that something asks for beside the equations. Results
/// show the derivative itself.
inline constexpr std::string_view asked_derivative = "a derivative that is asked for";
/// Of an unknown and of the equation that defines it: a combination of derivatives that is taken as
/// a whole, because they occur in it only. Results do not show it; messages show the combination.
inline constexpr std::string_view substituted_combination = "what was substituted";

}  // namespace alembert::flat
