// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. The whole function of a kernel: entry, loops over groups around the
// emitted blocks, exit. In: tape, layout, sites. Out: bytes to be made executable, and the
// workspace they need. Large tapes are emitted block by block on several threads; the bytes do not
// depend on how many.
#pragma once

#include <cstdint>
#include <memory>

#include "alembert/compile/native/addressing.hpp"
#include "alembert/compile/native/layout.hpp"
#include "alembert/compile/native/trampolines.hpp"
#include "alembert/compile/native/vector_assembler.hpp"
#include "alembert/compile/tape.hpp"

namespace alembert::compile::native {

struct FunctionCode {
  std::unique_ptr<VectorAssembler> assembler;  // holds the bytes
  std::size_t workspace_size = 0;              // doubles
};

/// `pool` is where Layout::pool will be while the kernel runs.
FunctionCode emit_function(const Tape& tape, const Layout& layout, const Addressing& addressing,
                           const Sites& sites, const void* pool, std::uint32_t threads);

}  // namespace alembert::compile::native
