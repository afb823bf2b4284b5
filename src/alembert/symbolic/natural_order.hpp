// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside the pool. Natural order of names: a run of digits compares by its value,
// "x2" before "x10". In: names. Out: their order, which is total: "x01" and "x1" differ after all.
#pragma once

#include <cstdint>
#include <string_view>

namespace alembert::symbolic {

/// Negative, zero or positive, as a is before, the same as, or after b.
int natural_compare(std::string_view a, std::string_view b);

/// A number that is smaller only for names that come earlier; most pairs of names differ in it.
std::uint64_t natural_prefix(std::string_view name);

}  // namespace alembert::symbolic
