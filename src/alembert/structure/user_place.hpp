// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Where to point in a message about several equations and unknowns: into the text
// of the model rather than into that of a library it uses.
#pragma once

#include <span>

#include "alembert/flat/flat_system.hpp"

namespace alembert::structure {

/// The first of the places that is in the file of the model; the model itself where none is; the
/// first place where nobody knows where the model is. places: at least one.
Origin user_place(const flat::FlatSystem& flat, std::span<const Origin> places);

}  // namespace alembert::structure
