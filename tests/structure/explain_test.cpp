// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/explain.hpp"

#include <fmt/format.h>
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
  // Two of three equations have a highest derivative of their own; with the constraint twice
  // differentiated all have, in one strong component.
  EXPECT_EQ(e.counts.n_matched_before, 2u);
  EXPECT_EQ(e.counts.n_added, 2u);
  EXPECT_EQ(e.counts.n_matched_after, 3u);
  EXPECT_EQ(e.counts.n_blocks, 1u);
  ASSERT_EQ(e.counts.blocks.size(), 1u);
  EXPECT_EQ(e.counts.blocks[0].unknowns.size(), 3u);
  EXPECT_NE(to_text(e).find("Matching: 2 of 3 equations with highest derivatives as written; 3 of "
                            "3 after differentiation, which adds 2 equations.\n"
                            "1 strong component, of size 3.\n"),
            std::string::npos)
      << to_text(e);
  EXPECT_NE(to_text(e).find("(torn: lambda)"), std::string::npos) << to_text(e);
}

using Names = std::vector<std::string>;

// Energies know everything and are no slopes; what stands between a state and a slope may be a
// block; a clock that both use is of neither part.
TEST(Explain, positions_and_momenta_of_separable_systems) {
  const Explanation oscillator =
      explain(text_model("q p f E u",
                         {"der(q) = p/m + u", "der(p) = f + u", "f + f^3 = -k*q",
                          "E = p^2/m + k*q^2", "u = sin(time)"},
                         "m k"));
  EXPECT_EQ(oscillator.positions, Names{"q"});
  EXPECT_EQ(oscillator.momenta, Names{"p"});
  EXPECT_NE(to_text(oscillator).find("Separable: slopes of positions (q) depend on momenta (p)"),
            std::string::npos)
      << to_text(oscillator);
  EXPECT_EQ(json::parse(to_json(oscillator))["momenta"], Names{"p"});

  const Explanation second_order =
      explain(text_model("a b", {"der(der(a)) = -a - (a - b)^3", "der(der(b)) = -b - (b - a)^3"}));
  EXPECT_EQ(second_order.positions, (Names{"a", "b"}));
  EXPECT_EQ(second_order.momenta, (Names{"der(a)", "der(b)"}));
}

TEST(Explain, systems_that_are_not_separable) {
  const auto is_separable = [](const flat::FlatSystem& flat) {
    const Explanation e = explain(flat);
    EXPECT_EQ(json::parse(to_json(e))["separable"], !e.positions.empty());
    return !e.positions.empty();
  };
  EXPECT_FALSE(is_separable(text_model("q v", {"der(q) = v", "der(v) = -q - d*v"}, "d")));
  EXPECT_FALSE(is_separable(text_model("q p", {"der(q) = p*(1 + q^2)", "der(p) = -p^2*q"})));
  EXPECT_FALSE(is_separable(text_model("x y", {"der(x) = sin(time)", "der(y) = 1"})));
  EXPECT_FALSE(is_separable(
      text_model("x y z", {"der(x) = y", "der(y) = -x - z", "der(z) = y"})));  // a state too many
  EXPECT_FALSE(is_separable(
      text_model("x y z w", {"der(x) = y", "der(y) = z", "der(z) = x", "der(w) = x"})));
  EXPECT_FALSE(is_separable(pendulum()));  // which changes its states
}

