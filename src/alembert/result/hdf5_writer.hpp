// SPDX-License-Identifier: Apache-2.0
// Stage: result. An HDF5 file of any datasets, written part by part, so that it may be larger than
// memory. In: names, extents, parts along the first dimension. Out: a file that appears whole or
// not at all, and has the same bytes for the same contents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace alembert::result {

class Hdf5Writer {
 public:
  /// Error R015 or R001 where the path cannot be written, R007 without the library.
  explicit Hdf5Writer(const std::filesystem::path& path);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  void numbers(const std::string& name, const std::vector<std::uint64_t>& extents,
               std::span<const double> values);
  void texts(const std::string& name, std::span<const std::string> texts);

  /// A dataset that is filled in parts; only one is open at a time.
  void begin(const std::string& name, const std::vector<std::uint64_t>& extents);
  /// Rows from `first` on; values: whole rows.
  void part(std::uint64_t first, std::span<const double> values);
  void end();

  void commit();

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace alembert::result
