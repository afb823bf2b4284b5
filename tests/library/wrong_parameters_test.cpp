// SPDX-License-Identifier: Apache-2.0
// A wrong parameter is told in words: every assertion of the library is provoked once.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "alembert/base/error.hpp"
#include "library_sources.hpp"
#include "run_model.hpp"

namespace alembert::library_test {
namespace {

struct Wrong {
  const char* model;
  const char* change;  // one or more, with spaces between
  const char* message;
};

const Wrong wrong[] = {
    {"Translational.Examples.Oscillator", "mass.m=-1", "the mass of a body must be positive"},
    {"Translational.Examples.Oscillator", "spring.k=-1",
     "the stiffness of a spring must not be negative"},
    {"Translational.Examples.Oscillator", "damper.d=-1",
     "the constant of a damper must not be negative"},
    {"Translational.Examples.StickSlip", "friction.f_slide=20",
     "dry friction must not be negative, and f_break not below f_slide"},
    {"Translational.Examples.StickSlip", "friction.v_small=0",
     "v_break must be above v_small, and that above 0"},
    {"Translational.Examples.StickSlip", "friction.d=-1", "the viscous part must not be negative"},
    {"Rotational.Examples.Motions", "friction.tau_slide=-1",
     "dry friction must not be negative, and tau_break not below tau_slide"},
    {"Rotational.Examples.Motions", "friction.w_small=1",
     "w_break must be above w_small, and that above 0"},
    {"Rotational.Examples.Motions", "friction.d=-1", "the viscous part must not be negative"},
    {"Rotational.Examples.Motions", "first.J=-2", "the moment of inertia must be positive"},
    {"Rotational.Examples.Motions", "spring.c=-2",
     "the stiffness of a spring must not be negative"},
    {"Rotational.Examples.Motions", "damper.d=-2", "the constant of a damper must not be negative"},
    {"Rotational.Examples.GearedDrive", "gear.ratio=0", "the ratio of a gear must not be 0"},
    {"Thermal.Examples.HeatedWall", "wind.h=-1",
     "the area must be positive, the coefficient not negative"},
    {"Thermal.Examples.TwoBodies", "contact.G=-1", "a conductance must not be negative"},
    {"Thermal.Examples.TwoBodies", "hot.C=-1", "a heat capacity must be positive"},
    {"Thermal.Examples.TwoBodies", "hot.T_start=-1",
     "a temperature is counted from absolute zero and must be positive"},
    {"Thermal.Examples.Cooling", "space.T=-1",
     "a temperature is counted from absolute zero and must be positive"},
    {"Thermal.Examples.Cooling", "radiation.area=-1", "the area must be positive"},
    {"Thermal.Examples.Cooling", "radiation.emissivity=2", "an emissivity lies between 0 and 1"},
    {"Hydraulic.Examples.FilledVessel", "tube.perimeter=-1",
     "area and perimeter of a tube must be positive"},
    {"Hydraulic.Examples.FilledVessel", "tube.length=-1", "the length of a tube must be positive"},
    {"Hydraulic.Examples.FilledVessel", "vessel.vol=0", "the volume of a vessel must be positive"},
    {"Hydraulic.Examples.FilledVessel", "fluid.viscosity=0",
     "density, bulk_modulus and viscosity of a fluid must be positive"},
    {"Hydraulic.Examples.FilledVessel", "fluid.gas_density=2000",
     "gas_density must lie between 0 and density"},
    {"Hydraulic.Examples.FilledVessel", "fluid.gas_pressure=1000",
     "gas_pressure is a gauge pressure and must be negative"},
    {"Hydraulic.Examples.FilledVessel", "fluid.n=-1", "the exponent n must be positive"},
    {"Hydraulic.Examples.OpenedValve", "valve.Cd=-1",
     "loss coefficients of a valve must be positive"},
    {"Hydraulic.Examples.OpenedValve", "valve.minimum_area=-1",
     "the least area of a valve must not be negative"},
    {"Hydraulic.Examples.PulledChamber", "chamber.area=-1 chamber.perimeter=0.1",
     "the area of a piston must be positive"},
    {"Hydraulic.Examples.PulledChamber", "chamber.x_max=-1", "the stroke must be positive"},
    {"Hydraulic.Examples.PulledChamber", "chamber.x_min=0.05",
     "x_min, x_damp and x_max must rise from 0"},
    {"Hydraulic.Examples.PulledChamber", "chamber.x_start=0.2",
     "a chamber starts with a length between 0 and x_max"},
    {"Hydraulic.Examples.PulledChamber", "chamber.least_length=0",
     "least_length and damped_length must be positive"},
    {"Hydraulic.Examples.PulledChamber", "chamber.direction=2", "direction must be 1 or -1"},
    {"Hydraulic.Examples.LiquidColumn", "column.area=-1", "the area of a piston must be positive"},
    {"Hydraulic.Examples.LiquidColumn", "column.direction=0", "direction must be 1 or -1"},
    {"Hydraulic.Examples.SharedFlow", "spool.d=0", "the diameter of a spool must be positive"},
    {"Hydraulic.Examples.SharedFlow", "divider.n=-1", "the number of branches must be positive"},
    {"Hydraulic.Examples.SharedFlow", "orifice.area=0", "the area of an orifice must be positive"},
    {"Planar.Examples.SpringAndSlide", "bob.m=-1",
     "a mass must be positive, a moment of inertia not negative"},
    {"Planar.Examples.SpringAndSlide", "hinge.d=-1", "damping must not be negative"},
    {"Planar.Examples.SpringAndSlide", "incline.d=-1", "damping must not be negative"},
    {"Planar.Examples.SpringAndSlide", "spring.k=-1",
     "stiffness, damping and length must not be negative"},
    {"Planar.Examples.DoublePendulum", "beam1.length=-1", "the length of a beam must be positive"},
    {"Blocks.Examples.Thermostat", "cold.low=0", "'high' must be above 'low'"},
    {"Blocks.Examples.Arithmetic", "limiter.u_min=2", "u_max must not be below u_min"},
    {"Blocks.Examples.Arithmetic", "dead_zone.u_min=2", "u_max must not be below u_min"},
    {"Blocks.Examples.Sources", "ramp.duration=-1", "durations must be positive"},
    {"Blocks.Examples.Sources", "step.delta=-1", "durations must be positive"},
    {"Blocks.Examples.Sources", "pulse.width=2", "the width must lie between 0 and 1"},
    {"Blocks.Examples.Sources", "sine.frequency=-2", "a frequency must not be negative"},
    {"Blocks.Examples.Filters", "slope.T=-1", "the time constant must be positive"},
    {"Blocks.Examples.Filters", "lag.T=-1", "the time constant must be positive"},
    {"Blocks.Examples.Filters", "ringing.w=-1",
     "the frequency must be positive, the damping not negative"},
    {"Blocks.Examples.Filters", "controller.Nd=-1",
     "the times of a PID must be positive (Td may be 0), and so must Nd"},
    {"Blocks.Examples.Filters", "controller.k=0", "the gain of a PID must not be 0"},
    {"Blocks.Examples.Filters", "limited.y_max=-1", "y_max must be above y_min"},
    {"Blocks.Examples.Filters", "butterworth.n=0", "a filter has an order of at least 1"},
    {"Blocks.Examples.Filters", "butterworth.frequency=0", "the frequency must be positive"},
    {"Blocks.Examples.Samples", "parabola.data={1}", "sampled data are two values or more"},
    {"Electrical.Examples.SeriesResonance", "coil.L=-1", "an inductance must be positive"},
    {"Electrical.Examples.SeriesResonance", "resistor.R=-1", "a resistance must not be negative"},
    {"Electrical.Examples.SeriesResonance", "capacitor.C=-1", "a capacitance must be positive"},
    {"Electrical.Examples.InvertingAmplifier", "source.f=-1", "a frequency must not be negative"},
    {"Electrical.Examples.InvertingAmplifier", "amplifier.V_max=-1",
     "gain and V_max must be positive, R_out not negative"},
    {"Electrical.Examples.Measurements", "lower.G=-1", "a conductance must not be negative"},
    {"Electrical.Examples.Measurements", "switch.R_closed=0",
     "R_closed and G_open must be positive"},
    {"Electrical.Examples.Measurements", "transformer.L1=-1 transformer.L2=-4",
     "inductances must be positive"},
    {"Electrical.Examples.Measurements", "transformer.k=2",
     "the coupling of two coils lies between -1 and 1"},
    {"Electrical.Examples.Measurements", "diode.C_junction=-1",
     "a capacitance must not be negative"},
    {"Electrical.Examples.Measurements", "diode.Is=-1",
     "Is, Vt, ideality and R_parallel of a diode must be positive"},
    {"Electrical.Examples.MotorStart", "motor.L=-1",
     "L and J of a machine must be positive, R and d not negative"},
};

/// What a user is told, whoever notices first.
std::string told(const Wrong& row) {
  try {
    std::istringstream changes(row.change);
    flat::FlatSystem flat = flat_model(
        std::string("Alembert.") + row.model,
        {std::istream_iterator<std::string>(changes), std::istream_iterator<std::string>()});
    const compile::CompiledModel model(std::move(flat));
    const auto result = integrate::simulate(model, {.stop = 1e-6, .intervals = 1});
    return result.outcome == integrate::Outcome::done ? "nothing" : result.message;
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Components, wrong_parameters_are_told) {
  for (const Wrong& row : wrong)
    EXPECT_NE(told(row).find(row.message), std::string::npos)
        << row.model << " " << row.change << ": " << told(row);
}

TEST(Components, every_assertion_is_provoked) {
  for (const std::string& message : assertion_messages())
    EXPECT_TRUE(std::any_of(std::begin(wrong), std::end(wrong), [&](const Wrong& row) {
      return row.message == message;
    })) << message;
}

}  // namespace
}  // namespace alembert::library_test
