// SPDX-License-Identifier: Apache-2.0
// Structural passes on random solvable systems with four entries a row, at n, 10 n and 100 n. Each
// must stay near-linear: the time an equation grows with the caches it outgrows, not with n.
#include <benchmark/benchmark.h>

#include <random>
#include <utility>
#include <vector>

#include "alembert/graph/column_colouring.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"

namespace alembert::graph {
namespace {

BipartiteGraph solvable_system(Index n) {
  std::mt19937 random(7);
  std::vector<Index> hidden(n);
  for (Index i = 0; i < n; ++i) hidden[i] = i;
  for (Index i = n; i-- > 1;) std::swap(hidden[i], hidden[random() % (i + 1)]);
  IndexLists rows;
  for (Index e = 0; e < n; ++e) {
    rows.items.push_back(hidden[e]);
    for (int k = 0; k < 3; ++k) rows.items.push_back(random() % n);
    rows.end_list();
  }
  return BipartiteGraph(n, std::move(rows));
}

void report(benchmark::State& state) {
  const double n = static_cast<double>(state.range(0)) * static_cast<double>(state.iterations());
  state.counters["s/equation"] =
      benchmark::Counter(n, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void matching(benchmark::State& state) {
  const BipartiteGraph graph = solvable_system(static_cast<Index>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(maximum_matching(graph).size);
  report(state);
}

void blocks(benchmark::State& state) {
  const BipartiteGraph graph = solvable_system(static_cast<Index>(state.range(0)));
  const Matching matching = maximum_matching(graph);
  for (auto _ : state) benchmark::DoNotOptimize(strong_components(graph, matching).size());
  report(state);
}

void colouring(benchmark::State& state) {
  const BipartiteGraph graph = solvable_system(static_cast<Index>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(column_colouring(graph).n_colours);
  report(state);
}

BENCHMARK(matching)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(blocks)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(colouring)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace alembert::graph
