// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/clock_ticks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/compile/model/model_clocks.hpp"

namespace alembert::integrate {

namespace {

constexpr int most_rounds = 200;  // of event clocks that set each other off
/// Of the base of clocks that tick at times, rather than at events.
constexpr auto no_counter = compile::ClockedKernels::none;

bool has_period(const compile::ClockedKernels& kernels, const flat::ClockedPart& part,
                std::uint64_t base) {
  return kernels.count_of_base[base] == no_counter && !part.bases[base].varies;
}

/// At the present time, but for rounding.
bool is_due(double time, double now) { return time <= now + 4 * eps * std::abs(now); }

}  // namespace

ClockTicks::ClockTicks(ModelPoint& point, double start) : point_(point), start_(start) {
  const flat::ClockedPart* part = compile::clocked_part(point.model());
  if (part == nullptr) return;
  const compile::ClockedKernels& kernels = point.model().events().clocked;
  std::size_t most =
      std::max(kernels.samples.shape().workspace_size, kernels.intervals.shape().workspace_size);
  std::size_t most_values = 0;
  for (const auto& segment : kernels.segments) {
    most = std::max<std::size_t>(most, segment.kernel.shape().workspace_size);
    most_values = std::max(most_values, segment.variables.size());
  }
  work_ = compile::AlignedDoubles(most);
  values_.resize(most_values);
  samples_.resize(part->samples.size());
  ticking_.resize(part->clocks.size());
  counts_.assign(part->bases.size(), 0);
  intervals_.resize(part->bases.size());
  point_.run(kernels.intervals, intervals_, work_);
  for (std::size_t b = 0; b < intervals_.size(); ++b)
    if (part->bases[b].varies)
      varying_.push_back({.base = b, .next_time = start});
    else if (kernels.count_of_base[b] == no_counter &&
             !(intervals_[b] > 0 && intervals_[b] < infinity))
      throw Error("I007",
                  "a clock has the interval " + number_text(intervals_[b]) +
                      ". Intervals must be positive.",
                  part->bases[b].origin);
  for (std::size_t k = 0; k < part->clocks.size(); ++k) {
    Clock clock;
    clock.base = part->clocks[k].base;
    const bool is_periodic = has_period(kernels, *part, clock.base);
    if (!is_periodic) {
      clock.next_count = 1 + part->clocks[k].first.value();
      clock.next_time = infinity;
    }
    clocks_.push_back(clock);
    if (is_periodic) clocks_[k].next_time = time_of_tick(k, 0);
  }
}

/// The same number wherever two clocks of one base tick together.
double ClockTicks::time_of_tick(std::size_t clock, double k) const {
  const flat::Clock& given = compile::clocked_part(point_.model())->clocks[clock];
  const auto count = symbolic::Number::integer(static_cast<std::int64_t>(k));
  const symbolic::Number ticks = given.first + count * given.step;
  const double interval = intervals_[given.base];
  if (!ticks.is_exact()) return start_ + ticks.value() * interval;
  return start_ + static_cast<double>(ticks.numerator()) * interval /
                      static_cast<double>(ticks.denominator());
}

double ClockTicks::next() const {
  double first = infinity;
  for (const Clock& clock : clocks_) first = std::min(first, clock.next_time);
  for (const VaryingBase& base : varying_) first = std::min(first, base.next_time);
  return first;
}

bool ClockTicks::has_events() const {
  if (clocks_.empty()) return false;
  const compile::ClockedKernels& kernels = point_.model().events().clocked;
  const std::size_t first = point_.model().constants().discretes;
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    const std::uint32_t counter = kernels.count_of_base[b];
    if (counter != no_counter && point_.constants()[first + counter] != counts_[b]) return true;
  }
  return false;
}

void ClockTicks::look() {
  if (clocks_.empty()) return;
  n_rounds_ = 0;
  take_samples();
}

void ClockTicks::take_samples() {
  point_.run(point_.model().events().clocked.samples, samples_, work_);
}

bool ClockTicks::tick_timed() {
  if (clocks_.empty()) return false;
  const double now = point_.time();
  std::fill(ticking_.begin(), ticking_.end(), 0);
  bool any = false;
  count_varying();
  for (std::size_t k = 0; k < clocks_.size(); ++k) {
    if (is_due(clocks_[k].next_time, now)) ticking_[k] = 1;
    any = any || ticking_[k];
  }
  const std::vector<double> before = varying_intervals();
  if (any) solve();
  plan_varying(before);
  return any;
}

/// Which clocks tick with a base whose interval varies.
void ClockTicks::count_varying() {
  const double now = point_.time();
  for (VaryingBase& base : varying_) {
    if (!is_due(base.next_time, now)) continue;
    base.n_ticks += 1;
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
      Clock& clock = clocks_[k];
      if (clock.base != base.base) continue;
      if (clock.n_ticks > 0) clock.waited += intervals_[base.base];
      if (base.n_ticks < clock.next_count) continue;
      clock.next_count += compile::clocked_part(point_.model())->clocks[k].step.value();
      ticking_[k] = 1;
    }
  }
}

