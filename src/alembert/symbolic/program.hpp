// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Expressions as a list of instructions that runs without the pool: the body of a
// function that is called with numbers. In: input symbols and outputs. Out: values. Of a choice
// only the branch that is taken is run, with all that nobody else needs; calls of several outputs
// of one function with the same arguments are one call. What runs often becomes machine code, where
// a later stage knows how to make it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
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

  enum class Code : std::uint16_t {
    add,
    multiply,
    reciprocal,
    square,
    power,  // by a whole number, which is b
    less,
    less_equal,
    equal,
    not_equal,
    both,
    either,
    operation,  // any of one or two operands; the op is n
    choose,
    semi_linear,
    call,
    call_family,
    jump_if,
    jump_if_not
  };
  /// Sixteen bytes, and operands are slots themselves: what has more than two operands is a chain.
  struct Instruction {
    Code code = Code::operation;
    std::uint16_t n = 0;
    std::uint32_t result = 0;  // slot; of call_family the first of several; of jumps instruction
    std::uint32_t a = 0;       // slot; of calls and of three operands: the first in operands_
    std::uint32_t b = 0;       // slot; of calls: in callees_
  };
  std::span<const Instruction> code() const { return code_; }
  std::span<const std::uint32_t> operands() const { return operands_; }

  /// What an instruction Code::operation does.
  static double (*function_of(Op op))(double a, double b);
  /// Any instruction but a jump; false if something threw, which `run` then passes on.
  static bool step(const Program* program, double* slots, std::uint32_t instruction) noexcept;

  /// Machine code: as `execute`, on the slots of the program; false where `step` said so.
  struct Translation {
    bool (*entry)(double* slots, const Program* program) = nullptr;
    std::shared_ptr<const void> code;
  };
  /// From now on what runs often is translated. An empty translation leaves it as it is.
  using Translate = Translation (*)(const Program& program);
  static void translate_by(Translate translate);

 private:
  friend class ProgramMaker;
  struct Callee {
    double (*function)(const double* arguments, const void* context) = nullptr;
    void (*outputs)(const double* arguments, double* values, const void* context) = nullptr;
    std::shared_ptr<const void> context;
    std::uint32_t n_arguments = 0;
  };

  bool execute(double* slots) const noexcept;
  bool call(double* slots, const Instruction& instruction) const noexcept;
  decltype(Translation::entry) translation() const;

  std::uint64_t id_ = 0;  // of all programs there ever were
  std::size_t n_inputs_ = 0;
  std::size_t n_slots_ = 0;
  std::vector<Instruction> code_;
  // Slots: inputs, constants, results.
  std::vector<std::uint32_t> operands_;  // of calls and of what has three
  std::vector<double> constants_;
  std::vector<std::uint32_t> outputs_;
  std::vector<Callee> callees_;
  mutable std::atomic<std::uint32_t> n_runs_ = 0;
  mutable std::once_flag translated_;
  mutable Translation translation_;
  mutable std::atomic<decltype(Translation::entry)> entry_ = nullptr;
};

}  // namespace alembert::symbolic
