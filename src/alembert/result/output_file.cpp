// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::result {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1 << 16;

std::string advice(const fs::path& path, int error_number) {
  std::error_code ignored;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      if (!fs::is_directory(folder, ignored))
        return fmt::format(" The folder '{}' does not exist: make it, or choose another place.",
                           folder.string());
      return {};
    case EACCES:
    case EPERM:
    case EROFS:
      return fmt::format(" You may not write in '{}': choose another place.", folder.string());
    case EISDIR: return " It is a folder: give the name of a file.";
    case ENOSPC:
    case EDQUOT: return " Free some space, or choose another place.";
    default: return {};
  }
}

/// True if the path itself is at fault: it names a place where no file can be, or not by this user.
bool is_wrong_place(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EACCES:
    case EPERM:
    case EROFS:
    case ENAMETOOLONG: return true;
    default: return false;
  }
}

[[noreturn]] void throw_error(const char* code, const fs::path& path, int error_number) {
  throw Error(code, fmt::format("cannot write '{}': {}.{}", path.string(),
                                std::strerror(error_number), advice(path, error_number)));
}

bool is_device(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// What may be read and written by whom stays as it was.
void keep_mode(const fs::path& target, int descriptor) {
  struct stat status = {};
  if (descriptor >= 0 && ::stat(target.c_str(), &status) == 0)
    ::fchmod(descriptor, status.st_mode & 0777);
}

// Opens a new file beside the target, under a name no one else has.
int open_beside(const fs::path& target, fs::path& temporary) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary = target;
    temporary += fmt::format(".part-{}-{}", ::getpid(), attempt);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)), target_(path_) {
  std::error_code ignored;
  if (fs::is_directory(path_, ignored)) throw_cannot_open(path_, EISDIR);
  if (is_device(path_)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    // Through a link, so that the link stays and its file changes.
    if (fs::is_symlink(fs::symlink_status(path_, ignored))) {
      const fs::path resolved = fs::weakly_canonical(path_, ignored);
      if (!ignored) target_ = resolved;
    }
    descriptor_ = open_beside(target_, temporary_);
    keep_mode(target_, descriptor_);
  }
  if (descriptor_ < 0) throw_cannot_open(path_, errno);
  buffer_.reserve(buffer_size);
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  buffer_ += bytes;
}

int OutputFile::try_flush() noexcept {
  std::size_t done = 0;
  int error_number = 0;
  while (done < buffer_.size() && error_number == 0) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written >= 0)
      done += static_cast<std::size_t>(written);
    else if (errno != EINTR)
      error_number = errno;
  }
  buffer_.erase(0, done);
  n_flushed_ += done;
  return error_number;
}

void OutputFile::flush() {
  if (const int error_number = try_flush(); error_number != 0) fail(error_number);
}

int OutputFile::reserve(std::uint64_t size) const noexcept {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      size > limit.rlim_cur)
    return EFBIG;
  if (::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(size)) == 0) return 0;
  return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? errno : 0;
}

void OutputFile::give_back_reserve() const noexcept {
  struct stat status = {};
  if (::fstat(descriptor_, &status) == 0 && ::ftruncate(descriptor_, status.st_size) != 0)
    return;  // then it stays with the file
}

std::uint64_t OutputFile::flush_what_fits() noexcept {
  if (descriptor_ >= 0) try_flush();
  return n_flushed_;
}

bool OutputFile::place(std::string_view head) noexcept {
  for (std::size_t done = 0; done < head.size();) {
    const ssize_t written =
        ::pwrite(descriptor_, head.data() + done, head.size() - done, static_cast<off_t>(done));
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
  return true;
}

bool OutputFile::commit_part(std::uint64_t size, std::string_view head) noexcept {
  if (descriptor_ < 0 || temporary_.empty()) return false;
  const bool is_good = ::ftruncate(descriptor_, static_cast<off_t>(size)) == 0 && place(head);
  if (::close(std::exchange(descriptor_, -1)) != 0 || !is_good) return false;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return false;
  temporary_.clear();
  return true;
}

void OutputFile::overwrite_head(std::string_view bytes) {
  flush();
  if (!place(bytes)) fail(errno);
}

void OutputFile::commit() {
  ensure(descriptor_ >= 0, "an output file is committed once");
  flush();
  // Some file systems tell of a full disk only when the file is closed.
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void OutputFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void OutputFile::fail(int error_number) const { throw_error("R001", path_, error_number); }

void throw_cannot_open(const fs::path& path, int error_number) {
  throw_error(is_wrong_place(error_number) ? "R015" : "R001", path, error_number);
}

void refuse_device(const fs::path& path, std::string_view format) {
  if (is_device(path))
    throw Error("R015", fmt::format("cannot write '{}': it is a device or a pipe, and {} needs a "
                                    "file. Give the name of a file, or write CSV.",
                                    path.string(), format));
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.commit();
}

std::string read_file(const fs::path& path) {
  const auto fail = [&](int error_number) {
    throw Error("R002",
                fmt::format("cannot read '{}': {}.", path.string(), std::strerror(error_number)));
  };
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail(errno);
  std::string text;
  char block[buffer_size];
  std::size_t n_read;
  while ((n_read = std::fread(block, 1, sizeof block, file)) > 0) text.append(block, n_read);
  const int error_number = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (error_number != 0) fail(error_number);
  return text;
}

}  // namespace alembert::result
