// SPDX-License-Identifier: Apache-2.0
// External functions: what comes back has the type that the function declares.
#include "frontend/modelica/evaluate/bench.hpp"

namespace alembert::modelica {
namespace {

TEST(External, EnumerationsComeBackAsLiterals) {
  Bench bench(R"(
type Order = enumeration(before, same, after);
function compare
  input String a;
  input String b;
  input Boolean caseSensitive = true;
  output Order order;
  external "C" order = ModelicaStrings_compare(a, b, caseSensitive);
end compare;
model M
end M;
)");
  EXPECT_EQ(bench.shown("compare(\"a\", \"b\") == Order.before"), "true");
  EXPECT_EQ(bench.shown("compare(\"A\", \"a\", false) == Order.same"), "true");
  EXPECT_EQ(bench.shown("compare(\"b\", \"a\") == Order.same"), "false");
}

}  // namespace
}  // namespace alembert::modelica
