// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Entry, group loops and exit around blocks; see function.hpp.
#include "alembert/compile/native/function.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/compile/native/block.hpp"
#include "alembert/compile/native/emitter.hpp"
#include "alembert/compile/native/schedule.hpp"

namespace alembert::compile::native {
namespace {

namespace x86 = asmjit::x86;

constexpr std::size_t expected_bytes_a_node = 8;

struct Part {
  std::unique_ptr<VectorAssembler> code;
  std::uint32_t n_frame_slots = 0;
};

/// The code of one group, or of `copies` groups side by side.
struct Body {
  std::vector<Part> parts;
  std::uint32_t copies = 1;
};

class FunctionEmitter {
 public:
  FunctionEmitter(const Tape& tape, const Layout& layout, const Addressing& addressing,
                  const Sites& sites)
      : tape_(tape), layout_(layout), addressing_(addressing), sites_(sites) {}

  FunctionCode run(const void* pool, std::uint32_t threads);

 private:
  Body emit_body(std::uint32_t copies, std::uint32_t threads);
  void emit_parts(Body& body, std::atomic<std::size_t>& next);
  void enter(const void* pool);
  void set_bases(const void* pool);
  void broadcast_parameters();
  void loop(const Body& body, const asmjit::Label& done);
  void leave();
  std::vector<x86::Gp> saved_registers() const;
  static std::int32_t displacement(std::int64_t offset);

