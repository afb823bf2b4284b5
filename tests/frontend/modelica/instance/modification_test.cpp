// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

using Names = std::vector<std::string>;

constexpr const char* resistors = R"(
  type Ohm = Real(final unit = "Ohm", min = 0);
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model OnePort
    Pin p, n;
    Real v(start = 0);
  end OnePort;
  model Resistor
    parameter Ohm R(start = 1) = 5;
    extends OnePort(v(nominal = 10));
  end Resistor;
)";

TEST(Modification, OuterGoesBeforeInner) {
  ModelUnderTest model(std::string(resistors) + R"(
    model Two
      parameter Real k = 2;
      Resistor r1(R = k, v(start = 1, fixed = true));
      Resistor r2;
    end Two;
    model M
      Two two(k = 7, r1(R(min = 3), v.start = 4), r2.R = 8);
    end M;)");
  EXPECT_EQ(model.value("two.k"), "7");
  EXPECT_EQ(model.value("two.r1.R"), "k");
  EXPECT_EQ(&model.at("two.r1.R").binding().scope->instance(), &model.at("two"));
  EXPECT_EQ(model.value("two.r2.R"), "8");
  EXPECT_EQ(&model.at("two.r2.R").binding().scope->instance(), &model.root());
  EXPECT_EQ(model.attribute("two.r1.R", "min"), "3");
  EXPECT_EQ(model.attribute("two.r2.R", "min"), "0");
  EXPECT_EQ(model.attribute("two.r2.R", "start"), "1");
  EXPECT_EQ(model.attribute("two.r2.R", "unit"), "\"Ohm\"");
  EXPECT_EQ(model.attribute("two.r1.v", "start"), "4");
  EXPECT_EQ(model.attribute("two.r1.v", "fixed"), "true");
  EXPECT_EQ(model.attribute("two.r1.v", "nominal"), "10");
  EXPECT_EQ(model.attribute("two.r2.v", "start"), "0");
  EXPECT_EQ(model.names(), (Names{"two.k", "two.r1.R", "two.r1.p.v", "two.r1.p.i", "two.r1.n.v",
                                  "two.r1.n.i", "two.r1.v", "two.r2.R", "two.r2.p.v", "two.r2.p.i",
                                  "two.r2.n.v", "two.r2.n.i", "two.r2.v"}));
  EXPECT_TRUE(model.at("two.r2.R").binding().is_default == false);
}

TEST(Modification, OfExtendsAndShortClasses) {
  ModelUnderTest model(std::string(resistors) + R"(
    model R10 = Resistor(R = 10, v(nominal = 20));
    model R20
      extends R10(R = 20);
    end R20;
    model M
      R10 a;
      R20 b;
      R20 c(R = 30);
      R20 d[2](R = {40, 50}, each v(start = 6));
    end M;)");
  EXPECT_EQ(model.value("a.R"), "10");
  EXPECT_EQ(model.value("b.R"), "20");
  EXPECT_EQ(model.value("c.R"), "30");
  EXPECT_EQ(model.value("d[2].R"), "{40, 50}[2]");
  EXPECT_EQ(model.attribute("b.v", "nominal"), "20");
  EXPECT_EQ(model.attribute("d[2].v", "start"), "6");
}

TEST(Modification, EntriesOfArraysGetTheirPart) {
  ModelUnderTest model(R"(
    model A
      parameter Real k = 1;
      parameter Real t[3] = {1, 2, 3};
      Real x[3](start = {4, 5, 6});
    end A;
    model B
      A a[2](k = {1, 2}, each t = {7, 8, 9});
      A c(x(each start = 0));
    end B;
    model M
      B b[2](a(k = {{1, 2}, {3, 4}}), each a.x(start = {{1, 2, 3}, {4, 5, 6}}));
      B u[2](a(each k = 5), c(each k = 6));
      B v[2](each a(k = {8, 9}));
    end M;)");
  EXPECT_EQ(model.value("b[2].a[1].k"), "{{1, 2}, {3, 4}}[2][1]");
  EXPECT_EQ(model.value("b[2].a[1].t"), "{7, 8, 9}");
  EXPECT_EQ(model.value("u[2].a[1].k"), "5");
  EXPECT_EQ(model.value("u[2].c.k"), "6");
  EXPECT_EQ(model.value("v[1].a[2].k"), "{8, 9}[2]");
  EXPECT_EQ(model.attribute("u[1].c.x", "start"), "0 each");
  EXPECT_EQ(model.attribute("u[1].a[2].x", "start"), "{4, 5, 6}");
  EXPECT_EQ(model.at("b[2].a[1].x").full_name(), "b[2].a[1].x");
}

