// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/syntax/package_folder.hpp"
#include "alembert/base/characters.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace alembert::modelica {

namespace fs = std::filesystem;

namespace {

bool is_identifier(std::string_view text) {
  if (text.size() > 2 && text.front() == '\'' && text.back() == '\'') return true;
  return !text.empty() && starts_name(text[0]) &&
         std::all_of(text.begin(), text.end(), continues_name);
}

/// Takes the number that the text begins with, as digits without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  std::string_view number = text.substr(0, n);
  text.remove_prefix(n);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool older_version(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const std::string_view x = take_number(a);
      const std::string_view y = take_number(b);
      if (x != y) return x.size() != y.size() ? x.size() < y.size() : x < y;
    } else if (a[0] != b[0]) {
      return a[0] < b[0];
    } else {
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && !b.empty();
}

std::optional<StoredClass> stored_class(const fs::path& path, bool with_version) {
  std::error_code unknown;
  const bool is_folder = fs::is_directory(path, unknown);
  std::string text = path.filename().string();
  if (!is_folder) {
    if (!text.ends_with(".mo") || text == "package.mo") return std::nullopt;
    text.resize(text.size() - 3);
  }
  std::string version;
  const std::size_t space = text.find(' ');
  if (with_version && space != std::string::npos && !text.starts_with('\'')) {
    version = text.substr(space + 1);
    text.resize(space);
  }
  if (!is_identifier(text)) return std::nullopt;
  StoredClass stored{Name(text), version, path, is_folder};
  if (is_folder && !fs::exists(stored.file(), unknown)) return std::nullopt;
  return stored;
}

std::vector<StoredClass> stored_classes(const fs::path& folder, bool with_versions) {
  std::vector<StoredClass> found;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (auto stored = stored_class(entry->path(), with_versions))
      found.push_back(std::move(*stored));
  }
  std::sort(found.begin(), found.end(), [](const StoredClass& a, const StoredClass& b) {
    if (a.name != b.name) return a.name < b.name;
    if (a.version != b.version) return older_version(a.version, b.version);
    return a.is_folder && !b.is_folder;
  });
  return found;
}

std::vector<Name> package_order(const fs::path& folder) {
  std::vector<Name> order;
  std::ifstream stream(folder / "package.order");
  for (std::string line; std::getline(stream, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (is_identifier(line)) order.emplace_back(line);
  }
  return order;
}

}  // namespace alembert::modelica
