// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/installed_files.hpp"

#include <cstdlib>
#include <system_error>
#include <vector>

namespace alembert::visual {

std::optional<std::filesystem::path> find_installed(const std::filesystem::path& relative) {
  std::vector<std::filesystem::path> homes;
  if (const char* home = std::getenv("ALEMBERT_HOME")) homes.emplace_back(home);
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none) homes.push_back(program.parent_path().parent_path());
  homes.emplace_back(ALEMBERT_PREFIX);
  for (const auto& home : homes)
    if (std::filesystem::exists(home / relative, none)) return home / relative;
  return std::nullopt;
}

}  // namespace alembert::visual