  const Tape& tape_;
  const Layout& layout_;
  const Addressing& addressing_;
  const Sites& sites_;
  VectorAssembler* out_ = nullptr;
  std::uint32_t n_frame_slots_ = 0;
};

std::int32_t FunctionEmitter::displacement(std::int64_t offset) {
  ensure(offset == static_cast<std::int32_t>(offset), "a group of a kernel is below 2 GB");
  return static_cast<std::int32_t>(offset);
}

void FunctionEmitter::emit_parts(Body& body, std::atomic<std::size_t>& next) {
  BlockBuilder builder(tape_, layout_);
  for (std::size_t i; (i = next.fetch_add(1)) < body.parts.size();) {
    Block block = builder.build(layout_.chunks[i], body.copies);
    schedule(block, addressing_.n_registers(), body.copies);
    auto code = std::make_unique<VectorAssembler>(layout_.lanes, addressing_,
                                                  block.nodes.size() * expected_bytes_a_node + 256);
    Emitter emitter(block, layout_, sites_, *code);
    emitter.run();
    body.parts[i] = {std::move(code), emitter.n_frame_slots()};
  }
}

Body FunctionEmitter::emit_body(std::uint32_t copies, std::uint32_t threads) {
  Body body;
  body.copies = copies;
  body.parts.resize(layout_.chunks.size());
  std::atomic<std::size_t> next = 0;
  const auto n_threads = std::min<std::size_t>(threads, body.parts.size());
  std::vector<std::exception_ptr> errors(n_threads);
  {
    std::vector<std::jthread> helpers;
    for (std::size_t k = 1; k < n_threads; ++k)
      helpers.emplace_back([&, k] {
        try {
          emit_parts(body, next);
        } catch (...) {
          errors[k] = std::current_exception();
        }
      });
    emit_parts(body, next);
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  for (const Part& part : body.parts) n_frame_slots_ = std::max(n_frame_slots_, part.n_frame_slots);
  return body;
}

std::vector<x86::Gp> FunctionEmitter::saved_registers() const {
  if (layout_.has_calls) return {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
  std::vector<x86::Gp> saved;
  for (int i = 0; i < addressing_.windows_for(n_frame_slots_); ++i) {
    const x86::Gp base = addressing_.window(i);
    if (base == x86::rbx || base == x86::rbp || base.id() >= x86::r12.id()) saved.push_back(base);
  }
  return saved;
}

/// Arguments: rdi self, rsi inputs, rdx parameters, rcx outputs, r8 workspace, r9 number of groups.
void FunctionEmitter::set_bases(const void* pool) {
  x86::Assembler& a = out_->raw();
  const std::int32_t bias = displacement(addressing_.bias());
  a.lea(addressing_.input(), x86::ptr(x86::rsi, bias));
  a.lea(addressing_.output(), x86::ptr(x86::rcx, bias));
  a.lea(addressing_.parameter(), x86::ptr(x86::rdx, bias));
  if (addressing_.counter() != x86::r9) a.mov(addressing_.counter(), x86::r9);
  a.mov(addressing_.constant(), reinterpret_cast<std::uintptr_t>(pool) + bias);
  // The workspace pointer may itself become a window: that one comes last.
  const int n_windows = addressing_.windows_for(n_frame_slots_);
  const auto set_window = [&](int i) {
    a.lea(addressing_.window(i), x86::ptr(x86::r8, displacement(addressing_.window_offset(i))));
  };
  for (int i = 0; i < n_windows; ++i)
    if (addressing_.window(i) != x86::r8) set_window(i);
  for (int i = 0; i < n_windows; ++i)
    if (addressing_.window(i) == x86::r8) set_window(i);
}

void FunctionEmitter::broadcast_parameters() {
  for (const std::uint32_t parameter : layout_.broadcast_parameters) {
    out_->broadcast(0, x86::ptr(addressing_.parameter(),
                                displacement(8 * std::int64_t{parameter} - addressing_.bias())));
    out_->store({Area::frame, layout_.parameter_slot[parameter]}, 0);
  }
}

void FunctionEmitter::enter(const void* pool) {
  x86::Assembler& a = out_->raw();
  for (const x86::Gp& saved : saved_registers()) a.push(saved);
  if (layout_.has_calls) a.sub(x86::rsp, 8);  // six pushes and the return address: 16-byte aligned
  set_bases(pool);
  broadcast_parameters();
}

void FunctionEmitter::leave() {
  x86::Assembler& a = out_->raw();
  if (layout_.lanes > 1) a.vzeroupper();
  if (layout_.has_calls) a.add(x86::rsp, 8);
  const std::vector<x86::Gp> saved = saved_registers();
  for (auto at = saved.rbegin(); at != saved.rend(); ++at) a.pop(*at);
  a.ret();
}

/// Runs the body while at least `copies` groups are left.
void FunctionEmitter::loop(const Body& body, const asmjit::Label& done) {
  x86::Assembler& a = out_->raw();
  const auto copies = static_cast<std::int32_t>(body.copies);
  a.cmp(addressing_.counter(), copies);
  a.jb(done);
  a.align(asmjit::AlignMode::kCode, 64);
  const asmjit::Label again = a.newLabel();
  a.bind(again);
  for (const Part& part : body.parts) {
    const auto bytes = part.code->bytes();
    ensure(a.embed(bytes.data(), bytes.size()) == asmjit::kErrorOk, "code fits in memory");
  }
  const auto advance = [&](const x86::Gp& base, std::size_t n) {
    const std::int64_t bytes = static_cast<std::int64_t>(n) * addressing_.stride() * copies;
    if (bytes != 0) a.add(base, displacement(bytes));
  };
  advance(addressing_.input(), tape_.n_inputs);
  advance(addressing_.output(), tape_.outputs.size());
  if (layout_.parameters_per_lane) advance(addressing_.parameter(), tape_.n_parameters);
  a.sub(addressing_.counter(), copies);
  a.cmp(addressing_.counter(), copies);
  a.jae(again);
}

FunctionCode FunctionEmitter::run(const void* pool, std::uint32_t threads) {
  std::vector<Body> bodies;
  if (layout_.copies > 1) bodies.push_back(emit_body(layout_.copies, threads));
  bodies.push_back(emit_body(1, threads));
  n_frame_slots_ = std::max(n_frame_slots_, layout_.n_fixed_slots);

  std::size_t n_bytes = 4096 + layout_.broadcast_parameters.size() * 20;
  for (const Body& body : bodies)
    for (const Part& part : body.parts) n_bytes += part.code->bytes().size();
  FunctionCode function;
  function.assembler = std::make_unique<VectorAssembler>(layout_.lanes, addressing_, n_bytes);
  function.workspace_size = addressing_.workspace_size(n_frame_slots_);
  out_ = function.assembler.get();

  enter(pool);
  for (const Body& body : bodies) {
    const asmjit::Label done = out_->raw().newLabel();
    loop(body, done);
    out_->raw().bind(done);
  }
  leave();
  return function;
}

}  // namespace

FunctionCode emit_function(const Tape& tape, const Layout& layout, const Addressing& addressing,
                           const Sites& sites, const void* pool, std::uint32_t threads) {
  return FunctionEmitter(tape, layout, addressing, sites).run(pool, threads);
}

}  // namespace alembert::compile::native
