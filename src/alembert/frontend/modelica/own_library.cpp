// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/own_library.hpp"

#include <cstdlib>

#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::modelica {

namespace {

namespace fs = std::filesystem;

bool holds_library(const fs::path& folder) {
  std::error_code unknown;
  return !folder.empty() && fs::exists(folder / "Alembert" / "package.mo", unknown);
}

fs::path beside_program() {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  return unknown ? fs::path() : program.parent_path().parent_path() / "share/alembert/library";
}

}  // namespace

fs::path own_library_folder() {
  const char* given = std::getenv("ALEMBERT_LIBRARY");
  for (const fs::path& folder :
       {fs::path(given == nullptr ? "" : given), beside_program(),
        fs::path(ALEMBERT_SOURCE_LIBRARY), fs::path(ALEMBERT_INSTALLED_LIBRARY)})
    if (holds_library(folder)) return folder;
  return {};
}

void add_own_library(ClassLibrary& library) {
  const fs::path folder = own_library_folder();
  if (!folder.empty()) library.add_root(folder);
}

}  // namespace alembert::modelica
