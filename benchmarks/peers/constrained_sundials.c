/* SPDX-License-Identifier: Apache-2.0 */
#include "constrained_sundials.h"

#include <cvode/cvode.h>
#include <cvode/cvode_proj.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { most_coordinates = 2 * most_links };

/* Constraint k is (|d_k|^2 - 1)/2 with d_k the rod from mass k - 1 to mass k. */
static void rods(int n, const double* q, double* d) {
  int i;
  for (i = 0; i < 2 * n; ++i) d[i] = q[i] - (i > 1 ? q[i - 2] : 0);
}

/* out = G w, where row k of G has d_k at mass k and -d_k at mass k - 1. */
static void times_g(int n, const double* d, const double* w, double* out) {
  int k;
  for (k = 0; k < n; ++k) {
    out[k] = d[2 * k] * w[2 * k] + d[2 * k + 1] * w[2 * k + 1];
    if (k > 0) out[k] -= d[2 * k] * w[2 * k - 2] + d[2 * k + 1] * w[2 * k - 1];
  }
}

/* out += scale G^T x */
static void add_transposed(int n, const double* d, const double* x, double scale, double* out) {
  int k, c;
  for (k = 0; k < n; ++k)
    for (c = 0; c < 2; ++c) {
      out[2 * k + c] += scale * d[2 * k + c] * x[k];
      if (k > 0) out[2 * k - 2 + c] -= scale * d[2 * k + c] * x[k];
    }
}

/* G G^T x = r, tridiagonal; r becomes x. */
static void solve(int n, const double* d, double* r) {
  double diagonal[most_links], off[most_links];
  int k;
  for (k = 0; k < n; ++k) {
    diagonal[k] = (k > 0 ? 2 : 1) * (d[2 * k] * d[2 * k] + d[2 * k + 1] * d[2 * k + 1]);
    off[k] = k + 1 < n ? -(d[2 * k] * d[2 * k + 2] + d[2 * k + 1] * d[2 * k + 3]) : 0;
  }
  for (k = 1; k < n; ++k) {
    const double factor = off[k - 1] / diagonal[k - 1];
    diagonal[k] -= factor * off[k - 1];
    r[k] -= factor * r[k - 1];
  }
  for (k = n - 1; k >= 0; --k) {
    if (k + 1 < n) r[k] -= off[k] * r[k + 1];
    r[k] /= diagonal[k];
  }
}

/* Accelerations a = f - G^T lambda with G a + |w_k|^2 = 0, w the rates of the rods. */
static void accelerate(int n, const double* q, const double* v, double* a, double* lambda) {
  double d[most_coordinates], w[most_coordinates];
  int i, k;
  rods(n, q, d);
  rods(n, v, w);
  for (i = 0; i < 2 * n; ++i) a[i] = i % 2 == 1 ? -1 : 0;
  times_g(n, d, a, lambda);
  for (k = 0; k < n; ++k) lambda[k] += w[2 * k] * w[2 * k] + w[2 * k + 1] * w[2 * k + 1];
  solve(n, d, lambda);
  add_transposed(n, d, lambda, -1, a);
}

static void start(int n, double* q, double* v) {
  int k;
  memset(q, 0, (size_t)(2 * n) * sizeof(double));
  memset(v, 0, (size_t)(2 * n) * sizeof(double));
  for (k = 0; k < n; ++k) q[2 * k] = k + 1;
}

/* ---- IDA: [q, v, lambda, mu] ---- */

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  const int n = *(const int*)data;
  const double *q = NV_DATA_S(y), *v = q + 2 * n, *lambda = v + 2 * n, *mu = lambda + n;
  const double* slope = NV_DATA_S(yp);
  double *out = NV_DATA_S(r), d[most_coordinates];
  int i, k;
  (void)t;
  rods(n, q, d);
  for (i = 0; i < 2 * n; ++i) {
    out[i] = slope[i] - v[i];
    out[2 * n + i] = slope[2 * n + i] + (i % 2 == 1 ? 1 : 0);
  }
  add_transposed(n, d, mu, 1, out);
  add_transposed(n, d, lambda, 1, out + 2 * n);
  for (k = 0; k < n; ++k)
    out[4 * n + k] = 0.5 * (d[2 * k] * d[2 * k] + d[2 * k + 1] * d[2 * k + 1] - 1);
  times_g(n, d, v, out + 5 * n);
  return 0;
}

/* Adds scale * (the derivative of G^T x by q) at `row` of the columns of q. */
static void add_stiffness(int n, SUNMatrix J, int row, const double* x) {
  int k, c;
  for (k = 0; k < n; ++k)
    for (c = 0; c < 2; ++c) {
      const int here = 2 * k + c, before = here - 2;
      SM_ELEMENT_D(J, row + here, here) += x[k];
      if (k == 0) continue;
      SM_ELEMENT_D(J, row + here, before) -= x[k];
      SM_ELEMENT_D(J, row + before, here) -= x[k];
      SM_ELEMENT_D(J, row + before, before) += x[k];
    }
}

