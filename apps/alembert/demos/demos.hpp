// SPDX-License-Identifier: Apache-2.0
// The demos: examples that run by themselves and end in a picture. Each prints to standard output,
// writes into `folder`, which exists, and returns the exit code.
#pragma once

#include <filesystem>
#include <functional>

#include "alembert/flat/flat_system.hpp"

namespace alembert {

/// Two rods and two masses, with g as a parameter.
flat::FlatSystem double_pendulum();

/// Calls `write(path)`. Where the viewer's code or libav is missing, says so, goes on and gives
/// false.
bool write_if_possible(const std::filesystem::path& path,
                       const std::function<void(const std::filesystem::path&)>& write);

int demo_pendulum(const std::filesystem::path& folder);
int demo_animation(const std::filesystem::path& folder);
int demo_snakeboard(const std::filesystem::path& folder);
int demo_double_pendulum(const std::filesystem::path& folder);
int demo_chain(const std::filesystem::path& folder);
int demo_hydraulic(const std::filesystem::path& folder);
int demo_engine(const std::filesystem::path& folder);

}  // namespace alembert
