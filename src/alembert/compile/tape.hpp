// SPDX-License-Identifier: Apache-2.0
// Stage: compile. The tape: straight-line operations in SSA form, the one program that every back
// end runs. In: expressions (see lower.hpp) or a builder. Out: interpreter, native scalar code,
// native lanes, C source. The tape defines the rounding. Fused multiply-adds are explicit
// operations, nothing may be reassociated or contracted, and elementary functions are those of
// elementary.hpp; so all back ends but C give the same bits. A NaN is a NaN everywhere, but its
// sign and payload are not part of the promise.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace alembert::compile {

/// Index of the instruction that makes a value.
using ValueId = std::uint32_t;
inline constexpr ValueId no_value = 0xffffffffu;

enum class TapeOp : std::uint8_t {
  // Leaves: `a` is an index into inputs, parameters or `Tape::constants`.
  input,
  parameter,
  constant,
  // Arithmetic, IEEE 754 double, round to nearest.
  add,   // a + b
  sub,   // a - b
  mul,   // a * b
  div,   // a / b
  fma,   // a * b + c, rounded once
  fms,   // a * b - c, rounded once
  fnma,  // c - a * b, rounded once
  fnms,  // -(a * b) - c, rounded once
  neg,   // -a: flips the sign bit, also of zero and NaN
  abs,   // clears the sign bit
  sqrt,  // correctly rounded
  min,   // a < b ? a : b   (so b if either is NaN or both are zero)
  max,   // a > b ? a : b
  floor,
  ceil,
  trunc,
  sign,  // a > 0 ? 1 : (a < 0 ? -1 : 0): 0 for NaN and both zeros, result +0
  // Elementary functions: elementary.hpp.
  // clang-format off
  sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, log, log10,
  // clang-format on
  atan2,  // atan2(a, b)
  pow,    // a to the power b
  // Conditions: values of their own kind, seen only by the next six operations (a back end may keep
  // masks).
  less,         // a < b    (false if either is NaN)
  less_equal,   // a <= b   (false if either is NaN)
  equal,        // a == b   (false if either is NaN)
  not_equal,    // a != b   (true if either is NaN)
  logical_and,  // of two conditions
  logical_or,
  logical_not,
  number,  // condition -> 1.0 or 0.0
  select,  // a ? b : c, with a condition `a`, two numbers `b`, `c`
  // Calls and solved blocks.
  call,       // user function of one output: `a` indexes Tape::calls
  call_many,  // user function of several outputs: `a` indexes Tape::calls; has no value of its own
  solve,      // runs region `a` of Tape::regions; has no value of its own
  result,     // number `b` of what instruction `a`, a call_many or solve, has found
};

inline constexpr int n_tape_ops = static_cast<int>(TapeOp::result) + 1;

/// How many of `a`, `b`, `c` are values (ids of earlier instructions).
/// 0 for leaves, calls and `solve`; `result` counts 1 (its `a` is the instruction that found it).
int n_value_operands(TapeOp op);
/// True for the elementary functions sin .. pow (which a back end calls rather than emits).
bool is_elementary(TapeOp op);
/// True for less .. logical_not: the value is a condition, not a number.
bool is_condition(TapeOp op);
/// True for call_many and solve, which have no value of their own but any number of results.
bool has_results(TapeOp op);
/// True where `a` and `b` may be exchanged (min and max are not: they prefer `b` for NaN and equal
/// zeros).
bool is_commutative(TapeOp op);
/// True if value operand `operand` (0 to 2) must be a condition; all others are numbers.
bool takes_condition(TapeOp op, int operand);
std::string_view name(TapeOp op);

