// SPDX-License-Identifier: Apache-2.0
// Nothing that is decided about a model depends on the order in which it was written down: for
// every model in the repository, equations, unknowns and connects are shuffled.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/structure/explain.hpp"

namespace alembert {
namespace {

namespace fs = std::filesystem;

const fs::path root = ALEMBERT_SOURCE_ROOT;

template <class List>
void shuffle(List& list, std::mt19937& random) {
  for (std::size_t i = list.size(); i-- > 1;) std::swap(list[i], list[random() % (i + 1)]);
}

/// All that `explain --json` says but the times, which differ from run to run.
std::string explained(const flat::FlatSystem& flat) {
  auto json = nlohmann::ordered_json::parse(structure::to_json(structure::explain(flat)));
  json.erase("passes");
  return json.dump(1);
}

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".mo") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Models with equations to simulate: those that state an experiment.
std::vector<std::string> runnable_models(const fs::path& file) {
  std::vector<std::string> names;
  std::string package;
  std::string model;
  for (const std::string& line : lines_of(file)) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (first == "within" && second.size() > 1) package = second.substr(0, second.size() - 1) + ".";
    if (first == "package" && package.empty() && line.find(first) == 0) package = second + ".";
    if (first == "model") model = second;
    if (line.find("experiment(") != std::string::npos && !model.empty())
      names.push_back(package + model);
  }
  return names;
}

/// Connects that are shuffled stand in other lines.
void forget_places(nlohmann::ordered_json& json) {
  if (json.is_object()) json.erase("origin");
  for (auto& part : json)
    if (part.is_structured()) forget_places(part);
}

/// The text with the connects of each unbroken run of them in another order.
std::string with_shuffled_connects(const fs::path& file, std::mt19937& random) {
  std::vector<std::string> lines = lines_of(file);
  const auto is_connect = [](const std::string& line) {
    const auto at = line.find_first_not_of(' ');
    return at != std::string::npos && line.compare(at, 8, "connect(") == 0 && line.back() == ';';
  };
  for (std::size_t i = 0; i < lines.size();) {
    std::size_t end = i;
    while (end < lines.size() && is_connect(lines[end])) ++end;
    for (std::size_t k = end; k > i + 1; --k)
      std::swap(lines[k - 1], lines[i + random() % (k - i)]);
    i = std::max(end, i + 1);
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(OrderOfWriting, NothingDependsOnIt) {
  std::mt19937 random(7);
  std::size_t n_models = 0;
  for (const char* folder : {"models", "library"})
    for (const fs::path& file : files_below(root / folder))
      for (const std::string& model : runnable_models(file)) {
        ++n_models;
        const bool in_library = folder == std::string("library");
        modelica::ModelSource source{.model = model};
        if (!in_library) source.files = {file};
        flat::FlatSystem flat = modelica::flatten(source).system;
        const std::string expected = explained(flat);
        for (int trial = 0; trial < 3; ++trial) {
          shuffle(flat.equations, random);
          shuffle(flat.unknowns, random);
          shuffle(flat.parameters, random);
          ASSERT_EQ(explained(flat), expected) << model;
        }
        if (in_library) continue;  // a library is found by its folder, not given as a text
        const modelica::ModelSource rewritten{.text = with_shuffled_connects(file, random),
                                              .text_name = file.string(),
                                              .model = model};
        auto again = nlohmann::ordered_json::parse(explained(modelica::flatten(rewritten).system));
        auto before = nlohmann::ordered_json::parse(expected);
        forget_places(again);
        forget_places(before);
        EXPECT_EQ(again.dump(1), before.dump(1)) << model;
      }
  EXPECT_GE(n_models, 6u);
}

}  // namespace
}  // namespace alembert
