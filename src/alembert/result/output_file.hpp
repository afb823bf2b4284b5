// SPDX-License-Identifier: Apache-2.0
// Stage: result. A file that appears whole or not at all.
// In: bytes. Out: the file, written beside its place and renamed into it by `commit`; without
// `commit` nothing changes on disk. A device or pipe is written directly. Errors say what the
// system said: R015 if there is no place for the file, when it is opened; R001 if it cannot be
// written, then or later.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace alembert::result {

class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Bytes from the beginning of the file, in place of what was written there.
  void overwrite_head(std::string_view bytes);
  void commit();
  /// Bytes that were written, and how many of them are in the file by now.
  std::uint64_t size() const { return n_flushed_ + buffer_.size(); }
  std::uint64_t n_flushed() const { return n_flushed_; }
  /// Room for the file to grow to this size by other writers than this class: 0, or the number of
  /// the error if there is none. Where the file system cannot tell, there is.
  int reserve(std::uint64_t size) const noexcept;
  /// Gives back what was reserved beyond the end of the file.
  void give_back_reserve() const noexcept;
  /// After a failure: writes what still fits. How many bytes are in the file now.
  std::uint64_t flush_what_fits() noexcept;
  /// As `commit`, but of the first `size` bytes only, which are in the file, with `head` in place
  /// of their begin. False, and nothing changes on disk, where that fails too.
  bool commit_part(std::uint64_t size, std::string_view head = {}) noexcept;
  const std::filesystem::path& path() const { return path_; }
  /// Where the bytes are until `commit`; empty where they are written directly.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Error R001 with what the system said.
  [[noreturn]] void fail(int error_number) const;

 private:
  void flush();
  /// 0, or the number of the error.
  int try_flush() noexcept;
  bool place(std::string_view head) noexcept;
  void discard() noexcept;

  std::filesystem::path path_;       // as the user wrote it
  std::filesystem::path target_;     // with links resolved
  std::filesystem::path temporary_;  // empty where written directly
  int descriptor_ = -1;
  std::string buffer_;
  std::uint64_t n_flushed_ = 0;
};

/// Error R015 for a device or pipe, where a file is to be that is not written from its begin to its
/// end. format: "HDF5".
void refuse_device(const std::filesystem::path& path, std::string_view format);

/// Error R015 if the path is at fault, such as by a folder that is not there; else R001.
[[noreturn]] void throw_cannot_open(const std::filesystem::path& path, int error_number);

/// A file of these bytes.
void write_file(const std::filesystem::path& path, std::string_view bytes);

/// The whole file; Error R002 where it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace alembert::result