std::string refusal(const flat::FlatSystem& flat) {
  try {
    explain(flat);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Explain, one_equation_too_many_that_repeats_others_is_left_out) {
  const Explanation linear =
      explain(text_model("x y", {"der(x) = -x", "y = 2*x", "2*y - 2*x = 2*x"}));
  EXPECT_EQ(linear.redundant.size(), 1u);
  EXPECT_EQ(linear.states, std::vector<std::string>{"x"});
  EXPECT_EQ(linear.equation_offsets.size(), 2u);  // of what is left
  EXPECT_EQ(linear.n_equations, 3u);
  // What is not linear is found by its terms.
  const Explanation rod =
      explain(text_model("x y lambda",
                         {"der(der(x)) = lambda*x", "der(der(y)) = lambda*y - g", "x^2 + y^2 = 1",
                          "3*x^2 + 3*y^2 = 3"},
                         "g"));
  EXPECT_EQ(rod.redundant, std::vector<std::string>{"3*x^2 + 3*y^2 = 3"});
  EXPECT_EQ(rod.structural_index, 3u);
  EXPECT_EQ(rod.counts.n_matched_before, 2u);
  const json j = json::parse(to_json(rod));
  EXPECT_EQ(j["redundant"].size(), 1u);
  EXPECT_EQ(
      j["matching"],
      (json{{"as_written", 2}, {"added_by_differentiation", 2}, {"after_differentiation", 3}}));
  EXPECT_EQ(j["components"], (json{{"count", 1}, {"larger_than_one", {3}}}));
}

TEST(Explain, one_equation_too_many_that_says_something_else_is_named) {
  EXPECT_EQ(refusal(text_model("x y", {"der(x) = -x*y", "y = sin(x)", "y*x = time"})),
            "model.txt:1:1: error[S001]: too many equations: 3 equations for 2 unknowns, 'x' and "
            "'y'. Remove one of the equations listed.\n"
            "  model.txt:1:1: note: equation 'der(x) = -x*y'\n"
            "  model.txt:2:1: note: equation 'y = sin(x)'\n"
            "  model.txt:3:1: note: equation 'x*y = time'");
  // Only the part at fault is listed.
  const std::string part = refusal(
      text_model("x y z", {"der(x) = -x", "y = x + z", "exp(z) = time", "z^3 = 2 + cos(time)"}));
  EXPECT_NE(part.find("S001"), std::string::npos) << part;
  EXPECT_EQ(part.find("der(x)"), std::string::npos) << part;
  // The same left side with another right side is a contradiction, linear or not.
  const std::string rods =
      refusal(text_model("x y lambda",
                         {"der(der(x)) = lambda*x", "der(der(y)) = lambda*y - g", "x^2 + y^2 = 1",
                          "2*x^2 + 2*y^2 = 3"},
                         "g"));
  EXPECT_NE(rods.find("S004"), std::string::npos) << rods;
  EXPECT_NE(rods.find("2*x^2 + 2*y^2 = 3"), std::string::npos) << rods;
}

TEST(Explain, a_constraint_that_a_run_leaves_out_is_told) {
  const Explanation e =
      explain(text_model("x y l1 l2",
                         {"der(der(x)) = (l1 + l2)*x", "der(der(y)) = (l1 + l2)*y - g",
                          "x^2 + y^2 = 1", "x^2 + y^2 = 1"},
                         "g"));
  ASSERT_EQ(e.left_out.size(), 1u);
  EXPECT_NE(to_text(e).find("Left out: " + e.left_out[0]), std::string::npos) << to_text(e);
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

// Not all charts are listed; that states may change while the model runs is told all the same.
TEST(Explain, many_charts_need_other_states_later_too) {
  std::string unknowns;
  std::vector<std::string> equations;
  for (int i = 0; i < 20; ++i) {
    const std::string k = std::to_string(i);
    unknowns += "x" + k + " y" + k + " f" + k + " ";
    equations.push_back("der(der(x" + k + ")) = f" + k + "*x" + k);
    equations.push_back("der(der(y" + k + ")) = f" + k + "*y" + k + " - g");
    equations.push_back("x" + k + "^2 + y" + k + "^2 = 1");
  }
  const Explanation e = explain(text_model(unknowns, equations, "g"));
  EXPECT_EQ(e.charts.size(), 16u);
  EXPECT_TRUE(e.dynamic_selection);
}

TEST(Explain, equations_that_differ_behind_the_cut_have_offsets_each) {
  std::string unknowns = "z";
  std::string sum = "0";
  std::vector<std::string> equations;
  for (int i = 0; i < 100; ++i) {
    const std::string name = fmt::format("a_long_name_{}", i);
    unknowns += " " + name;
    sum += " + " + name;
    if (i > 0) equations.push_back(fmt::format("{0} + {0}^3 = {1}*time", name, i));
  }
  equations.push_back("0 = " + sum + " + z");
  equations.push_back("0 = " + sum + " + z^3");
  const json j = json::parse(to_json(explain(text_model(unknowns, equations))));
  EXPECT_EQ(j["offsets"]["equations"].size(), 101u);
}

TEST(Explain, sizes_of_blocks_as_written) {
  const json j = json::parse(to_json(explain(text_model(
      "i vc vr vl", {"vr = R*i", "L*der(i) = vl", "C*der(vc) = i", "vr + vl + vc = sin(time)"},
      "R L C"))));
  EXPECT_EQ(j["block_sizes"], (json{{"coarse", {4}}, {"fine", {1, 1, 1, 1}}}));
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
