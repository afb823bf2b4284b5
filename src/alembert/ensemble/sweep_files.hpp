// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. The results of a sweep as files. In: the cases, and journals that hold a result
// of each. Out: one CSV or HDF5 file of all trajectories, a table with one row a case, statistics
// over the cases. Read case by case, so that nothing need fit in memory; the same bytes whoever ran
// the cases.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "alembert/ensemble/case_table.hpp"
#include "alembert/ensemble/journal.hpp"

namespace alembert::ensemble {

/// What the values of every CaseResult mean: [n_times][n_variables], NaN behind the end.
struct SweepShape {
  CaseTable cases;
  std::vector<double> times;           // [n_times]
  std::vector<std::string> variables;  // [n_variables]
};

/// CSV: a row a case and time: case, varied names, time, variables. HDF5 (.h5): `parameters`
/// [n_cases, n_names], `time` [n_times], `values` [n_cases, n_times, n_variables], `status` and
/// `message` [n_cases], `end_time` [n_cases], `parameter_names`, `variable_names`. Error R006 for
/// another ending; appears whole or not at all.
void write_sweep(const SweepShape& shape, const JournalReader& journal,
                 const std::filesystem::path& path);
void require_sweep_ending(const std::filesystem::path& path);

/// CSV, one row a case: case, varied names, status, end_time, and of each variable x its last value
/// x, min(x), max(x), mean(x) over the rows; then the message.
void write_case_summary(const SweepShape& shape, const JournalReader& journal,
                        const std::filesystem::path& path);

/// Over the last values of all cases that came to their end.
struct VariableStatistics {
  std::string name;
  std::uint64_t n = 0;
  double mean = 0, deviation = 0;
  double min = 0, low = 0, median = 0, high = 0, max = 0;  ///< low and high: 5 % and 95 %
};
std::vector<VariableStatistics> final_statistics(const SweepShape& shape,
                                                 const JournalReader& journal,
                                                 std::size_t most_variables);

}  // namespace alembert::ensemble
