// SPDX-License-Identifier: Apache-2.0
// What a sweep shows: a line of progress, a table of statistics, a picture.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "alembert/ensemble/sweep.hpp"
#include "alembert/ensemble/sweep_files.hpp"
#include "alembert/visual/figure.hpp"

namespace alembert::commands {

/// "[=====>    ] 312 of 1000, 2 failed, 12 s left"
std::string progress_line(const ensemble::SweepProgress& progress);

std::string statistics_table(const std::vector<ensemble::VariableStatistics>& statistics);

/// Maps of last values where two parameters vary on a grid; else over time a line for each of a few
/// cases, and fan charts of more. `names`: variables to draw; empty: the first that vary. `units`:
/// of variables and parameters, as far as they are known.
visual::Figure sweep_figure(const ensemble::SweepShape& shape,
                            const ensemble::JournalReader& journal, std::vector<std::string> names,
                            const std::map<std::string, std::string>& units);

}  // namespace alembert::commands
