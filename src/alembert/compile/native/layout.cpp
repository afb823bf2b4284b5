// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Slots for everything that is known before emission; see layout.hpp.
#include "alembert/compile/native/layout.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <queue>

#include "alembert/base/error.hpp"
#include "alembert/compile/native/operands.hpp"

namespace alembert::compile::native {
namespace {

template <typename Visit>
void for_each_operand(const Tape& tape, const Instruction& instruction, Visit&& visit) {
  switch (instruction.op) {
    case TapeOp::call:
    case TapeOp::call_many:
      for (const ValueId value : tape.calls[instruction.a].arguments) visit(value);
      return;
    case TapeOp::solve:
      for (const ValueId value : tape.regions[instruction.a].captured) visit(value);
      for (const ValueId value : tape.regions[instruction.a].guesses) visit(value);
      return;
    default:
      const int n = n_operands[static_cast<int>(instruction.op)];
      if (n > 0) visit(instruction.a);
      if (n > 1) visit(instruction.b);
      if (n > 2) visit(instruction.c);
  }
}

bool is_leaf(TapeOp op) { return op <= TapeOp::constant; }

void cut(const Tape& tape, const LayoutOptions& options, Layout& layout) {
  const auto n = static_cast<ValueId>(tape.code.size());
  const bool whole = n <= options.cuts.threshold || layout.copies > 1;
  const ValueId step = whole ? std::max<ValueId>(n, 1) : options.cuts.chunk_size;
  for (ValueId begin = 0; begin == 0 || begin < n; begin += step)
    layout.chunks.push_back({begin, std::min(n, begin + step)});
}

void place_outputs(const Tape& tape, Layout& layout) {
  layout.outputs.reserve(tape.outputs.size());
  for (std::uint32_t i = 0; i < tape.outputs.size(); ++i)
    layout.outputs.push_back({tape.outputs[i], i});
  std::stable_sort(layout.outputs.begin(), layout.outputs.end(),
                   [](const auto& x, const auto& y) { return x.value < y.value; });
}

/// Frequent constants first: those are reached with the shortest displacements.
void place_constants(const Tape& tape, const std::vector<std::uint32_t>& n_uses, Layout& layout) {
  std::vector<std::uint32_t> order(tape.constants.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::uint32_t> count(tape.constants.size(), 0);
  bool needs[n_masks] = {};
  for (std::size_t i = 0; i < tape.code.size(); ++i) {
    const Instruction& instruction = tape.code[i];
    switch (instruction.op) {
      case TapeOp::constant: count[instruction.a] += n_uses[i]; break;
      case TapeOp::neg: needs[static_cast<int>(Mask::sign_bit)] = true; break;
      case TapeOp::abs: needs[static_cast<int>(Mask::all_but_sign)] = true; break;
      case TapeOp::logical_not: needs[static_cast<int>(Mask::ones)] = true; break;
      case TapeOp::number: needs[static_cast<int>(Mask::one)] = true; break;
      case TapeOp::sign:
        needs[static_cast<int>(Mask::sign_bit)] = true;
        needs[static_cast<int>(Mask::one)] = true;
        needs[static_cast<int>(Mask::zero)] = true;
        break;
      default: break;
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t x, std::uint32_t y) { return count[x] > count[y]; });

  static constexpr std::uint64_t bits[n_masks] = {0x8000000000000000u, 0x7fffffffffffffffu,
                                                  0xffffffffffffffffu, 0x3ff0000000000000u, 0};
  // Bitwise instructions read a whole register, so a mask of the scalar pool takes 16 bytes.
  const std::uint32_t mask_slots = layout.lanes == 1 ? 2 : 1;
  for (int mask = 0; mask < n_masks; ++mask) {
    if (!needs[mask]) continue;
    layout.mask_slot[mask] = static_cast<std::uint32_t>(layout.pool.size() / layout.lanes);
    layout.pool.insert(layout.pool.end(), mask_slots * layout.lanes, bits[mask]);
  }
  layout.constant_slot.resize(tape.constants.size());
  layout.pool.reserve(layout.pool.size() + order.size() * layout.lanes);
  for (const std::uint32_t constant : order) {
    layout.constant_slot[constant] = static_cast<std::uint32_t>(layout.pool.size() / layout.lanes);
    layout.pool.insert(layout.pool.end(), layout.lanes,
                       std::bit_cast<std::uint64_t>(tape.constants[constant]));
  }
}

/// Vector instructions of AVX2 cannot broadcast an operand, so common parameters are spread once a
/// call.
void place_parameters(const Tape& tape, Layout& layout) {
  if (!layout.broadcasts_parameters()) return;
  layout.parameter_slot.assign(tape.n_parameters, no_value);
  for (const Instruction& instruction : tape.code) {
    if (instruction.op != TapeOp::parameter) continue;
    std::uint32_t& slot = layout.parameter_slot[instruction.a];
    if (slot != no_value) continue;
    slot = layout.n_fixed_slots++;
    layout.broadcast_parameters.push_back(instruction.a);
  }
}

void place_sites(const Tape& tape, Layout& layout) {
  std::uint32_t n_arguments = 0;
  for (ValueId i = 0; i < tape.code.size(); ++i) {
    const Instruction& instruction = tape.code[i];
    if (calls_elementary(instruction.op)) layout.has_calls = true;
    if (instruction.op != TapeOp::call && !has_results(instruction.op)) continue;
    layout.has_calls = true;
    std::uint32_t n_here = 0;
    for_each_operand(tape, instruction, [&](ValueId) { ++n_here; });
    n_arguments = std::max(n_arguments, n_here);
    const std::uint32_t n_results =
        instruction.op == TapeOp::solve
            ? tape.regions[instruction.a].n_unknowns
            : tape.functions[tape.calls[instruction.a].function].n_outputs;
    layout.sites.push_back({i, layout.n_fixed_slots, n_results});
    layout.n_fixed_slots += n_results * layout.copies;
  }
  layout.argument_slot = layout.n_fixed_slots;
  layout.n_fixed_slots += n_arguments;
  layout.first_crossing_slot = layout.n_fixed_slots;
}

/// A value used beyond its chunk gets a frame slot, free again after the last chunk that reads it.
void place_crossing_values(const Tape& tape, Layout& layout) {
  if (layout.chunks.size() < 2) return;
  std::vector<std::uint32_t> last_chunk(tape.code.size(), 0);
  for (std::uint32_t chunk = 0; chunk < layout.chunks.size(); ++chunk)
    for (ValueId i = layout.chunks[chunk].begin; i < layout.chunks[chunk].end; ++i)
      for_each_operand(tape, tape.code[i], [&](ValueId value) { last_chunk[value] = chunk; });

  layout.crossing_slot.assign(tape.code.size(), no_value);
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  std::vector<std::vector<std::uint32_t>> expiring(layout.chunks.size());
  for (std::uint32_t chunk = 0; chunk < layout.chunks.size(); ++chunk) {
    if (chunk > 0)
      for (const std::uint32_t slot : expiring[chunk - 1]) free.push(slot);
    for (ValueId i = layout.chunks[chunk].begin; i < layout.chunks[chunk].end; ++i) {
      const TapeOp op = tape.code[i].op;
      // Leaves and results of calls have a lasting home already.
      if (is_leaf(op) || op >= TapeOp::call || last_chunk[i] <= chunk) continue;
      std::uint32_t slot = layout.n_fixed_slots;
      if (free.empty()) {
        ++layout.n_fixed_slots;
      } else {
        slot = free.top();
        free.pop();
      }
      layout.crossing_slot[i] = slot;
      expiring[last_chunk[i]].push_back(slot);
    }
  }
}

std::vector<std::uint32_t> count_uses(const Tape& tape) {
  std::vector<std::uint32_t> n_uses(tape.code.size(), 0);
  for (const Instruction& instruction : tape.code)
    for_each_operand(tape, instruction, [&](ValueId value) { ++n_uses[value]; });
  return n_uses;
}

}  // namespace

const Layout::Site& Layout::site_of(ValueId instruction) const {
  const auto at =
      std::lower_bound(sites.begin(), sites.end(), instruction,
                       [](const Site& site, ValueId value) { return site.instruction < value; });
  ensure(at != sites.end() && at->instruction == instruction, "every call and solve has a site");
  return *at;
}

Layout make_layout(const Tape& tape, const LayoutOptions& options) {
  Layout layout;
  layout.lanes = options.lanes;
  layout.copies = options.copies;
  layout.parameters_per_lane = options.parameters_per_lane;
  layout.n_parameters = tape.n_parameters;
  cut(tape, options, layout);
  place_outputs(tape, layout);
  place_constants(tape, count_uses(tape), layout);
  place_parameters(tape, layout);
  place_sites(tape, layout);
  place_crossing_values(tape, layout);
  ensure(layout.n_fixed_slots < max_slot / 2, "the frame fits the address range of a kernel");
  return layout;
}

}  // namespace alembert::compile::native
