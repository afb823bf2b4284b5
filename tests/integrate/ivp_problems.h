/* SPDX-License-Identifier: Apache-2.0 */
/* Problems with reference digits, written by hand in C: right-hand side and analytic Jacobian of
   M y' = f(t, y). From the test set for IVP solvers (Mazzia and Magherini, release 2.4) and Hairer
   and Wanner, Solving ODEs I and II; the digits come from runs in extended precision. Shared by the
   tests of steppers and the benchmark against SUNDIALS; valid C99 and C++. */
#ifndef ALEMBERT_TESTS_IVP_PROBLEMS_H
#define ALEMBERT_TESTS_IVP_PROBLEMS_H

#include <math.h>
#include <stddef.h>

typedef struct {
  const char* name;
  int n;
  int stiff;
  double t_end;
  void (*rhs)(double t, const double* y, double* f);
  /* J [n * n] column-major and dfdt [n], both zero on entry */
  void (*jacobian)(double t, const double* y, double* J, double* dfdt);
  const double* mass; /* [n * n] column-major, or null */
  const double* start;
  const double* reference;
  double absolute; /* the absolute tolerance for a relative one of 1 */
} ivp_problem;

static const double chemakzo_reference[] = {0.11507949206617022,  0.0012038314715677151,
                                            0.16115628874079742,  0.00036561564212492830,
                                            0.017080108852644041, 0.0048735313103074551};
static const double transamp_reference[] = {
    -0.005562145012262275, 3.006522471903043, 2.849958788608129, 2.926422536206242,
    2.704617865010555,     2.761837778393144, 4.770927631616772, 1.236995868091548};
static const double ringmod_reference[] = {
    -0.02339057358437,   -0.007367485486008, 0.2582956709992,    -0.4064465720588,
    -0.4039455664455,    0.2607966766124,    0.1106761861273,    2.939904342433e-7,
    -2.840029933066e-8,  0.0007267198267291, 0.0007929487197023, -0.0007255283495766,
    -0.0007941401968549, 7.088495416876e-5,  2.390059075277e-5};
static const double hires_reference[] = {
    0.0007371312573325668, 0.0001442485726316185, 5.888729740967575e-5, 0.001175651343283149,
    0.002386356198831331,  0.006238968252742796,  0.002849998395185769, 0.002850001604814231};
static const double pollution_reference[] = {
    0.0564625548002277,   0.134248413042234,    4.13973433109943e-9, 0.00552314020748436,
    2.01897726230220e-7,  1.46454186349397e-7,  0.0778424911899796,  0.324507535339602,
    0.00749401338388041,  1.62229315730156e-8,  1.13586383325707e-8, 0.00223050597572136,
    0.000208716288279863, 1.39692101684016e-5,  0.00896488485689829, 4.35284636933010e-18,
    0.00689921969626341,  0.000100780303736595, 1.77214651396998e-6, 5.68294329231639e-5};
static const double rober_reference[] = {2.0833401497012942e-8, 8.3333607703347834e-14,
                                         0.99999997916651517};
static const double orego_reference[] = {1.0008148703185227, 1228.1785215498880,
                                         132.05549428465083};
static const double vdpol_reference[] = {1.7061677321704650, -0.00089280970102481655};
static const double pleiades_reference[] = {
    0.37061391439705,  3.2372840920572,   -3.2225590324183,  0.65970914557753, 0.34255817071566,
    1.5621721014006,   -0.70030929222125, -3.9434375855174,  -3.2713809739725, 5.2250818434565,
    -2.5906124349775,  1.1982136933923,   -0.24296823449358, 1.0914492404290,  3.4170038063143,
    1.3545845016255,   -2.5900655978108,  2.0250537347142,   -1.1558151001604, -0.80729881702230,
    0.59523963542087,  -3.7412449612340,  0.37734596857506,  0.93868588695511, 0.36679222272006,
    -0.34740463538085, 2.3449154481809,   -1.9470204342633};

