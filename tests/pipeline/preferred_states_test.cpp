// SPDX-License-Identifier: Apache-2.0
// Volumes written by mass and energy with pressure and temperature, or enthalpy, as wanted states.
// Oracles: the same model with mass and energy as states, and what is conserved.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/modelica/modelica.hpp"
#include "alembert/integrate/simulate.hpp"

namespace alembert {
namespace {

using compile::CompiledModel;

integrate::SimulationResult run_of(const std::string& text, double stop) {
  const CompiledModel model(modelica::flatten({.text = text}).system);
  integrate::SimulateOptions options;
  options.stop = stop;
  options.tolerance = 1e-8;
  return simulate(model, options);
}

/// Two volumes of a liquid that is hard to compress, a valve between them.
std::string liquid(const std::string& wish) {
  return R"(
model Liquid
  parameter Real V = 1e-3;
  Real p[2](start = {3e5, 1e5}, each fixed = true, each nominal = 1e5, each stateSelect = )" +
         wish + R"();
  Real T[2](start = {320, 290}, each fixed = true, each nominal = 300, each stateSelect = )" +
         wish + R"();
  Real m[2], U[2], d[2], u[2], h[2], w;
  Real m_all = m[1] + m[2], U_all = U[1] + U[2];
equation
  for i in 1:2 loop
    m[i] = V*d[i];
    U[i] = m[i]*u[i];
    d[i] = 1000*(1 + 5e-8*(p[i] - 1e5) - 3e-4*(T[i] - 300));
    u[i] = 4200*(T[i] - 273.15);
    h[i] = u[i] + p[i]/d[i];
  end for;
  w = 1e-6*(p[1] - p[2]);
  der(m) = {-w, w};
  der(U) = w*h[1]*{-1, 1} + 2*(T[2] - T[1])*{1, -1};
end Liquid;
)";
}

TEST(PreferredStates, GiveTheSameMotionAsWhatIsConserved) {
  const auto wanted = run_of(liquid("StateSelect.prefer"), 5);
  const auto conserved = run_of(liquid("StateSelect.default"), 5);
  ASSERT_EQ(wanted.outcome, integrate::Outcome::done) << wanted.message;
  ASSERT_EQ(conserved.outcome, integrate::Outcome::done) << conserved.message;
  EXPECT_EQ(wanted.n_switches, 0u);
  for (const char* name : {"p[1]", "p[2]", "T[1]", "T[2]"}) {
    const double expected = conserved.trajectory.column(name).back();
    EXPECT_NEAR(wanted.trajectory.column(name).back(), expected, 1e-5 * expected) << name;
  }
  for (const char* name : {"m_all", "U_all"}) {
    const auto all = wanted.trajectory.column(name);
    EXPECT_NEAR(all.back(), all.front(), 1e-6 * std::abs(all.front())) << name;
  }
}

/// A fluid that boils: which phase it has follows from p and h, and density bends there. Heat at a
/// constant rate in a closed vessel: U is known at every time.
TEST(PreferredStates, GoThroughACaseThatTheyTellThemselves) {
  const auto run = run_of(R"(
model Boiler
  Real p(start = 1e5, fixed = true, nominal = 1e5, stateSelect = StateSelect.prefer);
  Real h(start = 3e5, fixed = true, nominal = 1e5, stateSelect = StateSelect.prefer);
  Real m, U, d, u, boiling;
  Integer phase(start = 1);
equation
  boiling = 4e5 + 0.5*(p - 1e5);
  phase = if h > boiling then 2 else 1;
  d = 1000*(1 + 1e-6*(p - 1e5)) - (if phase == 2 then 2e-3*(h - boiling) else 0) - 1e-4*(h - 3e5);
  u = h - p/d;
  m = 0.01*d;
  U = m*u;
  der(m) = 0;
  der(U) = 5e5;
end Boiler;
)",
                          10);
  ASSERT_EQ(run.outcome, integrate::Outcome::done) << run.message;
  EXPECT_EQ(run.trajectory.column("phase").back(), 2);
  const auto U = run.trajectory.column("U");
  EXPECT_NEAR(U.back() - U.front(), 5e6, 1e-5 * 5e6);
  const auto m = run.trajectory.column("m");
  EXPECT_NEAR(m.back(), m.front(), 1e-6 * m.front());
}

}  // namespace
}  // namespace alembert
