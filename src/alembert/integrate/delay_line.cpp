// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/delay_line.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::integrate {

DelayLine::DelayLine(ModelPoint& point, double tolerance, SourceWatch::Range range)
    : point_(point) {
  if (!point.model().flat().delays.empty()) parts_.emplace(point, tolerance, range);
}

void DelayLine::begin(double length) {
  const compile::CompiledModel& model = point_.model();
  const std::size_t n = model.flat().delays.size();
  if (n == 0) return;
  const auto numbers = point_.delays();
  for (std::size_t k = 0; k < n; ++k) {
    if (!(numbers[n + k] >= 0))
      throw Error("I009",
                  "a quantity is delayed by " + number_text(numbers[n + k]) +
                      ", and nothing can be known before it happens. Give a positive delay.",
                  model.flat().delays[k].origin);
    const auto symbols = symbolic::free_symbols(*model.flat().pool, model.flat().delays[k].delay);
    varies_.push_back(std::any_of(symbols.begin(), symbols.end(), [&](symbolic::ExprId symbol) {
      return model.flat().pool->symbol_of(symbol).kind != symbolic::SymbolKind::parameter;
    }));
    is_constant_.push_back(!varies_[k]);
    // What jumps only is looked up between the jumps.
    if (model.events().stepwise_delays[k]) varies_[k] = 0;
    // A delay that vanishes beside the run is looked up in the continued last step.
    least_ = 1e-6 * length;
    if (numbers[n + k] > least_ && !varies_[k] && !model.events().stepwise_delays[k])
      shortest_ = std::min(shortest_, numbers[n + k]);
  }
  now_.assign(numbers.begin() + static_cast<std::ptrdiff_t>(n),
              numbers.begin() + static_cast<std::ptrdiff_t>(2 * n));
  was_ = now_;
  longest_.assign(numbers.begin() + static_cast<std::ptrdiff_t>(2 * n), numbers.end());
  history_ = DelayHistory({numbers.begin() + static_cast<std::ptrdiff_t>(2 * n), numbers.end()});
  history_.begin(point_.time(), numbers.first(n));
  note_break(point_.time(), 0);
  jumps_.resize(n);
  passed_.assign(n, -infinity);
  sent_.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
  point_.follow(&history_);
}

void DelayLine::note_break(double t, int level) {
  constexpr std::size_t most_breaks = 1000;
  for (std::size_t k = 0; k < now_.size() && breaks_.size() < most_breaks; ++k)
    if (!varies_[k] && now_[k] > least_ && !point_.model().events().stepwise_delays[k])
      breaks_.insert({t + now_[k], level + 1});
}

double DelayLine::way_to_break(double t) {
  constexpr int smooth = 8;  // at this level, for all methods
  constexpr double rounding = 1e-12;
  while (!breaks_.empty() && breaks_.begin()->first <= t + rounding * std::abs(t)) {
    const auto [passed, level] = *breaks_.begin();
    breaks_.erase(breaks_.begin());
    if (level < smooth) note_break(passed, level);
  }
  return breaks_.empty() ? infinity : breaks_.begin()->first - t;
}

void DelayLine::limit_next_step(double last_step) {
  constexpr double caution = 0.9;
  next_limit_ = infinity;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    if (!varies_[k] || now_[k] <= least_) continue;
    const double falls = std::max(0.0, (was_[k] - now_[k]) / last_step);
    next_limit_ = std::min(next_limit_, std::max(least_, caution * now_[k] / (1 + falls)));
  }
}

std::string DelayLine::fault() const {
  constexpr double rounding = 1e-9;
  const auto& delays = point_.model().flat().delays;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    if (!varies_[k]) continue;
    const double longest = longest_[k];
    const std::string place = to_string(delays[k].origin);
    const std::string where = place.empty() ? "" : " (" + place + ")";
    if (now_[k] < -rounding * longest)
      return "a quantity is delayed by " + rounded_text(now_[k]) +
             ", and nothing can be known before it happens" + where + ". Keep the delay positive.";
    if (now_[k] > (1 + rounding) * longest)
      return "a quantity is delayed by " + rounded_text(now_[k]) + ", and only the last " +
             rounded_text(longest) + " are kept" + where +
             ". Give a larger third argument of delay.";
  }
  return "";
}

void DelayLine::go_on() {
  if (any()) point_.follow(&history_);
}

