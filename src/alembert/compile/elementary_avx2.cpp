// SPDX-License-Identifier: Apache-2.0
#include <sleef.h>

#include "alembert/compile/elementary_families.hpp"

namespace alembert::compile {

const void* finz_scalar(TapeOp op) { ALEMBERT_ELEMENTARY_ADDRESS(op, Sleef_finz_, d1_u10purecfma) }
const void* finz_avx2(TapeOp op) { ALEMBERT_ELEMENTARY_ADDRESS(op, Sleef_finz_, d4_u10avx2) }

}  // namespace alembert::compile
