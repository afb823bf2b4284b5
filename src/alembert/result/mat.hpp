// SPDX-License-Identifier: Apache-2.0
// Stage: result. Trajectories as MAT files (MATLAB level 4) in the layout of Dymola and
// OpenModelica, which their users' scripts read: matrices Aclass, name, description, dataInfo,
// data_1 (what never varies, at the first and the last time) and data_2, transposed ("binTrans"),
// time first. A variable that is another one up to sign points to the same row, with a sign.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "alembert/result/column_notes.hpp"
#include "alembert/result/row_sink.hpp"

namespace alembert::result {

std::string to_mat(const Trajectory& trajectory);

/// Row by row; Error R015, or R001 here or later, where the path cannot be written.
std::unique_ptr<RowSink> open_mat(const std::filesystem::path& path, ColumnNotes notes = {});

/// Takes both orientations, aliases with a sign, and constants. Error R005, naming the file, where
/// the bytes are not such a file.
Trajectory parse_mat(std::string_view bytes, std::string_view file_name = "mat");

/// Error R002 where the file cannot be read, R005 as above.
Trajectory read_mat(const std::filesystem::path& path);
/// What `description` says; errors as above.
ColumnNotes read_mat_notes(const std::filesystem::path& path);

}  // namespace alembert::result
