// SPDX-License-Identifier: Apache-2.0
// What the tests of flattening share.
#pragma once

#include <string>

#include "alembert/flat/flat_system.hpp"

namespace alembert::modelica {

/// The last model of the text.
flat::FlatSystem flat_of(const std::string& text, std::vector<std::string> overrides = {});
/// The same as text, without its first line ("model M") and its last.
std::string flat_text_of(const std::string& text, std::vector<std::string> overrides = {});
/// What is wrong with the text; empty if nothing is. Places read "m.mo:LINE:COL".
std::string mistakes_in(const std::string& text);

}  // namespace alembert::modelica
