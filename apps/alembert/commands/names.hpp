// SPDX-License-Identifier: Apache-2.0
// Lists of variables on the command line.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace alembert::commands {

/// "a,b[1,2],c": commas inside brackets belong to the name.
std::vector<std::string> split_names(const std::string& text);

/// "Resistor" of "Modelica.Electrical.Analog.Basic.Resistor".
std::string last_name(const std::string& full_name);

/// Places of the names that match one of the patterns with commas; all of them if there are none.
/// Error R004, with the nearest names, for a pattern that matches nothing.
std::vector<std::size_t> matching_columns(const std::vector<std::string>& names,
                                          const std::string& patterns);
/// The names themselves.
std::vector<std::string> matching_names(const std::vector<std::string>& names,
                                        const std::string& patterns);

}  // namespace alembert::commands
