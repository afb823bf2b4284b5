// SPDX-License-Identifier: Apache-2.0
// Stage: compile, internal to elementary. Addresses of SLEEF's functions, family by family. Its
// header declares a family only in files compiled for the instruction set, so each has a file of
// its own. In: a TapeOp. Out: the address, or null if the operation is not elementary.
#pragma once

#include "alembert/compile/tape.hpp"

namespace alembert::compile {

const void* cinz_scalar(TapeOp op);  // without fused multiply-add, any processor
const void* finz_scalar(TapeOp op);  // one value, needs FMA
const void* finz_avx2(TapeOp op);    // four lanes
const void* finz_avx512(TapeOp op);  // eight lanes

}  // namespace alembert::compile

// The body of such a function. The names differ only in what comes before and after the operation.
#define ALEMBERT_ELEMENTARY_ADDRESS(op, prefix, suffix)                               \
  switch (op) {                                                                       \
    case TapeOp::sin: return reinterpret_cast<const void*>(&prefix##sin##suffix);     \
    case TapeOp::cos: return reinterpret_cast<const void*>(&prefix##cos##suffix);     \
    case TapeOp::tan: return reinterpret_cast<const void*>(&prefix##tan##suffix);     \
    case TapeOp::asin: return reinterpret_cast<const void*>(&prefix##asin##suffix);   \
    case TapeOp::acos: return reinterpret_cast<const void*>(&prefix##acos##suffix);   \
    case TapeOp::atan: return reinterpret_cast<const void*>(&prefix##atan##suffix);   \
    case TapeOp::sinh: return reinterpret_cast<const void*>(&prefix##sinh##suffix);   \
    case TapeOp::cosh: return reinterpret_cast<const void*>(&prefix##cosh##suffix);   \
    case TapeOp::tanh: return reinterpret_cast<const void*>(&prefix##tanh##suffix);   \
    case TapeOp::asinh: return reinterpret_cast<const void*>(&prefix##asinh##suffix); \
    case TapeOp::acosh: return reinterpret_cast<const void*>(&prefix##acosh##suffix); \
    case TapeOp::atanh: return reinterpret_cast<const void*>(&prefix##atanh##suffix); \
    case TapeOp::exp: return reinterpret_cast<const void*>(&prefix##exp##suffix);     \
    case TapeOp::log: return reinterpret_cast<const void*>(&prefix##log##suffix);     \
    case TapeOp::log10: return reinterpret_cast<const void*>(&prefix##log10##suffix); \
    case TapeOp::atan2: return reinterpret_cast<const void*>(&prefix##atan2##suffix); \
    case TapeOp::pow: return reinterpret_cast<const void*>(&prefix##pow##suffix);     \
    default: return nullptr;                                                          \
  }
