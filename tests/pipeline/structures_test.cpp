// SPDX-License-Identifier: Apache-2.0
// Systems of known structure as Modelica texts (models/validation/structures.mo): what
// `explain --json` tells of them, integers compared exactly.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "alembert/base/error.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/structure/explain.hpp"

namespace alembert {
namespace {

using nlohmann::json;

struct KnownStructure {
  const char* model;
  std::vector<int> c;  // of equations, ascending
  json d;              // of unknowns, by name
  int structural_index;
  int degrees_of_freedom;
  std::vector<int> coarse;  // sizes of blocks, descending
  std::vector<int> fine;
};

void PrintTo(const KnownStructure& known, std::ostream* out) { *out << known.model; }

json explained(const std::string& model) {
  const modelica::ModelSource source{
      .files = {ALEMBERT_SOURCE_ROOT "/models/validation/structures.mo"},
      .model = "Structures." + model};
  return json::parse(structure::to_json(structure::explain(modelica::flatten(source).system)));
}

class Structures : public testing::TestWithParam<KnownStructure> {};

TEST_P(Structures, AreAsKnown) {
  const KnownStructure& known = GetParam();
  const json j = explained(known.model);
  std::vector<int> c;
  for (const auto& offset : j["offsets"]["equations"]) c.push_back(offset);
  std::sort(c.begin(), c.end());
  EXPECT_EQ(c, known.c);
  EXPECT_EQ(j["offsets"]["unknowns"], known.d);
  EXPECT_EQ(j["structural_index"], known.structural_index);
  EXPECT_EQ(j["degrees_of_freedom"], known.degrees_of_freedom);
  EXPECT_EQ(j["block_sizes"]["coarse"], known.coarse);
  EXPECT_EQ(j["block_sizes"]["fine"], known.fine);
}

// clang-format off
const KnownStructure all_known[] = {
    {"Pendulum", {0, 0, 2}, {{"x", 2}, {"y", 2}, {"lambda", 0}}, 3, 2, {3}, {3}},
    {"FirstOrderPendulum", {0, 0, 1, 1, 2}, {{"x", 2}, {"y", 2}, {"u", 1}, {"v", 1}, {"lambda", 0}}, 3, 2, {5}, {5}},
    {"AnglePendulum", {0, 0, 2, 2}, {{"x", 2}, {"y", 2}, {"lambda", 0}, {"theta", 2}}, 3, 2, {4}, {4}},
    {"LinearExample", {0, 1, 2, 2}, {{"x1", 2}, {"x2", 2}, {"x3", 2}, {"x4", 1}}, 2, 2, {4}, {4}},
    {"Reactor", {0, 1, 1, 2}, {{"C", 2}, {"T", 1}, {"R", 1}, {"Tc", 0}}, 3, 0, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {"TwoEquations", {0, 1}, {{"x", 1}, {"y", 1}}, 1, 1, {2}, {2}},
    {"Chain2", {0, 0, 0, 0, 2, 2},
     {{"x[1]", 2}, {"y[1]", 2}, {"x[2]", 2}, {"y[2]", 2}, {"lambda[1]", 0}, {"lambda[2]", 0}}, 3, 4, {6}, {6}},
    {"Chain4", {0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2},
     {{"x[1]", 2}, {"y[1]", 2}, {"x[2]", 2}, {"y[2]", 2}, {"x[3]", 2}, {"y[3]", 2}, {"x[4]", 2}, {"y[4]", 2},
      {"lambda[1]", 0}, {"lambda[2]", 0}, {"lambda[3]", 0}, {"lambda[4]", 0}}, 3, 8, {12}, {12}},
    {"ConstraintTwice", {0, 0, 2, 2}, {{"x", 2}, {"y", 2}, {"lambda", 0}, {"mu", 0}}, 3, 0, {2, 2}, {2, 2}},
    {"TransistorAmplifier", {0, 0, 0, 0, 0, 0, 0, 0},
     {{"y1", 1}, {"y2", 1}, {"y3", 1}, {"y4", 1}, {"y5", 1}, {"y6", 1}, {"y7", 1}, {"y8", 1}}, 0, 8, {3, 3, 2}, {2, 2, 2, 1, 1}},
    {"CombinedAmplifier", {0, 0, 0, 0, 0, 1, 1, 1},
     {{"y1", 1}, {"y2", 1}, {"y3", 1}, {"y4", 1}, {"y5", 1}, {"y6", 1}, {"y7", 1}, {"y8", 1}}, 1, 5, {3, 3, 2}, {2, 2, 2, 1, 1}},
    {"CarAxis", {0, 0, 0, 0, 2, 2},
     {{"xl", 2}, {"yl", 2}, {"xr", 2}, {"yr", 2}, {"lambda1", 0}, {"lambda2", 0}}, 3, 4, {6}, {6}},
    {"ChemicalAkzo", {0, 0, 0, 0, 0, 0},
     {{"y1", 1}, {"y2", 1}, {"y3", 1}, {"y4", 1}, {"y5", 1}, {"y6", 0}}, 1, 5, {6}, {1, 1, 1, 1, 1, 1}},
    {"CapacitorLoop", {0, 0, 1, 1}, {{"v1", 1}, {"v2", 1}, {"i1", 0}, {"i2", 0}}, 2, 0, {1, 1, 1, 1}, {1, 1, 1, 1}},
    {"RigidGear", {0, 0, 1, 1, 2}, {{"p1", 2}, {"p2", 2}, {"w1", 1}, {"w2", 1}, {"tau", 0}}, 3, 2, {5}, {5}},
    {"SeriesCircuit", {0, 0, 0, 0}, {{"i", 1}, {"vc", 1}, {"vr", 0}, {"vl", 0}}, 1, 2, {4}, {1, 1, 1, 1}},
    {"BlockTriangular", {0, 0, 0}, {{"v1", 0}, {"v2", 0}, {"v3", 0}}, 1, 0, {2, 1}, {2, 1}},
    {"SliderCrank", {0, 0, 0, 2, 2}, {{"q", 2}, {"x", 2}, {"p", 2}, {"lambda1", 0}, {"lambda2", 0}}, 3, 2, {5}, {5}},
    {"StabilisedSliderCrank", {0, 0, 0, 0, 0, 0, 1, 1, 1, 1},
     {{"q", 1}, {"x", 1}, {"p", 1}, {"qd", 1}, {"xd", 1}, {"pd", 1}, {"lambda1", 0}, {"lambda2", 0}, {"mu1", 0}, {"mu2", 0}},
     2, 2, {10}, {5, 5}},
    {"ChaplyginSleigh", {0, 0, 0, 1}, {{"X", 2}, {"Y", 2}, {"theta", 2}, {"lambda", 0}}, 2, 5, {4}, {4}},
    {"ModifiedPendula", {0, 0, 2, 2, 2, 4},
     {{"x[1]", 4}, {"y[1]", 4}, {"lambda[1]", 2}, {"x[2]", 2}, {"y[2]", 2}, {"lambda[2]", 0}}, 5, 4, {3, 3}, {3, 3}},
    {"OverestimatedIndex", {0, 0, 1}, {{"x1", 0}, {"x2", 1}, {"x3", 1}}, 2, 1, {1, 1, 1}, {1, 1, 1}},
    {"TwoMassInverse", {0, 2, 4}, {{"z1", 2}, {"z2", 4}, {"F", 0}}, 5, 0, {1, 1, 1}, {1, 1, 1}},
    {"FourBar", {0, 0, 0, 0, 2, 2, 2},
     {{"xa", 2}, {"ya", 2}, {"xb", 2}, {"yb", 2}, {"lambda1", 0}, {"lambda2", 0}, {"lambda3", 0}}, 3, 2, {7}, {7}},
    {"Snakeboard", {0, 0, 0, 0, 0, 1, 1},
     {{"q1", 2}, {"q2", 2}, {"q3", 2}, {"q4", 2}, {"q5", 2}, {"lambda1", 0}, {"lambda2", 0}}, 2, 8, {7}, {7}},
    {"SphericalPendulum", {0, 0, 0, 2}, {{"x", 2}, {"y", 2}, {"z", 2}, {"lambda", 0}}, 3, 4, {4}, {4}},
    {"Inductors", {0, 0, 1, 1}, {{"i1", 1}, {"i2", 1}, {"v1", 0}, {"v2", 0}}, 2, 0, {1, 1, 1, 1}, {1, 1, 1, 1}},
};
// clang-format on

INSTANTIATE_TEST_SUITE_P(Known, Structures, testing::ValuesIn(all_known),
                         [](const auto& info) { return std::string(info.param.model); });

TEST(Structures, WhatTheNumbersSayIsToldWhereTheStructureLies) {
  EXPECT_EQ(explained("TransistorAmplifier")["repaired"],
            (json{{"structural_index", 1}, {"degrees_of_freedom", 5}}));
  const json twice = explained("ConstraintTwice");
  EXPECT_EQ(twice["repaired"]["degrees_of_freedom"], 2);
  EXPECT_EQ(twice["left_out"].size(), 1u);
}

// Alone v1, p1 and w1 before the others, and p3 and lambda3 behind them.
TEST(Structures, FlexibleSliderCrank) {
  const json j = explained("FlexibleSliderCrank");
  EXPECT_EQ(j["equations"], 24);
  EXPECT_EQ(j["structural_index"], 2);
  EXPECT_EQ(j["degrees_of_freedom"], 11);
  EXPECT_EQ(j["block_sizes"]["coarse"], (std::vector<int>{19, 1, 1, 1, 1, 1}));
  EXPECT_EQ(j["block_sizes"]["fine"][0], 11);
}

TEST(Structures, SingularOnesAreRefusedByName) {
  try {
    explained("Singular");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const char* named : {"'x'", "'z'", "der(x) = 1", "x = 2"})
      EXPECT_NE(text.find(named), std::string::npos) << named << " in " << text;
  }
}

}  // namespace
}  // namespace alembert
