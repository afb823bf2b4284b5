// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/tape.hpp"

#include <gtest/gtest.h>

#include "alembert/base/error.hpp"
#include "compile/random_tape.hpp"

namespace alembert::compile {
namespace {

TEST(tape, tables_agree_with_the_enumeration) {
  EXPECT_EQ(name(TapeOp::input), "input");
  EXPECT_EQ(name(TapeOp::fnms), "fnms");
  EXPECT_EQ(name(TapeOp::result), "result");
  EXPECT_EQ(n_value_operands(TapeOp::constant), 0);
  EXPECT_EQ(n_value_operands(TapeOp::sqrt), 1);
  EXPECT_EQ(n_value_operands(TapeOp::pow), 2);
  EXPECT_EQ(n_value_operands(TapeOp::select), 3);
  EXPECT_EQ(n_value_operands(TapeOp::solve), 0);
  EXPECT_EQ(n_value_operands(TapeOp::result), 1);
  for (int i = 0; i < n_tape_ops; ++i) {
    const auto op = static_cast<TapeOp>(i);
    EXPECT_EQ(is_elementary(op), op >= TapeOp::sin && op <= TapeOp::pow) << name(op);
    EXPECT_EQ(is_condition(op), op >= TapeOp::less && op <= TapeOp::logical_not) << name(op);
  }
  EXPECT_FALSE(is_commutative(TapeOp::min));
  EXPECT_TRUE(takes_condition(TapeOp::select, 0));
  EXPECT_FALSE(takes_condition(TapeOp::select, 1));
  EXPECT_TRUE(takes_condition(TapeOp::logical_and, 1));
}

// 2 u = x, in a tape that returns u + 3.
Tape tape_with_region() {
  TapeBuilder body(2, 1);
  const ValueId two = body.constant(2.0);
  const ValueId u = body.input(0);
  const ValueId x = body.input(1);
  body.output(body.apply(TapeOp::fms, two, u, x));
  body.output(two);
  TapeBuilder outer(1, 1);
  SolveRegion region;
  region.n_unknowns = 1;
  region.captured = {outer.input(0)};
  region.jacobian_rows = {0};
  region.jacobian_columns = {0};
  region.body = std::move(body).finish();
  const ValueId solved = outer.solve(std::move(region)).at(0);
  outer.output(outer.apply(TapeOp::add, solved, outer.constant(3.0)));
  return std::move(outer).finish();
}

TEST(tape, text_has_one_line_an_instruction) {
  EXPECT_EQ(to_text(tape_with_region()),
            "v0 = input 0\n"
            "v1 = solve linear 1 unknowns, captured (v0)\n"
            "  v0 = constant 2\n"
            "  v1 = input 0\n"
            "  v2 = input 1\n"
            "  v3 = fms v0 v1 v2\n"
            "  residual 0 = v3\n"
            "  jacobian 0 0 = v0\n"
            "v2 = result v1 0\n"
            "v3 = constant 3\n"
            "v4 = add v2 v3\n"
            "output 0 = v4\n");
}

TEST(tape, operations_are_counted_without_leaves_and_with_regions) {
  EXPECT_EQ(operation_count(tape_with_region()), 3u);  // fms, solve, add
}

TEST(tape, random_tapes_are_valid_before_and_after_rebuilding) {
  const testing::RandomTapeOptions options = {.calls = true, .regions = true};
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Tape tape = testing::random_tape(seed, options);
    ASSERT_NO_THROW(validate(tape)) << to_text(tape);
    const Tape again = rebuilt(tape);
    ASSERT_NO_THROW(validate(again)) << to_text(again);
    EXPECT_LE(operation_count(again), operation_count(tape));
  }
}

// Each case breaks one promise of a valid tape.
struct Broken {
  const char* what;
  void (*damage)(Tape&);
};

class validate_rejects : public ::testing::TestWithParam<Broken> {};

TEST_P(validate_rejects, a_broken_tape) {
  Tape tape = tape_with_region();
  ASSERT_NO_THROW(validate(tape));
  GetParam().damage(tape);
  EXPECT_THROW(validate(tape), InternalError) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    each_promise, validate_rejects,
    ::testing::Values(
        Broken{"operand after its user", [](Tape& t) { t.code[4].a = 4; }},
        Broken{"input out of range", [](Tape& t) { t.code[0].a = 1; }},
        Broken{"parameter out of range", [](Tape& t) { t.code[0] = {TapeOp::parameter, 1}; }},
        Broken{"constant out of range", [](Tape& t) { t.code[3].a = 1; }},
        Broken{"equal constants", [](Tape& t) { t.constants.push_back(3.0); }},
        Broken{"solve as an operand", [](Tape& t) { t.code[4].a = 1; }},
        Broken{"solve as an output", [](Tape& t) { t.outputs[0] = 1; }},
        Broken{"output out of range", [](Tape& t) { t.outputs[0] = 5; }},
        Broken{"condition as an output", [](Tape& t) { t.code[4].op = TapeOp::less; }},
        Broken{"number as a condition", [](Tape& t) { t.code[4].op = TapeOp::logical_and; }},
        Broken{"number to select by", [](Tape& t) { t.code[4] = {TapeOp::select, 0, 0, 0}; }},
        Broken{"result of no solve", [](Tape& t) { t.code[2].a = 0; }},
        Broken{"result out of range", [](Tape& t) { t.code[2].b = 1; }},
        Broken{"region out of range", [](Tape& t) { t.code[1].a = 1; }},
        Broken{"call out of range", [](Tape& t) { t.code[4] = {TapeOp::call, 0}; }},
        Broken{"function without address",
               [](Tape& t) { t.functions.push_back({"f", nullptr, {}}); }},
        Broken{"unknown operation", [](Tape& t) { t.code[4].op = static_cast<TapeOp>(200); }},
        Broken{"guesses for a linear region", [](Tape& t) { t.regions[0].guesses = {0}; }},
        Broken{"newton without guesses",
               [](Tape& t) { t.regions[0].kind = SolveRegion::Kind::newton; }},
        Broken{"captured after the region", [](Tape& t) { t.regions[0].captured = {3}; }},
        Broken{"body with other inputs", [](Tape& t) { t.regions[0].captured = {0, 0}; }},
        Broken{"body with other parameters", [](Tape& t) { t.n_parameters = 2; }},
        Broken{"body with other outputs", [](Tape& t) { t.regions[0].body.outputs.pop_back(); }},
        Broken{"nonzero out of range", [](Tape& t) { t.regions[0].jacobian_rows[0] = 1; }},
        Broken{"nonzero twice",
               [](Tape& t) {
                 t.regions[0].jacobian_rows.push_back(0);
                 t.regions[0].jacobian_columns.push_back(0);
                 t.regions[0].body.outputs.push_back(0);
               }},
        Broken{"broken body", [](Tape& t) { t.regions[0].body.code[3].b = 3; }},
        Broken{"no unknowns", [](Tape& t) { t.regions[0].n_unknowns = 0; }}));

}  // namespace
}  // namespace alembert::compile
