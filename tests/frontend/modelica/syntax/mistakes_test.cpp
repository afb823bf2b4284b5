// SPDX-License-Identifier: Apache-2.0
// The wording of mistakes: what users read when a text is wrong.
#include <gtest/gtest.h>

#include "alembert/frontend/modelica/syntax/parser.hpp"

namespace alembert::modelica {
namespace {

/// "code line:column sentence" of each mistake, a line each.
std::string mistakes(const std::string& text) {
  const auto file = parse_text("m.mo", text);
  std::string result;
  for (const Diagnostic& diagnostic : file->diagnostics) {
    const SourceSpan& span = diagnostic.origin.span;
    result += diagnostic.code + " " + std::to_string(span.line) + ":" +
              std::to_string(span.column) + " " + diagnostic.text + "\n";
  }
  return result;
}

std::string in_equation(const std::string& text) {
  return mistakes("model M\nequation\n" + text + "\nend M;");
}

std::string in_algorithm(const std::string& text) {
  return mistakes("model M\nalgorithm\n" + text + "\nend M;");
}

std::string in_model(const std::string& text) { return mistakes("model M\n" + text + "\nend M;"); }

TEST(Mistakes, show_the_line_and_a_caret) {
  const auto file = parse_text("dir/m.mo", "model M\n  Real x\n  Real y;\nend M;\n");
  ASSERT_EQ(file->diagnostics.size(), 1u);
  EXPECT_EQ(to_string(file->diagnostics[0]),
            "dir/m.mo:2:9: error[M011]: expected ';' after a declaration.\n"
            "  note: here:\n"
            "      Real x\n"
            "            ^");
}

TEST(Mistakes, each_is_told_once_and_nothing_follows_from_it) {
  EXPECT_EQ(mistakes("model D\n  Real 2y;\n  Real class;\nequation\n  x == 3;\n  when x > 1 the\n"
                     "    y = 2;\n  end when;\n  for i in 1:3 lop\n    x = i;\n  end for;\nend D;"),
            "M004 2:8 '2y' is neither a number nor a name. Names start with a letter; between a "
            "number and a name there is an operator.\n"
            "M010 3:8 expected the name of a component, found 'class'. That word is reserved; "
            "choose another name.\n"
            "M014 5:3 an equation is written with '='; '==' compares two values.\n"
            "M010 6:14 expected 'then' after the condition, found 'the'.\n"
            "M010 9:16 expected 'loop' after the iterators of 'for', found 'lop'.\n");
  EXPECT_EQ(in_model("  Real a[2] = {7; 8};\n  Real b[3] = {1, 2, 3;\n  parameter k = 3;\n"
                     "  Real c = 1;\nequation\n  c = 2 +;"),
            "M010 2:17 expected ',' or '}' in an array, found ';'. Rows of a matrix are written in "
            "brackets: [1, 2; 3, 4].\n"
            "M010 3:23 expected '}' after the entries of an array, found ';'.\n"
            "M010 4:15 expected a name after the type 'k', found '='. A declaration has a type and "
            "a name: 'parameter Real k = 1'.\n"
            "M010 7:10 expected an expression, found ';'.\n");
}

TEST(Mistakes, in_equations) {
  EXPECT_EQ(
      in_equation("x = 2 % 3;"),
      "M001 3:7 '%' has no meaning in Modelica here. The remainder of a division is mod(x, y).\n");
  EXPECT_EQ(in_equation("x != 3;"),
            "M001 3:3 '!' has no meaning in Modelica here. 'Not equal' is written '<>', 'not' is a "
            "word.\n");
  EXPECT_EQ(in_equation("x = a && b;"),
            "M001 3:7 '&' has no meaning in Modelica here. Write 'and' or 'or'.\n");
  EXPECT_EQ(in_equation("x = 'open;"),
            "M002 3:5 this quoted name has no end. Close it with \"'\" on the same line.\n");
  EXPECT_EQ(in_equation("x = 1.5e;"), "M004 3:5 the exponent of this number has no digits.\n");
  EXPECT_EQ(in_equation("x = 2x;"),
            "M004 3:5 '2x' is neither a number nor a name. Names start with a letter; between a "
            "number and a name there is an operator.\n");
  EXPECT_EQ(in_equation("x = \"\\q\";"),
            "M005 3:6 unknown escape in a string. There are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r "
            "\\t \\v; a backslash by itself is written \\\\.\n");
  EXPECT_EQ(in_equation("x = §;"),
            "M001 3:5 '§' has no meaning in Modelica here. A name with other characters than "
            "letters, digits and '_' is written in quotes: 'like this'.\n");
  EXPECT_EQ(in_equation("x = 1e999;"),
            "M004 3:5 this number is too large; the largest is about 1.8e308.\n");
  EXPECT_EQ(in_equation("x = 3 +;"), "M010 3:8 expected an expression, found ';'.\n");
  EXPECT_EQ(in_equation("x = (1 + 2;"),
            "M010 3:11 expected ')' after the expression, found ';'.\n");
  EXPECT_EQ(in_equation("x = f(1, 2;\ny = 3;"),
            "M010 3:11 expected ')' after the arguments of a call, found ';'.\n");
  EXPECT_EQ(in_equation("x = f(1,);"),
            "M010 3:9 expected another argument after ',', found ')'.\n");
  EXPECT_EQ(in_equation("x = {1, 2;"),
            "M010 3:10 expected '}' after the entries of an array, found ';'.\n");
  EXPECT_EQ(in_equation("x = [1, 2; 3;"), "M010 4:1 expected an expression, found 'end'.\n");
  EXPECT_EQ(
      in_equation("x = a * -b;"),
      "M014 3:9 a sign cannot follow an operator directly. Put it in parentheses: 'a * (-b)'.\n");
  EXPECT_EQ(in_equation("x = a^b^c;"),
            "M014 3:8 powers cannot be chained. Write '(a^b)^c' or 'a^(b^c)'.\n");
  EXPECT_EQ(in_equation("x = a < b < c;"),
            "M014 3:11 comparisons cannot be chained. Write 'a < b and b < c'.\n");
  EXPECT_EQ(in_equation("x = 1 + if a then b else c;"),
            "M014 3:9 an if-expression inside an expression needs parentheses around it.\n");
  EXPECT_EQ(in_equation("x = if a then b;"),
            "M010 3:16 expected 'else' in an if-expression (it always has a value, so 'else' is "
            "needed), found ';'.\n");
  EXPECT_EQ(in_equation("x == 3;"),
            "M014 3:1 an equation is written with '='; '==' compares two values.\n");
  EXPECT_EQ(in_equation("x := 3;"),
            "M010 3:3 expected '=' in an equation, found ':='. Assignments ':=' belong below "
            "'algorithm'.\n");
  EXPECT_EQ(in_equation("x = y = z;"),
            "M014 3:7 an equation has one '='. Write two equations, or compare with '=='.\n");
  EXPECT_EQ(in_equation("x;"), "M010 3:2 expected '=' in an equation, found ';'.\n");
  EXPECT_EQ(in_equation("Real y;"),
            "M010 3:6 expected '=' in an equation, found 'y'. Declarations stand above 'equation', "
            "or below 'public' or 'protected'.\n");
  EXPECT_EQ(in_equation("if x > 0 then\n y = 1;\nend for;"),
            "M012 5:1 expected 'end if', found 'end for'.\n");
  EXPECT_EQ(in_equation("if x > then\n y = 1;\nend if;\nz = ;"),
            "M010 3:8 expected an expression, found 'then'.\n"
            "M010 6:5 expected an expression, found ';'.\n");
  EXPECT_EQ(in_equation("when x then y = 1; else z = 2; end when;"),
            "M014 3:20 'when' has no 'else'. Write 'elsewhen condition then', or use 'if'.\n");
  EXPECT_EQ(in_equation("for i in 1:3\n x[i] = 1;\nend for;"),
            "M010 3:13 expected 'loop' after the iterators of 'for'.\n");
  EXPECT_EQ(in_equation("for 3 in 1:2 loop x = 1; end for;"),
            "M010 3:5 expected the name of an iterator after 'for', found '3'.\n");
  EXPECT_EQ(in_equation("connect(a b);"),
            "M010 3:11 expected ',' between the two connectors, found 'b'.\n");
  EXPECT_EQ(in_equation("connect(a, b"),
            "M010 4:1 expected ')' after the connectors, found 'end'.\n");
  EXPECT_EQ(in_equation("end if;"), "M012 3:1 'end if' has nothing to end here.\n");
  EXPECT_EQ(in_equation("x = f(a = 1, 2);"),
            "M014 3:14 an argument without a name cannot follow one with a name. Put it first, or "
            "give it its name.\n");
  EXPECT_EQ(in_equation("x = .5;"), "M004 3:5 a number starts with a digit. Write '0.5'.\n");
  EXPECT_EQ(in_equation("x = der y;"), "M010 3:9 expected '(' after 'der', found 'y'.\n");
  EXPECT_EQ(in_equation("x = y z;"),
            "M010 3:7 expected ';' after an equation, found 'z'. Is an operator such as '*' "
            "missing?\n");
  EXPECT_EQ(in_equation("x = (y + 1) der(z);"),
            "M010 3:13 expected ';' after an equation, found 'der'. Is an operator such as '*' "
            "missing?\n");
  EXPECT_EQ(in_equation("when h = h_max then x = 1; end when;"),
            "M010 3:8 expected 'then' after the condition, found '='. Two values are compared "
            "with '>=', '<=' or '=='.\n");
  EXPECT_EQ(in_equation("x = 1\ny = 2\nz = 3;"),
            "M011 3:6 expected ';' after an equation.\n"
            "M011 4:6 expected ';' after an equation.\n");
  EXPECT_EQ(in_equation("x = end;"),
            "M014 3:5 'end' as a value belongs in subscripts: 'x[end]'.\n");
  EXPECT_EQ(in_equation("return;"), "M010 3:1 expected an equation, found 'return'.\n");
  EXPECT_EQ(
      in_equation("x = a ^ -1;"),
      "M014 3:9 a sign cannot follow an operator directly. Put it in parentheses: 'a * (-b)'.\n");
  EXPECT_EQ(
      in_equation("x = 1 ++ 2;"),
      "M014 3:8 a sign cannot follow an operator directly. Put it in parentheses: 'a * (-b)'.\n");
  EXPECT_EQ(in_equation("x = (a,;"), "M010 3:8 expected an expression, found ';'.\n");
  EXPECT_EQ(in_equation("else\n x = 3;"),
            "M010 3:1 expected a declaration, 'equation', 'algorithm' or 'end M', found 'else'.\n");
  EXPECT_EQ(in_equation("x = function f();"),
            "M010 3:5 expected an expression, found 'function'.\n");
}

TEST(Mistakes, in_statements) {
  EXPECT_EQ(in_algorithm("x = 3;"),
            "M010 3:3 expected ':=' in a statement, found '='. Equations with '=' belong below "
            "'equation'.\n");
  EXPECT_EQ(in_algorithm("f(x) := 2;"), "M014 3:1 a value cannot be assigned to a call.\n");
  EXPECT_EQ(in_algorithm("(a + 1, b) := f(x);"),
            "M014 3:2 values of a call can only be assigned to variables.\n");
  EXPECT_EQ(in_algorithm("(a, b) := 3;"), "M014 3:11 only a call has several values to assign.\n");
  EXPECT_EQ(in_algorithm("connect(a, b);"),
            "M014 3:1 'connect' belongs below 'equation', not below 'algorithm'.\n");
  EXPECT_EQ(in_algorithm("while x\n y := 1; end while;"),
            "M010 3:8 expected 'loop' after the condition of 'while'.\n");
  EXPECT_EQ(in_algorithm("x := ;"), "M010 3:6 expected an expression, found ';'.\n");
  EXPECT_EQ(in_algorithm("if a then\n x := 1;\n"), "M012 6:1 expected 'end if', found 'end M'.\n");
  EXPECT_EQ(in_algorithm("der(x) := 1;"), "M010 3:1 expected a statement, found 'der'.\n");
}

TEST(Mistakes, in_elements) {
  EXPECT_EQ(in_model("Real x \"open;"), "M002 2:8 this string has no end. Close it with '\"'.\n");
  EXPECT_EQ(in_model("Real x \"open;\nReal y \"text\";"),
            "M010 3:9 expected ';' after a declaration, found 'text'.\n"
            "M002 3:13 this string has no end. Close it with '\"'.\n");
  EXPECT_EQ(in_model("/* open"), "M002 2:1 this comment has no end. Close it with '*/'.\n");
  EXPECT_EQ(in_model("Real if;"),
            "M010 2:6 expected the name of a component, found 'if'. That word is reserved; choose "
            "another name.\n");
  EXPECT_EQ(in_model("Real x = 3 Real y;"),
            "M010 2:12 expected ';' after a declaration, found 'Real'.\n");
  EXPECT_EQ(in_model("Real;"), "M010 2:5 expected the name of a component, found ';'.\n");
  EXPECT_EQ(in_model("parameter parameter Real x;"),
            "M015 2:11 'parameter' is one prefix too many here.\n");
  EXPECT_EQ(in_model("input output Real x;"), "M015 2:7 'output' is one prefix too many here.\n");
  EXPECT_EQ(in_model("x = 3;"),
            "M010 2:3 expected a name after the type 'x', found '='. Equations stand below the "
            "word 'equation': write it before them.\n");
  EXPECT_EQ(in_model("f(x);"),
            "M010 2:2 expected a name after the type 'f', found '('. Equations stand below the "
            "word 'equation': write it before them.\n");
  // What follows is read as if the word were there.
  EXPECT_EQ(in_model("der(x) = 3;\nif x > 1 then\n y = 1;\nend if;\nconnect(a, b);"),
            "M010 2:1 expected a declaration, 'equation', 'algorithm' or 'end M', found 'der'. "
            "Equations stand below the word 'equation': write it before them.\n");
  EXPECT_EQ(
      in_model("function f\n input Real x;\n while x > 1 loop\n x := 1;\n end while;\nend f;"),
      "M010 4:2 expected a declaration, 'equation', 'algorithm' or 'end f', found 'while'. "
      "Statements stand below the word 'algorithm': write it before them.\n");
  EXPECT_EQ(in_model("Real x[3;"), "M010 2:9 expected ']' after the subscripts, found ';'.\n");
  EXPECT_EQ(in_model("Real x(start = 1;"),
            "M010 2:17 expected ')' after the modifications, found ';'.\n");
  EXPECT_EQ(in_model("Real x(start == 1);"),
            "M010 2:14 expected '=' before a value, found '=='. '==' compares two values.\n");
  EXPECT_EQ(in_model("M m(redeclare model X end X);"),
            "M014 2:15 a class in a modification has the short form 'redeclare model M = N(...)'. "
            "Declare the long one outside and name it here.\n");
  EXPECT_EQ(in_model("M m(model X = Y);"),
            "M010 2:5 expected 'redeclare' or 'replaceable' before a declaration in a "
            "modification, found 'model'.\n");
  EXPECT_EQ(in_model("M m(x[1] = 2);"),
            "M014 2:6 a modification cannot pick entries of an array. Modify the whole array: 'x = "
            "{1, 2}'.\n");
  EXPECT_EQ(in_model("Real x constrainedby Y;"),
            "M014 2:8 'constrainedby' belongs to a declaration that is 'replaceable'.\n");
  EXPECT_EQ(in_model("type E = enumeration(a, 2);"),
            "M010 2:25 expected the name of an enumeration literal, found '2'.\n");
  EXPECT_EQ(in_model("pure model X end X;"),
            "M010 2:6 expected 'function' after 'pure' or 'impure', found 'model'.\n");
  EXPECT_EQ(in_model("function f = der(g);"),
            "M010 2:19 expected ',' after the function in 'der', found ')'.\n");
  EXPECT_EQ(in_model("import ;"),
            "M010 2:8 expected the name of a class after 'import', found ';'.\n");
  EXPECT_EQ(in_model("extends;"),
            "M010 2:8 expected the name of a class after 'extends', found ';'.\n");
  EXPECT_EQ(in_model("model A\n Real x;\nend B;"), "M012 4:5 expected 'end A', found 'end B'.\n");
  EXPECT_EQ(in_model("model A\n Real x;\nmodel B\n Real y;\nend A;"),
            "M012 6:5 expected 'end B', found 'end A'.\n");
  EXPECT_EQ(in_model("model A end;"),
            "M012 2:12 expected the name of the class after 'end', found ';'. Write 'end A'.\n");
  EXPECT_EQ(in_model("Real x annotation;"),
            "M010 2:18 expected '(' after 'annotation', found ';'.\n");
  EXPECT_EQ(in_model("replaceable;"), "M010 2:12 expected a type or a class, found ';'.\n");
  EXPECT_EQ(in_model("public public Real x;;"),
            "M010 2:22 expected a declaration, 'equation', 'algorithm' or 'end M', found ';'.\n");
  EXPECT_EQ(in_model("Real x,;"), "M010 2:8 expected the name of a component, found ';'.\n");
  EXPECT_EQ(in_model("3;"),
            "M010 2:1 expected a declaration, 'equation', 'algorithm' or 'end M', found '3'.\n");
  EXPECT_EQ(in_model("external \"C\" f(x;"),
            "M010 2:17 expected ')' after the arguments of an external call, found ';'.\n");
  EXPECT_EQ(in_model("final"), "M010 3:1 expected a type or a class, found 'end'.\n");
  EXPECT_EQ(in_model("model"), "M010 3:1 expected the name of a class, found 'end'.\n");
  EXPECT_EQ(in_model("paramter Real x;"),
            "M010 2:15 expected ';' after a declaration, found 'x'. Did you mean 'parameter'?\n");
  EXPECT_EQ(in_model("Pin p q;"), "M010 2:7 expected ';' after a declaration, found 'q'.\n");
  EXPECT_EQ(in_model("constatn Real x; Real y"),
            "M010 2:15 expected ';' after a declaration, found 'x'. Did you mean 'constant'?\n"
            "M011 2:24 expected ';' after a declaration.\n");
  EXPECT_EQ(in_model("Real x; end M; Real y;"),
            "M010 2:16 expected the beginning of a class ('model', 'package', 'function', ...), "
            "found 'Real'.\n");
}

TEST(Mistakes, in_files) {
  EXPECT_EQ(mistakes(""), "");
  EXPECT_EQ(mistakes("x"),
            "M010 1:1 expected the beginning of a class ('model', 'package', 'function', ...), "
            "found 'x'.\n");
  EXPECT_EQ(mistakes("model"),
            "M010 1:6 expected the name of a class, found the end of the text.\n");
  EXPECT_EQ(mistakes("model M"), "M012 1:8 expected 'end M', found the end of the text.\n");
  EXPECT_EQ(mistakes("model M Real x;"),
            "M012 1:16 expected 'end M', found the end of the text.\n");
  EXPECT_EQ(mistakes("Real x;"),
            "M010 1:1 expected the beginning of a class ('model', 'package', 'function', ...), "
            "found 'Real'.\n");
  EXPECT_EQ(mistakes("within A model M end M;"),
            "M010 1:10 expected ';' after 'within', found 'model'.\n");
  EXPECT_EQ(mistakes("model M end M"), "M011 1:14 expected ';' after the end of a class.\n");
  EXPECT_EQ(mistakes("model M end M;;"),
            "M010 1:15 expected the beginning of a class ('model', 'package', 'function', ...), "
            "found ';'.\n");
  EXPECT_EQ(mistakes("modle M\n Real x;\nend M;"),
            "M010 1:1 expected the beginning of a class ('model', 'package', 'function', ...), "
            "found 'modle'. Did you mean 'model'?\n");
  EXPECT_EQ(mistakes("within A; within B; model M end M;"),
            "M010 1:11 expected the beginning of a class ('model', 'package', 'function', ...), "
            "found 'within'.\n");
  EXPECT_EQ(mistakes("class A end A; junk class B Real x end B;"),
            "M010 1:16 expected the beginning of a class ('model', 'package', 'function', ...), "
            "found 'junk'.\n");
}

TEST(Mistakes, encoding) {
  EXPECT_EQ(mistakes("model M \"\xE9t\xE9\" end M;"),
            "M003 1:10 byte 0xE9 is not valid UTF-8. Save the file in the encoding UTF-8.\n");
}

TEST(Mistakes, notes_say_where_it_began) {
  const auto file = parse_text("m.mo", "model M\nequation\n  x = f(1,\n    2;\nend N;\n");
  ASSERT_EQ(file->diagnostics.size(), 2u);
  EXPECT_EQ(to_string(file->diagnostics[0]),
            "m.mo:4:6: error[M010]: expected ')' after the arguments of a call, found ';'.\n"
            "  note: here:\n"
            "        2;\n"
            "         ^\n"
            "  m.mo:3:8: note: it was opened by this '('");
  EXPECT_EQ(to_string(file->diagnostics[1]),
            "m.mo:5:5: error[M012]: expected 'end M', found 'end N'.\n"
            "  note: here:\n"
            "    end N;\n"
            "        ^\n"
            "  m.mo:1:7: note: the class begins here");
}

TEST(Mistakes, a_string_that_swallowed_lines_is_pointed_at) {
  const auto file = parse_text("m.mo", "model M\n  Real x \"open;\n  Real y \"text\";\nend M;\n");
  ASSERT_FALSE(file->diagnostics.empty());
  ASSERT_EQ(file->diagnostics[0].notes.size(), 2u);
  EXPECT_EQ(file->diagnostics[0].notes[1].text,
            "the string before it spans several lines; is a '\"' missing?");
}

TEST(Mistakes, several_are_reported_and_the_rest_is_read) {
  const auto file = parse_text("m.mo", R"(
    model A
      Real x = ;
      Real y;
    equation
      x = 1 +;
      y = 2;
    end A;
    model B
      Real z;
    end B;)");
  EXPECT_EQ(file->diagnostics.size(), 2u);
  ASSERT_EQ(file->definition.classes.size(), 2u);
  EXPECT_EQ(file->definition.classes[0]->elements.size(), 1u);
  EXPECT_EQ(file->definition.classes[0]->equations[0].equations.size(), 1u);
  EXPECT_EQ(file->definition.classes[1]->elements.size(), 1u);
}

TEST(Mistakes, there_is_a_limit) {
  std::string text = "model M\n";
  for (int i = 0; i < 1000; ++i) text += "  Real = 3;\n";
  EXPECT_EQ(parse_text("m.mo", text + "end M;")->diagnostics.size(), 20u);
  EXPECT_EQ(parse_text("m.mo", std::string(1000, '?'))->diagnostics.size(), 20u);
}

TEST(Mistakes, a_file_that_is_not_there) {
  try {
    read_source("no/such/file.mo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "error[M050]: cannot read 'no/such/file.mo': No such file or directory.");
  }
}

TEST(Mistakes, of_other_languages_are_named) {
  const auto first = [](const std::string& text) {
    const auto file = parse_text("m.mo", text);
    if (file->diagnostics.empty()) return std::string();
    const std::string said = to_string(file->diagnostics.front());
    return said.substr(0, said.find('\n'));
  };
  EXPECT_EQ(first("model M\n  Real x = time**2;\nend M;"),
            "m.mo:2:17: error[M010]: expected an expression, found '*'. Powers are written with "
            "'^'.");
  EXPECT_EQ(first("model M\n  Real x = 0,5;\nend M;"),
            "m.mo:2:14: error[M010]: expected the name of a component, found '5'. Fractions are "
            "written with a point: 0.5.");
  EXPECT_EQ(first("model M\n  Real x;\nequation\n  x' = -x;\nend M;"),
            "m.mo:4:4: error[M002]: a prime begins a quoted name, and this one has no end. The "
            "derivative of 'x' is written 'der(x)'.");
  EXPECT_EQ(first("model M\n  Real x;\nequation\n  if time > 1 then\n    x = 1;\n"
                  "  else if time > 2 then\n    x = 2;\n  end if;\nend M;"),
            "m.mo:9:1: error[M012]: expected another 'end if', found 'end M'. 'else if' begins an "
            "'if' of its own; a further branch is written 'elseif'.");
}

}  // namespace
}  // namespace alembert::modelica
