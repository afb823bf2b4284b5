// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/c_source_solver.hpp"

namespace alembert::compile {

const std::string_view c_dense_solver = R"(struct NAME_region {
  void (*body)(const double *inputs, const double *parameters, double *outputs);
  int n, n_captured, n_nonzeros;
  const int *rows, *columns;
};

struct NAME_work {
  double *inputs, *here, *trial, *matrix, *row_scale, *column_scale, *step;
};

static struct NAME_work NAME_divide(const struct NAME_region *g, const double *captured,
                                    double *memory) {
  struct NAME_work w;
  int k;
  w.inputs = memory;
  w.here = w.inputs + g->n + g->n_captured;
  w.trial = w.here + g->n + g->n_nonzeros;
  w.matrix = w.trial + g->n + g->n_nonzeros;
  w.row_scale = w.matrix + (long)g->n * g->n;
  w.column_scale = w.row_scale + g->n;
  w.step = w.column_scale + g->n;
  for (k = 0; k < g->n_captured; ++k) w.inputs[g->n + k] = captured[k];
  return w;
}

/* The power of two that brings x into [1, 2); 0 if x is zero or subnormal. */
static double NAME_scale_to_one(double x) {
  int exponent;
  if (x < 2.2250738585072014e-308) return 0.0;
  (void)frexp(x, &exponent);
  return ldexp(1.0, 1 - exponent);
}

static int NAME_scale(int n, double *matrix, long next, long across, double *scale) {
  int i, j;
  for (i = 0; i < n; ++i) {
    double *line = matrix + i * across;
    double largest = 0.0;
    for (j = 0; j < n; ++j)
      if (fabs(line[j * next]) > largest) largest = fabs(line[j * next]);
    scale[i] = NAME_scale_to_one(largest);
    if (scale[i] == 0.0) return 0;
    for (j = 0; j < n; ++j) line[j * next] *= scale[i];
  }
  return 1;
}

static int NAME_solve_dense(int n, double *matrix, double *rhs, double *column_scale) {
  int i, j, k, end;
  if (!NAME_scale(n, matrix, n, 1, column_scale)) return 0;
  for (k = 0; k < n; ++k) {
    double *pivot = matrix + (long)k * n;
    int best = k;
    for (i = k + 1; i < n; ++i)
      if (fabs(matrix[(long)i * n + k]) > fabs(matrix[(long)best * n + k])) best = i;
    if (best != k) {
      double *other = matrix + (long)best * n;
      double kept = rhs[k];
      rhs[k] = rhs[best];
      rhs[best] = kept;
      for (j = k; j < n; ++j) {
        kept = pivot[j];
        pivot[j] = other[j];
        other[j] = kept;
      }
    }
    if (!(fabs(pivot[k]) >= n * 2.220446049250313e-16)) return 0;
    for (end = n; end > k + 1 && pivot[end - 1] == 0.0;) --end;
    for (i = k + 1; i < n; ++i) {
      double *row = matrix + (long)i * n;
      double factor;
      if (row[k] == 0.0) continue;
      factor = row[k] / pivot[k];
      for (j = k + 1; j < end; ++j) row[j] -= factor * pivot[j];
      rhs[i] -= factor * rhs[k];
    }
  }
  for (k = n - 1; k >= 0; --k) {
    double *row = matrix + (long)k * n;
    for (end = n; end > k + 1 && row[end - 1] == 0.0;) --end;
    for (j = k + 1; j < end; ++j) rhs[k] -= row[j] * rhs[j];
    rhs[k] /= row[k];
  }
  for (j = 0; j < n; ++j) rhs[j] *= column_scale[j];
  return 1;
}

static int NAME_evaluate(const struct NAME_region *g, const double *inputs,
                         const double *parameters, double *outputs) {
  int k;
  g->body(inputs, parameters, outputs);
  for (k = 0; k < g->n + g->n_nonzeros; ++k)
    if (!isfinite(outputs[k])) return 0;
  return 1;
}

static int NAME_find_step(const struct NAME_region *g, struct NAME_work *w) {
  int i;
  long k;
  for (k = 0; k < (long)g->n * g->n; ++k) w->matrix[k] = 0.0;
  for (i = 0; i < g->n_nonzeros; ++i)
    w->matrix[(long)g->rows[i] * g->n + g->columns[i]] = w->here[g->n + i];
  if (!NAME_scale(g->n, w->matrix, 1, g->n, w->row_scale)) return 0;
  for (i = 0; i < g->n; ++i) w->step[i] = -(w->here[i] * w->row_scale[i]);
  return NAME_solve_dense(g->n, w->matrix, w->step, w->column_scale);
}

static void NAME_fail(const struct NAME_region *g, double *unknowns) {
  int j;
  for (j = 0; j < g->n; ++j) unknowns[j] = NAN;
}

)";

const std::string_view c_linear_solver =
    R"(static void NAME_solve_linear(const struct NAME_region *g, const double *captured,
                              const double *parameters, double *unknowns, double *memory) {
  struct NAME_work w = NAME_divide(g, captured, memory);
  int j;
  for (j = 0; j < g->n; ++j) w.inputs[j] = 0.0;
  if (!NAME_evaluate(g, w.inputs, parameters, w.here) || !NAME_find_step(g, &w)) {
    NAME_fail(g, unknowns);
    return;
  }
  for (j = 0; j < g->n; ++j) unknowns[j] = w.step[j];
}

)";

