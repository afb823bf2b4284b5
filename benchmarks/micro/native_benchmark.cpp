// SPDX-License-Identifier: Apache-2.0
// How fast native kernels are made, and how fast they run beside the same formulas compiled by the
// system's C++ compiler and beside the interpreter. A plain program: prints tables with ratios
// taken in one run, the measured things alternating, best of many, because the machine may be
// shared. Arguments: "long" gives the C++ compiler large tapes too, which takes minutes; "large"
// runs large tapes beside C only.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "alembert/compile/c_source.hpp"
#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/native/native.hpp"
#include "native_peer.hpp"
#include "native_tapes.hpp"

namespace alembert::benchmarks {
namespace {

using compile::AlignedDoubles;
using compile::Kernel;
namespace interpret = compile::interpret;
namespace native = compile::native;

/// Wall time: a busy machine can only add to it, so the least of many is sound. Processor time is
/// not: on virtual machines it sometimes counts too little, and the least of many would find just
/// that.
double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Best seconds of each action; they take turns, so that all meet the same disturbances.
std::vector<double> measure(const std::vector<std::function<void()>>& actions,
                            double budget = 0.4) {
  std::vector<double> best(actions.size(), 1e30);
  std::vector<int> repeats(actions.size(), 1);
  for (std::size_t k = 0; k < actions.size(); ++k) {
    const double start = now();
    actions[k]();
    const double once = std::max(now() - start, 1e-9);
    repeats[k] = std::clamp(static_cast<int>(2e-4 / once), 1, 100000);
  }
  const double end = now() + budget * static_cast<double>(actions.size());
  for (int round = 0; round < 5 || now() < end; ++round) {
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const double start = now();
      for (int i = 0; i < repeats[k]; ++i) actions[k]();
      best[k] = std::min(best[k], (now() - start) / repeats[k]);
    }
    if (round >= 5 && now() >= end) break;
  }
  return best;
}

/// Buffers for one kernel shape and a number of groups.
struct Arena {
  Arena(const Tape& tape, std::uint32_t lanes, std::size_t groups, std::size_t workspace_size)
      : inputs(tape.n_inputs * lanes * groups),
        parameters(tape.n_parameters),
        outputs(tape.outputs.size() * lanes * groups),
        peer_outputs(tape.outputs.size() * lanes * groups),
        workspace(workspace_size),
        n_groups(groups) {
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = 0.3 + 0.4 * std::sin(1.0 * i);
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] = 0.05 + 0.1 * i;
  }
  bool agree() const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool both_nan = std::isnan(outputs[i]) && std::isnan(peer_outputs[i]);
      if (outputs[i] != peer_outputs[i] && !both_nan) return false;
    }
    return true;
  }

  AlignedDoubles inputs, parameters, outputs, peer_outputs, workspace;
  std::size_t n_groups;
};

struct Case {
  const char* name;
  Tape tape;
  std::size_t n_groups;
  bool elementary = false;
};

constexpr const char* scalar_flags = "-O2 -mavx2 -mfma";
constexpr const char* lane_flags = "-O3 -march=native";

void run_case(const Case& job, std::uint32_t lanes) {
  const Kernel kernel = native::make_kernel(job.tape, {.lanes = lanes});
  const Peer peer = Peer::from_cpp(peer_source(job.tape, lanes, Library::sleef),
                                   lanes == 1 ? scalar_flags : lane_flags);
  if (!kernel || !peer) {
    std::printf("%-26s %5u  not available\n", job.name, lanes);
    return;
  }
  Arena arena(job.tape, lanes, job.n_groups, kernel.shape().workspace_size);
  std::vector<std::function<void()>> actions = {
      [&] {
        kernel(arena.inputs.data(), arena.parameters.data(), arena.outputs.data(),
               arena.workspace.data(), arena.n_groups);
      },
      [&] {
        peer.function()(arena.inputs.data(), arena.parameters.data(), arena.peer_outputs.data(),
                        arena.n_groups);
      }};
  std::optional<Peer> libm;
  AlignedDoubles libm_outputs(arena.outputs.size());
  if (job.elementary) {
    libm.emplace(Peer::from_cpp(peer_source(job.tape, lanes, Library::libm),
                                lanes == 1 ? scalar_flags : lane_flags));
    actions.push_back([&] {
      libm->function()(arena.inputs.data(), arena.parameters.data(), libm_outputs.data(),
                       arena.n_groups);
    });
  }
  const std::vector<double> seconds = measure(actions);
  const double n_operations = static_cast<double>(compile::operation_count(job.tape));
  const double scale = 1e9 / (n_operations * lanes * static_cast<double>(job.n_groups));
  std::printf("%-26s %5u %8.0f %7zu %11.4f %11.4f %7.2f  %s", job.name, lanes, n_operations,
              job.n_groups, seconds[0] * scale, seconds[1] * scale, seconds[0] / seconds[1],
              arena.agree() ? "same bits" : "DIFFERENT");
  if (job.elementary) std::printf(", libm %.2f", seconds[0] / seconds[2]);
  std::printf("\n");
  std::fflush(stdout);
}

