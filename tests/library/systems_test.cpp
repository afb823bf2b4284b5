// SPDX-License-Identifier: Apache-2.0
// Components together, as somebody would use them, against answers of other programs: formulas, or
// the equations of the whole written by hand and integrated by the classical method of Runge and
// Kutta.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "run_model.hpp"

namespace alembert::library_test {
namespace {

using std::numbers::pi;

std::string system(const std::string& components, const std::string& equations) {
  return "model Whole\n  import Alembert.*;\n" + components + "equation\n" + equations +
         "end Whole;\n";
}

integrate::SimulationResult solve(const std::string& components, const std::string& equations,
                                  double stop) {
  return run(flat_text(system(components, equations)), {.tolerance = 1e-9, .intervals = 20}, stop);
}

template <std::size_t n>
using State = std::array<double, n>;

template <std::size_t n, class F>
State<n> runge_kutta(F f, State<n> y, double t, double end, int steps) {
  const double h = (end - t) / steps;
  const auto moved = [&](const State<n>& k, double by) {
    State<n> at = y;
    for (std::size_t i = 0; i < n; ++i) at[i] += by * k[i];
    return at;
  };
  for (int s = 0; s < steps; ++s, t += h) {
    const State<n> a = f(t, y), b = f(t + h / 2, moved(a, h / 2)),
                   c = f(t + h / 2, moved(b, h / 2)), d = f(t + h, moved(c, h));
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return y;
}

TEST(Systems, a_chain_of_masses_and_springs) {
  const auto result = solve(
      "Translational.Fixed left, right; Translational.Mass m[3](each m = 2); Translational.Spring "
      "k[4](k = {100, 200, 300, 400}, delta_s_start = {0.1, 0, 0, 0}); Translational.Damper d(d = "
      "5); Translational.Force push; Blocks.Sine sine(amplitude = 10, frequency = 0.7);\n",
      "connect(left.flange, k[1].flange_a); for i in 1:3 loop connect(k[i].flange_b, m[i].flange); "
      "connect(m[i].flange, k[i + 1].flange_a); end for; connect(k[4].flange_b, right.flange); "
      "connect(d.flange_a, right.flange); connect(d.flange_b, m[2].flange); connect(sine.y, "
      "push.f); connect(push.flange, m[2].flange);\n",
      1);
  const auto y = runge_kutta<6>(
      [](double t, const State<6>& x) -> State<6> {
        const double f[] = {100 * (0.1 - x[0]), 200 * (x[0] - x[1]), 300 * (x[1] - x[2]),
                            400 * x[2]};
        return {x[3],
                x[4],
                x[5],
                (f[0] - f[1]) / 2,
                (f[1] - f[2] - 5 * x[4] + 10 * std::sin(1.4 * pi * t)) / 2,
                (f[2] - f[3]) / 2};
      },
      {}, 0, 1, 2000);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(last(result, "m[" + std::to_string(i + 1) + "].v"), y[3 + i], 1e-7);
}

/// A speed control whose actuator saturates: the integral must not wind up.
TEST(Systems, a_motor_with_gear_load_and_controller) {
  const auto result = solve(
      "Electrical.VoltageSource source; Electrical.Ground ground; Electrical.DCMachine motor(R = "
      "0.8, L = 2e-3, k = 0.08, J = 2e-4, d = 1e-4); Rotational.Gear gear(ratio = 10); "
      "Rotational.Inertia load(J = 0.05); Rotational.Damper bearing(d = 0.02); Rotational.Fixed "
      "housing; Rotational.SpeedSensor speed; Blocks.PID pid(k = 2, Ti = 0.3, Td = 0.02, Nd = 8, "
      "y_max = 24); Blocks.Constant wanted(k = 30);\n",
      "connect(source.p, motor.p); connect(source.n, motor.n); connect(motor.n, ground.p); "
      "connect(motor.flange, gear.flange_a); connect(gear.flange_b, load.flange); "
      "connect(load.flange, bearing.flange_a); connect(bearing.flange_b, housing.flange); "
      "connect(speed.flange, load.flange); connect(wanted.y, pid.u_s); connect(speed.w, pid.u_m); "
      "connect(pid.y, source.u);\n",
      0.9);
  const auto y = runge_kutta<4>(
      [](double, const State<4>& x) -> State<4> {
        const auto [i, w, integral, filtered] = x;
        const double v = 2 * (30 - w + integral + 8 * (-w - filtered));
        const double u = std::min(24.0, std::max(-24.0, v));
        return {(u - 0.8 * i - 0.8 * w) / 2e-3,
                (10 * (0.08 * i - 1e-3 * w) - 0.02 * w) / (0.05 + 100 * 2e-4),
                (30 - w) / 0.3 + (u - v) / (2 * std::sqrt(0.3 * 0.02)), (-w - filtered) * 8 / 0.02};
      },
      {}, 0, 0.9, 100000);
  EXPECT_NEAR(last(result, "motor.i"), y[0], 1e-6);
  EXPECT_NEAR(last(result, "load.w"), y[1], 1e-6);
  EXPECT_EQ(at(result, "pid.y", 0.045), 24);  // at its limit
}

/// Two poles of Sallen and Key: 1 / (1 + s C2 (R1 + R2) + s^2 R1 R2 C1 C2).
TEST(Systems, an_active_filter) {
  for (const char* amplifier : {"IdealOpAmp amplifier", "OpAmp amplifier(gain = 1e9)"}) {
    SCOPED_TRACE(amplifier);
    const auto result = solve(
        std::string("Electrical.") + amplifier +
            "; Electrical.ConstantVoltage source; Electrical.Ground ground; Electrical.Resistor "
            "r1(R = 1e4), r2(R = 2.2e4); Electrical.Capacitor c1(C = 8e-8), c2(C = 1e-8);\n",
        "connect(source.p, r1.p); connect(source.n, ground.p); connect(r1.n, r2.p); connect(r2.n, "
        "amplifier.in_p); connect(r2.n, c2.p); connect(c2.n, ground.p); connect(r1.n, c1.p); "
        "connect(c1.n, amplifier.out); connect(amplifier.in_n, amplifier.out);\n",
        1e-3);
    const double w0 = 1 / std::sqrt(1e4 * 2.2e4 * 8e-8 * 1e-8), decay = w0 * w0 * 3.2e4 * 1e-8 / 2,
                 w = std::sqrt(w0 * w0 - decay * decay), t = 1e-3;
    EXPECT_NEAR(last(result, "amplifier.out.v"),
                1 - std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t)), 1e-6);
  }
}

TEST(Systems, a_wall_of_layers) {
  const auto result = solve(
      "Thermal.FixedTemperature inside(T = 295), outside(T = 265); Thermal.Convection warm(area = "
      "12, h = 8), cold(area = 12, h = 25); Thermal.Capacity c[3](each C = 2e5, each T_start = "
      "280); Thermal.Conductor k[4](G = {60, 40, 20, 60}); Thermal.HeatSource heat; "
      "Blocks.Constant power(k = 300);\n",
      "connect(inside.port, warm.port_b); connect(warm.port_a, k[1].port_a); for i in 1:3 loop "
      "connect(k[i].port_b, c[i].port); connect(c[i].port, k[i + 1].port_a); end for; "
      "connect(k[4].port_b, cold.port_a); connect(cold.port_b, outside.port); connect(power.y, "
      "heat.Q); connect(heat.port, c[2].port);\n",
      7200);
  const double first = 1 / (1.0 / 96 + 1.0 / 60), end = 1 / (1.0 / 300 + 1.0 / 60);
  const auto T = runge_kutta<3>(
      [&](double, const State<3>& x) -> State<3> {
        const double q[] = {first * (295 - x[0]), 40 * (x[0] - x[1]), 20 * (x[1] - x[2]),
                            end * (x[2] - 265)};
        return {(q[0] - q[1]) / 2e5, (q[1] - q[2] + 300) / 2e5, (q[2] - q[3]) / 2e5};
      },
      {280, 280, 280}, 0, 7200, 2000);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(last(result, "c[" + std::to_string(i + 1) + "].T"), T[i], 1e-6);
}

double root(double x) { return x / std::pow(x * x + 1e-4, 0.25); }

/// Components turned round, orifices side by side, a vessel at the end of a tube of pieces.
TEST(Systems, a_circuit_of_oil) {
  const auto result = solve(
      "Hydraulic.Fluid oil(density = 870, bulk_modulus = 1.4e9, viscosity = 0.03); "
      "Hydraulic.FixedPressure source(p = 50e5), tank(p = 1e5); Hydraulic.Tube tube(N = 2, area = "
      "3e-4, length = 4, p_start = 50e5); Hydraulic.FixedVolume first(vol = 2e-3, p_start = 50e5), "
      "second(vol = 1e-3, p_start = 10e5); Hydraulic.Orifice o1(area = 8e-6), o2(area = 5e-6, Cd = "
      "2), o3(area = 2e-6); Hydraulic.Cap cap;\n",
      "connect(oil.port, tank.port); connect(source.port, tube.port_b); connect(tube.port_a, "
      "first.port); connect(first.port, o1.port_a); connect(first.port, o2.port_b); "
      "connect(o1.port_b, second.port); connect(o2.port_a, second.port); connect(second.port, "
      "cap.port); connect(second.port, o3.port_b); connect(o3.port_a, tank.port);\n",
      0.02);
  const double rho = 870, area = 3e-4, length = 4, stiff = 1.4e9 / rho;
  const double d = 2 * std::sqrt(area / pi);
  const auto y = runge_kutta<3>(
      [&](double, const State<3>& x) -> State<3> {  // pressures of both vessels, flow to the first
        const double u = x[2] / (rho * area), Re = std::abs(x[2]) * d / (area * 0.03);
        const double lost = 0.5 * rho * u * std::sqrt(u * u + 1e-4) * 64 * Re / (Re * Re + 0.01) *
                            length / d;  // it stays laminar
        const double through =
            8e-6 * root(2 * rho * (x[0] - x[1]) / 2.7) + 5e-6 * root(2 * rho * (x[0] - x[1]) / 2);
        const double out = 2e-6 * root(2 * rho * (x[1] - 1e5) / 2.7);
        return {(x[2] - through) * stiff / (2e-3 + area * length / 2),
                (through - out) * stiff / 1e-3, (50e5 - x[0] - lost) * area / length};
      },
      {50e5, 10e5, 0}, 0, 0.02, 100000);
  EXPECT_NEAR(last(result, "first.port.p"), y[0], 20);
  EXPECT_NEAR(last(result, "second.port.p"), y[1], 20);
  EXPECT_NEAR(-last(result, "tube.p[1].m"), y[2], 1e-5);
}

/// One degree of freedom: M(q) q'' + M'(q) q'^2/2 + V'(q) = 0.
TEST(Systems, a_slider_crank_falls) {
  const auto result = solve(
      "Planar.Ground left, right; Planar.Revolute h1(phi_start = 1), h2(phi_start = -1.5, "
      "fix_start = false), h3(phi_start = 0.5, fix_start = false); Planar.Beam crank(length = 0.5, "
      "m = 1), rod(length = 1.5, m = 2); Planar.Prismatic slide(s_start = 1.7, fix_start = false); "
      "Planar.Body piston(m = 3, I = 0.01); inner Planar.World world;\n",
      "connect(left.frame, h1.frame_a); connect(h1.frame_b, crank.frame_a); connect(crank.frame_b, "
      "h2.frame_a); connect(h2.frame_b, rod.frame_a); connect(rod.frame_b, h3.frame_a); "
      "connect(right.frame, slide.frame_a); connect(slide.frame_b, piston.frame); "
      "connect(piston.frame, h3.frame_b);\n",
      1);
  const double a = 0.5, b = 1.5;
  const auto mass = [&](double q) {
    const double sine = a * std::sin(q) / b, cosine = std::sqrt(1 - sine * sine);
    const double rate = -a * std::cos(q) / (b * cosine);  // of the rod's angle, for each rad
    const double x = -a * std::sin(q) + b / 2 * sine * rate, y = a * std::cos(q) / 2;
    const double s = -a * std::sin(q) + b * sine * rate;
    return a * a / 4 + a * a / 12 + 2 * (x * x + y * y + b * b / 12 * rate * rate) + 3 * s * s;
  };
  const auto y = runge_kutta<2>(
      [&](double, const State<2>& x) -> State<2> {
        const double h = 1e-4, slope = (mass(x[0] + h) - mass(x[0] - h)) / (2 * h);
        const double weight = 9.81 * (1 * a / 2 + 2 * a / 2) * std::cos(x[0]);
        return {x[1], -(slope * x[1] * x[1] / 2 + weight) / mass(x[0])};
      },
      {1, 0}, 0, 1, 4000);
  EXPECT_NEAR(last(result, "h1.phi"), y[0], 1e-6);
  EXPECT_NEAR(last(result, "h1.w"), y[1], 1e-5);
}

/// A start that is no more than a default gives way to what moves or feeds the component, and to
/// starts that somebody gave.
TEST(Systems, defaults_of_starts_give_way) {
  const auto led = solve(
      "Translational.Mass mass(m = 2); Translational.Position hand; Blocks.TimeFunction path(y = "
      "0.3*sin(4*time));\n",
      "connect(path.y, hand.s); connect(hand.flange, mass.flange);\n", 1);
  EXPECT_NEAR(at(led, "mass.v", 0), 1.2, 1e-12);
  EXPECT_NEAR(last(led, "mass.f"), -2 * 0.3 * 16 * std::sin(4.0), 1e-9);
  const auto geared = solve(
      "Rotational.Inertia fast(J = 0.1, w_start = 6), slow(J = 0.5); Rotational.Gear gear(ratio "
      "= 3);\n",
      "connect(fast.flange, gear.flange_a); connect(gear.flange_b, slow.flange);\n", 1);
  EXPECT_NEAR(last(geared, "slow.w"), 2, 1e-9);
  const auto fed = solve(
      "Electrical.ConstantVoltage source(V = 10); Electrical.Capacitor capacitor; "
      "Electrical.Resistor "
      "resistor(R = 5); Electrical.Ground ground; Thermal.FixedTemperature bath(T = 350); "
      "Thermal.Capacity body; Hydraulic.Fluid water; Hydraulic.FixedPressure pump(p = 3e5); "
      "Hydraulic.Tube tube(N = 3);\n",
      "connect(source.p, capacitor.p); connect(source.n, capacitor.n); connect(resistor.p, "
      "capacitor.p); connect(resistor.n, capacitor.n); connect(ground.p, source.n); "
      "connect(bath.port, body.port); connect(water.port, pump.port); connect(pump.port, "
      "tube.port_a);\n",
      1e-3);
  EXPECT_EQ(at(fed, "capacitor.v", 0), 10);
  EXPECT_EQ(at(fed, "body.T", 0), 350);
  EXPECT_NEAR(at(fed, "tube.v[1].rho", 0), 997 * (1 + 3e5 / 2.09e9), 1e-9);
  EXPECT_NEAR(at(fed, "tube.v[3].rho", 0), 997, 1e-9);
  EXPECT_TRUE(fed.filled_starts.empty()) << fed.filled_starts.front();
}

}  // namespace
}  // namespace alembert::library_test