TEST(Modification, RecordsAsAWhole) {
  ModelUnderTest model(R"(
    record Data
      parameter Real a = 1;
      parameter Real b = 2;
    end Data;
    record Outer
      Data d;
      Data e[2];
    end Outer;
    function f
      output Outer o;
    end f;
    model Part
      parameter Data d = Data(a = 5, b = 6);
      parameter Data plain;
    end Part;
    model M
      parameter Outer o = f();
      parameter Data rows[2] = {Data(1, 2), Data(3, 4)};
      Part p(d(b = 7), plain(a = 8));
      Part q(d = rows[1]);
    end M;)");
  EXPECT_EQ(model.value("o.d.a"), "f().d.a");
  EXPECT_EQ(model.value("o.e[2].b"), "f().e[2].b");
  EXPECT_EQ(model.value("rows[2].a"), "{Data(1, 2), Data(3, 4)}[2].a");
  EXPECT_EQ(model.value("p.d.a"), "Data(a = 5, b = 6).a");
  EXPECT_EQ(model.value("p.d.b"), "7") << "from further out than the value of the whole";
  EXPECT_EQ(model.value("p.plain.a"), "8");
  EXPECT_EQ(model.value("p.plain.b"), "2");
  EXPECT_EQ(model.value("q.d.b"), "rows[1].b");
  EXPECT_EQ(model.at("p.d.a").variability(), Variability::parameter);
}

TEST(Modification, PackagesAndTheirConstants) {
  ModelUnderTest model(R"(
    package Medium
      constant Integer n = 1;
      constant Real rho = 1000;
      type Density = Real(nominal = 500);
      model Properties
        Density d;
        Real x[n];
      end Properties;
    end Medium;
    package Mixture = Medium(n = 3, Density(start = 7));
    package Richer
      extends Mixture(rho = 5);
    end Richer;
    model M
      Medium.Properties a;
      Mixture.Properties b;
      Richer.Properties c;
      Real r = Richer.rho;
    end M;)");
  EXPECT_EQ(model.at("a.x").dimension(0), 1);
  EXPECT_EQ(model.at("b.x").dimension(0), 3);
  EXPECT_EQ(model.at("c.x").dimension(0), 3);
  EXPECT_EQ(model.attribute("a.d", "start"), "-");
  EXPECT_EQ(model.attribute("c.d", "start"), "7");
  EXPECT_EQ(model.attribute("c.d", "nominal"), "500");
  EXPECT_EQ(text_of(model.lookup("", "Richer.rho").instance->binding()), "5");
  EXPECT_EQ(text_of(model.lookup("", "Medium.rho").instance->binding()), "1000");
}

TEST(Modification, FunctionsWithOtherDefaults) {
  ModelUnderTest model(R"(
    partial function Base
      input Real u;
      output Real y;
    end Base;
    function power
      extends Base;
      input Real n = 2;
    algorithm
      y := u^n;
    end power;
    function cube = power(n = 3);
    model M
      Real x;
    end M;)");
  Instance& cube = *model.lookup("", "cube").instance;
  ASSERT_EQ(cube.children().size(), 3u);
  EXPECT_EQ(cube.children()[0]->name(), "u");
  EXPECT_EQ(text_of(cube.children()[2]->binding()), "3");
  EXPECT_EQ(text_of(model.lookup("", "power").instance->children()[2]->binding()), "2");
  EXPECT_EQ(cube.algorithms().size(), 1u);
}

TEST(Modification, TakenAway) {
  ModelUnderTest model(R"(
    model A
      parameter Real k = 1;
    end A;
    model M
      A a(k = break);
    end M;)");
  EXPECT_EQ(model.value("a.k"), "-");
}

}  // namespace
}  // namespace alembert::modelica::testing
