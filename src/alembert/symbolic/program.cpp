// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/operation_value.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

namespace {

constexpr std::uint32_t none = 0xffffffffu;
constexpr std::int64_t largest_power = 64;  // beyond it std::pow is as quick and more exact

double integer_power(double base, std::int32_t exponent) {
  double result = 1;
  for (auto n = static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent); n > 0; n >>= 1) {
    if (n & 1u) result *= base;
    base *= base;
  }
  return exponent < 0 ? 1 / result : result;
}

}  // namespace

/// Regions are a tree: the whole, and in it the two branches of each condition that something
/// chooses by. A node belongs to the innermost region that has all of its users, and is run only
/// where the conditions of its regions hold.
class ProgramMaker {
 public:
  ProgramMaker(const ExprPool& pool, std::span<const ExprId> outputs, Program& program)
      : pool_(pool), reach_(pool, outputs), program_(program) {}

  void run(std::span<const ExprId> inputs, std::span<const ExprId> outputs) {
    group_calls();
    find_regions(outputs);
    place_inputs(inputs);
    emit_in_order();
    for (const ExprId output : outputs)
      program_.outputs_.push_back(slots_[reach_.index_of(output)]);
    program_.n_slots_ = n_slots_;
  }

 private:
  /// Calls of one function with the same arguments.
  struct Group {
    std::uint32_t first_member = 0;  // the one that comes first makes the call
    std::uint32_t n_outputs = 0;
    std::uint32_t region = none;
    std::uint32_t slots = 0;
    std::vector<std::uint32_t> members = {};
  };
  struct Region {
    std::uint32_t outer = none;
    std::uint32_t depth = 0;
    std::uint32_t condition = none;  // node
    bool holds = true;
  };

  const UserFunction& function_of(std::uint32_t i) const {
    return pool_.function(pool_.function_of(reach_.nodes()[i]));
  }

  void group_calls() {
    group_of_.assign(reach_.size(), none);
    std::map<std::pair<const void*, std::vector<std::uint32_t>>, std::uint32_t> known;
    for (std::uint32_t i = 0; i < reach_.size(); ++i) {
      if (pool_.op(reach_.nodes()[i]) != Op::call || function_of(i).outputs == nullptr) continue;
      std::vector<std::uint32_t> arguments;
      for (const ExprId child : pool_.children(reach_.nodes()[i])) arguments.push_back(child.value);
      const auto [entry, is_new] =
          known.emplace(std::pair(function_of(i).context.get(), std::move(arguments)),
                        static_cast<std::uint32_t>(groups_.size()));
      if (is_new) groups_.push_back({.first_member = i, .n_outputs = function_of(i).n_outputs});
      group_of_[i] = entry->second;
      groups_[entry->second].members.push_back(i);
    }
  }

