// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/backend.hpp"

#include "alembert/base/error.hpp"
#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/native/native.hpp"
#include "alembert/compile/native/program_code.hpp"

namespace alembert::compile {

Kernel make_kernel(const Tape& tape, Backend backend) {
  if (backend != Backend::interpreter) {
    symbolic::Program::translate_by(&native::translate_program);  // what kernels call
    if (Kernel kernel = native::make_kernel(tape)) return kernel;
    if (backend == Backend::native)
      throw Error(
          "C002",
          "machine code cannot be made here: it needs an x86-64 processor with AVX2 and FMA "
          "and permission to make memory executable. Use the interpreter.");
  }
  return interpret::make_kernel(tape);
}

}  // namespace alembert::compile
