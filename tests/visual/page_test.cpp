// SPDX-License-Identifier: Apache-2.0
// Stage: visual. Pages without a browser: what is inside reads back, names cannot break out, sizes.
#include "alembert/visual/page.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "alembert/base/error.hpp"

namespace alembert::visual {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A stand-in for the viewer's code, where `render_page` looks first.
class PageTest : public testing::Test {
 protected:
  PageTest() : home_(fs::temp_directory_path() / ("alembert-page-" + std::to_string(::getpid()))) {
    fs::create_directories(home_ / "share/alembert/viewer");
    std::ofstream(home_ / "share/alembert/viewer/main.js") << "code()";
    std::ofstream(home_ / "share/alembert/viewer/scene.js") << "scene()";
    ::setenv("ALEMBERT_HOME", home_.c_str(), 1);
  }
  ~PageTest() override {
    ::unsetenv("ALEMBERT_HOME");
    fs::remove_all(home_);
  }

  fs::path home_;
};

Page page_of_result(const std::string& title, result::Trajectory trajectory) {
  Page page;
  page.title = title;
  page.runs.push_back({.name = title, .trajectory = std::move(trajectory)});
  return page;
}

std::string inside(const std::string& html, const std::string& id) {
  const std::string mark = "id=\"" + id + "\">";
  const std::size_t begin = html.find(mark) + mark.size();
  return html.substr(begin, html.find("</script>", begin) - begin);
}

std::string from_base64(const std::string& text) {
  std::string bytes;
  unsigned bits = 0;
  int n = 0;
  for (const char c : text) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = letters.find(c);
    if (value == std::string::npos) break;
    bits = bits << 6 | static_cast<unsigned>(value);
    if ((n += 6) >= 8) bytes += static_cast<char>(bits >> (n -= 8) & 255);
  }
  return bytes;
}

std::vector<double> column(const Json& reference, const std::string& data, std::size_t rows) {
  if (reference.is_number()) return std::vector<double>(rows, reference.get<double>());
  if (reference.is_null()) return std::vector<double>(rows, std::nan(""));
  const std::string packed = from_base64(data.substr(reference["o"], reference["n"]));
  std::string planes(8 * rows, '\0');
  uLongf length = planes.size();
  EXPECT_EQ(::uncompress(reinterpret_cast<Bytef*>(planes.data()), &length,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  EXPECT_EQ(length, planes.size());
  std::vector<double> values(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    char bytes[8];
    for (std::size_t b = 0; b < 8; ++b) bytes[b] = planes[b * rows + i];
    std::memcpy(&values[i], bytes, 8);
  }
  return values;
}

result::Trajectory sample() {
  result::Trajectory t({"x", "alias of x", "</script><script>alert(1)</script>", "k", "gap"});
  for (int i = 0; i < 100; ++i) {
    const double s = 0.1 * i;
    t.append(s, std::vector<double>{std::sin(s), std::sin(s), -s, 7, i < 50 ? std::nan("") : s});
  }
  return t;
}

TEST_F(PageTest, data_read_back_bit_for_bit) {
  const auto rows = sample();
  Page page = page_of_result("r.csv", rows);
  page.panels = {{"x", "x - x(1)"}};
  const std::string html = render_page(page);
  const Json json = Json::parse(inside(html, "alembert-page"));
  const std::string data = inside(html, "alembert-data");
  const Json& run = json["runs"][0];
  EXPECT_EQ(column(run["time"], data, 100), rows.times());
  for (std::size_t c = 0; c < rows.n_columns(); ++c) {
    EXPECT_EQ(run["variables"][c]["name"], rows.names()[c]);
    const auto have = column(run["variables"][c]["data"], data, 100), want = rows.column(c);
    EXPECT_EQ(std::memcmp(have.data(), want.data(), 800), 0) << rows.names()[c];
  }
  EXPECT_EQ(run["variables"][0]["data"], run["variables"][1]["data"]) << "equal columns, kept once";
  EXPECT_EQ(run["variables"][3]["data"], 7);
  EXPECT_EQ(run["variables"][5]["name"], "x - x(1)");
  EXPECT_NEAR(column(run["variables"][5]["data"], data, 100)[0], -std::sin(1.0), 1e-15);
}

TEST_F(PageTest, names_cannot_break_out) {
  Page page = page_of_result("</title><b>&", sample());
  page.runs[0].warnings = {"</script>", "<!--"};
  const std::string html = render_page(page);
  std::size_t n = 0;
  for (std::size_t at = html.find("</script"); at != html.npos; at = html.find("</script", at + 1))
    ++n;
  EXPECT_EQ(n, 3u);  // our own
  EXPECT_EQ(html.find("<!--"), html.npos);
  EXPECT_EQ(html.find("<b>"), html.npos);
  EXPECT_NE(html.find("&lt;/title&gt;&lt;b&gt;&amp;"), html.npos);
}

TEST_F(PageTest, animation_code_only_where_there_is_a_scene) {
  Page page = page_of_result("r", sample());
  EXPECT_EQ(render_page(page).find("alembert-scene-code\">"), std::string::npos);
  flat::Scene scene;
  scene.shapes = {flat::point({"x", "k"})};
  page.scene = move_scene(scene, {{&page.runs[0].trajectory}});
  const std::string html = render_page(page);
  EXPECT_NE(html.find("alembert-scene-code\">"), std::string::npos);
  const Json json = Json::parse(inside(html, "alembert-page"));
  EXPECT_EQ(json["scene"]["systems"][0][0]["kind"], "point");
  EXPECT_EQ(json["scene"]["systems"][0][0]["at"][1], 7);
}

TEST_F(PageTest, weighs_little_more_than_its_data) {
  result::Trajectory t({"a", "b"});
  for (int i = 0; i < 100'000; ++i)
    t.append(1e-3 * i, std::vector<double>{std::sin(1e-3 * i), std::cos(1.7e-3 * i)});
  const std::string html = render_page(page_of_result("r", t));
  EXPECT_LT(html.size(), 8u * 300'000u * 11 / 10);
}

TEST_F(PageTest, mistakes_are_told) {
  Page page = page_of_result("r", sample());
  page.panels = {{"xx"}};
  EXPECT_THROW(render_page(page), Error);
  EXPECT_THROW(write_page(page_of_result("r", sample()), home_ / "missing" / "r.html"), Error);
  EXPECT_NO_THROW(render_page(page_of_result("empty", result::Trajectory({"x"}))));
}

}  // namespace
}  // namespace alembert::visual
