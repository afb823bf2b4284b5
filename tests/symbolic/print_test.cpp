// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/print_truth.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/names.hpp"
#include "alembert/symbolic/parse.hpp"
#include "compile/c_library.hpp"

namespace alembert::symbolic {
namespace {

constexpr auto make_unknowns = ParseOptions::UnknownName::make_unknown;

/// The text in a notation of what was written, names being unknowns.
std::string shown(std::string_view written, Notation notation = Notation::plain) {
  ExprPool pool;
  pool.define_function("f", 2, [](std::span<const double>) { return 0.0; });
  const ExprId id = parse_id(pool, written, {.unknown_name = make_unknowns});
  return to_text(pool, id, notation);
}

struct Golden {
  const char* written;
  const char* text;
};

TEST(print, plain_text_reads_well) {
  const Golden cases[] = {
      {"x^2+y^2-1", "x^2 + y^2 - 1"},
      {"1+x+x^2", "x^2 + x + 1"},
      {"-g+lambda*y", "lambda*y - g"},
      {"-g-lambda*y", "-lambda*y - g"},
      {"1-x^2", "1 - x^2"},
      {"x*y/(2*z)", "x*y/(2*z)"},
      {"x/y/z", "x/(y*z)"},
      {"1/x", "1/x"},
      {"2*x/3", "2*x/3"},
      {"-2/3*x", "-2*x/3"},
      {"x^(1/2)", "sqrt(x)"},
      {"x^(-1/2)/2", "1/(2*sqrt(x))"},
      {"x^0.5", "x^0.5"},
      {"x^(3/2)", "x^(3/2)"},
      {"(x+1)^2", "(x + 1)^2"},
      {"-x^2", "-x^2"},
      {"(-x)^y", "(-x)^y"},
      {"(1/2)^x", "(1/2)^x"},
      {"x^-y", "x^(-y)"},
      {"(x^y)^z", "(x^y)^z"},
      {"x^y^z", "x^(y^z)"},
      {"(a+b)*(c-d)/e", "(a + b)*(c - d)/e"},
      {"der(der(x))", "der(der(x))"},
      {"m*der(der(x))+k*x-F", "k*x + m*der(der(x)) - F"},
      {"if a<b then c else d", "if a < b then c else d"},
      {"if a<b then 1 else if b<c then 2 else 3", "if a < b then 1 elseif b < c then 2 else 3"},
      {"1+(if a<b then c else d)", "(if a < b then c else d) + 1"},
      {"a>b", "b < a"},
      {"a>=b+1", "b + 1 <= a"},
      {"a<b and (c<d or e<f)", "a < b and (c < d or e < f)"},
      {"a<b and c<d or e<f", "a < b and c < d or e < f"},
      {"not (a<b and c<d)", "not (a < b and c < d)"},
      {"not a<b", "not a < b"},
      {"min(a,b,c)", "min(min(a, b), c)"},
      {"f(x+1,-y)", "f(x + 1, -y)"},
      {"semiLinear(x,a,-b)", "semiLinear(x, a, -b)"},
      {"smooth(1,x*y)", "smooth(1, x*y)"},
      {"noEvent(x*y)", "noEvent(x*y)"},
      {"1/0", "0^(-1)"},
      {"1/sqrt(2)", "sqrt(2)/2"},
      {"sqrt(2)/2", "sqrt(2)/2"},
  };
  for (const auto& [written, text] : cases) EXPECT_EQ(shown(written), text) << written;
}

TEST(print, numbers_show_whether_they_are_exact) {
  const Golden cases[] = {
      {"2.0", "2"},
      {"0.5", "0.5"},
      {"1/2", "1/2"},
      {"0.1*x+1e-7*y+1e22", "0.1*x + 1e-7*y + 1e22"},
      {"1e300", "1e300"},
      {"1152921504606846976.0", "1152921504606846976.0"},
      {"9007199254740993", "9007199254740993"},
      {"-inf*x", "-inf*x"},
      {"x+nan", "x + nan"},
  };
  for (const auto& [written, text] : cases) EXPECT_EQ(shown(written), text) << written;
  EXPECT_EQ(to_text(Expr(0.5)), "0.5");
  EXPECT_EQ(to_text(Expr(3)), "3");
  EXPECT_EQ(to_text(Expr(3), Notation::c), "3.0");
}

TEST(print, truth_values_read_as_conditions_where_it_is_asked_for) {
  ExprPool pool;
  const ExprId b = pool.discrete("b"), n = pool.discrete("n"), x = pool.unknown("x");
  const ExprId zero = pool.integer(0), one = pool.integer(1);
  const IsTruth is_truth = [&](ExprId symbol) { return symbol == b; };
  const ExprId set = pool.apply(Op::not_equal, b, zero);
  const ExprId was_not_set = pool.apply(Op::equal, pool.previous_symbol(b), zero);
  const ExprId above = pool.apply(Op::less, one, x);
  const auto text = [&](ExprId id) { return to_short_text(pool, id, is_truth); };
  EXPECT_EQ(text(set), "b");
  EXPECT_EQ(text(was_not_set), "not pre(b)");
  EXPECT_EQ(text(pool.apply(Op::not_equal, n, zero)), "0 <> n");  // a number stays one
  EXPECT_EQ(text(pool.if_then_else(pool.apply(Op::logical_and, set, was_not_set), x, one)),
            "if b and not pre(b) then x else 1");
  const ExprId quiet = pool.apply(Op::no_event, pool.if_then_else(above, one, zero));
  EXPECT_EQ(text(pool.apply(Op::not_equal, quiet, zero)), "noEvent(1 < x)");
  EXPECT_EQ(to_text(pool, set), "0 <> b");  // what is read back

  const auto value = [&](ExprId id) {
    return to_text(pool, id, Notation::modelica, is_truth, Reading::truth);
  };
  EXPECT_EQ(value(one), "true");
  EXPECT_EQ(value(pool.if_then_else(above, one, zero)), "1 < x");
  EXPECT_EQ(value(pool.if_then_else(above, pool.if_then_else(was_not_set, one, zero), b)),
            "if 1 < x then not pre(b) else b");
  EXPECT_EQ(value(pool.if_then_else(above, zero, pool.if_then_else(set, one, zero))),
            "if 1 < x then false else b");
}

TEST(print, names_are_quoted_where_they_must_be) {
  ExprPool pool;
  const Golden cases[] = {
      {"a.b[1].c", "a.b[1].c"},
      {"m[1,2]", "m[1,2]"},
      {"my name", "'my name'"},
      {"it's", "'it\\'s'"},
      {"a\nb", "'a\\nb'"},
      {"if", "'if'"},
      {"inf", "'inf'"},
      {"1x", "'1x'"},
      {"a..b", "'a..b'"},
      {"m[1, 2]", "'m[1, 2]'"},
      {"a[i]", "'a[i]'"},
      {"output", "output"},
      {"a.'my part'.x", "a.'my part'.x"},
      {"\xce\xbb", "\xce\xbb"},
      {"\\", "'\\\\'"},
  };
  for (const auto& [name, text] : cases) {
    EXPECT_EQ(to_text(pool, pool.unknown(name)), text);
    EXPECT_EQ(parse_id(pool, text), pool.unknown(name)) << text;
  }
  EXPECT_EQ(to_text(pool, pool.unknown("output"), Notation::modelica), "'output'");
  EXPECT_EQ(to_text(pool, pool.unknown("\xce\xbb"), Notation::modelica), "'\xce\xbb'");
}

TEST(print, a_name_with_quotes_in_it_stays_apart_from_the_name_without) {
  ExprPool pool;
  const ExprId with = pool.unknown("'my name'");
  const ExprId without = pool.unknown("my name");
  EXPECT_EQ(to_text(pool, with), "'my name'");
  EXPECT_EQ(to_text(pool, without), "'\\x6dy name'");
  EXPECT_EQ(parse_id(pool, to_text(pool, with)), with);
  EXPECT_EQ(parse_id(pool, to_text(pool, without)), without);
}

TEST(print, modelica) {
  const Golden cases[] = {
      {"x^2+y^2-1", "x^2 + y^2 - 1"},
      {"asinh(x)", "Modelica.Math.asinh(x)"},
      {"atanh(x+y)^2", "(0.5*log(2/(1 - (x + y)) - 1))^2"},
      {"4294967296*x", "4294967296.0*x"},
      {"x+inf", "x + Modelica.Constants.inf"},
      {"integer(x)", "integer(x)"},
      {"div(x,y)", "div(x, y)"},
      {"x<>y", "x <> y"},
  };
  for (const auto& [written, text] : cases)
    EXPECT_EQ(shown(written, Notation::modelica), text) << written;
}

TEST(print, latex) {
  const Golden cases[] = {
      {"x*y/(2*z)", R"(\frac{x \, y}{2 z})"},
      {"x/(a+b)", R"(\frac{x}{a + b})"},
      {"-2*x/3", R"(-\frac{2 x}{3})"},
      {"(x/y)^z", R"(\left(\frac{x}{y}\right)^{z})"},
      {"sqrt(x)+x^(1/3)+x^(3/2)", R"(x^{\frac{3}{2}} + \sqrt{x} + \sqrt[3]{x})"},
      {"der(x)+der(der(y_1))", R"(\dot{x} + \ddot{y}_{1})"},
      {"der(der(der(der(der(x)))))^2", R"(\left(x^{(5)}\right)^{2})"},
      {"theta_1*omega2/m_body", R"(\frac{\omega_{2} \, \theta_{1}}{m_{\mathrm{body}}})"},
      {"a.b[1].c+m[1,2]+speed", R"(a.b_{1}.c + m_{1,2} + \mathrm{speed})"},
      {"'50 %'", R"(\mathrm{50\ \%})"},
      {"sin(x)^2", R"(\sin^{2}\left(x\right))"},
      {"(a+b)*x", R"(\left(a + b\right) \, x)"},
      {"5*3^x*sqrt(2)", R"(5 \cdot 3^{x} \, \sqrt{2})"},
      {"1e-7*y", R"(1 \cdot 10^{-7} y)"},
      {"abs(x)*floor(y)", R"(\left|x\right| \, \left\lfloor y\right\rfloor)"},
      {"if a<b then c elseif b<=c then d else e",
       R"(\begin{cases} c & \text{if } a < b \\ d & \text{if } b \le c \\ e & \text{otherwise} \end{cases})"},
      {"time", "t"},
      {"f(x,inf)", R"(f\left(x, \infty\right))"},
  };
  for (const auto& [written, text] : cases)
    EXPECT_EQ(shown(written, Notation::latex), text) << written;
}

TEST(print, c) {
  const Golden cases[] = {
      {"x^2*y^3/2", "x*x*y*y*y/2.0"},
      {"sin(x)/x^2", "sin(x)/(x*x)"},
      {"(x+1)^2", "pow(x + 1.0, 2.0)"},
      {"x^(1/3)", "pow(x, 1.0/3.0)"},
      {"sqrt(x)", "sqrt(x)"},
      {"min(abs(x),y)", "fmin(fabs(x), y)"},
      {"mod(x,y)", "alembert_mod(x, y)"},
      {"rem(x,y)", "fmod(x, y)"},
      {"div(x,y+1)", "trunc(x/(y + 1.0))"},
      {"if a<b and not c<d then 1 else x", "a < b && !(c < d) ? 1.0 : x"},
      {"2*(if a<>b then c else d)*x", "2.0*(a != b ? c : d)*x"},
      {"noEvent(smooth(1,x*y))*z", "(x*y)*z"},
      {"x+inf", "x + INFINITY"},
      {"der(a.b[1])*int", "a__pb__l1__r__der*int__k"},
  };
  for (const auto& [written, text] : cases) EXPECT_EQ(shown(written, Notation::c), text) << written;
}

TEST(print, c_text_has_its_values_with_the_prelude) {
  if (!compile::testing::have_compiler()) GTEST_SKIP() << "there is no C compiler";
  const char* const written[] = {"sign(x)*y", "mod(x, y)", "rem(x, y)", "semiLinear(x, y, 3)",
                                 "if x < y then min(x, y) else x^2"};
  ExprPool pool;
  const ExprId x = pool.unknown("x"), y = pool.unknown("y");
  std::vector<ExprId> expressions;
  std::string source(c_prelude());
  for (std::size_t k = 0; k < std::size(written); ++k) {
    expressions.push_back(parse_id(pool, written[k], {}));
    source += "double f" + std::to_string(k) + "(double x, double y) { return " +
              to_text(pool, expressions[k], Notation::c) + "; }\n";
  }
  const compile::testing::Library library(source);
  ASSERT_TRUE(library.loaded()) << source;
  for (std::size_t k = 0; k < std::size(written); ++k) {
    const auto f = library.function<double (*)(double, double)>("f" + std::to_string(k));
    for (const double at : {-2.75, -0.5, 0.0, 0.5, 2.75})
      EXPECT_EQ(f(at, 0.75), evaluate(pool, expressions[k], {{x, at}, {y, 0.75}}))
          << written[k] << " at " << at;
  }
}

TEST(print, c_identifiers_are_unique) {
  const char* const names[] = {"a",       "a_", "_a", "a__b", "a_b",   "a.b",  "a_.b", "a._b",
                               "_",       "n_", "n",  "int",  "int_",  "a.er", "a[1]", "a[1,2]",
                               "my name", "1x", "x1", "_1",   "n__n_", "u_",   "_u"};
  std::set<std::string> identifiers;
  for (const char* name : names)
    for (std::uint32_t order = 0; order < 3; ++order)
      EXPECT_TRUE(identifiers.insert(c_identifier(name, order)).second) << name << " " << order;
  for (const std::string& identifier : identifiers)
    EXPECT_EQ(identifier.find_first_not_of(
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
              std::string::npos)
        << identifier;
}

TEST(print, equations) {
  ExprPool pool;
  const Expr x = unknown(pool, "x");
  EXPECT_EQ(to_text(der(x) == 2 * x), "der(x) = 2*x");
  EXPECT_EQ(to_text(der(x) == 0.5, Notation::latex), R"(\dot{x} = 0.5)");
}

TEST(print, short_text_is_cut_however_large_the_expression) {
  ExprPool pool;
  ExprId x = pool.unknown("x");
  for (int i = 0; i < 200; ++i) {  // 2^200 nodes as a tree
    const ExprId both[] = {pool.apply(Op::sin, x), pool.apply(Op::exp, x)};
    x = pool.add(both);
  }
  const std::string text = to_short_text(pool, x, 60);
  EXPECT_EQ(text.size(), 60u);
  EXPECT_EQ(text.substr(57), "...");
  EXPECT_EQ(to_short_text(pool, pool.unknown("x")), "x");
}

// ---- sums and products kept whole ---------------------------------------------------------------

std::vector<ExprId> numbered(ExprPool& pool, const std::string& name, int count) {
  std::vector<ExprId> symbols;
  for (int i = 0; i < count; ++i) symbols.push_back(pool.unknown(name + std::to_string(i)));
  return symbols;
}

TEST(print, what_is_kept_whole_comes_back_whole) {
  ExprPool pool;
  const ExprId x = pool.unknown("x");
  const ExprId sum = pool.add(numbered(pool, "s", ExprPool::flat_sum_limit + 40));
  const ExprId product = pool.mul(numbered(pool, "p", ExprPool::flat_product_limit + 8));
  const ExprId inverses = pool.div(x, product);
  std::vector<ExprId> under;
  for (const ExprId symbol : numbered(pool, "q", ExprPool::flat_product_limit + 8))
    under.push_back(pool.pow(symbol, -1));
  const ExprId half = pool.number(Number::rational(1, 2));
  const ExprId cases[] = {
      sum,
      pool.add(sum, x),
      pool.sub(x, sum),
      pool.add(x, pool.mul(half, sum)),
      pool.mul(x, sum),
      pool.pow(sum, 2),
      pool.neg(sum),
      pool.div(x, sum),
      product,
      pool.neg(product),
      pool.mul(x, product),
      pool.mul(x, pool.mul(half, product)),
      pool.pow(product, 3),
      inverses,
      pool.mul(half, inverses),
      pool.mul(under),
      pool.mul(pool.mul(half, x), pool.mul(under)),
      pool.mul(half, pool.mul(x, pool.pow(pool.add(x, pool.unknown("y")), -1))),
  };
  for (const ExprId id : cases)
    EXPECT_EQ(parse_id(pool, to_text(pool, id)), id) << to_text(pool, id);
}

}  // namespace
}  // namespace alembert::symbolic
