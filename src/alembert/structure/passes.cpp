// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/passes.hpp"

#include <chrono>

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

}  // namespace

std::span<const Pass> structural_passes() { return all_passes; }

StructuralPhase run_passes(const flat::FlatSystem& given) {
  StructuralPhase phase;
  phase.given = &given;
  for (const Pass& pass : all_passes) {
    const auto start = std::chrono::steady_clock::now();
    pass.run(phase);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    phase.times.push_back({pass.name, taken.count()});
  }
  return phase;
}

}  // namespace alembert::structure
