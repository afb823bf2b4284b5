// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <tuple>
#include <utility>

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
      program_.code_[jumps_.back()].result = static_cast<std::uint32_t>(program_.code_.size());
      jumps_.pop_back();
      current_ = regions_[current_].outer;
    }
    std::vector<std::uint32_t> inwards;
    for (std::uint32_t r = region; r != shared; r = regions_[r].outer) inwards.push_back(r);
    for (std::size_t k = inwards.size(); k-- > 0;) {
      const Region& opened = regions_[inwards[k]];
      jumps_.push_back(static_cast<std::uint32_t>(program_.code_.size()));
      add(opened.holds ? Program::Code::jump_if_not : Program::Code::jump_if, 0,
          slots_[opened.condition]);
    }
    current_ = region;
  }

  std::uint32_t slot(ExprId node) const { return slots_[reach_.index_of(node)]; }

  void add(Program::Code code, std::uint32_t result, std::uint32_t a, std::uint32_t b = 0,
           std::uint16_t n = 0) {
    program_.code_.push_back({.code = code, .n = n, .result = result, .a = a, .b = b});
  }

  /// ((a, b), c), ...
  void add_chain(Program::Code code, std::uint32_t result, std::span<const ExprId> operands) {
    add(code, result, slot(operands[0]), slot(operands[1]));
    for (const ExprId operand : operands.subspan(2)) add(code, result, result, slot(operand));
  }

  void emit(std::uint32_t i) {
    const ExprId node = reach_.nodes()[i];
    const auto children = pool_.children(node);
    if (children.empty() && pool_.op(node) != Op::call) return;
    const bool is_family = group_of_[i] != none;
    if (is_family && groups_[group_of_[i]].first_member != i) return;
    enter(region_[i]);
    if (pool_.op(node) == Op::call)
      emit_call(i, children, is_family);
    else
      emit_operation(pool_.op(node), slots_[i], children);
  }

  void emit_call(std::uint32_t i, std::span<const ExprId> arguments, bool is_family) {
    const UserFunction& function = function_of(i);
    const auto first = static_cast<std::uint32_t>(program_.operands_.size());
    for (const ExprId argument : arguments) program_.operands_.push_back(slot(argument));
    add(is_family ? Program::Code::call_family : Program::Code::call,
        is_family ? groups_[group_of_[i]].slots : slots_[i], first,
        static_cast<std::uint32_t>(program_.callees_.size()));
    program_.callees_.push_back({function.function, function.outputs, function.context,
                                 static_cast<std::uint32_t>(arguments.size())});
  }

  void emit_operation(Op op, std::uint32_t result, std::span<const ExprId> children) {
    using Code = Program::Code;
    if (op == Op::pow && pool_.is_number(children[1]) &&
        emit_power(result, children[0], pool_.number_of(children[1])))
      return;
    if (children.size() >= 2) {
      switch (op) {
        case Op::add: return add_chain(Code::add, result, children);
        case Op::mul: return add_chain(Code::multiply, result, children);
        case Op::logical_and: return add_chain(Code::both, result, children);
        case Op::logical_or: return add_chain(Code::either, result, children);
        case Op::less: return add_chain(Code::less, result, children);
        case Op::less_equal: return add_chain(Code::less_equal, result, children);
        case Op::equal: return add_chain(Code::equal, result, children);
        case Op::not_equal: return add_chain(Code::not_equal, result, children);
        default: break;
      }
    }
    if (children.size() == 3) {
      const auto first = static_cast<std::uint32_t>(program_.operands_.size());
      for (const ExprId child : children) program_.operands_.push_back(slot(child));
      add(op == Op::if_then_else ? Code::choose : Code::semi_linear, result, first);
      return;
    }
    ensure(children.size() <= 2, "what has many operands is a chain");
    add(Code::operation, result, slot(children[0]),
        children.size() == 2 ? slot(children[1]) : slot(children[0]),
        static_cast<std::uint16_t>(op));
  }

  bool emit_power(std::uint32_t result, ExprId base, const Number& exponent) {
    if (!exponent.is_integer() || std::abs(exponent.numerator()) > largest_power) return false;
    const auto n = static_cast<std::int32_t>(exponent.numerator());
    const auto code = n == -1  ? Program::Code::reciprocal
                      : n == 2 ? Program::Code::square
                               : Program::Code::power;
    add(code, result, slot(base), static_cast<std::uint32_t>(n));
    return true;
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
  static std::atomic<std::uint64_t> n_programs = 0;
  id_ = ++n_programs;
  ProgramMaker(pool, outputs, *this).run(inputs, outputs);
}

namespace {

std::atomic<Program::Translate> translate = nullptr;
/// What was thrown in a call, on its way past machine code.
thread_local std::exception_ptr thrown;

template <Op op>
double value_of(double a, double b) {
  return operation_value(op, 2, [&](std::size_t k) { return k == 0 ? a : b; });
}

template <std::size_t... ops>
constexpr auto functions_of(std::index_sequence<ops...>) {
  return std::array<double (*)(double, double), sizeof...(ops)>{&value_of<static_cast<Op>(ops)>...};
}

}  // namespace

