// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/interpret/program.hpp"

#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/compile/elementary.hpp"
#include "alembert/compile/interpret/slots.hpp"
#include "alembert/compile/region_solver.hpp"
#include "alembert/compile/shared_kernels.hpp"

namespace alembert::compile::interpret {
namespace {

constexpr std::size_t vector_width = 4;

constexpr std::size_t round_up(std::size_t size, std::size_t unit) {
  return (size + unit - 1) / unit * unit;
}

// Parameters that a tape or a region inside it reads, in order.
std::vector<std::uint32_t> parameters_read(const Tape& tape) {
  std::vector<std::uint32_t> read;
  std::vector<const Tape*> to_scan = {&tape};
  while (!to_scan.empty()) {
    const Tape& next = *to_scan.back();
    to_scan.pop_back();
    for (const Instruction& i : next.code)
      if (i.op == TapeOp::parameter) read.push_back(i.a);
    for (const SolveRegion& region : next.regions) to_scan.push_back(&region.body);
  }
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  return read;
}

Opcode opcode(TapeOp op) {
  if (is_elementary(op)) return n_value_operands(op) == 1 ? Opcode::unary : Opcode::binary;
  const auto after = [op](TapeOp first, Opcode first_code) {
    return static_cast<Opcode>(static_cast<std::uint32_t>(first_code) +
                               static_cast<std::uint32_t>(op) - static_cast<std::uint32_t>(first));
  };
  return op < TapeOp::sin ? after(TapeOp::add, Opcode::add) : after(TapeOp::less, Opcode::less);
}
static_assert(static_cast<int>(TapeOp::sign) - static_cast<int>(TapeOp::add) ==
              static_cast<int>(Opcode::sign) - static_cast<int>(Opcode::add));
static_assert(static_cast<int>(TapeOp::select) - static_cast<int>(TapeOp::less) ==
              static_cast<int>(Opcode::select) - static_cast<int>(Opcode::less));

}  // namespace

// Fills the members of a Program.
class Program::Decoder {
 public:
  Decoder(Program& program, const Tape& tape)
      : program_(program),
        tape_(tape),
        scalar_(program.is_scalar()),
        operand_(tape.code.size()),
        site_of_(tape.code.size(), no_value),
        bodies_([&program](const Tape& body) {
          return make_kernel(body, {.portable = !program.avx2_});
        }) {}

  void run() {
    program_.constants_ = tape_.constants;
    place_leaves();
    const SlotPlan plan = plan_slots(tape_, n_leaf_slots_);
    program_.n_slots_ = plan.n_slots;
    ensure(plan.n_slots < 1u << index_bits, "the values of a tape fit its slots");
    for (std::size_t id = 0; id < tape_.code.size(); ++id)
      if (plan.value_to_slot[id] != no_value)
        operand_[id] = make_operand(Base::slots, plan.value_to_slot[id]);
    for (std::size_t id = 0; id < tape_.code.size(); ++id) decode(id);
    if (scalar_)
      program_.scalar_code_.push_back({.op = Opcode::end, .to = 0, .a = 0, .b = 0, .c = 0});
    program_.outputs_ = operands(tape_.outputs);
  }

 private:
  // One lane: leaves are copied to slots of their own before the run, so that every operand is a
  // slot. Many lanes: they are read where they are. Costs what the tape has, not what it could
  // read: a start may be as many tapes as the model has parameters.
  void place_leaves() {
    n_leaf_slots_ = scalar_ ? static_cast<std::uint32_t>(tape_.constants.size()) : 0;
    const auto slot_of = [this](std::uint32_t from, std::vector<LeafCopy>& copies) {
      copies.push_back({from, n_leaf_slots_});
      return make_operand(Base::slots, n_leaf_slots_++);
    };
    for (std::size_t id = 0; id < tape_.code.size(); ++id) {
      const auto [op, a, b, c] = tape_.code[id];
      if (op == TapeOp::input) {
        operand_[id] = scalar_ ? slot_of(a, program_.input_copies_) : make_operand(Base::inputs, a);
      } else if (op == TapeOp::parameter) {
        const Base base =
            program_.shape_.parameters_per_lane ? Base::lane_parameters : Base::uniform_parameters;
        operand_[id] = scalar_ ? slot_of(a, program_.parameter_copies_) : make_operand(base, a);
      } else if (op == TapeOp::constant) {
        operand_[id] = make_operand(scalar_ ? Base::slots : Base::constants, a);
      }
    }
  }