void running(bool thorough) {
  std::printf("\nRunning, ns an operation and lane: native / g++ (scalar %s, lanes %s)\n",
              scalar_flags, lane_flags);
  std::printf("%-26s %5s %8s %7s %11s %11s %7s\n", "tape", "lanes", "ops", "groups", "native",
              "g++", "ratio");
  std::vector<Case> cases;
  cases.push_back({"double pendulum, 1 step", double_pendulum(1), 250});
  cases.push_back({"double pendulum, 3 steps", double_pendulum(3), 250});
  cases.push_back({"spring chain 8", spring_chain(8), 64});
  cases.push_back({"scattered 200", scattered(200, 12), 64});
  cases.push_back({"spring chain 500", spring_chain(500), 1});
  cases.push_back({"scattered 1e4, near", scattered(10000, 12), 1});
  cases.push_back({"scattered 1e4, far", scattered(10000, 100), 1});
  cases.push_back({"pendulum chain 10", pendulum_chain(10), 64, true});
  cases.push_back({"pendulum chain 1000", pendulum_chain(1000), 1, true});
  if (thorough) {
    cases.push_back({"spring chain 5000", spring_chain(5000), 1});
    cases.push_back({"scattered 1e5, near", scattered(100000, 12), 1});
    cases.push_back({"scattered 1e5, far", scattered(100000, 100), 1});
  }
  for (const Case& job : cases)
    for (const std::uint32_t lanes : {1u, 4u}) run_case(job, lanes);
}

/// Optimising compilers take a function of 1e5 operations in minutes, if at all; the C source of a
/// tape is cut into short ones, which they take in linear time.
void running_large() {
  std::printf("\nRunning large tapes, ns an operation: native / cc -O1 on the tape's C source\n");
  std::printf("%-26s %8s %11s %11s %7s %12s\n", "tape", "ops", "native", "cc -O1", "ratio",
              "cc took, s");
  const Case cases[] = {{"spring chain 5000", spring_chain(5000), 1},
                        {"scattered 1e5, near", scattered(100000, 12), 1},
                        {"scattered 1e5, far", scattered(100000, 100), 1}};
  for (const Case& job : cases) {
    const double n_operations = static_cast<double>(compile::operation_count(job.tape));
    const Kernel kernel = native::make_kernel(job.tape, {.lanes = 1});
    const Peer peer = Peer::from_c(compile::to_c_source(job.tape, "peer"), "-O1 -mavx2 -mfma");
    std::printf("%-26s %8.0f", job.name, n_operations);
    if (!kernel || !peer) {
      std::printf("  %s\n", peer.timed_out() ? "cc was stopped at its limit" : "not available");
      continue;
    }
    Arena arena(job.tape, 1, 1, kernel.shape().workspace_size);
    const std::vector<double> seconds =
        measure({[&] {
                   kernel(arena.inputs.data(), arena.parameters.data(), arena.outputs.data(),
                          arena.workspace.data(), 1);
                 },
                 [&] {
                   peer.c_function()(arena.inputs.data(), arena.parameters.data(),
                                     arena.peer_outputs.data());
                 }});
    std::printf(" %11.4f %11.4f %7.2f %12.1f  %s\n", seconds[0] * 1e9 / n_operations,
                seconds[1] * 1e9 / n_operations, seconds[0] / seconds[1], peer.seconds_to_compile(),
                arena.agree() ? "same bits" : "DIFFERENT");
    std::fflush(stdout);
  }
}

