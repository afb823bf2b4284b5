// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "alembert/base/error.hpp"

namespace alembert::ensemble {

namespace {

constexpr char magic[8] = {'A', 'l', 'e', 'm', 'J', 'n', 'l', '1'};

struct Header {
  char magic_bytes[8];
  std::uint64_t sweep;
};

struct RecordHead {
  std::uint64_t size;
  std::uint64_t checksum;  // of the bytes, with the size as seed
};

bool read_at(int descriptor, std::uint64_t offset, void* out, std::size_t size) {
  auto* bytes = static_cast<char*>(out);
  while (size > 0) {
    const ssize_t n = ::pread(descriptor, bytes, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    offset += static_cast<std::uint64_t>(n);
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

std::uint64_t size_of(int descriptor) {
  struct stat status = {};
  return ::fstat(descriptor, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

enum class HeaderState { ours, other, none };

HeaderState read_header(int descriptor, std::uint64_t sweep) {
  Header header;
  if (!read_at(descriptor, 0, &header, sizeof header) ||
      std::memcmp(header.magic_bytes, magic, sizeof magic) != 0)
    return HeaderState::none;
  return header.sweep == sweep ? HeaderState::ours : HeaderState::other;
}

/// Calls `visit` for each whole record; returns where the first that is not would begin.
template <class Visit>
std::uint64_t scan(int descriptor, Visit visit) {
  const std::uint64_t end = size_of(descriptor);
  std::uint64_t at = sizeof(Header);
  std::string bytes;
  RecordHead head;
  while (at + sizeof head <= end && read_at(descriptor, at, &head, sizeof head)) {
    if (head.size > end - at - sizeof head) break;
    bytes.resize(head.size);
    if (!read_at(descriptor, at + sizeof head, bytes.data(), bytes.size())) break;
    if (fingerprint(bytes, head.size) != head.checksum) break;
    const auto result = case_result(bytes);
    if (!result) break;
    visit(*result, at + sizeof head, head.size);
    at += sizeof head + head.size;
  }
  return at;
}

}  // namespace

// Two multiplications a word, as in FNV and SplitMix64: errors of a torn record show, malice would
// not.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed) {
  std::uint64_t hash = seed ^ 0xcbf29ce484222325u ^ (bytes.size() * 0x9e3779b97f4a7c15u);
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t n = std::min<std::size_t>(8, bytes.size());
    std::memcpy(&word, bytes.data(), n);
    bytes.remove_prefix(n);
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 29)) * 0x94d049bb133111ebu;
  }
  return hash ^ (hash >> 32);
}

Journal::Journal(const std::filesystem::path& path, std::uint64_t sweep) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(errno);
  // A sweep that was killed this moment may still hold it.
  bool locked = false;
  for (int attempt = 0; attempt < 10 && !locked; ++attempt) {
    if (attempt > 0) ::usleep(20'000);
    locked = ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  }
  if (!locked)
    throw Error("U024", fmt::format("another sweep is writing '{}'. Wait for it to end, or give "
                                    "this one another --output.",
                                    path.string()));
  if (read_header(descriptor_, sweep) == HeaderState::ours) {
    end_ = scan(descriptor_, [](const CaseResult&, std::uint64_t, std::uint64_t) {});
  } else {
    Header header = {};
    std::memcpy(header.magic_bytes, magic, sizeof magic);
    header.sweep = sweep;
    if (::ftruncate(descriptor_, 0) != 0) fail(errno);
    if (::pwrite(descriptor_, &header, sizeof header, 0) != sizeof header)
      fail(errno == 0 ? ENOSPC : errno);
    end_ = sizeof header;
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) fail(errno);
}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::add(const CaseResult& result) {
  const std::string bytes = to_bytes(result);
  const RecordHead head = {bytes.size(), fingerprint(bytes, bytes.size())};
  std::string record(reinterpret_cast<const char*>(&head), sizeof head);
  record += bytes;
  std::size_t written = 0;
  while (written < record.size()) {
    const ssize_t n = ::pwrite(descriptor_, record.data() + written, record.size() - written,
                               static_cast<off_t>(end_ + written));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int error_number = n == 0 ? ENOSPC : errno;
      // What was written of it would be found torn; without it there is less to explain.
      (void)!::ftruncate(descriptor_, static_cast<off_t>(end_));
      fail(error_number);
    }
    written += static_cast<std::size_t>(n);
  }
  end_ += record.size();
}

void Journal::sync() { ::fdatasync(descriptor_); }

void Journal::fail(int error_number) {
  throw Error("R001", fmt::format("cannot write '{}': {}. The cases finished so far are kept: free "
                                  "some space or choose another place, and start the same sweep "
                                  "again.",
                                  path_.string(), std::strerror(error_number)));
}

JournalReader::JournalReader(const std::vector<std::filesystem::path>& paths, std::uint64_t sweep) {
  for (const auto& path : paths) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;
    const HeaderState state = read_header(descriptor, sweep);
    if (state == HeaderState::other && size_of(descriptor) > sizeof(Header))
      others_.push_back(path);
    if (state != HeaderState::ours) {
      ::close(descriptor);
      continue;
    }
    const auto file = static_cast<std::uint32_t>(descriptors_.size());
    paths_.push_back(path);
    descriptors_.push_back(descriptor);
    scan(descriptor, [&](const CaseResult& result, std::uint64_t offset, std::uint64_t size) {
      entries_.push_back({result.number, result.status, file, offset, size});
    });
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  entries_.erase(std::unique(entries_.begin(), entries_.end(),
                             [](const auto& a, const auto& b) { return a.number == b.number; }),
                 entries_.end());
}

JournalReader::~JournalReader() {
  for (const int descriptor : descriptors_) ::close(descriptor);
}

CaseResult JournalReader::read(const JournalEntry& entry) const {
  std::string bytes(entry.size, '\0');
  auto result = read_at(descriptors_[entry.file], entry.offset, bytes.data(), bytes.size())
                    ? case_result(bytes)
                    : std::nullopt;
  if (!result)
    throw Error("R002", fmt::format("cannot read case {} again from '{}'.", entry.number + 1,
                                    paths_[entry.file].string()));
  return std::move(*result);
}

std::filesystem::path journal_path(const std::filesystem::path& output, int rank) {
  std::filesystem::path path = output;
  path += rank == 0 ? ".journal" : fmt::format(".journal.{}", rank);
  return path;
}

std::vector<std::filesystem::path> journals_of(const std::filesystem::path& output) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  const std::filesystem::path folder =
      output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
  const std::string stem = output.filename().string() + ".journal";
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(stem)) continue;
    const std::string rest = name.substr(stem.size());
    const bool of_rank =
        rest.size() > 1 && rest[0] == '.' &&
        std::all_of(rest.begin() + 1, rest.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (rest.empty() || of_rank) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace alembert::ensemble
