// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/event_solver.hpp"

namespace alembert::integrate {

namespace {

/// In the search for modes most choices have no values; the ladder is too long for all of them.
constexpr int most_failures = 40;

}  // namespace

bool EventSolver::solve() {
  if (point_.complete()) return true;
  if (n_failures_ < most_failures && climb() && point_.complete()) return true;
  ++n_failures_;
  return false;
}

bool EventSolver::climb() {
  const compile::CompiledChart& chart = point_.chart();
  if (chart.differentiated || !chart.derivatives || chart.reduced.blocks.empty()) return false;
  if (chart_ != &chart) {
    chart_ = &chart;
    given_.values.assign(point_.variables().begin(), point_.variables().end());
    given_.fixed.assign(point_.model().n_variables(), 0);
    for (const std::uint32_t state : chart.states) given_.fixed[state] = 1;
    ladder_.emplace(point_, point_.model().event_system(chart), given_);
  }
  const bool solved = ladder_->solve();
  failure_ = ladder_->failure();
  return solved;
}

}  // namespace alembert::integrate
