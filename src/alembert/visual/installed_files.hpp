// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Files that stand beside the program and are needed now and then: the code of the
// page, the writer of videos. In: a path below the folder that holds bin/. Out: where it is.
#pragma once

#include <filesystem>
#include <optional>

namespace alembert::visual {

/// Looked for below the folder above the running program's, then below the prefix that Alembert was
/// configured for; ALEMBERT_HOME goes before both.
std::optional<std::filesystem::path> find_installed(const std::filesystem::path& relative);

}  // namespace alembert::visual
