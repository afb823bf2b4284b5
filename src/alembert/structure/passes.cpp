// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/passes.hpp"

#include <ctime>

#include "alembert/structure/plan.hpp"

namespace alembert::structure {

namespace {

constexpr Pass all_passes[] = {
    {"aliases", [](StructuralPhase& p) { p.simplified = simplify_system(*p.given); }},
    {"incidence",
     [](StructuralPhase& p) {
       p.structure = extract_structure(p.simplified.flat, p.simplified.residuals);
     }},
    {"differentiations",
     [](StructuralPhase& p) {
       p.plan = plan_without_redundancy(*p.given, p.simplified, std::move(p.structure), p.dropped);
     }},
    {"hidden singularities",
     [](StructuralPhase& p) {
       p.repairs = resolve_hidden_singularities(*p.given, p.simplified, p.plan);
     }},
    {"derivatives",
     [](StructuralPhase& p) {
       p.differentiated = differentiate(p.simplified.flat, p.plan, p.simplified.residuals);
     }},
    {"states", [](StructuralPhase& p) { p.chart = static_chart(p.simplified.flat, p.plan); }},
    {"blocks",
     [](StructuralPhase& p) {
       p.reduced = apply_plan(p.simplified.flat, p.plan, p.differentiated, p.chart);
     }},
};

/// Processor time of this thread: what else the machine does is no property of a pass.
double milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

std::span<const Pass> structural_passes() { return all_passes; }

StructuralPhase run_passes(const flat::FlatSystem& given) {
  StructuralPhase phase;
  phase.given = &given;
  for (const Pass& pass : all_passes) {
    const double start = milliseconds();
    pass.run(phase);
    phase.times.push_back({pass.name, milliseconds() - start});
  }
  return phase;
}

}  // namespace alembert::structure
