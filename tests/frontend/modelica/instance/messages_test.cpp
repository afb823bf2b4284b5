// SPDX-License-Identifier: Apache-2.0
// The wording of what can be wrong with names and modifications. Each case is a text and the first
// line of the message, which has the place; the notes that matter are looked for by a part of them.
#include <gtest/gtest.h>

#include "frontend/modelica/instance/model_under_test.hpp"

namespace alembert::modelica::testing {
namespace {

struct Case {
  const char* name;
  const char* text;
  const char* message;
  const char* note = "";
};

class Messages : public ::testing::TestWithParam<Case> {};

TEST_P(Messages, SayWhatIsWrongAndWhere) {
  const std::string message = error_of(GetParam().text);
  EXPECT_EQ(first_line(message), GetParam().message);
  EXPECT_NE(message.find(GetParam().note), std::string::npos) << message;
}

const Case cases[] = {
    {"UnknownClass", "model M\n  Resitor r;\nend M;\nmodel Resistor end Resistor;",
     "test.mo:2:3: error[M101]: there is no class 'Resitor' here. Did you mean 'Resistor'?", "^"},
    {"UnknownClassWithoutSimilar", "model M\n  Pendulum s;\nend M;",
     "test.mo:2:3: error[M101]: there is no class 'Pendulum' here. Declare it, import it, or name "
     "the file that has it, too."},
    {"UnknownClassOfAPackage",
     "package P model Gain end Gain; end P;\nmodel M\n  P.Gian g;\nend M;",
     "test.mo:3:3: error[M102]: 'P' has no class 'Gian'. Did you mean 'Gain'?"},
    {"TypeOfAnotherLanguage", "model M\n  double x;\nend M;",
     "test.mo:2:3: error[M101]: there is no class 'double' here. A number with a fraction is a "
     "'Real'."},
    {"LibraryThatIsNotThere", "model M\n  Modelica.Blocks.Sources.Sine s;\nend M;",
     "test.mo:2:3: error[M101]: there is no class 'Modelica' here. If it is a library, name the "
     "folder that holds it with --library or MODELICAPATH."},
    {"ImportOfALibraryThatIsNotThere", "model M\n  import Modelica.Math;\n  Math.A a;\nend M;",
     "test.mo:2:10: error[M101]: the import of 'Modelica.Math' finds no 'Modelica'. If it is a "
     "library, name the folder that holds it with --library or MODELICAPATH."},
    {"ComponentAsClass", "model M\n  Real x;\n  x y;\nend M;",
     "test.mo:3:3: error[M103]: 'x' is a component; here a class is needed.", "declared here"},
    {"UnknownImport", "package P end P;\nmodel M\n  import P.Q;\n  Q q;\nend M;",
     "test.mo:3:10: error[M101]: the import of 'P.Q' finds no 'Q' in 'P'."},
    {"UnknownModifier", "model A\n  Real x;\nend A;\nmodel M\n  A a(y = 1);\nend M;",
     "test.mo:5:7: error[M104]: 'y' is modified, but 'A' has no such element. There is 'x' "
     "only."},
    {"UnknownModifiersTogether",
     "model A\n  Real x, u, w;\nend A;\nmodel M\n  A a(yy = 1, zz(start = 2));\nend M;",
     "test.mo:5:7: error[M104]: 'yy' is modified, but 'A' has no such element. There are 'u', 'w' "
     "and 'x'.",
     "test.mo:5:15: error[M104]: 'zz' is modified"},
    {"UnknownModifierWithSimilar",
     "model A\n  parameter Real length;\nend A;\nmodel M\n  A a(lenght = 1);\nend M;",
     "test.mo:5:7: error[M104]: 'lenght' is modified, but 'A' has no such element. Did you mean "
     "'length'?"},
    {"UnknownModifierOfExtends", "model A\n  Real x;\nend A;\nmodel M\n  extends A(z = 1);\nend M;",
     "test.mo:5:13: error[M104]: 'z' is modified, but 'A' has no such element. There is "
     "'x' only."},
    {"UnknownAttribute", "model M\n  Real x(strat = 1);\nend M;",
     "test.mo:2:10: error[M104]: 'strat' is not an attribute of 'Real'. There are start, fixed, "
     "min, "
     "max, unit, displayUnit, quantity, nominal and stateSelect."},
    {"FinalModified",
     "model A\n  parameter Real k;\nend A;\nmodel B\n  extends A(final k = 1);\nend B;\nmodel M\n"
     "  B b(k = 2);\nend M;",
     "test.mo:8:7: error[M105]: this modifies an element that is final. Leave it out, or take the "
     "'final' away.",
     "test.mo:5:13"},
    {"FinalComponentModified",
     "model A\n  final parameter Real k = 1;\nend A;\nmodel M\n  A a(k = 2);\nend M;",
     "test.mo:5:7: error[M105]: 'k' is final and cannot be modified.", "test.mo:2:24"},
    {"FinalAttributeModified",
     "type L = Real(final unit = \"m\");\nmodel M\n  L x(unit = \"mm\");\nend M;",
     "test.mo:3:7: error[M105]: this modifies an element that is final. Leave it out, or take the "
     "'final' away.",
     "test.mo:1:15"},
    {"ModifiedTwice", "model A\n  Real x;\nend A;\nmodel M\n  A a(x = 1, x = 2);\nend M;",
     "test.mo:5:14: error[M106]: 'x' is modified twice in one modification. Keep one of the two.",
     "test.mo:5:7"},
    {"ExtendsItself", "model M\n  extends M;\nend M;",
     "test.mo:2:3: error[M107]: 'M' extends itself. Remove this 'extends', or extend another "
     "class."},
    {"ExtendsInACircle", "model A\n  extends M;\nend A;\nmodel M\n  extends A;\nend M;",
     "test.mo:2:3: error[M107]: 'A' extends itself, by way of 'M'. Remove this 'extends', or "
     "extend another class."},
    {"ShortClassesInACircle", "type A = B;\ntype B = A;\nmodel M\n  A a;\nend M;",
     "test.mo:1:6: error[M107]: the definition of 'A' refers to itself."},
    {"PartOfItself", "model A\n  A a;\nend A;\nmodel M\n  A a;\nend M;",
     "test.mo:2:5: error[M108]: 'a' is part of itself: 'A' contains a component of its own class."},
    {"PartOfItselfInACircle", "model A\n  M m;\nend A;\nmodel M\n  A a;\nend M;",
     "test.mo:2:5: error[M108]: 'm' is part of itself: 'M' contains a component of its own class."},
    {"NotReplaceable",
     "model A\n  Real x;\nend A;\nmodel B\n  A a;\nend B;\nmodel M\n  B b(redeclare Real a);\nend M;",
     "test.mo:8:7: error[M109]: 'a' is redeclared, but it is not replaceable. Declare it "
     "'replaceable', or modify it without 'redeclare'.",
     "test.mo:5:5"},
    {"RedeclaredAsClass",
     "model A\n  replaceable Real x;\nend A;\nmodel M\n  A a(redeclare model x = A);\nend M;",
     "test.mo:5:7: error[M110]: 'x' is redeclared as a class, but it is a component."},
    {"RedeclaresNothing", "model A\nend A;\nmodel M\n  extends A;\n  redeclare Real x;\nend M;",
     "test.mo:5:18: error[M111]: 'x' redeclares nothing: no class that 'M' extends declares it. "
     "Remove 'redeclare'."},
    {"MissingInnerOfAPartialClass",
     "partial model W\nend W;\nmodel A\n  outer W w;\nend A;\nmodel M\n  A a;\nend M;",
     "test.mo:4:11: error[M112]: 'w' is 'outer', but nothing around it is declared 'inner W w'. "
     "Add that to the model."},
    {"PartialModel", "partial model M\nend M;",
     "test.mo:1:15: error[M113]: 'M' is partial, so that it cannot be run. Run a model that "
     "extends "
     "it."},
    {"PartialComponent", "partial model A\n  Real x;\nend A;\nmodel M\n  A a;\nend M;",
     "test.mo:5:5: error[M113]: 'a' is of the class 'A', which is partial. Use a class that "
     "extends "
     "it, or redeclare it."},
    {"DeclaredTwice", "model M\n  Real x;\n  Integer x;\nend M;",
     "test.mo:3:11: error[M114]: 'x' is declared twice in this class. Rename or remove one of the "
     "two.",
     "test.mo:2:8"},
    {"ComponentAndClassOfOneName",
     "model A\n  model x end x;\nend A;\nmodel M\n  extends A;\n  Real x;\nend M;",
     "test.mo:6:8: error[M114]: 'x' is declared here and inherited, once as a component and once "
     "as "
     "a class.",
     "test.mo:2:9"},
    {"InheritedTwiceAndDifferent",
     "model A\n  Real x = 1;\nend A;\nmodel B\n  Real x = 2;\nend B;\nmodel M\n  extends A;\n"
     "  extends B;\nend M;",
     "test.mo:2:8: error[M114]: 'x' is declared in 'A' and in 'B', but not alike. What is "
     "inherited "
     "more than once must be declared in the same words.",
     "test.mo:5:8"},
    {"ProtectedModified",
     "model A\nprotected\n  parameter Real k = 1;\nend A;\nmodel M\n  A a(k = 2);\nend M;",
     "test.mo:6:7: error[M115]: 'k' is protected in 'A' and cannot be modified from outside. Make "
     "it public there, or set it inside.",
     "test.mo:3:18"},
    {"SizeDependsOnItself", "model M\n  Real x[size(x, 1)];\nend M;",
     "test.mo:2:10: error[M116]: the size of 'x' depends on itself."},
    {"NegativeSize", "model M\n  parameter Integer n = 1;\n  Real x[n - 3];\nend M;",
     "test.mo:3:10: error[M116]: 'x' has the size -2, which is negative."},
    {"SizeWithoutValue", "model M\n  parameter Real x[:];\nend M;",
     "test.mo:2:20: error[M116]: the size of 'x' is ':', but it has no value to take the size "
     "from. "
     "Give it a value or a size."},
    {"TooLarge", "model M\n  Real x[100000, 100000];\nend M;",
     "test.mo:2:18: error[M116]: 'x' has more than 50000000 entries."},
    {"NotAModel", "package M\nend M;",
     "test.mo:1:9: error[M117]: 'M' is not a model or block, so it cannot be run. Name one with "
     "--model."},
    {"NoSuchModel", "model Pendulum\nend Pendulum;",
     "error[M101]: there is no class 'M' in the files and libraries that were given."},
    {"BreakOfNothing", "model A\n  Real x;\nend A;\nmodel M\n  extends A(break y);\nend M;",
     "test.mo:5:13: error[M120]: 'break y' leaves out nothing: 'A' has no such element. There "
     "is 'x' only."},
    {"BreakOfNoConnect",
     "connector C = Real;\nmodel A\n  C a, b;\nequation\n  connect(a, b);\nend A;\nmodel M\n"
     "  extends A(break connect(a, c));\nend M;",
     "test.mo:8:13: error[M120]: 'break' leaves out no connect: 'A' has none between these two. It "
     "must be written as it is there."},
    {"TwoImports",
     "package P type T = Real; end P;\npackage Q type T = Integer; end Q;\nmodel M\n  import P.*;\n"
     "  import Q.*;\n  T x;\nend M;",
     "test.mo:5:3: error[M121]: 'T' is found by two imports of the form 'import A.*'. Import it by "
     "its full name."},
};

INSTANTIATE_TEST_SUITE_P(All, Messages, ::testing::ValuesIn(cases),
                         [](const auto& info) { return info.param.name; });

TEST(MessagesOfLookup, UnknownNames) {
  ModelUnderTest model(R"(
    type Color = enumeration(red, green);
    model A
      Real speed;
    end A;
    model M
      A a;
    end M;)");
  const auto message = [&](const std::string& reference) -> std::string {
    try {
      model.lookup("a", reference);
    } catch (const Error& error) {
      return first_line(error.what());
    }
    return {};
  };
  EXPECT_EQ(message("sped"),
            "expression:1:1: error[M101]: there is no 'sped' here. Did you mean 'speed'?");
  EXPECT_EQ(message("Color.gren"),
            "expression:1:7: error[M102]: 'Color' has no 'gren'. Did you mean 'green'?");
}

}  // namespace
}  // namespace alembert::modelica::testing