  std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    if (a == none) return b;
    while (a != b) {
      std::uint32_t& deeper = regions_[a].depth >= regions_[b].depth ? a : b;
      deeper = regions_[deeper].outer;
    }
    return a;
  }

  std::uint32_t branch(std::uint32_t outer, std::uint32_t condition, bool holds) {
    const auto [entry, is_new] = branches_.emplace(std::tuple(outer, condition, holds),
                                                   static_cast<std::uint32_t>(regions_.size()));
    if (is_new) regions_.push_back({outer, regions_[outer].depth + 1, condition, holds});
    return entry->second;
  }

  /// Users come before what they use.
  void find_regions(std::span<const ExprId> outputs) {
    regions_.push_back({});
    region_.assign(reach_.size(), none);
    for (const ExprId output : outputs) region_[reach_.index_of(output)] = 0;
    for (auto i = static_cast<std::uint32_t>(reach_.size()); i-- > 0;) {
      if (group_of_[i] != none) {
        Group& group = groups_[group_of_[i]];
        region_[i] = group.region = common(group.region, region_[i]);
      }
      const std::uint32_t here = region_[i];
      const auto use = [&](ExprId child, std::uint32_t where) {
        std::uint32_t& region = region_[reach_.index_of(child)];
        region = common(region, where);
      };
      const auto children = pool_.children(reach_.nodes()[i]);
      const bool is_choice = pool_.op(reach_.nodes()[i]) == Op::if_then_else;
      const std::uint32_t condition = is_choice ? reach_.index_of(children[0]) : none;
      for (std::size_t k = 0; k < children.size(); ++k)
        use(children[k], is_choice && k > 0 ? branch(here, condition, k == 1) : here);
    }
    for (const Group& group : groups_)
      for (const std::uint32_t member : group.members) region_[member] = group.region;
  }

  void place_inputs(std::span<const ExprId> inputs) {
    program_.n_inputs_ = inputs.size();
    slots_.assign(reach_.size(), none);
    for (std::uint32_t k = 0; k < inputs.size(); ++k)
      if (reach_.contains(inputs[k])) slots_[reach_.index_of(inputs[k])] = k;
    n_slots_ = static_cast<std::uint32_t>(inputs.size());
    const auto is_constant = [&](std::uint32_t i) {
      const Op op = pool_.op(reach_.nodes()[i]);
      return op == Op::number || op == Op::truth;
    };
    for (std::uint32_t i = 0; i < reach_.size(); ++i) {
      if (!is_constant(i)) continue;
      const ExprId node = reach_.nodes()[i];
      slots_[i] = n_slots_++;
      program_.constants_.push_back(pool_.op(node) == Op::number ? pool_.number_of(node).value()
                                    : pool_.truth_of(node)       ? 1.0
                                                                 : 0.0);
    }
    for (std::uint32_t i = 0; i < reach_.size(); ++i) {
      if (slots_[i] != none || group_of_[i] != none) continue;
      ensure(pool_.op(reach_.nodes()[i]) != Op::symbol, "every symbol of a program is an input");
      slots_[i] = n_slots_++;
    }
    for (Group& group : groups_) {
      group.slots = n_slots_;
      n_slots_ += group.n_outputs;
      for (const std::uint32_t i : group.members) slots_[i] = group.slots + function_of(i).output;
    }
  }

  /// Region after region as long as there is something to do in it, so that jumps are few. Before a
  /// node its operands must be there, the call of its group, and the conditions of its regions: a
  /// region is open once its condition and the region around it are.
  void emit_in_order() {
    const auto n_nodes = static_cast<std::uint32_t>(reach_.size());
    const auto opening = [&](std::uint32_t region) { return n_nodes + region; };
    std::vector<std::uint32_t> n_open(n_nodes + regions_.size(), 0);
    std::vector<std::vector<std::uint32_t>> users(n_nodes + regions_.size());
    const auto need = [&](std::uint32_t user, std::uint32_t needed) {
      users[needed].push_back(user);
      ++n_open[user];
    };
    for (std::uint32_t i = 0; i < n_nodes; ++i) {
      for (const ExprId child : pool_.children(reach_.nodes()[i])) need(i, reach_.index_of(child));
      if (group_of_[i] != none && groups_[group_of_[i]].first_member != i)
        need(i, groups_[group_of_[i]].first_member);
      if (region_[i] != 0) need(i, opening(region_[i]));
    }
    for (std::uint32_t r = 1; r < regions_.size(); ++r) {
      need(opening(r), regions_[r].condition);
      if (regions_[r].outer != 0) need(opening(r), opening(regions_[r].outer));
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> ready;  // by region
    for (std::uint32_t i = n_nodes; i-- > 0;)
      if (n_open[i] == 0) ready[region_[i]].push_back(i);
    std::vector<std::uint32_t> done;
    while (!ready.empty()) {
      auto now = ready.find(current_);
      if (now == ready.end()) now = ready.begin();
      const std::uint32_t i = now->second.back();
      now->second.pop_back();
      if (now->second.empty()) ready.erase(now);
      emit(i);
      for (done = {i}; !done.empty();) {
        const std::uint32_t k = done.back();
        done.pop_back();
        for (const std::uint32_t user : users[k]) {
          if (--n_open[user] != 0) continue;
          if (user >= n_nodes)
            done.push_back(user);
          else
            ready[region_[user]].push_back(user);
        }
      }
    }
    enter(0);
  }

  /// Closes regions and opens others until the present one is `region`.
  void enter(std::uint32_t region) {
    const std::uint32_t shared = common(current_, region);
    while (current_ != shared) {
      program_.code_[jumps_.back()].target = static_cast<std::uint32_t>(program_.code_.size());
      jumps_.pop_back();
      current_ = regions_[current_].outer;
    }
    std::vector<std::uint32_t> inwards;
    for (std::uint32_t r = region; r != shared; r = regions_[r].outer) inwards.push_back(r);
    for (std::size_t k = inwards.size(); k-- > 0;) {
      const Region& opened = regions_[inwards[k]];
      const ExprId condition[] = {reach_.nodes()[opened.condition]};
      jumps_.push_back(static_cast<std::uint32_t>(program_.code_.size()));
      add({.code = opened.holds ? Program::Code::jump_if_not : Program::Code::jump_if}, condition);
    }
    current_ = region;
  }

  void add(Program::Instruction instruction, std::span<const ExprId> operands) {
    instruction.first = static_cast<std::uint32_t>(program_.operands_.size());
    instruction.n = static_cast<std::uint32_t>(operands.size());
    for (const ExprId operand : operands)
      program_.operands_.push_back(slots_[reach_.index_of(operand)]);
    program_.code_.push_back(instruction);
  }

  void emit(std::uint32_t i) {
    const ExprId node = reach_.nodes()[i];
    const auto children = pool_.children(node);
    if (children.empty() && pool_.op(node) != Op::call) return;
    const bool is_family = group_of_[i] != none;
    if (is_family && groups_[group_of_[i]].first_member != i) return;
    enter(region_[i]);
    if (pool_.op(node) == Op::call) {
      const UserFunction& function = function_of(i);
      const auto target = static_cast<std::uint32_t>(program_.callees_.size());
      program_.callees_.push_back({function.function, function.outputs, function.context});
      add({.code = is_family ? Program::Code::call_family : Program::Code::call,
           .result = is_family ? groups_[group_of_[i]].slots : slots_[i],
           .target = target},
          children);
      return;
    }
    if (pool_.op(node) == Op::pow && pool_.is_number(children[1])) {
      const Number& n = pool_.number_of(children[1]);
      if (n.is_integer() && std::abs(n.numerator()) <= largest_power) {
        add({.code = Program::Code::integer_power,
             .exponent = static_cast<std::int32_t>(n.numerator()),
             .result = slots_[i]},
            children.first(1));
        return;
      }
    }
    add({.code = code_of(pool_.op(node), children.size()),
         .op = pool_.op(node),
         .result = slots_[i]},
        children);
  }

  static Program::Code code_of(Op op, std::size_t n_operands) {
    if (n_operands != 2) return Program::Code::operation;
    if (op == Op::add) return Program::Code::sum_of_two;
    return op == Op::mul ? Program::Code::product_of_two : Program::Code::operation;
  }

  const ExprPool& pool_;
  Reach reach_;
  Program& program_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_;  // [n nodes]
  std::vector<Region> regions_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> branches_;
  std::vector<std::uint32_t> region_;  // [n nodes]
  std::vector<std::uint32_t> slots_;   // [n nodes]
  std::uint32_t n_slots_ = 0;
  std::uint32_t current_ = 0;         // region that is open
  std::vector<std::uint32_t> jumps_;  // one for each open region
};

