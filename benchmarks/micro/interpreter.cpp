// SPDX-License-Identifier: Apache-2.0
// The interpreter: nanoseconds an operation, and an operation and lane; decoding; elementary
// functions. Compare lines of one run with each other, not with another machine's.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "alembert/compile/elementary.hpp"
#include "alembert/compile/interpret/interpreter.hpp"
#include "alembert/compile/tape.hpp"

namespace {

using namespace alembert::compile;

// Deterministic numbers without a library.
struct Sequence {
  std::uint64_t state = 1;
  std::uint32_t below(std::size_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % n);
  }
};

// Multiplications, additions and their fusions in random order: the worst case for predicting
// jumps.
Tape arithmetic_tape(std::size_t n) {
  constexpr TapeOp ops[] = {TapeOp::add, TapeOp::sub,  TapeOp::mul, TapeOp::fma,
                            TapeOp::fms, TapeOp::fnma, TapeOp::mul};
  Sequence sequence;
  TapeBuilder builder(20, 10);
  std::vector<ValueId> values;
  for (std::uint32_t k = 0; k < 20; ++k) values.push_back(builder.input(k));
  for (std::uint32_t k = 0; k < 10; ++k) values.push_back(builder.parameter(k));
  for (int k = 0; k < 8; ++k) values.push_back(builder.constant(0.1 * k + 0.3));
  const auto pick = [&] {
    const std::size_t recent = std::min<std::size_t>(values.size(), 40);
    return values[values.size() - 1 - sequence.below(recent)];
  };
  ValueId sum = values[0];
  for (std::size_t k = 0; k < n; k += 2) {
    const ValueId a = pick(), b = pick(), c = pick();
    values.push_back(builder.apply(ops[sequence.below(std::size(ops))], a, b, c));
    sum = builder.apply(TapeOp::add, sum, values.back());
  }
  builder.output(sum);
  return std::move(builder).finish();
}

void run_kernel(benchmark::State& state, std::uint32_t lanes) {
  const Tape tape = arithmetic_tape(static_cast<std::size_t>(state.range(0)));
  const Kernel kernel = interpret::make_kernel(tape, {.lanes = lanes});
  AlignedDoubles workspace(kernel.shape().workspace_size);
  std::vector<double> inputs(20 * lanes, 0.01), parameters(10, 0.25), outputs(lanes);
  for (auto _ : state) {
    kernel(inputs.data(), parameters.data(), outputs.data(), workspace.data());
    benchmark::DoNotOptimize(outputs.data());
  }
  const double n = static_cast<double>(operation_count(tape)) * lanes;
  state.counters["per_op_and_lane"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void interpret_scalar(benchmark::State& state) { run_kernel(state, 1); }
void interpret_8_lanes(benchmark::State& state) { run_kernel(state, 8); }
void interpret_64_lanes(benchmark::State& state) { run_kernel(state, 64); }

void decode(benchmark::State& state) {
  const Tape tape = arithmetic_tape(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(interpret::make_kernel(tape));
  state.counters["per_op"] = benchmark::Counter(
      static_cast<double>(operation_count(tape)),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void build(benchmark::State& state) {
  std::size_t n = 0;
  for (auto _ : state)
    n = operation_count(arithmetic_tape(static_cast<std::size_t>(state.range(0))));
  state.counters["per_op"] =
      benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsIterationInvariantRate |
                                                     benchmark::Counter::kInvert);
}

// One function on 64 values, as scalar calls or in lanes.
void elementary(benchmark::State& state, TapeOp op, std::uint32_t lanes) {
  TapeBuilder builder(2, 0);
  const ValueId a = builder.input(0), b = builder.input(1);
  builder.output(builder.apply(op, a, b));
  const Kernel kernel = interpret::make_kernel(std::move(builder).finish(), {.lanes = lanes});
  AlignedDoubles workspace(kernel.shape().workspace_size);
  std::vector<double> inputs(2 * 64), outputs(64);
  Sequence sequence;
  for (double& x : inputs) x = 0.05 + 0.9 * sequence.below(1000) / 1000.0;
  for (auto _ : state) {
    kernel(inputs.data(), nullptr, outputs.data(), workspace.data(), 64 / lanes);
    benchmark::DoNotOptimize(outputs.data());
  }
  state.counters["per_value"] = benchmark::Counter(
      64, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(interpret_scalar)->RangeMultiplier(10)->Range(100, 100'000);
BENCHMARK(interpret_8_lanes)->RangeMultiplier(10)->Range(100, 100'000);
BENCHMARK(interpret_64_lanes)->RangeMultiplier(10)->Range(100, 100'000);
BENCHMARK(decode)->Arg(1'000)->Arg(100'000);
BENCHMARK(build)->Arg(1'000)->Arg(100'000);
BENCHMARK_CAPTURE(elementary, sin, TapeOp::sin, 1);
BENCHMARK_CAPTURE(elementary, sin_64_lanes, TapeOp::sin, 64);
BENCHMARK_CAPTURE(elementary, exp, TapeOp::exp, 1);
BENCHMARK_CAPTURE(elementary, exp_64_lanes, TapeOp::exp, 64);
BENCHMARK_CAPTURE(elementary, pow, TapeOp::pow, 1);
BENCHMARK_CAPTURE(elementary, pow_64_lanes, TapeOp::pow, 64);

}  // namespace
