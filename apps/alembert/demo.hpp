// SPDX-License-Identifier: Apache-2.0
// `alembert demo`: examples that run by themselves and end in a picture.
#pragma once

#include <filesystem>
#include <string>

namespace alembert {

struct DemoOptions {
  std::string name;  ///< empty: the flagship
  bool list = false;
  std::string folder = "alembert-demo";
};

/// Exit code. Error U001 for a name that does not exist.
int run_demo(const DemoOptions& options);

// One function a demo; each prints to standard output and writes into `folder`, which exists.
int demo_pendulum(const std::filesystem::path& folder);
int demo_double_pendulum(const std::filesystem::path& folder);
int demo_engine(const std::filesystem::path& folder);

}  // namespace alembert
