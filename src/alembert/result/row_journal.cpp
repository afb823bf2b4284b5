// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/row_journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::result {
namespace {

constexpr std::size_t most_held = 1 << 14;

}  // namespace

RowJournal::RowJournal(std::filesystem::path path, std::uint64_t n_kept)
    : path_(std::move(path)), n_kept_(n_kept) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  is_new_ = descriptor_ >= 0;
  if (!is_new_) descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_cannot_open(path_, errno);
}

RowJournal::~RowJournal() {
  ::close(descriptor_);
  // Of a run that never came to a checkpoint.
  if (is_new_) ::unlink(path_.c_str());
}

void RowJournal::fail() const {
  throw Error("R001", "cannot write '" + path_.string() + "': " + std::strerror(errno) + ".");
}

void RowJournal::begin(const Columns& columns) {
  n_columns_ = columns.names.size();
  const auto size = static_cast<off_t>(n_kept_ * (1 + n_columns_) * sizeof(double));
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail();
  if (status.st_size < size)
    throw Error("R009", "'" + path_.string() +
                            "' does not hold the rows of the run up to the checkpoint; it belongs "
                            "beside it.");
  if (::ftruncate(descriptor_, size) != 0 || ::lseek(descriptor_, size, SEEK_SET) < 0) fail();
}

void RowJournal::append(double time, std::span<const double> row) {
  buffer_.push_back(time);
  buffer_.insert(buffer_.end(), row.begin(), row.end());
  if (buffer_.size() > most_held) flush();
}

void RowJournal::flush() {
  const char* bytes = reinterpret_cast<const char*>(buffer_.data());
  std::size_t left = buffer_.size() * sizeof(double);
  while (left > 0) {
    const ssize_t written = ::write(descriptor_, bytes, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes += written;
    left -= static_cast<std::size_t>(written);
  }
  buffer_.clear();
  is_new_ = false;
}

void RowJournal::replay(RowSink& sink) const {
  std::vector<double> row(1 + n_columns_);
  const std::size_t size = row.size() * sizeof(double);
  for (std::uint64_t i = 0; i < n_kept_; ++i) {
    if (::pread(descriptor_, row.data(), size, static_cast<off_t>(i * size)) !=
        static_cast<ssize_t>(size))
      throw Error("R009", "'" + path_.string() + "' could not be read to its end.");
    sink.append(row[0], std::span(row).subspan(1));
  }
}

}  // namespace alembert::result
