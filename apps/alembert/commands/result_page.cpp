// SPDX-License-Identifier: Apache-2.0
#include "result_page.hpp"

#include "alembert/base/error.hpp"
#include "alembert/result/files.hpp"
#include "alembert/visual/trajectory_figure.hpp"

namespace alembert::commands {

visual::Page page_of_results(const std::vector<std::string>& files) {
  visual::Page page;
  for (const std::string& file : files) {
    visual::PageRun run{.name = std::filesystem::path(file).filename().string(),
                        .trajectory = result::read_result(file)};
    if (run.trajectory.n_rows() == 0)
      throw Error("R008", "'" + file + "' has no rows: there is nothing to draw.");
    for (const auto& [name, note] : result::read_notes(file))
      run.about.push_back({name, note.unit, note.description});
    for (const double time : visual::event_times(run.trajectory))
      run.events.push_back({time, "event"});
    page.runs.push_back(std::move(run));
  }
  page.title = page.runs.front().name;
  return page;
}

}  // namespace alembert::commands