Program::Program(const ExprPool& pool, std::span<const ExprId> inputs,
                 std::span<const ExprId> outputs) {
  ProgramMaker(pool, outputs, *this).run(inputs, outputs);
}

void Program::run(const double* inputs, double* outputs) const {
  struct Frame {
    std::vector<double> slots;
    std::vector<double> arguments;
  };
  // Programs call programs: each depth has a workspace of its own, which stays.
  thread_local std::vector<std::unique_ptr<Frame>> frames;
  thread_local std::size_t depth = 0;
  if (depth == frames.size()) frames.push_back(std::make_unique<Frame>());
  Frame& frame = *frames[depth];
  if (frame.slots.size() < n_slots_) frame.slots.resize(n_slots_);
  std::copy_n(inputs, n_inputs_, frame.slots.begin());
  std::copy(constants_.begin(), constants_.end(),
            frame.slots.begin() + static_cast<std::ptrdiff_t>(n_inputs_));
  struct Deeper {  // also where what is called throws
    std::size_t& depth;
    ~Deeper() { --depth; }
  };
  {
    const Deeper deeper{++depth};
    execute(frame.slots.data(), frame.arguments);
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs[i] = frame.slots[outputs_[i]];
}

void Program::execute(double* slots, std::vector<double>& arguments) const {
  for (std::size_t at = 0; at < code_.size(); ++at) {
    const Instruction& instruction = code_[at];
    const std::uint32_t* operands = operands_.data() + instruction.first;
    switch (instruction.code) {
      case Code::jump_if:
      case Code::jump_if_not:
        if ((slots[operands[0]] != 0) == (instruction.code == Code::jump_if))
          at = instruction.target - std::size_t{1};
        break;
      case Code::integer_power:
        slots[instruction.result] = integer_power(slots[operands[0]], instruction.exponent);
        break;
      case Code::sum_of_two:
        slots[instruction.result] = slots[operands[0]] + slots[operands[1]];
        break;
      case Code::product_of_two:
        slots[instruction.result] = slots[operands[0]] * slots[operands[1]];
        break;
      case Code::operation:
        slots[instruction.result] = operation_value(
            instruction.op, instruction.n, [&](std::size_t k) { return slots[operands[k]]; });
        break;
      case Code::call:
      case Code::call_family: {
        if (arguments.size() < instruction.n) arguments.resize(instruction.n);
        for (std::uint32_t k = 0; k < instruction.n; ++k) arguments[k] = slots[operands[k]];
        const Callee& callee = callees_[instruction.target];
        if (instruction.code == Code::call)
          slots[instruction.result] = callee.function(arguments.data(), callee.context.get());
        else
          callee.outputs(arguments.data(), slots + instruction.result, callee.context.get());
        break;
      }
    }
  }
}

}  // namespace alembert::symbolic
