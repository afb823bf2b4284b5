// SPDX-License-Identifier: Apache-2.0
// Published mechanisms, from bodies, joints and constraints to digits. Names like NH02 are those of
// the validation set, whose digits come from closed forms or from quadruple precision.
#include <algorithm>
#include <cmath>
#include <map>

#include "alembert/frontend/mechanics/joint.hpp"
#include "alembert/frontend/mechanics/lagrange.hpp"
#include "frontend/mechanics/runs.hpp"

namespace alembert::mechanics {
namespace {

using integrate::Outcome;
using integrate::SimulationResult;

constexpr double g = 9.81;

/// Columns by name, at some times.
struct Table {
  std::vector<double> times;
  std::map<std::string, std::vector<double>> values;  // [times.size()] each
};

SimulationResult expect_table(const Model& model, const Table& table, double tolerance,
                              double allowed) {
  const SimulationResult result =
      run(model, {.stop = table.times.back(), .tolerance = tolerance, .save_at = table.times});
  EXPECT_EQ(result.outcome, Outcome::done) << result.message;
  const std::vector<double> times = result.trajectory.times();
  for (const auto& [name, values] : table.values) {
    const std::vector<double> column = result.trajectory.column(name);
    for (std::size_t row = 0; row < times.size(); ++row) {
      const auto at = std::find(table.times.begin(), table.times.end(), times[row]);
      if (at == table.times.end()) continue;
      const double expected = values[static_cast<std::size_t>(at - table.times.begin())];
      EXPECT_NEAR(column[row], expected, allowed) << name << " at " << times[row];
    }
  }
  return result;
}

struct Plane {
  Model model;
  World world;
  Frame N = world.frame("N");
  Point O = world.point("O");
  Linkage linkage{model, N, O};

