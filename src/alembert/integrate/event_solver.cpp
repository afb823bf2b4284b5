// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/event_solver.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/compile/model/mode_variant.hpp"
#include "alembert/integrate/variant_jump.hpp"

namespace alembert::integrate {

namespace {

/// In the search for modes most choices have no values; the ladder is too long for all of them.
constexpr int most_failures = 40;
/// To hold unknowns, each with the values that the one before has found.
constexpr int most_attempts = 4;

}  // namespace

void EventSolver::begin() {
  n_failures_ = 0;
  jumped_into_ = nullptr;
  const compile::ModeVariant* const variant = point_.chart().variant;
  may_hold_ = variant != nullptr && !variant->held.empty();
}

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
  if (point_.complete() || solve_by_variant() || solve_by_holding()) return true;
  if (!may_hold_ && n_failures_ < most_failures && climb() && point_.complete()) return true;
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

/// With values kept that nothing determines.
bool EventSolver::solve_by_holding() {
  const compile::CompiledChart& general = point_.chart();
  if (general.differentiated || !general.derivatives) return false;
  const std::vector<double> before(point_.variables().begin(), point_.variables().end());
  // Where equations are looked at for repeating each other: with all values that the last attempt
  // found. One that fails since an equation does not repeat others after all has found the rest.
  std::vector<double> at = before;
  for (std::size_t i = 0; i < at.size(); ++i)
    if (const double found = point_.outputs()[i]; std::isfinite(found)) at[i] = found;
  const auto enters = [&](const compile::CompiledChart* chart) {
    bool jumped = false;
    if (chart != nullptr && enter_variant(point_, *chart, span_, jumped) && !jumped) {
      if (broken_equation(point_) == nullptr) return true;
      at.assign(point_.variables().begin(), point_.variables().end());
    }
    std::copy(before.begin(), before.end(), point_.variables().begin());
    point_.use(general);
    return false;
  };
  const compile::CompiledModel& model = point_.model();
  const double t = point_.time();
  const double* const constants = point_.constants().data();
  for (const auto* chart : model.known_holding_charts(t, before.data(), constants))
    if (enters(chart)) return true;
  if (!may_hold_) return false;
  const compile::CompiledChart* last = nullptr;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {  // two may lead to each other
    const compile::CompiledChart* const chart = model.holding_chart(t, at.data(), constants);
    if (chart == nullptr || chart == last) return false;
    if (enters(chart)) return true;
    last = chart;
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
