// SPDX-License-Identifier: Apache-2.0
// Stage: integrate/sundials. The arithmetic of CVODE and IDA in place of what SUNDIALS brings:
// there every sum of short vectors goes through several calls and case distinctions, and a dense
// solve takes tens of instructions an entry, which is most of the time of a small system.
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_nvector.h>

namespace alembert::integrate::sundials {

/// Of a serial vector and of all that are cloned from it.
void use_own_operations(N_Vector vector);

/// LU with row exchanges of a dense matrix, in place; null where there is no memory.
SUNLinearSolver make_dense_solver(sunindextype n, SUNContext context);

}  // namespace alembert::integrate::sundials
