// SPDX-License-Identifier: Apache-2.0
// The examples of the library against answers on paper: each row is a model, a variable, a time,
// and what it must be there.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <regex>
#include <set>
#include <sstream>

#include "alembert/visual/trajectory_figure.hpp"
#include "alembert/visual/write_figure.hpp"
#include "library_sources.hpp"
#include "run_model.hpp"

namespace alembert::library_test {
namespace {

struct Answer {
  const char* proves;  // components of the package, and of others, that it would fail without
  const char* model;
  const char* variable;
  double time;
  double (*expected)(double t);
  double tolerance;  // absolute; a few times the tolerance of the run and the size of the variable
};

using std::numbers::pi;

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
  return -20 * std::sin(2 * pi * 10 * t);
}

double ringing(double t) {  // a step into w = 10, D = 0.2
  const double w = std::sqrt(96.0);
  return 1 - std::exp(-2 * t) * (std::cos(w * t) + 2 / w * std::sin(w * t));
}

double butterworth(double t) {  // a step into the third order, edge at 1 Hz
  const double x = 2 * pi * t, r = std::sqrt(3.0);
  return 1 - std::exp(-x) - 2 / r * std::exp(-x / 2) * std::sin(r / 2 * x);
}

double controller(double t) {  // a ramp as set point, nothing measured
  return 2 * (t + t * t / (2 * 0.5) + 0.2 * (1 - std::exp(-t / 0.02)));
}

double radiating(double t) {  // into the cold: C T' = -e sigma A T^4
  return std::pow(std::pow(1000.0, -3) + 3 * 0.8 * 5.670374419e-8 * 0.1 * t / 500, -1.0 / 3);
}

double baking(double t) {  // T' = (300 + t/2 - T)/100
  return 300 + 0.5 * (t - 100 * (1 - std::exp(-t / 100)));
}

double bouncing(double t) { return -1 - 2 * 9.81 / 50 * (1 - std::cos(5 * t)); }

/// Nearly upright, a pendulum leaves as a hyperbolic sine; hanging, it swings as a sine.
double hanging(double t) {
  const double w = std::sqrt(9.81 / 0.5);
  return -pi + 0.01 / w * std::sin(w * t);
}

double through_a_third(double) {  // of 3 kg/s goes through one of three orifices
  return 1e5 + 2.7 * 1.0 / (2 * 876 * 1e-8);
}

double through_a_spool(double t) {
  return 2 * pi * 0.01 * 1e-3 * t * std::sqrt(2 * 876 * 4.9e6 / 2);
}

double zero(double) { return 0; }
double one(double) { return 1; }

const Answer answers[] = {
    {"Mass Spring Damper Fixed", "Translational.Examples.Oscillator", "spring.delta_s", 0.6,
     oscillator, 1e-7},
    {"PositionSensor", "Translational.Examples.Oscillator", "sensor.s", 3.0, oscillator, 1e-7},
    {"Force Mass VelocitySensor", "Translational.Examples.Motions", "speed.v", 1.5,
     [](double t) { return 2 * t; }, 1e-7},
    {"PositionSensor", "Translational.Examples.Motions", "place.s", 1.5,
     [](double t) { return 1 + t * t; }, 1e-7},
    {"ForceSensor", "Translational.Examples.Motions", "between.f", 1.5, [](double) { return 6.0; },
     1e-9},
    {"Position", "Translational.Examples.Motions", "led.v", 1.5,
     [](double t) { return 0.5 * std::cos(5 * t); }, 1e-9},
    {"Position", "Translational.Examples.Motions", "led.f", 1.5,
     [](double t) { return -4 * 2.5 * std::sin(5 * t); }, 1e-9},
    {"Friction", "Translational.Examples.Motions", "braked.v", 1.5,
     [](double t) { return 3 * (1 - std::exp(-t)); }, 1e-3},
    {"Acceleration", "Translational.Examples.Motions", "falling.v", 0.1,
     [](double t) { return -10 * t; }, 1e-7},
    {"Free", "Translational.Examples.Motions", "free.f", 0.1, [](double) { return 1000.0; }, 1e-6},
    {"Velocity Friction", "Translational.Examples.StickSlip", "mass.v", 0.5,
     [](double) { return 0.1; }, 1e-3},  // it sticks
    {"Gear Torque Inertia Damper Spring", "Rotational.Examples.GearedDrive", "der(large.w)", 5.0,
     geared_acceleration, 1e-4},
    {"SpeedSensor Torque Inertia", "Rotational.Examples.Motions", "speed.w", 1.5,
     [](double t) { return 2 * t; }, 1e-7},
    {"AngleSensor", "Rotational.Examples.Motions", "angle.phi", 1.5,
     [](double t) { return 1 + t * t; }, 1e-7},
    {"TorqueSensor", "Rotational.Examples.Motions", "between.tau", 1.5, [](double) { return 6.0; },
     1e-9},
    {"Position", "Rotational.Examples.Motions", "led.w", 1.5,
     [](double t) { return 0.5 * std::cos(5 * t); }, 1e-9},
    {"Spring Fixed", "Rotational.Examples.Motions", "swinging.w", 1.5,
     [](double t) { return 3 * std::cos(5 * t); }, 1e-6},
    {"Friction", "Rotational.Examples.Motions", "braked.w", 1.5,
     [](double t) { return 3 * (1 - std::exp(-t)); }, 1e-3},
    {"Speed Damper", "Rotational.Examples.Motions", "turn.flange.tau", 1.5,
     [](double t) { return -7 * 2 * t; }, 1e-7},
    {"Free", "Rotational.Examples.Motions", "free.tau", 1.5, [](double) { return 100.0; }, 1e-6},
    {"Resistor Inductor Capacitor Ground", "Electrical.Examples.SeriesResonance", "capacitor.v",
     0.02, resonance, 1e-6},
    {"Resistor Inductor Capacitor", "Electrical.Examples.SeriesResonance", "capacitor.v", 0.1,
     resonance, 1e-6},
    {"OpAmp SineVoltage", "Electrical.Examples.InvertingAmplifier", "amplifier.out.v", 0.004,
     clipped, 0.2},  // a finite gain, and the bend of the clipping begins early
    {"DCMachine ConstantVoltage", "Electrical.Examples.MotorStart", "motor.w", 2.0, motor_at_last,
     0.3},
    {"VoltageSource Conductor VoltageSensor", "Electrical.Examples.Measurements", "voltmeter.y",
     0.02, [](double t) { return 2.5 * std::sin(100 * t); }, 1e-7},
    {"CurrentSensor", "Electrical.Examples.Measurements", "ammeter.y", 0.02,
     [](double t) {  // through the divider only: what the others take goes past it
       return 10 * std::sin(100 * t) / 400;
     },
     1e-9},
    {"CurrentSource Capacitor", "Electrical.Examples.Measurements", "capacitor.v", 0.2,
     [](double t) { return 2 + 10 * t; }, 1e-7},
    {"Diode", "Electrical.Examples.Measurements", "diode.v", 0.2,
     [](double) { return 0.02585 * std::log(1e9 + 1); }, 1e-7},
    {"Switch", "Electrical.Examples.Measurements", "coil.i", 0.25,  // it leaks before
     [](double t) { return 0.5 + (1.2e-4 - 0.5) * std::exp(-10 * (t - 0.1)); }, 2e-5},
    {"IdealOpAmp", "Electrical.Examples.Measurements", "amplifier.out.v", 0.02,
     [](double t) { return -10 / (1000 * 1e-5) * (1 - std::cos(100 * t)) / 100; }, 1e-6},
    {"Transformer", "Electrical.Examples.Measurements", "secondary.y", 0.02,
     [](double t) { return 0.9 * 2 * 10 * std::sin(100 * t); }, 1e-6},
    {"Capacity Conductor", "Thermal.Examples.TwoBodies", "hot.T", 100.0, hot_body, 1e-5},
    {"Convection FixedTemperature HeatSource", "Thermal.Examples.HeatedWall", "layer[10].T",
     30000.0, [](double) { return 273.15 + 500.0 / 25; }, 0.05},
    {"Conductor", "Thermal.Examples.HeatedWall", "layer[1].T", 30000.0,
     [](double) { return 273.15 + 500.0 / 25 + 9 * 500.0 / 50; }, 0.3},
    {"Radiation TemperatureSensor", "Thermal.Examples.Cooling", "thermometer.T", 200.0, radiating,
     1e-3},
    {"TemperatureSource Convection", "Thermal.Examples.Cooling", "bread.T", 200.0, baking, 1e-4},
    {"Revolute Rod Beam Ground", "Planar.Examples.SliderCrank", "guide.s", 0.1, slider, 1e-9},
    {"Prismatic", "Planar.Examples.SliderCrank", "guide.v", 0.1, slider_velocity, 1e-6},
    {"Spring Body World", "Planar.Examples.SpringAndSlide", "bob.frame.y", 0.8, bouncing, 1e-8},
    {"Prismatic World", "Planar.Examples.SpringAndSlide", "incline.s", 0.8,
     [](double t) { return 9.81 * std::sin(0.5) * t * t / 2; }, 1e-8},
    {"Revolute Rod", "Planar.Examples.SpringAndSlide", "hinge.phi", 0.8, hanging, 1e-7},
    {"Constant", "Blocks.Examples.Sources", "level.y", 1, [](double) { return 2.0; }, 0},
    {"Step", "Blocks.Examples.Sources", "step.y", 0.5, [](double) { return 3.0; }, 0},
    {"Step", "Blocks.Examples.Sources", "step.y", 1, one, 0},
    {"Ramp", "Blocks.Examples.Sources", "ramp.y", 0.5, [](double) { return 0.5; }, 1e-12},
    {"Sine", "Blocks.Examples.Sources", "sine.y", 2.1,
     [](double t) { return 1 + 2 * std::sin(pi * (t - 0.5) + 0.5); }, 1e-12},
    {"Pulse", "Blocks.Examples.Sources", "pulse.y", 3, one, 0},
    {"Pulse", "Blocks.Examples.Sources", "pulse.y", 4, [](double) { return -1.0; }, 0},
    {"TimeFunction Integrator", "Blocks.Examples.Sources", "integral.y", 10,
     [](double t) { return t * t * t / 3 + t; }, 1e-5},
    {"Add", "Blocks.Examples.Arithmetic", "weighted.y", 2,
     [](double t) { return 2 * std::sin(t) - 0.25 * t; }, 1e-12},
    {"Feedback", "Blocks.Examples.Arithmetic", "difference.y", 2,
     [](double t) { return std::sin(t) - t / 2; }, 1e-12},
    {"Gain", "Blocks.Examples.Arithmetic", "gain.y", 2, [](double t) { return -3 * std::sin(t); },
     1e-12},
    {"Product", "Blocks.Examples.Arithmetic", "product.y", 2,
     [](double t) { return std::sin(t) * t / 2; }, 1e-12},
    {"Limiter", "Blocks.Examples.Arithmetic", "limiter.y", 2, [](double) { return 0.5; }, 1e-12},
    {"Limiter", "Blocks.Examples.Arithmetic", "limiter.y", 5, [](double) { return -0.25; }, 1e-12},
    {"DeadZone", "Blocks.Examples.Arithmetic", "dead_zone.y", 2,
     [](double t) { return std::sin(t) - 0.5; }, 1e-12},
    {"DeadZone", "Blocks.Examples.Arithmetic", "dead_zone.y", 3, zero, 1e-12},
    {"FirstOrder", "Blocks.Examples.Filters", "lag.y", 1,
     [](double t) { return 2 * (1 - std::exp(-2 * t)); }, 1e-7},
    {"SecondOrder", "Blocks.Examples.Filters", "ringing.y", 1, ringing, 1e-7},
    {"StateSpace", "Blocks.Examples.Filters", "same.y[1]", 1, ringing, 1e-7},
    {"LowPass", "Blocks.Examples.Filters", "butterworth.y", 0.5, butterworth, 1e-7},
    {"Derivative", "Blocks.Examples.Filters", "slope.y", 0.2,
     [](double t) { return 3 * (1 - std::exp(-10 * t)); }, 1e-6},
    {"PID", "Blocks.Examples.Filters", "controller.y", 1, controller, 1e-6},
    {"PID", "Blocks.Examples.Filters", "limited.v", 4, [](double) { return 3 + 2 * 0.25 / 0.5; },
     1e-5},  // wound up as far as Tt lets it
    {"Logic.Threshold Logic.And", "Blocks.Examples.Gates", "both.y", 1, one, 0},
    {"Logic.Threshold Logic.And", "Blocks.Examples.Gates", "both.y", 2, zero, 0},
    {"Logic.Or", "Blocks.Examples.Gates", "either.y", 2, one, 0},
    {"Logic.Or", "Blocks.Examples.Gates", "either.y", 4, zero, 0},
    {"Logic.Not", "Blocks.Examples.Gates", "opposite.y", 2, zero, 0},
    {"Logic.Not", "Blocks.Examples.Gates", "opposite.y", 4, one, 0},
    {"Logic.Switch", "Blocks.Examples.Gates", "chosen.y", 2, [](double t) { return std::sin(t); },
     1e-12},
    {"Logic.Switch", "Blocks.Examples.Gates", "chosen.y", 4, [](double) { return -1.0; }, 1e-12},
    {"Logic.ToReal", "Blocks.Examples.Gates", "number.y", 2, [](double) { return -5.0; }, 0},
    {"Logic.Hysteresis", "Blocks.Examples.Thermostat", "room.y", 18,  // heated from 15 to 21
     [](double t) { return 40 - 25 * std::exp(-t / 100); }, 1e-4},
    {"SampledData", "Blocks.Examples.Samples", "y", 7.35, [](double t) { return t * t + 1; }, 1e-9},
    {"SampledData", "Blocks.Examples.Samples", "dy", 10.0, [](double t) { return 2 * t; }, 1e-9},
    {"SampledData", "Blocks.Examples.Samples", "ddy", 10.0, [](double) { return 2.0; }, 1e-8},
    {"PID FirstOrder Step", "Blocks.Examples.ControlledLag", "lag.y", 10.0, one, 1e-3},
    {"Fluid Source Tube FixedVolume", "Hydraulic.Examples.FilledVessel", "vessel.port.p", 0.05,
     [](double) { return 40317.0; }, 10},
    {"Valve FixedPressure FixedVolume", "Hydraulic.Examples.OpenedValve", "vessel.port.p", 0.002,
     [](double) { return 6.11e6; }, 2e4},
    {"Volume MassFlow", "Hydraulic.Examples.LiquidColumn", "column.x", 0.13,
     [](double t) { return 1 + 0.05 * std::sin(2 * pi * 15 * t); }, 1e-6},
    {"FlowDivider Orifice", "Hydraulic.Examples.SharedFlow", "orifice.port_a.p", 1, through_a_third,
     1e2},
    {"SpoolValve", "Hydraulic.Examples.SharedFlow", "spool.port_a.dm", 0.5, through_a_spool, 1e-5},
    {"Open", "Hydraulic.Examples.SharedFlow", "vessel.drho", 1, [](double) { return -0.002; },
     1e-9},
    {"DynamicVolume Cap", "Hydraulic.Examples.PulledChamber", "position.s", 0.0024,
     [](double t) {  // pushed up by 100 bar, as on a spring: k = bulk modulus area / length
       const double k = 2.09e9 * 1e-3 / 0.05, w = std::sqrt(k / 100);
       return 0.05 + (100e5 * 1e-3 - 981) / k * (1 - std::cos(w * t));
     },
     1e-6},
    {"Actuator SpoolValve2Way", "Hydraulic.Examples.ServoActuator", "piston.x", 0.03,
     [](double) { return 0.0134155; }, 1e-6},
};

/// Every example once, for all tests of this file.
const integrate::SimulationResult& example(const std::string& name) {
  static std::map<std::string, integrate::SimulationResult> results;
  const auto known = results.find(name);
  if (known != results.end()) return known->second;
  flat::FlatSystem flat = flat_model("Alembert." + name);
  const double tolerance = flat.experiment.tolerance.value_or(1e-6);
  // The servo actuator has tests of its own; both chambers of the end stops are a long run.
  const bool is_servo = name == "Hydraulic.Examples.ServoActuator";
  const double stop = is_servo                                            ? 0.03
                      : name == "Hydraulic.Examples.SampledServoActuator" ? 0.002
                      : name == "Hydraulic.Examples.EndStops"             ? 0.2
                                                                          : 0;
  const std::uint32_t intervals = is_servo ? 300 : 2000;
  return results
      .emplace(name, run(std::move(flat), {.tolerance = tolerance, .intervals = intervals}, stop))
      .first->second;
}

TEST(Examples, give_the_answers_on_paper) {
  for (const Answer& answer : answers) {
    SCOPED_TRACE(std::string(answer.model) + " " + answer.variable);
    EXPECT_NEAR(at(example(answer.model), answer.variable, answer.time),
                answer.expected(answer.time), answer.tolerance);
  }
}

TEST(Examples, run_and_are_drawn) {
  for (const SourceExample& source : examples()) {
    SCOPED_TRACE(source.name);
    ASSERT_FALSE(source.plot.empty()) << "says not what to draw: __Alembert(plot = {...})";
    const std::string picture = visual::render_figure(
        visual::plot(example(source.name).trajectory, source.plot), visual::PictureFormat::svg);
    EXPECT_GT(picture.size(), 5000u);
    for (const std::string& name : source.plot)
      EXPECT_TRUE(example(source.name).trajectory.find(name).has_value()) << name;
  }
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), std::istream_iterator<std::string>()};
}

TEST(Components, each_has_an_example_and_an_answer) {
  std::set<std::string> proven;
  for (const Answer& answer : answers) {
    const std::string model = answer.model;
    for (const std::string& name : words(answer.proves))
      proven.insert(model.substr(0, model.find('.')) + "." + name);
  }
  std::string all_examples;
  for (const SourceExample& source : examples()) all_examples += source.text;
  const auto known = components();
  EXPECT_GT(known.size(), 90u);
  for (const SourceComponent& component : known) {
    EXPECT_TRUE(proven.erase(component.name) == 1) << component.name << " has no answer";
    const std::string last = component.name.substr(component.name.rfind('.') + 1);
    EXPECT_TRUE(std::regex_search(all_examples, std::regex("\\b" + last + " \\w+")))
        << component.name << " has no example";
  }
  EXPECT_TRUE(proven.empty()) << "there is no component " << *proven.begin();
}

TEST(Components, each_says_what_it_is_and_what_its_parameters_are) {
  for (const SourceComponent& component : components()) {
    EXPECT_FALSE(component.description.empty()) << component.name;
    for (const SourceParameter& parameter : component.parameters)
      EXPECT_FALSE(parameter.description.empty()) << component.name << "." << parameter.name;
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
