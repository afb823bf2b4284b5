// SPDX-License-Identifier: Apache-2.0
// Components written in Modelica in models written in C++: the same answers as all in Modelica.
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/alembert.hpp"
#include "run_model.hpp"

namespace alembert::library_test {
namespace {

TEST(CppComponents, an_oscillator_of_library_components_swings_as_on_paper) {
  Model m("Oscillator");
  Library library(m);
  auto mass = library.make("Alembert.Translational.Mass", {{"m", 2}});
  auto spring = library.make("Alembert.Translational.Spring", {{"k", 50}, {"delta_s_start", 0.1}});
  auto damper = library.make("Alembert.Translational.Damper", {{"d", 4}});
  auto ground = library.make("Alembert.Translational.Fixed");
  m.connect(mass["flange"], spring["flange_a"], damper["flange_a"]);
  m.connect(spring["flange_b"], damper["flange_b"], ground["flange"]);
  const Expr work = m.unknown("work", {.start = 0, .fixed = true});
  m += der(work) == damper.quantity("f") * damper.quantity("v");
  const auto result = run(m.flatten(), {.tolerance = 1e-9}, 3);
  const double w = std::sqrt(24.0), t = 3;
  EXPECT_NEAR(last(result, "spring.delta_s"),
              0.1 * std::exp(-t) * (std::cos(w * t) + std::sin(w * t) / w), 1e-8);
  const double left =
      25 * std::pow(last(result, "spring.delta_s"), 2) + std::pow(last(result, "mass.v"), 2);
  EXPECT_NEAR(last(result, "work"), 25 * 0.01 - left, 1e-8);
}

TEST(CppComponents, second_of_a_kind_gets_a_name_of_its_own) {
  Model m("Two");
  Library library(m);
  EXPECT_EQ(library.make("Alembert.Translational.Mass").name(), "mass");
  EXPECT_EQ(library.make("Alembert.Translational.Mass").name(), "mass2");
  EXPECT_EQ(library.make("Alembert.Translational.Mass", {}, "load").name(), "load");
}

TEST(CppComponents, a_fluid_spreads_over_parts_of_the_library) {
  Model m("Tank");
  Library library(m);
  auto oil =
      library.make("Alembert.Hydraulic.Fluid", {{"density", 876}, {"let_gas", false}}, "oil");
  auto source = library.make("Alembert.Hydraulic.FixedPressure", {{"p", 1e5}}, "source");
  auto orifice = library.make("Alembert.Hydraulic.Orifice", {{"area", 1e-4}});
  auto vessel = library.make("Alembert.Hydraulic.FixedVolume", {{"vol", 0.1}}, "vessel");
  m.connect(oil["port"], source["port"]);
  m.connect(source["port"], orifice["port_a"]);
  m.connect(orifice["port_b"], vessel["port"]);
  const auto in_cpp = run(m.flatten(), {.tolerance = 1e-8, .intervals = 10}, 0.01);
  const auto in_modelica = run(flat_text(R"(model Tank
    import Alembert.Hydraulic.*;
    Fluid oil(density = 876, let_gas = false);
    FixedPressure source(p = 1e5);
    Orifice orifice(area = 1e-4);
    FixedVolume vessel(vol = 0.1);
  equation
    connect(oil.port, source.port);
    connect(source.port, orifice.port_a);
    connect(orifice.port_b, vessel.port);
  end Tank;)"),
                               {.tolerance = 1e-8, .intervals = 10}, 0.01);
  EXPECT_NEAR(last(in_cpp, "vessel.port.p"), last(in_modelica, "vessel.port.p"), 1);
  EXPECT_GT(last(in_cpp, "vessel.port.p"), 1e3);
}

/// The whole demo as a part of a model in C++, its valve moved by an equation there.
TEST(CppComponents, the_servo_actuator_is_made_with_all_its_parameters) {
  Model m("Press");
  Library library(m);
  auto system = library.make("Alembert.Hydraulic.Examples.ServoActuator",
                             {{"p_s", 200e5},
                              {"p_r", 5e5},
                              {"A_1", 360e-4},
                              {"A_2", 360e-4},
                              {"p_1", 45e5},
                              {"p_2", 45e5},
                              {"l_1", 0.01},
                              {"l_2", 0.05},
                              {"m_f", 250},
                              {"g", 0},
                              {"d", 0.1},
                              {"Cd", 0.01},
                              {"m_piston", 880}},
                             "press");
  const Expr energy = m.unknown("energy");
  m += energy == (880.0 + 1500.0) * system.quantity("body.v") * system.quantity("body.v") / 2;
  const auto result = run(m.flatten(), {.tolerance = 1e-6, .intervals = 10}, 0.03);
  EXPECT_NEAR(last(result, "press.piston.x"), 0.0134155, 1e-6);
  EXPECT_NEAR(last(result, "energy"), 1190 * 2.19708 * 2.19708, 1);
}

TEST(CppComponents, two_fluids_on_one_network_are_an_error) {
  Model m("Mixed");
  Library library(m);
  auto oil = library.make("Alembert.Hydraulic.Fluid", {{"density", 876}}, "oil");
  auto water = library.make("Alembert.Hydraulic.Fluid", {}, "water");
  auto orifice = library.make("Alembert.Hydraulic.Orifice");
  m.connect(oil["port"], orifice["port_a"]);
  m.connect(water["port"], orifice["port_b"]);
  try {
    m.flatten();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "F023");
    EXPECT_NE(std::string(error.what()).find("oil.port"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("water.port"), std::string::npos) << error.what();
  }
}

TEST(CppComponents, signals_and_tables_come_along) {
  Model m("Driven");
  Library library(m);
  auto data = library.make("Alembert.Blocks.SampledData",
                           {{"data", "{(0.1*i)^2 for i in 0:20}"}, {"dt", 0.1}}, "data");
  auto gain = library.make("Alembert.Blocks.Gain", {{"k", 3}});
  m.connect(data["y"], gain["u"]);
  const auto result = run(m.flatten(), {}, 1);
  EXPECT_NEAR(last(result, "gain.y"), 3, 1e-9);
}

TEST(CppComponents, a_connector_that_is_not_there_is_named) {
  Model m("Wrong");
  Library library(m);
  auto mass = library.make("Alembert.Translational.Mass");
  try {
    mass["flange_c"];
    FAIL() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "L002");
    EXPECT_NE(std::string(error.what()).find("it has flange"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace alembert::library_test
