// SPDX-License-Identifier: Apache-2.0
// Stage: result. Trajectories as HDF5 files: a dataset `time` [n_rows], a dataset `values`
// [n_rows, n_columns] and a dataset `names` [n_columns] of UTF-8 texts. Where units or descriptions
// are known, datasets `units` and `descriptions` [n_columns] hold them.
#pragma once

#include <filesystem>
#include <memory>

#include "alembert/result/column_notes.hpp"
#include "alembert/result/row_sink.hpp"

namespace alembert::result {

/// Row by row; Error R015, or R001 here or later, where the path cannot be written.
std::unique_ptr<RowSink> open_hdf5(const std::filesystem::path& path, ColumnNotes notes = {});

/// Appears whole or not at all; Error R015 or R001 where the path cannot be written.
void write_hdf5(const Trajectory& trajectory, const std::filesystem::path& path);

/// Error R002 where the file cannot be read, R007 where it is not such a file.
Trajectory read_hdf5(const std::filesystem::path& path);
ColumnNotes read_hdf5_notes(const std::filesystem::path& path);

}  // namespace alembert::result
