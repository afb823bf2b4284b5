// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/parse.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/print.hpp"
#include "symbolic/random_expression.hpp"

namespace alembert::symbolic {
namespace {

class Parse : public ::testing::Test {
 protected:
  ExprPool pool;
  Expr x = unknown(pool, "x");
  Expr y = unknown(pool, "y");
  Expr z = unknown(pool, "z");
  Expr lambda = unknown(pool, "lambda");

  ExprId read(std::string_view text) { return parse_id(pool, text); }

  /// The mistake in a text: "code line:column+length sentence".
  std::string mistake(std::string_view text) {
    try {
      return "read as " + to_text(parse(pool, text));
    } catch (const Error& error) {
      return described(error);
    }
  }

  std::string mistake_in_equation(std::string_view text) {
    try {
      return "read as " + to_text(parse_equation(pool, text));
    } catch (const Error& error) {
      return described(error);
    }
  }

 private:
  static std::string described(const Error& error) {
    const Diagnostic& diagnostic = error.diagnostics().front();
    const SourceSpan& span = diagnostic.origin.span;
    return diagnostic.code + " " + std::to_string(span.line) + ":" + std::to_string(span.column) +
           "+" + std::to_string(span.length) + " " + diagnostic.text;
  }
};

TEST_F(Parse, operators_bind_as_in_mathematics) {
  EXPECT_EQ(read("x + y*z^2"), (x + y * pow(z, 2)).id());
  EXPECT_EQ(read("x - y - z"), (x - y - z).id());
  EXPECT_EQ(read("x - (y - z)"), (x - y + z).id());
  EXPECT_EQ(read("x/y*z"), (x / y * z).id());
  EXPECT_EQ(read("x/(y*z)"), (x / y / z).id());
  EXPECT_EQ(read("-x^2"), (-pow(x, 2)).id());
  EXPECT_EQ(read("x^y^z"), pow(x, pow(y, z)).id());
  EXPECT_EQ(read("-x*y + z"), (z - x * y).id());
  EXPECT_EQ(read("2*-x^2*y"), (-2 * pow(x, 2) * y).id());
  EXPECT_EQ(read("x^-2*y"), (y / pow(x, 2)).id());
  EXPECT_EQ(read("x^-y^2"), pow(x, -pow(y, 2)).id());
  EXPECT_EQ(read("+x - -y"), (x + y).id());
}

TEST_F(Parse, numbers_are_exact_unless_written_with_point_or_exponent) {
  EXPECT_EQ(read("3"), pool.integer(3));
  EXPECT_EQ(read("1/3"), pool.number(Number::rational(1, 3)));
  EXPECT_EQ(read("0.1"), pool.real(0.1));
  EXPECT_EQ(read(".5"), pool.real(0.5));
  EXPECT_EQ(read("2."), pool.integer(2));
  EXPECT_EQ(read("1e3"), pool.integer(1000));
  EXPECT_EQ(read("1E+3"), pool.integer(1000));
  EXPECT_EQ(read("9223372036854775807"), pool.integer(9223372036854775807));
  EXPECT_EQ(read("9223372036854775808"), pool.real(9223372036854775808.0));
  EXPECT_EQ(read("1e-400"), pool.integer(0));
  EXPECT_EQ(read("0." + std::string(500, '0') + "1"), pool.integer(0));
}

TEST_F(Parse, conditions_and_choices) {
  EXPECT_EQ(read("x > y"), read("y < x"));
  EXPECT_EQ(read("x >= y"), read("y <= x"));
  EXPECT_EQ(read("x < y and y < z or not x == z"), ((x < y && y < z) || !equal(x, z)).id());
  EXPECT_EQ(read("if x < y then 1 else z + 1"), if_(x < y, 1, z + 1).id());
  EXPECT_EQ(read("if x < y then 1 elseif y < z then 2 else 3"),
            if_(x < y, 1, if_(y < z, 2, 3)).id());
  EXPECT_EQ(read("if x < y then if y < z then 1 else 2 else 3"),
            if_(x < y, if_(y < z, 1, 2), 3).id());
  EXPECT_EQ(read("if true then x else y"), x.id());
}

TEST_F(Parse, functions) {
  EXPECT_EQ(read("sqrt(x)"), sqrt(x).id());
  EXPECT_EQ(read("min(x, y, z)"), min(min(x, y), z).id());
  EXPECT_EQ(read("atan2(y, x) + integer(x) + noEvent(x*y)"),
            (atan2(y, x) + integer_part(x) + no_event(x * y)).id());
  EXPECT_EQ(read("smooth(1, semiLinear(x, y, z))"), smooth(1, semi_linear(x, y, z)).id());
  const FunctionId f = pool.define_function("f", 2, [](std::span<const double>) { return 0.0; });
  const FunctionId now =
      pool.define_function("now", 0, [](std::span<const double>) { return 0.0; });
  const Expr arguments[] = {x, y};
  EXPECT_EQ(read("f(x, y)"), call(pool, f, arguments).id());
  EXPECT_EQ(read("now()"), pool.call(now, {}));
  EXPECT_EQ(mistake("f(x)"), "P005 1:1+1 'f' takes 2 arguments, 1 given");
}

TEST_F(Parse, pre_is_the_value_before_an_event) {
  ExprPool fresh;
  const ExprId x = fresh.unknown("x");
  const ExprId n = fresh.discrete("a.n[2]");
  const ExprId before = parse_id(fresh, "2*pre(a.n[2]) + pre(x)");
  EXPECT_EQ(before, fresh.add(fresh.mul(fresh.integer(2), fresh.previous_symbol(n)),
                              fresh.previous_symbol(x)));
  EXPECT_EQ(parse_id(fresh, to_text(fresh, before)), before);
  EXPECT_EQ(fresh.symbol_of(fresh.previous_symbol(n)).kind, SymbolKind::discrete);
  EXPECT_THROW(parse_id(fresh, "pre(3)"), Error);
}

TEST_F(Parse, der_is_the_total_derivative) {
  EXPECT_EQ(read("der(x)"), der(x).id());
  EXPECT_EQ(read("der(der(x))"), der(der(x)).id());
  EXPECT_EQ(read("der(x*y)"), (x * der(y) + y * der(x)).id());
  EXPECT_EQ(read("der(time)"), pool.integer(1));
}

TEST_F(Parse, names) {
  const ExprId path = pool.unknown("a.b[1].c");
  const ExprId entry = pool.unknown("m[1,2]");
  const ExprId quoted = pool.unknown("my name");
  EXPECT_EQ(read("a.b[1].c"), path);
  EXPECT_EQ(read("m[ 1 , 2 ]"), entry);
  EXPECT_EQ(read("'my name'"), quoted);
  EXPECT_EQ(read("'x'"), x.id());
  EXPECT_EQ(read("time"), pool.time());
  const ParseOptions make{.unknown_name = ParseOptions::UnknownName::make_unknown};
  EXPECT_EQ(parse_id(pool, "new_one", make), pool.unknown("new_one"));
  EXPECT_EQ(parse_id(pool, "'new one'", make), pool.unknown("new one"));
}

TEST_F(Parse, equations) {
  const Equation equation = parse_equation(pool, "der(x) = -lambda*x");
  EXPECT_TRUE(same(equation.left, der(x)));
  EXPECT_TRUE(same(equation.right, -lambda * x));
  EXPECT_EQ(mistake_in_equation("x"),
            "P012 1:2+0 expected '=' and the right-hand side of the equation, found nothing");
  EXPECT_EQ(mistake_in_equation("x = y = z"),
            "P002 1:7+1 expected an operator, found '='; write '==' to compare");
  EXPECT_EQ(mistake_in_equation("x < y = z"),
            "P012 1:1+5 both sides of an equation are numbers, but this one is a condition");
  EXPECT_EQ(mistake_in_equation("x = "), "P002 1:5+0 expected an expression, found nothing");
}

// ---- mistakes -----------------------------------------------------------------------------------

TEST_F(Parse, mistakes_say_what_was_found_and_what_was_expected) {
  const struct {
    const char* text;
    const char* mistake;
  } cases[] = {
      {"", "P002 1:1+0 expected an expression, found nothing"},
      {"x + * y", "P002 1:5+1 expected a number, a name or '(' after '+', found '*'"},
      {"x y", "P002 1:3+1 expected an operator, found the name 'y'"},
      {"x (y)*(z)", "P004 1:1+1 'x' is not a function; write 'x*(...)' to multiply"},
      {"(x) (y)", "P002 1:5+1 expected an operator, found '('; write '*' to multiply"},
      {"x = y", "P002 1:3+1 expected an operator, found '='; write '==' to compare"},
      {"x, y",
       "P002 1:2+1 expected an operator, found ','; commas only separate the arguments of "
       "functions"},
      {"der x", "P002 1:5+1 expected '(' after 'der', found the name 'x'"},
      {"x $ y", "P001 1:3+1 unexpected character '$' in an expression"},
      {"x < y && y < z", "P001 1:7+1 unexpected character '&' in an expression; write 'and'"},
      {"x\x01", "P001 1:2+1 unexpected byte 1 in an expression"},
      {"2*lamda*x", "P003 1:3+5 unknown name 'lamda'; did you mean 'lambda'?"},
      {"2*Lambda", "P003 1:3+6 unknown name 'Lambda'; did you mean 'lambda'?"},
      {"q", "P003 1:1+1 unknown name 'q'. Declare it before it is used."},
      {"sin", "P003 1:1+3 'sin' is a function; write 'sin(...)'"},
      {"asihn(x)", "P004 1:1+5 unknown function 'asihn'; did you mean 'asinh'?"},
      {"sin(x, y)", "P005 1:1+3 'sin' takes 1 argument, 2 given"},
      {"atan2()", "P005 1:1+5 'atan2' takes 2 arguments, 0 given"},
      {"min(x)", "P005 1:1+3 'min' takes 2 or more arguments, 1 given"},
      {"(x + y", "P006 1:7+0 expected ')', found the end of the text"},
      {"x + y)", "P006 1:6+1 this ')' closes nothing; there is no '(' for it"},
      {"max(x, y",
       "P006 1:9+0 expected ',' or ')' to go on with the arguments of 'max', found the end of the "
       "text"},
      {"2x", "P007 1:1+2 a name follows the number '2' directly; write '2*x' to multiply"},
      {"1e+", "P007 1:1+3 the number '1e+' has no digits after its 'e'"},
      {"1.2.3", "P007 1:1+4 the number '1.2.' has a second point"},
      {"1e999",
       "P007 1:1+5 the number '1e999' is too large; the largest double is about 1.8e308. Write "
       "'inf' for infinity."},
      {"x[i]",
       "P008 1:3+1 the name 'x[' is broken: expected a whole number as subscript, found 'i'"},
      {"x < y < z",
       "P010 1:7+1 comparisons do not chain: '<' follows another one, '<'. Write 'a < b and b < "
       "c'."},
      {"if x < y then z",
       "P011 1:16+0 expected 'else', found the end of the text; every 'if' needs both branches"},
      {"if x < y",
       "P011 1:9+0 expected 'then' after the condition of 'if', found the end of the text"},
      {"x else y", "P011 1:3+4 'else' has no 'if' to belong to; write 'if a < b then c else d'"},
      {"x + (x < y)",
       "E002 1:5+7 '+' needs numbers, but 'x < y' is a condition. Write 'if x < y then 1 else 0' "
       "to make it a number."},
      {"x < y and z",
       "E002 1:11+1 'and' needs conditions, but 'z' is a number. Write a comparison, e.g. 'z > "
       "0'."},
      {"not x",
       "E002 1:5+1 'not' needs conditions, but 'x' is a number. Write a comparison, e.g. 'x > 0'."},
      {"if x then y else z",
       "E002 1:4+1 'if' needs a condition, but 'x' is a number. Write a comparison, e.g. 'x > 0'."},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(mistake(text), expected) << text;
}

TEST_F(Parse, the_place_counts_lines_and_characters) {
  EXPECT_EQ(mistake("x +\n  y *\n  * z"),
            "P002 3:3+1 expected a number, a name or '(' after '*', found '*'");
  pool.unknown("\xce\xb8");  // theta, two bytes
  EXPECT_EQ(mistake("\xce\xb8 + $"), "P001 1:5+1 unexpected character '$' in an expression");
}

TEST_F(Parse, the_message_shows_the_place) {
  try {
    parse(pool, "x + 2*lamda*y", {.file = "pendulum.txt"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "pendulum.txt:1:7: error[P003]: unknown name 'lamda'; did you mean 'lambda'?\n"
                 "  note: here:\n"
                 "    x + 2*lamda*y\n"
                 "          ^~~~~");
  }
  try {
    parse(pool, std::string(1000, ' ') + "(x + y");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "text:1:1007: error[P006]: expected ')', found the end of the text\n"
                 "  note: here:\n"
                 "    ...                                  (x + y\n"
                 "                                               ^\n"
                 "  text:1:1001: note: the '(' that is not closed is here");
  }
}

// ---- size and rubbish ---------------------------------------------------------------------------

constexpr int deep = 100'000;  // far more than a stack of calls holds

std::string repeated(std::string_view text, int count) {
  std::string result;
  result.reserve(text.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

TEST_F(Parse, deep_nesting) {
  EXPECT_EQ(read(repeated("(", deep) + "x" + repeated(")", deep)), x.id());
  EXPECT_EQ(read(repeated("-", deep) + "x"), x.id());
  EXPECT_EQ(read(repeated("not ", deep) + "x < y"), (x < y).id());
  EXPECT_EQ(read(repeated("x^", deep) + "1"),
            read(repeated("x^(", deep) + "1" + repeated(")", deep)));
  EXPECT_EQ(pool.height(read(repeated("sin(", deep) + "x" + repeated(")", deep))),
            static_cast<std::uint32_t>(deep));
  EXPECT_EQ(read(repeated("if x < y then ", deep) + "z" + repeated(" else z", deep)), z.id());
  EXPECT_EQ(read(repeated("x < y and ", deep) + "true"), (x < y).id());
}

TEST_F(Parse, deep_nesting_that_is_never_closed) {
  for (const char* opening :
       {"(", "sin(", "if ", "x^(", "-", "not ", "min(x,", "der(", "x*(", "if x < y then "}) {
    const std::string answer = mistake(repeated(opening, deep));
    EXPECT_EQ(answer.substr(0, 1), "P") << opening << " " << answer.substr(0, 100);
  }
}

TEST_F(Parse, any_bytes_give_an_expression_or_an_error_with_a_place) {
  using testing::RandomExpression;
  constexpr const char* pieces[] = {
      "x",  "der(", "sin(",  "min(", "(",      ")",        "+",       "-",   "*",
      "/",  "^",    "<",     "==",   "and ",   "not ",     "if ",     "or ", " then ",
      "2",  "0.5",  "1e300", "0",    "inf",    "nan",      "true",    ",",   "=",
      "'n", "[1",   ".",     "e5",   " else ", "\xce\xbb", " elseif "};
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    ExprPool fresh;
    std::string text;
    const auto choices = testing::random_choices(random(), 60);
    const RandomExpression expression(fresh, choices, {.smooth_only = false});
    switch (round % 4) {
      case 0:
        for (int i = 0; i < 40; ++i) text += static_cast<char>(random());
        break;
      case 1:
        for (int i = 0; i < 20; ++i) text += pieces[random() % std::size(pieces)];
        break;
      case 2:
        text = to_text(fresh, expression.result());
        text.resize(random() % text.size());
        break;
      default:
        text = to_text(fresh, expression.result());
        text.insert(random() % text.size(), pieces[random() % std::size(pieces)]);
        text[random() % text.size()] = static_cast<char>(random());
    }
    try {
      const ExprId id = parse_id(fresh, text);
      EXPECT_EQ(parse_id(fresh, to_text(fresh, id)), id) << text;
    } catch (const Error& error) {
      EXPECT_TRUE(error.diagnostics().front().origin.span.known()) << text;
    }
  }
}

}  // namespace
}  // namespace alembert::symbolic
