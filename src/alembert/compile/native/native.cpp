// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. A kernel from a tape: settle the layout, emit, make executable; see
// native.hpp.
#include "alembert/compile/native/native.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <thread>

#include "alembert/base/error.hpp"
#include "alembert/compile/elementary.hpp"
#include "alembert/compile/native/code_memory.hpp"
#include "alembert/compile/native/compile.hpp"
#include "alembert/compile/native/function.hpp"
#include "alembert/compile/native/schedule.hpp"
#include "alembert/compile/native/self_check.hpp"

namespace alembert::compile::native {
namespace {

/// What machine code refers to, and the code itself.
struct NativeCode {
  Sites sites;
  AlignedDoubles pool;
  CodeMemory memory;
};

std::uint32_t choose_threads(const Layout& layout, std::uint32_t wanted) {
  if (layout.chunks.size() < 2) return 1;
  if (wanted == 0) wanted = std::clamp(std::thread::hardware_concurrency(), 1u, 8u);
  return wanted;
}

/// Scalar kernels are mostly called for one group, so they interleave only if told to.
std::uint32_t copies_for(const Tape& tape, const NativeOptions& options) {
  constexpr std::size_t too_large_to_ask = 4096;
  if (options.interleaved_groups != 0) return options.interleaved_groups;
  if (options.lanes == 1 || tape.code.size() > too_large_to_ask) return 1;
  const Layout layout = make_layout(
      tape, {.lanes = options.lanes, .parameters_per_lane = options.parameters_per_lane});
  return choose_copies(BlockBuilder(tape, layout).build(layout.chunks.front(), 1));
}

Kernel compile_body(const Tape& body) { return compile(body, {}); }

bool switched_off() {
  const char* value = std::getenv("ALEMBERT_NATIVE");
  return value != nullptr && std::string_view(value) == "off";
}

bool executable_memory_allowed() {
  static constexpr std::uint8_t code[] = {0xc3};  // ret
  const std::span<const std::uint8_t> part(code);
  return static_cast<bool>(CodeMemory::make({&part, 1}));
}

}  // namespace

Kernel compile(const Tape& tape, const NativeOptions& options, const CutOptions& cuts) {
  const Layout layout = make_layout(tape, {.lanes = options.lanes,
                                           .copies = copies_for(tape, options),
                                           .parameters_per_lane = options.parameters_per_lane,
                                           .cuts = cuts});
  auto code = std::make_shared<NativeCode>();
  code->sites = make_sites(tape, options.lanes, options.parameters_per_lane, &compile_body);
  code->pool = AlignedDoubles(layout.pool.size());
  if (!layout.pool.empty())
    std::memcpy(code->pool.data(), layout.pool.data(), layout.pool.size() * sizeof(double));

  const Addressing addressing(layout, scratch_size(code->sites));
  const FunctionCode function =
      emit_function(tape, layout, addressing, code->sites, code->pool.data(),
                    choose_threads(layout, options.threads));
  const auto bytes = function.assembler->bytes();
  code->memory = CodeMemory::make({&bytes, 1});
  if (!code->memory) return {};

  const Kernel::Shape shape{.n_inputs = tape.n_inputs,
                            .n_parameters = tape.n_parameters,
                            .n_outputs = static_cast<std::uint32_t>(tape.outputs.size()),
                            .lanes = options.lanes,
                            .parameters_per_lane = options.parameters_per_lane,
                            .workspace_size = function.workspace_size};
  const auto entry =
      reinterpret_cast<Kernel::Function>(reinterpret_cast<std::uintptr_t>(code->memory.data()));
  return {shape, entry, std::move(code)};
}

bool available() {
  static const bool possible = host_lanes() >= 4 && executable_memory_allowed();
  return possible && !switched_off();
}

std::uint32_t widest_lanes() {
  if (!available()) return 0;
  if (host_lanes() < 8) return 4;
  static const bool wide = lanes_agree_with_scalar(8);
  return wide ? 8 : 4;
}

Kernel make_kernel(const Tape& tape, const NativeOptions& options) {
  ensure(options.lanes == 1 || options.lanes == 4 || options.lanes == 8,
         "a native kernel has 1, 4 or 8 lanes");
  if (!available() || (options.lanes == 8 && widest_lanes() < 8)) return {};
  return compile(tape, options);
}

}  // namespace alembert::compile::native
