// SPDX-License-Identifier: Apache-2.0
// A demo as one page for the browser that needs neither the viewer's code nor a network.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/visual/figure.hpp"

namespace alembert {

/// Texts are plain; what HTML would read as its own is escaped.
struct DemoPage {
  std::string title;
  std::vector<std::string> introduction;  // paragraphs
  visual::Figure figure;
  std::vector<std::vector<std::string>> table;  // the first row is its head
  std::vector<std::string> findings;            // paragraphs
  std::vector<std::string> commands;            // what to try next
};

/// Error R015 or R001 where the path cannot be written.
void write_page(const DemoPage& page, const std::filesystem::path& path);

}  // namespace alembert