static int ida_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                        void* data, N_Vector s1, N_Vector s2, N_Vector s3) {
  const int n = *(const int*)data, rates = 2 * n, forces = 4 * n, drift = 5 * n;
  const double *q = NV_DATA_S(y), *v = q + 2 * n;
  double d[most_coordinates], w[most_coordinates];
  int i, k, c;
  (void)t, (void)yp, (void)r, (void)s1, (void)s2, (void)s3;
  rods(n, q, d);
  rods(n, v, w);
  for (i = 0; i < 2 * n; ++i) {
    SM_ELEMENT_D(J, i, i) = cj;
    SM_ELEMENT_D(J, i, rates + i) = -1;
    SM_ELEMENT_D(J, rates + i, rates + i) = cj;
  }
  add_stiffness(n, J, 0, q + drift);
  add_stiffness(n, J, rates, q + forces);
  for (k = 0; k < n; ++k)
    for (c = 0; c < 2; ++c) {
      int side;
      for (side = 0; side < (k > 0 ? 2 : 1); ++side) {
        const int at = 2 * k + c - 2 * side;
        const double g = side == 0 ? d[2 * k + c] : -d[2 * k + c];
        SM_ELEMENT_D(J, at, drift + k) = g;
        SM_ELEMENT_D(J, rates + at, forces + k) = g;
        SM_ELEMENT_D(J, forces + k, at) = g;
        SM_ELEMENT_D(J, drift + k, rates + at) = g;
        SM_ELEMENT_D(J, drift + k, at) = side == 0 ? w[2 * k + c] : -w[2 * k + c];
      }
    }
  return 0;
}

int ida_stabilised(int n, double t_end, double tolerance, double* out) {
  SUNContext context = NULL;
  N_Vector y, yp, id;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void* memory;
  realtype t = 0;
  int flag, i;
  SUNContext_Create(NULL, &context);
  y = N_VNew_Serial(6 * n, context);
  yp = N_VClone(y);
  id = N_VClone(y);
  N_VConst(0, y);
  N_VConst(0, yp);
  N_VConst(0, id);
  for (i = 0; i < 4 * n; ++i) NV_DATA_S(id)[i] = 1;
  start(n, NV_DATA_S(y), NV_DATA_S(y) + 2 * n);
  accelerate(n, NV_DATA_S(y), NV_DATA_S(y) + 2 * n, NV_DATA_S(yp) + 2 * n, NV_DATA_S(y) + 4 * n);
  matrix = SUNDenseMatrix(6 * n, 6 * n, context);
  linear = SUNLinSol_Dense(y, matrix, context);
  memory = IDACreate(context);
  IDAInit(memory, residual, 0, y, yp);
  IDASetUserData(memory, &n);
  IDASStolerances(memory, tolerance, tolerance);
  IDASetId(memory, id);
  IDASetSuppressAlg(memory, 1);
  IDASetMaxNumSteps(memory, -1);
  IDASetLinearSolver(memory, linear, matrix);
  IDASetJacFn(memory, ida_jacobian);
  IDASetStopTime(memory, t_end);
  flag = IDASolve(memory, t_end, &t, y, yp, IDA_NORMAL);
  memcpy(out, NV_DATA_S(y), (size_t)(4 * n) * sizeof(double));
  IDAFree(&memory);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(yp);
  N_VDestroy(id);
  SUNContext_Free(&context);
  return flag < 0;
}

/* ---- CVODE: [q, v] ---- */

static int slopes(realtype t, N_Vector y, N_Vector f, void* data) {
  const int n = *(const int*)data;
  const double *q = NV_DATA_S(y), *v = q + 2 * n;
  double lambda[most_links];
  (void)t;
  memcpy(NV_DATA_S(f), v, (size_t)(2 * n) * sizeof(double));
  accelerate(n, q, v, NV_DATA_S(f) + 2 * n, lambda);
  return 0;
}

/* From G a + |w|^2 = 0 and a = f - G^T lambda:
   G G^T dlambda = dG a - G dG^T lambda + d|w|^2, da = -dG^T lambda - G^T dlambda. */
