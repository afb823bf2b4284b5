/* SPDX-License-Identifier: Apache-2.0 */
/* The peer: a problem straight through SUNDIALS, as its own examples do it in C. */
#ifndef ALEMBERT_BENCHMARKS_SUNDIALS_PEER_H
#define ALEMBERT_BENCHMARKS_SUNDIALS_PEER_H

#include "integrate/ivp_problems.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Integrates to t_end with CVODE (Adams where nothing is stiff), or IDA where there is a mass
   matrix; y [n] out. Nonzero where it failed. */
int sundials_peer(const ivp_problem* problem, double relative, double* y);

#ifdef __cplusplus
}
#endif
#endif