const std::string_view c_newton_solver =
    R"(static int NAME_residual_is_zero(const struct NAME_region *g, const double *here) {
  int i;
  for (i = 0; i < g->n; ++i)
    if (here[i] != 0.0) return 0;
  return 1;
}

static int NAME_step_is_rounding(const struct NAME_region *g, const double *step, const double *u) {
  int j;
  for (j = 0; j < g->n; ++j)
    if (!(fabs(step[j]) <= 2.0 * 2.220446049250313e-16 * fabs(u[j]))) return 0;
  return 1;
}

static double NAME_change(int k) {
  const double size = 2.220446049250313e-16 * (3 + 5 * k % 7);
  return k % 2 == 0 ? 1.0 + size : 1.0 - size;
}

static int NAME_residual_is_rounding(const struct NAME_region *g, const double *captured,
                                     const double *parameters, const double *u,
                                     struct NAME_work *w) {
  int i;
  for (i = 0; i < g->n; ++i) w->inputs[i] = u[i] * NAME_change(i);
  for (i = 0; i < g->n_captured; ++i)
    w->inputs[g->n + i] = captured[i] * NAME_change(g->n + i);
  g->body(w->inputs, parameters, w->trial);
  for (i = 0; i < g->n_captured; ++i) w->inputs[g->n + i] = captured[i];
  for (i = 0; i < g->n; ++i)
    if (!(fabs(w->here[i]) <= 4.0 * fabs(w->trial[i] - w->here[i]))) return 0;
  return 1;
}

static double NAME_scaled_residual(const struct NAME_region *g, const double *row_scale,
                                   const double *outputs) {
  double largest = 0.0;
  int i;
  for (i = 0; i < g->n; ++i)
    if (fabs(outputs[i] * row_scale[i]) > largest) largest = fabs(outputs[i] * row_scale[i]);
  return largest;
}

static int NAME_descend(const struct NAME_region *g, const double *captured,
                        const double *parameters, const double *u, struct NAME_work *w) {
  const double before = NAME_scaled_residual(g, w->row_scale, w->here);
  double damping;
  int checked = 0;
  int overshoots = 1;
  int j;
  for (damping = 1.0; damping >= (overshoots ? 9.094947017729282e-13 : 9.5367431640625e-07);
       damping *= 0.5) {
    for (j = 0; j < g->n; ++j) w->inputs[j] = u[j] + damping * w->step[j];
    overshoots = 1;
    if (NAME_evaluate(g, w->inputs, parameters, w->trial)) {
      const double after = NAME_scaled_residual(g, w->row_scale, w->trial);
      if (after <= (1.0 - 0.25 * damping) * before) return 1;
      overshoots = after > 16.0 * before;
      if (!checked && after <= 4.0 * before) {
        if (NAME_residual_is_rounding(g, captured, parameters, u, w)) return 0;
        checked = 1;
      }
    }
  }
  return 0;
}

/* Moves unknowns on which nothing depends at u; 0 if there are none. */
static int NAME_leave_stationary(const struct NAME_region *g, const double *parameters, double *u,
                                 struct NAME_work *w) {
  int j, k, moved = 0;
  for (j = 0; j < g->n; ++j) {
    int stationary = 1;
    for (k = 0; k < g->n_nonzeros && stationary; ++k)
      stationary = g->columns[k] != j || w->here[g->n + k] == 0.0;
    if (!stationary) continue;
    u[j] += 1e-3 * fmax(1.0, fabs(u[j]));
    w->inputs[j] = u[j];
    moved = 1;
  }
  return moved && NAME_evaluate(g, w->inputs, parameters, w->here);
}

static int NAME_iterate(const struct NAME_region *g, const double *captured, const double *guesses,
                        const double *parameters, double *u, struct NAME_work *w) {
  int iteration, j;
  for (j = 0; j < g->n; ++j) w->inputs[j] = u[j] = guesses[j];
  if (!NAME_evaluate(g, w->inputs, parameters, w->here)) return 0;
  for (iteration = 0; iteration < 200; ++iteration) {
    double *kept = w->here;
    if (NAME_residual_is_zero(g, w->here)) return 1;
    if (!NAME_find_step(g, w) &&
        !(NAME_leave_stationary(g, parameters, u, w) && NAME_find_step(g, w)))
      return 0;
    if (NAME_step_is_rounding(g, w->step, u)) {
      for (j = 0; j < g->n; ++j) u[j] += w->step[j];
      return 1;
    }
    if (!NAME_descend(g, captured, parameters, u, w))
      return NAME_residual_is_rounding(g, captured, parameters, u, w);
    for (j = 0; j < g->n; ++j) u[j] = w->inputs[j];
    w->here = w->trial;
    w->trial = kept;
  }
  return NAME_residual_is_rounding(g, captured, parameters, u, w);
}

static void NAME_solve_newton(const struct NAME_region *g, const double *captured,
                              const double *guesses, const double *parameters, double *unknowns,
                              double *memory) {
  struct NAME_work w = NAME_divide(g, captured, memory);
  if (!NAME_iterate(g, captured, guesses, parameters, unknowns, &w)) NAME_fail(g, unknowns);
}

)";

}  // namespace alembert::compile
