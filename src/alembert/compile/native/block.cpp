// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. From a stretch of tape to a block; see block.hpp.
#include "alembert/compile/native/block.hpp"

#include <algorithm>

namespace alembert::compile::native {
namespace {

/// While a block grows its node count is unknown, so imports carry this bit until number_imports.
constexpr std::uint32_t import_bit = 0x80000000u;

}  // namespace

BlockBuilder::LocalId& BlockBuilder::local(ValueId value, std::uint32_t copy) {
  return locals_[static_cast<std::size_t>(value) * copies_ + copy];
}

Home BlockBuilder::import_home(ValueId value, std::uint32_t copy) const {
  const Instruction& from = tape_.code[value];
  switch (from.op) {
    case TapeOp::input: return Home(Area::input, copy * tape_.n_inputs + from.a);
    case TapeOp::constant: return Home(Area::constant, layout_.constant_slot[from.a]);
    case TapeOp::parameter:
      if (layout_.broadcasts_parameters()) return Home(Area::frame, layout_.parameter_slot[from.a]);
      return Home(Area::parameter,
                  from.a + (layout_.parameters_per_lane ? copy * tape_.n_parameters : 0));
    case TapeOp::call: return Home(Area::frame, layout_.site_of(value).first_slot + copy);
    case TapeOp::result: {
      const Layout::Site& site = layout_.site_of(from.a);
      return Home(Area::frame, site.first_slot + copy * site.n_results + from.b);
    }
    default: return Home(Area::frame, layout_.crossing_slot[value]);
  }
}

std::uint32_t BlockBuilder::import(ValueId value, std::uint32_t copy) {
  // Copies share what does not depend on the group.
  const TapeOp op = tape_.code[value].op;
  const bool common =
      op == TapeOp::constant || (op == TapeOp::parameter && !layout_.parameters_per_lane);
  LocalId& shared = local(value, common ? 0 : copy);
  if (shared.stamp != stamp_) {
    shared = {stamp_, import_bit | static_cast<std::uint32_t>(block_.imports.size())};
    block_.imports.push_back(import_home(value, copy));
  }
  return shared.id;
}

std::uint32_t BlockBuilder::operand(ValueId value, std::uint32_t copy) {
  const LocalId& known = local(value, copy);
  return known.stamp == stamp_ ? known.id : import(value, copy);
}

void BlockBuilder::add_store(std::uint32_t value, Home target) {
  block_.nodes.push_back({store_op, value, static_cast<std::uint32_t>(block_.targets.size())});
  block_.targets.push_back(target);
}

void BlockBuilder::add_arguments(const std::vector<ValueId>& values, std::uint32_t first_slot,
                                 std::uint32_t copy) {
  for (std::uint32_t k = 0; k < values.size(); ++k)
    add_store(operand(values[k], copy), Home(Area::frame, first_slot + k));
}

/// A call or solve: its arguments go to the frame, then the node itself, with nothing between them.
void BlockBuilder::add_site(ValueId id, std::uint32_t copy) {
  const Instruction& instruction = tape_.code[id];
  const Layout::Site& site = layout_.site_of(id);
  if (instruction.op != TapeOp::solve) {
    add_arguments(tape_.calls[instruction.a].arguments, layout_.argument_slot, copy);
  } else {
    const SolveRegion& region = tape_.regions[instruction.a];
    add_arguments(region.captured, layout_.argument_slot, copy);
    add_arguments(region.guesses,
                  layout_.argument_slot + static_cast<std::uint32_t>(region.captured.size()), copy);
  }
  local(id, copy) = {stamp_, static_cast<std::uint32_t>(block_.nodes.size())};
  block_.nodes.push_back(
      {instruction.op, instruction.a, site.first_slot + copy * site.n_results, copy});
}

void BlockBuilder::add(ValueId id, std::uint32_t copy) {
  const Instruction& instruction = tape_.code[id];
  if (instruction.op == TapeOp::call || has_results(instruction.op)) {
    add_site(id, copy);
    return;
  }
  Node node{instruction.op};
  if (instruction.op == TapeOp::result) {
    if (instruction.a >= chunk_.begin) node.a = local(instruction.a, copy).id;
    node.b = import_home(id, copy).slot;
  } else {
    const int n = operand_count(node);
    node.a = operand(instruction.a, copy);
    if (n > 1) node.b = operand(instruction.b, copy);
    if (n > 2) node.c = operand(instruction.c, copy);
  }
  local(id, copy) = {stamp_, static_cast<std::uint32_t>(block_.nodes.size())};
  block_.nodes.push_back(node);
}

void BlockBuilder::add_stores_of(ValueId id, std::uint32_t copy, std::size_t& next_output) {
  if (!layout_.crossing_slot.empty() && layout_.crossing_slot[id] != no_value)
    add_store(operand(id, copy), Home(Area::frame, layout_.crossing_slot[id]));
  const auto n_outputs = static_cast<std::uint32_t>(layout_.outputs.size());
  for (; next_output < n_outputs && layout_.outputs[next_output].value == id; ++next_output)
    add_store(operand(id, copy),
              Home(Area::output, copy * n_outputs + layout_.outputs[next_output].index));
}

void BlockBuilder::number_imports() {
  const auto n_nodes = static_cast<std::uint32_t>(block_.nodes.size());
  const auto fix = [&](std::uint32_t& id) {
    if (id != no_value && (id & import_bit)) id = n_nodes + (id & ~import_bit);
  };
  for (Node& node : block_.nodes) {
    const int n = operand_count(node);
    if (n > 0) fix(node.a);
    if (n > 1) fix(node.b);
    if (n > 2) fix(node.c);
  }
}

Block BlockBuilder::build(const Layout::Chunk& chunk, std::uint32_t copies) {
  if (copies != copies_ || locals_.empty()) {
    copies_ = copies;
    locals_.assign(tape_.code.size() * copies, {});
    stamp_ = 0;
  }
  ++stamp_;
  chunk_ = chunk;
  block_ = {};
  block_.nodes.reserve((chunk.end - chunk.begin) * copies);
  std::size_t next_output =
      std::lower_bound(layout_.outputs.begin(), layout_.outputs.end(), chunk.begin,
                       [](const auto& output, ValueId value) { return output.value < value; }) -
      layout_.outputs.begin();
  for (ValueId id = chunk.begin; id < chunk.end; ++id) {
    const bool leaf = tape_.code[id].op <= TapeOp::constant;
    const std::size_t first_output = next_output;
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      if (!leaf) add(id, copy);
      if (has_results(tape_.code[id].op)) continue;
      next_output = first_output;
      add_stores_of(id, copy, next_output);
    }
  }
  number_imports();
  return std::move(block_);
}

}  // namespace alembert::compile::native
