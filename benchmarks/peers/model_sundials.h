/* SPDX-License-Identifier: Apache-2.0 */
/* Published problems by hand through SUNDIALS, as one writes them who knows it: CVODE where y' = f,
   IDA where derivatives are implicit or there are constraints (stabilised, index 2); analytic
   Jacobians; a start at each jump of what drives the problem. */
#ifndef ALEMBERT_BENCHMARKS_MODEL_SUNDIALS_H
#define ALEMBERT_BENCHMARKS_MODEL_SUNDIALS_H

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  peer_e5,           /* y1, y2, y4 */
  peer_medical_akzo, /* u1, v1, u2, ... [400] */
  peer_beam,         /* theta [40], theta' [40] */
  peer_nand_gate,    /* y [14] */
  peer_car_axis,     /* p [4], v [4], lambda [2], mu [2] */
  peer_slider_crank, /* p [7], v [7], lambda [3] */
  peer_fekete,       /* p [20, 3], q [20, 3], lambda [20], mu [20] */
  n_peers
} peer_problem;

enum { most_unknowns = 400 };

/* To the end of the problem; y [most_unknowns] out. Nonzero where it failed. */
int model_peer(peer_problem problem, double tolerance, double* y);

#ifdef __cplusplus
}
#endif
#endif