struct Instruction {
  TapeOp op;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct ForeignFunction;

/// The derivative of an output of a user function by one of its arguments, itself such a function
/// of the same arguments; `function` is null where it is not known.
struct ForeignPartial {
  std::shared_ptr<const ForeignFunction> function = {};
  std::uint32_t output = 0;
};

/// A user function as the tape sees it: pure, thread-safe, called as function(arguments, context),
/// or, where it has several outputs, as outputs(arguments, values, context) for all of them.
struct ForeignFunction {
  std::string name;
  double (*function)(const double* arguments, const void* context) = nullptr;
  std::shared_ptr<const void> context = {};
  void (*outputs)(const double* arguments, double* values, const void* context) = nullptr;
  std::uint32_t n_outputs = 1;                // [values] of `outputs`
  std::vector<ForeignPartial> partials = {};  // [n_outputs * arity], or empty where none is known
};

struct Call {
  std::uint32_t function;  // index into Tape::functions
  std::vector<ValueId> arguments;
};

struct SolveRegion;
class SparseElimination;

struct Tape {
  std::vector<Instruction> code;  // operands come before their users
  std::vector<double> constants;  // bitwise distinct
  std::vector<ValueId> outputs;   // numbers, never conditions; may repeat, may be leaves
  std::uint32_t n_inputs = 0;
  std::uint32_t n_parameters = 0;
  std::vector<ForeignFunction> functions;
  std::vector<Call> calls;
  std::vector<SolveRegion> regions;
};

/// A block of equations solved in the middle of a tape: find u with r(u, captured, parameters) = 0.
/// `body` has inputs [u..., captured...], the outer tape's parameters, and outputs
/// [r_0 .. r_{n-1}, nonzeros of dr/du in the order of `jacobian_rows/columns`].
/// linear: r is affine in u: one evaluation at u = 0 and one LU with partial pivoting, dense or, of
/// a large sparse matrix, by `elimination`.
/// newton: damped Newton from `guesses` until the step and residual are at rounding level;
/// without convergence, and for a singular matrix, every result is NaN, which the caller treats as
/// a failed evaluation. All back ends run the same solver (region_solver.hpp), lane by lane, so
/// bits agree.
struct SolveRegion {
  enum class Kind : std::uint8_t { linear, newton };

  Kind kind = Kind::linear;
  std::uint32_t n_unknowns = 0;
  std::vector<ValueId> captured;                // values of the outer tape
  std::vector<ValueId> guesses;                 // [n_unknowns] for newton, empty for linear
  std::vector<std::uint32_t> jacobian_rows;     // [n_nonzeros]
  std::vector<std::uint32_t> jacobian_columns;  // [n_nonzeros]
  Tape body;
  std::shared_ptr<const SparseElimination> elimination = {};  // null: dense; set by the builder
};

/// Checks every promise above (operands earlier, kinds right, indices in range); throws
/// InternalError.
void validate(const Tape& tape);

/// One line an instruction, for people and golden tests.
std::string to_text(const Tape& tape);

/// Instructions that compute something (leaves excluded), nested regions included.
std::size_t operation_count(const Tape& tape);

/// True if it or one of its regions calls a user function.
bool calls_functions(const Tape& tape);

/// Builds a tape with common subexpressions shared and constants folded by the tape's own
/// arithmetic. Rewrites only where every result keeps its bits: x*1, x-0, x+(-0), a+(-b), x/2^k,
/// -(-x), constant conditions; never x+0 or x*0. Every call takes constant time, finish() linear
/// time.
class TapeBuilder {
 public:
  TapeBuilder(std::uint32_t n_inputs, std::uint32_t n_parameters);

  ValueId input(std::uint32_t index);
  ValueId parameter(std::uint32_t index);
  ValueId constant(double value);
  ValueId apply(TapeOp op, ValueId a, ValueId b = 0, ValueId c = 0);
  ValueId call(const ForeignFunction& function, std::span<const ValueId> arguments);
  /// Output `k` of a function of several; the call itself is shared by all of them.
  ValueId call_output(const ForeignFunction& function, std::span<const ValueId> arguments,
                      std::uint32_t k);
  /// Adds a region and its solve instruction; returns the ids of its n_unknowns results.
  std::vector<ValueId> solve(SolveRegion region);

  void output(ValueId value);
  /// The constant's value if `value` is a constant instruction; null otherwise.
  const double* constant_value(ValueId value) const;
  /// Drops instructions that no output needs and returns the finished tape.
  Tape finish() &&;

 private:
  ValueId intern(const Instruction& instruction);
  ValueId simplify_condition(TapeOp op, ValueId a, ValueId b);
  ValueId simplify_number(TapeOp op, ValueId a, ValueId b, ValueId c);
  ValueId fold(TapeOp op, ValueId a, ValueId b, ValueId c);
  ValueId condition(bool value);
  bool is_constant(ValueId value, double expected) const;
  const Instruction* defined_by(TapeOp op, ValueId value) const;
  ValueId intern_call(TapeOp op, const ForeignFunction& function,
                      std::span<const ValueId> arguments);
  std::uint32_t intern_function(const ForeignFunction& function);
  std::uint64_t hash(const Instruction& instruction) const;
  bool same(const Instruction& x, const Instruction& y) const;
  void grow();
  void grow_constants();

  Tape tape_;
  std::vector<ValueId> slots_;                 // open-addressed table over tape_.code, power of two
  std::vector<std::uint32_t> constant_slots_;  // the same over tape_.constants
  using FunctionKey = std::tuple<std::uintptr_t, const void*, std::string>;
  std::map<FunctionKey, std::uint32_t> function_to_index_;
};

/// The same tape made again by the builder, regions included: shared, folded, without dead code;
/// the same bits.
Tape rebuilt(const Tape& tape);

}  // namespace alembert::compile
