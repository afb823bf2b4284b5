// SPDX-License-Identifier: Apache-2.0
#include "demos/demo_page.hpp"

#include <string_view>

#include "alembert/result/output_file.hpp"
#include "alembert/visual/write_figure.hpp"

namespace alembert {

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
figure { margin: 1.5rem 0; padding: .5rem; background: #fff; border-radius: .5rem; }
figure svg { display: block; width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .3rem .9rem .3rem 0; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
pre { padding: .8rem; border-radius: .5rem; background: #8882; overflow-x: auto; }
)";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

void add_paragraphs(std::string& html, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) html += "<p>" + escaped(text) + "</p>\n";
}

void add_table(std::string& html, const std::vector<std::vector<std::string>>& table) {
  html += "<div class=\"wide\"><table>\n";
  const char* cell = "th";
  for (const std::vector<std::string>& row : table) {
    html += "<tr>";
    for (const std::string& text : row)
      html += std::string("<") + cell + ">" + escaped(text) + "</" + cell + ">";
    html += "</tr>\n";
    cell = "td";
  }
  html += "</table></div>\n";
}

/// What may stand inside of a page: the drawing without the declaration of XML.
std::string inline_svg(const visual::Figure& figure) {
  const std::string svg = visual::render_figure(figure, visual::PictureFormat::svg);
  return svg.substr(svg.find("<svg"));
}

}  // namespace

void write_page(const DemoPage& page, const std::filesystem::path& path) {
  const std::string title = escaped(page.title);
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>" +
      title + "</title><style>" + std::string(style) + "</style></head>\n<body><h1>" + title +
      "</h1>\n";
  add_paragraphs(html, page.introduction);
  html += "<figure>" + inline_svg(page.figure) + "</figure>\n";
  add_table(html, page.table);
  add_paragraphs(html, page.findings);
  html += "<p>What to try next:</p>\n<pre>";
  for (const std::string& command : page.commands) html += escaped(command) + "\n";
  html += "</pre></body></html>\n";
  result::write_file(path, html);
}

}  // namespace alembert
