// SPDX-License-Identifier: Apache-2.0
// What may stand where something replaceable is declared, and what is said about the rest.
#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* message;
};

class Constraints : public ::testing::TestWithParam<Case> {};

TEST_P(Constraints, AreAskedFor) {
  EXPECT_EQ(first_line(error_of(GetParam().text)), GetParam().message);
}

const Case cases[] = {
    {"AComponentThatLacksAMember",
     "model A\n  Real x = 1;\nend A;\nmodel B\n  Real x = 2;\n  Real y = 3;\nend B;\n"
     "model C\n  replaceable B b;\nend C;\nmodel M\n  C c(redeclare A b);\nend M;",
     "test.mo:12:19: error[M126]: 'b' cannot be 'A', which has no 'y', while all of "
     "'B' is asked for. Take a class that has it, or constrain 'b' by another one."},
    {"AShortClassThatLacksAMember",
     "model A\n  Real x = 1;\nend A;\nmodel B\n  Real x = 2;\n  Real y = 3;\nend B;\n"
     "model C\n  replaceable model D = B;\n  D d;\nend C;\nmodel M\n  C c(redeclare "
     "model D = A);\nend M;",
     "test.mo:13:23: error[M126]: 'D' cannot be 'A', which has no 'y', while all of "
     "'B' is asked for. Take a class that has it, or constrain 'D' by another one."},
    {"ALongClassThatLacksAMember",
     "model A\n  Real x = 2;\n  Real y = 3;\nend A;\nmodel M\n  replaceable model B\n  "
     "  Real x = 1;\n  end B constrainedby A;\n  B b;\nend M;",
     "test.mo:6:21: error[M126]: the class 'B' has no 'y', while all of 'A' is asked "
     "for. Declare it there, or constrain 'B' by another one."},
    {"AMemberOfAnotherType",
     "model A\n  Integer x = 1;\nend A;\nmodel B\n  Real x = 2;\nend B;\nmodel M\n  "
     "replaceable A a constrainedby B;\nend M;",
     "test.mo:8:17: error[M126]: 'a' cannot be 'A', which has an element 'x' that is "
     "an Integer, not a Real, while all of 'B' is asked for. Take a class that has it, "
     "or constrain 'a' by another one."},
    {"AMemberThatLacksAMember",
     "record S\n  Real u = 1;\nend S;\nrecord T\n  Real u = 1;\n  Real v = 1;\nend T;\n"
     "model A\n  S r;\nend A;\nmodel B\n  T r;\nend B;\nmodel M\n  replaceable A a "
     "constrainedby B;\nend M;",
     "test.mo:15:17: error[M126]: 'a' cannot be 'A', which has an element 'r' that has "
     "no 'v', while all of 'B' is asked for. Take a class that has it, or constrain "
     "'a' by another one."},
    {"AMemberThatIsHidden",
     "model A\nprotected\n  Real x = 1;\nend A;\nmodel B\n  Real x = 2;\nend B;\nmodel "
     "M\n  replaceable A a constrainedby B;\nend M;",
     "test.mo:9:17: error[M126]: 'a' cannot be 'A', which has no public 'x', while all "
     "of 'B' is asked for. Take a class that has it, or constrain 'a' by another one."},
    {"AWiderConstraint",
     "model A\n  Real x = 1;\nend A;\nmodel B\n  Real x = 2;\n  Real y = 2;\nend B;\n"
     "model D\n  replaceable B b constrainedby B;\nend D;\nmodel E\n  extends "
     "D(replaceable B b constrainedby A);\nend E;\nmodel M\n  E e;\nend M;",
     "test.mo:12:29: error[M126]: 'b' cannot be constrained by 'A', which has no 'y', "
     "while all of 'B' was asked for before. A redeclaration may only ask for more."},
    {"AConstraintThatWasNarrowed",
     "model A\n  Real x = 1;\nend A;\nmodel B\n  Real x = 2;\n  Real y = 2;\nend B;\n"
     "model D\n  replaceable B b constrainedby A;\nend D;\nmodel E\n  extends "
     "D(replaceable B b constrainedby B);\nend E;\nmodel M\n  E e(redeclare A b);\nend "
     "M;",
     "test.mo:15:19: error[M126]: 'b' cannot be 'A', which has no 'y', while all of "
     "'B' is asked for. Take a class that has it, or constrain 'b' by another one."},
    {"AClassThatNobodyUses",
     "model A\n  Real x = 1;\nend A;\nmodel B\n  Real x = 2;\n  Real y = 3;\nend B;\n"
     "model C\n  replaceable model X = B constrainedby B;\nend C;\nmodel M\n  extends "
     "C(redeclare model X = A);\nend M;",
     "test.mo:12:29: error[M126]: 'X' cannot be 'A', which has no 'y', while all of "
     "'B' is asked for. Take a class that has it, or constrain 'X' by another one."},
    {"OtherDimensions",
     "type Real3 = Real[3];\ntype Real23 = Real[2, 3];\nmodel M\n  replaceable Real3 "
     "x[2] = {{1, 2, 3}, {4, 5, 6}} constrainedby Real23;\nend M;",
     "test.mo:4:21: error[M126]: 'x' cannot be of the type 'Real3' with another number "
     "of dimensions than 'Real23', which it is constrained by. Give both types as many."},
};

INSTANTIATE_TEST_SUITE_P(All, Constraints, ::testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Constraints, AClassNeedNotExtendWhatItStandsFor) {
  EXPECT_EQ(error_of(R"(
    model A
      Real x = 1;
      Real y = 2;
    end A;
    model B
      Real x = 3;
      Real y = 4;
      Real z = 5;
    end B;
    model C
      replaceable A a;
      replaceable model D = A;
      D d;
    end C;
    model M
      C c(redeclare B a, redeclare model D = B(z = 6));
    end M;)"),
            "");
}

TEST(Constraints, WhatExtendsTheConstrainingClassFits) {
  EXPECT_EQ(error_of(R"(
    partial package PartialMedium
      constant Integer n = 1;
      replaceable partial function h
        input Real t;
        output Real y;
      end h;
    end PartialMedium;
    package Water
      extends PartialMedium(n = 2);
      redeclare function extends h
      algorithm
        y := 2*t;
      end h;
    end Water;
    model Pipe
      replaceable package Medium = PartialMedium constrainedby PartialMedium;
      Real x[Medium.n] = fill(1, Medium.n);
    end Pipe;
    model M
      package Other = Water;
      Pipe pipe(redeclare package Medium = Other);
      Pipe two[2](redeclare each package Medium = Water);
    end M;)"),
            "");
}

TEST(Constraints, StayWhereARedeclarationNamesNone) {
  EXPECT_EQ(error_of(R"(
    model A
      Real x = 1;
    end A;
    model B
      extends A;
      Real y = 2;
    end B;
    model C
      extends A;
      Real z = 2;
    end C;
    model D
      replaceable B b constrainedby A;
    end D;
    model E
      extends D(redeclare replaceable B b);
    end E;
    model M
      E e(redeclare C b);
    end M;)"),
            "");
}

}  // namespace
}  // namespace alembert::modelica::testing
