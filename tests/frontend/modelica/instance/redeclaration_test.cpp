// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

using Names = std::vector<std::string>;

TEST(Redeclaration, OfComponents) {
  ModelUnderTest model(R"(
    model Load
      parameter Real k = 1;
    end Load;
    model Small
      extends Load;
      Real s;
    end Small;
    model Big
      extends Load(k = 3);
      Real b;
    end Big;
    model Drive
      replaceable Small load(k = 2) constrainedby Load(k = 9);
      replaceable Load other[2](each k = 4);
    end Drive;
    model M
      Drive a;
      Drive b(redeclare Big load);
      Drive c(redeclare Big load(k = 5), load.k = 6);
      Drive d(redeclare Big other);
    end M;)");
  EXPECT_EQ(model.value("a.load.k"), "2");
  EXPECT_EQ(model.value("b.load.k"), "9") << "the constraining clause holds for both";
  EXPECT_EQ(model.value("c.load.k"), "6");
  EXPECT_EQ(model.at("b.load").class_node().full_name(), "Big");
  EXPECT_EQ(model.at("d.other").n_entries(), 2u) << "dimensions of the original";
  EXPECT_EQ(model.value("d.other[2].k"), "4") << "the original declaration is the constraint";
  EXPECT_EQ(model.names(),
            (Names{"a.load.k", "a.load.s", "a.other[1].k", "a.other[2].k", "b.load.k", "b.load.b",
                   "b.other[1].k", "b.other[2].k", "c.load.k", "c.load.b", "c.other[1].k",
                   "c.other[2].k", "d.load.k", "d.load.s", "d.other[1].k", "d.other[1].b",
                   "d.other[2].k", "d.other[2].b"}));
}

TEST(Redeclaration, KeepsTheValueUnlessItGivesOne) {
  ModelUnderTest model(R"(
    record Cell
      parameter Real q = 1;
    end Cell;
    record RichCell
      extends Cell;
      parameter Real r = 2;
    end RichCell;
    record Stack
      parameter Integer n = 2;
      replaceable parameter Cell original;
      replaceable parameter Cell cells[n] = fill(original, n);
    end Stack;
    record RichStack
      extends Stack(redeclare RichCell original, redeclare RichCell cells);
    end RichStack;
    model M
      RichStack kept;
      Stack given(redeclare RichCell cells = {RichCell(), RichCell()});
    end M;)");
  EXPECT_EQ(model.value("kept.cells[2].r"), "fill(original, n)[2].r");
  EXPECT_EQ(&model.at("kept.cells[2].r").binding().scope->instance(), &model.at("kept"));
  EXPECT_EQ(model.value("given.cells[1].r"), "{RichCell(), RichCell()}[1].r");
}

TEST(Redeclaration, OfModelsAndPackages) {
  ModelUnderTest model(R"(
    package PartialMedium
      constant Integer n = 1;
      replaceable partial model Props
        Real p;
      end Props;
      replaceable partial function density
        input Real T;
        output Real d;
      end density;
    end PartialMedium;
    package Water
      extends PartialMedium(n = 2);
      redeclare model extends Props
        Real x[n];
      end Props;
      redeclare function extends density
      algorithm
        d := 1000*T;
      end density;
    end Water;
    model Pipe
      replaceable package Medium = PartialMedium;
      Medium.Props props;
    end Pipe;
    model Plant
      replaceable package Medium = Water constrainedby PartialMedium;
      Pipe pipe(redeclare package Medium = Medium);
    end Plant;
    model M
      Plant plant;
      Plant plant3(redeclare package Medium = Water(n = 3));
    end M;)");
  EXPECT_EQ(model.at("plant.pipe.props.x").dimension(0), 2);
  EXPECT_EQ(model.at("plant3.pipe.props.x").dimension(0), 3);
  EXPECT_EQ(model.names(), (Names{"plant.pipe.props.p", "plant.pipe.props.x", "plant3.pipe.props.p",
                                  "plant3.pipe.props.x"}));
  const Denotation f = model.lookup("plant.pipe", "Medium.density");
  ASSERT_EQ(f.kind, DenotationKind::class_);
  EXPECT_EQ(f.instance->children().size(), 2u);
  EXPECT_EQ(f.instance->algorithms().size(), 1u);
  EXPECT_EQ(f.instance, model.lookup("", "Water.density").instance)
      << "one instance for the package, however it is passed on";
  EXPECT_NE(f.instance, model.lookup("plant3.pipe", "Medium.density").instance);
}

TEST(Redeclaration, InBasesAsElementsAndSeveralTimes) {
  ModelUnderTest model(R"(
    model A
      Real a;
    end A;
    model B
      extends A;
      Real b;
    end B;
    model C
      extends B;
      parameter Real k = 1;
    end C;
    partial model Base
      replaceable model Part = A;
      Part part;
    end Base;
    model D1
      extends Base(redeclare replaceable model Part = B);
    end D1;
    model D2
      extends Base;
      redeclare replaceable model Part = B;
    end D2;
    model D3
      extends D2;
      redeclare model Part = C(k = 2);
    end D3;
    model M
      D1 d1;
      D1 e1(redeclare model Part = C);
      D2 d2;
      D2 e2(redeclare model Part = C(k = 3));
      D3 d3;
    end M;)");
  EXPECT_EQ(model.at("d1.part").base_class_node().full_name(), "B");
  EXPECT_EQ(model.at("e1.part").base_class_node().full_name(), "C");
  EXPECT_EQ(model.at("d2.part").base_class_node().full_name(), "B");
  EXPECT_EQ(model.value("e2.part.k"), "3");
  EXPECT_EQ(model.value("d3.part.k"), "2");
  EXPECT_EQ(model.value("e1.part.k"), "1");
}

