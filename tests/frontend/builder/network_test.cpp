// SPDX-License-Identifier: Apache-2.0
// Models made of parts that are connected.
#include "alembert/frontend/builder/network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/symbolic/derivative.hpp"

namespace alembert {
namespace {

const ConnectorKind pin{.name = "Pin", .potentials = {"v"}, .flows = {"i"}};

struct TwoPin {
  explicit TwoPin(Part part) : p(part.connector("p", pin)), n(part.connector("n", pin)) {
    part += p["i"] + n["i"] == 0;
  }
  Expr voltage() const { return p["v"] - n["v"]; }
  Expr current() const { return p["i"]; }

  Connector p, n;
};

struct Resistor : TwoPin {
  Resistor(Part part, Expr R) : TwoPin(part) { part += voltage() == R * current(); }
};

struct Capacitor : TwoPin {
  Capacitor(Part part, Expr C, double v0) : TwoPin(part) {
    const Expr v = part.unknown("v", {.start = v0, .fixed = true});
    part += v == voltage();
    part += C * der(v) == current();
  }
};

struct Source : TwoPin {
  Source(Part part, Expr V) : TwoPin(part) { part += voltage() == V; }
};

struct Ground {
  explicit Ground(Part part) : p(part.connector("p", pin)) { part += p["v"] == 0; }
  Connector p;
};

/// A resistor and a capacitor behind two pins of its own.
struct Filter {
  explicit Filter(Part part) : p(part.connector("p", pin)), n(part.connector("n", pin)) {
    const Resistor r(part.part("r"), 2.0);
    const Capacitor c(part.part("c"), 0.5, 0.0);
    part.connect(p, r.p);
    part.connect(r.n, c.p);
    part.connect(c.n, n);
  }
  Connector p, n;
};

result::Trajectory run(const Model& m, double stop) {
  const compile::CompiledModel model(m.flatten());
  return integrate::simulate(model, {.stop = stop, .tolerance = 1e-9, .intervals = 10}).trajectory;
}

TEST(Network, a_circuit_of_connected_parts_charges_as_it_should) {
  Model m("Charge");
  const Source source(m.part("source"), 10.0);
  const Filter filter(m.part("filter"));
  const Ground ground(m.part("ground"));
  m.connect(source.p, filter.p);
  m.connect(source.n, filter.n, ground.p);
  check(m.flatten());
  const auto trajectory = run(m, 3.0);
  const auto v = trajectory.column("filter.c.v");
  const auto i = trajectory.column("source.p.i");
  for (std::size_t k = 0; k < trajectory.n_rows(); ++k) {
    const double t = trajectory.times()[k];
    EXPECT_NEAR(v[k], 10 * (1 - std::exp(-t)), 1e-7);  // R*C = 1
    EXPECT_NEAR(i[k], -5 * std::exp(-t), 1e-7);        // out of the source
  }
}

TEST(Network, what_is_not_connected_carries_no_flow) {
  Model m("Open");
  const Resistor r(m.part("r"), 1.0);
  const Ground ground(m.part("ground"));
  m.connect(r.p, ground.p);
  const FlatSystem flat = m.flatten();
  EXPECT_EQ(flat.equations.size(), flat.unknowns.size());
  const auto trajectory = run(m, 1.0);
  EXPECT_EQ(trajectory.column("r.n.i").back(), 0.0);
}

TEST(Network, order_of_connects_does_not_change_the_solution) {
  const auto voltage = [](bool swapped) {
    Model m("Divider");
    const Source source(m.part("source"), 12.0);
    const Resistor a(m.part("a"), 1.0), b(m.part("b"), 3.0);
    const Ground ground(m.part("ground"));
    if (swapped) {
      m.connect(ground.p, b.n);
      m.connect(b.p, a.n);
      m.connect(a.p, source.p);
      m.connect(b.n, source.n);
    } else {
      m.connect(source.p, a.p);
      m.connect(a.n, b.p);
      m.connect(source.n, b.n, ground.p);
    }
    return run(m, 1.0).column("b.p.v").back();
  };
  EXPECT_NEAR(voltage(false), 9.0, 1e-12);
  EXPECT_EQ(voltage(false), voltage(true));
}

const ConnectorKind port{
    .name = "Port", .potentials = {"p"}, .flows = {"dm"}, .domain = {"rho", "beta"}};

struct Tank {
  explicit Tank(Part part) : port(part.connector("port", alembert::port)) {
    part += port["p"] == 2 * port["rho"];
  }
  Connector port;
};

struct Pipe {
  explicit Pipe(Part part) : a(part.connector("a", port)), b(part.connector("b", port)) {
    a.same_domain(b);
    part += a["dm"] + b["dm"] == 0;
    part += a["p"] - b["p"] == a["dm"] / a["beta"];
  }
  Connector a, b;
};

struct Fluid {
  Fluid(Part part, double rho) : port(part.connector("port", alembert::port)) {
    port.define("rho", rho);
    port.define("beta", 4.0);
    part += port["dm"] == 0;
  }
  Connector port;
};

TEST(Network, one_fluid_spreads_over_the_network) {
  Model m("Fluid");
  const Tank tank(m.part("tank"));
  const Pipe pipe(m.part("pipe"));
  const Fluid fluid(m.part("fluid"), 7.0);
  m.connect(tank.port, pipe.a);
  m.connect(pipe.b, fluid.port);
  EXPECT_NEAR(run(m, 1.0).column("pipe.b.p").back(), 14.0, 1e-12);
}

std::string code_of(const Model& m) {
  try {
    m.flatten();
  } catch (const Error& error) {
    return error.code() + ": " + error.diagnostics().front().text;
  }
  return "no error";
}

TEST(Network, a_network_without_a_fluid_or_with_two_is_named) {
  Model m("Fluid");
  const Tank tank(m.part("tank"));
  const Pipe pipe(m.part("pipe"));
  m.connect(tank.port, pipe.a);
  EXPECT_EQ(code_of(m),
            "F022: nothing gives 'rho' of connector 'tank.port' or of what it is connected with. "
            "Connect a part that defines it.");
  const Fluid water(m.part("water"), 1.0), oil(m.part("oil"), 2.0);
  m.connect(pipe.b, water.port, oil.port);
  EXPECT_EQ(code_of(m),
            "F023: two parts of one network give different values of 'rho': one at 'water.port', "
            "one at 'oil.port'. Remove one of them, or separate the networks.");
}

TEST(Network, mistakes_are_told_at_once) {
  Model m("Wrong");
  const Tank tank(m.part("tank"));
  const Ground ground(m.part("ground"));
  const auto message = [](auto action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.diagnostics().front().text;
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { m.connect(tank.port, ground.p); }),
            "'tank.port' is a connector of kind 'Port' and cannot be connected with 'ground.p' of "
            "kind 'Pin'. Connect connectors of one kind, or put a part between them that "
            "converts.");
  EXPECT_EQ(message([&] { return ground.p["u"]; }),
            "connector 'ground.p' of kind 'Pin' has no quantity 'u'; it has v and i.");
  EXPECT_EQ(message([&] { tank.port.define("p", 1.0); }),
            "'p' of connector 'tank.port' is not a domain quantity. Write an equation for it.");
  Model other("Other");
  const Ground far(other.part("far"));
  EXPECT_EQ(message([&] { m.connect(ground.p, far.p); }),
            "only connectors of one model can be connected: 'far.p' belongs to another one than "
            "'Wrong'.");
}

TEST(Balance, parts_that_do_not_know_each_other_compose_one_equation) {
  Model m("Pendulum");
  const Expr x = m.unknown("x", {.start = 1.0, .fixed = true});
  const Expr y = m.unknown("y", {.start = 0.0});
  // A law of motion ...
  for (const Expr& q : {x, y}) m.balance(q) += der(der(q));
  m.balance(y) += 1.0;
  // ... and a constraint with its force.
  const Expr lambda = m.unknown("lambda");
  const Expr g = x * x + y * y - 1;
  for (const Expr& q : {x, y}) m.balance(q) -= lambda * differentiate(g, q);
  m += g == 0;
  const FlatSystem flat = m.flatten();
  check(flat);
  ASSERT_EQ(flat.equations.size(), 3u);
  EXPECT_EQ(symbolic::to_text(*flat.pool, flat.equations[2].left), "der(der(y)) - 2*lambda*y + 1");
}

}  // namespace
}  // namespace alembert
