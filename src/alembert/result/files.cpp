// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/files.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/result/csv.hpp"
#include "alembert/result/hdf5.hpp"
#include "alembert/result/mat.hpp"

namespace alembert::result {
namespace {

struct FileKind {
  std::string_view ending;
  std::unique_ptr<RowSink> (*open)(const std::filesystem::path&, ColumnNotes);
  Trajectory (*read)(const std::filesystem::path&);
  ColumnNotes (*read_notes)(const std::filesystem::path&);
};

std::unique_ptr<RowSink> open_plain_csv(const std::filesystem::path& path, ColumnNotes) {
  return open_csv(path);
}

ColumnNotes no_notes(const std::filesystem::path&) { return {}; }

constexpr FileKind kinds[] = {{".csv", open_plain_csv, read_csv, no_notes},
                              {".mat", open_mat, read_mat, read_mat_notes},
                              {".h5", open_hdf5, read_hdf5, read_hdf5_notes},
                              {".hdf5", open_hdf5, read_hdf5, read_hdf5_notes}};

const FileKind* find_kind(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const FileKind& kind : kinds)
    if (kind.ending == ending) return &kind;
  return nullptr;
}

const FileKind& kind_of(const std::filesystem::path& path) {
  if (const FileKind* kind = find_kind(path)) return *kind;
  throw Error("R006", "'" + path.string() +
                          "' does not say what kind of result it is: let the name end in " +
                          known_endings() + ".");
}

}  // namespace

std::string known_endings() {
  std::vector<std::string_view> endings;
  for (std::size_t k = 0; k < std::size(kinds); ++k)
    if (k == 0 || kinds[k].open != kinds[k - 1].open) endings.push_back(kinds[k].ending);
  std::string text;
  for (std::size_t k = 0; k < endings.size(); ++k) {
    if (k > 0) text += k + 1 < endings.size() ? ", " : " or ";
    text += endings[k];
  }
  return text;
}

bool has_known_ending(const std::filesystem::path& path) { return find_kind(path) != nullptr; }

void require_known_ending(const std::filesystem::path& path) { kind_of(path); }

std::unique_ptr<RowSink> open_result(const std::filesystem::path& path, ColumnNotes notes) {
  return kind_of(path).open(path, std::move(notes));
}

void write_result(const Trajectory& trajectory, const std::filesystem::path& path) {
  write_rows(trajectory, *open_result(path));
}

Trajectory read_result(const std::filesystem::path& path) { return kind_of(path).read(path); }

ColumnNotes read_notes(const std::filesystem::path& path) { return kind_of(path).read_notes(path); }

}  // namespace alembert::result
