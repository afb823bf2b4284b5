/* SPDX-License-Identifier: Apache-2.0 */
/* The chain of chain_frame.hpp by hand through SUNDIALS, in Cartesian coordinates. */
#ifndef ALEMBERT_BENCHMARKS_CONSTRAINED_SUNDIALS_H
#define ALEMBERT_BENCHMARKS_CONSTRAINED_SUNDIALS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { most_links = 4 };

/* n links to t_end; out: q [2n] and v [2n], [x1, y1, x2, ...]. Nonzero where it failed. */
/* IDA on the stabilised index-2 form of Gear, Gupta and Leimkuhler. */
int ida_stabilised(int n, double t_end, double tolerance, double* out);
/* CVODE on the index-1 form, each step projected onto positions and velocities that fit. */
int cvode_projected(int n, double t_end, double tolerance, double* out);

#ifdef __cplusplus
}
#endif
#endif