double (*Program::function_of(Op op))(double, double) {
  static constexpr auto functions = functions_of(std::make_index_sequence<n_ops>());
  return functions[static_cast<std::size_t>(op)];
}

void Program::translate_by(Translate translate_now) { translate = translate_now; }

decltype(Program::Translation::entry) Program::translation() const {
  constexpr std::uint32_t often = 16;  // to translate costs about as much as so many runs
  if (const auto entry = entry_.load(std::memory_order_acquire)) return entry;
  const Translate how = translate;
  if (how == nullptr || n_runs_.fetch_add(1, std::memory_order_relaxed) < often) return nullptr;
  std::call_once(translated_, [&] {
    translation_ = how(*this);
    entry_.store(translation_.entry, std::memory_order_release);
  });
  return entry_.load(std::memory_order_acquire);
}

void Program::run(const double* inputs, double* outputs) const {
  struct Frame {
    std::uint64_t program = 0;  // whose constants are in the slots
    std::vector<double> slots;
  };
  // Programs call programs: each depth has a workspace of its own, which stays.
  thread_local std::vector<std::unique_ptr<Frame>> frames;
  thread_local std::size_t depth = 0;
  if (depth == frames.size()) frames.push_back(std::make_unique<Frame>());
  Frame& frame = *frames[depth];
  if (frame.slots.size() < n_slots_) frame.slots.resize(n_slots_);
  std::copy_n(inputs, n_inputs_, frame.slots.begin());
  if (frame.program != id_) {
    std::copy(constants_.begin(), constants_.end(),
              frame.slots.begin() + static_cast<std::ptrdiff_t>(n_inputs_));
    frame.program = id_;
  }
  ++depth;
  const auto entry = translation();
  const bool done = entry ? entry(frame.slots.data(), this) : execute(frame.slots.data());
  --depth;
  if (!done) std::rethrow_exception(std::exchange(thrown, nullptr));
  for (std::size_t i = 0; i < outputs_.size(); ++i) outputs[i] = frame.slots[outputs_[i]];
}

bool Program::call(double* slots, const Instruction& now) const noexcept {
  const Callee& callee = callees_[now.b];
  double few[8];
  double* given = few;
  std::vector<double> many;
  if (callee.n_arguments > std::size(few)) {
    many.resize(callee.n_arguments);
    given = many.data();
  }
  for (std::uint32_t k = 0; k < callee.n_arguments; ++k) given[k] = slots[operands_[now.a + k]];
  try {
    if (now.code == Code::call)
      slots[now.result] = callee.function(given, callee.context.get());
    else
      callee.outputs(given, slots + now.result, callee.context.get());
  } catch (...) {
    thrown = std::current_exception();
    return false;
  }
  return true;
}

bool Program::step(const Program* program, double* slots, std::uint32_t instruction) noexcept {
  const Instruction& now = program->code_[instruction];
  const auto operand = [&](std::size_t k) { return slots[k == 0 ? now.a : now.b]; };
  const auto listed = [&](std::size_t k) { return slots[program->operands_[now.a + k]]; };
  const auto set = [&](double value) { slots[now.result] = value; };
  switch (now.code) {
    case Code::add: set(slots[now.a] + slots[now.b]); break;
    case Code::multiply: set(slots[now.a] * slots[now.b]); break;
    case Code::reciprocal: set(1 / slots[now.a]); break;
    case Code::square: set(slots[now.a] * slots[now.a]); break;
    case Code::power: set(integer_power(slots[now.a], static_cast<std::int32_t>(now.b))); break;
    case Code::less: set(slots[now.a] < slots[now.b]); break;
    case Code::less_equal: set(slots[now.a] <= slots[now.b]); break;
    case Code::equal: set(slots[now.a] == slots[now.b]); break;
    case Code::not_equal: set(slots[now.a] != slots[now.b]); break;
    case Code::both: set(slots[now.a] != 0 && slots[now.b] != 0); break;
    case Code::either: set(slots[now.a] != 0 || slots[now.b] != 0); break;
    case Code::choose: set(listed(0) != 0 ? listed(1) : listed(2)); break;
    case Code::semi_linear: set(operation_value(Op::semi_linear, 3, listed)); break;
    case Code::operation: set(operation_value(static_cast<Op>(now.n), 2, operand)); break;
    case Code::jump_if:
    case Code::jump_if_not: break;
    case Code::call:
    case Code::call_family: return program->call(slots, now);
  }
  return true;
}

bool Program::execute(double* slots) const noexcept {
  for (std::uint32_t at = 0; at < code_.size();) {
    const Instruction& now = code_[at];
    const bool is_jump = now.code == Code::jump_if || now.code == Code::jump_if_not;
    if (is_jump && (slots[now.a] != 0) == (now.code == Code::jump_if)) {
      at = now.result;
      continue;
    }
    if (!step(this, slots, at)) return false;
    ++at;
  }
  return true;
}

}  // namespace alembert::symbolic
