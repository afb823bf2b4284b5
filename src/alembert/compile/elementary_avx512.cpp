// SPDX-License-Identifier: Apache-2.0
#include <sleef.h>

#include "alembert/compile/elementary_families.hpp"

namespace alembert::compile {

const void* finz_avx512(TapeOp op) { ALEMBERT_ELEMENTARY_ADDRESS(op, Sleef_finz_, d8_u10avx512f) }

}  // namespace alembert::compile
