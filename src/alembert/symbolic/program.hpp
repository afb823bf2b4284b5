// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Expressions as a list of instructions that runs without the pool: the body of a
// function that is called with numbers. In: input symbols and outputs. Out: values. Of a choice
// only the branch that is taken is run, with all that nobody else needs; calls of several outputs
// of one function with the same arguments are one call.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

class Program {
 public:
  /// Every symbol of the outputs must be an input.
  Program(const ExprPool& pool, std::span<const ExprId> inputs, std::span<const ExprId> outputs);

  std::size_t n_inputs() const { return n_inputs_; }
  std::size_t n_outputs() const { return outputs_.size(); }
  std::size_t n_instructions() const { return code_.size(); }
  /// Thread-safe.
  void run(const double* inputs, double* outputs) const;

 private:
  friend class ProgramMaker;
  enum class Code : std::uint8_t {
    operation,
    sum_of_two,
    product_of_two,
    integer_power,
    call,
    call_family,
    jump_if,
    jump_if_not
  };
  struct Instruction {
    Code code = Code::operation;
    Op op = Op::number;
    std::int32_t exponent = 0;  // of integer_power
    std::uint32_t result = 0;   // slot; of call_family the first of several
    std::uint32_t first = 0;    // of operands
    std::uint32_t n = 0;        // operands
    std::uint32_t target = 0;   // of jumps: instruction; of calls: function
  };
  struct Callee {
    double (*function)(const double* arguments, const void* context) = nullptr;
    void (*outputs)(const double* arguments, double* values, const void* context) = nullptr;
    std::shared_ptr<const void> context;
  };

  void execute(double* slots, std::vector<double>& arguments) const;

  std::size_t n_inputs_ = 0;
  std::size_t n_slots_ = 0;
  std::vector<Instruction> code_;
  // Slots: inputs, constants, results.
  std::vector<std::uint32_t> operands_;
  std::vector<double> constants_;
  std::vector<std::uint32_t> outputs_;
  std::vector<Callee> callees_;
};

}  // namespace alembert::symbolic
