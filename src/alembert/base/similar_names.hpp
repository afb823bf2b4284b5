// SPDX-License-Identifier: Apache-2.0
// Stage: base. Which name was meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace alembert {

/// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string
/// alignment; Damerau 1964), more than `limit` counted as limit + 1.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = 1000);

/// The name among `names` that `written` was probably meant to be, whatever its case, or
/// nothing. Ties go to names of the same length, then by alphabet.
std::string nearest_name(std::string_view written, std::span<const std::string_view> names);
std::string nearest_name(std::string_view written, std::span<const std::string> names);

}  // namespace alembert
