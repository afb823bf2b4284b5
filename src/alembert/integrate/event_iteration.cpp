// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/event_iteration.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::integrate {

namespace {

constexpr int most_passes = 30;  // of modes and discrete variables together
constexpr int most_single_moves = 100;
constexpr int most_rounds = 200;  // of pre(v) := v
constexpr std::size_t most_searched = 10;
constexpr double negligible = 1e-11;

}  // namespace

EventIteration::EventIteration(ModelPoint& point)
    : point_(point),
      layout_(point.model().constants()),
      kernels_(point.model().events()),
      n_modes_(point.model().hybrid().modes.size()),
      n_discretes_(point.model().flat().discrete_variables.size()),
      new_modes_(point.model().events().modes.shape().n_outputs),
      sizes_(point.model().hybrid().crossings.size(), 0.0),
      new_discretes_(n_discretes_),
      reinits_(2 * point.model().flat().reinits.size()),
      terminations_(point.model().flat().terminations.size()),
      ahead_(n_modes_ + point.model().hybrid().crossings.size()),
      saved_modes_(n_modes_),
      involved_(n_modes_, 0) {
  for (const flat::Reinit& reinit : point.model().flat().reinits)
    reinit_variables_.push_back(point.model().variable_of(reinit.unknown));
  for (const symbolic::ExprId unknown : point.model().hybrid().previous_unknowns)
    previous_variables_.push_back(point.model().variable_of(unknown));
}

bool EventIteration::update_modes(bool only_first) {
  if (n_modes_ == 0 || hold_modes_) return false;
  run_modes();
  bool changed = false;
  for (std::size_t k = 0; k < n_modes_; ++k) {
    if (new_modes_[k] == modes()[k]) continue;
    modes()[k] = new_modes_[k];
    involved_[k] = 1;
    changed = true;
    if (only_first) return true;
  }
  return changed;
}

bool EventIteration::update_discretes() {
  if (n_discretes_ == 0) return false;
  point_.run(kernels_.assignments, new_discretes_);
  if (std::equal(new_discretes_.begin(), new_discretes_.end(), discretes().begin())) return false;
  std::copy(new_discretes_.begin(), new_discretes_.end(), discretes().begin());
  return true;
}

void EventIteration::run_modes() {
  point_.run(kernels_.modes, new_modes_);
  for (std::size_t c = 0; c < sizes_.size(); ++c)
    if (const double size = std::abs(new_modes_[n_modes_ + c]); std::isfinite(size))
      sizes_[c] = std::max(sizes_[c], size);
}

/// exactly: else a mode may differ whose crossing function vanishes beside what it has been.
bool EventIteration::modes_agree(bool exactly) {
  if (n_modes_ == 0 || hold_modes_) return true;
  run_modes();
  const auto& all = point_.model().hybrid().modes;
  for (std::size_t k = 0; k < n_modes_; ++k) {
    if (new_modes_[k] == modes()[k]) continue;
    bool vanishes = false;
    for (auto c = all[k].first_crossing; c < all[k].first_crossing + all[k].n_crossings; ++c)
      vanishes = vanishes || std::abs(new_modes_[n_modes_ + c]) <= negligible * sizes_[c];
    if (exactly || !vanishes) return false;
  }
  return true;
}

void EventIteration::guess() {
  update_modes(false);
  update_discretes();
}

EventIteration::Result EventIteration::settle(SolveContinuous solve) {
  std::fill(involved_.begin(), involved_.end(), 0);
  bool solved = solve();
  for (int pass = 0; pass < most_passes && !solved; ++pass) {  // the old modes may be wrong
    const bool by_modes = update_modes(false);
    const bool by_discretes = update_discretes();
    if (pass > 0 && !by_modes && !by_discretes) break;
    solved = solve();
  }
  const auto iterate = [&](int most, bool only_first) {
    for (int pass = 0; pass < most && solved; ++pass) {
      const bool by_modes = update_modes(only_first);
      const bool by_discretes = update_discretes();
      if (!by_modes && !by_discretes) return true;
      solved = solve();
    }
    return false;
  };
  if (iterate(most_passes, false)) return {};
  bool any = solved;
  if (solved || solve()) {
    solved = true;
    if (iterate(most_single_moves, true)) return {};
    any = true;
  }
  if (search(solve, true) || search(solve, false)) return {};
  Result result{.end = any ? End::contradiction : End::no_values};
  for (std::uint32_t k = 0; k < n_modes_; ++k)
    if (involved_[k]) result.modes.push_back(k);
  if (result.modes.empty() && any) {
    result.end = End::endless;
    point_.run(kernels_.assignments, new_discretes_);
    for (std::uint32_t k = 0; k < n_discretes_; ++k)
      if (new_discretes_[k] != discretes()[k]) result.discretes.push_back(k);
  }
  return result;
}

