// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/explain.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "structure/text_model.hpp"

namespace alembert::structure {
namespace {

using nlohmann::json;

flat::FlatSystem pendulum() {
  return text_model("x y lambda",
                    {"der(der(x)) = lambda*x", "der(der(y)) = lambda*y - g", "x^2 + y^2 = 1"}, "g");
}

TEST(Explain, the_pendulum_as_the_seed_works_it_out) {
  const Explanation e = explain(pendulum());
  EXPECT_EQ(e.structural_index, 3u);
  EXPECT_EQ(e.degrees_of_freedom, 2u);
  ASSERT_EQ(e.differentiated.size(), 1u);
  EXPECT_EQ(e.differentiated[0].times, 2u);
  EXPECT_EQ(e.states, (std::vector<std::string>{"y", "der(y)"}));
  EXPECT_TRUE(e.dynamic_selection);
  ASSERT_EQ(e.charts.size(), 2u);
  EXPECT_EQ(e.charts[1], (std::vector<std::string>{"x", "der(x)"}));
  // The constraint gives x, its derivative der(x), and the rest is one linear block.
  ASSERT_EQ(e.blocks.size(), 3u);
  EXPECT_EQ(e.blocks[0].unknowns, std::vector<std::string>{"x"});
  EXPECT_EQ(e.blocks[1].unknowns, std::vector<std::string>{"der(x)"});
  EXPECT_EQ(e.blocks[2].unknowns.size(), 3u);
  EXPECT_EQ(e.blocks[2].kind, Block::Kind::linear);
}

TEST(Explain, json_has_what_scripts_rely_on) {
  const json j = json::parse(to_json(explain(pendulum())));
  EXPECT_EQ(j["equations"], 3);
  EXPECT_EQ(j["unknowns"], 3);
  EXPECT_EQ(j["parameters"], 1);
  EXPECT_EQ(j["offsets"]["unknowns"], (json{{"x", 2}, {"y", 2}, {"lambda", 0}}));
  EXPECT_EQ(j["offsets"]["equations"]["x^2 + y^2 = 1"], 2);
  EXPECT_EQ(j["differentiated"][0]["equation"], "x^2 + y^2 = 1");
  EXPECT_EQ(j["blocks"][2]["kind"], "linear");
  EXPECT_EQ(j["blocks"][2]["size"], 3);
  EXPECT_GE(j["passes"].size(), 3u);
}

TEST(Explain, order_of_writing_leaves_no_trace) {
  auto shuffled = text_model(
      "lambda y x", {"x^2 + y^2 = 1", "der(der(y)) = lambda*y - g", "der(der(x)) = lambda*x"}, "g");
  Explanation a = explain(pendulum());
  Explanation b = explain(shuffled);
  a.passes.clear();  // times differ
  b.passes.clear();
  // Places in a text are part of what was written.
  for (auto* e : {&a, &b})
    for (auto& d : e->differentiated) d.origin = {};
  EXPECT_EQ(to_json(a), to_json(b));
  EXPECT_EQ(to_text(a), to_text(b));
}

TEST(Explain, constant_coefficients_need_no_other_states_later) {
  const Explanation e =
      explain(text_model("x y f", {"der(x) = f", "der(y) = -f - y", "x - y = 1"}));
  EXPECT_EQ(e.structural_index, 2u);
  EXPECT_FALSE(e.dynamic_selection);
}

TEST(Explain, incidence_before_and_after) {
  const Explanation e = explain(pendulum());
  EXPECT_EQ(e.as_written.equations.size(), 3u);
  EXPECT_EQ(e.ordered.equations.size(), 5u);
  EXPECT_EQ(e.ordered.unknowns.size(), 5u);
  // Triangular by blocks: what a row needs is solved no later than its own block.
  for (Index row = 0; row < 2; ++row)
    for (const Index column : e.ordered.entries[row]) EXPECT_LE(column, row);
}

}  // namespace
}  // namespace alembert::structure
