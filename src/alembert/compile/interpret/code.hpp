// SPDX-License-Identifier: Apache-2.0
// Stage: compile/interpret, internal. The decoded program as the inner loops see it: plain data
// only, because the loops are compiled once for any processor and once for AVX2, and may share no
// inline functions. Values live in slots, reused after the last use.
// In: program.hpp fills these. Out: run_scalar*, run_lanes*.
#pragma once

#include <cstddef>
#include <cstdint>

#include "alembert/compile/tape.hpp"

namespace alembert::compile::interpret {

class Program;

/// Where an operand is found: a base in the upper three bits, an index in the lower ones.
using Operand = std::uint32_t;
enum class Base : std::uint32_t {
  slots,
  inputs,
  lane_parameters,     // a row of lanes each
  uniform_parameters,  // one number for all lanes
  constants,           // one number for all lanes
};
inline constexpr int n_bases = 5;
inline constexpr int index_bits = 29;

constexpr Operand make_operand(Base base, std::uint32_t index) {
  return static_cast<std::uint32_t>(base) << index_bits | index;
}

/// One group in progress (or up to `max_lanes` lanes of it).
struct Frame {
  double* slots;
  const double* base[n_bases];
  std::size_t stride[n_bases];   // doubles from one index to the next
  std::size_t width;             // lanes that the loops compute: a multiple of the vector width
  std::size_t lanes;             // lanes that count; the rest is padding
  std::size_t first_lane;        // of the group
  const double* parameters;      // as the caller gave them, for this group
  double* scratch;               // for calls and regions
  const void* const* functions;  // elementary functions, scalar or vector as the loops need them
  const Program* program;
};

// ---- One lane: a dispatch for every operation, so dispatch and data must be compact.

/// The operations of the scalar loop, in the order of its label table.
enum class Opcode : std::uint32_t {
  add,
  sub,
  mul,
  div,
  fma,
  fms,
  fnma,
  fnms,
  neg,
  abs,
  sqrt,
  min,
  max,
  floor,
  ceil,
  trunc,
  sign,
  less,
  less_equal,
  equal,
  not_equal,
  logical_and,
  logical_or,
  logical_not,
  number,
  select,
  unary,
  binary,  // elementary functions; `c` indexes Frame::functions
  call,
  call_many,
  solve,  // `a` indexes the program's sites
  end,
};

/// Operands are slots, those of leaves included: they are filled before the run.
struct ScalarCode {
  Opcode op;
  std::uint32_t to, a, b, c;
};

void run_scalar(const ScalarCode* code, const Frame& frame);
void run_scalar_avx2(const ScalarCode* code, const Frame& frame);

// ---- Many lanes: a loop over lanes for every operation.

inline constexpr std::size_t max_lanes = 64;  // at a time; keeps slots in the first-level cache

struct LaneCode;
using LaneOperation = void (*)(const LaneCode& code, const Frame& frame);

struct LaneCode {
  LaneOperation run;
  std::uint32_t to;
  Operand a, b, c;
};

/// The loop for an operation; bit i of `uniform` says that operand i is one number for all lanes.
LaneOperation lane_operation(TapeOp op, unsigned uniform);
LaneOperation lane_operation_avx2(TapeOp op, unsigned uniform);

// ---- Both.

void run_call(const Frame& frame, std::uint32_t site);
void run_call_many(const Frame& frame, std::uint32_t site);
void run_solve(const Frame& frame, std::uint32_t site);

}  // namespace alembert::compile::interpret
