// SPDX-License-Identifier: Apache-2.0
// What a class may contain, extend and be part of by its kind: each case is a text that breaks one
// rule and the first line of the message.
#include "alembert/frontend/modelica/instance/class_rules.hpp"

#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* message;
};

class ClassRules : public ::testing::TestWithParam<Case> {};

TEST_P(ClassRules, AreToldWithThePlace) {
  EXPECT_EQ(first_line(error_of(GetParam().text)), GetParam().message);
}

const Case cases[] = {
    {"EquationsOfARecord",
     "record R\n  Real x;\nequation\n  x = 1;\nend R;\nmodel M\n  R r;\nend M;",
     "test.mo:3:1: error[M122]: a record has no equations. Move them to a model that has such a "
     "component."},
    {"AlgorithmOfAConnector",
     "connector C\n  Real x;\n  flow Real f;\nalgorithm\n  x := 1;\nend C;\nmodel M\n  C c;\nend "
     "M;",
     "test.mo:4:1: error[M122]: a connector has no algorithms. Move them to a model that has such "
     "a component."},
    {"ProtectedInARecord", "record R\nprotected\n  Real x;\nend R;\nmodel M\n  R r;\nend M;",
     "test.mo:3:8: error[M122]: in a record nothing is protected. Make it public, or leave it "
     "out."},
    {"InputInARecord", "record R\n  input Real x;\nend R;\nmodel M\n  R r;\nend M;",
     "test.mo:2:14: error[M122]: in a record nothing is input, output, flow or stream, as 'x' is. "
     "Declare that for the record as a whole."},
    {"OuterInAConnector", "connector C\n  outer Real x;\nend C;\nmodel M\n  C c;\nend M;",
     "test.mo:2:14: error[M122]: in a connector nothing is inner or outer, as 'x' is."},
    {"StreamInAModel", "model M\n  stream Real h;\nend M;",
     "test.mo:2:15: error[M122]: 'stream' stands in connectors only, but this is a model."},
    {"VariableOfAPackage",
     "package P\n  Real x = 1;\n  model A\n  end A;\nend P;\nmodel M\n  P.A a;\nend M;",
     "test.mo:2:8: error[M122]: a package has constants and classes only. Declare 'constant' "
     "before 'x'."},
    {"InputThatIsAParameter", "block M\n  input parameter Real u;\nend M;",
     "test.mo:2:24: error[M122]: 'u' cannot be an input and a parameter at once. Take one of the "
     "two away."},
    {"NameOfAType", "model M\n  Real Integer;\nend M;",
     "test.mo:2:8: error[M122]: 'Integer' is a type of the language. Take another name."},
    {"LiteralTwice", "type E = enumeration(a, b, a);\nmodel M\n  E e;\nend M;",
     "test.mo:1:28: error[M122]: 'a' is twice in this enumeration. Remove one."},
    {"LiteralThatIsAnAttribute", "type E = enumeration(a, start);\nmodel M\n  E e;\nend M;",
     "test.mo:1:25: error[M122]: 'start' is an attribute of enumerations. Take another name."},
    {"BreakWithoutALoop", "model M\n  Real x;\nalgorithm\n  x := 1;\n  break;\nend M;",
     "test.mo:5:3: error[M122]: 'break' leaves a loop, but there is none around it."},
    {"WhenInAWhen",
     "model M\n  Real x;\nalgorithm\n  when time > 1 then\n    when time > 2 then\n      x := 1;\n"
     "    end when;\n  end when;\nend M;",
     "test.mo:5:5: error[M122]: a when cannot stand inside of another one. Join their conditions "
     "by 'and'."},
    {"WhenInAnInitialAlgorithm",
     "model M\n  Real x;\ninitial algorithm\n  when time > 1 then\n    x := 1;\n  end when;\nend "
     "M;",
     "test.mo:4:3: error[M122]: a when cannot stand in an initial algorithm: nothing happens there "
     "but the start."},
    {"OperatorOutsideOfARecord",
     "model M\n  operator function '+'\n    input Real a;\n    output Real b = a;\n  end '+';\nend "
     "M;",
     "test.mo:2:21: error[M122]: an operator function stands in an operator record only, but this "
     "is a model."},
    {"ModelFromAFunction",
     "function f\n  input Real x;\n  output Real y = x;\nend f;\nmodel M\n  extends f;\nend M;",
     "test.mo:6:3: error[M123]: 'M' is a model and cannot be made from 'f', which is a function."},
    {"BlockFromAModel", "model A\n  Real x;\nend A;\nblock M\n  extends A;\nend M;",
     "test.mo:5:3: error[M123]: 'M' is a block and cannot be made from 'A', which is a model."},
    {"ShortRecordFromAModel", "model A\n  Real x;\nend A;\nrecord R = A;\nmodel M\n  R r;\nend M;",
     "test.mo:4:12: error[M123]: 'R' is a record and cannot be made from 'A', which is a model."},
    {"ComponentOfAPackage", "package P\nend P;\nmodel M\n  P p;\nend M;",
     "test.mo:4:5: error[M123]: 'p' would be a component of 'P', which is a package, inside of a "
     "model. That cannot be."},
    {"ModelInARecord",
     "model A\n  Real x;\nend A;\nrecord R\n  A a;\nend R;\nmodel M\n  R r;\nend M;",
     "test.mo:5:5: error[M123]: 'a' would be a component of 'A', which is a model, inside of a "
     "record. Take a record or a type instead."},
    {"ModelAsAParameter", "model A\n  Real x;\nend A;\nmodel M\n  parameter A a;\nend M;",
     "test.mo:5:15: error[M124]: parameter, constant, discrete, input, output, flow and stream are "
     "for values, but 'a' is a model."},
    {"InputInsideOfAnInput", "connector C\n  input Real x;\nend C;\nmodel M\n  input C c;\nend M;",
     "test.mo:5:11: error[M124]: 'c' is an input, output, flow or stream as a whole, but inside of "
     "it 'x' is one by itself. Take one of the two away."},
    {"ImportedTwice",
     "package P\n  constant Real x = 1;\nend P;\npackage Q\nend Q;\nmodel M\n  import P;\n"
     "  import P = Q;\n  Real y[2];\nend M;",
     "test.mo:8:3: error[M114]: 'P' is imported twice in this class. Rename or remove one of the "
     "two."},
    {"ImportOfWhatIsProtected",
     "package P\nprotected\n  model A\n  end A;\nend P;\nmodel M\n  import P.A;\n  A a;\nend M;",
     "test.mo:7:10: error[M115]: 'A' is protected in 'P' and cannot be named from outside. Make it "
     "public there."},
    {"ClassThatIsProtected",
     "package P\nprotected\n  model A\n  end A;\nend P;\nmodel M\n  P.A a;\nend M;",
     "test.mo:7:3: error[M115]: 'A' is protected in 'P' and cannot be named from outside. Make it "
     "public there."},
    {"OuterWithAValue",
     "model A\n  outer Real x = 1;\nend A;\nmodel M\n  inner Real x = 2;\n  A a;\nend M;",
     "test.mo:2:16: error[M112]: 'x' is 'outer' and cannot be modified: it is what is declared "
     "'inner' somewhere around it. Modify it there."},
    {"StreamOfIntegers",
     "connector C\n  flow Real f;\n  stream Integer s;\n  Real e;\nend C;\nmodel M\n  "
     "C c;\nend M;",
     "test.mo:3:18: error[M124]: a stream is carried by a flow and mixes, so it is a "
     "Real, but 's' is of type 'Integer'."},
    {"ConnectorAsAParameter",
     "connector C\n  input Real x;\nend C;\nmodel M\n  parameter C c;\nend M;",
     "test.mo:5:15: error[M124]: a connector cannot be a parameter or a constant, as "
     "'c' is. Declare so what is inside of it."},
    {"ExtendedOperatorRecord",
     "operator record A\n  Real x;\nend A;\noperator record B\n  extends A;\nend B;\n"
     "model M\n  B b;\nend M;",
     "test.mo:5:3: error[M123]: 'B' cannot extend the operator record 'A'. Write "
     "'operator record B = A(...)', or give it a component of that type."},
    {"ExtendedAroundAnOperatorRecord",
     "package P\n  operator record A\n    Real x;\n  end A;\nend P;\npackage Q\n  "
     "extends P;\n  constant Real k = 1;\nend Q;\nmodel M\n  Real x = Q.k;\n  Q.A a;\n"
     "end M;",
     "test.mo:7:3: error[M123]: 'Q' cannot extend 'P', in which the operator record "
     "'A' is declared. Declare that elsewhere."},
    {"ArrayClassAndAComponent",
     "model A\n  Real x = 1;\nend A;\nmodel A3 = A[3];\nmodel B\n  extends A3;\n  Real "
     "y = 2;\nend B;\nmodel M\n  B b;\nend M;",
     "test.mo:6:3: error[M123]: 'B' extends 'A3', which is an array as a whole, so "
     "that it can have no other components and extend nothing else."},
    {"InputClassAndAnother",
     "model A\n  Real x = 1;\nend A;\nmodel CA = input A;\nmodel B\n  extends CA;\n  "
     "extends A;\nend B;\nmodel M\n  B b;\nend M;",
     "test.mo:6:3: error[M123]: 'B' extends 'CA', which is an input, output, flow or "
     "parameter as a whole, so that it can have no other components and extend nothing "
     "else."},
    {"ClassesOfOneNameThatDiffer",
     "model Base\n  model A\n    Real x = 2;\n  end A;\nend Base;\nmodel M\n  model A\n"
     "    Real x = 3;\n  end A;\n  extends Base;\n  A a;\nend M;",
     "test.mo:7:9: error[M114]: the class 'A' is declared in 'M' and in 'Base', but "
     "not alike. Write 'redeclare' if it replaces the inherited one, or take another "
     "name."},
    {"ProtectedRedeclaredAsPublic",
     "model A\nprotected\n  replaceable Real x = 2;\nend A;\nmodel M\n  extends A;\n  "
     "redeclare Real x = 3;\nend M;",
     "test.mo:7:18: error[M109]: 'x' is protected and cannot be redeclared as public. "
     "Redeclare it behind 'protected'."},
    {"AttributeOfAString", "model M\n  String s(unit = \"m\") = \"a\";\nend M;",
     "test.mo:2:12: error[M104]: 'unit' is not an attribute of 'String'. There are "
     "start, fixed and quantity."},
    {"AttributeOfABoolean", "model M\n  Boolean b(min = false) = true;\nend M;",
     "test.mo:2:13: error[M104]: 'min' is not an attribute of 'Boolean'. There are "
     "start, fixed and quantity."},
};

