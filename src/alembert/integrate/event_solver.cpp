// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/event_solver.hpp"

#include <algorithm>

#include "alembert/integrate/variant_jump.hpp"

namespace alembert::integrate {

namespace {

/// In the search for modes most choices have no values; the ladder is too long for all of them.
constexpr int most_failures = 40;

}  // namespace

bool EventSolver::solve() {
  const auto own_chart = [&] {
    return point_.model().mode_chart(point_.time(), point_.variables().data(),
                                     point_.constants().data());
  };
  if (jumped_into_ != nullptr) {
    const compile::CompiledChart* const own = own_chart();
    if (!jump_holds_ || own == nullptr || own->variant != jumped_into_)
      std::copy(before_jump_.begin(), before_jump_.end(), point_.variables().begin());
  }
  if (point_.chart().variant != nullptr) point_.use(point_.model().static_chart());
  if (point_.complete() || solve_by_variant()) return true;
  if (n_failures_ < most_failures && climb() && point_.complete()) return true;
  ++n_failures_;
  return false;
}

/// In a structure that holds with these modes alone.
bool EventSolver::solve_by_variant() {
  const compile::CompiledChart& general = point_.chart();
  if (general.differentiated || !general.derivatives) return false;
  const std::vector<double> before(point_.variables().begin(), point_.variables().end());
  const compile::CompiledChart* const own = point_.model().mode_chart(
      point_.time(), point_.variables().data(), point_.constants().data());
  if (own == nullptr) return false;
  bool jumped = false;
  const bool entered = enter_variant(point_, *own, span_, jumped);
  if (jumped) {
    if (jumped_into_ == nullptr) before_jump_ = before;
    jumped_into_ = own->variant;
    jump_holds_ = entered;
  }
  if (entered) return true;
  if (!jumped) {
    std::copy(before.begin(), before.end(), point_.variables().begin());
    point_.use(general);
  }
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
