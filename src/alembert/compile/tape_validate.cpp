// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "alembert/base/error.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile {
namespace {

// One level of a tape; the bodies of its regions are checked by the caller's loop.
class Check {
 public:
  explicit Check(const Tape& tape) : tape_(tape) {}

  void run() {
    ensure(tape_.code.size() < no_value, "a tape has fewer than 2^32 - 1 instructions");
    constants();
    for (const ForeignFunction& function : tape_.functions)
      ensure((function.function != nullptr) != (function.outputs != nullptr),
             "a user function has one address");
    for (at_ = 0; at_ < tape_.code.size(); ++at_) instruction(tape_.code[at_]);
    for (ValueId output : tape_.outputs) number(output);
    for (const SolveRegion& region : tape_.regions) shape(region);
  }

 private:
  void constants() const {
    std::vector<std::uint64_t> bits(tape_.constants.size());
    std::transform(tape_.constants.begin(), tape_.constants.end(), bits.begin(),
                   [](double value) { return std::bit_cast<std::uint64_t>(value); });
    std::sort(bits.begin(), bits.end());
    ensure(std::adjacent_find(bits.begin(), bits.end()) == bits.end(),
           "the constants of a tape are distinct");
  }

  void instruction(const Instruction& i) const {
    ensure(static_cast<int>(i.op) < n_tape_ops, "a tape has known operations only");
    switch (i.op) {
      case TapeOp::input: return index(i.a, tape_.n_inputs);
      case TapeOp::parameter: return index(i.a, tape_.n_parameters);
      case TapeOp::constant: return index(i.a, tape_.constants.size());
      case TapeOp::call:
      case TapeOp::call_many: {
        index(i.a, tape_.calls.size());
        const Call& call = tape_.calls[i.a];
        index(call.function, tape_.functions.size());
        ensure((tape_.functions[call.function].outputs != nullptr) == (i.op == TapeOp::call_many),
               "a call has one value or several as its function has");
        return numbers(call.arguments);
      }
      case TapeOp::solve: {
        index(i.a, tape_.regions.size());
        numbers(tape_.regions[i.a].captured);
        return numbers(tape_.regions[i.a].guesses);
      }
      case TapeOp::result: {
        earlier(i.a);
        const Instruction& found_by = tape_.code[i.a];
        ensure(has_results(found_by.op), "a result belongs to an instruction that has results");
        return index(i.b, found_by.op == TapeOp::solve
                              ? tape_.regions[found_by.a].n_unknowns
                              : tape_.functions[tape_.calls[found_by.a].function].n_outputs);
      }
      default: {
        const std::uint32_t operands[] = {i.a, i.b, i.c};
        for (int k = 0; k < n_value_operands(i.op); ++k) {
          if (takes_condition(i.op, k)) {
            earlier(operands[k]);
            ensure(is_condition(tape_.code[operands[k]].op), "a logical operand is a condition");
          } else {
            number(operands[k]);
          }
        }
      }
    }
  }

  void earlier(ValueId value) const { ensure(value < at_, "an operand comes before its user"); }

  void number(ValueId value) const {
    earlier(value);
    const TapeOp op = tape_.code[value].op;
    ensure(!is_condition(op) && !has_results(op), "an operand is a number");
  }

  void numbers(const std::vector<ValueId>& values) const {
    for (ValueId value : values) number(value);
  }

  static void index(std::size_t index, std::size_t size) {
    ensure(index < size, "an index of an instruction is in range");
  }

  void shape(const SolveRegion& region) const {
    const std::size_t n = region.n_unknowns;
    ensure(n > 0, "a region has unknowns");
    ensure(region.guesses.size() == (region.kind == SolveRegion::Kind::newton ? n : 0),
           "a newton region has a guess for each unknown, a linear one has none");
    ensure(region.body.n_inputs == n + region.captured.size(),
           "the body of a region has the unknowns and the captured values as inputs");
    ensure(region.body.n_parameters == tape_.n_parameters,
           "the body of a region has the parameters of its tape");
    const std::size_t n_nonzeros = region.jacobian_rows.size();
    ensure(region.jacobian_columns.size() == n_nonzeros, "a nonzero has a row and a column");
    ensure(region.body.outputs.size() == n + n_nonzeros,
           "the body of a region gives residuals and nonzeros");
    std::vector<std::uint64_t> places(n_nonzeros);
    for (std::size_t k = 0; k < n_nonzeros; ++k) {
      index(region.jacobian_rows[k], n);
      index(region.jacobian_columns[k], n);
      places[k] = std::uint64_t{region.jacobian_rows[k]} << 32 | region.jacobian_columns[k];
    }
    std::sort(places.begin(), places.end());
    ensure(std::adjacent_find(places.begin(), places.end()) == places.end(),
           "the nonzeros of a region are at distinct places");
  }

  const Tape& tape_;
  ValueId at_ = 0;
};

}  // namespace

void validate(const Tape& tape) {
  std::vector<const Tape*> to_check = {&tape};
  while (!to_check.empty()) {
    const Tape& next = *to_check.back();
    to_check.pop_back();
    Check(next).run();
    for (const SolveRegion& region : next.regions) to_check.push_back(&region.body);
  }
}

}  // namespace alembert::compile
