// SPDX-License-Identifier: Apache-2.0
// Wrong models written in C++: each message names what is at fault in the user's words and lines,
// and the model in which the proposal was followed is right.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "alembert/alembert.hpp"
#include "alembert/structure/explain.hpp"

namespace alembert {
namespace {

const ConnectorKind pin{.name = "Pin", .potentials = {"v"}, .flows = {"i"}};

struct TwoPin {
  explicit TwoPin(Part part) : p(part.connector("p", pin)), n(part.connector("n", pin)) {
    part += p["i"] + n["i"] == 0;
  }
  Connector p, n;
};

struct Resistor : TwoPin {
  Resistor(Part part, Expr R) : TwoPin(part) { part += p["v"] - n["v"] == R * p["i"]; }
};

struct VoltageSource : TwoPin {
  VoltageSource(Part part, Expr V) : TwoPin(part) { part += p["v"] - n["v"] == V; }
};

struct CurrentSource : TwoPin {
  CurrentSource(Part part, Expr I) : TwoPin(part) { part += p["i"] == I; }
};

struct MeasuredSource : CurrentSource {
  MeasuredSource(Part part, Expr I) : CurrentSource(part, I) {
    part += part.unknown("v") == p["v"] - n["v"];
  }
};

struct Inductor : TwoPin {
  Inductor(Part part, Expr L) : TwoPin(part) { part += L * der(p["i"]) == p["v"] - n["v"]; }
};

struct Ramp : TwoPin {
  explicit Ramp(Part part) : TwoPin(part) { part += der(p["v"]) - der(n["v"]) == 1; }
};

struct Ground {
  explicit Ground(Part part) : p(part.connector("p", pin)) { part += p["v"] == 0; }
  Connector p;
};

using Write = std::function<void(Model&)>;

struct Mistake {
  std::string name;
  std::string code;
  std::vector<std::string> says;
  Write wrong;
  Write repaired;  // as the message proposes
};

std::string message_of(const Write& write) {
  Model m("Wrong");
  write(m);
  try {
    structure::explain(m.flatten());
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// A circuit of two resistors, with more where `more` says.
void divider(Model& m, const std::function<void(Model&, Resistor&, Resistor&)>& more) {
  Resistor a(m.part("a"), 1.0), b(m.part("b"), 2.0);
  m.connect(a.n, b.p);
  more(m, a, b);
}

Write pendulum(const std::function<void(Model&, Expr, Expr, Expr)>& rest) {
  return [=](Model& m) {
    const Expr x = m.unknown("x", {.start = 1}), y = m.unknown("y", {.start = 0});
    const Expr force = m.unknown("force");
    m += der(der(x)) == force * x;
    rest(m, x, y, force);
  };
}

Write two(const std::function<void(Model&, Expr, Expr)>& rest) {
  return [=](Model& m) { rest(m, m.unknown("x", {.start = 1}), m.unknown("y", {.start = 1})); };
}

/// Three lines of a fluid in a ring; `held`: with a level in place of a balance that the other two
/// imply, by a density that makes them no whole numbers.
Write ring(bool held) {
  return [=](Model& m) {
    const Expr p[] = {m.unknown("p1", {.unit = "Pa"}), m.unknown("p2", {.unit = "Pa"}),
                      m.unknown("p3", {.unit = "Pa"})};
    const Expr q[] = {m.unknown("q1"), m.unknown("q2"), m.unknown("q3")};
    const Expr rho = m.parameter("rho", 1.7);
    m += p[0] - p[1] == der(q[0]);
    m += p[1] - p[2] == q[1] * abs(q[1]);
    m += p[2] - p[0] == der(q[2]) - 1;
    m += rho * q[0] == rho * q[1];
    m += rho * q[1] == rho * q[2];
    m += held ? p[0] == 0 : rho * q[2] == rho * q[0];
  };
}

/// A current into a coil: the index is 2. No units tell voltages from forces.
Write driven_coil(bool grounded) {
  return [=](Model& m) {
    const CurrentSource s(m.part("s"), sin(m.time()));
    const Inductor coil(m.part("coil"), 1.0);
    const Resistor r(m.part("r"), 1.0);
    m.connect(s.p, coil.p);
    m.connect(coil.n, r.p);
    m.connect(r.n, s.n);
    if (grounded) m.connect(Ground(m.part("ground")).p, s.n);
  };
}

/// A ring without ground, and a source at it of which one end is open, or ends in a resistor.
Write open_source(bool is_closed) {
  return [=](Model& m) {
    divider(m, [=](Model& model, Resistor& a, Resistor& b) {
      const VoltageSource source(model.part("source"), 5.0);
      const MeasuredSource s(model.part("s"), 1.0);
      model.connect(source.p, a.p, s.p);
      model.connect(source.n, b.n);
      if (!is_closed) return;
      const Resistor r(model.part("r"), 1.0);
      model.connect(s.n, r.p);
      model.connect(r.n, source.n, Ground(model.part("ground")).p);
    });
  };
}

/// Heat through a rod of two pieces; `too_far`: the flow out of it is given by the loop as well.
Write rod(bool too_far) {
  return [=](Model& m) {
    const Expr T[] = {m.unknown("T[1]", {.start = 20}), m.unknown("T[2]", {.start = 20})};
    const Expr q[] = {m.unknown("q[1]"), m.unknown("q[2]"), m.unknown("q[3]")};
    m += q[0] == 80 - T[0];
    m += q[2] == 0;
    m += q[1] == 0.1 * (T[0] - T[1]);
    if (too_far) m += q[2] == 0.1 * T[1];
    m += der(T[0]) == q[0] - q[1];
    m += der(T[1]) == q[1] - q[2];
  };
}

std::vector<Mistake> mistakes() {
  return {
      {"an equation is missing",
       "F001",
       {"2 equations for 3 unknowns", "'x' and 'force'", "Add 1 equation"},
       pendulum([](Model& m, Expr x, Expr y, Expr) { m += x * x + y * y == 1; }),
       pendulum([](Model& m, Expr x, Expr y, Expr force) {
         m += x * x + y * y == 1;
         m += der(der(y)) == force * y - 1;
       })},
      {"one equation too many",
       "S001",
       {"3 equations for 2 unknowns", "'y' and 'x'", "Remove one", "der(x) = -x", "cos(y) = x"},
       two([](Model& m, Expr x, Expr y) {
         m += der(x) == -x;
         m += sin(y) == x;
         m += cos(y) == x;
       }),
       two([](Model& m, Expr x, Expr y) {
         m += der(x) == -x;
         m += sin(y) == x;
       })},
      {"two values of one sum",
       "S004",
       {"2 equations contradict", "x + y = 1", "x + y = 2", "0 = 1", "in place of one of them"},
       two([](Model& m, Expr x, Expr y) {
         m += x + y == 1;
         m += x + y == 2;
       }),
       two([](Model& m, Expr x, Expr y) {
         m += x + y == 1;
         m += x - y == 2;
       })},
      {"a length between points that are held, true by the value of a parameter",
       "S004",
       {"'4 - l^2' = 0", "holds with the values that parameters have", "declare these parameters"},
       two([](Model& m, Expr x, Expr y) {
         const Expr l = m.parameter("l", 2);
         m += x == 2;
         m += y == 0;
         m += (x - y) * (x - y) == l * l;
       }),
       two([](Model& m, Expr x, Expr y) {
         m += x == 2;
         m += y == 0;
       })},
      {"three values of two unknowns",
       "S004",
       {"3 equations contradict", "Remove one of them"},
       two([](Model& m, Expr x, Expr y) {
         m += x == 1;
         m += y == 2;
         m += x + y == 4;
       }),
       two([](Model& m, Expr x, Expr y) {
         m += x == 1;
         m += y == 2;
       })},
      {"a constraint written twice",
       "S003",
       {"2 equations leave", "x^2 + y^2 = 1", "Write an equation that says something else"},
       pendulum([](Model& m, Expr x, Expr y, Expr) {
         m += x * x + y * y == 1;
         m += 2 * x * x + 2 * y * y == 2;
       }),
       pendulum([](Model& m, Expr x, Expr y, Expr force) {
         m += x * x + y * y == 1;
         m += der(der(y)) == force * y - 1;
       })},
      {"a wrong sign that makes two equations one",
       "S003",
       {"2 equations leave 'x' and 'y' undetermined", "repeats others"},
       two([](Model& m, Expr x, Expr y) {
         m += x * y == 1;
         m += log(x) + log(y) == 0;
       }),
       two([](Model& m, Expr x, Expr y) {
         m += x * y == 1;
         m += log(x) - log(y) == 0;
       })},
      {"x = x",
       "F003",
       {"the unknowns in equation 'x = x' cancel", "Correct it or remove it"},
       two([](Model& m, Expr x, Expr y) {
         m += x == x;
         m += y == x;
       }),
       two([](Model& m, Expr x, Expr y) {
         m += x == 1;
         m += y == x;
       })},
      {"0 = 1",
       "F003",
       {"equation '0 = 1' has no unknown in it", "Remove it"},
       two([](Model& m, Expr x, Expr y) {
         m += x == 1;
         m += y == x;
         m += Expr(0) == Expr(1);
       }),
       two([](Model& m, Expr x, Expr y) {
         m += x == 1;
         m += y == x;
       })},
      {"an equation of parameters",
       "F003",
       {"'k = 2' has no unknown in it", "make 'k' an unknown"},
       [](Model& m) {
         const Expr x = m.unknown("x"), k = m.parameter("k", 1);
         m += der(x) == -k * x;
         m += k == 2;
       },
       [](Model& m) {
         const Expr x = m.unknown("x"), k = m.unknown("k");
         m += der(x) == -k * x;
         m += k == 2;
       }},
      {"aliases in a circle",
       "S002",
       {"2 equations for 3 unknowns", "'x', 'y' and 'z'", "y = z' says nothing", "Add an equation"},
       [](Model& m) {
         const Expr x = m.unknown("x"), y = m.unknown("y"), z = m.unknown("z");
         m += x == y;
         m += y == z;
         m += z == x;
       },
       [](Model& m) {
         const Expr x = m.unknown("x"), y = m.unknown("y"), z = m.unknown("z");
         m += x == y;
         m += y == z;
         m += z == x;
         m += der(x) == -y;
       }},
      {"an unknown that nobody uses",
       "F002",
       {"unknown 'y' is in none of the 2 equations", "while 2 equations are about 'x' alone",
        "equation 'der(x) = -2*x'", "Use it in one of those, or remove it with one of them"},
       two([](Model& m, Expr x, Expr) {
         m += der(x) == -x;
         m += der(x) == -2 * x;
       }),
       two([](Model& m, Expr x, Expr y) {
         m += der(x) == -x;
         m += y == -2 * x;
       })},
      {"two equations for one derivative",
       "S001",
       {"2 equations for 1 unknown, 'x'", "der(x) = -x", "der(x) = -2*x"},
       [](Model& m) {
         const Expr x = m.unknown("x");
         m += der(x) == -x;
         m += der(x) == -2 * x;
       },
       [](Model& m) {
         const Expr x = m.unknown("x");
         m += der(x) == -x;
       }},
      {"starts that contradict",
       "S005",
       {"'x' = '1'", "'y' = '2'", "Leave one of them free"},
       [](Model& m) {
         const Expr x = m.unknown("x", {.start = 1, .fixed = true});
         const Expr y = m.unknown("y", {.start = 2, .fixed = true});
         m += x == y;
         m += der(x) == -y;
       },
       [](Model& m) {
         const Expr x = m.unknown("x", {.start = 1, .fixed = true});
         const Expr y = m.unknown("y", {.start = 2});
         m += x == y;
         m += der(x) == -y;
       }},
      {"a circuit without ground",
       "S007",
       {"no reference", "'a.p.v'", "connect it to 'a.p'"},
       [](Model& m) {
         divider(m, [](Model& model, Resistor& a, Resistor& b) {
           const VoltageSource source(model.part("source"), 5.0);
           model.connect(source.p, a.p);
           model.connect(source.n, b.n);
         });
       },
       [](Model& m) {
         divider(m, [](Model& model, Resistor& a, Resistor& b) {
           const VoltageSource source(model.part("source"), 5.0);
           const Ground ground(model.part("ground"));
           model.connect(source.p, a.p, ground.p);
           model.connect(source.n, b.n);
         });
       }},
      {"a circuit of index 2 without ground, and without units",
       "S007",
       {"no reference", "'s.p.v'", "connect it to 's.p'"},
       driven_coil(false),
       driven_coil(true)},
      {"a ring of lines without a pressure, whose balances are no whole numbers",
       "S007",
       {"'p1', 'p2' and 'p3'", "'p1 = 0', in place of one of those below", "'q3*rho = q1*rho'"},
       ring(false),
       ring(true)},
      {"a current that leads nowhere, at a circuit without ground",
       "S004",
       {"3 equations contradict", "Connect a part to 's' that takes up what flows", "'s.n.i = 0'"},
       open_source(false),
       open_source(true)},
      {"sources in parallel",
       "S004",
       {"contradict each other", "Take one of the parts 's1' and 's2' away"},
       [](Model& m) {
         divider(m, [](Model& model, Resistor& a, Resistor& b) {
           const VoltageSource s1(model.part("s1"), 5.0), s2(model.part("s2"), 6.0);
           const Ground ground(model.part("ground"));
           model.connect(s1.p, s2.p, a.p);
           model.connect(s1.n, s2.n, b.n, ground.p);
         });
       },
       [](Model& m) {
         divider(m, [](Model& model, Resistor& a, Resistor& b) {
           const VoltageSource s1(model.part("s1"), 5.0), s2(model.part("s2"), 6.0);
           const Resistor between(model.part("between"), 1.0);
           const Ground ground(model.part("ground"));
           model.connect(s1.p, between.p);
           model.connect(between.n, s2.p, a.p);
           model.connect(s1.n, s2.n, b.n, ground.p);
         });
       }},
      {"sources in parallel whose voltages happen to be equal",
       "S004",
       {"holds with the values that parameters have", "Take one of the parts 's1' and 's2' away"},
       [](Model& m) {
         divider(m, [](Model& model, Resistor& a, Resistor& b) {
           const VoltageSource s1(model.part("s1"), model.parameter("V1", 5));
           const VoltageSource s2(model.part("s2"), model.parameter("V2", 5));
           const Ground ground(model.part("ground"));
           model.connect(s1.p, s2.p, a.p);
           model.connect(s1.n, s2.n, b.n, ground.p);
         });
       },
       [](Model& m) {
         divider(m, [](Model& model, Resistor& a, Resistor& b) {
           const VoltageSource s1(model.part("s1"), model.parameter("V1", 5));
           const Ground ground(model.part("ground"));
           model.connect(s1.p, a.p);
           model.connect(s1.n, b.n, ground.p);
         });
       }},
      {"a voltage and its rate, given by two parts",
       "S001",
       {"too many equations",
        "Take one of the parts 's' and 'ramp' away, or put a part "
        "between them that lets their values differ"},
       [](Model& m) {
         const VoltageSource s(m.part("s"), sin(m.time()));
         const Ramp ramp(m.part("ramp"));
         const Ground ground(m.part("ground"));
         m.connect(s.p, ramp.p);
         m.connect(s.n, ramp.n, ground.p);
       },
       [](Model& m) {
         const VoltageSource s(m.part("s"), sin(m.time()));
         const Ramp ramp(m.part("ramp"));
         const Resistor between(m.part("between"), 1.0);
         const Ground ground(m.part("ground"));
         m.connect(s.p, between.p);
         m.connect(between.n, ramp.p);
         m.connect(s.n, ramp.n, ground.p);
       }},
      {"current sources in series",
       "S004",
       {"contradict each other", "Where 's1' and 's2' meet", "takes up the difference"},
       [](Model& m) {
         const CurrentSource s1(m.part("s1"), 1.0), s2(m.part("s2"), 2.0);
         const Ground ground(m.part("ground"));
         m.connect(s1.n, s2.p);
         m.connect(s1.p, s2.n, ground.p);
       },
       [](Model& m) {
         const CurrentSource s1(m.part("s1"), 1.0), s2(m.part("s2"), 2.0);
         const Resistor r(m.part("r"), 1.0);
         const Ground ground(m.part("ground"));
         m.connect(s1.n, s2.p, r.p);
         m.connect(s1.p, s2.n, r.n, ground.p);
       }},
      {"a source between one point and itself",
       "S004",
       {"2 equations contradict", "Remove the connection listed", "'s'"},
       [](Model& m) {
         const VoltageSource s(m.part("s"), 5.0);
         const Ground ground(m.part("ground"));
         m.connect(s.p, s.n);
         m.connect(ground.p, s.n);
       },
       [](Model& m) {
         const VoltageSource s(m.part("s"), 5.0);
         const Ground ground(m.part("ground"));
         m.connect(ground.p, s.n);
       }},
      {"a quantity that is given twice, among others",
       "S001",
       {"'energy' is given twice", "That makes one equation too many: 5 equations for 4 unknowns",
        "Remove one of the two.", "energy = 0", "energy = der(x)^2 + y"},
       pendulum([](Model& m, Expr x, Expr y, Expr force) {
         const Expr energy = m.unknown("energy");
         m += der(der(y)) == force * y - 1;
         m += x * x + y * y == 1;
         m += energy == der(x) * der(x) + y;
         m += energy == 0;
       }),
       pendulum([](Model& m, Expr x, Expr y, Expr force) {
         const Expr energy = m.unknown("energy");
         m += der(der(y)) == force * y - 1;
         m += x * x + y * y == 1;
         m += energy == der(x) * der(x) + y;
       })},
      {"a loop that reaches one too far",
       "S004",
       {"6 equations contradict each other", "'q[3]' is given twice", "q[1] = 80 - T[1]"},
       rod(true),
       rod(false)},
      {"carriages that are one and are to part",
       "S004",
       {"2 equations contradict each other", "'x = y'", "'der(x) = der(y) + 1'"},
       [](Model& m) {
         const Expr x = m.unknown("x"), y = m.unknown("y"), f = m.unknown("f");
         const Expr g = m.unknown("g");
         m += x == y;
         m += der(x) == der(y) + 1;
         m += der(der(x)) == f;
         m += der(der(y)) == f + g;
       },
       [](Model& m) {
         const Expr x = m.unknown("x"), y = m.unknown("y"), f = m.unknown("f");
         const Expr g = m.unknown("g");
         m += x == y;
         m += g == der(y) + 1;
         m += der(der(x)) == f;
         m += der(der(y)) == f + g;
       }},
      {"a level given twice and a flow never",
       "S003",
       {"2 equations leave 'der(V)' and 'der(h)'", "V = A*h", "h = V/A"},
       [](Model& m) {
         const Expr h = m.unknown("h", {.start = 1}), V = m.unknown("V"), q = m.unknown("qout");
         const Expr A = m.parameter("A", 2);
         m += V == A * h;
         m += der(V) == 0.1 - q;
         m += h == V / A;
       },
       [](Model& m) {
         const Expr h = m.unknown("h", {.start = 1}), V = m.unknown("V"), q = m.unknown("qout");
         const Expr A = m.parameter("A", 2);
         m += V == A * h;
         m += der(V) == 0.1 - q;
         m += q == h / 10;
       }},
      {"a point that nobody connected",
       "F002",
       {"'s.p.v'", "Nothing is connected to 's.p': connect it"},
       [](Model& m) {
         const CurrentSource s(m.part("s"), 5.0);
         const Ground ground(m.part("ground"));
         m.connect(ground.p, s.n);
       },
       [](Model& m) {
         const CurrentSource s(m.part("s"), 5.0);
         const Resistor r(m.part("r"), 1.0);
         const Ground ground(m.part("ground"));
         m.connect(ground.p, s.n, r.n);
         m.connect(s.p, r.p);
       }},
  };
}

TEST(Mistakes, OfModelsInCppAreNamedAndTheProposalRepairsThem) {
  for (const Mistake& mistake : mistakes()) {
    SCOPED_TRACE(mistake.name);
    const std::string message = message_of(mistake.wrong);
    EXPECT_NE(message.find("error[" + mistake.code + "]"), std::string::npos) << message;
    EXPECT_NE(message.find("mistakes_test.cpp:"), std::string::npos) << message;
    EXPECT_EQ(message.find(".hpp"), std::string::npos) << message;  // no lines but the user's
    for (const std::string& words : mistake.says)
      EXPECT_NE(message.find(words), std::string::npos) << "not said: " << words << "\n" << message;
    EXPECT_EQ(message_of(mistake.repaired), "");
  }
}

/// n resistors in a row, from a source and back, and nothing that gives a level.
flat::FlatSystem long_circuit(std::size_t n) {
  Model m("Long");
  const VoltageSource source(m.part("source"), 5.0);
  Connector end = source.p;
  for (std::size_t k = 0; k < n; ++k) {
    const Resistor r(m.part("r" + std::to_string(k)), 1.0);
    m.connect(end, r.p);
    end = r.n;
  }
  m.connect(end, source.n);
  return m.flatten();
}

TEST(Mistakes, ALargeNetworkWithoutAReferenceIsOneToo) {
  try {
    structure::explain(long_circuit(1000));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "S007") << error.what();
  }
}

}  // namespace
}  // namespace alembert