static int cvode_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void* data, N_Vector s1,
                          N_Vector s2, N_Vector s3) {
  const int n = *(const int*)data;
  const double *q = NV_DATA_S(y), *v = q + 2 * n;
  double d[most_coordinates], w[most_coordinates], a[most_coordinates], rod_a[most_coordinates];
  double lambda[most_links], change[most_links];
  int j, side;
  (void)t, (void)f, (void)s1, (void)s2, (void)s3;
  rods(n, q, d);
  rods(n, v, w);
  accelerate(n, q, v, a, lambda);
  rods(n, a, rod_a);
  for (j = 0; j < 2 * n; ++j) {
    double moved[most_coordinates] = {0};
    SM_ELEMENT_D(J, j, 2 * n + j) = 1;
    /* dG^T lambda: coordinate j belongs to the rod that ends there and to the one that begins. */
    for (side = 0; side < 2; ++side) {
      const int k = j / 2 + side;
      if (k >= n) continue;
      moved[j] += lambda[k];
      if (side == 0 && k > 0) moved[j - 2] -= lambda[k];
      if (side == 1) moved[j + 2] -= lambda[k];
    }
    times_g(n, d, moved, change);
    for (side = 0; side < n; ++side) change[side] = -change[side];
    for (side = 0; side < 2; ++side)
      if (j / 2 + side < n) change[j / 2 + side] += (side == 0 ? 1 : -1) * rod_a[j + 2 * side];
    solve(n, d, change);
    for (side = 0; side < 2 * n; ++side) moved[side] = -moved[side];
    add_transposed(n, d, change, -1, moved);
    memcpy(SM_COLUMN_D(J, j) + 2 * n, moved, (size_t)(2 * n) * sizeof(double));
    /* by the rate of coordinate j */
    memset(change, 0, sizeof change);
    for (side = 0; side < 2; ++side)
      if (j / 2 + side < n) change[j / 2 + side] = (side == 0 ? 2 : -2) * w[j + 2 * side];
    solve(n, d, change);
    memset(moved, 0, sizeof moved);
    add_transposed(n, d, change, -1, moved);
    memcpy(SM_COLUMN_D(J, 2 * n + j) + 2 * n, moved, (size_t)(2 * n) * sizeof(double));
  }
  return 0;
}

/* Takes from w what points along the constraints. */
static void project(int n, const double* d, double* w) {
  double x[most_links];
  times_g(n, d, w, x);
  solve(n, d, x);
  add_transposed(n, d, x, -1, w);
}

static int projection(realtype t, N_Vector y, N_Vector correction, realtype tolerance,
                      N_Vector error, void* data) {
  const int n = *(const int*)data;
  double q[most_coordinates], v[most_coordinates], d[most_coordinates], gap[most_links];
  int i, k, pass;
  (void)t, (void)tolerance;
  memcpy(q, NV_DATA_S(y), (size_t)(2 * n) * sizeof(double));
  memcpy(v, NV_DATA_S(y) + 2 * n, (size_t)(2 * n) * sizeof(double));
  for (pass = 0; pass < 10; ++pass) {
    double largest = 0;
    rods(n, q, d);
    for (k = 0; k < n; ++k) {
      gap[k] = 0.5 * (d[2 * k] * d[2 * k] + d[2 * k + 1] * d[2 * k + 1] - 1);
      largest = fmax(largest, fabs(gap[k]));
    }
    if (largest < 1e-14) break;
    solve(n, d, gap);
    add_transposed(n, d, gap, -1, q);
  }
  rods(n, q, d);
  project(n, d, v);
  for (i = 0; i < 2 * n; ++i) {
    NV_DATA_S(correction)[i] = q[i] - NV_DATA_S(y)[i];
    NV_DATA_S(correction)[2 * n + i] = v[i] - NV_DATA_S(y)[2 * n + i];
  }
  if (error) {
    project(n, d, NV_DATA_S(error));
    project(n, d, NV_DATA_S(error) + 2 * n);
  }
  return 0;
}

int cvode_projected(int n, double t_end, double tolerance, double* out) {
  SUNContext context = NULL;
  N_Vector y;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  void* memory;
  realtype t = 0;
  int flag;
  SUNContext_Create(NULL, &context);
  y = N_VNew_Serial(4 * n, context);
  start(n, NV_DATA_S(y), NV_DATA_S(y) + 2 * n);
  matrix = SUNDenseMatrix(4 * n, 4 * n, context);
  linear = SUNLinSol_Dense(y, matrix, context);
  memory = CVodeCreate(CV_BDF, context);
  CVodeInit(memory, slopes, 0, y);
  CVodeSetUserData(memory, &n);
  CVodeSStolerances(memory, tolerance, tolerance);
  CVodeSetMaxNumSteps(memory, -1);
  CVodeSetLinearSolver(memory, linear, matrix);
  CVodeSetJacFn(memory, cvode_jacobian);
  CVodeSetProjFn(memory, projection);
  CVodeSetStopTime(memory, t_end);
  flag = CVode(memory, t_end, y, &t, CV_NORMAL);
  memcpy(out, NV_DATA_S(y), (size_t)(4 * n) * sizeof(double));
  CVodeFree(&memory);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return flag < 0;
}