/* ---- HIRES ---- */
static void hires_rhs(double t, const double* y, double* f) {
  const double r = 280 * y[5] * y[7];
  (void)t;
  f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
  f[1] = 1.71 * y[0] - 8.75 * y[1];
  f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
  f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
  f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
  f[5] = -r + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
  f[6] = r - 1.81 * y[6];
  f[7] = -f[6];
}
static void hires_jacobian(double t, const double* y, double* J, double* dfdt) {
#define AT(i, j) J[8 * (j) + (i)]
  (void)t;
  (void)dfdt;
  AT(0, 0) = -1.71;
  AT(0, 1) = 0.43;
  AT(0, 2) = 8.32;
  AT(1, 0) = 1.71;
  AT(1, 1) = -8.75;
  AT(2, 2) = -10.03;
  AT(2, 3) = 0.43;
  AT(2, 4) = 0.035;
  AT(3, 1) = 8.32;
  AT(3, 2) = 1.71;
  AT(3, 3) = -1.12;
  AT(4, 4) = -1.745;
  AT(4, 5) = 0.43;
  AT(4, 6) = 0.43;
  AT(5, 3) = 0.69;
  AT(5, 4) = 1.71;
  AT(5, 5) = -280 * y[7] - 0.43;
  AT(5, 6) = 0.69;
  AT(5, 7) = -280 * y[5];
  AT(6, 5) = 280 * y[7];
  AT(6, 6) = -1.81;
  AT(6, 7) = 280 * y[5];
  AT(7, 5) = -280 * y[7];
  AT(7, 6) = 1.81;
  AT(7, 7) = -280 * y[5];
#undef AT
}
static const double hires_start[] = {1, 0, 0, 0, 0, 0, 0, 0.0057};

/* ---- Robertson ---- */
static void rober_rhs(double t, const double* y, double* f) {
  (void)t;
  f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  f[2] = 3e7 * y[1] * y[1];
  f[1] = -f[0] - f[2];
}
static void rober_jacobian(double t, const double* y, double* J, double* dfdt) {
  (void)t;
  (void)dfdt;
  J[0] = -0.04;
  J[1] = 0.04;
  J[3] = 1e4 * y[2];
  J[4] = -1e4 * y[2] - 6e7 * y[1];
  J[5] = 6e7 * y[1];
  J[6] = 1e4 * y[1];
  J[7] = -1e4 * y[1];
}
static const double rober_start[] = {1, 0, 0};