  explicit Plane(const char* name) : model(name) {}
  void start(const Expr& symbol, double value, bool fixed = true) {
    model.start(symbol, value, {.fixed = fixed});
  }
  void observe_energy(const Vector& acceleration) {
    model.observe("E", kinetic_energy(linkage.bodies(), N) +
                           gravity_potential(linkage.bodies(), acceleration, O));
  }
};

// IFToMM A01: the tension of the rod comes by an auxiliary speed.
TEST(Published, MBS01SimplePendulum) {
  Model m("Pendulum");
  World world;
  const Frame N = world.frame("N"), A = world.frame("A");
  const Expr q = m.unknown("q", {.start = -std::numbers::pi / 2, .fixed = true});
  const Expr u = m.unknown("u", {.start = 0, .fixed = true}), tension = m.unknown("tension");
  const Expr stretch(m.pool(), m.pool().unknown("stretch"));  // never moves: no unknown
  A.orient_axis(N, q, N.z());
  const Point O = world.point("O"), P = world.point("P");
  O.set_velocity(N, {});
  P.set_position(O, -1 * A.y());
  P.set_velocity(N, u * A.x() - stretch * A.y());
  KaneSystem system{.inertial = N,
                    .q = {q},
                    .u = {u},
                    .kinematics = {u - der(q)},
                    .bodies = {particle("bob", P, 1)},
                    .auxiliary = {stretch}};
  system.loads = gravity(system.bodies, -g * N.y());
  system.loads.push_back(force(P, tension * A.y()));
  const KaneEquations equations = derive_kane(m, system);
  ASSERT_EQ(equations.auxiliary.size(), 1u);
  add_kane(m, equations);
  m.observe("x", sin(q));
  m.observe("y", -cos(q));
  m.observe("vx", u * cos(q));
  m.observe("vy", u * sin(q));
  m.observe("E", u * u / 2 - g * cos(q));
  const auto result =
      expect_table(m,
                   {.times = {0, 1, 10},
                    .values = {{"x", {-1, 0.98629175113187532, -0.27508746257611686}},
                               {"y", {0, -0.16501085312554117, -0.96141920509912506}},
                               {"vx", {0, 0.29690551591631582, 4.1755981009517288}},
                               {"vy", {0, 1.7746436411126556, -1.1947490545604753}},
                               {"tension", {0, 4.8562694074846766, 28.294567206067251}}}},
                   1e-11, 1e-7);
  EXPECT_LT(spread(result.trajectory.column("E")), 1e-8);
}

// IFToMM A02: in the horizontal position, ten times in 10 s, the constraints lose rank, and the run
// goes straight through. By Lagrange's equations of the first kind, for the tops of the uprights.
TEST(Published, MBS02DoubleFourBar) {
  Model m("DoubleFourBar");
  struct Place {
    Expr x, y;
  };
  std::vector<Expr> q;
  Expr T = 0, V = 0;
  std::vector<Expr> lengths;
  // A slender rod of mass 1 and length 1 between two points, of which one may rest.
  const auto rod = [&](const Place& a, const Place& b) {
    const auto rate = [](const Expr& e) { return e.pool() == nullptr ? Expr(0) : der(e); };
    for (const auto& [p, r] : {std::pair{a.x, b.x}, std::pair{a.y, b.y}})
      T += (rate(p) * rate(p) + rate(p) * rate(r) + rate(r) * rate(r)) / 6;
    V += g * (a.y + b.y) / 2;
    lengths.push_back((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y) - 1);
  };
  std::vector<Place> tops;
  for (int k = 0; k < 3; ++k) {
    const std::string number = std::to_string(k);
    const Place top{m.unknown("B" + number + "x", {.start = double(k)}),
                    m.unknown("B" + number + "y", {.start = 1})};
    m.start(der(top.x), 1);
    q.insert(q.end(), {top.x, top.y});
    rod({k, 0}, top);
    if (k > 0) rod(tops.back(), top);
    tops.push_back(top);
  }
  add_lagrange(m, derive_lagrange({.lagrangian = T - V, .q = q, .holonomic = lengths}));
  m.observe("E", T + V);
  const auto result = expect_table(
      m,
      {.times = {0, 1, 4, 10},
       .values = {{"B0x", {0, -0.19502030194943509, 0.11761610237680861, 0.32845811154081538}},
                  {"B0y", {1, -0.98079920566217383, 0.99305913845132510, 0.94451853817860096}},
                  {"der(B0x)", {1, -6.6766780368811581, 1.0690392650289686, 1.4230514702069441}},
                  {"der(B0y)",
                   {0, 1.3275783251604872, -0.12661504916672028, -0.49486884548704296}}}},
      1e-9, 1e-4);
  EXPECT_EQ(result.n_passages, 10u);
  EXPECT_LT(spread(result.trajectory.column("E")), 1e-4);
  EXPECT_LT(result.largest_constraint_residual, 1e-9);
}

// IFToMM A05, stiff: both arms by themselves, nothing assumed to be symmetric.
TEST(Published, MBS04FlyballGovernor) {
  Plane p("Governor");
  const Frame& N = p.N;
  const Joint shaft = p.linkage.pin("shaft", N, p.O, N.z());
  const Frame& S = shaft.frame;
  p.linkage.add(rigid_body("shaft", shaft.point, S, 0.3, inertia(S, 0.025, 0.025, 5e-6)));
  const Joint slider = p.linkage.slider("slider", S, shaft.point, S.z());
  p.linkage.add(
      rigid_body("slider", slider.point, slider.frame, 3, inertia(S, 0.005, 0.005, 0.005)));
  const double It = 0.3 * 1.0001 / 12, Il = 5e-6;
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "right" : "left";
    const Point top = p.linkage.fixed_point(name + ".top", shaft, 0.05 * side * S.x() + S.z());
    const Joint arm = p.linkage.pin(name, S, top, -side * S.y());
    const Frame& A = arm.frame;
    const Point middle = p.linkage.fixed_point(name + ".middle", arm, -0.5 * A.z());
    const Point end = p.linkage.fixed_point(name + ".end", arm, -1 * A.z());
    p.linkage.add(rigid_body(name, middle, A, 0.3, inertia(A, It, It, Il)));
    p.linkage.add(particle(name + ".ball", end, 5));
    const Point eye = p.linkage.fixed_point(name + ".eye", slider, 0.05 * side * S.x());
    p.linkage.add(spring_damper(eye, middle, 8e5, 4e4, 0.5, N));
    p.start(arm.q[0], std::numbers::pi / 3);
    p.start(arm.u[0], 0);
  }
  p.start(slider.q[0], 0.5);
  p.start(slider.u[0], 0);
  p.start(shaft.q[0], 0);
  p.start(shaft.u[0], 2 * std::numbers::pi);
  p.linkage.add(gravity(p.linkage.bodies(), -g * N.z()));
  add_kane(p.model, derive_kane(p.model, p.linkage.system()));
  p.model.observe("Lz", dot(angular_momentum(p.linkage.bodies(), p.O, N), N.z()));
  const auto result = expect_table(
      p.model,
      {.times = {0.5, 1, 5, 10},
       .values =
           {{"shaft.q", {2.80767948836790, 5.58634696586901, 27.9425319910430, 55.9354099091024}},
            {"right.q", {1.31130494525148, 1.04896302516935, 1.08792175020796, 1.18072262495025}},
            {"left.q", {1.31130494525148, 1.04896302516935, 1.08792175020796, 1.18072262495025}},
            {"slider.q",
             {0.743249424786326, 0.501420922379568, 0.535563103721644, 0.619622917061366}},
            {"shaft.u", {5.10341542197154, 6.27112574187655, 6.02249649975846, 5.54820362265493}},
            {"slider.u",
             {0.0521197801583733, -0.122151492897729, -0.543682690277873, -0.747603354164332}}}},
      1e-9, 1e-5);
  for (const double Lz : result.trajectory.column("Lz")) EXPECT_NEAR(Lz, 53.868998658418432, 1e-6);
}

// The slider crank of SUNDIALS' example, by Kane and by Lagrange, through its dead centre.
TEST(Published, MBS05SliderCrank) {
  const double a = 0.5;
  const Table table = {
      .times = {1, 5, 7.25, 10},
      .values = {
          {"q", {1.315420570881698, -1.429996967647227, -0.07070592693290747, 1.275675848650239}},
          {"x", {1.001491807230800, 0.9390306135782662, 1.498126618528908, 1.023578558979840}},
          {"p",
           {-0.5049734706420015, 0.5178947564898862, 0.03533086393535324, -0.4988130491824987}},
          {"qd",
           {-0.5087929769098692, 0.05499161053776448, 1.005928303244883, -0.2399149971960007}},
          {"xd",
           {0.2816690946869872, 0.02942223164778110, 0.05326605876456657, 0.1337782832157776}},
          {"pd",
           {0.07342752901418531, -0.004440989758956747, -0.5020207300092400, 0.03973149599132174}},
          {"lam1", {1.054815246655325, 1.221808744705758, 1.976738812583450, 1.113756158263047}},
          {"lam2",
           {-0.5538207266639644, 1.013122040058803, -0.01220205429221860, -0.7625072751064478}}}};
  for (const bool by_lagrange : {false, true}) {
    SCOPED_TRACE(by_lagrange ? "Lagrange" : "Kane");
    Plane s("SliderCrank");
    const Frame& N = s.N;
    const Joint crank = s.linkage.pin("crank", N, s.O, N.z());
    const Joint slide = s.linkage.slider("slide", N, s.O, N.x());
    const Joint rod = s.linkage.pin("rod", slide.frame, slide.point, N.z());
    const Expr q = crank.q[0], x = slide.q[0], p = rod.q[0];
    // The rod's mass is at the slider.
    s.linkage.add(rigid_body("crank", crank.point, crank.frame, 1, inertia(N, 0, 0, 1)));
    s.linkage.add(rigid_body("rod", rod.point, rod.frame, 1, inertia(N, 0, 0, 2)));
    const Point crank_middle = s.linkage.fixed_point("cm", crank, a / 2 * crank.frame.x());
    const Point rod_middle = s.linkage.fixed_point("rm", rod, -0.5 * rod.frame.x());
    s.linkage.add(spring_damper(crank_middle, rod_middle, 1, 1, 1, N));
    s.linkage.add(force(s.linkage.fixed_point("far", rod, rod.frame.x()), N.x()));
    s.linkage.close(x - cos(p) - a * cos(q));
    s.linkage.close(-sin(p) - a * sin(q));
    s.start(q, std::numbers::pi / 2);
    s.start(p, std::asin(-a), false);
    s.start(x, std::cos(std::asin(-a)), false);
    std::vector<Expr> multipliers;
    if (by_lagrange) {
      s.start(der(q), 0);
      const auto derivative = [&](const Vector& v) {
        return v.replaced({{crank.u[0], der(q)}, {slide.u[0], der(x)}, {rod.u[0], der(p)}});
      };
      Loads loads;
      for (const Load& load : s.linkage.system().loads)
        loads.push_back(force(*load.point, derivative(load.vector)));
      multipliers = add_lagrange(
          s.model, derive_lagrange({.lagrangian = kinetic_energy(s.linkage.bodies(), N),
                                    .q = {q, x, p},
                                    .loads = loads,
                                    .inertial = {N},
                                    .holonomic = s.linkage.system().holonomic}));
      for (const Joint* joint : {&crank, &slide, &rod}) s.model += joint->u[0] == der(joint->q[0]);
    } else {
      s.start(crank.u[0], 0);
      multipliers = add_kane(s.model, derive_kane(s.model, s.linkage.system()));
    }
    const std::pair<const char*, Expr> names[] = {{"q", q},
                                                  {"x", x},
                                                  {"p", p},
                                                  {"qd", der(q)},
                                                  {"xd", der(x)},
                                                  {"pd", der(p)},
                                                  {"lam1", -multipliers[0]},
                                                  {"lam2", -multipliers[1]}};
    for (const auto& [name, value] : names) s.model.observe(name, value);
    const auto result = expect_table(s.model, table, 1e-10, 1e-6);
    EXPECT_LT(result.largest_constraint_residual, 1e-9);
  }
}

// Moore's four bars.
TEST(Published, MBS06FourBarLoop) {
  Plane p("FourBar");
  const Frame& N = p.N;
  const Point P4 = p.world.point("P4");
  P4.set_position(p.O, 2 * N.x());
  const Joint a = p.linkage.pin("a", N, p.O, N.z());
  const Point P2 = p.linkage.fixed_point("P2", a, 0.8 * a.frame.x());
  const Joint b = p.linkage.pin("b", a.frame, P2, N.z());
  const Point P3 = p.linkage.fixed_point("P3", b, 2 * b.frame.x());
  const Joint c = p.linkage.pin("c", b.frame, P3, N.z());
  const Point end = p.linkage.fixed_point("end", c, 1 * c.frame.x());
  p.linkage.add(particle("P2", P2, 1));
  p.linkage.add(particle("P3", P3, 1));
  p.linkage.add(gravity(p.linkage.bodies(), -g * N.y()));
  p.linkage.close(P4, end, N);
  EXPECT_EQ(p.linkage.system().holonomic.size(), 2u);
  p.start(a.q[0], 0.17453292519943295770);
  p.start(b.q[0], 0.11476003679030354889, false);
  p.start(c.q[0], -2.6421428398768209625, false);
  p.start(a.u[0], 0);
  add_kane(p.model, derive_kane(p.model, p.linkage.system()));
  p.observe_energy(-g * N.y());
  p.model.observe("a2", a.q[0] + b.q[0]);
  p.model.observe("a3", a.q[0] + b.q[0] + c.q[0]);
  for (const auto& [point, name] : {std::pair{P2, "P2"}, std::pair{P3, "P3"}}) {
    const Components r = point.position_from(p.O).in(N);
    p.model.observe(std::string(name) + "x", r[0]);
    p.model.observe(std::string(name) + "y", r[1]);
  }
  const auto result = expect_table(
      p.model,
      {.times = {0, 1, 2, 5},
       .values =
           {{"a.q",
             {0.17453292519943295770, -1.540043747648239, -2.106162216902087, -2.697037187734444}},
            {"a2",
             {0.28929296198973650658, 0.8695610423754762, 0.6665283476376301, 0.4119717239249672}},
            {"a3",
             {-2.3528498778870844559, -0.8160857956204177, -0.5805173020166322,
              -0.4743816266707419}},
            {"a.u", {0, -4.405204468733574, 5.143957617823026, 4.744708449888406}},
            {"P2x",
             {0.8 * std::cos(0.17453292519943295770), 0.02459818571885779, -0.4081246152600168,
              -0.7222415435461913}},
            {"P3y",
             {0.8 * std::sin(0.17453292519943295770) + 2 * std::sin(0.28929296198973650658),
              0.7284698823742388, 0.5484565672622353, 0.4567884448732373}}}},
      1e-11, 1e-6);
  EXPECT_LT(spread(result.trajectory.column("E")), 1e-8);
  EXPECT_NEAR(result.trajectory.column("E").front(), 8.3226702107803186, 1e-10);
  EXPECT_LT(result.largest_constraint_residual, 1e-9);
}

// From six coordinates; the lowest point of the rim rests.
TEST(Published, NH02RollingDisc) {
  Model m("Disc");
  World world;
  const Frame N = world.frame("N"), Y = world.frame("Y"), L = world.frame("L"),
              R = world.frame("R");
  const double r = 0.5, mass = 2;
  const char* names[] = {"X", "Y", "Z", "yaw", "lean", "spin"};
  const double start[] = {0, 0, r * std::cos(0.2), 0, 0.2, 0};
  const double speed[] = {0, 0, 0, 0.8, 0.1, 6};
  std::vector<Expr> q, u, fk;
  for (int k = 0; k < 6; ++k) {
    q.push_back(m.unknown(names[k], {.start = start[k], .fixed = k != 2}));
    u.push_back(m.unknown(std::string("u") + names[k], {.start = speed[k], .fixed = k > 2}));
    fk.push_back(u.back() - der(q.back()));
  }
  Y.orient_axis(N, q[3], N.z());
  L.orient_axis(Y, q[4], Y.x());
  R.orient_axis(L, q[5], L.y());
  const Point O = world.point("O"), C = world.point("C");
  O.set_velocity(N, {});
  C.set_position(O, q[0] * N.x() + q[1] * N.y() + q[2] * N.z());
  const Vector contact = C.velocity_in(N) + cross(R.angular_velocity_in(N), -r * L.z());
  const std::vector<Body> bodies = {rigid_body(
      "disc", C, R, mass, inertia(L, mass * r * r / 4, mass * r * r / 2, mass * r * r / 4))};
  const KaneSystem system{.inertial = N,
                          .q = q,
                          .u = u,
                          .kinematics = fk,
                          .bodies = bodies,
                          .loads = gravity(bodies, -g * N.z()),
                          .holonomic = {q[2] - r * cos(q[4])},
                          .nonholonomic = {dot(contact, Y.x()), dot(contact, Y.y())}};
  add_kane(m, derive_kane(m, system));
  m.observe("E", kinetic_energy(bodies, N) + gravity_potential(bodies, -g * N.z(), O));
  m.observe("u2", u[5] + u[3] * sin(q[4]));
  m.observe("u3", u[3] * cos(q[4]));
  m.observe("contact x", q[0] - r * sin(q[3]) * sin(q[4]));
  m.observe("contact y", q[1] + r * cos(q[3]) * sin(q[4]));
  m.observe("u1'", der(u[4]));
  const auto result =
      expect_table(m,
                   {.times = {1, 5},
                    .values = {{"X", {2.8522521501169084, -1.5602375921264762}},
                               {"Y", {-1.0731110459211522, -8.7176433774179155}},
                               {"Z", {0.45600270410023604, 0.48470400330845951}},
                               {"yaw", {-0.64625379592275023, -3.3395550006473372}},
                               {"lean", {0.42264941999456085, 0.24798893856944450}},
                               {"spin", {6.4548046810026695, 32.346937428322355}},
                               {"u2", {6.2471503600007887, 6.1431988325646626}},
                               {"u3", {-2.0183222357139878, 0.19909717258488953}},
                               {"contact x", {2.9757567727756621, -1.5843746327172308}},
                               {"contact y", {-0.90937912467428164, -8.8379738907895169}},
                               {"E", {23.880681620084512269, 23.880681620084512269}}}},
                   1e-12, 1e-7);
  EXPECT_EQ(result.outcome, Outcome::done);
  const auto at_start = run(m, {.stop = 0.01, .tolerance = 1e-10, .intervals = 1});
  EXPECT_NEAR(at_start.trajectory.column("u1'").front(), 8.8881111740636008, 1e-9);
}

// The sleigh turns around; exact. By Kane and by Lagrange.
TEST(Published, NH03ChaplyginSleigh) {
  const double mass = 1, I = 0.1, a = 0.2;
  const Table table = {
      .times = {1, 2, 5, 10},
      .values = {
          {"v",
           {-0.74071303351850000, 0.49280985242152369, 1.0172341194620906, 1.0173494974125171}},
          {"omega",
           {1.8638366765814417, 2.3786827827846775, 0.040948242783267615, 2.8598056446046930e-5}},
          {"theta",
           {1.0669949167436598, 3.5387380294817671, 5.5032053357129852, 5.5313616723691798}},
          {"x",
           {-0.81351539677624837, -0.91108678316047772, 0.14600677760240755, 3.8480720884629111}},
          {"y",
           {-0.33799647644812567, -0.59410668572140057, -2.9259697796084396,
            -6.4142764939469059}}}};
  Plane p("Kane");
  const Joint body = p.linkage.planar("body", p.N, p.O, p.N.z(), p.N.x(), p.N.y());
  const Point centre = p.linkage.fixed_point("centre", body, a * body.frame.x());
  p.linkage.add(rigid_body("sleigh", centre, body.frame, mass, inertia(body.frame, 0, 0, I)));
  KaneSystem system = p.linkage.system();
  system.nonholonomic = {dot(body.point.velocity_in(p.N), body.frame.y())};
  for (const Expr& q : body.q) p.start(q, 0);
  p.start(body.u[0], 0.5);
  p.start(body.u[1], -1);
  add_kane(p.model, derive_kane(p.model, system));
  p.model.observe("theta", body.q[0]);
  p.model.observe("omega", body.u[0]);
  p.model.observe("x", body.q[1]);
  p.model.observe("y", body.q[2]);
  p.model.observe("v", dot(body.point.velocity_in(p.N), body.frame.x()));
  expect_table(p.model, table, 1e-12, 1e-8);

  Model lagrange("Lagrange");
  const Expr x = lagrange.unknown("x", {.start = 0, .fixed = true});
  const Expr y = lagrange.unknown("y", {.start = 0, .fixed = true});
  const Expr t = lagrange.unknown("theta", {.start = 0, .fixed = true});
  lagrange.start(der(x), -1, {.fixed = true});
  lagrange.start(der(t), 0.5, {.fixed = true});
  const Expr vx = der(x) - a * sin(t) * der(t), vy = der(y) + a * cos(t) * der(t);
  add_lagrange(lagrange, derive_lagrange({.lagrangian = mass * (vx * vx + vy * vy) / 2 +
                                                        I * der(t) * der(t) / 2,
                                          .q = {x, y, t},
                                          .nonholonomic = {-sin(t) * der(x) + cos(t) * der(y)}}));
  lagrange.observe("omega", der(t));
  lagrange.observe("v", cos(t) * der(x) + sin(t) * der(y));
  expect_table(lagrange, table, 1e-12, 1e-8);
}

}  // namespace
}  // namespace alembert::mechanics
