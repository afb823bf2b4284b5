// SPDX-License-Identifier: Apache-2.0
// The snakeboard: a board on two trucks whose wheels do not slip sideways, which moves forward by
// twisting. Frames, points and bodies; Kane's method; the paths that the four wheels leave.
#include <cstdio>
#include <numbers>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/mechanics/kane.hpp"
#include "alembert/frontend/mechanics/scene.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/visual/page_of_run.hpp"
#include "alembert/visual/video.hpp"
#include "demos/demos.hpp"

namespace alembert {

namespace {

using namespace mechanics;

constexpr double truck_width = 0.2;  // m, from wheel to wheel

struct Snakeboard {
  Model model{"Snakeboard"};
  World world;
  std::vector<Expr> q, u;
  Frame N = world.frame("N"), A = world.frame("A"), B = world.frame("B"), C = world.frame("C");
  Point O = world.point("O"), Ao = world.point("Ao"), Bo = world.point("Bo"),
        Co = world.point("Co");

  FlatSystem flatten() {
    constexpr double degree = std::numbers::pi / 180;
    const double q0[] = {0, 0, 0, 5 * degree, -5 * degree}, u0[] = {1, 0, 0.1, 0.01, -0.01};
    const Expr l = model.parameter("l", 0.7), I = model.parameter("I", 0.1);
    const Expr m = model.parameter("m", 1.0);
    for (std::size_t i = 0; i < 5; ++i) {
      const std::string number = std::to_string(i + 1);
      q.push_back(model.unknown("q" + number, {.start = q0[i], .fixed = true}));
      u.push_back(model.unknown("u" + number, {.start = u0[i], .fixed = i > 1}));
    }
    A.orient_axis(N, q[2], N.z());
    B.orient_axis(A, q[3], A.z());
    C.orient_axis(A, q[4], A.z());
    Ao.set_position(O, q[0] * N.x() + q[1] * N.y());
    Bo.set_position(Ao, l / 2 * A.x());
    Co.set_position(Ao, -l / 2 * A.x());
    O.set_velocity(N, {});
    Bo.v2pt(Ao, N, A);
    Co.v2pt(Ao, N, A);
    const KaneSystem system{
        .inertial = N,
        .q = q,
        .u = u,
        .kinematics = {u[0] - der(q[0]), u[1] - der(q[1]), u[2] - l * der(q[2]) / 2,
                       u[3] - der(q[3]), u[4] - der(q[4])},
        .bodies = {rigid_body("A", Ao, A, m, I * outer(A.z(), A.z())),
                   rigid_body("B", Bo, B, m, I * outer(B.z(), B.z())),
                   rigid_body("C", Co, C, m, I * outer(C.z(), C.z()))},
        .nonholonomic = {dot(Bo.velocity_in(N), B.y()), dot(Co.velocity_in(N), C.y())}};
    add_kane(model, derive_kane(model, system));
    FlatSystem flat = model.flatten();
    flat.scene = std::make_shared<const flat::Scene>(scene());
    return flat;
  }

  flat::Scene scene() {
    flat::Scene scene;
    scene.view = flat::Scene::View::planar;
    std::vector<flat::SceneShape> wheels;
    const flat::SceneColour colours[] = {
        {0, 0.45, 0.7}, {0.34, 0.7, 0.91}, {0.84, 0.37, 0}, {0.9, 0.62, 0}};
    std::size_t next = 0;
    for (const auto& [centre, frame] : {std::pair(Bo, B), std::pair(Co, C)}) {
      flat::ScenePlace ends[2];
      for (int side = 0; side < 2; ++side) {
        const Point wheel = world.point(frame.name() + (side == 0 ? "l" : "r"));
        wheel.set_position(centre, (side == 0 ? 1 : -1) * truck_width / 2 * frame.y());
        ends[side] = place_of(wheel, O, N);
        flat::SceneShape path = flat::trace(ends[side], 0);
        path.colour = colours[next++];
        scene.shapes.push_back(path);
        flat::SceneShape round = flat::wheel(ends[side], 0.09, direction_of(frame.y(), N));
        round.height = 0.035;
        round.colour = path.colour;
        wheels.push_back(round);
      }
      wheels.push_back(flat::rod(ends[0], ends[1], 0.02));
    }
    scene.shapes.insert(scene.shapes.end(), wheels.begin(), wheels.end());
    scene.shapes.push_back(flat::rod(place_of(Bo, O, N), place_of(Co, O, N), 0.04));
    scene.shapes.push_back(flat::point(place_of(Ao, O, N)));
    return scene;
  }
};

}  // namespace

int demo_snakeboard(const std::filesystem::path& folder) {
  Snakeboard board;
  const compile::CompiledModel model(board.flatten());
  const integrate::SimulateOptions options{.stop = 8, .tolerance = 1e-9, .intervals = 800};
  const auto run = integrate::simulate(model, options);
  if (run.outcome != integrate::Outcome::done) {
    std::fprintf(stderr, "alembert: %s\n", run.message.c_str());
    return 3;
  }
  std::printf("Snakeboard: %.0f s in %llu steps, wheels slip sideways by %.1g m/s at most\n",
              options.stop, static_cast<unsigned long long>(run.statistics.steps),
              run.largest_constraint_residual);
  const auto motion = visual::scene_of_run(model, run.trajectory, options);
  write_if_possible(folder / "snakeboard.mp4",
                    [&](const auto& path) { visual::write_video(*motion, path); });
  write_if_possible(folder / "snakeboard.html", [&](const auto& path) {
    visual::Page page = visual::page_of_run(model, run, options);
    page.tab = "Animation";
    page.panels = {{"q1", "q2"}, {"q3", "q4", "q5"}};
    page.paths = {{"q1", "q2"}};
    visual::write_page(std::move(page), path);
  });
  return 0;
}

}  // namespace alembert
