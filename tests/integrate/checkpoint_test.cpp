// SPDX-License-Identifier: Apache-2.0
// A run that was put aside and taken up again gives the same bits as one that was not.
#include "alembert/integrate/checkpoint.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/frontend/builder/model.hpp"
#include "alembert/integrate/simulate.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::integrate {
namespace {

using builder::Expr;
using builder::Model;
using compile::CompiledModel;

/// The Cartesian pendulum (charts change), a ball, a clock, a delay and a nonlinear block.
CompiledModel everything() {
  Model m("Everything");
  const Expr x = m.unknown("x", {.start = 1, .fixed = true});
  const Expr y = m.unknown("y", {.start = 0});
  const Expr lambda = m.unknown("lambda");
  m.start(der(x), 0);
  m.start(der(y), 0, {.fixed = true});
  m += der(der(x)) == lambda * x;
  m += der(der(y)) == lambda * y - 9.81;
  m += x * x + y * y == 1;
  const Expr h = m.unknown("h", {.start = 1, .fixed = true});
  const Expr v = m.unknown("v", {.start = 0, .fixed = true});
  const Expr n = m.discrete("n", {.type = flat::ValueType::integer});
  m += der(h) == v;
  m += der(v) == -m.parameter("g", 9.81);
  m.when(h < 0,
         {builder::reinit(v, -0.95 * builder::pre(v)), builder::set(n, builder::pre(n) + 1)});
  const Expr tick = m.discrete("tick");
  m.when(m.sample(0.1, 0.37), {builder::set(tick, builder::pre(tick) + x)});
  const Expr late = m.unknown("late", {.start = 0, .fixed = true});
  m += der(late) == m.delay(y, 0.3) - late + tick;
  const Expr z = m.unknown("z", {.start = 0.5});
  m += z * z * z + z == x + 2;
  return CompiledModel(m.flatten());
}

CompiledModel oscillators(int count) {
  Model m("Oscillators");
  std::vector<Expr> x, v;
  for (int i = 0; i < count; ++i) {
    x.push_back(m.unknown("x" + std::to_string(i), {.start = i % 3, .fixed = true}));
    v.push_back(m.unknown("v" + std::to_string(i), {.start = 0, .fixed = true}));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Expr left = i > 0 ? x[i - 1] : Expr(0);
    m += der(x[i]) == v[i];
    m += der(v[i]) == left - 2 * x[i] - x[i] * x[i] * x[i];
  }
  return CompiledModel(m.flatten());
}

SimulationResult go_on_from(const CompiledModel& model, SimulateOptions options,
                            const Checkpoint& checkpoint) {
  options.on_checkpoint = {};
  options.resume = &checkpoint;
  return simulate(model, options);
}

struct PausedRun {
  std::vector<Checkpoint> checkpoints;
  SimulationResult whole;
};

PausedRun run_with_checkpoints(const CompiledModel& model, SimulateOptions options) {
  PausedRun run;
  options.checkpoint_every = (options.stop - options.start) / 4;
  options.on_checkpoint = [&](const Checkpoint& checkpoint) {
    run.checkpoints.push_back(checkpoint);
    return true;
  };
  run.whole = simulate(model, options);
  return run;
}

TEST(Checkpoint, MethodsThatKnowTheirHistoryGoOnAsIfNothingHadBeen) {
  const CompiledModel model = everything();
  for (const char* method : {"auto", "tsit5", "dop853", "rodas5p", "radau5", "rk4", "bdf2"}) {
    const SimulateOptions options{
        .stop = 3, .tolerance = 1e-7, .intervals = 300, .method = method, .step = 0.002};
    const SimulationResult undisturbed = simulate(model, options);
    ASSERT_EQ(undisturbed.outcome, Outcome::done) << method << ": " << undisturbed.message;
    const PausedRun run = run_with_checkpoints(model, options);
    EXPECT_TRUE(run.whole.trajectory == undisturbed.trajectory) << method;
    ASSERT_GE(run.checkpoints.size(), 3u) << method;
    for (const Checkpoint& checkpoint : run.checkpoints) {
      const SimulationResult rest = go_on_from(model, options, checkpoint);
      EXPECT_TRUE(rest.trajectory == undisturbed.trajectory) << method << checkpoint.time;
      EXPECT_EQ(rest.statistics.steps, undisturbed.statistics.steps) << method;
      EXPECT_EQ(rest.n_state_events, undisturbed.n_state_events) << method;
      EXPECT_EQ(rest.switches.size(), undisturbed.switches.size()) << method;
    }
  }
}

// Each goes on from a checkpoint with the bits of the run that made it.
TEST(Checkpoint, EveryMethodOfPlainSystemsGoesOnExactly) {
  const CompiledModel model = oscillators(4);
  for (const MethodInfo* info : all_methods()) {
    const SimulateOptions options{.stop = 4,
                                  .tolerance = 1e-6,
                                  .intervals = 50,
                                  .method = std::string(info->name),
                                  .step = 0.004};
    const PausedRun run = run_with_checkpoints(model, options);
    ASSERT_EQ(run.whole.outcome, Outcome::done) << info->name << run.whole.message;
    ASSERT_GE(run.checkpoints.size(), 3u) << info->name;
    const SimulationResult rest = go_on_from(model, options, run.checkpoints.back());
    EXPECT_TRUE(rest.trajectory == run.whole.trajectory) << info->name;
  }
}

/// Two rods in a row, the masses in the equations of the one and divided out in those of the other.
CompiledModel double_pendulum() {
  Model m("DoublePendulum");
  const Expr x1 = m.unknown("x1", {.start = 1, .fixed = true}), y1 = m.unknown("y1");
  const Expr x2 = m.unknown("x2", {.start = 1, .fixed = true}), y2 = m.unknown("y2", {.start = 1});
  const Expr a = m.unknown("a"), b = m.unknown("b");
  m += 2 * der(der(x1)) == -2 * a * x1 + b * (x2 - x1);
  m += 2 * der(der(y1)) == -2 * a * y1 + b * (y2 - y1) - 2 * 9.81;
  m += der(der(x2)) == -b * (x2 - x1) / 1.5;
  m += der(der(y2)) == -b * (y2 - y1) / 1.5 - 9.81;
  m += x1 * x1 + y1 * y1 == 1;
  m += (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) == 1;
  return CompiledModel(m.flatten());
}

TEST(Checkpoint, StructurePreservingStepsGoOnAsIfNothingHadBeen) {
  const CompiledModel model = double_pendulum();
  for (const char* method : {"rattle", "rattle4", "rattle6", "rattle8", "manifold-midpoint"}) {
    const SimulateOptions options{.stop = 6, .intervals = 77, .method = method, .step = 0.004};
    const SimulationResult undisturbed = simulate(model, options);
    ASSERT_EQ(undisturbed.outcome, Outcome::done) << method << ": " << undisturbed.message;
    const PausedRun run = run_with_checkpoints(model, options);
    EXPECT_TRUE(run.whole.trajectory == undisturbed.trajectory) << method;
    ASSERT_GE(run.checkpoints.size(), 3u) << method;
    for (const Checkpoint& checkpoint : run.checkpoints)
      EXPECT_TRUE(go_on_from(model, options, checkpoint).trajectory == undisturbed.trajectory)
          << method << checkpoint.time;
  }
}

TEST(Checkpoint, MultistepMethodsStartAnewInBothRuns) {
  for (const int count : {4, 40}) {  // dense and sparse
    const CompiledModel model = oscillators(count);
    for (const char* method : {"cvode", "ida", "rodas5p", "radau5"}) {
      const SimulateOptions options{.stop = 4, .tolerance = 1e-6, .method = method};
      const PausedRun run = run_with_checkpoints(model, options);
      ASSERT_EQ(run.whole.outcome, Outcome::done) << method;
      ASSERT_GE(run.checkpoints.size(), 3u) << method;
      // The last one: later checkpoints would make the method start anew once more.
      const SimulationResult rest = go_on_from(model, options, run.checkpoints.back());
      EXPECT_TRUE(rest.trajectory == run.whole.trajectory) << method << count;
    }
  }
}

TEST(Checkpoint, ARunMayBePausedAndGoOnLater) {
  const CompiledModel model = everything();
  SimulateOptions options{.stop = 2};
  const SimulationResult undisturbed = simulate(model, options);
  Checkpoint kept;
  options.checkpoint_every = 0.7;
  options.on_checkpoint = [&](const Checkpoint& checkpoint) {
    kept = checkpoint;
    return false;
  };
  const SimulationResult paused = simulate(model, options);
  EXPECT_EQ(paused.outcome, Outcome::paused);
  EXPECT_EQ(paused.end_time, kept.time);
  EXPECT_GE(kept.time, 0.7);
  EXPECT_LT(kept.time, 0.9);

  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "alembert-checkpoint-test";
  write_checkpoint(kept, file);
  const Checkpoint read = read_checkpoint(file);
  EXPECT_EQ(read.time, kept.time);
  EXPECT_EQ(read.n_rows, kept.n_rows);
  EXPECT_TRUE(go_on_from(model, options, read).trajectory == undisturbed.trajectory);

  const std::string whole = result::read_file(file);
  constexpr std::size_t mark = 22;  // then the time, the number of rows, their checksum
  for (const std::size_t at : {mark, mark + 8, mark + 16, whole.size() / 2, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    result::write_file(file, damaged);
    EXPECT_THROW(read_checkpoint(file), Error) << at;
  }
  result::write_file(file, whole.substr(0, whole.size() / 2));
  EXPECT_THROW(read_checkpoint(file), Error);
  result::write_file(file, "something else");
  EXPECT_THROW(read_checkpoint(file), Error);
  std::filesystem::remove(file);
}

TEST(Checkpoint, BelongsToItsModelMethodAndParameters) {
  const CompiledModel model = everything();
  SimulateOptions options{.stop = 1, .checkpoint_every = 0.5};
  Checkpoint kept;
  options.on_checkpoint = [&](const Checkpoint& checkpoint) {
    kept = checkpoint;
    return false;
  };
  simulate(model, options);
  const auto message = [&](const CompiledModel& m, const SimulateOptions& o) -> std::string {
    try {
      go_on_from(m, o, kept);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message(oscillators(2), options).find("another model"), std::string::npos);
  options.parameters["g"] = 1;
  EXPECT_NE(message(model, options).find("g = 9.81"), std::string::npos);
  options.parameters.clear();
  options.method = "tsit5";
  EXPECT_NE(message(model, options).find("'auto'"), std::string::npos);
}

TEST(Checkpoint, GoesOnWithTheOptionsThatStepsDependOn) {
  const CompiledModel model = everything();
  const auto message = [&](SimulateOptions options, auto change) -> std::string {
    options.checkpoint_every = 0.5;
    Checkpoint kept;
    options.on_checkpoint = [&](const Checkpoint& checkpoint) {
      kept = checkpoint;
      return false;
    };
    simulate(model, options);
    change(options);
    try {
      go_on_from(model, options, kept);
    } catch (const Error& error) {
      return error.diagnostics().front().text;
    }
    return "goes on";
  };
  const auto said = [](const std::string& what, const std::string& then, const std::string& now) {
    return "the checkpoint was made with " + what + " " + then + " and cannot go on with " + now +
           ".";
  };
  EXPECT_EQ(message({}, [](auto& o) { o.tolerance = 1e-8; }),
            said("the tolerance", "1e-06", "1e-08"));
  EXPECT_EQ(message({}, [](auto& o) { o.chattering = Chattering::slide; }),
            said("chattering", "'stop'", "'slide'"));
  EXPECT_EQ(message({.method = "rk4", .step = 0.002}, [](auto& o) { o.step = 0.004; }),
            said("the step", "0.002", "0.004"));
  EXPECT_EQ(
      message({.method = "rk4"}, [](auto& o) { o.stop = 2; }),
      said("the step", "0.002", "0.004") + " Give the step, which is an output interval else.");
  const SimulateOptions damped{.formulation = Formulation::baumgarte};
  EXPECT_EQ(message(damped, [](auto& o) { o.baumgarte_omega = 7; }),
            said("Baumgarte's omega", "chosen by the run", "7"));
  EXPECT_EQ(message(damped, [](auto& o) { o.baumgarte_zeta = 2; }),
            said("Baumgarte's zeta", "1", "2"));
  // What steps do not depend on.
  EXPECT_EQ(message({}, [](auto& o) { o.stop = 2, o.intervals = 30, o.step = 0.1; }), "goes on");
  EXPECT_EQ(message({}, [](auto& o) { o.baumgarte_zeta = 2; }), "goes on");
}

TEST(Checkpoint, OfAnotherModelIsRefusedBeforeTheFirstRow) {
  Checkpoint kept;
  SimulateOptions options{.stop = 1, .checkpoint_every = 0.5};
  options.on_checkpoint = [&](const Checkpoint& checkpoint) {
    kept = checkpoint;
    return false;
  };
  simulate(oscillators(2), options);
  struct Untouched final : result::RowSink {
    void begin(const result::Columns&) override { touched = true; }
    void append(double, std::span<const double>) override {}
    void commit() override {}
    bool touched = false;
  } rows;
  options.rows = &rows;
  EXPECT_THROW(go_on_from(oscillators(3), options, kept), Error);
  EXPECT_FALSE(rows.touched);
}

TEST(Interrupt, EndsARunWithAllThatWasComputed) {
  const CompiledModel model = oscillators(3);
  std::atomic<bool> interrupt = false;
  struct Rows final : result::RowSink {
    explicit Rows(std::atomic<bool>& flag) : interrupt(flag) {}
    void begin(const result::Columns& columns) override { names = columns.names; }
    void append(double time, std::span<const double>) override {
      times.push_back(time);
      if (time > 5) interrupt = true;
    }
    void commit() override {}
    std::atomic<bool>& interrupt;
    std::vector<std::string> names;
    std::vector<double> times;
  } rows(interrupt);
  const SimulationResult run =
      simulate(model, {.stop = 1000, .intervals = 10000, .rows = &rows, .interrupt = &interrupt});
  EXPECT_EQ(run.outcome, Outcome::interrupted);
  EXPECT_EQ(run.trajectory.n_rows(), 0u);
  EXPECT_EQ(rows.names, model.variable_names());
  EXPECT_GT(run.end_time, 5);
  EXPECT_LT(run.end_time, 50);
  // Every time of output up to the end is there, and the end itself.
  EXPECT_EQ(rows.times.back(), run.end_time);
  EXPECT_EQ(rows.times.size(), static_cast<std::size_t>(run.end_time / 0.1) + 2);
}

TEST(SaveAt, GivesTheTimesAskedFor) {
  const CompiledModel model = oscillators(1);
  const SimulationResult run = simulate(model, {.stop = 2, .save_at = {0.1, 0.25, 1.7}});
  EXPECT_EQ(run.trajectory.times(), (std::vector<double>{0.1, 0.25, 1.7}));
  EXPECT_EQ(simulate(model, {.stop = 2, .save_at = {0, 2}}).trajectory.times(),
            (std::vector<double>{0, 2}));
  EXPECT_THROW(simulate(model, {.stop = 2, .save_at = {1, 0.5}}), Error);
}

}  // namespace
}  // namespace alembert::integrate