void DelayLine::begin_leg(double t) {
  if (parts_) parts_->begin_leg(t);
}

double DelayLine::limit_by_past(double t) const {
  double limit = infinity;
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (parts_->drives(k) && now_[k] > least_)
      limit = std::min(limit, history_.limit(k, t - now_[k]));
  return limit;
}

bool DelayLine::remember(double t_old, double t, FunctionRef<bool(double)> complete) {
  const std::size_t n = history_.size();
  if (n == 0 || t <= t_old) return true;
  const auto note_delays = [&](double there) {
    if (!complete(there)) return false;
    if (there != t_old && there != t) return true;
    std::copy_n(point_.delays().begin() + static_cast<std::ptrdiff_t>(n), n,
                there == t ? now_.begin() : was_.begin());
    return true;
  };
  if (!parts_->divide(t_old, t, note_delays)) return false;
  // Only now: they look at what was before the step.
  for (const DelayParts::Part& part : parts_->parts())
    history_.add(part.t_old, part.t, part.values, part.limits);
  for (const double kink : parts_->kinks()) note_break(kink, 0);
  limit_next_step(t - t_old);
  return true;
}

/// Solved for anew, what is continuous differs by rounding.
bool DelayLine::has_jumped(std::size_t k, double value) const {
  constexpr double rounding = 1e-9;
  if (point_.model().events().stepwise_delays[k]) return value != sent_[k];
  const double before = history_.last(k);
  return std::abs(value - before) > rounding * std::max(std::abs(value), std::abs(before));
}

void DelayLine::note_jump(std::size_t k, double delay) {
  const double t = point_.time();
  if (!is_constant_[k]) {
    arrivals_.insert(t + delay);
  } else if (jumps_[k].empty() || jumps_[k].back().sent < t) {
    jumps_[k].push_back({t, t + delay});
    show_past(k);
  }
}

void DelayLine::show_past(std::size_t k) {
  history_.show_between(k, passed_[k], jumps_[k].empty() ? infinity : jumps_[k].front().sent);
}

void DelayLine::note_arrivals() {
  const std::size_t n = history_.size();
  if (n == 0) return;
  const auto numbers = point_.delays();
  note_break(point_.time(), 0);
  for (std::size_t k = 0; k < n; ++k) {
    const bool stepwise = point_.model().events().stepwise_delays[k];
    if (!(stepwise || is_constant_[k]) || !has_jumped(k, numbers[k])) continue;
    sent_[k] = numbers[k];
    if (numbers[n + k] > (stepwise ? 0 : least_)) note_jump(k, numbers[n + k]);
  }
}

void DelayLine::pass_jumps() {
  arrivals_.erase(arrivals_.begin(), arrivals_.upper_bound(point_.time()));
  for (std::size_t k = 0; k < jumps_.size(); ++k) {
    std::vector<Jump>& jumps = jumps_[k];
    const auto left =
        std::ranges::find_if(jumps, [&](const Jump& jump) { return jump.arrives > point_.time(); });
    if (left == jumps.begin()) continue;
    passed_[k] = std::prev(left)->sent;
    jumps.erase(jumps.begin(), left);
    show_past(k);
  }
}

double DelayLine::next_arrival() {
  pass_jumps();
  double next = arrivals_.empty() ? infinity : *arrivals_.begin();
  for (const std::vector<Jump>& jumps : jumps_)
    if (!jumps.empty()) next = std::min(next, jumps.front().arrives);
  return next;
}

void DelayLine::exchange(Archive& archive) {
  jumps_.resize(point_.model().flat().delays.size());
  history_.exchange(archive);
  if (parts_) parts_->exchange(archive);
  std::vector<double> arrivals(arrivals_.begin(), arrivals_.end());
  for (std::vector<Jump>& jumps : jumps_) archive(jumps);
  archive(arrivals, sent_, passed_, varies_, is_constant_, longest_, least_, shortest_, now_, was_,
          next_limit_);
  arrivals_ = std::set<double>(arrivals.begin(), arrivals.end());
  std::vector<double> times;
  std::vector<int> levels;
  for (const auto& [time, level] : breaks_) {
    times.push_back(time);
    levels.push_back(level);
  }
  archive(times, levels);
  breaks_.clear();
  for (std::size_t i = 0; i < times.size(); ++i) breaks_.insert({times[i], levels[i]});
}

}  // namespace alembert::integrate
