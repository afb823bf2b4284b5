/* SPDX-License-Identifier: Apache-2.0 */
#include "model_sundials.h"

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

static const double pi = 3.14159265358979323846;

/* The middle of the leg under way: it tells on which side of a jump a time is that lies at it. */
static double middle;

/* ---- a matrix that Jacobians are added to, whatever the linear solver ---- */

typedef enum { dense, banded, sparse, pattern } storage;

typedef struct {
  storage kind;
  int n;
  double* values;
  int column; /* banded: distance of columns */
  int* place; /* sparse: [n * n], of each entry in values; pattern: 1 where one was added */
} matrix;

static void add(const matrix* m, int i, int j, double x) {
  if (m->kind == dense)
    m->values[j * m->n + i] += x;
  else if (m->kind == banded)
    m->values[j * m->column + i - j] += x;
  else if (m->kind == sparse)
    m->values[m->place[j * m->n + i]] += x;
  else
    m->place[j * m->n + i] = 1;
}

typedef struct {
  int n, n_differential; /* algebraic unknowns come last, as do their equations */
  storage kind;
  int half_band;
  double t_end;
  double first_jump, period; /* of what drives it; 0: none, or only the first */
  void (*start)(double* y);
  double (*absolute)(int i); /* the absolute tolerance for a relative one of 1; null: 1 */
  void (*rhs)(double t, const double* y, double* f); /* y' = f, else: */
  void (*residual)(double t, const double* y, const double* yp, double* r);
  /* of f, or of the residual by y + cj y' */
  void (*jacobian)(double t, double cj, const double* y, const double* yp, const matrix* J);
} problem;