  void decode(std::size_t id) {
    const auto [op, a, b, c] = tape_.code[id];
    if (op <= TapeOp::constant || op == TapeOp::result) {
      if (op == TapeOp::result) add_result(id);
      return;
    }
    if (op == TapeOp::call || op == TapeOp::call_many) {
      const Call& call = tape_.calls[a];
      const ForeignFunction& function = tape_.functions[call.function];
      site_of_[id] = static_cast<std::uint32_t>(program_.calls_.size());
      emit(op, 0, static_cast<std::uint32_t>(program_.calls_.size()), 0, 0);
      program_.calls_.push_back({function, operands(call.arguments), operand_[id], {}});
      need_scratch(call.arguments.size() + function.n_outputs);
      return;
    }
    if (op == TapeOp::solve) {
      emit(op, 0, static_cast<std::uint32_t>(program_.solves_.size()), 0, 0);
      site_of_[id] = static_cast<std::uint32_t>(program_.solves_.size());
      add_solve(tape_.regions[a]);
      return;
    }
    const int n = n_value_operands(op);
    emit(op, operand_[id], operand_[a], n > 1 ? operand_[b] : 0,
         is_elementary(op) ? function(op) : (n > 2 ? operand_[c] : 0));
  }

  void add_result(std::size_t id) {
    const Instruction& i = tape_.code[id];
    const std::uint32_t site = site_of_[i.a];
    auto& results = tape_.code[i.a].op == TapeOp::solve ? program_.solves_[site].results
                                                        : program_.calls_[site].results;
    results.push_back({i.b, operand_[id]});
  }

  void add_solve(const SolveRegion& region) {
    SolveSite site;
    site.region = region;
    const auto kernel_of = [this](const Tape& body) { return bodies_.of(body); };
    site.body = kernel_of(region.body);
    site.lifted = lift_exponentials(region, kernel_of);
    site.captured = operands(region.captured);
    site.guesses = operands(region.guesses);
    if (program_.shape_.parameters_per_lane && !scalar_)
      site.parameters = parameters_read(region.body);
    need_scratch(round_up(region_workspace(region, site.body, site.lifted.get()), 8) +
                 region.captured.size() + 2 * region.n_unknowns +
                 (program_.shape_.parameters_per_lane ? tape_.n_parameters : 0));
    program_.solves_.push_back(std::move(site));
  }

  void emit(TapeOp op, std::uint32_t to, Operand a, Operand b, Operand c) {
    if (scalar_) {
      const Opcode code = op == TapeOp::call        ? Opcode::call
                          : op == TapeOp::call_many ? Opcode::call_many
                          : op == TapeOp::solve     ? Opcode::solve
                                                    : opcode(op);
      program_.scalar_code_.push_back({code, to, a, b, c});
      return;
    }
    unsigned uniform = 0;
    const Operand operands[] = {a, b, c};
    for (int k = 0; k < n_value_operands(op); ++k)
      if (operands[k] >> index_bits >= static_cast<std::uint32_t>(Base::uniform_parameters))
        uniform |= 1u << k;
    const auto operation = program_.avx2_ ? &lane_operation_avx2 : &lane_operation;
    program_.lane_code_.push_back({operation(op, uniform), to, a, b, c});
  }

  std::uint32_t function(TapeOp op) {
    const void* address = !scalar_ && program_.avx2_ ? elementary_lanes(op, vector_width)
                          : n_value_operands(op) == 1
                              ? reinterpret_cast<const void*>(elementary_unary(op))
                              : reinterpret_cast<const void*>(elementary_binary(op));
    auto& known = program_.functions_;
    const auto index =
        static_cast<std::size_t>(std::find(known.begin(), known.end(), address) - known.begin());
    if (index == known.size()) known.push_back(address);
    return static_cast<std::uint32_t>(index);
  }

  std::vector<Operand> operands(const std::vector<ValueId>& values) const {
    std::vector<Operand> found;
    found.reserve(values.size());
    for (ValueId value : values) found.push_back(operand_[value]);
    return found;
  }

  void need_scratch(std::size_t size) {
    program_.scratch_size_ = std::max(program_.scratch_size_, round_up(size, 8));
  }

