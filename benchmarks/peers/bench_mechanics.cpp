// SPDX-License-Identifier: Apache-2.0
// Processor seconds that derivations of equations of motion take, kinematics included, as JSON for
// mechanics_sympy.py; the best of several, and operations of the n-link pendulum.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "alembert/symbolic/evaluate.hpp"
#include "frontend/mechanics/link_pendulum.hpp"
#include "mechanisms/bicycle.hpp"
#include "mechanisms/snakeboard.hpp"

using namespace alembert::mechanics;

namespace {

/// Of the processor, as for SymPy: a busy machine does not count.
template <class Job>
double best_seconds(int repetitions, Job job) {
  double best = 1e300;
  for (int k = 0; k < repetitions; ++k) {
    const std::clock_t before = std::clock();
    job();
    best = std::min(best, static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  }
  return best;
}

std::size_t operations(int n) {
  LinkPendulum pendulum(n);
  const KaneEquations equations = derive_kane(pendulum.model, pendulum.system);
  std::vector<alembert::symbolic::ExprId> ids;
  for (const Expr& force : equations.forces) ids.push_back(force.id());
  return alembert::symbolic::operation_count(pendulum.model.pool(), ids);
}

}  // namespace

int main() {
  std::printf("{\n  \"snakeboard\": %.9f,\n", best_seconds(20, [] {
                Snakeboard board;
                KaneSystem system = board.system();
                system.dependent = {board.u[0], board.u[1]};
                kane_matrices(derive_kane(board.model, system));
              }));
  std::printf("  \"bicycle\": %.9f", best_seconds(10, [] {
                Bicycle bicycle;
                derive_kane(bicycle.model, bicycle.system);
              }));
  for (const int n : {5, 10, 20, 50, 100}) {
    std::printf(",\n  \"pendulum %d\": %.9f", n, best_seconds(10, [n] {
                  LinkPendulum pendulum(n);
                  derive_kane(pendulum.model, pendulum.system);
                }));
    std::fprintf(stderr, "pendulum %d: %zu operations\n", n, operations(n));
  }
  std::printf("\n}\n");
  return 0;
}
