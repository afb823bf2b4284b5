// SPDX-License-Identifier: Apache-2.0
// Lists of variables on the command line.
#pragma once

#include <string>
#include <vector>

namespace alembert::commands {

/// "a,b[1,2],c": commas inside brackets belong to the name.
std::vector<std::string> split_names(const std::string& text);

/// Which names match one of the patterns with commas, in their order; all of them if there are
/// none. Error R004, with the nearest names, for a pattern that matches nothing.
std::vector<std::string> matching_names(const std::vector<std::string>& names,
                                        const std::string& patterns);

}  // namespace alembert::commands
