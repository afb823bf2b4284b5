// SPDX-License-Identifier: Apache-2.0
// The snakeboard: a board on two trucks whose wheels do not slip sideways, which moves forward by
// twisting. Frames, points and bodies; Kane's method; the paths that the four wheels leave.
#include <cstdio>
#include <memory>
#include <tuple>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/frontend/mechanics/scene.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/structure/explain.hpp"
#include "alembert/visual/page_of_run.hpp"
#include "alembert/visual/video.hpp"
#include "demos/demos.hpp"
#include "mechanisms/snakeboard.hpp"

namespace alembert {

namespace {

using namespace mechanics;

constexpr double truck_width = 0.2;  // m, from wheel to wheel

/// The board and its wheels.
flat::Scene scene_of_board(Snakeboard& board) {
  const auto& [N, O, Ao, Bo, Co] = std::tie(board.N, board.O, board.Ao, board.Bo, board.Co);
  flat::Scene scene;
  scene.view = flat::Scene::View::planar;
  std::vector<flat::SceneShape> wheels;
  const flat::SceneColour colours[] = {
      {0, 0.45, 0.7}, {0.34, 0.7, 0.91}, {0.84, 0.37, 0}, {0.9, 0.62, 0}};
  std::size_t next = 0;
  for (const auto& [centre, frame] : {std::pair(Bo, board.B), std::pair(Co, board.C)}) {
    flat::ScenePlace ends[2];
    for (int side = 0; side < 2; ++side) {
      const Point wheel = board.world.point(frame.name() + (side == 0 ? "l" : "r"));
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

FlatSystem moving_board() {
  Snakeboard board;
  add_kane(board.model, derive_kane(board.model, board.system()));
  FlatSystem flat = board.model.flatten();
  flat.scene = std::make_shared<const flat::Scene>(scene_of_board(board));
  return flat;
}

}  // namespace

int demo_snakeboard(const std::filesystem::path& folder) {
  const compile::CompiledModel model(moving_board());
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
  const bool has_film = write_if_possible(
      folder / "snakeboard.mp4", [&](const auto& path) { visual::write_video(*motion, path); });
  const bool has_page = write_if_possible(folder / "snakeboard.html", [&](const auto& path) {
    visual::Page page = visual::page_of_run(model, run, options);
    page.tab = "Animation";
    page.structure = structure::explain(moving_board());
    page.panels = {{"q1", "q2"}, {"q3", "q4", "q5"}};
    page.paths = {{"q1", "q2"}};
    visual::write_page(std::move(page), path);
  });
  return has_film && has_page ? 0 : 3;
}

}  // namespace alembert
