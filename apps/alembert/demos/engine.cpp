// SPDX-License-Identifier: Apache-2.0
// What happens under a model: an expression, its derivative, the tape, and the same tape run four
// ways.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "alembert/alembert.hpp"
#include "alembert/compile/c_source.hpp"
#include "alembert/compile/elementary.hpp"
#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/lower.hpp"
#include "alembert/compile/native/native.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/parse.hpp"
#include "demos/demos.hpp"

namespace alembert {

namespace {

/// Nanoseconds that one system takes, measured over about 50 ms.
double time_kernel(const compile::Kernel& kernel, std::size_t n_groups) {
  const auto& shape = kernel.shape();
  compile::AlignedDoubles inputs(shape.n_inputs * shape.lanes * n_groups);
  compile::AlignedDoubles outputs(shape.n_outputs * shape.lanes * n_groups);
  compile::AlignedDoubles workspace(shape.workspace_size);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    inputs[i] = 0.1 + 1e-3 * static_cast<double>(i % 97);
  const double parameters[] = {9.81};
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::size_t runs = 0;
  std::chrono::duration<double, std::nano> spent{};
  do {
    for (int k = 0; k < 16; ++k, ++runs)
      kernel(inputs.data(), parameters, outputs.data(), workspace.data(), n_groups);
    spent = Clock::now() - start;
  } while (spent.count() < 5e7);
  return spent.count() / static_cast<double>(runs * n_groups * shape.lanes);
}

}  // namespace

int demo_engine(const std::filesystem::path& folder) {
  using namespace symbolic;
  ExprPool pool;
  const Expr theta = unknown(pool, "theta");
  const Expr omega = unknown(pool, "omega");
  const Expr g = parameter(pool, "g");
  const Expr energy = omega * omega / 2 - g * cos(theta) * (1 + theta * theta / 10);
  const Expr slope = differentiate(energy, theta);
  std::printf("an expression        %s\n", to_text(energy).c_str());
  std::printf("d/d theta            %s\n", to_text(slope).c_str());
  std::printf("in LaTeX             %s\n", to_text(slope, Notation::latex).c_str());
  std::printf("along a motion       %s\n", to_text(der(energy)).c_str());
  std::printf("reads back           %s\n\n",
              same(parse(pool, to_text(slope)), slope) ? "to the same expression" : "DIFFERENTLY");

  const ExprId inputs[] = {theta.id(), omega.id()};
  const ExprId parameters[] = {g.id()};
  const ExprId outputs[] = {energy.id(), slope.id()};
  const compile::Tape tape = compile::lower(pool, inputs, parameters, outputs);
  const std::string listing = compile::to_text(tape);
  const std::size_t n_operations = compile::operation_count(tape);
  const auto n_lines = static_cast<std::size_t>(std::count(listing.begin(), listing.end(), '\n'));
  std::printf("the tape, %zu operations, %zu inputs and constants:\n%s\n", n_operations,
              n_lines - n_operations - std::size(outputs), listing.c_str());

  std::printf("one evaluation, on this machine:\n");
  const auto report = [](const char* name, double ns) {
    std::printf("  %-28s %8.2f ns\n", name, ns);
  };
  report("interpreter", time_kernel(compile::interpret::make_kernel(tape), 1));
  report("interpreter, 64 lanes",
         time_kernel(compile::interpret::make_kernel(tape, {.lanes = 64}), 1));
  if (compile::native::available()) {
    const auto lanes = static_cast<std::uint32_t>(compile::host_lanes());
    report("machine code", time_kernel(compile::native::make_kernel(tape), 1));
    report(("machine code, " + std::to_string(lanes) + " lanes").c_str(),
           time_kernel(compile::native::make_kernel(tape, {.lanes = lanes}), 16));
  } else {
    std::printf("  (no machine code on this host: the interpreter serves)\n");
  }
  const auto path = folder / "energy.c";
  result::write_file(path, compile::to_c_source(tape, "energy"));
  std::printf("\nwrote %s: the same tape as C\n", path.c_str());
  return 0;
}

}  // namespace alembert
