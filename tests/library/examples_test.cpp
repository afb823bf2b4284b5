// SPDX-License-Identifier: Apache-2.0
// The examples of the library against answers on paper: each row is a model, a variable, a time,
// and what it must be there.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "run_model.hpp"

namespace alembert::library_test {
namespace {

struct Answer {
  const char* model;
  const char* variable;
  double time;
  double (*expected)(double t);
  double tolerance;  // absolute; a few times the tolerance of the run and the size of the variable
};

double oscillator(double t) {  // m x'' + d x' + k x = 0, x(0) = 0.1
  const double decay = 1, w = std::sqrt(25.0 - decay * decay);
  return 0.1 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
}

double resonance(double t) {  // L q'' + R q' + q/C = 0, v(0) = 10
  const double decay = 10 / 0.2, w = std::sqrt(1 / (0.1 * 1e-4) - decay * decay);
  return 10 * std::exp(-decay * t) * (std::cos(w * t) + decay / w * std::sin(w * t));
}

double hot_body(double t) {
  const double mean = (2000 * 373.15 + 1000 * 273.15) / 3000;
  return mean + (373.15 - mean) * std::exp(-10 * (1.0 / 2000 + 1.0 / 1000) * t);
}

/// Speed of the machine at rest of the current: k V / (R d + k^2).
double motor_at_last(double) { return 0.05 * 12 / (0.5 * 1e-5 + 0.05 * 0.05); }

/// All the torque goes into the common acceleration once the shaft has settled.
double geared_acceleration(double) { return 2.0 * 5 / (4 + 25 * 0.1); }

double slider(double t) {
  return 0.1 * std::cos(20 * t) + std::sqrt(0.09 - std::pow(0.1 * std::sin(20 * t), 2));
}

double slider_velocity(double t) {
  const double h = 1e-5;
  return (slider(t + h) - slider(t - h)) / (2 * h);
}

double clipped(double t) {  // gain -10 of 2 V, clipped at 15 V: inside only
  return -20 * std::sin(2 * std::numbers::pi * 10 * t);
}

const Answer answers[] = {
    {"Translational.Examples.Oscillator", "spring.delta_s", 0.6, oscillator, 1e-7},
    {"Translational.Examples.Oscillator", "sensor.s", 3.0, oscillator, 1e-7},
    {"Rotational.Examples.GearedDrive", "der(large.w)", 5.0, geared_acceleration, 1e-4},
    {"Electrical.Examples.SeriesResonance", "capacitor.v", 0.02, resonance, 1e-6},
    {"Electrical.Examples.SeriesResonance", "capacitor.v", 0.1, resonance, 1e-6},
    {"Electrical.Examples.InvertingAmplifier", "amplifier.out.v", 0.004, clipped,
     0.2},  // a finite gain, and the bend of the clipping begins early
    {"Electrical.Examples.MotorStart", "motor.w", 2.0, motor_at_last, 0.3},
    {"Thermal.Examples.TwoBodies", "hot.T", 100.0, hot_body, 1e-5},
    {"Thermal.Examples.HeatedWall", "layer[10].T", 30000.0,
     [](double) { return 273.15 + 500.0 / 25; }, 0.05},
    {"Thermal.Examples.HeatedWall", "layer[1].T", 30000.0,
     [](double) { return 273.15 + 500.0 / 25 + 9 * 500.0 / 50; }, 0.3},
    {"Planar.Examples.SliderCrank", "guide.s", 0.1, slider, 1e-9},
    {"Planar.Examples.SliderCrank", "guide.v", 0.1, slider_velocity, 1e-6},
    {"Blocks.Examples.Samples", "y", 7.35, [](double t) { return t * t + 1; }, 1e-9},
    {"Blocks.Examples.Samples", "dy", 10.0, [](double t) { return 2 * t; }, 1e-9},
    {"Blocks.Examples.Samples", "ddy", 10.0, [](double) { return 2.0; }, 1e-8},
    {"Blocks.Examples.ControlledLag", "lag.y", 10.0, [](double) { return 1.0; }, 1e-3},
};

TEST(Examples, give_the_answers_on_paper) {
  std::string model;
  integrate::SimulationResult result;
  for (const Answer& answer : answers) {
    SCOPED_TRACE(std::string(answer.model) + " " + answer.variable);
    if (model != answer.model) {
      model = answer.model;
      flat::FlatSystem flat = flat_model("Alembert." + model);
      const double tolerance = flat.experiment.tolerance.value_or(1e-6);
      result = run(std::move(flat), {.tolerance = tolerance, .intervals = 2000});
    }
    EXPECT_NEAR(at(result, answer.variable, answer.time), answer.expected(answer.time),
                answer.tolerance);
  }
}

/// Closed loops and chaotic arms: energy is kept.
TEST(Examples, mechanisms_keep_their_energy) {
  for (const char* model : {"DoublePendulum", "FourBar"}) {
    SCOPED_TRACE(model);
    const auto result =
        run(flat_model(std::string("Alembert.Planar.Examples.") + model), {.tolerance = 1e-9});
    const auto energy = result.trajectory.column("E");
    double swing = 0, lowest = energy[0];
    for (const double v : result.trajectory.column(
             std::string(model) == "FourBar" ? "coupler.body.vx" : "beam2.body.vx"))
      swing = std::max(swing, std::abs(v));
    EXPECT_GT(swing, 1);  // it does move
    for (const double e : energy) EXPECT_NEAR(e, lowest, 2e-6);
  }
}

/// Two diodes drop about 1.4 V of 20 V; the ripple is i/(2 f C), or less.
TEST(Examples, a_rectifier_gives_the_peak_less_two_diodes) {
  const auto result =
      run(flat_model("Alembert.Electrical.Examples.Rectifier"), {.intervals = 1000});
  double least = 1e9, most = 0;
  for (std::size_t i = 0; i < result.trajectory.n_rows(); ++i) {
    if (result.trajectory.times()[i] < 0.06) continue;
    const double v = result.trajectory.column("capacitor.v")[i];
    least = std::min(least, v);
    most = std::max(most, v);
  }
  EXPECT_GT(most, 20 - 2.0);
  EXPECT_LT(most, 20 - 1.0);
  EXPECT_GT(most - least, 0.5);
  EXPECT_LT(most - least, most / 100 / (2 * 50 * 1e-3));
}

TEST(Examples, a_thermostat_keeps_between_its_temperatures) {
  const auto result = run(flat_model("Alembert.Blocks.Examples.Thermostat"));
  for (std::size_t i = 0; i < result.trajectory.n_rows(); ++i) {
    if (result.trajectory.times()[i] < 100) continue;
    const double T = result.trajectory.column("room.y")[i];
    EXPECT_GT(T, 19 - 1e-5);
    EXPECT_LT(T, 21 + 1e-5);
  }
  EXPECT_GT(result.n_state_events, 10u);
}

/// On the belt the mass is carried along until the spring pulls with the breaking force.
TEST(Examples, a_mass_on_a_belt_sticks_and_slips) {
  const auto result = run(flat_model("Alembert.Translational.Examples.StickSlip"));
  double most = 0, least_speed = 1;
  for (const double f : result.trajectory.column("spring.f")) most = std::max(most, f);
  for (const double v : result.trajectory.column("mass.v")) least_speed = std::min(least_speed, v);
  EXPECT_NEAR(most, 10, 1);  // and what its own inertia adds
  EXPECT_LT(least_speed, -0.3);
}

}  // namespace
}  // namespace alembert::library_test
