// SPDX-License-Identifier: Apache-2.0
// Hydraulic components in small circuits: figures that two independent programs agree on, limits
// and orders that physics demands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

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
  EXPECT_NEAR(last(result, "vessel.port.p"), 10e5, 1e3);
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

Pulled pulled(bool has_gas, int n_pieces) {
  const auto result = run(
      flat_text(circuit(
          std::string("Fluid water(let_gas = ") + (has_gas ? "true" : "false") +
              "); Cap cap(p_start = 100e5); DynamicVolume chamber(N = " + std::to_string(n_pieces) +
              ", p_start = 100e5, area = 1e-3, x_start = 0.05, x_max = 0.1, x_damp = "
              "0.02, x_min = 0.01); Translational.Mass load(m = 100, g = -9.807); "
              "Translational.PositionSensor position(s_start = 0.05);\n",
          "connect(water.port, cap.port); connect(cap.port, chamber.port); "
          "connect(chamber.flange, load.flange); connect(load.flange, "
          "position.flange);\n")),
      {.tolerance = 1e-6, .intervals = 1000}, 0.05);
  const auto s = result.trajectory.column("position.s"),
             p = result.trajectory.column("chamber.moving_volume.port.p");
  return {*std::max_element(s.begin(), s.end()), *std::min_element(p.begin(), p.end())};
}

TEST(HydraulicComponents, gas_keeps_pressure_from_falling) {
  const Pulled gas = pulled(true, 0), liquid = pulled(false, 0);
  EXPECT_GT(gas.highest, liquid.highest + 1e-4);
  EXPECT_GT(gas.lowest_pressure, -1000);
  EXPECT_LT(liquid.lowest_pressure, -1e6);
  EXPECT_NEAR(pulled(false, 5).highest, 0.050432, 2e-5);
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