/// With modes as they are.
bool EventIteration::settle_discretes(SolveContinuous solve) {
  for (int pass = 0; pass < most_passes; ++pass) {
    if (!solve()) return false;
    if (!update_discretes()) return true;
  }
  return false;
}

/// All combinations of the modes that took part, all else being equal.
bool EventIteration::search(SolveContinuous solve, bool exactly) {
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < n_modes_; ++k)
    if (involved_[k] && (modes()[k] == 0 || modes()[k] == 1)) free.push_back(k);
  if (free.empty() || free.size() > most_searched || hold_modes_) return false;
  for (std::uint32_t mask = 0; mask < (1u << free.size()); ++mask) {
    for (std::size_t i = 0; i < free.size(); ++i) modes()[free[i]] = mask >> i & 1u;
    if (settle_discretes(solve) && modes_agree(exactly)) return true;
  }
  return false;
}

bool EventIteration::apply_reinits(Result& result) {
  const std::size_t n = reinit_variables_.size();
  if (n == 0) return false;
  point_.run(kernels_.reinits, reinits_);
  bool applied = false;
  for (std::size_t i = 0; i < n; ++i) {
    if (reinits_[i] == 0) continue;
    point_.variables()[reinit_variables_[i]] = reinits_[n + i];
    applied = true;
  }
  result.changed = result.changed || applied;
  return applied;
}

void EventIteration::note_terminations(Result& result) {
  point_.run(kernels_.terminations, terminations_);
  for (std::size_t i = 0; i < terminations_.size() && !result.terminated; ++i) {
    result.terminated = terminations_[i] != 0;
    result.termination = static_cast<std::uint32_t>(i);
  }
}

bool EventIteration::advance_previous() {
  stepped_.clear();
  for (std::uint32_t k = 0; k < n_discretes_; ++k) {
    if (previous()[k] == discretes()[k]) continue;
    stepped_.push_back(k);
    previous()[k] = discretes()[k];
  }
  for (std::size_t i = 0; i < previous_variables_.size(); ++i)
    point_.constants()[layout_.previous_unknowns + i] = point_.variables()[previous_variables_[i]];
  return !stepped_.empty();
}

EventIteration::Result EventIteration::run(SolveContinuous solve) {
  Result total;
  std::copy(modes().begin(), modes().end(), saved_modes_.begin());
  for (int round = 0; round < most_rounds; ++round) {
    Result result = settle(solve);
    if (result.end != End::settled) {
      result.changed = true;
      return result;
    }
    note_terminations(total);
    const bool moved = apply_reinits(total);
    const bool stepped = advance_previous();
    total.changed = total.changed || stepped;
    if (moved || stepped) continue;
    total.changed =
        total.changed || !std::equal(saved_modes_.begin(), saved_modes_.end(), modes().begin());
    return total;
  }
  total.end = End::endless;
  total.changed = true;
  total.discretes = stepped_;
  return total;
}

EventIteration::Result EventIteration::look_ahead(double after, SolveContinuous solve) {
  if (n_modes_ == 0) return {};
  const double t = point_.time();
  states_.resize(point_.n_states());
  derivatives_.resize(point_.n_states());
  ahead_states_.resize(point_.n_states());
  point_.copy_states(states_);
  const bool has_values = point_.derivatives(t, states_.data(), derivatives_.data());
  for (std::size_t i = 0; i < states_.size(); ++i)
    ahead_states_[i] = states_[i] + after * derivatives_[i];
  point_.modes_at(t + after, ahead_states_, ahead_);
  point_.enter(t, states_.data());
  const auto is_value = [](double v) { return std::isfinite(v); };
  if (!has_values || !std::all_of(ahead_.begin(), ahead_.begin() + n_modes_, is_value) ||
      std::equal(modes().begin(), modes().end(), ahead_.begin()))
    return {};
  std::copy_n(ahead_.begin(), n_modes_, modes().begin());
  hold_modes_ = true;
  Result result = run(solve);
  hold_modes_ = false;
  result.changed = true;
  return result;
}

}  // namespace alembert::integrate