/* A x = b for the start, [n, n] by rows; b becomes x. */
static void eliminate(int n, double* a, double* b) {
  int i, j, k;
  for (k = 0; k < n; ++k) {
    int pivot = k;
    for (i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
    for (j = 0; j < n; ++j) {
      const double x = a[k * n + j];
      a[k * n + j] = a[pivot * n + j];
      a[pivot * n + j] = x;
    }
    {
      const double x = b[k];
      b[k] = b[pivot];
      b[pivot] = x;
    }
    for (i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (k = n - 1; k >= 0; --k) {
    for (j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
}

/* ---- E5: y1, y2, y4; y3 = y2 - y4, since a rate of its own would lose that by rounding ---- */

static const double e5_a = 7.89e-10, e5_b = 1.1e7, e5_c = 1.13e3, e5_mc = 1.13e9;

static void e5_start(double* y) { y[0] = 1.76e-3; }
static double e5_absolute(int i) { return i == 0 ? 1e-16 : 1e-20; }
static void e5_rhs(double t, const double* y, double* f) {
  const double y3 = y[1] - y[2], made = e5_a * y[0], bound = e5_b * y[0] * y3;
  (void)t;
  f[0] = -made - bound;
  f[1] = made - e5_mc * y[1] * y3;
  f[2] = bound - e5_c * y[2];
}
static void e5_jacobian(double t, double cj, const double* y, const double* yp, const matrix* J) {
  const double y3 = y[1] - y[2];
  (void)t, (void)cj, (void)yp;
  add(J, 0, 0, -e5_a - e5_b * y3);
  add(J, 0, 1, -e5_b * y[0]);
  add(J, 0, 2, e5_b * y[0]);
  add(J, 1, 0, e5_a);
  add(J, 1, 1, -e5_mc * (y3 + y[1]));
  add(J, 1, 2, e5_mc * y[1]);
  add(J, 2, 0, e5_b * y3);
  add(J, 2, 1, e5_b * y[0]);
  add(J, 2, 2, -e5_b * y[0] - e5_c);
}

/* ---- Medical Akzo Nobel: u_j is y[2 j - 2], v_j is y[2 j - 1] ---- */

enum { akzo_n = 200 };

static void akzo_start(double* y) {
  int j;
  for (j = 0; j < akzo_n; ++j) y[2 * j + 1] = 1;
}
static double akzo_absolute(int i) { return i % 2 == 0 ? 1e-3 : 1; }
/* What the neighbours before and behind count for, and the value itself. */
static void akzo_flow(int j, double* before, double* here, double* behind) {
  const double z = (double)j / akzo_n - 1, cube = z * z * z / 16;
  *before = -cube * akzo_n + cube * z * akzo_n * akzo_n;
  *here = -2 * cube * z * akzo_n * akzo_n;
  *behind = cube * akzo_n + cube * z * akzo_n * akzo_n;
}
static void akzo_rhs(double t, const double* y, double* f) {
  int j;
  (void)t;
  for (j = 1; j <= akzo_n; ++j) {
    const double *u = y + 2 * j - 2, r = 100 * u[0] * u[1];
    f[2 * j - 2] = f[2 * j - 1] = -r;
    if (j < akzo_n) {
      double before, here, behind;
      akzo_flow(j, &before, &here, &behind);
      f[2 * j - 2] += before * (j > 1 ? u[-2] : middle < 5 ? 2 : 0) + here * u[0] + behind * u[2];
    }
  }
}
static void akzo_jacobian(double t, double cj, const double* y, const double* yp, const matrix* J) {
  int j;
  (void)t, (void)cj, (void)yp;
  for (j = 1; j <= akzo_n; ++j) {
    const int u = 2 * j - 2;
    if (j < akzo_n) {
      double before, here, behind;
      akzo_flow(j, &before, &here, &behind);
      if (j > 1) add(J, u, u - 2, before);
      add(J, u, u, here);
      add(J, u, u + 2, behind);
    }
    add(J, u, u, -100 * y[u + 1]);
    add(J, u, u + 1, -100 * y[u]);
    add(J, u + 1, u, -100 * y[u + 1]);
    add(J, u + 1, u + 1, -100 * y[u]);
  }
}

/* ---- Beam: theta'' = C v + D u with C u = D v + theta'^2, C and D tridiagonal ---- */

enum { beam_n = 40 };

typedef struct {
  double c[beam_n + 1], s[beam_n + 1]; /* of the angle from the piece before; ends: 0 */
  double v[beam_n], u[beam_n];
  double pivot[beam_n]; /* of C without exchanges, inverted */
} beam;

static double beam_diagonal(int l) { return l == 0 ? 1 : l == beam_n - 1 ? 3 : 2; }
static double before(const double* x, int l) { return l > 0 ? x[l - 1] : 0; }
static double behind(const double* x, int l) { return l < beam_n - 1 ? x[l + 1] : 0; }
static double beam_force(double t) { return middle < pi ? 1.5 * sin(t) * sin(t) : 0; }

static void beam_solve(const beam* b, double* r) {
  int l;
  for (l = 1; l < beam_n; ++l) r[l] += b->c[l] * b->pivot[l - 1] * r[l - 1];
  r[beam_n - 1] *= b->pivot[beam_n - 1];
  for (l = beam_n - 2; l >= 0; --l) r[l] = (r[l] + b->c[l + 1] * r[l + 1]) * b->pivot[l];
}
static double times_d(const beam* b, const double* x, int l) {
  return -b->s[l] * before(x, l) + b->s[l + 1] * behind(x, l);
}
static void beam_at(double t, const double* y, beam* b) {
  const double force = beam_n * beam_n * beam_force(t);
  const double stiffness = (double)beam_n * beam_n * beam_n * beam_n;
  int l;
  b->c[0] = b->s[0] = b->c[beam_n] = b->s[beam_n] = 0;
  for (l = 1; l < beam_n; ++l) {
    b->c[l] = cos(y[l] - y[l - 1]);
    b->s[l] = sin(y[l] - y[l - 1]);
  }
  for (l = 0; l < beam_n; ++l) {
    const double left = l > 0 ? y[l - 1] : -y[0], right = l < beam_n - 1 ? y[l + 1] : y[l];
    b->v[l] = stiffness * (left - 2 * y[l] + right) + force * (cos(y[l]) + sin(y[l]));
    b->pivot[l] = 1 / (beam_diagonal(l) - (l > 0 ? b->c[l] * b->c[l] * b->pivot[l - 1] : 0));
  }
  for (l = 0; l < beam_n; ++l) b->u[l] = times_d(b, b->v, l) + y[beam_n + l] * y[beam_n + l];
  beam_solve(b, b->u);
}
static void beam_rhs(double t, const double* y, double* f) {
  beam b;
  int l;
  beam_at(t, y, &b);
  for (l = 0; l < beam_n; ++l) {
    f[l] = y[beam_n + l];
    f[beam_n + l] = beam_diagonal(l) * b.v[l] - b.c[l] * before(b.v, l) -
                    b.c[l + 1] * behind(b.v, l) + times_d(&b, b.u, l);
  }
}
static void beam_jacobian(double t, double cj, const double* y, const double* yp, const matrix* J) {
  const double force = beam_n * beam_n * beam_force(t);
  const double stiffness = (double)beam_n * beam_n * beam_n * beam_n;
  beam b;
  int m, l;
  (void)cj, (void)yp;
  beam_at(t, y, &b);
  for (m = 0; m < beam_n; ++m) {
    double dv[beam_n] = {0}, du[beam_n] = {0}, dw[beam_n] = {0};
    const int end = m + 1 < beam_n ? m + 1 : m;
    int side;
    add(J, m, beam_n + m, 1);
    /* by the rate: C du = 2 theta' */
    du[m] = 2 * y[beam_n + m];
    beam_solve(&b, du);
    for (l = 0; l < beam_n; ++l) add(J, beam_n + l, beam_n + m, times_d(&b, du, l));
    /* by the angle, first with C and D as they are */
    memset(du, 0, sizeof du);
    dv[m] = stiffness * (m == 0 ? -3 : m == beam_n - 1 ? -1 : -2) + force * (cos(y[m]) - sin(y[m]));
    if (m > 0) dv[m - 1] = stiffness;
    if (m < beam_n - 1) dv[m + 1] = stiffness;
    for (l = m > 1 ? m - 2 : 0; l < beam_n && l <= m + 2; ++l) {
      du[l] = times_d(&b, dv, l);
      dw[l] = beam_diagonal(l) * dv[l] - b.c[l] * before(dv, l) - b.c[l + 1] * behind(dv, l);
    }
    /* the angles of pieces m and m + 1 to those before them */
    for (side = 0; side < 2; ++side) {
      const int k = side == 0 ? m : end;
      const double dc = (side == 0 ? -1 : 1) * b.s[k], ds = (side == 0 ? 1 : -1) * b.c[k];
      if (k == 0 || (side == 1 && k == m)) continue;
      du[k] += -ds * b.v[k - 1] + dc * b.u[k - 1];
      du[k - 1] += ds * b.v[k] + dc * b.u[k];
      dw[k] += -dc * b.v[k - 1] - ds * b.u[k - 1];
      dw[k - 1] += -dc * b.v[k] + ds * b.u[k];
    }
    beam_solve(&b, du);
    for (l = 0; l < beam_n; ++l) add(J, beam_n + l, m, dw[l] + times_d(&b, du, l));
  }
}

/* ---- NAND gate: nodes 1 to 14; 0 is the ground, 15 the supply, 16 and 17 the pulses ---- */

typedef struct {
  int row, node;
  double value;
} element;
static const element nand_capacities[] = {
    {1, 1, 6e-5},  {1, 5, -6e-5}, {2, 2, 6e-5}, {2, 5, -6e-5},  {5, 1, -6e-5},  {5, 2, -6e-5},
    {5, 5, 17e-5}, {6, 6, 6e-5},  {7, 7, 6e-5}, {10, 10, 5e-5}, {11, 11, 6e-5}, {12, 12, 6e-5}};
static const element nand_conductances[] = {
    {1, 1, .25},   {1, 5, -.25},   {2, 2, .25},   {2, 15, -.25}, {5, 5, .5},    {5, 1, -.25},
    {5, 7, -.25},  {6, 6, .25},    {6, 10, -.25}, {7, 7, .25},   {7, 5, -.25},  {10, 10, .5},
    {10, 6, -.25}, {10, 12, -.25}, {11, 11, .25}, {12, 12, .25}, {12, 10, -.25}};
static const int nand_junctions[6][2] = {{3, 5}, {4, 15}, {8, 10}, {9, 5}, {13, 0}, {14, 10}};
static const struct {
  int row;               /* of the source; that of the drain follows */
  int plus[5], minus[5]; /* drain-source, gate-source, bulk-source, gate-drain, bulk-drain */
  double threshold, gamma, phi, forwards, backwards;
} nand_transistors[3] = {
    {1, {2, 5, 3, 5, 4}, {1, 1, 5, 2, 15}, -2.43, 0.2, 1.28, 5.35e-4, 5.35e-4},
    {6, {7, 16, 8, 16, 9}, {6, 6, 10, 7, 5}, 0.2, 0.035, 1.01, 1.748e-3, 1.748e-4},
    {11, {12, 17, 13, 17, 14}, {11, 11, 0, 12, 10}, 0.2, 0.035, 1.01, 1.748e-3, 1.748e-4}};
enum { n_capacities = sizeof nand_capacities / sizeof nand_capacities[0] };
enum { n_conductances = sizeof nand_conductances / sizeof nand_conductances[0] };

static void nand_start(double* y) {
  static const double at[14] = {5,    5,    -2.5,    -2.5, 5,       3.62385, 5,
                                -2.5, -2.5, 3.62385, 0,    3.62385, -2.5,    -2.5};
  memcpy(y, at, sizeof at);
}
/* Up over 5 from `rise` on, down over 5 from `fall` on. */
static double nand_pulse(double t, double period, double rise, double fall, double* slope) {
  const double begin = period * floor(middle / period), in = middle - begin, s = t - begin;
  *slope = in > fall ? -1 : in > rise && in < rise + 5 ? 1 : 0;
  return in > fall ? fall + 5 - s : in > rise + 5 ? 5 : in > rise ? s - rise : 0;
}
static void nand_voltages(double t, const double* y, double* x, double* slopes) {
  x[0] = 0;
  memcpy(x + 1, y, 14 * sizeof(double));
  x[15] = 5;
  x[16] = nand_pulse(t, 20, 5, 15, &slopes[0]);
  x[17] = nand_pulse(t, 40, 15, 35, &slopes[1]);
}
static double nand_current(int k, const double* x, double* by) {
  double v[5], beta, excess, root, line, i = 0, by_excess = 0;
  int gate, bulk, c, forwards;
  for (c = 0; c < 5; ++c) {
    v[c] = x[nand_transistors[k].plus[c]] - x[nand_transistors[k].minus[c]];
    by[c] = 0;
  }
  forwards = v[0] > 0;
  beta = forwards ? nand_transistors[k].forwards : nand_transistors[k].backwards;
  gate = forwards ? 1 : 3;
  bulk = gate + 1;
  root = sqrt(nand_transistors[k].phi - v[bulk]);
  excess = v[gate] - nand_transistors[k].threshold -
           nand_transistors[k].gamma * (root - sqrt(nand_transistors[k].phi));
  if (excess <= 0 || v[0] == 0) return 0;
  if (!forwards) { /* the same with drain and source exchanged */
    beta = -beta;
    v[0] = -v[0];
  }
  line = 1 + 0.02 * v[0];
  if (excess <= v[0]) {
    i = -beta * excess * excess * line;
    by_excess = -2 * beta * excess * line;
    by[0] = -beta * excess * excess * 0.02;
  } else {
    i = -beta * v[0] * (2 * excess - v[0]) * line;
    by_excess = -2 * beta * v[0] * line;
    by[0] = -beta * ((2 * excess - 2 * v[0]) * line + v[0] * (2 * excess - v[0]) * 0.02);
  }
  if (!forwards) by[0] = -by[0];
  by[gate] = by_excess;
  by[bulk] = by_excess * nand_transistors[k].gamma / (2 * root);
  return i;
}
static double nand_capacity(double v) {
  return v <= 0 ? 2.4e-5 / sqrt(1 - v / 0.87) : 2.4e-5 * (1 + v / 1.74);
}
static void nand_residual(double t, const double* y, const double* yp, double* r) {
  double x[18], slopes[2], by[5], *row = r - 1;
  const double* xp = yp - 1;
  int k;
  nand_voltages(t, y, x, slopes);
  memset(r, 0, 14 * sizeof(double));
  for (k = 0; k < n_capacities; ++k)
    row[nand_capacities[k].row] += nand_capacities[k].value * xp[nand_capacities[k].node];
  for (k = 0; k < n_conductances; ++k)
    row[nand_conductances[k].row] += nand_conductances[k].value * x[nand_conductances[k].node];
  row[6] -= 6e-5 * slopes[0];
  row[7] -= 6e-5 * slopes[0];
  row[11] -= 6e-5 * slopes[1];
  row[12] -= 6e-5 * slopes[1];
  for (k = 0; k < 6; ++k) {
    const int a = nand_junctions[k][0], b = nand_junctions[k][1], node = b > 0 && b < 15;
    const double v = x[a] - x[b], leak = v <= 0 ? -1e-14 * (exp(v / 25.85) - 1) : 0;
    const double flow = nand_capacity(v) * (xp[a] - (node ? xp[b] : 0)) - leak;
    row[a] += flow + (x[a] + 2.5) / 10;
    if (node) row[b] -= flow;
  }
  for (k = 0; k < 3; ++k) {
    const double i = nand_current(k, x, by);
    row[nand_transistors[k].row] += i;
    row[nand_transistors[k].row + 1] -= i;
  }
}
static void nand_jacobian(double t, double cj, const double* y, const double* yp, const matrix* J) {
  double x[18], slopes[2], by[5];
  const double* xp = yp - 1;
  int k, c;
  nand_voltages(t, y, x, slopes);
  for (k = 0; k < n_capacities; ++k)
    add(J, nand_capacities[k].row - 1, nand_capacities[k].node - 1, cj * nand_capacities[k].value);
  for (k = 0; k < n_conductances; ++k)
    if (nand_conductances[k].node < 15)
      add(J, nand_conductances[k].row - 1, nand_conductances[k].node - 1,
          nand_conductances[k].value);
  for (k = 0; k < 6; ++k) {
    const int a = nand_junctions[k][0], b = nand_junctions[k][1], node = b > 0 && b < 15;
    const double v = x[a] - x[b], leak = v <= 0 ? -1e-14 / 25.85 * exp(v / 25.85) : 0;
    const double bend = v <= 0 ? nand_capacity(v) / (1.74 * (1 - v / 0.87)) : 2.4e-5 / 1.74;
    const double by_v = cj * nand_capacity(v) + bend * (xp[a] - (node ? xp[b] : 0)) - leak;
    add(J, a - 1, a - 1, by_v + 0.1);
    if (!node) continue;
    add(J, a - 1, b - 1, -by_v);
    add(J, b - 1, a - 1, -by_v);
    add(J, b - 1, b - 1, by_v);
  }
  for (k = 0; k < 3; ++k) {
    const int source = nand_transistors[k].row - 1;
    nand_current(k, x, by);
    for (c = 0; c < 5; ++c) {
      const int plus = nand_transistors[k].plus[c], minus = nand_transistors[k].minus[c];
      if (plus > 0 && plus < 15) {
        add(J, source, plus - 1, by[c]);
        add(J, source + 1, plus - 1, -by[c]);
      }
      if (minus > 0 && minus < 15) {
        add(J, source, minus - 1, -by[c]);
        add(J, source + 1, minus - 1, by[c]);
      }
    }
  }
}

/* ---- Car axis ---- */

static const double car_k = 5e-4;

/* The point xb, yb of the road and its rates; the gradients of both constraints. */
typedef struct {
  double at[2], rate[2], g[2][4];
} road;
static void car_road(double t, const double* p, road* r) {
  const double dx = p[0] - p[2], dy = p[1] - p[3];
  const double g2[4] = {2 * dx, 2 * dy, -2 * dx, -2 * dy};
  r->at[1] = 0.1 * sin(10 * t);
  r->at[0] = sqrt(1 - r->at[1] * r->at[1]);
  r->rate[1] = cos(10 * t);
  r->rate[0] = -r->at[1] * r->rate[1] / r->at[0];
  r->g[0][0] = r->at[0];
  r->g[0][1] = r->at[1];
  r->g[0][2] = r->g[0][3] = 0;
  memcpy(r->g[1], g2, sizeof g2);
}
static void car_start(double* y) {
  static const double at[8] = {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0};
  memcpy(y, at, sizeof at);
}
static void car_residual(double t, const double* y, const double* yp, double* r) {
  const double *p = y, *v = y + 4, *lambda = y + 8, *mu = y + 10;
  double left, right, d[4];
  road road;
  int i;
  car_road(t, p, &road);
  d[0] = p[0];
  d[1] = p[1];
  d[2] = p[2] - road.at[0];
  d[3] = p[3] - road.at[1];
  left = 0.5 / sqrt(d[0] * d[0] + d[1] * d[1]) - 1;
  right = 0.5 / sqrt(d[2] * d[2] + d[3] * d[3]) - 1;
  r[10] = p[0] * road.rate[0] + p[1] * road.rate[1];
  r[11] = 0;
  for (i = 0; i < 4; ++i) {
    r[i] = yp[i] - v[i] - road.g[0][i] * mu[0] - road.g[1][i] * mu[1];
    r[4 + i] = car_k * yp[4 + i] - (i < 2 ? left : right) * d[i] - road.g[0][i] * lambda[0] -
               road.g[1][i] * lambda[1] + (i % 2 == 1 ? car_k : 0);
    r[10] += road.g[0][i] * v[i];
    r[11] += road.g[1][i] * v[i];
  }
  r[8] = p[0] * road.at[0] + p[1] * road.at[1];
  r[9] = (p[0] - p[2]) * (p[0] - p[2]) + (p[1] - p[3]) * (p[1] - p[3]) - 1;
}
static void car_jacobian(double t, double cj, const double* y, const double* yp, const matrix* J) {
  const double *p = y, *v = y + 4, *lambda = y + 8, *mu = y + 10;
  road road;
  int i, c;
  (void)yp;
  car_road(t, p, &road);
  for (i = 0; i < 4; ++i) {
    const int other = (i + 2) % 4, side = i / 2 * 2; /* the same axis of the other end */
    const double dx = p[side] - (side > 0 ? road.at[0] : 0);
    const double dy = p[side + 1] - (side > 0 ? road.at[1] : 0);
    const double square = dx * dx + dy * dy, length = sqrt(square);
    const double here[2] = {dx, dy};
    add(J, i, i, cj - 2 * mu[1]);
    add(J, i, other, 2 * mu[1]);
    add(J, i, 4 + i, -1);
    add(J, 4 + i, 4 + i, car_k * cj);
    add(J, 4 + i, i, 1 - 0.5 / length - 2 * lambda[1]);
    add(J, 4 + i, other, 2 * lambda[1]);
    for (c = 0; c < 2; ++c) {
      add(J, 4 + i, side + c, 0.5 * here[i % 2] * here[c] / (square * length));
      add(J, i, 10 + c, -road.g[c][i]);
      add(J, 4 + i, 8 + c, -road.g[c][i]);
      add(J, 8 + c, i, road.g[c][i]);
      add(J, 10 + c, 4 + i, road.g[c][i]);
    }
    if (i < 2) add(J, 10, i, road.rate[i]);
    add(J, 11, i, 2 * (v[i] - v[other]));
  }
}

/* ---- Flexible slider crank: M(p) v' = f - G' lambda, G v = (0, 0, Omega) ---- */

static const double crank_pi = 3.1415927, crank_l1 = 0.15, crank_l2 = 0.3, crank_rho = 7870;
typedef struct {
  double mq[4][4], kq[4][4], bq[4][4], c1[4], c2[4], c12[4], c21[4];
} crank_data;
static const crank_data* crank(void) {
  static crank_data d;
  static int known = 0;
  const double p = crank_pi, mass = crank_rho * 0.008 * 0.008 * crank_l2;
  const double k = 2e11 * 0.008 * 0.008 / crank_l2, volume = 0.008 * 0.008 * crank_l2;
  const double bend = k * p * p * p * p / 24 * (0.008 / crank_l2) * (0.008 / crank_l2);
  if (known) return &d;
  known = 1;
  d.mq[0][0] = d.mq[1][1] = mass / 2;
  d.mq[2][2] = 8 * mass;
  d.mq[2][3] = d.mq[3][2] = mass;
  d.mq[3][3] = 2 * mass;
  d.kq[0][0] = bend;
  d.kq[1][1] = 16 * bend;
  d.kq[2][2] = 16 * k / 3;
  d.kq[2][3] = d.kq[3][2] = -8 * k / 3;
  d.kq[3][3] = 7 * k / 3;
  d.bq[0][2] = -16 * volume / (p * p * p);
  d.bq[0][3] = volume * (8 / (p * p * p) - 1 / p);
  d.bq[1][3] = volume / (2 * p);
  d.bq[2][0] = -d.bq[0][2];
  d.bq[3][0] = -d.bq[0][3];
  d.bq[3][1] = -d.bq[1][3];
  d.c1[2] = 2 * volume / 3;
  d.c1[3] = volume / 6;
  d.c2[0] = 2 * volume / p;
  d.c12[2] = crank_l2 * volume / 3;
  d.c12[3] = crank_l2 * volume / 6;
  d.c21[0] = crank_l2 * volume / p;
  d.c21[1] = -crank_l2 * volume / (2 * p);
  return &d;
}
static double dot4(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}
/* Sums that masses and forces have in common. */
typedef struct {
  double s, c, half, a1, a2, b1, b2; /* sine, cosine; l1 l2 m2/2; c1 q, c2 q and their rates */
  double e;                          /* rho l1 */
  double mq[4], mqd[4], bqd[4];      /* MQ q, MQ q', BQ q' */
} crank_sums;
static crank_sums crank_at(const double* p, const double* v) {
  const crank_data* d = crank();
  crank_sums k;
  int i;
  k.s = sin(p[0] - p[1]);
  k.c = cos(p[0] - p[1]);
  k.half = 0.5 * crank_l1 * crank_l2 * 0.151104;
  k.e = crank_rho * crank_l1;
  k.a1 = dot4(d->c1, p + 3);
  k.a2 = dot4(d->c2, p + 3);
  k.b1 = dot4(d->c1, v + 3);
  k.b2 = dot4(d->c2, v + 3);
  for (i = 0; i < 4; ++i) {
    k.mq[i] = dot4(d->mq[i], p + 3);
    k.mqd[i] = dot4(d->mq[i], v + 3);
    k.bqd[i] = dot4(d->bq[i], v + 3);
  }
  return k;
}
static void crank_mass(const double* p, const crank_sums* k, double m[7][7]) {
  const crank_data* d = crank();
  int i, j;
  memset(m, 0, 49 * sizeof(double));
  m[0][0] = 0.002727 + 0.151104 * crank_l1 * crank_l1;
  m[0][1] = m[1][0] = k->half * k->c + k->e * (k->s * k->a2 + k->c * k->a1);
  m[1][1] = 0.0045339259 + dot4(p + 3, k->mq) + 2 * crank_rho * dot4(d->c12, p + 3);
  m[2][2] = 0.075552;
  for (i = 0; i < 4; ++i) {
    double turned = 0;
    for (j = 0; j < 4; ++j) turned += p[3 + j] * d->bq[j][i];
    m[0][3 + i] = m[3 + i][0] = k->e * (-k->s * d->c1[i] + k->c * d->c2[i]);
    m[1][3 + i] = m[3 + i][1] = crank_rho * (d->c21[i] + turned);
    for (j = 0; j < 4; ++j) m[3 + i][3 + j] = d->mq[i][j];
  }
}
static void crank_force(const double* p, const double* v, const crank_sums* k, double* f) {
  const crank_data* d = crank();
  const double w1 = v[0] * v[0], w2 = v[1] * v[1];
  int i;
  f[0] = -k->half * w2 * k->s + k->e * w2 * (-k->s * k->a1 + k->c * k->a2) -
         2 * k->e * v[1] * (k->c * k->b1 + k->s * k->b2);
  f[1] = k->half * w1 * k->s + k->e * w1 * (k->s * k->a1 - k->c * k->a2) -
         2 * v[1] * (crank_rho * dot4(d->c12, v + 3) + dot4(v + 3, k->mq)) -
         crank_rho * dot4(v + 3, k->bqd);
  f[2] = 0;
  for (i = 0; i < 4; ++i)
    f[3 + i] = w2 * k->mq[i] +
               crank_rho * (w2 * d->c12[i] + crank_l1 * w1 * (k->c * d->c1[i] + k->s * d->c2[i]) +
                            2 * v[1] * k->bqd[i]) -
               dot4(d->kq[i], p + 3);
}
static void crank_gradient(const double* p, double g[3][7]) {
  memset(g, 0, 21 * sizeof(double));
  g[0][0] = crank_l1 * cos(p[0]);
  g[0][1] = (crank_l2 + p[6]) * cos(p[1]);
  g[0][6] = sin(p[1]);
  g[1][0] = crank_l1 * sin(p[0]);
  g[1][1] = (crank_l2 + p[6]) * sin(p[1]);
  g[1][2] = 1;
  g[1][6] = -cos(p[1]);
  g[2][0] = 1;
}
/* [M G'; G 0] [x; lambda] = [r; s]; rs becomes the solution. */
static void crank_solve(double m[7][7], double g[3][7], double* rs) {
  double a[100] = {0};
  int i, j;
  for (i = 0; i < 7; ++i) {
    for (j = 0; j < 7; ++j) a[10 * i + j] = m[i][j];
    for (j = 0; j < 3; ++j) a[10 * i + 7 + j] = a[10 * (7 + j) + i] = g[j][i];
  }
  eliminate(10, a, rs);
}
static void crank_start(double* y) {
  static const double at[14] = {0,
                                0,
                                0.450016933,
                                0,
                                0,
                                0.103339863e-4,
                                0.169327969e-4,
                                150,
                                -74.9957670,
                                -0.268938672e-5,
                                0.444896105,
                                0.463434311e-2,
                                -0.178591076e-5,
                                -0.268938672e-5};
  double m[7][7], g[3][7], rs[10] = {0}, *p = y, *v = y + 7;
  crank_sums k;
  int i, c;
  memcpy(y, at, sizeof at);
  k = crank_at(p, v);
  crank_mass(p, &k, m);
  crank_gradient(p, g);
  for (c = 0; c < 3; ++c) {
    rs[7 + c] = c == 2 ? 150 : 0;
    for (i = 0; i < 7; ++i) rs[7 + c] -= g[c][i] * v[i];
  }
  crank_solve(m, g, rs);
  for (i = 0; i < 7; ++i) v[i] += rs[i];
  /* G v' = -G' v v with these velocities */
  k = crank_at(p, v);
  crank_force(p, v, &k, rs);
  rs[7] = crank_l1 * sin(p[0]) * v[0] * v[0] + (crank_l2 + p[6]) * sin(p[1]) * v[1] * v[1] -
          2 * cos(p[1]) * v[1] * v[6];
  rs[8] = -crank_l1 * cos(p[0]) * v[0] * v[0] - (crank_l2 + p[6]) * cos(p[1]) * v[1] * v[1] -
          2 * sin(p[1]) * v[1] * v[6];
  rs[9] = 0;
  crank_solve(m, g, rs);
  memcpy(y + 14, rs + 7, 3 * sizeof(double));
}
static double crank_absolute(int i) {
  /* Forces are not judged: at the short steps of the start they are rounding. */
  return i == 3 || i == 4 ? 1e-3 : i == 5 || i == 6 ? 1e-5 : i < 14 ? 1 : 1e6;
}
static void crank_residual(double t, const double* y, const double* yp, double* r) {
  const double *p = y, *v = y + 7, *lambda = y + 14;
  double m[7][7], g[3][7], f[7];
  const crank_sums k = crank_at(p, v);
  int i, j;
  (void)t;
  crank_mass(p, &k, m);
  crank_force(p, v, &k, f);
  crank_gradient(p, g);
  r[14] = r[15] = 0;
  r[16] = -150;
  for (i = 0; i < 7; ++i) {
    r[i] = yp[i] - v[i];
    r[7 + i] = -f[i];
    for (j = 0; j < 7; ++j) r[7 + i] += m[i][j] * yp[7 + j];
    for (j = 0; j < 3; ++j) {
      r[7 + i] += g[j][i] * lambda[j];
      r[14 + j] += g[j][i] * v[i];
    }
  }
}
static void crank_jacobian(double t, double cj, const double* y, const double* yp,
                           const matrix* J) {
  const crank_data* d = crank();
  const double *p = y, *v = y + 7, *lambda = y + 14, *a = yp + 7;
  const double w1 = v[0] * v[0], w2 = v[1] * v[1], rho = crank_rho, arm = crank_l2 + p[6];
  double m[7][7], g[3][7], turn[7] = {0};
  const crank_sums k = crank_at(p, v);
  const double s1 = sin(p[0]), c1 = cos(p[0]), s2 = sin(p[1]), c2 = cos(p[1]);
  const double by_turn = -k.half * k.s + k.e * (k.c * k.a2 - k.s * k.a1); /* of M12 */
  int i, j;
  (void)t;
  crank_mass(p, &k, m);
  crank_gradient(p, g);
  for (i = 0; i < 7; ++i) {
    add(J, i, i, cj);
    add(J, i, 7 + i, -1);
    for (j = 0; j < 7; ++j) add(J, 7 + i, 7 + j, cj * m[i][j]);
    for (j = 0; j < 3; ++j) {
      add(J, 7 + i, 14 + j, g[j][i]);
      add(J, 14 + j, 7 + i, g[j][i]);
    }
  }
  /* by phi1 - phi2: M v' - f */
  turn[0] = by_turn * a[1] + k.half * w2 * k.c + k.e * w2 * (k.c * k.a1 + k.s * k.a2) +
            2 * k.e * v[1] * (-k.s * k.b1 + k.c * k.b2);
  turn[1] = by_turn * a[0] - k.half * w1 * k.c - k.e * w1 * (k.c * k.a1 + k.s * k.a2);
  for (i = 0; i < 4; ++i) {
    const double along = k.c * d->c1[i] + k.s * d->c2[i];
    const double across = -k.s * d->c1[i] + k.c * d->c2[i];
    turn[0] -= k.e * along * a[3 + i];
    turn[3 + i] = -k.e * along * a[0] - k.e * w1 * across;
    /* by q */
    add(J, 7, 3 + i, k.e * (k.s * d->c2[i] + k.c * d->c1[i]) * a[1] - k.e * w2 * across);
    add(J, 8, 3 + i,
        k.e * along * a[0] + 2 * (k.mq[i] + rho * d->c12[i]) * a[1] + rho * dot4(d->bq[i], a + 3) -
            k.e * w1 * (k.s * d->c1[i] - k.c * d->c2[i]) + 2 * v[1] * k.mqd[i]);
    for (j = 0; j < 4; ++j)
      add(J, 10 + i, 3 + j, rho * d->bq[j][i] * a[1] - w2 * d->mq[i][j] + d->kq[i][j]);
    /* by rates */
    add(J, 7, 10 + i, 2 * k.e * v[1] * along);
    add(J, 8, 10 + i, 2 * v[1] * (rho * d->c12[i] + k.mq[i]));
    add(J, 10 + i, 7, -2 * k.e * v[0] * along);
    add(J, 10 + i, 8, -2 * v[1] * (k.mq[i] + rho * d->c12[i]) - 2 * rho * k.bqd[i]);
    for (j = 0; j < 4; ++j) add(J, 10 + i, 10 + j, -2 * rho * v[1] * d->bq[i][j]);
  }
  for (i = 0; i < 7; ++i) {
    add(J, 7 + i, 0, turn[i]);
    add(J, 7 + i, 1, -turn[i]);
  }
  add(J, 7, 8,
      2 * k.half * v[1] * k.s - 2 * k.e * v[1] * (-k.s * k.a1 + k.c * k.a2) +
          2 * k.e * (k.c * k.b1 + k.s * k.b2));
  add(J, 8, 7, -2 * k.half * v[0] * k.s - 2 * k.e * v[0] * (k.s * k.a1 - k.c * k.a2));
  add(J, 8, 8, 2 * (rho * dot4(d->c12, v + 3) + dot4(v + 3, k.mq)));
  /* G' lambda and G v by p */
  add(J, 7, 0, crank_l1 * (-s1 * lambda[0] + c1 * lambda[1]));
  add(J, 8, 1, arm * (-s2 * lambda[0] + c2 * lambda[1]));
  add(J, 8, 6, c2 * lambda[0] + s2 * lambda[1]);
  add(J, 13, 1, c2 * lambda[0] + s2 * lambda[1]);
  add(J, 14, 0, -crank_l1 * s1 * v[0]);
  add(J, 14, 1, -arm * s2 * v[1] + c2 * v[6]);
  add(J, 14, 6, c2 * v[1]);
  add(J, 15, 0, crank_l1 * c1 * v[0]);
  add(J, 15, 1, arm * c2 * v[1] + s2 * v[6]);
  add(J, 15, 6, s2 * v[1]);
}

/* ---- Fekete: 20 charges on a sphere ---- */

enum { charges = 20 };

/* The sum over all others of d / |d|^2, and its gradient where J is given (negative). */
static void fekete_push(const double* p, double* push, const matrix* J, int row) {
  int i, j, c, e;
  memset(push, 0, 3 * charges * sizeof(double));
  for (i = 0; i < charges; ++i)
    for (j = 0; j < i; ++j) {
      const double d[3] = {p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1],
                           p[3 * i + 2] - p[3 * j + 2]};
      const double inverse = 1 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      for (c = 0; c < 3; ++c) {
        push[3 * i + c] += d[c] * inverse;
        push[3 * j + c] -= d[c] * inverse;
        for (e = 0; J != NULL && e < 3; ++e) {
          const double by = (c == e ? inverse : 0) - 2 * d[c] * d[e] * inverse * inverse;
          add(J, row + 3 * i + c, 3 * i + e, -by);
          add(J, row + 3 * j + c, 3 * j + e, -by);
          add(J, row + 3 * i + c, 3 * j + e, by);
          add(J, row + 3 * j + c, 3 * i + e, by);
        }
      }
    }
}
static void fekete_start(double* y) {
  double push[3 * charges];
  int i, c;
  for (i = 1; i <= charges; ++i) {
    const double w = i <= 3    ? 2 * pi * i / 3 + pi / 13
                     : i <= 10 ? 2 * pi * (i - 3) / 7 + pi / 29
                     : i <= 16 ? 2 * pi * (i - 10) / 6 + pi / 7
                               : 2 * pi * (i - 17) / 4 + pi / 17;
    const double b = i <= 3 ? 3 * pi / 8 : i <= 10 ? pi / 8 : i <= 16 ? -2 * pi / 15 : -0.3 * pi;
    y[3 * i - 3] = cos(w) * cos(b);
    y[3 * i - 2] = sin(w) * cos(b);
    y[3 * i - 1] = sin(b);
  }
  fekete_push(y, push, NULL, 0);
  for (i = 0; i < charges; ++i)
    for (c = 0; c < 3; ++c) y[6 * charges + i] -= 0.5 * y[3 * i + c] * push[3 * i + c];
}
static void fekete_residual(double t, const double* y, const double* yp, double* r) {
  const double *p = y, *q = y + 3 * charges, *lambda = q + 3 * charges, *mu = lambda + charges;
  double push[3 * charges];
  int i, c;
  (void)t;
  fekete_push(p, push, NULL, 0);
  for (i = 0; i < charges; ++i) {
    double length = -1, across = 0;
    for (c = 3 * i; c < 3 * i + 3; ++c) {
      r[c] = yp[c] - q[c] - 2 * mu[i] * p[c];
      r[3 * charges + c] = yp[3 * charges + c] - push[c] + 0.5 * q[c] - 2 * lambda[i] * p[c];
      length += p[c] * p[c];
      across += 2 * p[c] * q[c];
    }
    r[6 * charges + i] = length;
    r[7 * charges + i] = across;
  }
}
static void fekete_jacobian(double t, double cj, const double* y, const double* yp,
                            const matrix* J) {
  const double *p = y, *q = y + 3 * charges, *lambda = q + 3 * charges, *mu = lambda + charges;
  const int rates = 3 * charges, forces = 6 * charges, drift = 7 * charges;
  double push[3 * charges];
  int i, c;
  (void)t, (void)yp;
  fekete_push(p, push, J, rates);
  for (i = 0; i < charges; ++i)
    for (c = 3 * i; c < 3 * i + 3; ++c) {
      add(J, c, c, cj - 2 * mu[i]);
      add(J, c, rates + c, -1);
      add(J, c, drift + i, -2 * p[c]);
      add(J, rates + c, rates + c, cj + 0.5);
      add(J, rates + c, c, -2 * lambda[i]);
      add(J, rates + c, forces + i, -2 * p[c]);
      add(J, forces + i, c, 2 * p[c]);
      add(J, drift + i, c, 2 * q[c]);
      add(J, drift + i, rates + c, 2 * p[c]);
    }
}

/* ---- the runs ---- */

enum { most_steps = 200000 };

static void say_nothing(int code, const char* module, const char* function, char* text,
                        void* data) {
  (void)code, (void)module, (void)function, (void)text, (void)data;
}

static const problem problems[n_peers] = {
    {3, 3, dense, 0, 1e13, 0, 0, e5_start, e5_absolute, e5_rhs, NULL, e5_jacobian},
    {2 * akzo_n, 2 * akzo_n, banded, 2, 20, 5, 0, akzo_start, akzo_absolute, akzo_rhs, NULL,
     akzo_jacobian},
    {2 * beam_n, 2 * beam_n, dense, 0, 5, 3.14159265358979323846, 0, NULL, NULL, beam_rhs, NULL,
     beam_jacobian},
    {14, 14, dense, 0, 80, 5, 5, nand_start, NULL, NULL, nand_residual, nand_jacobian},
    {12, 8, dense, 0, 3, 0, 0, car_start, NULL, NULL, car_residual, car_jacobian},
    {17, 14, dense, 0, 0.1, 0, 0, crank_start, crank_absolute, NULL, crank_residual,
     crank_jacobian},
    {8 * charges, 6 * charges, sparse, 0, 1000, 0, 0, fekete_start, NULL, NULL, fekete_residual,
     fekete_jacobian},
};

typedef struct {
  const problem* p;
  int *place, *column_start, *row; /* sparse */
  int n_entries;
} run;

static matrix matrix_of(const run* r, SUNMatrix J) {
  matrix m = {r->p->kind, r->p->n, NULL, 0, r->place};
  if (r->p->kind == dense) m.values = SM_DATA_D(J);
  if (r->p->kind == banded) {
    m.values = SM_DATA_B(J) + SM_SUBAND_B(J);
    m.column = (int)SM_LDIM_B(J);
  }
  if (r->p->kind == sparse) {
    int k;
    m.values = SM_DATA_S(J);
    for (k = 0; k <= r->p->n; ++k) SM_INDEXPTRS_S(J)[k] = r->column_start[k];
    for (k = 0; k < r->n_entries; ++k) SM_INDEXVALS_S(J)[k] = r->row[k];
    memset(m.values, 0, (size_t)r->n_entries * sizeof(double));
  }
  return m;
}

static int cvode_rhs(realtype t, N_Vector y, N_Vector f, void* data) {
  ((const run*)data)->p->rhs(t, NV_DATA_S(y), NV_DATA_S(f));
  return 0;
}
static int cvode_jacobian(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void* data, N_Vector a,
                          N_Vector b, N_Vector c) {
  const matrix m = matrix_of((const run*)data, J);
  (void)f, (void)a, (void)b, (void)c;
  ((const run*)data)->p->jacobian(t, 0, NV_DATA_S(y), NULL, &m);
  return 0;
}
static int ida_residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
  ((const run*)data)->p->residual(t, NV_DATA_S(y), NV_DATA_S(yp), NV_DATA_S(r));
  return 0;
}
static int ida_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                        void* data, N_Vector a, N_Vector b, N_Vector c) {
  const matrix m = matrix_of((const run*)data, J);
  (void)r, (void)a, (void)b, (void)c;
  ((const run*)data)->p->jacobian(t, cj, NV_DATA_S(y), NV_DATA_S(yp), &m);
  return 0;
}

/* Of the sparse matrix: the places that the Jacobian adds to. */
static void find_pattern(run* r, const double* y, const double* yp) {
  const int n = r->p->n;
  matrix m = {pattern, n, NULL, 0, NULL};
  int i, j;
  m.place = r->place = (int*)calloc((size_t)(n * n), sizeof(int));
  r->row = (int*)malloc((size_t)(n * n) * sizeof(int));
  r->column_start = (int*)calloc((size_t)(n + 1), sizeof(int));
  r->p->jacobian(0, 1, y, yp, &m);
  for (j = 0; j < n; ++j) {
    for (i = 0; i < n; ++i)
      if (r->place[j * n + i]) {
        r->place[j * n + i] = r->n_entries;
        r->row[r->n_entries++] = i;
      }
    r->column_start[j + 1] = r->n_entries;
  }
}

/* y' from the equations that it occurs in: C y' = -F(t, y, 0) */
static void find_slopes(const problem* p, double t, const double* y, double* yp) {
  const int n = p->n, m = p->n_differential;
  double* c = (double*)calloc((size_t)(2 * n * n + m * m), sizeof(double));
  double *without = c + n * n, *rows = c + 2 * n * n, r[most_unknowns];
  const matrix with_slopes = {dense, n, c, 0, NULL}, alone = {dense, n, without, 0, NULL};
  int i, j;
  memset(yp, 0, (size_t)n * sizeof(double));
  p->residual(t, y, yp, r);
  p->jacobian(t, 1, y, yp, &with_slopes);
  p->jacobian(t, 0, y, yp, &alone);
  for (i = 0; i < m; ++i)
    for (j = 0; j < m; ++j) rows[i * m + j] = c[j * n + i] - without[j * n + i];
  for (i = 0; i < m; ++i) yp[i] = -r[i];
  eliminate(m, rows, yp);
  free(c);
}

static double end_of_leg(const problem* p, double t) {
  double end = p->t_end;
  if (p->first_jump > t)
    end = p->first_jump;
  else if (p->period > 0)
    end = t + p->period;
  if (end > p->t_end) end = p->t_end;
  middle = 0.5 * (t + end);
  return end;
}

int model_peer(peer_problem which, double tolerance, double* out) {
  run r = {&problems[which], NULL, NULL, NULL, 0};
  const problem* p = r.p;
  SUNContext context = NULL;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  N_Vector y, yp, id, absolute;
  void* memory;
  realtype t = 0;
  double end;
  int i, flag = 0;
  SUNContext_Create(NULL, &context);
  y = N_VNew_Serial(p->n, context);
  yp = N_VClone(y);
  id = N_VClone(y);
  absolute = N_VClone(y);
  N_VConst(0, y);
  for (i = 0; i < p->n; ++i) {
    NV_DATA_S(id)[i] = i < p->n_differential;
    NV_DATA_S(absolute)[i] = tolerance * (p->absolute ? p->absolute(i) : 1);
  }
  if (p->start) p->start(NV_DATA_S(y));
  end = end_of_leg(p, 0);
  if (p->residual) find_slopes(p, 0, NV_DATA_S(y), NV_DATA_S(yp));
  if (p->kind == sparse) {
    find_pattern(&r, NV_DATA_S(y), NV_DATA_S(yp));
    matrix = SUNSparseMatrix(p->n, p->n, r.n_entries, CSC_MAT, context);
    matrix_of(&r, matrix);
    linear = SUNLinSol_KLU(y, matrix, context);
  } else if (p->kind == banded) {
    matrix = SUNBandMatrix(p->n, p->half_band, p->half_band, context);
    linear = SUNLinSol_Band(y, matrix, context);
  } else {
    matrix = SUNDenseMatrix(p->n, p->n, context);
    linear = SUNLinSol_Dense(y, matrix, context);
  }
  if (p->rhs) {
    memory = CVodeCreate(CV_BDF, context);
    CVodeInit(memory, cvode_rhs, 0, y);
    CVodeSetUserData(memory, &r);
    CVodeSVtolerances(memory, tolerance, absolute);
    CVodeSetMaxNumSteps(memory, most_steps);
    CVodeSetStabLimDet(memory, which == peer_beam); /* it oscillates */
    CVodeSetErrHandlerFn(memory, say_nothing, NULL);
    CVodeSetLinearSolver(memory, linear, matrix);
    CVodeSetJacFn(memory, cvode_jacobian);
    for (;;) {
      CVodeSetStopTime(memory, end);
      flag = CVode(memory, end, y, &t, CV_NORMAL);
      if (flag < 0 || end >= p->t_end) break;
      t = end;
      end = end_of_leg(p, t);
      CVodeReInit(memory, t, y);
    }
    CVodeFree(&memory);
  } else {
    memory = IDACreate(context);
    IDAInit(memory, ida_residual, 0, y, yp);
    IDASetUserData(memory, &r);
    IDASVtolerances(memory, tolerance, absolute);
    if (p->n_differential < p->n) {
      IDASetId(memory, id);
      IDASetSuppressAlg(memory, 1);
    }
    IDASetMaxNumSteps(memory, most_steps);
    IDASetErrHandlerFn(memory, say_nothing, NULL);
    IDASetLinearSolver(memory, linear, matrix);
    IDASetJacFn(memory, ida_jacobian);
    for (;;) {
      IDASetStopTime(memory, end);
      flag = IDASolve(memory, end, &t, y, yp, IDA_NORMAL);
      if (flag < 0 || end >= p->t_end) break;
      t = end;
      end = end_of_leg(p, t);
      find_slopes(p, t, NV_DATA_S(y), NV_DATA_S(yp));
      IDAReInit(memory, t, y, yp);
    }
    IDAFree(&memory);
  }
  memcpy(out, NV_DATA_S(y), (size_t)p->n * sizeof(double));
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(yp);
  N_VDestroy(id);
  N_VDestroy(absolute);
  SUNContext_Free(&context);
  free(r.place);
  free(r.row);
  free(r.column_start);
  return flag < 0;
}
