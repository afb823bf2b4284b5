// SPDX-License-Identifier: Apache-2.0
// One fluid spreads over each network of connected ports.
#include <gtest/gtest.h>

#include "alembert/base/error.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "run_model.hpp"

namespace alembert::library_test {
namespace {

std::string model(const std::string& components, const std::string& equations) {
  return "model Network\n  import Alembert.Hydraulic.*;\n" + components + "equation\n" + equations +
         "end Network;\n";
}

double parameter(const flat::FlatSystem& flat, const std::string& name) {
  const auto values = compile::CompiledModel(flat).parameter_values();
  for (std::size_t i = 0; i < flat.parameters.size(); ++i)
    if (flat.pool->symbol_of(flat.parameters[i].symbol).name == name) return values[i];
  ADD_FAILURE() << "no parameter " << name;
  return 0;
}

void expect_error(const std::string& text, const std::string& code,
                  std::initializer_list<std::string> words) {
  try {
    flat_text(text);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    // The line of the components, which is the user's, not one of the library.
    EXPECT_EQ(error.diagnostics().front().origin.span.line, 3u) << error.what();
    for (const std::string& word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << word << " in: " << error.what();
  }
}

TEST(FluidNetwork, a_fluid_spreads_through_connections_tubes_and_valves) {
  const auto flat = flat_text(
      model("Fluid oil(density = 876); FixedPressure source(p = 2e7); Tube tube; Orifice orifice; "
            "FixedVolume vessel(vol = 0.1);\n",
            "connect(oil.port, source.port); connect(source.port, tube.port_a); "
            "connect(tube.port_b, orifice.port_a); connect(orifice.port_b, vessel.port);\n"));
  EXPECT_EQ(parameter(flat, "vessel.port.fluid.density"), 876);
  EXPECT_EQ(parameter(flat, "orifice.base.port_b.fluid.density"), 876);
}

TEST(FluidNetwork, a_piston_separates_two_fluids) {
  const auto flat = flat_text(model(
      "Fluid oil(density = 876); Fluid water(density = 999); FixedPressure a; FixedPressure b; "
      "Actuator piston;\n",
      "connect(oil.port, a.port); connect(b.port, water.port); connect(a.port, "
      "piston.port_a); connect(b.port, piston.port_b);\n"));
  EXPECT_EQ(parameter(flat, "piston.port_a.fluid.density"), 876);
  EXPECT_EQ(parameter(flat, "piston.port_b.fluid.density"), 999);
}

TEST(FluidNetwork, two_fluids_on_one_network_are_named) {
  expect_error(model("Fluid oil(density = 876); Fluid water; FixedPressure a; Orifice orifice; "
                     "FixedPressure b;\n",
                     "connect(oil.port, a.port); connect(a.port, orifice.port_a); "
                     "connect(orifice.port_b, b.port); connect(water.port, b.port);\n"),
               "M322", {"'oil.port'", "'water.port'"});
}

TEST(FluidNetwork, a_network_without_a_fluid_is_named) {
  expect_error(model("FixedPressure a; FixedVolume vessel;\n", "connect(a.port, vessel.port);\n"),
               "M323", {"'a.port'", "'vessel.port'", "fluid"});
}

TEST(FluidNetwork, a_fluid_links_ports_without_joining_them) {
  const auto flat = flat_text(
      model("Fluid oil; FixedPressure a(p = 1e5); FixedPressure b(p = 2e5); Cap cap;\n",
            "connect(oil.port, a.port); connect(oil.port, b.port); connect(b.port, cap.port);\n"));
  EXPECT_NO_THROW(compile::CompiledModel{flat});  // two pressures, nothing overdetermined
}

}  // namespace
}  // namespace alembert::library_test
