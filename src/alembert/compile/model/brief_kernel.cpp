// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/brief_kernel.hpp"

namespace alembert::compile {

Kernel make_brief_kernel(const Tape& tape, Backend backend) {
  // An instruction takes the interpreter 3 to 7 ns. Machine code takes some 20 us to make, and 0.1
  // to 0.3 us an instruction.
  constexpr std::size_t least_instructions = 300;
  const bool is_small = tape.regions.empty() && tape.code.size() < least_instructions;
  return make_kernel(tape,
                     backend == Backend::automatic && is_small ? Backend::interpreter : backend);
}

}  // namespace alembert::compile
