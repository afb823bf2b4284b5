// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "alembert/flat/check.hpp"
#include "alembert/flat/wording.hpp"
#include "flatten_helpers.hpp"

namespace alembert::modelica {
namespace {

/// All equations as text, in order.
std::vector<std::string> equations(const flat::FlatSystem& system) {
  std::vector<std::string> texts;
  for (const flat::FlatEquation& equation : system.equations)
    texts.push_back(flat::equation_text(system, equation));
  return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& equation) {
  return std::find(texts.begin(), texts.end(), "equation '" + equation + "'") != texts.end();
}

const std::string pins = R"(
connector Pin
  Real v;
  flow Real i;
end Pin;
model Part
  Pin p, n;
equation
  p.v - n.v = p.i;
  p.i + n.i = 0;
end Part;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
)";

TEST(Connections, make_potentials_equal_and_flows_sum_to_zero) {
  const auto texts = equations(flat_of(pins + R"(
model M
  Part a, b;
  Ground g;
equation
  connect(a.p, b.p);
  connect(a.n, b.n);
  connect(b.n, g.p);
end M;)"));
  EXPECT_TRUE(has(texts, "a.p.v = b.p.v"));
  EXPECT_TRUE(has(texts, "a.p.i + b.p.i = 0"));
  EXPECT_TRUE(has(texts, "b.n.v = g.p.v"));
  EXPECT_TRUE(has(texts, "a.n.v = g.p.v"));
  EXPECT_TRUE(has(texts, "a.n.i + b.n.i + g.p.i = 0"));
}

TEST(Connections, leave_nothing_to_a_connector_that_is_alone) {
  const flat::FlatSystem system = flat_of(pins + R"(
model M
  Part a;
  Ground g;
equation
  connect(a.n, g.p);
end M;)");
  EXPECT_TRUE(has(equations(system), "a.p.i = 0"));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, through_the_wall_of_a_component_change_the_sign) {
  const flat::FlatSystem system = flat_of(pins + R"(
model Box
  Pin p, n;
  Part inside;
equation
  connect(p, inside.p);
  connect(inside.n, n);
end Box;
model M
  Box box;
  Ground g;
equation
  connect(box.n, g.p);
end M;)");
  EXPECT_TRUE(has(equations(system), "box.inside.p.i - box.p.i = 0"));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, of_arrays_and_in_loops) {
  const flat::FlatSystem system = flat_of(pins + R"(
model M
  parameter Integer n = 3;
  Part a[n], b[n];
  Ground g;
equation
  connect(a.p, b.p);
  for i in 1:n loop
    connect(a[i].n, g.p);
  end for;
  connect(b[1:2].n, a[2:3].n);
end M;)");
  EXPECT_TRUE(has(equations(system), "a[2].p.v = b[2].p.v"));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, with_conditional_connectors_are_dropped_with_them) {
  const flat::FlatSystem system = flat_of(pins + R"(
model Part3
  extends Part;
  parameter Boolean has_third = false;
  Pin third if has_third;
end Part3;
model M
  Part3 a;
  Ground g;
equation
  connect(a.third, g.p);
  connect(a.n, g.p);
end M;)");
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
  EXPECT_EQ(system.unknowns.size(), 6u);
}

TEST(Connections, of_connectors_within_connectors) {
  const flat::FlatSystem system = flat_of(pins + R"(
connector Plug
  Pin pins[2];
  Real level;
end Plug;
model Lamp
  Plug plug;
equation
  plug.pins[1].v = plug.pins[1].i;
  plug.pins[2].v = plug.pins[2].i;
end Lamp;
model M
  Lamp a, b;
equation
  connect(a.plug, b.plug);
  a.plug.level = 1;
end M;)");
  EXPECT_TRUE(has(equations(system), "a.plug.pins[2].i + b.plug.pins[2].i = 0"));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, of_booleans_are_discrete) {
  const flat::FlatSystem system = flat_of(R"(
connector In = input Boolean;
connector Out = output Boolean;
block Source
  Out y = time > 1;
end Source;
block Not
  In u;
  Out y;
equation
  y = not u;
end Not;
model M
  Source source;
  Not invert;
equation
  connect(source.y, invert.u);
end M;)");
  EXPECT_EQ(system.discrete_variables.size(), 3u);
  EXPECT_EQ(system.discrete_equations.size(), 3u);
}

TEST(Connections, are_counted) {
  const auto texts = equations(flat_of(pins + R"(
model M
  Part a, b;
  Real n = cardinality(a.p);
  Real m = cardinality(b.n);
  Ground g;
equation
  connect(a.p, b.p);
  connect(g.p, a.p);
end M;)"));
  EXPECT_TRUE(has(texts, "n = 2"));
  EXPECT_TRUE(has(texts, "m = 0"));
}

// A rotation in the plane by sine and cosine: two numbers, of which one is redundant.
const std::string turns = R"(
record Turn
  Real c, s;
  function equalityConstraint
    input Turn a, b;
    output Real residue[1];
  algorithm
    residue := {a.s*b.c - a.c*b.s};
  end equalityConstraint;
end Turn;
connector Frame
  Turn R;
  flow Real t;
end Frame;
model World
  Frame b;
equation
  Connections.root(b.R);
  b.R.c = 1;
  b.R.s = 0;
end World;
model Rigid
  Frame a, b;
  Boolean from_a;
equation
  Connections.branch(a.R, b.R);
  from_a = Connections.rooted(a.R);
  if Connections.rooted(a.R) then
    b.R = a.R;
  else
    a.R = b.R;
  end if;
  a.t + b.t = 0;
end Rigid;
)";

TEST(Connections, of_overconstrained_records_break_loops) {
  const flat::FlatSystem system = flat_of(turns + R"(
model M
  World world;
  Rigid r, s;
equation
  connect(world.b, r.a);
  connect(world.b, s.b);
  connect(r.b, s.a);
end M;)");
  EXPECT_TRUE(has(equations(system), "r.b.R.s*s.a.R.c - r.b.R.c*s.a.R.s = 0"));
  ASSERT_EQ(system.discrete_equations.size(), 2u);
  EXPECT_TRUE(system.pool->is_one(system.discrete_equations[0].right));   // r: from a to b
  EXPECT_TRUE(system.pool->is_zero(system.discrete_equations[1].right));  // s: from b to a
  // One equation in place of two; as the loop is rigid, nothing determines a torque in it.
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, of_streams_mix_what_flows_in) {
  const flat::FlatSystem system = flat_of(R"(
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model Tank
  Port port;
  Real inside;
  parameter Real h0 = 1;
equation
  port.h = h0;
  inside = inStream(port.h);
  port.m = port.p;
end Tank;
model M
  Tank a, b(h0 = 2), c, d;
equation
  connect(a.port, b.port);
end M;)");
  const auto texts = equations(system);
  EXPECT_TRUE(has(texts, "a.inside = b.port.h"));
  EXPECT_TRUE(has(texts, "b.inside = a.port.h"));
  EXPECT_TRUE(has(texts, "c.inside = c.port.h"));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, of_streams_pass_through_walls) {
  const flat::FlatSystem system = flat_of(R"(
connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
model Tank
  Port port;
  Real inside = inStream(port.h);
equation
  port.h = 1;
  port.m = port.p;
end Tank;
model Box
  Port port;
  Tank tank;
equation
  connect(port, tank.port);
end Box;
model M
  Box a;
  Tank b;
equation
  connect(a.port, b.port);
end M;)");
  const auto texts = equations(system);
  EXPECT_TRUE(has(texts, "a.port.h = a.tank.port.h"));
  EXPECT_TRUE(has(texts, "a.tank.inside = b.port.h"));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, give_expandable_connectors_their_members) {
  const flat::FlatSystem system = flat_of(R"(
connector In = input Real;
connector Out = output Real;
expandable connector Bus
  Real unused;
end Bus;
block Source
  Out y = time;
end Source;
block Sink
  In u;
  Real x = 2*u;
end Sink;
model Half
  Bus bus;
  Source source;
equation
  connect(bus.speed, source.y);
end Half;
model M
  Half half;
  Bus bus;
  Sink sink;
equation
  connect(half.bus, bus);
  connect(bus.speed, sink.u);
end M;)");
  std::vector<std::string> names;
  for (const auto& unknown : system.unknowns)
    names.push_back(system.pool->symbol_text(unknown.symbol));
  EXPECT_EQ(names, (std::vector<std::string>{"half.bus.speed", "half.source.y", "bus.speed",
                                             "sink.u", "sink.x"}));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, of_arrays_make_members_of_their_size) {
  const auto texts = equations(flat_of(R"(
connector In = input Real;
connector Out = output Real;
expandable connector Bus
end Bus;
block Source
  parameter Real k = 1;
  Out y = k;
end Source;
block Sink
  In u[3];
end Sink;
model M
  Source source[3](k = {1, 2, 3});
  Bus bus, other;
  Sink sink;
equation
  connect(source.y, bus.many);
  connect(bus, other);
  connect(other.many, sink.u);
end M;)"));
  EXPECT_TRUE(has(texts, "bus.many[2] = source[2].y"));
  EXPECT_TRUE(has(texts, "other.many[3] = source[3].y"));
  EXPECT_TRUE(has(texts, "sink.u[3] = source[3].y"));
}

const std::string bus_blocks = R"(
connector In = input Real;
connector Out = output Real;
expandable connector Bus
end Bus;
block Source
  parameter Real k = 1;
  Out y = k;
end Source;
block Sink
  In u;
end Sink;
)";

TEST(Connections, of_elements_make_arrays_as_large_as_their_subscripts) {
  const flat::FlatSystem system = flat_of(bus_blocks + R"(
model M
  Source a, b;
  Bus bus, other;
  Sink c, d;
equation
  connect(a.y, bus.many[1]);
  connect(bus, other);
  connect(b.y, other.many[3]);
  connect(other.many[1], c.u);
  connect(bus.many[3], d.u);
end M;)");
  const auto texts = equations(system);
  EXPECT_NO_THROW(flat::check(system));
  EXPECT_TRUE(has(texts, "c.u = other.many[1]") || has(texts, "a.y = other.many[1]"));
  EXPECT_TRUE(has(texts, "d.u = other.many[3]") || has(texts, "bus.many[3] = other.many[3]"));
  EXPECT_TRUE(has(texts, "bus.many[2] = 0"));  // nobody gives it
  EXPECT_TRUE(has(texts, "bus.many[2] = other.many[2]"));
}

TEST(Connections, of_slices_and_connectors_make_arrays_too) {
  const auto texts = equations(flat_of(pins + bus_blocks + R"(
model M
  Source source[2];
  Part part;
  Ground ground;
  Bus bus;
  Sink sink;
equation
  connect(source.y, bus.many[2:3]);
  connect(bus.many[3], sink.u);
  connect(part.p, bus.pins[2]);
  connect(part.n, ground.p);
end M;)"));
  EXPECT_TRUE(has(texts, "bus.many[2] = source[1].y"));
  EXPECT_TRUE(has(texts, "bus.many[3] = source[2].y"));
  EXPECT_TRUE(has(texts, "bus.pins[2].v = part.p.v"));
}

TEST(Connections, of_elements_counted_from_the_end_of_what_is_not_declared_are_refused) {
  const std::string mistakes = mistakes_in(bus_blocks + R"(
model M
  Source a;
  Bus bus;
equation
  connect(a.y, bus.many[end]);
end M;)");
  EXPECT_NE(mistakes.find("M321"), std::string::npos) << mistakes;
}

TEST(Connections, are_left_out_by_break) {
  const auto texts = equations(flat_of(pins + R"(
model Circuit
  Part a, b, c;
  Ground g;
equation
  connect(a.p, b.p);
  connect(a.n, b.n);
  connect(b.n, g.p);
  connect(c.p, a.p);
end Circuit;
model M
  extends Circuit(break c, break connect(b.n, a.n));
end M;)"));
  EXPECT_TRUE(has(texts, "a.n.i = 0"));
  EXPECT_TRUE(has(texts, "a.p.v = b.p.v"));
  EXPECT_TRUE(has(texts, "a.p.i + b.p.i = 0"));
  for (const std::string& text : texts) EXPECT_EQ(text.find("c."), std::string::npos) << text;
  EXPECT_FALSE(has(texts, "a.n.v = g.p.v"));
}

TEST(Connections, follow_members_through_several_expandable_connectors) {
  const flat::FlatSystem system = flat_of(R"(
connector In = input Real;
connector Out = output Real;
expandable connector Bus
  Real speed;
  Real unused;
end Bus;
model Motor
  Bus bus;
  Out y = time;
equation
  connect(bus.speed, y);
end Motor;
model Controller
  Bus bus;
  In u;
  Real x = 2*u;
equation
  connect(bus.speed, u);
end Controller;
model Axis
  Bus bus;
  Motor motor;
equation
  connect(motor.bus, bus);
end Axis;
model M
  Axis axis;
  Bus bus;
  Controller controller;
equation
  connect(axis.bus, bus);
  connect(bus, controller.bus);
end M;)");
  std::vector<std::string> names;
  for (const auto& unknown : system.unknowns)
    names.push_back(system.pool->symbol_text(unknown.symbol));
  EXPECT_EQ(names, (std::vector<std::string>{"axis.bus.speed", "axis.motor.bus.speed",
                                             "axis.motor.y", "bus.speed", "controller.bus.speed",
                                             "controller.u", "controller.x"}));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, of_buses_within_buses_reach_the_source) {
  const flat::FlatSystem system = flat_of(R"(
connector Out = output Real;
expandable connector Sub
  Real level;
end Sub;
expandable connector Bus
  Sub sub;
end Bus;
block Source
  Out y = time;
end Source;
model Part
  Sub sub;
  Source source;
equation
  connect(sub.level, source.y);
end Part;
model M
  Part part;
  Bus bus;
equation
  connect(part.sub, bus.sub);
end M;)");
  EXPECT_EQ(system.unknowns.size(), 3u);  // the source, and the level in both buses
  EXPECT_EQ(system.equations.size(), 3u);
}

TEST(Connections, reach_inner_components) {
  const flat::FlatSystem system = flat_of(pins + R"(
model Leaf
  outer Ground g;
  Part part;
equation
  connect(part.n, g.p);
end Leaf;
model M
  inner Ground g;
  Leaf a, b;
end M;)");
  EXPECT_TRUE(has(equations(system), "a.part.n.i + b.part.n.i + g.p.i = 0"));
  EXPECT_EQ(system.equations.size(), system.unknowns.size());
}

TEST(Connections, of_overconstrained_types_break_loops) {
  const std::string text = flat_text_of(R"(
type Angle
  extends Real;
  function equalityConstraint
    input Angle a;
    input Angle b;
    output Real residue[0];
  algorithm
    assert(abs(a - b) < 1e-9, "not equal");
  end equalityConstraint;
end Angle;
connector Pin
  Angle theta;
  Real v;
  flow Real i;
end Pin;
model Line
  Pin p, n;
equation
  Connections.branch(p.theta, n.theta);
  p.theta = n.theta;
  p.v = n.v;
  p.i + n.i = 0;
end Line;
model Source
  Pin p;
  parameter Boolean is_root = Connections.isRoot(p.theta);
equation
  Connections.root(p.theta);
  p.theta = time;
  p.v = 1;
end Source;
model M
  Source s;
  Line a, b;
equation
  connect(s.p, a.p);
  connect(a.n, b.n);
  connect(b.p, s.p);
end M;)");
  // Three connections of angles make a loop, which the second of them is taken out of.
  std::size_t n_equal = 0;
  for (std::size_t at = text.find(".theta ="); at != std::string::npos;
       at = text.find(".theta =", at + 1))
    ++n_equal;
  EXPECT_EQ(n_equal, 5u) << text;  // of the source, two lines, and two connections
  EXPECT_NE(text.find("s.is_root = true"), std::string::npos) << text;
}

TEST(Connections, of_streams_in_a_record_use_the_flow_of_the_connector) {
  EXPECT_EQ(mistakes_in(R"(
record Composition
  Real x;
  Real y;
end Composition;
connector Port
  Real p;
  flow Real m_flow;
  stream Composition c;
end Port;
model Volume
  Port port;
  parameter Real x = 0.2;
equation
  port.m_flow = port.p - 1;
  port.c.x = x;
  port.c.y = 1 - x;
end Volume;
model M
  Volume a, b(x = 0.4);
  Real inside = inStream(a.port.c.x);
  Real y = actualStream(a.port.c.y);
equation
  connect(a.port, b.port);
end M;)"),
            "");
}

TEST(Connections, have_one_source_of_a_signal) {
  EXPECT_NE(
      mistakes_in(R"(
connector Out = output Real;
model A
  Out y = time;
end A;
model M
  A a, b;
equation
  connect(a.y, b.y);
end M;)")
          .find("m.mo:9:3: error[M304]: 'a.y' and 'b.y' are connected, but both give a value. "
                "Connect each with inputs only."),
      std::string::npos);
}

TEST(Connections, of_a_conditional_input_go_by_a_protected_one) {
  EXPECT_EQ(mistakes_in(R"(
connector In = input Real;
connector Out = output Real;
model A
  parameter Boolean has = true;
  In u if has;
  Out y = inside;
protected
  In inside;
equation
  connect(u, inside);
  if not has then
    inside = 1;
  end if;
end A;
model Source
  Out y = time;
end Source;
model M
  Source s;
  A a, b(has = false);
equation
  connect(s.y, a.u);
end M;)"),
            "");
}

TEST(Connections, join_connectors_of_the_model_and_its_parts) {
  EXPECT_NE(mistakes_in(R"(
model M
  Real x, y;
equation
  x = time;
  connect(x, y);
end M;)")
                .find("m.mo:6:11: error[M302]: connect joins connectors, but 'x' is of the type "
                      "'Real'. Write an equation instead."),
            std::string::npos);
  EXPECT_NE(
      mistakes_in(R"(
connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.v = 1;
end A;
model B
  A a;
end B;
model M
  B b;
  Pin q;
equation
  connect(b.a.p, q);
end M;)")
          .find("m.mo:18:11: error[M302]: 'b.a.p' is a connector of a part of a part. Connect "
                "inside of 'b', or give it a connector of its own."),
      std::string::npos);
}

TEST(Connections, elements_make_an_array_of_a_bus) {
  const std::string text = flat_text_of(R"(
expandable connector Bus
end Bus;
connector Out = output Real;
connector In = input Real;
model Source
  Out y = time;
end Source;
model Sink
  In u;
end Sink;
model M
  Bus bus;
  Source one, two;
  Sink sink;
equation
  connect(one.y, bus.y[1]);
  connect(two.y, bus.y[2]);
  connect(bus.y[2], sink.u);
end M;)");
  EXPECT_NE(text.find("bus.y[1]"), std::string::npos) << text;
  EXPECT_NE(text.find("bus.y[2]"), std::string::npos) << text;
  EXPECT_EQ(text.find("bus.y[3]"), std::string::npos) << text;
}

TEST(Connections, give_an_array_of_a_bus_its_size) {
  const std::string text = flat_text_of(R"(
expandable connector Bus
  Real x[:];
  Real unused[:];
end Bus;
connector Out = output Real;
model M
  Bus bus;
  Out y[3] = {1, 2, 3}*time;
equation
  connect(y, bus.x);
end M;)");
  EXPECT_NE(text.find("bus.x[3]"), std::string::npos) << text;
  EXPECT_EQ(text.find("unused"), std::string::npos) << text;
}

TEST(Connections, of_a_number_with_an_array_of_a_bus_are_refused) {
  const std::string mistakes = mistakes_in(R"(
expandable connector Bus
  Real x[:];
end Bus;
connector Out = output Real;
model M
  Bus bus;
  Out y = time;
equation
  connect(y, bus.x);
end M;)");
  EXPECT_NE(mistakes.find("error[M303]"), std::string::npos) << mistakes;
}

/// A reference of no entries, as that of a direct current beside those of phases, is nothing.
TEST(Connections, roots_without_entries_are_passed_over) {
  const std::string text = R"(
type Angle
  extends Real;
  function equalityConstraint
    input Angle a[:];
    input Angle b[:];
    output Real residue[0];
  algorithm
    assert(true, "");
  end equalityConstraint;
end Angle;
connector Terminal
  parameter Integer m = 1;
  Real v;
  flow Real i;
  Angle theta[m];
end Terminal;
model Source
  parameter Integer m = 1;
  Terminal t(m = m);
equation
  Connections.potentialRoot(t.theta);
  if Connections.isRoot(t.theta) then
    t.theta = fill(time, m);
  end if;
  t.v = 1;
end Source;
model Line
  parameter Integer m = 1;
  Terminal a(m = m), b(m = m);
equation
  Connections.branch(a.theta, b.theta);
  a.theta = b.theta;
  a.v - b.v = a.i;
  a.i + b.i = 0;
end Line;
model M
  parameter Integer m = 1;
  Source source(m = m);
  Line line(m = m);
  Terminal end_(m = m);
equation
  connect(source.t, line.a);
  connect(line.b, end_);
end M;)";
  for (const int m : {0, 1, 2}) {
    const flat::FlatSystem system = flat_of(text, {"m=" + std::to_string(m)});
    EXPECT_EQ(system.equations.size(), system.unknowns.size()) << m;
  }
}

}  // namespace
}  // namespace alembert::modelica
