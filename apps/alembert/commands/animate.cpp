// SPDX-License-Identifier: Apache-2.0
// `alembert animate`: the scene of a model in motion, as a page, an MP4 or a GIF.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "alembert/base/error.hpp"
#include "alembert/flat/scene.hpp"
#include "alembert/result/files.hpp"
#include "alembert/visual/page_of_run.hpp"
#include "alembert/visual/video.hpp"
#include "command.hpp"
#include "names.hpp"
#include "report_options.hpp"
#include "result_page.hpp"
#include "run_model.hpp"

namespace alembert::commands {

namespace {

struct AnimateCommand {
  ModelOptions model;
  RunOptions run;
  std::string scene;  // the model whose scene results have
  std::string output;
  std::string size;
  int frames_per_second = 0;
  double speed = 0;
  double trace = -1;
  bool dark = false;
  bool quiet = false;
};

struct Shown {
  visual::Page page = {};  // without a scene yet
  std::shared_ptr<const flat::Scene> scene = {};
  std::vector<result::NamedConstants> constants = {};  // one a run
  std::string name = {};
  int exit_code = 0;
};

/// Parameters by name, as the model has them.
result::NamedConstants constants_of(flat::FlatSystem system) {
  result::NamedConstants constants;
  const auto values = flat::evaluate_parameters(system);
  for (std::size_t p = 0; p < values.size(); ++p)
    constants.emplace(system.pool->symbol_of(system.parameters[p].symbol).name, values[p]);
  return constants;
}

Shown shown_results(const AnimateCommand& command) {
  if (command.scene.empty())
    throw Error("U030",
                "a result does not say what its model looks like: give the model with --scene "
                "MODEL.mo, or animate the model itself.");
  ModelOptions source = command.model;
  source.files = {command.scene};
  flat::FlatSystem model = read_model(source, true);
  Shown shown{.page = page_of_results(command.model.files), .scene = model.scene};
  shown.name = std::filesystem::path(command.model.files.front()).stem().string();
  shown.constants.assign(shown.page.runs.size(), constants_of(std::move(model)));
  return shown;
}

Shown shown_model(const AnimateCommand& command) {
  const ModelRun ran = run_model(command.model, command.run, command.quiet);
  Shown shown{.page = visual::page_of_run(*ran.model, ran.result, ran.options),
              .scene = ran.as_read.scene};
  shown.page.structure = structure::explain(ran.as_read);
  shown.name = last_name(ran.as_read.name);
  shown.constants = {visual::plot_options(*ran.model, ran.options).constants};
  shown.exit_code = exit_code_of(ran);
  return shown;
}

void read_size(const std::string& text, visual::FrameOptions& frame) {
  if (text.empty()) return;
  int width = 0, height = 0, end = 0;
  if (std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &end) != 2 || text.c_str()[end] != 0 ||
      width < 16 || height < 16 || width > 7680 || height > 4320 || width % 2 != 0 ||
      height % 2 != 0)
    throw Error("U004", "--size is WIDTHxHEIGHT, two even numbers, as 1920x1080.");
  frame.width = width;
  frame.height = height;
}

void write_film(const AnimateCommand& command, const visual::SceneMotion& motion,
                const std::filesystem::path& output, int frames_per_second) {
  visual::VideoOptions options{.frames_per_second = frames_per_second};
  if (output.extension() == ".gif") {
    options.frame.width = 640;
    options.frame.height = 360;
  }
  read_size(command.size, options.frame);
  options.frame.dark = command.dark;
  options.frame.trace_seconds = command.trace;
  const bool terminal = ::isatty(2) != 0 && !command.quiet;
  if (terminal)
    options.progress = [](std::size_t done, std::size_t of) {
      if (done % 10 == 0 || done == of) std::fprintf(stderr, "\r\033[Kframe %zu of %zu", done, of);
    };
  visual::write_video(motion, output, options);
  if (terminal) std::fprintf(stderr, "\r\033[K");
}

int run(const AnimateCommand& command) {
  if (command.speed < 0) throw Error("U004", "--speed must be positive.");
  const bool gif = std::filesystem::path(command.output).extension() == ".gif";
  const int frames_per_second = command.frames_per_second > 0 ? command.frames_per_second
                                : gif                         ? 25
                                                              : 60;
  if (frames_per_second > (gif ? 50 : 240))
    throw Error("U004", gif ? "a GIF has 50 frames a second at most: give --fps 50 or less."
                            : "--fps must not be above 240.");
  Shown shown =
      !command.model.files.empty() && result::has_known_ending(command.model.files.front())
          ? shown_results(command)
          : shown_model(command);
  if (shown.scene == nullptr || shown.scene->shapes.empty())
    throw Error("U030", "'" + shown.name +
                            "' says nothing about what it looks like. Give it a scene: "
                            "annotation(__Alembert(scene = {Rod(from = {0, 0}, to = {x, y})})).");
  const std::filesystem::path output =
      command.output.empty() ? shown.name + ".html" : command.output;
  std::vector<visual::SceneRun> runs;
  for (std::size_t i = 0; i < shown.page.runs.size(); ++i)
    runs.push_back({&shown.page.runs[i].trajectory, shown.constants[i]});
  const bool page = output.extension() == ".html";
  visual::SceneMotion motion =
      visual::move_scene(*shown.scene, runs,
                         {.frames_per_second = static_cast<double>(frames_per_second),
                          .speed = command.speed,
                          .most_frames = page ? std::size_t{20'000} : std::size_t{1'000'000}});
  if (page) {
    shown.page.scene = std::move(motion);
    shown.page.tab = "Animation";
    visual::write_page(std::move(shown.page), output);
  } else {
    write_film(command, motion, output, frames_per_second);
  }
  std::printf("%s\n", output.c_str());
  return shown.exit_code;
}

}  // namespace

Command add_animate(CLI::App& app) {
  auto command = std::make_shared<AnimateCommand>();
  CLI::App* parser = app.add_subcommand(
      "animate",
      "Show a model in motion: a page for the browser, an MP4 or a GIF.\n\n"
      "  alembert animate pendulum.mo --output pendulum.mp4    runs the model, films it\n"
      "  alembert animate pendulum.mo --output p.gif --size 480x360 --fps 20\n"
      "  alembert animate a.csv b.csv --scene pendulum.mo      results together, as a page\n");
  add_model_options(*parser, command->model);
  parser->get_option("FILE")->description(
      "Modelica files and folders of packages, or results; may be left out if --model names a "
      "model of a library");
  add_run_options(*parser, command->run);
  parser->add_option("--scene", command->scene, "the model that defines what results look like");
  parser->add_option(
      "--output", command->output,
      "file for the page (.html) or film (.mp4, .gif); default: the model's name, .html");
  parser->add_option(
      "--size", command->size,
      "size of a film in pixels, WIDTHxHEIGHT (default: 1920x1080, for a GIF 640x360)");
  parser->add_option("--fps", command->frames_per_second,
                     "frames per second (default: 60, for a GIF 25)");
  parser->add_option(
      "--speed", command->speed,
      "simulated seconds per second (default: 1, or slower or faster where the eye could not "
      "follow)");
  parser->add_option("--trace", command->trace, "how many seconds the traces in a film go back");
  parser->add_flag("--dark", command->dark, "a film on a dark background");
  add_message_options(*parser, command->quiet, "print no warnings and no progress");
  return {parser, [command] { return run(*command); }};
}

}  // namespace alembert::commands