/* ---- Oregonator ---- */
static void orego_rhs(double t, const double* y, double* f) {
  (void)t;
  f[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
  f[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
  f[2] = 0.161 * (y[0] - y[2]);
}
static void orego_jacobian(double t, const double* y, double* J, double* dfdt) {
  (void)t;
  (void)dfdt;
  J[0] = 77.27 * (1 - 2 * 8.375e-6 * y[0] - y[1]);
  J[1] = -y[1] / 77.27;
  J[2] = 0.161;
  J[3] = 77.27 * (1 - y[0]);
  J[4] = -(1 + y[0]) / 77.27;
  J[7] = 1 / 77.27;
  J[8] = -0.161;
}
static const double orego_start[] = {1, 2, 3};

/* ---- van der Pol, mu = 1000 ---- */
static void vdpol_rhs(double t, const double* y, double* f) {
  (void)t;
  f[0] = y[1];
  f[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
}
static void vdpol_jacobian(double t, const double* y, double* J, double* dfdt) {
  (void)t;
  (void)dfdt;
  J[1] = -2000 * y[0] * y[1] - 1;
  J[2] = 1;
  J[3] = 1000 * (1 - y[0] * y[0]);
}
static const double vdpol_start[] = {2, 0};

/* ---- Chemical Akzo Nobel: five reactions and an equilibrium ---- */
static void chemakzo_rhs(double t, const double* y, double* f) {
  const double root = sqrt(y[1]);
  const double r1 = 18.7 * y[0] * y[0] * y[0] * y[0] * root, r2 = 0.58 * y[2] * y[3];
  const double r3 = 0.58 / 34.4 * y[0] * y[4], r4 = 0.09 * y[0] * y[3] * y[3];
  const double r5 = 0.42 * y[5] * y[5] * root, inflow = 3.3 * (0.9 / 737 - y[1]);
  (void)t;
  f[0] = -2 * r1 + r2 - r3 - r4;
  f[1] = -0.5 * r1 - r4 - 0.5 * r5 + inflow;
  f[2] = r1 - r2 + r3;
  f[3] = -r2 + r3 - 2 * r4;
  f[4] = r2 - r3 + r5;
  f[5] = 115.83 * y[0] * y[3] - y[5];
}
static void chemakzo_jacobian(double t, const double* y, double* J, double* dfdt) {
#define AT(i, j) J[6 * (j) + (i)]
  const double root = sqrt(y[1]), cube = y[0] * y[0] * y[0];
  const double r11 = 74.8 * cube * root, r12 = 9.35 * cube * y[0] / root;
  const double r23 = 0.58 * y[3], r24 = 0.58 * y[2];
  const double r31 = 0.58 / 34.4 * y[4], r35 = 0.58 / 34.4 * y[0];
  const double r41 = 0.09 * y[3] * y[3], r44 = 0.18 * y[0] * y[3];
  const double r52 = 0.21 * y[5] * y[5] / root, r56 = 0.84 * y[5] * root;
  (void)t;
  (void)dfdt;
  AT(0, 0) = -2 * r11 - r31 - r41;
  AT(0, 1) = -2 * r12;
  AT(0, 2) = r23;
  AT(0, 3) = r24 - r44;
  AT(0, 4) = -r35;
  AT(1, 0) = -0.5 * r11 - r41;
  AT(1, 1) = -0.5 * r12 - 0.5 * r52 - 3.3;
  AT(1, 3) = -r44;
  AT(1, 5) = -0.5 * r56;
  AT(2, 0) = r11 + r31;
  AT(2, 1) = r12;
  AT(2, 2) = -r23;
  AT(2, 3) = -r24;
  AT(2, 4) = r35;
  AT(3, 0) = r31 - 2 * r41;
  AT(3, 2) = -r23;
  AT(3, 3) = -r24 - 2 * r44;
  AT(3, 4) = r35;
  AT(4, 0) = -r31;
  AT(4, 1) = r52;
  AT(4, 2) = r23;
  AT(4, 3) = r24;
  AT(4, 4) = -r35;
  AT(4, 5) = r56;
  AT(5, 0) = 115.83 * y[3];
  AT(5, 3) = 115.83 * y[0];
  AT(5, 5) = -1;
#undef AT
}
static const double chemakzo_mass[] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                       0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
static const double chemakzo_start[] = {0.444, 0.00123, 0, 0.007, 0, 115.83 * 0.444 * 0.007};

/* ---- Transistor amplifier: a singular mass matrix that is not diagonal ---- */
static double transamp_current(double z) { return 1e-6 * (exp(z / 0.026) - 1); }
static double transamp_slope(double z) { return 1e-6 / 0.026 * exp(z / 0.026); }
static void transamp_rhs(double t, const double* y, double* f) {
  const double pi = 3.14159265358979323846, R0 = 1000, R = 9000, Ub = 6, a = 0.99;
  const double Ue = 0.1 * sin(200 * pi * t);
  const double g23 = transamp_current(y[1] - y[2]), g56 = transamp_current(y[4] - y[5]);
  f[0] = (y[0] - Ue) / R0;
  f[1] = 2 * y[1] / R - Ub / R + (1 - a) * g23;
  f[2] = y[2] / R - g23;
  f[3] = (y[3] - Ub) / R + a * g23;
  f[4] = 2 * y[4] / R - Ub / R + (1 - a) * g56;
  f[5] = y[5] / R - g56;
  f[6] = (y[6] - Ub) / R + a * g56;
  f[7] = y[7] / R;
}
static void transamp_jacobian(double t, const double* y, double* J, double* dfdt) {
#define AT(i, j) J[8 * (j) + (i)]
  const double pi = 3.14159265358979323846, R0 = 1000, R = 9000, a = 0.99;
  const double s23 = transamp_slope(y[1] - y[2]), s56 = transamp_slope(y[4] - y[5]);
  AT(0, 0) = 1 / R0;
  AT(1, 1) = 2 / R + (1 - a) * s23;
  AT(1, 2) = -(1 - a) * s23;
  AT(2, 1) = -s23;
  AT(2, 2) = 1 / R + s23;
  AT(3, 1) = a * s23;
  AT(3, 2) = -a * s23;
  AT(3, 3) = 1 / R;
  AT(4, 4) = 2 / R + (1 - a) * s56;
  AT(4, 5) = -(1 - a) * s56;
  AT(5, 4) = -s56;
  AT(5, 5) = 1 / R + s56;
  AT(6, 4) = a * s56;
  AT(6, 5) = -a * s56;
  AT(6, 6) = 1 / R;
  AT(7, 7) = 1 / R;
  dfdt[0] = -0.1 * 200 * pi * cos(200 * pi * t) / R0;
#undef AT
}
/* Columns; C_k = k 1e-6 */
static const double transamp_mass[] = {
    -1e-6, 1e-6,  0,     0,     0,    0, 0, 0, 1e-6, -1e-6, 0,     0,     0,    0, 0, 0, 0,
    0,     -2e-6, 0,     0,     0,    0, 0, 0, 0,    0,     -3e-6, 3e-6,  0,    0, 0, 0, 0,
    0,     3e-6,  -3e-6, 0,     0,    0, 0, 0, 0,    0,     0,     -4e-6, 0,    0, 0, 0, 0,
    0,     0,     0,     -5e-6, 5e-6, 0, 0, 0, 0,    0,     0,     5e-6,  -5e-6};
static const double transamp_start[] = {0, 3, 3, 6, 3, 3, 6, 0};

/* ---- Ring modulator ---- */
static double ringmod_current(double z) { return 40.67286402e-9 * (exp(17.7493332 * z) - 1); }
static double ringmod_slope(double z) { return 40.67286402e-9 * 17.7493332 * exp(17.7493332 * z); }
static void ringmod_rhs(double t, const double* y, double* f) {
  const double pi = 3.14159265358979323846, C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, R = 25e3, Rp = 50;
  const double Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Rg1 = 36.3, Rg2 = 17.3, Ri = 50, Rc = 600;
  const double U1 = 0.5 * sin(2e3 * pi * t), U2 = 2 * sin(2e4 * pi * t);
  const double q1 = ringmod_current(y[2] - y[4] - y[6] - U2);
  const double q2 = ringmod_current(-y[3] + y[5] - y[6] - U2);
  const double q3 = ringmod_current(y[3] + y[4] + y[6] + U2);
  const double q4 = ringmod_current(-y[2] - y[5] + y[6] + U2);
  f[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / R) / C;
  f[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / R) / C;
  f[2] = (y[9] - q1 + q4) / Cs;
  f[3] = (-y[10] + q2 - q3) / Cs;
  f[4] = (y[11] + q1 - q3) / Cs;
  f[5] = (-y[12] - q2 + q4) / Cs;
  f[6] = (-y[6] / Rp + q1 + q2 - q3 - q4) / Cp;
  f[7] = -y[0] / Lh;
  f[8] = -y[1] / Lh;
  f[9] = (0.5 * y[0] - y[2] - Rg2 * y[9]) / Ls2;
  f[10] = (-0.5 * y[0] + y[3] - Rg2 * y[10]) / Ls2;
  f[11] = (0.5 * y[1] - y[4] - Rg2 * y[11]) / Ls2;
  f[12] = (-0.5 * y[1] + y[5] - Rg2 * y[12]) / Ls2;
  f[13] = (-y[0] + U1 - (Ri + Rg1) * y[13]) / Ls1;
  f[14] = (-y[1] - (Rc + Rg1) * y[14]) / Ls1;
}
static void ringmod_jacobian(double t, const double* y, double* J, double* dfdt) {
#define AT(i, j) J[15 * (j) + (i)]
  const double pi = 3.14159265358979323846, C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, R = 25e3, Rp = 50;
  const double Lh = 4.45, Ls1 = 2e-3, Ls2 = 5e-4, Rg1 = 36.3, Rg2 = 17.3, Ri = 50, Rc = 600;
  const double U2 = 2 * sin(2e4 * pi * t);
  const double s1 = ringmod_slope(y[2] - y[4] - y[6] - U2);
  const double s2 = ringmod_slope(-y[3] + y[5] - y[6] - U2);
  const double s3 = ringmod_slope(y[3] + y[4] + y[6] + U2);
  const double s4 = ringmod_slope(-y[2] - y[5] + y[6] + U2);
  const double dU1 = 0.5 * 2e3 * pi * cos(2e3 * pi * t), dU2 = 2 * 2e4 * pi * cos(2e4 * pi * t);
  AT(0, 0) = -1 / (R * C);
  AT(0, 7) = 1 / C;
  AT(0, 9) = -0.5 / C;
  AT(0, 10) = 0.5 / C;
  AT(0, 13) = 1 / C;
  AT(1, 1) = -1 / (R * C);
  AT(1, 8) = 1 / C;
  AT(1, 11) = -0.5 / C;
  AT(1, 12) = 0.5 / C;
  AT(1, 14) = 1 / C;
  AT(2, 2) = (-s1 - s4) / Cs;
  AT(2, 4) = s1 / Cs;
  AT(2, 5) = -s4 / Cs;
  AT(2, 6) = (s1 + s4) / Cs;
  AT(2, 9) = 1 / Cs;
  AT(3, 3) = (-s2 - s3) / Cs;
  AT(3, 4) = -s3 / Cs;
  AT(3, 5) = s2 / Cs;
  AT(3, 6) = (-s2 - s3) / Cs;
  AT(3, 10) = -1 / Cs;
  AT(4, 2) = s1 / Cs;
  AT(4, 3) = -s3 / Cs;
  AT(4, 4) = (-s1 - s3) / Cs;
  AT(4, 6) = (-s1 - s3) / Cs;
  AT(4, 11) = 1 / Cs;
  AT(5, 2) = -s4 / Cs;
  AT(5, 3) = s2 / Cs;
  AT(5, 5) = (-s2 - s4) / Cs;
  AT(5, 6) = (s2 + s4) / Cs;
  AT(5, 12) = -1 / Cs;
  AT(6, 2) = (s1 + s4) / Cp;
  AT(6, 3) = (-s2 - s3) / Cp;
  AT(6, 4) = (-s1 - s3) / Cp;
  AT(6, 5) = (s2 + s4) / Cp;
  AT(6, 6) = (-1 / Rp - s1 - s2 - s3 - s4) / Cp;
  AT(7, 0) = -1 / Lh;
  AT(8, 1) = -1 / Lh;
  AT(9, 0) = 0.5 / Ls2;
  AT(9, 2) = -1 / Ls2;
  AT(9, 9) = -Rg2 / Ls2;
  AT(10, 0) = -0.5 / Ls2;
  AT(10, 3) = 1 / Ls2;
  AT(10, 10) = -Rg2 / Ls2;
  AT(11, 1) = 0.5 / Ls2;
  AT(11, 4) = -1 / Ls2;
  AT(11, 11) = -Rg2 / Ls2;
  AT(12, 1) = -0.5 / Ls2;
  AT(12, 5) = 1 / Ls2;
  AT(12, 12) = -Rg2 / Ls2;
  AT(13, 0) = -1 / Ls1;
  AT(13, 13) = -(Ri + Rg1) / Ls1;
  AT(14, 1) = -1 / Ls1;
  AT(14, 14) = -(Rc + Rg1) / Ls1;
  dfdt[2] = (s1 + s4) * dU2 / Cs;
  dfdt[3] = (-s2 - s3) * dU2 / Cs;
  dfdt[4] = (-s1 - s3) * dU2 / Cs;
  dfdt[5] = (s2 + s4) * dU2 / Cs;
  dfdt[6] = (-s1 - s2 - s3 - s4) * dU2 / Cp;
  dfdt[13] = dU1 / Ls1;
#undef AT
}
static const double ringmod_start[15] = {0};

/* ---- Pollution: 25 reactions; each with its rate, its one or two partners, and what it makes ----
 */
typedef struct {
  double rate;
  int first, second; /* species, from 1; second 0: none */
  int change[6];     /* species made (positive) and used (negative), up to a zero */
} pollution_reaction;
static const pollution_reaction pollution_reactions[25] = {
    {.35, 1, 0, {-1, 2, 3}},
    {26.6, 2, 4, {1, -2, -4}},
    {12300, 5, 2, {1, -2, -5, 6}},
    {.00086, 7, 0, {5, 5, -7, 8}},
    {.00082, 7, 0, {-7, 8}},
    {15000, 7, 6, {5, -6, -7, 8}},
    {.00013, 9, 0, {5, 8, -9, 10}},
    {24000, 9, 6, {-6, -9, 11}},
    {16500, 11, 2, {1, -2, 10, -11, 12}},
    {9000, 11, 1, {-1, -11, 13}},
    {.022, 13, 0, {1, 11, -13}},
    {12000, 10, 2, {1, -2, -10, 14}},
    {1.88, 14, 0, {5, 7, -14}},
    {16300, 1, 6, {-1, -6, 15}},
    {4.8e6, 3, 0, {-3, 4}},
    {.00035, 4, 0, {-4, 16}},
    {.0175, 4, 0, {3, -4}},
    {1e8, 16, 0, {6, 6, -16}},
    {4.44e11, 16, 0, {3, -16}},
    {1240, 17, 6, {5, -6, -17, 18}},
    {2.1, 19, 0, {2, -19}},
    {5.78, 19, 0, {1, 3, -19}},
    {.0474, 1, 4, {-1, -4, 19}},
    {1780, 19, 1, {-1, -19, 20}},
    {3.12, 20, 0, {1, 19, -20}},
};
static void pollution_rhs(double t, const double* y, double* f) {
  int r, k;
  (void)t;
  for (k = 0; k < 20; ++k) f[k] = 0;
  for (r = 0; r < 25; ++r) {
    const pollution_reaction* reaction = &pollution_reactions[r];
    const double partner = reaction->second == 0 ? 1 : y[reaction->second - 1];
    const double speed = reaction->rate * y[reaction->first - 1] * partner;
    for (k = 0; k < 6 && reaction->change[k] != 0; ++k) {
      const int s = reaction->change[k];
      if (s > 0)
        f[s - 1] += speed;
      else
        f[-s - 1] -= speed;
    }
  }
}
static void pollution_jacobian(double t, const double* y, double* J, double* dfdt) {
  int r, k;
  (void)t;
  (void)dfdt;
  for (r = 0; r < 25; ++r) {
    const pollution_reaction* reaction = &pollution_reactions[r];
    const int a = reaction->first - 1, b = reaction->second - 1;
    const double by_a = reaction->rate * (b < 0 ? 1 : y[b]);
    const double by_b = reaction->rate * y[a];
    for (k = 0; k < 6 && reaction->change[k] != 0; ++k) {
      const int s = reaction->change[k], row = (s > 0 ? s : -s) - 1;
      const double sign = s > 0 ? 1 : -1;
      J[20 * a + row] += sign * by_a;
      if (b >= 0) J[20 * b + row] += sign * by_b;
    }
  }
}
static const double pollution_start[20] = {0, .2, 0, .04, 0, 0, .1,   .3, .01, 0,
                                           0, 0,  0, 0,   0, 0, .007, 0,  0,   0};

/* ---- Pleiades: seven stars of masses 1 to 7; y = (x, y, x', y') ---- */
static void pleiades_rhs(double t, const double* y, double* f) {
  int i, j;
  (void)t;
  for (i = 0; i < 14; ++i) {
    f[i] = y[14 + i];
    f[14 + i] = 0;
  }
  for (i = 0; i < 7; ++i)
    for (j = i + 1; j < 7; ++j) {
      const double dx = y[j] - y[i], dy = y[7 + j] - y[7 + i], square = dx * dx + dy * dy;
      const double inverse = 1 / (square * sqrt(square));
      f[14 + i] += (j + 1) * dx * inverse;
      f[21 + i] += (j + 1) * dy * inverse;
      f[14 + j] -= (i + 1) * dx * inverse;
      f[21 + j] -= (i + 1) * dy * inverse;
    }
}
static const double pleiades_start[] = {3, 3, -1, -3, 2, -2,   2,    3, -3, 2, 0,     0, -4, 4,
                                        0, 0, 0,  0,  0, 1.75, -1.5, 0, 0,  0, -1.25, 1, 0,  0};

static const ivp_problem ivp_problems[] = {
    {"hires", 8, 1, 321.8122, hires_rhs, hires_jacobian, NULL, hires_start, hires_reference, 1e-4},
    {"pollution", 20, 1, 60, pollution_rhs, pollution_jacobian, NULL, pollution_start,
     pollution_reference, 1e-5},
    {"robertson", 3, 1, 1e11, rober_rhs, rober_jacobian, NULL, rober_start, rober_reference, 1e-9},
    {"oregonator", 3, 1, 360, orego_rhs, orego_jacobian, NULL, orego_start, orego_reference, 1},
    {"van der pol", 2, 1, 2000, vdpol_rhs, vdpol_jacobian, NULL, vdpol_start, vdpol_reference, 1},
    {"chemical akzo", 6, 1, 180, chemakzo_rhs, chemakzo_jacobian, chemakzo_mass, chemakzo_start,
     chemakzo_reference, 1e-3},
    {"transistor amplifier", 8, 1, 0.2, transamp_rhs, transamp_jacobian, transamp_mass,
     transamp_start, transamp_reference, 1},
    {"ring modulator", 15, 1, 1e-3, ringmod_rhs, ringmod_jacobian, NULL, ringmod_start,
     ringmod_reference, 1e-2},
    {"pleiades", 28, 0, 3, pleiades_rhs, NULL, NULL, pleiades_start, pleiades_reference, 1},
};
enum { n_ivp_problems = (int)(sizeof ivp_problems / sizeof ivp_problems[0]) };

/* The largest |y_i - reference_i| / (|reference_i| + absolute): the relative error, but for
   components below the absolute tolerance. */
static inline double ivp_error(const ivp_problem* problem, const double* y) {
  double largest = 0;
  int i;
  for (i = 0; i < problem->n; ++i) {
    const double scale = fabs(problem->reference[i]) + problem->absolute;
    const double e = fabs(y[i] - problem->reference[i]) / scale;
    if (!(e <= largest)) largest = e;
  }
  return largest;
}

#endif
