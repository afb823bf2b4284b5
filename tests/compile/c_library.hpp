// SPDX-License-Identifier: Apache-2.0
// C text as the system's compiler takes it, called from a test.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace alembert::compile::testing {

inline bool have_compiler() { return std::system("cc --version > /dev/null 2>&1") == 0; }

/// Compiled and loaded; the files are gone when it is.
class Library {
 public:
  explicit Library(const std::string& source) {
    std::string pattern = (std::filesystem::temp_directory_path() / "alembert_c_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "source.c") << source;
    const std::string command =
        "cc -std=c99 -O1 -ffp-contract=off -Wall -Wextra -pedantic -Werror -shared -fPIC -o " +
        (folder_ / "library.so").string() + ' ' + (folder_ / "source.c").string() + " -lm";
    compiled_ = std::system(command.c_str()) == 0;
    if (compiled_) handle_ = dlopen((folder_ / "library.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
    std::filesystem::remove_all(folder_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool loaded() const { return handle_ != nullptr; }
  /// A pointer to a function; null if there is none of that name.
  template <class Function>
  Function function(const std::string& name) const {
    return reinterpret_cast<Function>(dlsym(handle_, name.c_str()));
  }

 private:
  std::filesystem::path folder_;
  bool compiled_ = false;
  void* handle_ = nullptr;
};

}  // namespace alembert::compile::testing
