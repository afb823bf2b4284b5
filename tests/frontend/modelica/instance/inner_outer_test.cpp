// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

using Names = std::vector<std::string>;

constexpr const char* world = R"(
  model World
    parameter Real g = 9.81;
  end World;
  model Body
    outer World world;
    Real w = world.g;
  end Body;
  model Group
    Body body;
  end Group;
)";

TEST(InnerOuter, TheNearestInnerIsMeant) {
  ModelUnderTest model(std::string(world) + R"(
    model Own
      inner World world(g = 2);
      Group group[2];
    end Own;
    model M
      inner World world(g = 1);
      Group group;
      Own own;
      Body body;
    end M;)");
  EXPECT_EQ(&model.at("group.body.world"), &model.at("world"));
  EXPECT_EQ(&model.at("body.world"), &model.at("world"));
  EXPECT_EQ(&model.at("own.group[2].body.world"), &model.at("own.world"));
  EXPECT_EQ(model.lookup("own.group[2].body", "world").instance, &model.at("own.world"));
  EXPECT_EQ(model.names(), (Names{"world.g", "group.body.w", "own.world.g", "own.group[1].body.w",
                                  "own.group[2].body.w", "body.w"}));
  EXPECT_TRUE(model.tree().warnings().empty());
}

TEST(InnerOuter, AMissingInnerIsAddedWithAWarning) {
  ModelUnderTest model(std::string(world) + R"(
    model M
      Group group;
      Body body;
    end M;)");
  EXPECT_EQ(model.names(), (Names{"group.body.w", "body.w", "world.g"}));
  EXPECT_EQ(&model.at("group.body.world"), &model.at("body.world"));
  ASSERT_EQ(model.tree().warnings().size(), 1u);
  EXPECT_EQ(model.tree().warnings()[0].code, "M150");
}

TEST(InnerOuter, InnerAndOuterAtOnce) {
  ModelUnderTest model(R"(
    model Enabled
      Boolean on;
    end Enabled;
    model Leaf
      outer Boolean on;
    end Leaf;
    model Middle
      inner outer Boolean on;
      Leaf leaf;
    end Middle;
    model M
      inner Boolean on;
      Middle middle;
    end M;)");
  EXPECT_EQ(model.names(), (Names{"on", "middle.on"}));
  EXPECT_EQ(&model.at("middle.leaf.on"), &model.at("middle.on"));
  EXPECT_EQ(model.lookup("middle", "on").instance, &model.at("on"));
  EXPECT_TRUE(model.at("middle.on").is_inner());
}

TEST(InnerOuter, ClassesAndFunctions) {
  ModelUnderTest model(R"(
    partial function Law
      input Real u;
      output Real y;
    end Law;
    function linear
      extends Law;
    algorithm
      y := 2*u;
    end linear;
    model Part
      outer function law = Law;
      Real x = law(1);
    end Part;
    model M
      inner function law = linear;
      Part part;
    end M;)");
  EXPECT_EQ(model.lookup("part", "law").instance, model.lookup("", "linear").instance);
}

TEST(InnerOuter, ConditionalComponents) {
  ModelUnderTest model(R"(
    model Port
      Real p;
    end Port;
    model Part
      parameter Boolean use = false;
      Port port if use;
      Port ports[n] if not use;
      parameter Integer n = 2;
    end Part;
    model M
      Part a;
      Part b(use = true);
      Part c[2](use = {true, false}, each n = 1);
    end M;)");
  EXPECT_FALSE(model.at("a.port").is_present());
  EXPECT_FALSE(model.at("a.port.p").is_present());
  EXPECT_TRUE(model.at("b.port.p").is_present());
  EXPECT_EQ(model.names(),
            (Names{"a.use", "a.ports[1].p", "a.ports[2].p", "a.n", "b.use", "b.port.p", "b.n",
                   "c[1].use", "c[1].port.p", "c[1].n", "c[2].use", "c[2].ports[1].p", "c[2].n"}));
}

}  // namespace
}  // namespace alembert::modelica::testing