TEST(Redeclaration, IsLookedUpWhereItIsWritten) {
  ModelUnderTest model(R"(
    package P
      model Local
        Real fromP;
      end Local;
      model Part
        replaceable model Inner = Local constrainedby Any;
        Inner inner1;
      end Part;
      model Any
      end Any;
    end P;
    package Q
      model Local
        Real fromQ;
      end Local;
      model User
        P.Part a;
        P.Part b(redeclare model Inner = Local);
      end User;
    end Q;
    model M
      Q.User u;
    end M;)");
  EXPECT_EQ(model.names(), (Names{"u.a.inner1.fromP", "u.b.inner1.fromQ"}));
}

TEST(Redeclaration, OfRecordsInMedia) {
  ModelUnderTest model(R"(
    partial package Base
      replaceable record State
        Real p;
      end State;
      replaceable partial function make
        input Real p;
        output State s;
      end make;
    end Base;
    partial package TwoPhase
      extends Base;
      redeclare replaceable record extends State
        Integer phase;
      end State;
    end TwoPhase;
    package Fluid
      extends TwoPhase;
      redeclare record extends State
        Real h;
      end State;
      redeclare function extends make
      algorithm
        s.p := p;
      end make;
    end Fluid;
    model M
      Fluid.State s;
    end M;)");
  EXPECT_EQ(model.names(), (Names{"s.p", "s.phase", "s.h"}));
  Instance& make = *model.lookup("", "Fluid.make").instance;
  EXPECT_EQ(make.children()[1]->children().size(), 3u);
}

TEST(Redeclaration, OfARedeclarationFollowsItsConstraint) {
  ModelUnderTest model(R"(
    model Small
      parameter Real k = 1;
    end Small;
    model Big
      parameter Real k = 1;
      parameter Real q = 1;
    end Big;
    model Other
      parameter Real k = 5;
      parameter Real q = 5;
    end Other;
    model A
      replaceable Big load constrainedby Small;
    end A;
    model B
      extends A(replaceable Big load constrainedby Big(k = 2, q = 3));
    end B;
    model C
      extends B(redeclare Other load);
    end C;
    model M
      C c;
    end M;)");
  EXPECT_EQ(model.at("c.load").class_node().full_name(), "Other");
  EXPECT_EQ(model.value("c.load.k"), "2") << "said by the constraint of the first redeclaration";
  EXPECT_EQ(model.value("c.load.q"), "3");
}

TEST(Redeclaration, OfDimensionsNeedsNothingReplaceable) {
  ModelUnderTest model(R"(
    model A
      parameter Real x[:] = {1};
    end A;
    model M
      A a(redeclare parameter Real x[3] = {1, 2, 3});
    end M;)");
  EXPECT_EQ(model.at("a.x").dimension(0), 3);
}

TEST(Redeclaration, OfWhatWasNotLeftReplaceableIsAWarning) {
  ModelUnderTest model(
      "model A\nend A;\nmodel B\nend B;\nmodel P\n  replaceable A a;\nend P;\nmodel Q\n"
      "  extends P(redeclare B a);\nend Q;\nmodel M\n  extends Q(redeclare A a);\nend M;");
  EXPECT_EQ(model.at("a").class_node().full_name(), "A");
  ASSERT_EQ(model.tree().warnings().size(), 1u);
  EXPECT_EQ(model.tree().warnings()[0].text,
            "'a' is redeclared, but an earlier redeclaration did not leave it replaceable. Write "
            "'redeclare replaceable' there.");
}

TEST(Redeclaration, WhatCannotBeRedeclared) {
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  EXPECT_EQ(first_line(error_of("model A\nend A;\nmodel B\nend B;\nmodel P\n  A a;\nend P;\n"
                                "model M\n  extends P;\n  redeclare B a;\nend M;")),
            "test.mo:10:15: error[M109]: 'a' is redeclared, but it is not replaceable. Declare it "
            "'replaceable', or modify it without 'redeclare'.");
  EXPECT_EQ(first_line(error_of("model P\n  final replaceable Real x = 1;\nend P;\nmodel M\n"
                                "  P p(redeclare Real x = 2);\nend M;")),
            "test.mo:5:7: error[M105]: 'x' is final and cannot be redeclared.");
  EXPECT_EQ(first_line(error_of("model P\n  replaceable constant Real x = 1;\nend P;\nmodel M\n"
                                "  P p(redeclare Real x = 2);\nend M;")),
            "test.mo:5:7: error[M109]: 'x' is a constant and cannot be redeclared. Give it another "
            "value instead.");
}

}  // namespace
}  // namespace alembert::modelica::testing
