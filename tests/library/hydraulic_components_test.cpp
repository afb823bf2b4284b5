// SPDX-License-Identifier: Apache-2.0
// Hydraulic components in small circuits: figures that two independent programs agree on, limits
// and orders that physics demands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/structure/explain.hpp"
#include "run_model.hpp"

namespace alembert::library_test {
namespace {

std::string circuit(const std::string& components, const std::string& equations) {
  return "model Circuit\n  import Alembert.Hydraulic.*;\n  import Alembert.Translational;\n"
         "  import Alembert.Blocks;\n" +
         components + "equation\n" + equations + "end Circuit;\n";
}

double tube_end(int n, double bulk_modulus) {
  const auto result = run(
      flat_text(circuit("Fluid fluid(bulk_modulus = " + std::to_string(bulk_modulus) +
                            "); Blocks.Step step(height = 10e5, start_time = 0.005, smooth_edges "
                            "= true); Source source; Tube tube(N = " +
                            std::to_string(n) +
                            ", area = 0.01, length = 50); FixedVolume vessel(vol = 10);\n",
                        "connect(fluid.port, source.port); connect(step.y, source.p); "
                        "connect(source.port, tube.port_a); connect(tube.port_b, vessel.port);\n")),
      {.tolerance = 1e-8, .intervals = 10}, 0.05);
  return last(result, "vessel.port.p");
}

TEST(HydraulicComponents, a_tube_fills_a_vessel) {
  EXPECT_NEAR(tube_end(1, 2e9), 40317, 10);
  EXPECT_NEAR(tube_end(1, 1e9), 20227, 10);
  EXPECT_NEAR(tube_end(5, 1e9), 5754, 10);
}

TEST(HydraulicComponents, a_valve_lets_pressure_out) {
  const auto result =
      run(flat_text(circuit(
              "Fluid fluid; FixedPressure sink(p = 10e5); Valve valve(Cd = 1e5); FixedVolume "
              "vessel(vol = 0.1, p_start = 100e5); Blocks.Ramp ramp(height = 1, duration = 1e-3, "
              "start_time = 1e-3, smooth_edges = true);\n",
              "connect(fluid.port, sink.port); connect(sink.port, valve.port_a); "
              "connect(valve.port_b, vessel.port); connect(ramp.y, valve.area);\n")),
          {.tolerance = 1e-8, .intervals = 20}, 0.01);
  EXPECT_NEAR(at(result, "vessel.port.p", 1.5e-3), 8.92e6, 2e4);
  EXPECT_NEAR(at(result, "vessel.port.p", 2.0e-3), 6.11e6, 2e4);
  EXPECT_NEAR(at(result, "vessel.port.p", 2.5e-3), 3.31e6, 2e4);
  EXPECT_NEAR(last(result, "vessel.port.p"), 10e5, 1);
}

/// Another loss coefficient for each direction, by three orders of magnitude.
TEST(HydraulicComponents, a_valve_that_opens_one_way) {
  for (const char* pressures : {"a(p = 3e5), b(p = 1e5)", "a(p = 1e5), b(p = 3e5)"}) {
    const bool forward = pressures[6] == '3';
    const auto result = run(
        flat_text(circuit(std::string("Fluid fluid; FixedPressure ") + pressures +
                              "; Valve valve(Cd = 100, Cd_reverse = 0.1); Blocks.Constant area(k = "
                              "1e-4);\n",
                          "connect(fluid.port, a.port); connect(a.port, valve.port_a); "
                          "connect(valve.port_b, b.port); connect(area.y, valve.area);\n")),
        {.intervals = 2}, 1);
    const double flow = 1e-4 * std::sqrt(2 * 997 * 2e5 / (forward ? 100 : 0.1));
    EXPECT_NEAR(last(result, "valve.port_a.dm"), forward ? flow : -flow, 1e-6 * flow);
  }
}

/// A constant mass flow of 1 kg/s into 10 m3.
TEST(HydraulicComponents, what_a_pump_pushes_out_accumulates) {
  const auto result =
      run(flat_text(circuit("Fluid fluid; MassFlow pump; Blocks.Constant rate(k = 1); FixedVolume "
                            "vessel(vol = 10, p_start = 1e5);\n",
                            "connect(fluid.port, pump.port); connect(rate.y, pump.dm); "
                            "connect(pump.port, vessel.port);\n")),
          {.intervals = 10}, 1);
  EXPECT_NEAR(last(result, "vessel.drho"), 0.1, 1e-9);
}

/// A mass on a column of liquid: omega^2 = (bulk modulus area / length) / mass, about rest.
TEST(HydraulicComponents, a_mass_on_a_closed_column_bounces_as_on_a_spring) {
  const double area = 0.01, length = 1, beta = 1.2e9, mass = 1e4;
  const auto result =
      run(flat_text(
              circuit("Fluid oil(density = 876, bulk_modulus = 1.2e9); Cap cap; Volume "
                      "column(area = 0.01, x_start = 1); Translational.Mass load(m = 1e4, v_start "
                      "= -0.001);\n",
                      "connect(oil.port, cap.port); connect(cap.port, column.port); "
                      "connect(column.flange, load.flange);\n")),
          {.tolerance = 1e-10, .intervals = 100}, 0.1);
  const double omega = std::sqrt(beta * area / length / mass);
  for (const double t : {0.03, 0.1})
    EXPECT_NEAR(at(result, "column.x", t), 1 - 0.001 / omega * std::sin(omega * t), 2e-8);
}

/// A load that pulls on a closed chamber: gas keeps the pressure from falling, and it goes further.
struct Pulled {
  double highest, lowest_pressure;
};

Pulled pulled(const char* let_gas) {
  const auto result = run(flat_model("Alembert.Hydraulic.Examples.PulledChamber", {let_gas}),
                          {.tolerance = 1e-6, .intervals = 1000}, 0.05);
  const auto s = result.trajectory.column("position.s"),
             p = result.trajectory.column("chamber.port.p");
  return {*std::max_element(s.begin(), s.end()), *std::min_element(p.begin(), p.end())};
}

// Figures of backward Euler with steps to zero, by a program of its own.
TEST(HydraulicComponents, gas_keeps_pressure_from_falling) {
  const Pulled gas = pulled("let_gas=true"), liquid = pulled("let_gas=false");
  EXPECT_NEAR(gas.highest, 0.051218, 5e-6);
  EXPECT_NEAR(gas.lowest_pressure, -46, 3);
  EXPECT_NEAR(liquid.highest, 0.050432, 2e-6);
  EXPECT_NEAR(liquid.lowest_pressure, -7.99e6, 5e4);
}

// A mass on a column of liquid, as bare equations; figures of a program of its own.
std::string column(const std::string& balance, const std::string& start, const std::string& drive) {
  return "model Column\n  constant Real w = 30*3.14159265358979323846, M = 1e4, A = 0.01, rho_0 = "
         "876, beta = 1.2e9, g = 9.807;\n  Real x" +
         start + ", v, a, r, dr, p, dm;\n  Real wanted = 1 + 0.05*sin(w*time);\nequation\n" +
         "  v = der(x); a = der(v); dr = der(r); r = rho_0*(1 + p/beta); M*a = p*A - M*g;\n  dm = "
         "dr*x*A + " +
         balance + "*v*A;\n  " + drive + ";\nend Column;\n";
}

TEST(HydraulicComponents, a_column_whose_length_is_given_has_no_states) {
  flat::FlatSystem flat = flat_text(column("r", "", "x = wanted"));
  EXPECT_EQ(structure::explain(flat).degrees_of_freedom, 0u);
  const auto result = run(std::move(flat), {.tolerance = 1e-8, .intervals = 1000}, 0.2);
  EXPECT_NEAR(at(result, "dm", 0), -263.949, 1e-3);
  EXPECT_NEAR(at(result, "r", 0), 883.15911, 1e-5);
  EXPECT_NEAR(at(result, "dr", 0), -30556.69, 1e-2);
  const auto p = result.trajectory.column("p"), dm = result.trajectory.column("dm");
  EXPECT_NEAR(*std::max_element(p.begin(), p.end()), 4.539e8, 1e5);
  EXPECT_NEAR(*std::min_element(p.begin(), p.end()), -4.343e8, 1e5);
  EXPECT_NEAR(*std::max_element(dm.begin(), dm.end()), 265.69, 0.05);
}

TEST(HydraulicComponents, a_column_that_is_fed_moves_as_the_balance_of_mass_says) {
  struct Case {
    const char* density;
    double x[4];  // at 0.05, 0.1, 0.15, 0.2
  };
  const Case cases[] = {{"rho_0", {1.170557, 0.986949, 0.849872, 1.112678}},
                        {"r", {1.171762, 0.993874, 0.851804, 1.112660}}};
  for (const Case& given : cases) {
    SCOPED_TRACE(given.density);
    flat::FlatSystem flat =
        flat_text(column(given.density, "(start = 1, fixed = true)",
                         "dm = 0.05*w*cos(w*time)*A*r;\ninitial equation\n  v = 0.05*w; r = "
                         "rho_0*(1 + M*g/(A*beta))"));
    EXPECT_EQ(structure::explain(flat).degrees_of_freedom, 3u);
    const auto result = run(std::move(flat), {.tolerance = 1e-9, .intervals = 40}, 0.2);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(at(result, "x", 0.05 * (i + 1)), given.x[i], 2e-6);
  }
}

/// Friction of laminar flow is that of Hagen and Poiseuille.
TEST(HydraulicComponents, slow_flow_in_a_tube_is_hagen_and_poiseuille) {
  const auto result = run(
      flat_text(circuit("Fluid oil(density = 876, viscosity = 0.1); MassFlow pump; Blocks.Constant "
                        "rate(k = 0.5); Tube tube(N = 1, area = 1e-3, length = 10, add_inertia = "
                        "false); FixedPressure tank;\n",
                        "connect(oil.port, pump.port); connect(rate.y, pump.dm); "
                        "connect(pump.port, tube.port_a); connect(tube.port_b, tank.port);\n")),
      {.intervals = 2}, 1);
  const double expected = 8 * std::numbers::pi * 0.1 * 10 * (0.5 / 876) / (1e-3 * 1e-3);
  EXPECT_NEAR(last(result, "pump.port.p"), expected, 1e-3 * expected);
}

}  // namespace
}  // namespace alembert::library_test
