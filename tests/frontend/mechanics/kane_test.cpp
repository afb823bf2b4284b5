// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/mechanics/kane.hpp"

#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>

#include "alembert/frontend/mechanics/lagrange.hpp"
#include "alembert/frontend/mechanics/start_values.hpp"
#include "frontend/mechanics/link_pendulum.hpp"
#include "frontend/mechanics/runs.hpp"
#include "mechanisms/snakeboard.hpp"

namespace alembert::mechanics {
namespace {

using integrate::Outcome;

// Digits: validation set, NH01, quadruple precision.
void expect_snakeboard(const integrate::SimulationResult& result, double tolerance) {
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  const std::size_t rows[] = {20, 80, 160};  // at 1, 4 and 8 s
  const std::map<std::string, std::array<double, 3>> digits = {
      {"q1", {1.1270517528920351, 3.6378919929143451, 4.2692857602554319}},
      {"q2", {0.16203126720929757, 2.3305574150790300, 4.9139400022644711}},
      {"q3", {0.30205480363663691, 1.4153315209949252, 4.6726147618106673}},
      {"q4", {0.080925944677365283, -0.14520791553806582, -2.2196340134966651}},
      {"q5", {-0.11360698052206767, -0.39974084073749878, -2.5541669386960980}},
      {"u1", {1.0957645296282669, 0.47687953791170309, 0.75611727826034424}},
      {"u2", {0.32169713193782448, 1.0329499761553592, -0.82523042735741821}},
      {"u3", {0.11144586911374931, 0.15115492099582919, 0.25932083645867281}},
      {"u4", {-0.022702483182140881, -0.13615691713094054, -0.44520238988192231}},
      {"u5", {-0.042702483182140881, -0.15615691713094054, -0.46520238988192231}}};
  for (const auto& [name, values] : digits)
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(result.trajectory.column(name)[rows[k]], values[k], tolerance) << name;
}

TEST(Kane, SnakeboardAgreesWithTheReferenceInBothForms) {
  for (const ConstraintForm form : {ConstraintForm::multipliers, ConstraintForm::projected}) {
    Snakeboard board;
    const KaneEquations equations = derive_kane(board.model, board.system());
    add_kane(board.model, equations, form);
    board.model.observe("T", kinetic_energy(board.system().bodies, board.N));
    const auto result = run(board.model, {.stop = 8, .tolerance = 1e-11, .intervals = 160});
    expect_snakeboard(result, 1e-7);  // the dependent speeds come along
    EXPECT_NEAR(result.trajectory.column("u1").front(), 1.1430052302761343067, 1e-10);
    EXPECT_LT(spread(result.trajectory.column("T")), 1e-8);
    EXPECT_NEAR(last(result, "T"), 1.9819463326170818939, 1e-8);
  }
}

TEST(Kane, SnakeboardByLagrangesEquationsOfTheFirstKind) {
  Model m("SnakeboardLagrange");
  constexpr double degree = std::numbers::pi / 180;
  const double q0[] = {0, 0, 0, 5 * degree, -5 * degree};
  const double v0[] = {1.1430052302761343, 0, 0.1 / 0.35, 0.01, -0.01};
  std::vector<Expr> q, v;
  for (std::size_t i = 0; i < 5; ++i) {
    q.push_back(m.unknown("q" + std::to_string(i + 1), {.start = q0[i], .fixed = true}));
    v.push_back(der(q.back()));
    m.start(v.back(), v0[i], {.fixed = i > 1});
  }
  const double l = 0.7, I = 0.1, mass = 1;
  const Expr T =
      3 * mass * (v[0] * v[0] + v[1] * v[1]) / 2 + mass * l * l / 4 * v[2] * v[2] +
      I / 2 * (v[2] * v[2] + (v[2] + v[3]) * (v[2] + v[3]) + (v[2] + v[4]) * (v[2] + v[4]));
  const LagrangeSystem system{
      .lagrangian = T,
      .q = q,
      .nonholonomic = {
          -sin(q[2] + q[3]) * v[0] + cos(q[2] + q[3]) * v[1] + l / 2 * cos(q[3]) * v[2],
          -sin(q[2] + q[4]) * v[0] + cos(q[2] + q[4]) * v[1] - l / 2 * cos(q[4]) * v[2]}};
  EXPECT_EQ(add_lagrange(m, derive_lagrange(system)).size(), 2u);
  const double scale[] = {1, 1, l / 2, 1, 1};
  for (std::size_t i = 0; i < 5; ++i) m.observe("u" + std::to_string(i + 1), scale[i] * v[i]);
  expect_snakeboard(run(m, {.stop = 8, .tolerance = 1e-11, .intervals = 160}), 1e-7);
}

TEST(Kane, MatricesOfTheSeedHoldOnlyWhatTheyMay) {
  Snakeboard board;
  KaneSystem system = board.system();
  system.dependent = {board.u[0], board.u[1]};
  const KaneEquations equations = derive_kane(board.model, system);
  const KaneMatrices matrices = kane_matrices(equations);
  using Names = std::vector<std::string>;
  EXPECT_EQ(find_dynamicsymbols(matrices.Md), (Names{"q3", "q4", "q5"}));
  EXPECT_EQ(find_dynamicsymbols(matrices.gd), (Names{"q3", "q4", "q5", "u3", "u4", "u5"}));
  EXPECT_EQ(find_dynamicsymbols(matrices.gk), (Names{"q3", "q4", "q5", "u3", "u4", "u5"}));
  EXPECT_EQ(find_dynamicsymbols(matrices.Mn), (Names{"q3", "q4", "q5"}));
  EXPECT_EQ(ignorable_coordinates(equations, matrices), (Names{"q1", "q2"}));
  EXPECT_EQ(to_text(matrices.Mk),
            "[-1, 0, 0, 0, 0]\n[0, -1, 0, 0, 0]\n[0, 0, -l/2, 0, 0]\n[0, 0, 0, -1, 0]\n"
            "[0, 0, 0, 0, -1]\n");
  EXPECT_EQ(to_text(board.Bo.velocity_in(board.N)), "der(q1)*N.x + der(q2)*N.y + l*der(q3)/2*A.y");
  EXPECT_EQ(
      to_text(matrices.gn, symbolic::Notation::latex),
      "\\begin{bmatrix}\n\\cos\\left(q_{4}\\right) \\, u_{3} \\\\\n-\\cos\\left(q_{5}\\right) \\, "
      "u_{3} \\\\\n\\end{bmatrix}\n");
}

/// us' = -Md^-1 gd at the start; digits of NH01.
TEST(Kane, AccelerationsFromTheMatrices) {
  Snakeboard board;
  KaneSystem system = board.system();
  system.dependent = {board.u[0], board.u[1]};
  const KaneEquations equations = derive_kane(board.model, system);
  const KaneMatrices matrices = kane_matrices(equations);
  const NumberMatrix Md = evaluate_matrix(board.model.pool(), matrices.Md, equations.point, 0);
  NumberMatrix x = evaluate_matrix(board.model.pool(), matrices.gd, equations.point, 0);
  ASSERT_TRUE(solve_dense(Md, x));
  EXPECT_NEAR(-x[0][0], 0.011435370536646740705, 1e-13);
  EXPECT_NEAR(-x[1][0], -0.032672487247562116299, 1e-13);
  EXPECT_NEAR(-x[2][0], -0.032672487247562116299, 1e-13);
  // Mn ur + gn = 0 gives the dependent speeds.
  NumberMatrix ur = evaluate_matrix(board.model.pool(), matrices.gn, equations.point, 0);
  ASSERT_TRUE(
      solve_dense(evaluate_matrix(board.model.pool(), matrices.Mn, equations.point, 0), ur));
  EXPECT_NEAR(-ur[0][0], 1.1430052302761343067, 1e-12);
}

TEST(Kane, DependentSpeedsAreChosenWhereTheyAreWellConditioned) {
  Snakeboard board;  // wheels almost parallel to the board: q3' fixes little
  const KaneEquations equations = derive_kane(board.model, board.system());
  ASSERT_EQ(equations.dependent.size(), 2u);
  // With the wheels straight both constraints hold u2 and u3, and not u1.
  std::vector<std::string> names;
  for (const Expr& u : equations.dependent) names.push_back(symbolic::to_text(u));
  EXPECT_EQ(names, (std::vector<std::string>{"u2", "u3"}));
}

/// Expressions of a chain of bodies grow with the number of bodies, not with its square.
TEST(Kane, LinkPendulumGrowsLinearly) {
  const auto operations = [](int n) {
    LinkPendulum pendulum(n);
    const KaneEquations equations = derive_kane(pendulum.model, pendulum.system);
    std::vector<symbolic::ExprId> ids;
    for (const Expr& force : equations.forces) ids.push_back(force.id());
    return static_cast<double>(symbolic::operation_count(pendulum.model.pool(), ids));
  };
  const double at_10 = operations(10), at_100 = operations(100);
  EXPECT_LT(at_100, 13 * at_10);
  EXPECT_GT(at_100, 8 * at_10);
}

/// And so does the time; in processor time, the best of several, since machines are busy.
TEST(Kane, DerivationTimeGrowsLinearly) {
  const auto time = [](int n) {
    std::clock_t best = std::numeric_limits<std::clock_t>::max();
    for (int k = 0; k < 5; ++k) {
      const std::clock_t before = std::clock();
      LinkPendulum pendulum(n);
      derive_kane(pendulum.model, pendulum.system);
      best = std::min(best, std::clock() - before);
    }
    return static_cast<double>(best);
  };
  EXPECT_LT(time(100), 10 * time(20));  // 5.4 by counting instructions; 25 were it quadratic
}

/// A speed without inertia is found in long chains too, where the whole matrix is not looked at.
TEST(KaneMistakes, SpeedWithoutInertiaInALongChain) {
  LinkPendulum pendulum(20);
  pendulum.system.bodies.pop_back();
  pendulum.system.loads.pop_back();
  const std::string text =
      message_of("K024", [&] { derive_kane(pendulum.model, pendulum.system); });
  EXPECT_NE(text.find("nothing has inertia along 'u20'"), std::string::npos) << text;
}

TEST(Kane, LinkPendulumKeepsItsEnergy) {
  LinkPendulum pendulum(10);
  add_kane(pendulum.model, derive_kane(pendulum.model, pendulum.system));
  pendulum.model.observe(
      "E", kinetic_energy(pendulum.system.bodies, pendulum.N) +
               gravity_potential(pendulum.system.bodies, 9.81 * pendulum.N.x(), pendulum.O));
  const auto result = run(pendulum.model, {.stop = 1, .tolerance = 1e-9, .intervals = 20});
  ASSERT_EQ(result.outcome, Outcome::done) << result.message;
  EXPECT_LT(spread(result.trajectory.column("E")), 1e-6);
}

// ---- bad input ----------------------------------------------------------------------------------

template <class Change>
std::string refusal(const std::string& code, Change change) {
  Snakeboard board;
  KaneSystem system = board.system();
  change(board, system);
  return message_of(code, [&] { derive_kane(board.model, system); });
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(KaneMistakes, IncompleteSpeeds) {
  EXPECT_SAYS(
      refusal("K020", [](Snakeboard&, KaneSystem& system) { system.kinematics.pop_back(); }),
      "5 coordinates need as many kinematical equations, and there are 4");
  EXPECT_SAYS(refusal("K020", [](Snakeboard&, KaneSystem& system) { system.u.pop_back(); }),
              "'u5', which is neither a coordinate nor a speed");
  EXPECT_SAYS(refusal("K020",
                      [](Snakeboard& board, KaneSystem& system) {
                        system.kinematics[4] = board.u[4] - der(board.q[3]);
                      }),
              "do not give the derivative of 'q5'");
  EXPECT_SAYS(refusal("K020",
                      [](Snakeboard& board, KaneSystem& system) {
                        system.kinematics[4] = board.u[3] - der(board.q[4]);
                      }),
              "the speed 'u5' moves no coordinate");
}

TEST(KaneMistakes, ConstraintsThatDependOnEachOther) {
  EXPECT_SAYS(refusal("K022",
                      [](Snakeboard&, KaneSystem& system) {
                        system.nonholonomic.push_back(2 * system.nonholonomic[0]);
                      }),
              "say the same twice");
  const std::string contradiction = refusal("K022", [](Snakeboard& board, KaneSystem& system) {
    system.holonomic = {board.q[0] - 1, board.q[0] - 2};
    system.nonholonomic.clear();
  });
  EXPECT_SAYS(contradiction, "contradict each other");
  EXPECT_SAYS(contradiction, "'q1 - 1 = 0'");
  EXPECT_SAYS(refusal("K021",
                      [](Snakeboard& board, KaneSystem& system) {
                        system.nonholonomic[0] = board.u[0] * board.u[1] - 1;
                      }),
              "is not linear in the speeds");
}

TEST(KaneMistakes, MassAndInertia) {
  EXPECT_SAYS(refusal("K006",
                      [](Snakeboard&, KaneSystem& system) {
                        system.bodies[1].mass = 0;
                        system.bodies[1].central_inertia = {};
                      }),
              "body 'B' has no mass");
  const std::string light = refusal(
      "K024", [](Snakeboard&, KaneSystem& system) { system.bodies[1].central_inertia = {}; });
  EXPECT_SAYS(light, "nothing has inertia along 'u4'");
  EXPECT_SAYS(light, "'B' has no inertia");
  const std::string flat = refusal("K024", [](Snakeboard& board, KaneSystem& system) {
    system.bodies[1].central_inertia = board.I * outer(board.B.x(), board.B.x());
  });
  EXPECT_SAYS(flat, "nothing has inertia along 'u4'");
  EXPECT_SAYS(flat, "the inertia of 'B' is singular");
  EXPECT_SAYS(refusal("K006",
                      [](Snakeboard& board, KaneSystem& system) {
                        system.bodies[2].central_inertia = inertia(board.C, 1, 1, 1, 2);
                      }),
              "body 'C' has an inertia that is negative about some axis");
  EXPECT_SAYS(refusal("K006", [](Snakeboard&, KaneSystem& system) { system.bodies[0].mass = -3; }),
              "body 'A' has the mass -3, and masses are positive");
}

TEST(KaneMistakes, DependentSpeeds) {
  EXPECT_SAYS(refusal("K023",
                      [](Snakeboard& board, KaneSystem& system) {
                        system.dependent = {board.u[0], board.u[3]};
                      }),
              "do not give the dependent speeds 'u1' and 'u4'");
  EXPECT_SAYS(refusal("K023", [](Snakeboard& board,
                                 KaneSystem& system) { system.dependent = {board.u[0]}; }),
              "2 constraints");
}

TEST(KaneMistakes, FramesAndPointsThatAreNotConnected) {
  EXPECT_SAYS(
      refusal("K001",
              [](Snakeboard& board, KaneSystem& system) {
                const Frame F = board.world.frame("F");
                system.bodies.push_back(rigid_body("F", board.Ao, F, 1, inertia(F, 1, 1, 1)));
              }),
      "frame 'F' is not connected with frame 'N'");
  EXPECT_SAYS(refusal("K005",
                      [](Snakeboard& board, KaneSystem& system) {
                        system.bodies.push_back(particle("P", board.world.point("P"), 1));
                      }),
              "point 'P' has no velocity in frame 'N'");
}

}  // namespace
}  // namespace alembert::mechanics
