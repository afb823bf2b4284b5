// SPDX-License-Identifier: Apache-2.0
// Lists of variables on the command line.
#pragma once

#include <string>
#include <vector>

namespace alembert::commands {

/// "a,b[1,2],c": commas inside brackets belong to the name.
std::vector<std::string> split_names(const std::string& text);

}  // namespace alembert::commands
