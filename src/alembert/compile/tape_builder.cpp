// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/compile/elementary.hpp"
#include "alembert/compile/sparse_solve.hpp"
#include "alembert/compile/tape.hpp"
#include "alembert/compile/tape_part.hpp"

namespace alembert::compile {
namespace {

constexpr std::size_t first_table_size = 64;

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// True if x / divisor and x * (1 / divisor) round alike for every x: both are then exact scalings.
bool has_exact_reciprocal(double divisor) {
  int exponent = 0;
  return std::isnormal(divisor) && std::abs(std::frexp(divisor, &exponent)) == 0.5 &&
         std::isnormal(1.0 / divisor);
}

// The fused operation with the sign of its product, or of its addend, changed.
TapeOp with_product_negated(TapeOp op) {
  switch (op) {
    case TapeOp::fma: return TapeOp::fnma;
    case TapeOp::fnma: return TapeOp::fma;
    case TapeOp::fms: return TapeOp::fnms;
    default: return TapeOp::fms;
  }
}

TapeOp with_addend_negated(TapeOp op) {
  switch (op) {
    case TapeOp::fma: return TapeOp::fms;
    case TapeOp::fms: return TapeOp::fma;
    case TapeOp::fnma: return TapeOp::fnms;
    default: return TapeOp::fnma;
  }
}

bool is_call(TapeOp op) { return op == TapeOp::call || op == TapeOp::call_many; }

bool is_fused(TapeOp op) { return op >= TapeOp::fma && op <= TapeOp::fnms; }

}  // namespace

TapeBuilder::TapeBuilder(std::uint32_t n_inputs, std::uint32_t n_parameters)
    : slots_(first_table_size, no_value), constant_slots_(first_table_size, no_value) {
  tape_.n_inputs = n_inputs;
  tape_.n_parameters = n_parameters;
}

ValueId TapeBuilder::input(std::uint32_t index) {
  ensure(index < tape_.n_inputs, "an input of a tape is in range");
  return intern({.op = TapeOp::input, .a = index});
}

ValueId TapeBuilder::parameter(std::uint32_t index) {
  ensure(index < tape_.n_parameters, "a parameter of a tape is in range");
  return intern({.op = TapeOp::parameter, .a = index});
}

ValueId TapeBuilder::constant(double value) {
  if (2 * (tape_.constants.size() + 1) > constant_slots_.size()) grow_constants();
  const std::size_t mask = constant_slots_.size() - 1;
  std::size_t slot = mix(0, bits(value)) & mask;
  while (constant_slots_[slot] != no_value &&
         bits(tape_.constants[constant_slots_[slot]]) != bits(value)) {
    slot = (slot + 1) & mask;
  }
  if (constant_slots_[slot] == no_value) {
    constant_slots_[slot] = static_cast<std::uint32_t>(tape_.constants.size());
    tape_.constants.push_back(value);
  }
  return intern({.op = TapeOp::constant, .a = constant_slots_[slot]});
}

const double* TapeBuilder::constant_value(ValueId value) const {
  const Instruction* constant = defined_by(TapeOp::constant, value);
  return constant ? &tape_.constants[constant->a] : nullptr;
}

ValueId TapeBuilder::apply(TapeOp op, ValueId a, ValueId b, ValueId c) {
  const int n = n_value_operands(op);
  ensure(n > 0 && op != TapeOp::result, "apply makes operations on values");
  if (n < 3) c = 0;
  if (n < 2) b = 0;
  const ValueId operands[] = {a, b, c};
  for (int k = 0; k < n; ++k) {
    ensure(operands[k] < tape_.code.size(), "an operand comes before its user");
    const TapeOp maker = tape_.code[operands[k]].op;
    ensure(!has_results(maker) && is_condition(maker) == takes_condition(op, k),
           "an operand is of the kind that the operation takes");
  }
  if (is_commutative(op) && a > b) std::swap(a, b);
  if (const ValueId folded = fold(op, a, b, c); folded != no_value) return folded;
  const ValueId simpler =
      is_condition(op) ? simplify_condition(op, a, b) : simplify_number(op, a, b, c);
  if (simpler != no_value) return simpler;
  return intern({.op = op, .a = a, .b = b, .c = c});
}

// Conditions have no constants of their own: 0 == 0 and 0 != 0 stand for true and false.
ValueId TapeBuilder::condition(bool value) {
  const ValueId zero = constant(0.0);
  return intern({.op = value ? TapeOp::equal : TapeOp::not_equal, .a = zero, .b = zero});
}

ValueId TapeBuilder::fold(TapeOp op, ValueId a, ValueId b, ValueId c) {
  const int n = n_value_operands(op);
  const ValueId ids[] = {a, b, c};
  double values[3] = {};
  for (int k = 0; k < n; ++k) {
    if (takes_condition(op, k)) return no_value;
    const double* value = constant_value(ids[k]);
    if (value == nullptr) return no_value;
    values[k] = *value;
  }
  const double value = evaluate(op, values[0], values[1], values[2]);
  return is_condition(op) ? condition(value != 0.0) : constant(value);
}

ValueId TapeBuilder::simplify_condition(TapeOp op, ValueId a, ValueId b) {
  if (op != TapeOp::logical_and && op != TapeOp::logical_or && op != TapeOp::logical_not)
    return no_value;
  const ValueId yes = condition(true);
  const ValueId no = condition(false);
  if (op == TapeOp::logical_not) {
    if (const Instruction* inner = defined_by(TapeOp::logical_not, a)) return inner->a;
    // Exact opposites, also for NaN; less and less_equal have none.
    if (const Instruction* inner = defined_by(TapeOp::equal, a))
      return intern({.op = TapeOp::not_equal, .a = inner->a, .b = inner->b});
    if (const Instruction* inner = defined_by(TapeOp::not_equal, a))
      return intern({.op = TapeOp::equal, .a = inner->a, .b = inner->b});
    return no_value;
  }
  const ValueId neutral = op == TapeOp::logical_and ? yes : no;
  const ValueId absorbing = op == TapeOp::logical_and ? no : yes;
  if (a == absorbing || b == absorbing) return absorbing;
  if (a == neutral || a == b) return b;
  if (b == neutral) return a;
  return no_value;
}

ValueId TapeBuilder::simplify_number(TapeOp op, ValueId a, ValueId b, ValueId c) {
  const Instruction* neg_a = defined_by(TapeOp::neg, a);
  const Instruction* neg_b = n_value_operands(op) > 1 ? defined_by(TapeOp::neg, b) : nullptr;
  if (is_fused(op)) {
    if (neg_a) return apply(with_product_negated(op), neg_a->a, b, c);
    if (neg_b) return apply(with_product_negated(op), a, neg_b->a, c);
    if (const Instruction* neg_c = defined_by(TapeOp::neg, c))
      return apply(with_addend_negated(op), a, b, neg_c->a);
    return no_value;
  }
  switch (op) {
    case TapeOp::add:
      if (is_constant(a, -0.0)) return b;
      if (is_constant(b, -0.0)) return a;
      if (neg_b) return apply(TapeOp::sub, a, neg_b->a);
      if (neg_a) return apply(TapeOp::sub, b, neg_a->a);
      break;
    case TapeOp::sub:
      if (is_constant(b, 0.0)) return a;
      if (neg_b) return apply(TapeOp::add, a, neg_b->a);
      break;
    case TapeOp::mul:
      if (is_constant(a, 1.0)) return b;
      if (is_constant(b, 1.0)) return a;
      if (is_constant(a, -1.0)) return apply(TapeOp::neg, b);
      if (is_constant(b, -1.0)) return apply(TapeOp::neg, a);
      if (neg_a && neg_b) return apply(TapeOp::mul, neg_a->a, neg_b->a);
      break;
    case TapeOp::div:
      if (is_constant(b, 1.0)) return a;
      if (const double* divisor = constant_value(b); divisor && has_exact_reciprocal(*divisor))
        return apply(TapeOp::mul, a, constant(1.0 / *divisor));
      if (neg_a && neg_b) return apply(TapeOp::div, neg_a->a, neg_b->a);
      break;
    case TapeOp::neg:
      if (neg_a) return neg_a->a;
      break;
    case TapeOp::abs:
      if (neg_a) return apply(TapeOp::abs, neg_a->a);
      if (defined_by(TapeOp::abs, a)) return a;
      break;
    case TapeOp::number:
      if (a == condition(true)) return constant(1.0);
      if (a == condition(false)) return constant(0.0);
      break;
    case TapeOp::select:
      if (b == c || a == condition(true)) return b;
      if (a == condition(false)) return c;
      if (const Instruction* inner = defined_by(TapeOp::logical_not, a))
        return apply(TapeOp::select, inner->a, c, b);
      break;
    default: break;
  }
  return no_value;
}

bool TapeBuilder::is_constant(ValueId value, double expected) const {
  const double* known = constant_value(value);
  return known != nullptr && bits(*known) == bits(expected);
}

const Instruction* TapeBuilder::defined_by(TapeOp op, ValueId value) const {
  ensure(value < tape_.code.size(), "a value of a tape is in range");
  const Instruction& instruction = tape_.code[value];
  return instruction.op == op ? &instruction : nullptr;
}

ValueId TapeBuilder::call(const ForeignFunction& function, std::span<const ValueId> arguments) {
  ensure(function.function != nullptr, "a user function of one output has an address");
  return intern_call(TapeOp::call, function, arguments);
}

ValueId TapeBuilder::call_output(const ForeignFunction& function,
                                 std::span<const ValueId> arguments, std::uint32_t k) {
  ensure(function.outputs != nullptr, "a user function of several outputs has an address");
  ensure(k < function.n_outputs, "an output of a user function is in range");
  const ValueId call = intern_call(TapeOp::call_many, function, arguments);
  return intern({.op = TapeOp::result, .a = call, .b = k});
}

ValueId TapeBuilder::intern_call(TapeOp op, const ForeignFunction& function,
                                 std::span<const ValueId> arguments) {
  for (ValueId argument : arguments) {
    ensure(argument < tape_.code.size(), "an operand comes before its user");
    const TapeOp maker = tape_.code[argument].op;
    ensure(!is_condition(maker) && !has_results(maker), "an argument is a number");
  }
  // Tentatively added, so that the table can compare it with earlier calls; withdrawn if it is one
  // of them.
  const auto index = static_cast<std::uint32_t>(tape_.calls.size());
  tape_.calls.push_back({intern_function(function), {arguments.begin(), arguments.end()}});
  const ValueId value = intern({.op = op, .a = index});
  if (tape_.code[value].a != index) tape_.calls.pop_back();
  return value;
}

std::uint32_t TapeBuilder::intern_function(const ForeignFunction& function) {
  const auto address = function.outputs != nullptr
                           ? reinterpret_cast<std::uintptr_t>(function.outputs)
                           : reinterpret_cast<std::uintptr_t>(function.function);
  const auto [place, is_new] =
      function_to_index_.try_emplace(FunctionKey{address, function.context.get(), function.name},
                                     static_cast<std::uint32_t>(tape_.functions.size()));
  if (is_new) tape_.functions.push_back(function);
  return place->second;
}

std::vector<ValueId> TapeBuilder::solve(SolveRegion region) {
  const auto index = static_cast<std::uint32_t>(tape_.regions.size());
  const std::uint32_t n = region.n_unknowns;
  for (const std::vector<ValueId>* values : {&region.captured, &region.guesses})
    for (ValueId value : *values)
      ensure(value < tape_.code.size(), "an operand comes before its user");
  if (region.elimination == nullptr)
    region.elimination = SparseElimination::make(n, region.jacobian_rows, region.jacobian_columns);
  tape_.regions.push_back(std::move(region));
  const ValueId solve = intern({.op = TapeOp::solve, .a = index});
  std::vector<ValueId> results(n);
  for (std::uint32_t k = 0; k < n; ++k)
    results[k] = intern({.op = TapeOp::result, .a = solve, .b = k});
  return results;
}

void TapeBuilder::output(ValueId value) {
  ensure(value < tape_.code.size(), "an output is a value of the tape");
  tape_.outputs.push_back(value);
}

std::uint64_t TapeBuilder::hash(const Instruction& i) const {
  std::uint64_t h = mix(static_cast<std::uint64_t>(i.op), 0x51ed270b);
  if (is_call(i.op)) {
    const Call& call = tape_.calls[i.a];
    h = mix(h, call.function);
    for (ValueId argument : call.arguments) h = mix(h, argument);
    return h;
  }
  h = mix(h, std::uint64_t{i.a} << 32 | i.b);
  return mix(h, i.c);
}

bool TapeBuilder::same(const Instruction& x, const Instruction& y) const {
  if (x.op != y.op || !is_call(x.op)) return x == y;
  const Call& first = tape_.calls[x.a];
  const Call& second = tape_.calls[y.a];
  return first.function == second.function && first.arguments == second.arguments;
}

ValueId TapeBuilder::intern(const Instruction& instruction) {
  if (2 * (tape_.code.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(instruction) & mask;
  while (slots_[slot] != no_value) {
    if (same(tape_.code[slots_[slot]], instruction)) return slots_[slot];
    slot = (slot + 1) & mask;
  }
  ensure(tape_.code.size() + 1 < no_value, "a tape has fewer than 2^32 - 1 instructions");
  const auto id = static_cast<ValueId>(tape_.code.size());
  slots_[slot] = id;
  tape_.code.push_back(instruction);
  return id;
}

void TapeBuilder::grow() {
  slots_.assign(2 * slots_.size(), no_value);
  const std::size_t mask = slots_.size() - 1;
  for (ValueId id = 0; id < tape_.code.size(); ++id) {
    std::size_t slot = hash(tape_.code[id]) & mask;
    while (slots_[slot] != no_value) slot = (slot + 1) & mask;
    slots_[slot] = id;
  }
}

void TapeBuilder::grow_constants() {
  constant_slots_.assign(2 * constant_slots_.size(), no_value);
  const std::size_t mask = constant_slots_.size() - 1;
  for (std::uint32_t id = 0; id < tape_.constants.size(); ++id) {
    std::size_t slot = mix(0, bits(tape_.constants[id])) & mask;
    while (constant_slots_[slot] != no_value) slot = (slot + 1) & mask;
    constant_slots_[slot] = id;
  }
}

namespace {

// Moves the elements that are used to the front, in order; returns old index -> new index.
template <class T>
std::vector<std::uint32_t> keep_used(std::vector<T>& elements, const std::vector<bool>& used) {
  std::vector<std::uint32_t> renumbered(elements.size(), no_value);
  std::uint32_t n_kept = 0;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!used[i]) continue;
    if (n_kept != i) elements[n_kept] = std::move(elements[i]);
    renumbered[i] = n_kept++;
  }
  elements.erase(elements.begin() + n_kept, elements.end());
  return renumbered;
}

// What the outputs need: operands come before their users, so one sweep from the end finds it all.
struct Needed {
  std::vector<bool> code, constants, functions, calls, regions;

  explicit Needed(const Tape& tape)
      : code(tape.code.size()),
        constants(tape.constants.size()),
        functions(tape.functions.size()),
        calls(tape.calls.size()),
        regions(tape.regions.size()) {
    mark(tape.outputs);
    for (std::size_t id = tape.code.size(); id-- > 0;)
      if (code[id]) mark_operands(tape, tape.code[id]);
  }

 private:
  void mark(const std::vector<ValueId>& values) {
    for (ValueId value : values) code[value] = true;
  }

  void mark_operands(const Tape& tape, const Instruction& i) {
    if (i.op == TapeOp::constant) {
      constants[i.a] = true;
    } else if (is_call(i.op)) {
      calls[i.a] = true;
      functions[tape.calls[i.a].function] = true;
      mark(tape.calls[i.a].arguments);
    } else if (i.op == TapeOp::solve) {
      regions[i.a] = true;
      mark(tape.regions[i.a].captured);
      mark(tape.regions[i.a].guesses);
    } else {
      const std::uint32_t operands[] = {i.a, i.b, i.c};
      for (int k = 0; k < n_value_operands(i.op); ++k) code[operands[k]] = true;
    }
  }
};

}  // namespace

Tape TapeBuilder::finish() && { return without_unused(std::move(tape_)); }

Tape tape_part(const Tape& tape, std::size_t first, std::size_t count) {
  Tape part = tape;
  const auto begin = tape.outputs.begin() + static_cast<std::ptrdiff_t>(first);
  part.outputs.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  return without_unused(std::move(part));
}

Tape without_unused(Tape tape) {
  const Needed needed(tape);
  const auto value = keep_used(tape.code, needed.code);
  const auto constant = keep_used(tape.constants, needed.constants);
  const auto function = keep_used(tape.functions, needed.functions);
  const auto call = keep_used(tape.calls, needed.calls);
  const auto region = keep_used(tape.regions, needed.regions);

  const auto renumber = [&](std::vector<ValueId>& values) {
    for (ValueId& id : values) id = value[id];
  };
  for (Instruction& i : tape.code) {
    const int n = n_value_operands(i.op);
    if (i.op == TapeOp::constant) i.a = constant[i.a];
    if (is_call(i.op)) i.a = call[i.a];
    if (i.op == TapeOp::solve) i.a = region[i.a];
    if (n > 0) i.a = value[i.a];
    if (n > 1) i.b = value[i.b];
    if (n > 2) i.c = value[i.c];
  }
  for (Call& c : tape.calls) {
    c.function = function[c.function];
    renumber(c.arguments);
  }
  for (SolveRegion& r : tape.regions) {
    renumber(r.captured);
    renumber(r.guesses);
  }
  renumber(tape.outputs);
  return tape;
}

Tape rebuilt(const Tape& tape) {
  TapeBuilder builder(tape.n_inputs, tape.n_parameters);
  std::vector<ValueId> renamed(tape.code.size(), no_value);
  std::vector<std::vector<ValueId>> results(tape.regions.size());  // of the last solve of a region
  const auto rename = [&renamed](std::vector<ValueId> values) {
    for (ValueId& value : values) value = renamed[value];
    return values;
  };
  for (std::size_t id = 0; id < tape.code.size(); ++id) {
    const auto& [op, a, b, c] = tape.code[id];
    const int n = n_value_operands(op);
    switch (op) {
      case TapeOp::input: renamed[id] = builder.input(a); break;
      case TapeOp::parameter: renamed[id] = builder.parameter(a); break;
      case TapeOp::constant: renamed[id] = builder.constant(tape.constants[a]); break;
      case TapeOp::call: {
        const Call& call = tape.calls[a];
        renamed[id] = builder.call(tape.functions[call.function], rename(call.arguments));
        break;
      }
      case TapeOp::solve: {
        SolveRegion region = tape.regions[a];
        region.captured = rename(std::move(region.captured));
        region.guesses = rename(std::move(region.guesses));
        region.body = rebuilt(region.body);  // as deep as regions are nested: a few levels
        results[a] = builder.solve(std::move(region));
        break;
      }
      case TapeOp::call_many: break;  // made again with its results
      case TapeOp::result: {
        if (tape.code[a].op == TapeOp::solve) {
          renamed[id] = results[tape.code[a].a][b];
          break;
        }
        const Call& call = tape.calls[tape.code[a].a];
        renamed[id] = builder.call_output(tape.functions[call.function], rename(call.arguments), b);
        break;
      }
      default:
        renamed[id] = builder.apply(op, renamed[a], n > 1 ? renamed[b] : 0, n > 2 ? renamed[c] : 0);
    }
  }
  for (ValueId output : tape.outputs) builder.output(renamed[output]);
  return std::move(builder).finish();
}

}  // namespace alembert::compile
