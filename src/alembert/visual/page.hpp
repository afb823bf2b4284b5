// SPDX-License-Identifier: Apache-2.0
// Stage: visual. The interactive page: plots, animation, structure and report of a run in one HTML
// file that needs no network. In: a Page, plain data. Out: the file. Its code is built from viewer/
// into share/alembert/viewer beside the program and is read when a page is written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/result/trajectory.hpp"
#include "alembert/structure/explain.hpp"
#include "alembert/visual/scene_motion.hpp"

namespace alembert::visual {

struct PageRun {
  struct Variable {
    std::string name, unit, description;
  };
  struct Event {
    double time = 0;
    std::string what;
  };
  struct Switch {
    double time = 0;
    std::vector<std::string> from, to;
    double quality_before = 0, quality_after = 0;
  };
  struct Table {
    std::string title;
    std::vector<std::pair<std::string, std::string>> rows;
  };

  std::string name = {};
  result::Trajectory trajectory = {};
  std::vector<Variable> about = {};  ///< units and descriptions of some of the columns
  std::vector<Event> events = {};
  std::vector<Switch> switches = {};
  std::vector<Table> report = {};
  std::vector<std::string> warnings = {};
};

struct Page {
  std::string title = "Alembert";
  std::string tab = "Plots";  ///< the one that is open at first; or Animation, Structure, Report
  std::vector<PageRun> runs = {};  ///< the second and further ones are compared with the first
  /// What is plotted at first; none: some that vary. Expressions become columns of their own.
  std::vector<std::vector<std::string>> panels = {};
  std::vector<std::pair<std::string, std::string>> paths = {};  ///< x, y
  std::optional<structure::Explanation> structure = {};
  std::optional<SceneMotion> scene = {};
};

/// Error R013 where the page's code is not there; R004 and R011 for what cannot be plotted.
std::string render_page(Page page);

/// Errors as of render_page; R015 or R001 where the path cannot be written.
void write_page(Page page, const std::filesystem::path& path);

}  // namespace alembert::visual
