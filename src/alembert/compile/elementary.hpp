// SPDX-License-Identifier: Apache-2.0
// Stage: compile. The elementary functions of the tape, one algorithm for one value and for lanes
// (SLEEF's deterministic "finz" family, 1.0 ulp): the scalar function and every lane of the vector
// functions give the same bits. In: a TapeOp. Out: function addresses for the interpreter and for
// emitted calls. On a processor without fused multiply-add the "cinz" family serves instead (no
// lanes then).
//
// Special cases follow C99 Annex F: sin, cos, tan of an infinity, log of a negative number, asin,
// acos and atanh out of range are NaN; log(0) = -inf; f(-0) = -0 for odd functions; pow(x, 0) =
// pow(1, y) = 1 even for NaN. sin, cos and tan reduce every finite argument fully (1e300 too).
// Where this differs from a C library: sinh and cosh are infinite from |x| = 709.7827128933841 on
// (half the largest double), exp and pow for results that come within a factor 1 - 2^-19 of the
// largest double, asinh and acosh from |x| = 1.34e154 on; tan, asinh and others may return zero for
// subnormal arguments and lose accuracy in subnormal results.
#pragma once

#include "alembert/compile/tape.hpp"

namespace alembert::compile {

using UnaryFunction = double (*)(double);
using BinaryFunction = double (*)(double, double);

/// Scalar functions by operation; null where the operation has another arity or is not elementary.
UnaryFunction elementary_unary(TapeOp op);
BinaryFunction elementary_binary(TapeOp op);

/// Address of the vector function for `lanes` doubles in one register (4: AVX2, 8: AVX-512), in the
/// platform's calling convention (arguments and result in vector registers); null if this host
/// cannot run it.
const void* elementary_lanes(TapeOp op, int lanes);

/// One operation of the tape's arithmetic on numbers, as every back end rounds it (conditions
/// as 1.0 and 0.0). Not for leaves, calls and regions. The definition that constant folding and the
/// interpreter share.
double evaluate(TapeOp op, double a, double b, double c);

/// The host's vector width in doubles: 8 (AVX-512 F+DQ), 4 (AVX2 and FMA), or 1.
int host_lanes();

}  // namespace alembert::compile
