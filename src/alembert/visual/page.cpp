// SPDX-License-Identifier: Apache-2.0
#include "alembert/visual/page.hpp"

#include <fmt/format.h>

#include <set>

#include "alembert/base/error.hpp"
#include "alembert/result/formula.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/visual/installed_files.hpp"
#include "alembert/visual/page_data.hpp"
#include "alembert/visual/page_parts.hpp"
#include "alembert/visual/trajectory_figure.hpp"

namespace alembert::visual {
namespace {

constexpr std::size_t most_values = 60'000'000;  // half a gigabyte: more, no browser opens
constexpr std::size_t shown_at_first = 6;        // variables, where nobody says which

/// Columns beside those of the trajectory: the expressions that panels ask for.
std::set<std::string> asked_expressions(const Page& page) {
  std::set<std::string> expressions;
  const auto ask = [&](const std::string& name) {
    for (const PageRun& run : page.runs)
      if (run.trajectory.find(name)) return;
    expressions.insert(name);
  };
  for (const auto& panel : page.panels)
    for (const std::string& name : panel) ask(name);
  for (const auto& [x, y] : page.paths) {
    ask(x);
    ask(y);
  }
  return expressions;
}

Json variable_json(const std::string& name, const PageRun::Variable* about, Json data) {
  Json json = {{"name", name}};
  if (about != nullptr && !about->unit.empty()) json["unit"] = about->unit;
  if (about != nullptr && !about->description.empty()) json["about"] = about->description;
  json["data"] = std::move(data);
  return json;
}

Json variables_json(const PageRun& run, const std::set<std::string>& expressions, PageData& data) {
  std::map<std::string_view, const PageRun::Variable*> about;
  for (const PageRun::Variable& variable : run.about) about.emplace(variable.name, &variable);
  Json list = Json::array();
  const auto& names = run.trajectory.names();
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto known = about.find(names[c]);
    list.push_back(variable_json(names[c], known == about.end() ? nullptr : known->second,
                                 data.add(run.trajectory.column(c))));
  }
  for (const std::string& expression : expressions)
    list.push_back(variable_json(expression, nullptr,
                                 data.add(result::evaluate_formula(expression, run.trajectory))));
  return list;
}

Json run_json(const PageRun& run, const std::set<std::string>& expressions, PageData& data) {
  Json json = {{"name", run.name}, {"rows", run.trajectory.n_rows()}};
  json["time"] = data.add(run.trajectory.times());
  json["variables"] = variables_json(run, expressions, data);
  Json events = Json::array(), switches = Json::array(), report = Json::array();
  for (const auto& event : run.events)
    events.push_back({{"time", event.time}, {"what", event.what}});
  for (const auto& change : run.switches)
    switches.push_back({{"time", change.time},
                        {"from", change.from},
                        {"to", change.to},
                        {"before", change.quality_before},
                        {"after", change.quality_after}});
  for (const auto& table : run.report) {
    Json rows = Json::array();
    for (const auto& [name, value] : table.rows) rows.push_back(Json::array({name, value}));
    report.push_back({{"title", table.title}, {"rows", std::move(rows)}});
  }
  json["events"] = std::move(events);
  json["switches"] = std::move(switches);
  json["report"] = std::move(report);
  json["warnings"] = run.warnings;
  return json;
}

void require_possible(const Page& page) {
  std::size_t n_values = 0;
  for (const PageRun& run : page.runs)
    n_values += run.trajectory.n_rows() * (run.trajectory.n_columns() + 1);
  if (n_values > most_values)
    throw Error("R013", fmt::format("the page would hold {} values, and no browser opens more than "
                                    "{}. Give fewer variables or a longer output step.",
                                    n_values, most_values));
}

/// JSON that may stand inside of a script element: no "</script>" whatever the names are.
std::string embedded(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text)
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) switch (c) {
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '&': safe += "&amp;"; break;
      default: safe += c;
    }
  return safe;
}

std::string viewer_file(const char* name) {
  const auto path = find_installed(std::filesystem::path("share/alembert/viewer") / name);
  if (!path)
    throw Error("R013",
                "pages need the viewer's code, which has not been built: it takes esbuild, and a "
                "network once. In a checkout, './alembert' builds it when a page is asked for; by "
                "hand: viewer/build.sh WORK PREFIX/share/alembert/viewer.");
  return result::read_file(*path);
}

}  // namespace

std::string render_page(Page page) {
  const std::string code = viewer_file("main.js");
  require_possible(page);
  if (page.panels.empty() && page.paths.empty() && !page.runs.empty()) {
    const auto names = names_that_vary(page.runs[0].trajectory, shown_at_first);
    page.panels = group_by_size(page.runs[0].trajectory, names);
  }
  PageData data;
  Json json = {{"program", "alembert " ALEMBERT_VERSION}, {"title", page.title}, {"tab", page.tab}};
  const auto expressions = asked_expressions(page);
  Json runs = Json::array(), paths = Json::array();
  for (const PageRun& run : page.runs) runs.push_back(run_json(run, expressions, data));
  for (const auto& [x, y] : page.paths) paths.push_back(Json::array({x, y}));
  json["runs"] = std::move(runs);
  json["panels"] = page.panels;
  json["paths"] = std::move(paths);
  if (page.structure) json["structure"] = structure_json(*page.structure);
  if (page.scene) json["scene"] = scene_json(*page.scene, data);

  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<link rel=\"icon\" href=\"data:,\">\n";  // or the browser would ask for one
  html += "<title>" + escaped(page.title) + "</title>\n</head>\n<body>\n";
  html +=
      "<script type=\"application/json\" id=\"alembert-page\">" + embedded(json) + "</script>\n";
  html += "<script type=\"text/plain\" id=\"alembert-data\">" + data.text() + "</script>\n";
  if (page.scene)
    html += "<script type=\"text/plain\" id=\"alembert-scene-code\">" +
            packed(viewer_file("scene.js"), 9) + "</script>\n";
  html += "<script>" + code + "</script>\n</body>\n</html>\n";
  return html;
}

void write_page(Page page, const std::filesystem::path& path) {
  result::write_file(path, render_page(std::move(page)));
}

}  // namespace alembert::visual
