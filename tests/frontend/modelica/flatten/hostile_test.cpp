// SPDX-License-Identifier: Apache-2.0
// Broken and hostile models: each is flattened or refused, in time, and never ends the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "alembert/base/error.hpp"
#include "alembert/flat/check.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "fuzz/token_mutations.hpp"

namespace alembert::modelica {
namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Seconds it took to be flattened and checked, or refused.
double seconds_to_read(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    flat::check(flatten({.text = text, .text_name = "m.mo"}).system);
  } catch (const Error& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(Hostile, changed_models_are_flattened_or_refused) {
  const char* const seeds = std::getenv("ALEMBERT_MUTATIONS");  // more of them, by hand
  const int runs = seeds != nullptr ? std::atoi(seeds) : 40;
  std::mt19937 random(static_cast<unsigned>(runs));
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(ALEMBERT_SOURCE_ROOT) / "models"))
    if (entry.path().extension() == ".mo") files.push_back(entry.path());
  files.push_back(std::filesystem::path(ALEMBERT_SOURCE_ROOT) / "benchmarks/models/scalable.mo");
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const Tokens tokens = tokens_of(file_text(file));
    for (int run = 0; run < runs; ++run) {
      const std::string text = mutated(tokens, random);
      if (seeds != nullptr) std::ofstream("mutation.mo") << text;  // what to look at after a crash
      const double seconds = seconds_to_read(text);
      ASSERT_LT(seconds, 60) << text;
    }
  }
}

/// A0 ... An, each made from the one before.
std::string levels(int n, const std::function<std::string(const std::string&, int)>& level) {
  std::string text = "model A0\n  Real x = time;\nend A0;\n";
  for (int i = 1; i <= n; ++i)
    text += "model A" + std::to_string(i) + "\n" + level("A" + std::to_string(i - 1), i) + "end A" +
            std::to_string(i) + ";\n";
  return text;
}

TEST(Hostile, growth_without_bound_is_refused) {
  const auto refused_for = [](const std::string& text) {
    try {
      flatten({.text = text, .text_name = "m.mo"});
    } catch (const Error& error) {
      return std::string(error.code());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused_for(levels(40, [](const std::string& a,
                                      int) { return "extends " + a + ";\nextends " + a + ";\n"; })),
            "M119");
  EXPECT_EQ(
      refused_for(levels(1000, [](const std::string& a, int) { return "extends " + a + ";\n"; })),
      "M119");
  EXPECT_EQ(refused_for("model M Real x[100000000]; end M;"), "M116");
  EXPECT_EQ(refused_for("model M Real x = sum(fill(1.0, 1000000000)); end M;"), "M210");
  EXPECT_EQ(
      refused_for("model M Real x; equation for i in 1:1000000000 loop x = i; end for; end M;"),
      "M210");
  EXPECT_EQ(
      refused_for("function f input Integer n; output Integer y; algorithm y := f(n + 1); end f;"
                  "model M constant Integer c = f(1); Real x = c; end M;"),
      "M210");
}

}  // namespace
}  // namespace alembert::modelica