std::vector<double> ClockTicks::varying_intervals() {
  const double now = point_.time();
  if (std::ranges::none_of(varying_, [&](const auto& base) { return is_due(base.next_time, now); }))
    return {};
  std::vector<double> intervals(intervals_.size());
  point_.run(point_.model().events().clocked.intervals, intervals, work_);
  return intervals;
}

/// After the tick: what was computed in it, or was there before it, says when the next one is.
void ClockTicks::plan_varying(std::span<const double> before) {
  bad_interval_.reset();
  if (before.empty()) return;
  const double now = point_.time();
  const std::vector<double> after = varying_intervals();
  const auto& bases = compile::clocked_part(point_.model())->bases;
  for (VaryingBase& base : varying_) {
    if (!is_due(base.next_time, now)) continue;
    const double interval = bases[base.base].by_previous ? before[base.base] : after[base.base];
    intervals_[base.base] = interval;
    base.next_time = infinity;
    if (!(interval > 0)) {
      bad_interval_ = interval;
      continue;
    }
    // Sums of many intervals lose nothing that two numbers can hold.
    const double sum = base.elapsed + interval;
    const double added = sum - base.elapsed;
    base.rest += (base.elapsed - (sum - added)) + (interval - added);
    base.elapsed = sum;
    base.next_time = start_ + (base.elapsed + base.rest);
  }
}

bool ClockTicks::tick_events() {
  if (clocks_.empty()) return false;
  const compile::ClockedKernels& kernels = point_.model().events().clocked;
  const auto& layout = point_.model().constants();
  std::fill(ticking_.begin(), ticking_.end(), 0);
  bool any = false;
  for (std::size_t k = 0; k < clocks_.size(); ++k) {
    Clock& clock = clocks_[k];
    const std::uint32_t counter = kernels.count_of_base[clock.base];
    if (counter == no_counter) continue;
    const double count = point_.constants()[layout.discretes + counter];
    if (count == counts_[clock.base] || count < clock.next_count) continue;
    clock.next_count += compile::clocked_part(point_.model())->clocks[k].step.value();
    ticking_[k] = 1;
    any = true;
  }
  for (std::size_t b = 0; b < counts_.size(); ++b)
    if (kernels.count_of_base[b] != no_counter)
      counts_[b] = point_.constants()[layout.discretes + kernels.count_of_base[b]];
  if (!any) return false;
  ++n_rounds_;
  const std::vector<double> before = samples_;
  take_samples();
  const std::vector<double> now = std::exchange(samples_, before);
  solve();
  samples_ = now;
  return true;
}

/// For the clocks of `ticking_`.
void ClockTicks::solve() {
  const compile::ClockedKernels& kernels = point_.model().events().clocked;
  const auto& layout = point_.model().constants();
  const flat::ClockedPart& part = *compile::clocked_part(point_.model());
  const auto constants = point_.constants();
  const double now = point_.time();
  std::copy(samples_.begin(), samples_.end(), constants.begin() + layout.clocked_samples);
  for (std::size_t k = 0; k < clocks_.size(); ++k) {
    if (!ticking_[k]) continue;
    Clock& clock = clocks_[k];
    const bool is_periodic = has_period(kernels, part, clock.base);
    double interval = intervals_[clock.base];
    if (is_periodic)
      interval *= part.clocks[k].step.value();
    else if (clock.n_ticks > 0)
      interval = part.bases[clock.base].varies ? clock.waited : now - clock.last_time;
    constants[layout.clock_intervals + k] = interval;
    constants[layout.first_ticks + k] = clock.n_ticks == 0;
    clock.n_ticks += 1;
    clock.last_time = now;
    clock.waited = 0;
    if (is_periodic) clock.next_time = time_of_tick(k, clock.n_ticks);
  }
  missing_.clear();
  for (const auto& segment : kernels.segments) {
    if (!ticking_[segment.clock]) continue;
    const std::span<double> values(values_.data(), segment.variables.size());
    point_.run(segment.kernel, values, work_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      constants[layout.discretes + segment.variables[i]] = values[i];
      if (!std::isfinite(values[i])) missing_.push_back(segment.variables[i]);
    }
  }
  for (std::size_t k = 0; k < clocks_.size(); ++k)
    if (ticking_[k])
      for (const std::uint32_t v : kernels.variables_of_clock[k])
        constants[layout.previous_discretes + v] = constants[layout.discretes + v];
}

std::string ClockTicks::explain() const {
  if (!missing_.empty())
    return point_.model().describe_discretes(missing_) +
           " cannot be computed from the clocked equations at this tick.";
  if (bad_interval_)
    return "a clock gives itself the interval " + rounded_text(*bad_interval_) +
           " at this tick. Intervals must be positive.";
  if (n_rounds_ > most_rounds) return "event clocks set each other off without end at one instant.";
  return {};
}

void ClockTicks::exchange(Archive& archive) {
  archive(clocks_, varying_, intervals_, counts_, samples_);
}

}  // namespace alembert::integrate
