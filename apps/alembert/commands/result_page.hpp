// SPDX-License-Identifier: Apache-2.0
// Results, without the model that they came from, as a page.
#pragma once

#include <string>
#include <vector>

#include "alembert/visual/page.hpp"

namespace alembert::commands {

/// The first, and the others to compare with it. Errors as of result::read_result.
visual::Page page_of_results(const std::vector<std::string>& files);

}  // namespace alembert::commands
