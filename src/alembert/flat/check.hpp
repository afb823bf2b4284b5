// SPDX-License-Identifier: Apache-2.0
// Stage: flat. What can be said about a system before its structure is looked at: counts, names,
// ranges, constants. In: a FlatSystem. Out: nothing, or one Error with all findings, F001 to F014.
// Linear in the size of the system. What a front end must guarantee (canonical ids of one pool,
// symbols of the right kind) is `ensure`d.
#pragma once

#include <string_view>
#include <vector>

#include "alembert/flat/flat_system.hpp"
#include "alembert/flat/parameters.hpp"

namespace alembert::flat {

/// All findings:
///   F001 fewer equations than unknowns
///   F002 unknown in no equation
///   F003 equation without unknowns
///   F004 name or start value given twice
///   F005 start outside its range, empty range
///   F006 symbol that nobody declared
///   F007 parameter without value, or defined in a circle
///   F008 constant, parameter or start that is not finite
///   F009 parameter or start defined by what varies
///   F010 observed quantity without a name
///   F011 fixed without a start value
///   F012 value for a parameter that does not exist
///   F014 equations and variables that change at events only differ in number
std::vector<Diagnostic> diagnose(const FlatSystem& system,
                                 const ParameterOverrides& overrides = {});

/// Throws one Error with all of them, if there are any.
void check(const FlatSystem& system, const ParameterOverrides& overrides = {});

/// F004 in one wording for `check` and for front ends that notice it as the user types. The kinds
/// read "unknown", "parameter", "observed quantity"; a first kind "time" is the name that every
/// model has.
Diagnostic duplicate_name(std::string_view name, std::string_view kind, const Origin& origin,
                          std::string_view first_kind, const Origin& first_origin);

}  // namespace alembert::flat
