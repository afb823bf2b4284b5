// SPDX-License-Identifier: Apache-2.0
// Texts made from a good one by random changes, and reading them without harm.
#pragma once

#include <string>
#include <string_view>

namespace alembert::modelica {

/// Reads it; what was read without mistakes can be printed and read again.
void read_safely(const std::string& text);

/// Reads `runs` texts with bytes changed, removed, repeated, and tokens put in. The same seed gives
/// the same texts.
void read_mutations(const std::string& original, int runs, unsigned seed);

std::string repeated(std::string_view piece, int n);

}  // namespace alembert::modelica
