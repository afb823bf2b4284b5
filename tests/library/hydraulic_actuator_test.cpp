// SPDX-License-Identifier: Apache-2.0
// The servo valve that drives a piston: its structure, and its motion up to the end stop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "alembert/structure/explain.hpp"
#include "alembert/structure/raw_counts.hpp"
#include "run_model.hpp"

namespace alembert::library_test {
namespace {

const std::string actuator = "Alembert.Hydraulic.Examples.ServoActuator";

// Counted independently, by a program that knows the equations of the components only.
TEST(ServoActuator, has_the_structure_that_was_counted_by_hand) {
  const structure::Explanation explanation = structure::explain(flat_model(actuator));
  EXPECT_EQ(explanation.n_equations, 304u);
  EXPECT_EQ(explanation.n_unknowns, 304u);
  EXPECT_EQ(explanation.structural_index, 3u);
  EXPECT_EQ(explanation.degrees_of_freedom, 47u);
}

TEST(ServoActuator, is_matched_as_the_textbook_prints_it) {
  for (const char* model : {"ServoActuator", "SampledServoActuator"}) {
    const structure::RawCounts counts =
        structure::raw_counts(flat_model(std::string("Alembert.Hydraulic.Examples.") + model));
    EXPECT_EQ(counts.n_matched_before, 300u);
    EXPECT_EQ(counts.n_matched_after, 304u);
    ASSERT_EQ(counts.blocks.size(), 1u);
    EXPECT_EQ(counts.n_blocks, 294u);
    EXPECT_EQ(counts.blocks[0].unknowns.size(), 11u);  // piston and load, rigidly coupled
  }
}

TEST(ServoActuator, one_fluid_reaches_all_ports_of_both_networks) {
  flat::FlatSystem flat = flat_model(actuator, {"fluid.density=876"});
  const auto values = compile::CompiledModel(flat).parameter_values();
  std::size_t n_ports = 0;
  for (std::size_t i = 0; i < flat.parameters.size(); ++i) {
    const std::string& name = flat.pool->symbol_of(flat.parameters[i].symbol).name;
    if (!name.ends_with(".fluid.density") || name == "fluid.port.fluid.density") continue;
    ++n_ports;
    EXPECT_EQ(values[i], 876) << name;
  }
  EXPECT_EQ(n_ports, 75u);
}

struct ReferencePoint {
  double t, x, v, acceleration, p_wall_a, p_wall_b, p_pipe, supply, back;
};

// Backward Euler with steps of 2e-6 and 1e-6, extrapolated; a program of its own.
constexpr ReferencePoint reference[] = {
    {0.016, 1.33781e-6, 0.00644626, 24.096, 6.09598e6, 4.50297e6, 4.49953e6, 0.941559, 0.504685},
    {0.018, 1.53403e-4, 0.177103, 113.092, 1.20359e7, 4.55929e6, 4.50873e6, 6.41293, 4.52575},
    {0.020, 7.47569e-4, 0.427159, 140.363, 1.38848e7, 4.60521e6, 4.55625e6, 15.6075, 12.6487},
    {0.025, 4.84943e-3, 1.24555, 179.967, 1.65588e7, 4.66098e6, 4.57686e6, 45.1311, 48.7567},
    {0.030, 0.0134155, 2.19708, 199.559, 1.74119e7, 4.21891e6, 4.10627e6, 79.5515, 93.5443},
    {0.035, 0.0269618, 3.23331, 213.690, 1.76331e7, 3.50578e6, 3.36956e6, 117.033, 129.671},
    {0.039, 0.0416198, 4.09820, 217.443, 1.75574e7, 3.18203e6, 3.00547e6, 148.291, 152.311},
    {0.040, 0.0458267, 4.31541, 216.016, 1.75089e7, 3.22786e6, 2.96841e6, 156.136, 157.864},
};

TEST(ServoActuator, moves_as_the_reference_up_to_the_end_stop) {
  const auto result = run(flat_model(actuator), {.tolerance = 1e-7, .intervals = 80}, 0.04);
  for (const ReferencePoint& point : reference) {
    SCOPED_TRACE(point.t);
    const auto near = [&](const std::string& variable, double expected, double size) {
      EXPECT_NEAR(at(result, variable, point.t), expected, 2e-4 * std::abs(expected) + 2e-5 * size)
          << variable;
    };
    near("piston.x", point.x, 0.05);
    near("body.v", point.v, 4);
    near("ddx", point.acceleration, 200);
    near("piston.vol_a.moving_volume.port.p", point.p_wall_a, 2e7);
    near("piston.vol_b.moving_volume.port.p", point.p_wall_b, 5e6);
    near("pipe.v[3].port.p", point.p_pipe, 5e6);
    near("valve.port_s.dm", point.supply, 150);
    near("valve.port_r.dm", -point.back, 150);
  }
}

/// As the original is run: implicit Euler, whose steps of 1e-4 damp the rebound away. What comes
/// after the impact is a property of these steps, not of the load; figures of another program.
TEST(ServoActuator, stays_at_its_end_stop_under_implicit_euler) {
  for (const char* model : {"ServoActuator", "SampledServoActuator"}) {
    SCOPED_TRACE(model);
    const auto result = run(flat_model(std::string("Alembert.Hydraulic.Examples.") + model),
                            {.intervals = 1000, .method = "implicit-euler", .step = 1e-4}, 0.1);
    const auto a = result.trajectory.column("ddx");
    EXPECT_EQ(a.front(), 0);
    EXPECT_NEAR(*std::max_element(a.begin(), a.end()), 303.88, 5);
    EXPECT_NEAR(last(result, "piston.x"), 0.0490, 2e-5);
  }
}

}  // namespace
}  // namespace alembert::library_test