void compiling() {
  std::printf(
      "\nCompiling, ns an operation: native on one thread; cc -O1 on the same tape as C, stopped "
      "after %d s\n",
      longest_compilation);
  std::printf("%-26s %9s %10s %10s %12s\n", "tape", "ops", "scalar", "4 lanes", "cc -O1");
  for (const std::uint32_t n : {1000u, 10000u, 100000u, 1000000u}) {
    for (const bool far : {false, true}) {
      const Tape tape = far ? scattered(n, 100) : spring_chain(n / 21);
      const auto make = [&](std::uint32_t lanes, std::uint32_t threads) {
        return [&tape, lanes, threads] {
          native::make_kernel(tape, {.lanes = lanes, .threads = threads});
        };
      };
      const std::vector<double> seconds = measure({make(1, 1), make(4, 1)});
      const double n_operations = static_cast<double>(compile::operation_count(tape));
      std::printf("%-26s %9.0f", far ? "scattered, far" : "spring chain", n_operations);
      for (const double s : seconds) std::printf(" %10.1f", s * 1e9 / n_operations);
      if (n <= 100000u) {
        const Peer peer = Peer::from_c(compile::to_c_source(tape, "peer"), "-O1");
        std::printf(" %s%11.0f", peer.timed_out() ? ">" : " ",
                    peer.seconds_to_compile() * 1e9 / n_operations);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
  }
}

void interpreting() {
  std::printf("\nInterpreter, ns an operation and lane, and its ratio to native code\n");
  std::printf("%-26s %8s %12s %12s %9s %9s\n", "tape", "ops", "scalar", "64 lanes", "/ scalar",
              "/ 4 lanes");
  const Case cases[] = {{"double pendulum, 1 step", double_pendulum(1), 1},
                        {"spring chain 500", spring_chain(500), 1},
                        {"scattered 1e5, far", scattered(100000, 100), 1}};
  for (const Case& job : cases) {
    const Kernel kernels[] = {interpret::make_kernel(job.tape, {.lanes = 1}),
                              interpret::make_kernel(job.tape, {.lanes = 64}),
                              native::make_kernel(job.tape, {.lanes = 1}),
                              native::make_kernel(job.tape, {.lanes = 4})};
    const std::size_t groups[] = {1, 1, 1, 16};
    std::vector<std::unique_ptr<Arena>> arenas;
    std::vector<std::function<void()>> actions;
    for (std::size_t k = 0; k < std::size(kernels); ++k) {
      if (!kernels[k]) return;
      arenas.push_back(std::make_unique<Arena>(job.tape, kernels[k].shape().lanes, groups[k],
                                               kernels[k].shape().workspace_size));
      actions.push_back([&kernel = kernels[k], &arena = *arenas[k]] {
        kernel(arena.inputs.data(), arena.parameters.data(), arena.outputs.data(),
               arena.workspace.data(), arena.n_groups);
      });
    }
    const std::vector<double> seconds = measure(actions);
    const double n_operations = static_cast<double>(compile::operation_count(job.tape));
    const double scale = 1e9 / n_operations;
    std::printf("%-26s %8.0f %12.3f %12.3f %9.1f %9.1f\n", job.name, n_operations,
                seconds[0] * scale, seconds[1] * scale / 64, seconds[0] / seconds[2],
                seconds[1] / seconds[3]);
  }
}

}  // namespace
}  // namespace alembert::benchmarks

int main(int argc, char** argv) {
  const auto asked = [&](const char* word) { return argc > 1 && std::strcmp(argv[1], word) == 0; };
  if (!alembert::compile::native::available()) {
    std::printf("Native code is not available on this machine.\n");
    return 0;
  }
  if (!asked("large")) alembert::benchmarks::running(asked("long"));
  alembert::benchmarks::running_large();
  if (asked("large")) return 0;
  alembert::benchmarks::compiling();
  alembert::benchmarks::interpreting();
  return 0;
}
