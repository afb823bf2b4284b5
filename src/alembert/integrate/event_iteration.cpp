// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/event_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "alembert/base/message_text.hpp"
#include "alembert/integrate/dependent_reinit.hpp"

namespace alembert::integrate {

namespace {

constexpr int most_passes = 30;  // of modes and discrete variables together
constexpr int most_single_moves = 100;
constexpr int most_rounds = 200;  // of pre(v) := v
constexpr int most_tried = 1200;  // choices of modes
constexpr double negligible = 1e-11;

/// True if a crossing function of the mode is nothing beside what it has been.
/// crossings, sizes: [n_crossings].
bool vanishes(const structure::Mode& mode, std::span<const double> crossings,
              std::span<const double> sizes) {
  for (auto c = mode.first_crossing; c < mode.first_crossing + mode.n_crossings; ++c)
    if (std::abs(crossings[c]) <= negligible * sizes[c]) return true;
  return false;
}

/// What time alone decides is never a matter of choice.
bool is_timed(const ModelPoint& point, std::size_t mode) {
  return point.model().hybrid().modes[mode].change_time.valid();
}

/// In the structure of some modes alone these stand in no equation any more.
std::vector<std::vector<std::uint32_t>> coupled_modes(const ModelPoint& point) {
  const compile::CompiledModel& model = point.model();
  return model.coupled_modes(point.chart().variant != nullptr ? model.static_chart()
                                                              : point.chart());
}

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
      terminations_(point.model().events().terminations.shape().n_outputs),
      ahead_(n_modes_ + point.model().hybrid().crossings.size()),
      rounding_(point),
      saved_modes_(n_modes_),
      involved_(n_modes_, 0) {
  for (const flat::Reinit& reinit : point.model().flat().reinits)
    reinit_variables_.push_back(point.model().variable_of(reinit.unknown));
  for (const symbolic::ExprId unknown : point.model().hybrid().previous_unknowns)
    previous_variables_.push_back(point.model().variable_of(unknown));
}

bool EventIteration::update_modes(bool only_first) {
  if (n_modes_ == 0) return false;
  if (hold_modes_) return update_timed_modes();
  run_modes();
  bool changed = false;
  for (std::size_t k = 0; k < n_modes_; ++k) {
    if (new_modes_[k] == modes()[k] || (hold_timed_ && is_timed(point_, k))) continue;
    modes()[k] = new_modes_[k];
    involved_[k] = 1;
    changed = true;
    if (only_first) return true;
  }
  return changed;
}

bool EventIteration::update_discretes(int pass) {
  // A solution that is found anew differs by rounding, and so does what is sampled from it.
  constexpr int patience = 5;
  if (n_discretes_ == 0) return false;
  point_.run(kernels_.assignments, new_discretes_);
  if (std::equal(new_discretes_.begin(), new_discretes_.end(), discretes().begin())) return false;
  bool changed = pass < patience;
  for (std::size_t k = 0; k < n_discretes_ && !changed; ++k) {
    const double now = new_discretes_[k], before = discretes()[k];
    changed =
        !(std::abs(now - before) <= 1e-12 * std::max({1e-3, std::abs(now), std::abs(before)}));
  }
  std::copy(new_discretes_.begin(), new_discretes_.end(), discretes().begin());
  return changed;
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
  const auto crossings = std::span<const double>(new_modes_).subspan(n_modes_);
  for (std::size_t k = 0; k < n_modes_; ++k)
    if (new_modes_[k] != modes()[k] && !(hold_timed_ && is_timed(point_, k)) &&
        (exactly || !vanishes(all[k], crossings, sizes_)))
      return false;
  return true;
}

void EventIteration::guess() {
  update_modes(false);
  update_discretes();
}

EventIteration::Result EventIteration::settle(SolveContinuous solve) {
  Result result = settle_once(solve);
  if (result.end != End::no_values || !try_harder_ || !try_harder_()) return result;
  restore(before_);
  return settle_once(solve);
}

EventIteration::Result EventIteration::settle_once(SolveContinuous solve) {
  std::fill(involved_.begin(), involved_.end(), 0);
  save(before_);
  bool solved = solve();
  for (int pass = 0; pass < most_passes && !solved; ++pass) {  // the old modes may be wrong
    const bool by_modes = update_modes(false);
    const bool by_discretes = update_discretes(pass);
    if (pass > 0 && !by_modes && !by_discretes) break;
    solved = solve();
  }
  const auto iterate = [&](int most, bool only_first) {
    for (int pass = 0; pass < most && solved; ++pass) {
      const bool by_modes = update_modes(only_first);
      const bool by_discretes = update_discretes(pass);
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
  if (search(solve)) return {};
  point_.run(kernels_.assignments, new_discretes_);
  Result missing{.end = End::missing};
  for (std::uint32_t k = 0; k < n_discretes_; ++k)
    if (any && !std::isfinite(new_discretes_[k])) missing.discretes.push_back(k);
  if (!missing.discretes.empty()) return missing;
  if (any)
    if (std::vector<std::uint32_t> circling = discretes_in_circles(solve); !circling.empty())
      return {.end = End::endless, .discretes = std::move(circling)};
  Result result{.end = any ? End::contradiction : End::no_values};
  for (std::uint32_t k = 0; k < n_modes_; ++k)
    if (involved_[k]) result.modes.push_back(k);
  if (result.modes.empty() && any) {
    result.end = End::endless;
    for (std::uint32_t k = 0; k < n_discretes_; ++k)
      if (new_discretes_[k] != discretes()[k]) result.discretes.push_back(k);
  }
  return result;
}

/// With modes as they are; discrete variables follow them before the first attempt, since those of
/// before may leave the equations without a solution.
bool EventIteration::settle_discretes(SolveContinuous solve) {
  update_discretes();
  for (int pass = 0; pass < most_passes; ++pass) {
    if (!solve()) return false;
    if (!update_discretes(pass)) return true;
  }
  return false;
}

/// Those that go on changing each other, where no mode changes with them; empty if there are none.
std::vector<std::uint32_t> EventIteration::discretes_in_circles(SolveContinuous solve) {
  Saved reached;
  save(reached);
  std::vector<char> changes(n_discretes_, 0);
  bool in_circles = true;
  for (int pass = 0; pass < most_passes && in_circles; ++pass) {
    const std::vector<double> before(discretes().begin(), discretes().end());
    in_circles = update_discretes(pass) && solve() && modes_agree(true);
    for (std::size_t k = 0; k < n_discretes_; ++k) changes[k] |= before[k] != discretes()[k];
  }
  restore(reached);
  std::vector<std::uint32_t> found;
  for (std::uint32_t k = 0; k < n_discretes_ && in_circles; ++k)
    if (changes[k]) found.push_back(k);
  return found;
}

std::vector<std::size_t> EventIteration::choices(bool with_coupled) const {
  std::vector<char> taken = involved_;
  const bool none = std::find(taken.begin(), taken.end(), 1) == taken.end();
  if (with_coupled)
    for (const auto& block : coupled_modes(point_)) {
      if (!none && std::none_of(block.begin(), block.end(), [&](auto k) { return involved_[k]; }))
        continue;
      for (const std::uint32_t k : block) taken[k] = 1;
    }
  std::vector<std::size_t> free;
  const std::span<const double> values = point_.constants().subspan(layout_.modes, n_modes_);
  for (std::size_t k = 0; k < n_modes_; ++k)
    if (taken[k] && (values[k] == 0 || values[k] == 1) && !is_timed(point_, k)) free.push_back(k);
  return free;
}

void EventIteration::save(Saved& saved) const {
  saved.variables.assign(point_.variables().begin(), point_.variables().end());
  saved.constants.assign(point_.constants().begin(), point_.constants().end());
  saved.chart = &point_.chart();
}

void EventIteration::restore(const Saved& saved) {
  std::copy(saved.variables.begin(), saved.variables.end(), point_.variables().begin());
  std::copy(saved.constants.begin(), saved.constants.end(), point_.constants().begin());
  if (saved.chart != &point_.chart()) point_.use(*saved.chart);
}

bool EventIteration::update_timed_modes() {
  if (hold_timed_) return false;
  const double t = point_.time();
  bool any = false;
  bool changed = true;  // one may rest on another, as mod on floor
  for (int pass = 0; pass < most_passes && changed; ++pass) {
    changed = false;
    // Others that are held are those of just after, and the event may set what time is compared to.
    if (hold_modes_) point_.set_time(t + timed_ahead_);
    run_modes();
    point_.set_time(t);
    for (std::size_t k = 0; k < n_modes_; ++k) {
      if (!is_timed(point_, k) || modes()[k] == new_modes_[k]) continue;
      modes()[k] = new_modes_[k];
      any = changed = true;
    }
  }
  return any;
}

/// Choices of these modes, the point as it was before the event in all else: those first in which
/// the fewest change. True at the first that is accepted.
bool EventIteration::search(const std::vector<std::size_t>& free, Accept accept) {
  int tried = 0;
  for (std::size_t n_changes = 0; n_changes <= free.size(); ++n_changes) {
    std::vector<std::size_t> changed(n_changes);
    for (std::size_t i = 0; i < n_changes; ++i) changed[i] = i;
    for (bool more = true; more;) {
      if (++tried > most_tried) return false;
      restore(before_);
      update_timed_modes();
      for (const std::size_t i : changed) modes()[free[i]] = 1 - modes()[free[i]];
      if (accept()) return true;
      // The next set of as many, in ascending order.
      more = false;
      for (std::size_t i = n_changes; i-- > 0 && !more;) {
        if (changed[i] + (n_changes - i) >= free.size()) continue;
        ++changed[i];
        for (std::size_t k = i + 1; k < n_changes; ++k) changed[k] = changed[k - 1] + 1;
        more = true;
      }
    }
  }
  return false;
}

bool EventIteration::search(SolveContinuous solve) {
  if (hold_modes_) return false;
  Saved reached;
  save(reached);
  std::vector<std::size_t> before;
  for (const bool with_coupled : {false, true}) {
    const std::vector<std::size_t> free = choices(with_coupled);
    if (free.empty() || free == before) continue;
    std::optional<Saved> nearly;  // all agrees but for rounding
    const auto agrees = [&] {
      if (!settle_discretes(solve)) return false;
      if (modes_agree(true)) return true;
      if (!nearly && modes_agree(false)) save(nearly.emplace());
      return false;
    };
    if (search(free, agrees)) return true;
    if (nearly) {
      restore(*nearly);
      return true;
    }
    before = free;
  }
  restore(reached);
  return false;
}

/// Modes a moment later, along the derivatives, in ahead_; false if there are no values.
bool EventIteration::see_ahead(const Moment& after) {
  const double t = point_.time();
  states_.resize(point_.n_states());
  derivatives_.resize(point_.n_states());
  ahead_states_.resize(point_.n_states());
  point_.copy_states(states_);
  const bool has_values = point_.derivatives(t, states_.data(), derivatives_.data());
  for (std::size_t i = 0; i < states_.size(); ++i)
    ahead_states_[i] = states_[i] + after.of_states * derivatives_[i];
  point_.modes_at(t + after.of_states, ahead_states_, ahead_);
  point_.enter(t, states_.data());
  see_timed_ahead(after.of_time);
  return has_values && std::all_of(ahead_.begin(), ahead_.begin() + n_modes_,
                                   [](double v) { return std::isfinite(v); });
}

/// What the event has decided and a moment later would be as before it, by rounding alone, stays.
void EventIteration::keep_decided() {
  const double t = point_.time();
  const auto& all = point_.model().hybrid().modes;
  const auto is_undone = [&](std::size_t k) {
    return modes()[k] != saved_modes_[k] && ahead_[k] == saved_modes_[k] && !is_timed(point_, k);
  };
  std::span<const double> noise;
  for (std::size_t k = 0; k < n_modes_; ++k) {
    if (!is_undone(k)) continue;
    if (noise.empty()) noise = rounding_.measure(t, states_);
    const auto first = all[k].first_crossing, end = first + all[k].n_crossings;
    for (auto c = first; c < end; ++c)
      if (std::abs(ahead_[n_modes_ + c]) <= noise[c]) ahead_[k] = modes()[k];
  }
}

/// Of what time alone decides the moment is known: it comes at its own time, unless that is this
/// one but for rounding.
void EventIteration::see_timed_ahead(double after) {
  const double t = point_.time();
  point_.set_time(t + after);
  run_modes();
  point_.set_time(t);
  for (std::size_t k = 0; k < n_modes_; ++k)
    if (is_timed(point_, k)) ahead_[k] = new_modes_[k];
}

/// What was seen ahead may decide others, which were compared with things as they were: they
/// follow, each of them once. True if one did; `changed` grows by it.
bool EventIteration::follow_ahead(const Moment& after, std::vector<std::uint32_t>& changed) {
  if (!see_ahead(after)) return false;
  const std::size_t n_before = changed.size();
  for (std::uint32_t k = 0; k < n_modes_; ++k) {
    if (modes()[k] == ahead_[k] || std::ranges::find(changed, k) != changed.end()) continue;
    modes()[k] = ahead_[k];
    changed.push_back(k);
  }
  return changed.size() > n_before;
}

/// Those that would have to change back at once, and not because the solution moves along the edge
/// of a comparison: what they compare lies far apart.
std::vector<std::uint32_t> EventIteration::undone_ahead(const Moment& after,
                                                        std::span<const std::uint32_t> changed) {
  constexpr double far = 1e-3;  // of the largest difference so far
  std::vector<std::uint32_t> undone;
  if (!see_ahead(after)) return undone;
  const auto& all = point_.model().hybrid().modes;
  for (const std::uint32_t k : changed) {
    const auto first = all[k].first_crossing, end = first + all[k].n_crossings;
    bool apart = first < end && modes()[k] != ahead_[k] && !is_timed(point_, k);
    for (auto c = first; c < end; ++c)
      apart = apart && std::abs(ahead_[n_modes_ + c]) > far * sizes_[c];
    if (apart) undone.push_back(k);
  }
  return undone;
}

bool EventIteration::leave(std::span<const std::uint32_t> changed, const Moment& after,
                           SolveContinuous solve) {
  // Only equations that are solved together can have another solution.
  const auto blocks = coupled_modes(point_);
  if (std::none_of(blocks.begin(), blocks.end(), [&](const auto& block) {
        return std::any_of(changed.begin(), changed.end(), [&](std::uint32_t k) {
          return std::find(block.begin(), block.end(), k) != block.end();
        });
      }))
    return false;
  save(before_);
  std::fill(involved_.begin(), involved_.end(), 0);
  for (const std::uint32_t k : changed) involved_[k] = 1;
  const auto goes_on = [&] {
    return settle_discretes(solve) && modes_agree(true) && see_ahead(after) &&
           std::equal(modes().begin(), modes().end(), ahead_.begin());
  };
  if (search(choices(true), goes_on)) return true;
  restore(before_);
  return false;
}

void EventIteration::know_sizes(std::span<const double> sizes) {
  for (std::size_t c = 0; c < sizes_.size(); ++c) sizes_[c] = std::max(sizes_[c], sizes[c]);
}

bool EventIteration::apply_reinits(Result& result, SolveContinuous solve) {
  const std::size_t n = reinit_variables_.size();
  if (n == 0) return false;
  point_.run(kernels_.reinits, reinits_);
  const std::vector<std::uint32_t>& states = point_.chart().states;
  std::vector<std::uint32_t> entered;
  std::vector<WantedValue> wanted;
  for (std::size_t i = 0; i < n; ++i) {
    if (reinits_[i] == 0) continue;
    const std::uint32_t variable = reinit_variables_[i];
    if (std::find(states.begin(), states.end(), variable) != states.end()) {
      point_.variables()[variable] = reinits_[n + i];
      entered.push_back(variable);
    } else {
      wanted.push_back({variable, reinits_[n + i]});
    }
  }
  const bool applied = !entered.empty() || !wanted.empty();
  // In a structure of some modes what follows from its states follows at once: what was set is not
  // to be taken for states that break the constraints.
  const auto follow = [this] { return point_.complete(); };
  const bool in_variant = point_.chart().variant != nullptr;
  if (in_variant && !entered.empty()) point_.complete();
  const bool reached =
      wanted.empty() || (in_variant ? change_states_for(point_, wanted, entered, follow)
                                    : change_states_for(point_, wanted, entered, solve));
  if (!reached) {
    result.end = End::unreachable;
    for (const WantedValue& one : wanted) result.variables.push_back(one.variable);
  }
  result.changed = result.changed || applied;
  return applied;
}

std::optional<std::string> EventIteration::termination() {
  if (terminations_.empty()) return std::nullopt;
  point_.run(kernels_.terminations, terminations_);
  const auto& given = point_.model().flat().terminations;
  std::size_t first_value = given.size();
  for (std::size_t i = 0; i < given.size(); first_value += given[i].values.size(), ++i)
    if (terminations_[i] != 0)
      return with_numbers(given[i].message,
                          std::span(terminations_).subspan(first_value, given[i].values.size()));
  return std::nullopt;
}

void EventIteration::note_terminations(Result& result) {
  if (result.terminated) return;
  std::optional<std::string> message = termination();
  result.terminated = message.has_value();
  if (message) result.termination = std::move(*message);
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
    Result infinite{.end = End::missing, .changed = true};
    for (std::uint32_t k = 0; k < n_discretes_; ++k)
      if (!std::isfinite(discretes()[k])) infinite.discretes.push_back(k);
    if (!infinite.discretes.empty()) return infinite;
    note_terminations(total);
    const bool moved = apply_reinits(total, solve);
    if (total.end != End::settled) return total;
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

EventIteration::Result EventIteration::look_ahead(const Moment& after, SolveContinuous solve) {
  if (n_modes_ == 0) return {};
  timed_ahead_ = after.of_time;
  if (!see_ahead(after)) return {};
  keep_decided();
  if (std::equal(modes().begin(), modes().end(), ahead_.begin())) return {};
  Saved here;
  save(here);
  const std::vector<double> ahead(ahead_.begin(), ahead_.begin() + n_modes_);
  std::vector<std::uint32_t> changed;
  bool undecided = true;  // by then still
  for (std::uint32_t k = 0; k < n_modes_; ++k)
    if (modes()[k] != ahead_[k]) {
      changed.push_back(k);
      undecided = undecided && !is_timed(point_, k) &&
                  vanishes(point_.model().hybrid().modes[k],
                           std::span<const double>(ahead_).subspan(n_modes_), sizes_);
    }
  std::copy_n(ahead_.begin(), n_modes_, modes().begin());
  hold_modes_ = true;
  Result result = run(solve);
  const auto run_on = [&] {
    const Result before = std::move(result);
    result = run(solve);
    if (!before.terminated) return;
    result.terminated = true;
    result.termination = before.termination;
  };
  while (result.end == End::settled && follow_ahead(after, changed)) run_on();
  hold_modes_ = false;
  if (result.end == End::settled) {
    const std::vector<std::uint32_t> undone = undone_ahead(after, changed);
    // What the event has set may undo its condition. Where nothing was set, all is as it was, and
    // neither value leads on.
    if (!undone.empty()) run_on();
    if (!undone.empty() && std::ranges::equal(point_.constants(), here.constants))
      result = {.end = End::contradiction, .modes = undone};
  }
  if (result.end != End::settled &&
      std::ranges::any_of(changed, [&](std::uint32_t k) { return is_timed(point_, k); })) {
    // Time has changed what the others rest on: they have to follow.
    restore(here);
    for (const std::uint32_t k : changed)
      if (is_timed(point_, k)) modes()[k] = ahead[k];
    hold_timed_ = true;
    result = run(solve);
    hold_timed_ = false;
  }
  if (result.end != End::settled) {
    restore(here);
    if (leave(changed, after, solve)) result = run(solve);
    // Either value will do as long as nothing decides between them.
    else if (undecided)
      return {};
  }
  result.changed = true;
  return result;
}

}  // namespace alembert::integrate