INSTANTIATE_TEST_SUITE_P(All, ClassRules, ::testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ClassRules, WhatStaysAllowed) {
  EXPECT_EQ(error_of(R"(
    record R
      parameter Real p = 1;
      constant Integer n = 2;
    end R;
    block B
      extends R;
      input Real u;
      output Real y = u;
    end B;
    model A
      extends B;
      constant Real c = 3;
      model Inside
        Real z = c;
      end Inside;
      Inside inside;
    protected
      R r;
    end A;
    class Icon
    end Icon;
    function f
      extends Icon;
      input Real x;
      output Real y;
    algorithm
      for i in 1:3 loop
        y := x + i;
        if y > 2 then break; end if;
      end for;
    end f;
    model M
      A a;
      extends Icon;
    end M;)"),
            "");
}

TEST(ClassRules, AnIconOfAnotherKindIsAWarning) {
  ModelUnderTest model("record Icon\nend Icon;\nblock A\n  extends Icon;\nend A;\n"
                       "block B\n  extends A2;\nend B;\nmodel A2\nend A2;\n"
                       "model M\n  A a;\n  B b, c;\nend M;");
  model.names();
  ASSERT_EQ(model.tree().warnings().size(), 1u);
  EXPECT_EQ(model.tree().warnings()[0].code, "M123");
}

TEST(ClassRules, KindsThatMayBeExtended) {
  EXPECT_TRUE(may_extend(Restriction::connector, Restriction::type));
  EXPECT_TRUE(may_extend(Restriction::operator_function, Restriction::function));
  EXPECT_FALSE(may_extend(Restriction::function, Restriction::operator_function));
  EXPECT_FALSE(may_extend(Restriction::record, Restriction::operator_record));
  EXPECT_FALSE(may_extend(Restriction::expandable_connector, Restriction::connector));
}

}  // namespace
}  // namespace alembert::modelica::testing
