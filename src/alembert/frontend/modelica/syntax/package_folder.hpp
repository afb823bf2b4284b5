// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, syntax. Folders as Modelica sees them (specification 3.6,
// section 13.4): which classes they hold, in which order, in which versions. Only names are read,
// never a class.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/frontend/modelica/syntax/name.hpp"

namespace alembert::modelica {

/// A file `Name.mo`, or a folder `Name` with a `package.mo`; in roots also `Name 1.2.3`.
struct StoredClass {
  Name name;
  std::string version;  ///< empty if the name of the file has none
  std::filesystem::path path;
  bool is_folder = false;

  /// The file to read for the class itself.
  std::filesystem::path file() const { return is_folder ? path / "package.mo" : path; }
};

/// What the file or folder holds by its name; nothing if it cannot be a class.
std::optional<StoredClass> stored_class(const std::filesystem::path& path, bool with_version);

/// All of a folder, sorted by name, then by version, oldest first. Empty for a folder that cannot
/// be read.
std::vector<StoredClass> stored_classes(const std::filesystem::path& folder, bool with_versions);

/// The lines of `package.order`; empty without one.
std::vector<Name> package_order(const std::filesystem::path& folder);

/// Is 1.10.0 older than 2.0 ? By numbers where there are numbers.
bool older_version(std::string_view a, std::string_view b);

}  // namespace alembert::modelica
