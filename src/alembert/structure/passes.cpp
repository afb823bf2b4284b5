// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/passes.hpp"

#include <ctime>

#include "alembert/flat/parameters.hpp"
#include "alembert/structure/asked_derivatives.hpp"
#include "alembert/structure/narrow_choices.hpp"
#include "alembert/structure/plan.hpp"
#include "alembert/structure/preferred_states.hpp"

namespace alembert::structure {

namespace {

struct Pass {
  const char* name;
  void (*run)(StructuralPhase&);
  bool is_of_chart = false;  // decided anew for every choice of states
};

constexpr Pass all_passes[] = {
    {"aliases", [](StructuralPhase& p) { p.simplified = simplify_system(*p.given); }},
    {"initial derivatives",
     [](StructuralPhase& p) {
       if (p.extensible != nullptr && add_initial_derivatives(*p.extensible, p.simplified.flat))
         p.simplified = simplify_system(*p.given);
     }},
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
       if (p.extensible != nullptr)
         for (const StructureRepair& repair : p.repairs)
           flat::mark_structural(*p.extensible, repair.by_values);
     }},
    {"preferred states",
     [](StructuralPhase& p) { admit_preferred_states(*p.given, p.modes, p.simplified, p.plan); }},
    {"derivatives",
     [](StructuralPhase& p) {
       p.differentiated = differentiate(p.simplified.flat, p.plan, p.simplified.residuals);
       narrow_choices(p.simplified.flat, p.plan, p.differentiated.selection_jacobian);
       settle_choices(p.simplified.flat, p.differentiated.selection_jacobian, p.plan);
     }},
    {"states", [](StructuralPhase& p) { p.chart = static_chart(p.simplified.flat, p.plan); },
     /*is_of_chart=*/true},
    {"blocks",
     [](StructuralPhase& p) {
       p.reduced = apply_plan(p.simplified.flat, p.plan, p.differentiated, p.chart);
     },
     /*is_of_chart=*/true},
};

/// Processor time of this thread: what else the machine does is no property of a pass.
double milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

void run(const Pass& pass, StructuralPhase& phase) {
  const double start = milliseconds();
  pass.run(phase);
  phase.times.push_back({pass.name, milliseconds() - start});
}

}  // namespace

StructuralPhase run_passes(const flat::FlatSystem& given) {
  StructuralPhase phase;
  phase.given = &given;
  for (const Pass& pass : all_passes) run(pass, phase);
  return phase;
}

StructuralPhase run_shared_passes(HybridSystem& given) {
  StructuralPhase phase;
  phase.given = phase.extensible = &given.flat;
  phase.modes = given.modes;
  for (const Pass& pass : all_passes)
    if (!pass.is_of_chart) run(pass, phase);
  return phase;
}

}  // namespace alembert::structure
