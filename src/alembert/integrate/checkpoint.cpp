// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/checkpoint.hpp"

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::integrate {
namespace {

constexpr std::string_view mark = "alembert checkpoint 3\n";

/// FNV-1a: finds what a disk or a transfer did to the bytes.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace

void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  Checkpoint copy = checkpoint;
  std::uint64_t sum = checksum(copy.bytes);
  Archive archive;
  archive(copy.time, copy.n_rows, sum, copy.bytes);
  result::OutputFile file(path);
  file.write(mark);
  file.write(archive.bytes());
  file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const std::string text = result::read_file(path);
  if (!text.starts_with(mark))
    throw Error("I012", "'" + path.string() + "' is not a checkpoint of this version of Alembert.");
  Archive archive(std::string_view(text).substr(mark.size()));
  Checkpoint checkpoint;
  std::uint64_t sum = 0;
  archive(checkpoint.time, checkpoint.n_rows, sum, checkpoint.bytes);
  if (sum != checksum(checkpoint.bytes) || !archive.at_end())
    throw Error("I012", "the checkpoint '" + path.string() + "' is damaged.");
  return checkpoint;
}

}  // namespace alembert::integrate
