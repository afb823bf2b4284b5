// SPDX-License-Identifier: Apache-2.0
// As hostile_test.cpp, with more and larger texts.
#include <gtest/gtest.h>

#include <chrono>

#include "alembert/frontend/modelica/syntax/parser.hpp"
#include "every_construct.hpp"
#include "mutations.hpp"

namespace alembert::modelica {
namespace {

double seconds_to_read(const std::string& text) {
  const auto begin = std::chrono::steady_clock::now();
  parse_text("big.mo", text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(HostileSlow, many_mutations) { read_mutations(every_construct, 8000, 4712); }

TEST(HostileSlow, size_costs_in_proportion) {
  const std::string array = "model M Real x[:] = {" + repeated("1.5, ", 1000000) + "1}; end M;";
  EXPECT_LT(seconds_to_read(array), 20.0);
  EXPECT_LT(seconds_to_read("model M " + repeated("Real x; ", 300000) + "end M;"), 20.0);
  EXPECT_LT(seconds_to_read("model M equation " + repeated("x = y; ", 300000) + "end M;"), 20.0);
  EXPECT_LT(seconds_to_read("model M \"" + std::string(20000000, 'x') + "\" end M;"), 20.0);
  EXPECT_LT(seconds_to_read(std::string(20000000, '\n')), 20.0);
  EXPECT_LT(seconds_to_read("model M Real x" + std::string(5000000, ' ') + " error error; end M;"),
            20.0);
  EXPECT_LT(seconds_to_read("model M Real " + std::string(5000000, 'x') + " = ; end M;"), 20.0);
  EXPECT_LT(seconds_to_read(repeated("end ", 1000000)), 20.0);
  EXPECT_LT(seconds_to_read("model M " + repeated("end if; ", 1000000)), 20.0);
  EXPECT_LT(seconds_to_read("model M " + repeated("\"a\" + ", 300000) + "\"\" end M;"), 20.0);
}

}  // namespace
}  // namespace alembert::modelica
