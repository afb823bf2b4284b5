// SPDX-License-Identifier: Apache-2.0
// What physics keeps in the servo actuator: mass and energy of every volume, the work on the load;
// and that its motion depends neither on the size of steps nor on who makes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "run_model.hpp"

namespace alembert::library_test {
namespace {

// What comes into each volume is integrated beside the model. A kilogram of liquid whose pressure
// rises as bulk_modulus (rho/rho_0 - 1) holds the energy e; what flows carries e + p/rho.
const std::string balanced = R"(model Balanced
  extends Alembert.Hydraulic.Examples.ServoActuator;
  function energy
    input Real rho;
    output Real e;
  algorithm
    e := 2.09e9*(log(rho/997)/997 + 1/rho - 1/997);
  end energy;
  function carried
    input Real rho;
    input Real p;
    output Real h;
  algorithm
    h := energy(rho) + p/rho;
  end carried;
  function held "An empty piece still stores as much as a micrometre of it"
    input Real vol;
    output Real y;
  algorithm
    y := noEvent(max(vol, 360e-4*1e-6));
  end held;
  Real mass_in[7](each start = 0, each fixed = true) "pipe, chambers";
  Real energy_in[7](each start = 0, each fixed = true);
  Real mass[7], energy_held[7];
  Real work(start = 0, fixed = true) "of both chambers on the load";
  Real piece_in[10](each start = 0, each fixed = true) "pieces of chamber a, then of chamber b";
  Real piece_energy_in[10](each start = 0, each fixed = true);
  Real piece_mass[10], piece_energy[10], grown[10] "what the wall leaves behind where it passes";
equation
  for i in 1:5 loop
    piece_mass[i] = piston.vol_a.v[i].rho*held(piston.vol_a.v[i].vol);
    piece_energy[i] = piece_mass[i]*energy(piston.vol_a.v[i].rho);
    grown[i] = if noEvent(piston.vol_a.v[i].vol > 360e-4*1e-6) then piston.vol_a.v[i].rho*360e-4*piston.vol_a.v[i].dx else 0;
    der(piece_in[i]) = piston.vol_a.v[i].port.dm + grown[i];
    der(piece_energy_in[i]) = carried(piston.vol_a.v[i].rho, piston.vol_a.v[i].port.p)*piston.vol_a.v[i].port.dm + energy(piston.vol_a.v[i].rho)*grown[i];
    piece_mass[5 + i] = piston.vol_b.v[i].rho*held(piston.vol_b.v[i].vol);
    piece_energy[5 + i] = piece_mass[5 + i]*energy(piston.vol_b.v[i].rho);
    grown[5 + i] = if noEvent(piston.vol_b.v[i].vol > 360e-4*1e-6) then piston.vol_b.v[i].rho*360e-4*piston.vol_b.v[i].dx else 0;
    der(piece_in[5 + i]) = piston.vol_b.v[i].port.dm + grown[5 + i];
    der(piece_energy_in[5 + i]) = carried(piston.vol_b.v[i].rho, piston.vol_b.v[i].port.p)*piston.vol_b.v[i].port.dm + energy(piston.vol_b.v[i].rho)*grown[5 + i];
  end for;
  for i in 1:5 loop
    mass[i] = pipe.v[i].vol*pipe.v[i].rho;
    energy_held[i] = mass[i]*energy(pipe.v[i].rho);
    der(mass_in[i]) = pipe.v[i].port.dm;
    der(energy_in[i]) = carried(pipe.v[i].rho, pipe.v[i].port.p)*pipe.v[i].port.dm;
  end for;
  mass[6] = sum(piston.vol_a.v[i].rho*piston.vol_a.v[i].vol for i in 1:5);
  energy_held[6] = sum(piston.vol_a.v[i].rho*piston.vol_a.v[i].vol*energy(piston.vol_a.v[i].rho) for i in 1:5);
  der(mass_in[6]) = piston.vol_a.port.dm;
  der(energy_in[6]) = sum(carried(piston.vol_a.v[i].rho, piston.vol_a.v[i].port.p)*piston.vol_a.v[i].port.dm for i in 1:5)
    + carried(piston.vol_a.moving_volume.rho, piston.vol_a.moving_volume.port.p)*piston.vol_a.moving_volume.port.dm
    + piston.vol_a.flange.f*body.v;
  mass[7] = sum(piston.vol_b.v[i].rho*piston.vol_b.v[i].vol for i in 1:5);
  energy_held[7] = sum(piston.vol_b.v[i].rho*piston.vol_b.v[i].vol*energy(piston.vol_b.v[i].rho) for i in 1:5);
  der(mass_in[7]) = piston.vol_b.port.dm;
  der(energy_in[7]) = sum(carried(piston.vol_b.v[i].rho, piston.vol_b.v[i].port.p)*piston.vol_b.v[i].port.dm for i in 1:5)
    + carried(piston.vol_b.moving_volume.rho, piston.vol_b.moving_volume.port.p)*piston.vol_b.moving_volume.port.dm
    + piston.vol_b.flange.f*body.v;
  der(work) = -(piston.vol_a.flange.f + piston.vol_b.flange.f)*body.v;
end Balanced;)";

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// The change of what is held is what came in, at all times.
void expect_balance(const result::Trajectory& run, const std::string& held, const std::string& came,
                    double relative, double at_least = 0) {
  SCOPED_TRACE(held);
  const auto stock = run.column(held), in = run.column(came);
  const double size = std::max(largest(in), at_least);
  EXPECT_GT(size, 0);
  double worst = 0;
  for (std::size_t i = 0; i < stock.size(); ++i)
    worst = std::max(worst, std::abs(stock[i] - stock[0] - in[i]));
  EXPECT_LT(worst, relative * size);
}

TEST(ServoActuator, keeps_mass_and_energy_in_every_volume) {
  const auto result = run(flat_text(balanced), {.tolerance = 1e-7, .intervals = 200}, 0.04);
  const result::Trajectory& rows = result.trajectory;
  for (int i = 1; i <= 7; ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    expect_balance(rows, "mass" + index, "mass_in" + index, 1e-6);
    expect_balance(rows, "energy_held" + index, "energy_in" + index, 1e-4);
  }
  // Piece by piece: what flows through both its ends, and the room that the wall gives or takes.
  // All are measured by what a full piece holds, as little changes in those far from the wall; what
  // runs empty is counted up to its last micrometre, less than 1e-4 of it.
  const double full = 998 * 0.036 * 0.012, full_energy = 33;  // J: at 180 bar
  for (int i = 1; i <= 10; ++i) {
    const std::string index = "[" + std::to_string(i) + "]";
    expect_balance(rows, "piece_mass" + index, "piece_in" + index, 2e-5, full);
    expect_balance(rows, "piece_energy" + index, "piece_energy_in" + index, 1e-4, full_energy);
  }
  const auto v = rows.column("body.v"), work = rows.column("work");
  const double energy = 2380 * v.back() * v.back() / 2;
  for (std::size_t i = 0; i < v.size(); ++i)
    EXPECT_NEAR(2380 * v[i] * v[i] / 2, work[i], 1e-6 * energy);
}

TEST(ServoActuator, does_not_depend_on_steps_or_steppers) {
  struct Way {
    const char* method;
    double tolerance;
  };
  const flat::FlatSystem model = flat_model("Alembert.Hydraulic.Examples.ServoActuator");
  const auto fine = run(model, {.tolerance = 1e-8, .intervals = 80}, 0.04);
  for (const Way way : {Way{"auto", 1e-5}, Way{"auto", 1e-7}, Way{"radau5", 1e-6}}) {
    SCOPED_TRACE(std::string(way.method) + " " + std::to_string(way.tolerance));
    const auto other =
        run(model, {.tolerance = way.tolerance, .intervals = 80, .method = way.method}, 0.04);
    for (const char* name : {"piston.x", "body.v", "piston.vol_a.moving_volume.port.p",
                             "pipe.v[3].port.p", "pipe.v[1].rho", "valve.port_s.dm"}) {
      const double size = largest(fine.trajectory.column(name));
      for (const double t : {0.02, 0.03, 0.04})
        EXPECT_NEAR(at(other, name, t), at(fine, name, t), 20 * way.tolerance * size) << name;
    }
  }
}

}  // namespace
}  // namespace alembert::library_test
