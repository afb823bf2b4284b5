// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/interpret/run_scalar_body.hpp"

namespace alembert::compile::interpret {

void run_scalar_avx2(const ScalarCode* code, const Frame& frame) { scalar_loop(code, frame); }

}  // namespace alembert::compile::interpret
