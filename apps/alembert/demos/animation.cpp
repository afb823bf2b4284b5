// SPDX-License-Identifier: Apache-2.0
// The double pendulum in motion: a film with fading traces, and a page with twenty of them whose
// starts differ by a thousandth, to see chaos at work.
#include <cstdio>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/flat/scene.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/visual/page_of_run.hpp"
#include "alembert/visual/video.hpp"
#include "demos/demos.hpp"

namespace alembert {

namespace {

constexpr int n_systems = 20;

flat::Scene two_rods() {
  flat::Scene scene;
  flat::SceneShape pivot = flat::point({0, 0});
  pivot.colour = {0.46, 0.49, 0.54};
  scene.shapes = {flat::trace({"x1", "y1"}, 1.5),
                  flat::trace({"x2", "y2"}, 4),
                  flat::rod({0, 0}, {"x1", "y1"}),
                  flat::rod({"x1", "y1"}, {"x2", "y2"}),
                  pivot,
                  flat::point({"x1", "y1"}),
                  flat::point({"x2", "y2"})};
  return scene;
}

}  // namespace

bool write_if_possible(const std::filesystem::path& path,
                       const std::function<void(const std::filesystem::path&)>& write) {
  try {
    write(path);
    std::printf("wrote %s\n", path.c_str());
    return true;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return false;
  }
}

int demo_animation(const std::filesystem::path& folder) {
  FlatSystem flat = double_pendulum();
  flat.scene = std::make_shared<const flat::Scene>(two_rods());
  const compile::CompiledModel model(std::move(flat));
  std::vector<integrate::SimulationResult> runs;
  integrate::SimulateOptions options{.stop = 25, .tolerance = 1e-9, .intervals = 1500};
  for (int i = 0; i < n_systems; ++i) {
    options.parameters["g"] = 1 + 1e-3 * i;
    runs.push_back(integrate::simulate(model, options));
    if (runs.back().outcome != integrate::Outcome::done) {
      std::fprintf(stderr, "alembert: %s\n", runs.back().message.c_str());
      return 3;
    }
  }
  std::printf("Double pendulum: %d runs of 25 s, gravity from 1 to %.3f\n", n_systems,
              options.parameters["g"]);

  const bool has_film = write_if_possible(folder / "double-pendulum.mp4", [&](const auto& path) {
    visual::write_video(visual::move_scene(two_rods(), {{&runs[0].trajectory}}), path);
  });
  const bool has_page = write_if_possible(folder / "double-pendulum.html", [&](const auto& path) {
    visual::Page page = visual::page_of_run(model, runs[0], {.stop = 25, .tolerance = 1e-9});
    page.title = "Twenty double pendulums";
    page.tab = "Animation";
    page.panels = {{"theta1", "theta2"}, {"E - E(0)"}};
    page.structure = structure::explain(double_pendulum());
    std::vector<visual::SceneRun> systems;
    for (const auto& run : runs) systems.push_back({&run.trajectory, {}});
    page.scene = visual::move_scene(two_rods(), systems);
    visual::write_page(std::move(page), path);
  });
  return has_film && has_page ? 0 : 3;
}

}  // namespace alembert
