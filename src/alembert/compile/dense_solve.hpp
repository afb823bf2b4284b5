// SPDX-License-Identifier: Apache-2.0
// Stage: compile, internal to region_solver. One small dense linear system, solved in place without
// allocation. In: matrix, right-hand side. Out: the solution, or "singular". Rows and columns are
// first scaled by powers of two (exact), so pivoting and the singularity test do not depend on the
// units of equations and unknowns. Plain multiplications and subtractions in a fixed order: the
// same bits on every host.
#pragma once

#include <cstddef>

namespace alembert::compile {

/// The power of two by which to multiply so that `largest` comes into [1, 2); 0 if it is zero or
/// subnormal.
double scale_to_one(double largest);

/// Scales the rows of matrix [n][n], row by row, to a largest entry in [1, 2); row_scale [n] out.
/// False if a row is zero.
bool scale_rows(std::size_t n, double* matrix, double* row_scale);

/// Solves matrix [n][n] * x = rhs [n], both overwritten; x in rhs. Expects scaled rows;
/// column_scale [n] is work. False if the matrix is singular to rounding: a pivot below n eps
/// beside entries of size one.
bool solve_dense(std::size_t n, double* matrix, double* rhs, double* column_scale);

}  // namespace alembert::compile
