// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/row_journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::result {
namespace {

constexpr std::size_t most_held = 1 << 14;
constexpr std::string_view mark = "alembert rows 1\n";

/// FNV-1a by whole numbers, cheap beside writing them. One number that differs is always found.
std::uint64_t continue_checksum(std::uint64_t sum, std::span<const double> values) {
  for (const double value : values) {
    sum = (sum ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211u;
    sum ^= sum >> 32;  // a product alone carries nothing down
  }
  return sum;
}

/// Or is empty, as after a crash.
bool begins_with_mark(int descriptor) {
  char begin[mark.size()];
  const ssize_t n = ::pread(descriptor, begin, sizeof begin, 0);
  return n >= 0 && mark.starts_with(std::string_view(begin, static_cast<std::size_t>(n)));
}

}  // namespace

RowJournal::RowJournal(std::filesystem::path path, JournalRows kept)
    : path_(std::move(path)), kept_(kept), checksum_(kept.checksum) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  is_new_ = descriptor_ >= 0;
  if (!is_new_) descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw_cannot_open(path_, errno);
  if (is_new_ || kept_.n > 0 || begins_with_mark(descriptor_)) return;
  ::close(descriptor_);
  throw Error("R015", "the rows of a checkpoint would be written over '" + path_.string() +
                          "', which holds something else. Choose another name for the "
                          "checkpoint.");
}

RowJournal::~RowJournal() {
  ::close(descriptor_);
  // Of a run that never came to a checkpoint.
  if (is_new_) ::unlink(path_.c_str());
}

void RowJournal::fail() const {
  throw Error("R001", "cannot write '" + path_.string() + "': " + std::strerror(errno) + ".");
}

void RowJournal::fail_rows() const {
  throw Error("R009",
              "'" + path_.string() +
                  "' does not hold the rows of the run up to the checkpoint: it was changed "
                  "or cut, or a later run with the same checkpoint has written over it. "
                  "Bring back the file that was made with the checkpoint, or run from the "
                  "start.");
}

void RowJournal::begin(const Columns& columns) {
  n_columns_ = columns.names.size();
  if (kept_.n == 0) return;
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0) fail();
  const std::uint64_t row = (1 + n_columns_) * sizeof(double);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < mark.size() || (size - mark.size()) / row < kept_.n) fail_rows();
}

void RowJournal::append(double time, std::span<const double> row) {
  buffer_.push_back(time);
  buffer_.insert(buffer_.end(), row.begin(), row.end());
  if (buffer_.size() > most_held) flush();
}

void RowJournal::prepare() {
  const auto size = static_cast<off_t>(mark.size() + kept_.n * (1 + n_columns_) * sizeof(double));
  if (::ftruncate(descriptor_, kept_.n == 0 ? 0 : size) != 0) fail();
  if (kept_.n == 0) write(mark.data(), mark.size());
  if (::lseek(descriptor_, size, SEEK_SET) < 0) fail();
  is_prepared_ = true;
}

void RowJournal::write(const char* bytes, std::size_t n) {
  while (n > 0) {
    const ssize_t written = ::write(descriptor_, bytes, n);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes += written;
    n -= static_cast<std::size_t>(written);
  }
}

void RowJournal::flush() {
  if (!is_prepared_) prepare();
  write(reinterpret_cast<const char*>(buffer_.data()), buffer_.size() * sizeof(double));
  checksum_ = continue_checksum(checksum_, buffer_);
  buffer_.clear();
  is_new_ = false;
}

void RowJournal::replay(RowSink& sink) const {
  std::vector<double> row(1 + n_columns_);
  const std::size_t size = row.size() * sizeof(double);
  std::uint64_t sum = JournalRows{}.checksum;
  for (std::uint64_t i = 0; i < kept_.n; ++i) {
    if (::pread(descriptor_, row.data(), size, static_cast<off_t>(mark.size() + i * size)) !=
        static_cast<ssize_t>(size))
      throw Error("R009", "'" + path_.string() + "' could not be read to its end.");
    sum = continue_checksum(sum, row);
    sink.append(row[0], std::span(row).subspan(1));
  }
  if (sum != kept_.checksum) fail_rows();
}

}  // namespace alembert::result