  Program& program_;
  const Tape& tape_;
  const bool scalar_;
  std::vector<Operand> operand_;        // of every value
  std::vector<std::uint32_t> site_of_;  // of every call and solve
  std::uint32_t n_leaf_slots_ = 0;
  SharedKernels bodies_;
};

Program::Program(const Tape& tape, const InterpreterOptions& options) {
  ensure(options.lanes > 0, "a kernel has at least one lane");
  shape_ = {.n_inputs = tape.n_inputs,
            .n_parameters = tape.n_parameters,
            .n_outputs = static_cast<std::uint32_t>(tape.outputs.size()),
            .lanes = options.lanes,
            .parameters_per_lane = options.parameters_per_lane};
  avx2_ = host_lanes() >= 4 && !options.portable;
  Decoder(*this, tape).run();

  const std::size_t width =
      is_scalar() ? 1 : std::min(round_up(options.lanes, vector_width), max_lanes);
  slots_size_ = round_up(n_slots_ * width, 8);
  shape_.workspace_size = slots_size_ + scratch_size_;
  if (!is_scalar() && options.lanes % vector_width != 0) {
    const std::size_t n_rows =
        tape.n_inputs + (options.parameters_per_lane ? tape.n_parameters : 0);
    shape_.workspace_size += n_rows * width;
  }
}

void Program::run_one_lane(const double* inputs, const double* parameters, double* outputs,
                           double* workspace, std::size_t n_groups) const {
  Frame frame = {};
  frame.slots = workspace;
  frame.base[static_cast<int>(Base::slots)] = workspace;
  frame.stride[static_cast<int>(Base::slots)] = 1;
  frame.width = frame.lanes = 1;
  frame.scratch = workspace + slots_size_;
  frame.functions = functions_.data();
  frame.program = this;
  const auto run = avx2_ ? &run_scalar_avx2 : &run_scalar;

  std::copy(constants_.begin(), constants_.end(), workspace);
  for (std::size_t group = 0; group < n_groups; ++group) {
    if (group == 0 || shape_.parameters_per_lane)
      for (const LeafCopy& copy : parameter_copies_) workspace[copy.slot] = parameters[copy.from];
    for (const LeafCopy& copy : input_copies_) workspace[copy.slot] = inputs[copy.from];
    frame.parameters = parameters;
    run(scalar_code_.data(), frame);
    for (std::size_t k = 0; k < outputs_.size(); ++k) outputs[k] = workspace[outputs_[k]];
    inputs += shape_.n_inputs;
    outputs += shape_.n_outputs;
    if (shape_.parameters_per_lane) parameters += shape_.n_parameters;
  }
}

// Some lanes of a group: `lanes` of them from `first`, in rows of shape_.lanes.
struct Program::Rows {
  const double* inputs;
  const double* parameters;
  double* outputs;
  std::size_t first;
  std::size_t lanes;
};

void Program::run_many_lanes(const double* inputs, const double* parameters, double* outputs,
                             double* workspace, std::size_t n_groups) const {
  const std::size_t lanes = shape_.lanes;
  for (std::size_t group = 0; group < n_groups; ++group) {
    for (std::size_t first = 0; first < lanes; first += max_lanes)
      run_rows({inputs, parameters, outputs, first, std::min(max_lanes, lanes - first)}, workspace);
    inputs += shape_.n_inputs * lanes;
    outputs += shape_.n_outputs * lanes;
    if (shape_.parameters_per_lane) parameters += shape_.n_parameters * lanes;
  }
}

void Program::run_rows(const Rows& rows, double* workspace) const {
  const std::size_t row = shape_.lanes;
  Frame frame = {};
  frame.lanes = rows.lanes;
  frame.width = round_up(rows.lanes, vector_width);
  frame.first_lane = rows.first;
  frame.slots = workspace;
  frame.scratch = workspace + slots_size_;
  frame.parameters = rows.parameters;
  frame.functions = functions_.data();
  frame.program = this;
  const auto set = [&frame](Base base, const double* data, std::size_t stride) {
    frame.base[static_cast<int>(base)] = data;
    frame.stride[static_cast<int>(base)] = stride;
  };
  set(Base::slots, workspace, frame.width);
  set(Base::constants, constants_.data(), 1);
  set(Base::uniform_parameters, rows.parameters, 1);
  if (frame.width == frame.lanes) {
    set(Base::inputs, rows.inputs + rows.first, row);
    set(Base::lane_parameters, rows.parameters + rows.first, row);
  } else {
    // Whole vectors would read beyond the last row, so the loops get padded copies.
    double* copy = workspace + slots_size_ + scratch_size_;
    const auto pad = [&](const double* from, std::size_t n_rows) {
      const double* start = copy;
      for (std::size_t k = 0; k < n_rows; ++k, copy += frame.width) {
        std::copy_n(from + k * row + rows.first, frame.lanes, copy);
        std::fill(copy + frame.lanes, copy + frame.width, 0.0);
      }
      return start;
    };
    set(Base::inputs, pad(rows.inputs, shape_.n_inputs), frame.width);
    if (shape_.parameters_per_lane)
      set(Base::lane_parameters, pad(rows.parameters, shape_.n_parameters), frame.width);
  }

  for (const LaneCode& code : lane_code_) code.run(code, frame);

  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const Operand operand = outputs_[k];
    const std::uint32_t base = operand >> index_bits;
    const std::size_t index = operand & ((1u << index_bits) - 1);
    const double* from = frame.base[base] + index * frame.stride[base];
    double* to = rows.outputs + k * row + rows.first;
    if (base >= static_cast<std::uint32_t>(Base::uniform_parameters)) {
      std::fill_n(to, frame.lanes, *from);
    } else {
      std::copy_n(from, frame.lanes, to);
    }
  }
}

}  // namespace alembert::compile::interpret
