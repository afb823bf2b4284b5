// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/checkpoint.hpp"

#include <fstream>

#include "alembert/base/error.hpp"
#include "alembert/integrate/archive.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::integrate {
namespace {

constexpr std::string_view mark_of_all = "alembert checkpoint ";  // of every version
constexpr std::string_view mark = "alembert checkpoint 4\n";

/// FNV-1a: finds what a disk or a transfer did to the bytes.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace

void require_place_for_checkpoint(const std::filesystem::path& path) {
  { result::OutputFile probe(path); }  // tells of a place that cannot be written, and why
  std::ifstream file(path, std::ios::binary);
  std::string begin(mark_of_all.size(), '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  if (!begin.empty() && begin != mark_of_all)
    throw Error("R015", "a checkpoint would be written over '" + path.string() +
                            "', which holds something else. Choose another name for it.");
}

void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  Checkpoint copy = checkpoint;
  Archive archive;
  archive(copy.time, copy.n_rows, copy.rows_checksum, copy.bytes);
  std::uint64_t sum = checksum(archive.bytes());
  Archive ending;
  ending(sum);
  result::OutputFile file(path);
  file.write(mark);
  file.write(archive.bytes());
  file.write(ending.bytes());
  file.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const std::string text = result::read_file(path);
  if (!text.starts_with(mark))
    throw Error("I012", "'" + path.string() + "' is not a checkpoint of this version of Alembert.");
  Archive archive(std::string_view(text).substr(mark.size()));
  Checkpoint checkpoint;
  std::uint64_t sum = 0;
  archive(checkpoint.time, checkpoint.n_rows, checkpoint.rows_checksum, checkpoint.bytes, sum);
  const std::string_view body(text.data() + mark.size(), text.size() - mark.size() - sizeof sum);
  if (sum != checksum(body) || !archive.at_end())
    throw Error("I012", "the checkpoint '" + path.string() + "' is damaged.");
  return checkpoint;
}

}  // namespace alembert::integrate
