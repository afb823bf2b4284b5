// SPDX-License-Identifier: Apache-2.0
// Where what was followed ends: values that are missing in a step, branches that end with their
// condition, and other solutions to go on with.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/dense_history.hpp"
#include "alembert/integrate/simulation.hpp"

namespace alembert::integrate {

namespace {

/// Variables of which the model has derivatives: what has a rate goes from value to value, and does
/// not jump because an iteration finds other values that obey the constraints as well.
std::vector<std::uint32_t> with_rates(const compile::CompiledModel& model) {
  std::vector<std::uint32_t> found;
  const auto& plan = model.plan();
  for (std::uint32_t v = 0; v < plan.structure.variables.size(); ++v) {
    const structure::Variable& variable = plan.structure.variables[v];
    if (variable.order < plan.highest_order[variable.unknown])
      found.push_back(model.variable_of_structure(v));
  }
  return found;
}

/// Variables that have more than one solution: those of blocks that are nonlinear in them. What is
/// assigned may be as steep as it likes.
std::vector<std::uint32_t> with_branches(const ModelPoint& point) {
  std::vector<std::uint32_t> found;
  if (point.chart().variant != nullptr) return found;  // its variables are numbered otherwise
  for (const auto& block : point.chart().reduced.blocks)
    if (block.kind == structure::Block::Kind::nonlinear)
      for (const auto v : block.unknowns()) found.push_back(point.model().variable_of_structure(v));
  return found;
}

/// True if a block was solved by another of its solutions: neighbours in time are neighbours.
bool lies_apart(std::span<const std::uint32_t> which, std::span<const double> there,
                std::span<const double> here) {
  constexpr double far = 1e-2;
  return std::ranges::any_of(which, [&](std::uint32_t i) {
    return std::abs(there[i] - here[i]) > far * std::max(1.0, std::abs(here[i]));
  });
}

}  // namespace

Simulation::BranchEnd Simulation::branch_end(const AcceptedStep& step, double until) {
  // What was shown had values.
  BranchEnd end{std::max(step.t_old, rows_.last_time()), until};
  const std::vector<std::uint32_t> which = with_branches(point_);
  std::vector<double> here;
  const auto keep = [&] { here.assign(point_.variables().begin(), point_.variables().end()); };
  complete_in(step, end.before);
  keep();
  // Beyond a fold there may be values too, of another branch. Those that lie apart are taken for
  // such until they turn out to be neighbours.
  bool apart = false;  // at end.after
  for (;;) {
    const bool close =
        end.after - end.before <= 4 * eps * std::max(std::abs(end.after), std::abs(end.before));
    const double middle = 0.5 * (end.before + end.after);
    if (close || middle <= end.before || middle >= end.after) {
      if (!apart || end.after >= until || !complete_in(step, end.after) ||
          lies_apart(which, point_.variables(), here))
        break;
      keep();
      end = {end.after, until};
      apart = false;
      continue;
    }
    const bool has_values = complete_in(step, middle);
    if (has_values && !lies_apart(which, point_.variables(), here)) {
      end.before = middle;
      keep();
    } else {
      end.after = middle;
      apart = has_values;
      std::copy(here.begin(), here.end(), point_.variables().begin());
    }
  }
  std::copy(here.begin(), here.end(), point_.variables().begin());
  return end;
}

bool Simulation::edge_event(AcceptedStep& step, const BranchEnd& end) {
  if (!mode_change_.any() || point_.slides() || !mode_change_.differs_at(step, end.after) ||
      !remember(step, end.before) || !complete_in(step, end.before))
    return false;
  // One time for both sides, where that has values too.
  if (!point_.complete(end.after, interpolated_)) complete_in(step, end.before);
  rows_.write();
  rows_.pass(end.after);
  if (options_.dense != nullptr) options_.dense->add(point_, step, end.after);
  point_.enter(end.after, mode_change_.state().data());
  found_event_ = true;
  return true;
}

/// Where a branch ends at the edge of its condition, steps that change no state are accepted, and
/// longer ones have no value. How short they are is a matter of rounding: as the root of that,
/// where a root ends there.
bool Simulation::creeps_at_edge(const AcceptedStep& step) {
  constexpr int most_tiny_steps = 100;
  constexpr std::uint64_t least_failures = 10;
  constexpr double root_of_rounding = 1e3;  // beside a moment
  if (!mode_change_.any() || form_ || start_.event_chart != nullptr) return false;
  const double length = step.t - step.t_old, moment = accumulation_.moment(step.t);
  if (n_tiny_steps_ == 0) n_failures_before_ = point_.n_failures();
  n_tiny_steps_ = length < root_of_rounding * moment ? n_tiny_steps_ + 1 : 0;
  if (n_tiny_steps_ < most_tiny_steps) return false;
  n_tiny_steps_ = 0;
  at_edge_ = length < moment || point_.n_failures() >= n_failures_before_ + least_failures;
  return at_edge_;
}

BeyondGap Simulation::beyond_gap(const AcceptedStep& step, double gap,
                                 std::span<const MissingValue> missing) {
  constexpr double a_little = 1e-9, further = 100, grown = 5;  // 1/x: 100, 1/sqrt(x): 10
  const double way = a_little * (step.t - step.t_old);
  if (missing.empty() || !(gap + further * way < step.t)) return BeyondGap::none;
  const auto name = std::ranges::find(model_.variable_names(), missing.front().variable);
  const auto size_at = [&](double t) {
    if (!complete_in(step, t)) return std::numeric_limits<double>::quiet_NaN();
    return std::abs(point_.variables()[name - model_.variable_names().begin()]);
  };
  const double there = size_at(gap + further * way), here = size_at(gap + way);
  if (std::isnan(there) || std::isnan(here)) return BeyondGap::none;
  return here > grown * there ? BeyondGap::unbounded : BeyondGap::bounded;
}

ObserverAction Simulation::end_of_values(AcceptedStep& step) {
  const BranchEnd end = branch_end(step, no_values_at_);
  if (edge_event(step, end)) return ObserverAction::stop;
  const auto [before, after] = end;
  if (options_.dense != nullptr && before > step.t_old) options_.dense->add(point_, step, before);
  if (step.t >= leg_.known && is_at_known(before)) {
    arrived_ = true;
    point_.enter(leg_.known, step.y.data());
    return ObserverAction::stop;
  }
  if (step.interpolate(after, interpolated_)) {
    point_.enter(after, interpolated_.data());
    const std::vector<MissingValue> missing = find_missing(point_, point_.failure_here());
    // An assertion that guards against this tells it better.
    point_.complete();
    const auto failed = assertions_.check();
    reason_ = failed ? *failed : explain_end_of_values(missing, beyond_gap(step, after, missing));
  }
  if (complete_in(step, before) && before > rows_.last_time()) rows_.write();
  result_.outcome = Outcome::stopped;  // the point stays where it is
  return ObserverAction::stop;
}

bool Simulation::jump() {
  const bool lost = result_.outcome == Outcome::done || result_.outcome == Outcome::stopped;
  const double t = point_.time();
  if (!lost || form_ || start_.event_chart != nullptr || point_.slides() || charts_.dynamic() ||
      accumulation_.add(t) != AccumulationWatch::Verdict::none)
    return false;
  const std::vector<double> before(point_.variables().begin(), point_.variables().end());
  std::vector<double> y(point_.n_states()), slopes(y.size()), later(y.size());
  point_.copy_states(y);
  const auto go_to = [&](const std::vector<double>& variables) {
    std::copy(variables.begin(), variables.end(), point_.variables().begin());
    point_.enter(t, y.data());
  };
  const auto lies_apart = [&](std::size_t i) {
    constexpr double far = 1e-2;
    return std::abs(point_.variables()[i] - before[i]) > far * std::max(1.0, std::abs(before[i]));
  };
  const auto has_jumped = [&] {
    for (std::size_t i = 0; i < before.size(); ++i)
      if (lies_apart(i)) return true;
    return false;
  };
  const bool has_slopes = point_.complete(t, y) && point_.derivatives(t, y.data(), slopes.data());
  const double scale = std::max(std::abs(t), 1e-3 * std::abs(options_.stop - options_.start));
  bool found = false;
  // The nearer, the less can happen in between; but too near the end of a branch may be taken for
  // a solution.
  for (const double part : {1e-9, 1e-8, 1e-7, 1e-6, 1e-5}) {
    const double ahead = part * scale;
    if (t + ahead >= options_.stop) break;
    for (std::size_t i = 0; i < y.size(); ++i)
      later[i] = y[i] + (has_slopes ? ahead * slopes[i] : 0);
    go_to(before);
    event_solver_.begin();
    // Where the kernels find the same values as before the solution goes on, and something else is
    // wrong; unless they found none at the point itself.
    found = point_.complete(t + ahead, later) ? !has_slopes || has_jumped() : event_solver_.solve();
    if (found) break;
  }
  // The states stay; what grows without bound is another there too, and no other solution.
  if (!found || !point_.complete(t, y) || (has_slopes && !has_jumped()) ||
      std::ranges::any_of(with_rates(model_),
                          [&](std::uint32_t i) { return i < before.size() && lies_apart(i); })) {
    go_to(before);
    return false;
  }
  const std::vector<double> after(point_.variables().begin(), point_.variables().end());
  go_to(before);
  if (rows_.last_time() < t && point_.complete(t, y)) rows_.write();
  go_to(after);
  rows_.pass(t);
  ++result_.n_state_events;
  note_event({t, {}});
  result_.outcome = Outcome::done;
  reason_.clear();
  return handle_event(time_events_.tick(t));
}

bool Simulation::step_over_edge(double t) {
  if (form_ || start_.event_chart != nullptr || point_.slides() || !mode_change_.any())
    return false;
  const auto& modes = model_.hybrid().modes;
  const std::size_t n_modes = modes.size();
  std::vector<double> there(n_modes + model_.hybrid().crossings.size());
  // Not the modes as they would be here: at the edge itself they may be those beyond.
  const auto held = point_.constants().subspan(model_.constants().modes, n_modes);
  std::vector<double> slopes(point_.n_states()), ahead(slopes.size());
  if (!point_.derivatives(t, y_.data(), slopes.data())) return false;
  const double shortest = moment();
  const double longest = accumulation_.moment(t);
  const auto go = [&](double by) {
    for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] = y_[i] + by * slopes[i];
  };
  for (double by = shortest; by <= longest; by *= 2) {
    go(by);
    point_.modes_at(t + by, ahead, there);
    std::vector<std::uint32_t> changed;
    for (std::uint32_t k = 0; k < n_modes; ++k)
      if (std::isfinite(there[k]) && there[k] != held[k] && !modes[k].change_time.valid())
        changed.push_back(k);
    if (changed.empty()) continue;
    if (accumulation_.add(t + by) != AccumulationWatch::Verdict::none) return false;
    if (point_.complete(t, y_) && rows_.last_time() < t) rows_.write();
    point_.enter(t + by, ahead.data());
    rows_.pass(t + by);
    for (const std::uint32_t k : changed)
      point_.constants()[model_.constants().modes + k] = there[k];
    ++result_.n_state_events;
    note_event({t + by, std::move(changed)});
    result_.outcome = Outcome::done;
    reason_.clear();
    return handle_event(time_events_.tick(t + by));
  }
  point_.enter(t, y_.data());
  return false;
}

}  // namespace alembert::integrate
