// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/interpret/slots.hpp"

#include <algorithm>
#include <utility>

namespace alembert::compile::interpret {
namespace {

constexpr std::uint32_t never = no_value;

// Calls `visit(value)` for every value that instruction `id` reads. Results are written
// by the instruction that finds them, so `result` reads nothing.
template <class Visit>
void for_each_operand(const Tape& tape, std::size_t id, Visit visit) {
  const Instruction& i = tape.code[id];
  if (i.op == TapeOp::call || i.op == TapeOp::call_many) {
    for (ValueId value : tape.calls[i.a].arguments) visit(value);
  } else if (i.op == TapeOp::solve) {
    for (ValueId value : tape.regions[i.a].captured) visit(value);
    for (ValueId value : tape.regions[i.a].guesses) visit(value);
  } else if (i.op != TapeOp::result) {
    const std::uint32_t operands[] = {i.a, i.b, i.c};
    for (int k = 0; k < n_value_operands(i.op); ++k) visit(operands[k]);
  }
}

}  // namespace

SlotPlan plan_slots(const Tape& tape, std::uint32_t first_free) {
  const std::size_t n = tape.code.size();
  std::vector<std::uint32_t> last_use(n, never);
  std::vector<std::pair<ValueId, ValueId>> results;  // who finds it, the result
  for (std::size_t id = 0; id < n; ++id) {
    for_each_operand(tape, id, [&](ValueId v) { last_use[v] = static_cast<std::uint32_t>(id); });
    if (tape.code[id].op == TapeOp::result)
      results.emplace_back(tape.code[id].a, static_cast<ValueId>(id));
  }
  std::stable_sort(results.begin(), results.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  auto next_result = results.begin();
  for (ValueId value : tape.outputs) last_use[value] = static_cast<std::uint32_t>(n);

  SlotPlan plan;
  plan.value_to_slot.assign(n, no_value);
  plan.n_slots = first_free;
  std::vector<std::uint32_t> free;  // last freed, first reused: still in the cache
  const auto release = [&](ValueId value, std::size_t at) {
    if (last_use[value] != at || plan.value_to_slot[value] == no_value) return;
    free.push_back(plan.value_to_slot[value]);
    last_use[value] = never;  // an operand may occur twice
  };
  const auto place = [&](ValueId value) {
    if (free.empty()) free.push_back(plan.n_slots++);
    plan.value_to_slot[value] = free.back();
    free.pop_back();
  };
  for (std::size_t id = 0; id < n; ++id) {
    const Instruction& i = tape.code[id];
    for_each_operand(tape, id, [&](ValueId value) { release(value, id); });
    if (has_results(i.op)) {
      for (; next_result != results.end() && next_result->first == id; ++next_result)
        place(next_result->second);
    } else if (i.op > TapeOp::constant && i.op != TapeOp::result) {
      place(static_cast<ValueId>(id));
      // Unused: free at once.
      if (last_use[id] == never) free.push_back(plan.value_to_slot[id]);
    }
  }
  return plan;
}

}  // namespace alembert::compile::interpret
