// SPDX-License-Identifier: Apache-2.0
// Stage: result. Trajectories in files of any kind, by the ending of the name: .csv, .mat, .h5.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "alembert/result/column_notes.hpp"
#include "alembert/result/row_sink.hpp"

namespace alembert::result {

/// An ending for each kind: ".csv, .mat or .h5".
std::string known_endings();
bool has_known_ending(const std::filesystem::path& path);
/// Error R006 for another ending.
void require_known_ending(const std::filesystem::path& path);

/// A file that takes rows as they come, in little memory, and appears whole at `commit` or not at
/// all. Error R006 as above, R015, or R001 here or later, where the path cannot be written.
std::unique_ptr<RowSink> open_result(const std::filesystem::path& path, ColumnNotes notes = {});

/// Appears whole or not at all. Error R006 as above, R015 or R001 where the path cannot be written.
void write_result(const Trajectory& trajectory, const std::filesystem::path& path);

/// Error R006 as above, R002 where the file cannot be read, R003, R005 or R007 where it is not what
/// its ending says.
Trajectory read_result(const std::filesystem::path& path);
/// Errors as above; nothing where the file does not hold any.
ColumnNotes read_notes(const std::filesystem::path& path);

}  // namespace alembert::result
