// SPDX-License-Identifier: Apache-2.0
// Stage: result. Trajectories as comma-separated text, RFC 4180.
// A header line, `time` first, then a line a row. Names with a comma or a quote in them are quoted.
// Numbers are the shortest text that reads back to the same value; nan and inf are written so.
// Lines end in LF; a reader takes CR LF too.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "alembert/result/row_sink.hpp"

namespace alembert::result {

std::string to_csv(const Trajectory& trajectory);

/// Row by row; Error R015, or R001 here or later, where the path cannot be written.
std::unique_ptr<RowSink> open_csv(const std::filesystem::path& path);

/// Appears whole or not at all; Error R015 or R001 where the path cannot be written.
void write_csv(const Trajectory& trajectory, const std::filesystem::path& path);

/// Error R003 with line and column where the text is not such a table. `file_name` is for messages.
Trajectory parse_csv(std::string_view text, std::string_view file_name = "csv");

/// Error R002 where the file cannot be read, R003 as above.
Trajectory read_csv(const std::filesystem::path& path);

}  // namespace alembert::result
