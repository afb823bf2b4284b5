// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/mode_change.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/base/constants.hpp"

namespace alembert::integrate {

namespace {

/// The rounding error of a crossing function, relative to its size in the step.
constexpr double rounding = 1e-13;
/// The same relative to the sizes of its terms.
constexpr double rounding_of_terms = 1e-14;
/// An angle turns no more than this in a panel, a quarter: with the looks in it, parabolas through
/// them are near to sines, and to products of some of them.
constexpr double largest_turn = 1.5707963267948966;
/// What turns so often in a step that it needs more of them is followed no further.
constexpr double most_panels = 1e5;
/// How deep corners are followed that lie inside of others.
constexpr int most_nested = 3;

}  // namespace

ModeChange::ModeChange(ModelPoint& point)
    : point_(point),
      rounding_(point),
      n_modes_(point.model().hybrid().modes.size()),
      first_mode_(point.model().constants().modes),
      n_corners_(point.model().events().terms.shape().n_outputs -
                 point.model().hybrid().crossings.size()) {
  ignore({});
  const std::size_t size = n_modes_ + point.model().hybrid().crossings.size() + n_corners_;
  for (Sample& sample : samples_) sample.values.resize(size);
  for (Sample* sample : {&before_, &after_, &middle_}) sample->values.resize(size);
  noise_.resize(point.model().hybrid().crossings.size());
  measured_noise_.resize(noise_.size());
  sizes_.resize(noise_.size());
  terms_.resize(noise_.size() + n_corners_);
  was_beyond_noise_.resize(noise_.size());
  decided_at_.resize(noise_.size());
  changed_.reserve(n_modes_);
}

void ModeChange::ignore(std::span<const std::uint32_t> ignored) {
  searched_.clear();
  const auto& modes = point_.model().hybrid().modes;
  for (std::uint32_t k = 0; k < n_modes_; ++k)
    if (!modes[k].change_time.valid() &&
        std::find(ignored.begin(), ignored.end(), k) == ignored.end())
      searched_.push_back(k);
}

void ModeChange::begin(double t, std::span<const double> y) {
  if (!any()) return;
  state_.resize(y.size());
  samples_[0].t = t;
  look_here(t, y, samples_[0]);
  begin_of_leg_ = samples_[0];
  angles_at_ = std::numeric_limits<double>::quiet_NaN();
  note_decided();
}

/// An event may have decided a mode by what comes a moment later, before its crossing function gets
/// there. Notes the value that the function has then, or NaN where it agrees with the mode.
void ModeChange::note_decided() {
  std::fill(decided_at_.begin(), decided_at_.end(), std::numeric_limits<double>::quiet_NaN());
  const auto& modes = point_.model().hybrid().modes;
  for (const std::uint32_t k : searched_) {
    if (samples_[0].values[k] == point_.constants()[first_mode_ + k]) continue;
    for (auto c = modes[k].first_crossing; c < modes[k].first_crossing + modes[k].n_crossings; ++c)
      decided_at_[c] = samples_[0].values[n_modes_ + c];
  }
}

void ModeChange::look_here(double t, std::span<const double> y, Sample& sample) {
  const std::span<double> values(sample.values);
  point_.modes_at(t, y, values.first(values.size() - n_corners_));
  if (n_corners_ == 0) return;
  // They may need what follows from states; the point stays the guess that it was.
  held_.assign(point_.variables().begin(), point_.variables().end());
  if (point_.complete(t, y))
    point_.run(point_.model().events().terms, terms_);
  else
    std::ranges::fill(terms_, std::numeric_limits<double>::quiet_NaN());
  std::ranges::copy(std::span<const double>(terms_).last(n_corners_),
                    values.last(n_corners_).begin());
  std::ranges::copy(held_, point_.variables().begin());
}

bool ModeChange::look(const AcceptedStep& step, double t, Sample& sample) {
  sample.t = t;
  if (t == step.t)
    std::copy(step.y.begin(), step.y.end(), state_.begin());
  else if (!step.interpolate(t, state_))
    return false;
  look_here(t, state_, sample);
  return true;
}

/// True if the mode has another value there, by more than rounding. A crossing function that comes
/// to zero and stays there has changed it as well. One that was zero before has not, nor has one
/// that rests where an event decided it, such as a ramp that ends a rounding error below its limit.
bool ModeChange::changes(std::uint32_t k, const Sample& sample) const {
  const double held = point_.constants()[first_mode_ + k];
  if (sample.values[k] == held || !std::isfinite(sample.values[k])) return false;
  const structure::Mode& mode = point_.model().hybrid().modes[k];
  for (auto c = mode.first_crossing; c < mode.first_crossing + mode.n_crossings; ++c) {
    const double value = sample.values[n_modes_ + c];
    if (value == decided_at_[c]) return false;
    if (std::abs(value) <= noise_[c] && !was_beyond_noise_[c]) return false;
  }
  return true;
}

bool ModeChange::differs(const Sample& sample) const {
  return std::any_of(searched_.begin(), searched_.end(),
                     [&](std::uint32_t k) { return changes(k, sample); });
}

/// 0 where it has no value.
double ModeChange::note_size(std::size_t crossing, const Sample& sample) {
  const double size = std::abs(sample.values[n_modes_ + crossing]);
  if (!std::isfinite(size)) return 0;
  sizes_[crossing] = std::max(sizes_[crossing], size);
  return size;
}

/// The rounding error that each crossing function may have, by its size in this step.
void ModeChange::enlarge_noise(const Sample& sample) {
  for (std::size_t c = 0; c < noise_.size(); ++c)
    noise_[c] = std::max(noise_[c], rounding * note_size(c, sample));
}

/// If an equation keeps both sides of a comparison equal, as i = G v does for i <= G v, their
/// difference is nothing but rounding in its terms, and its own size says nothing. These are
/// measured when a mode seems to have changed; only their sizes count. begin: of the step.
bool ModeChange::differs_by_terms(const Sample& sample, const Sample& begin) {
  if (!differs(sample)) return false;
  point_.run(point_.model().events().terms, terms_);
  for (std::size_t c = 0; c < noise_.size(); ++c)
    if (std::isfinite(terms_[c])) noise_[c] = std::max(noise_[c], rounding_of_terms * terms_[c]);
  note_begin(begin);
  return differs(sample);
}

void ModeChange::note_begin(const Sample& begin) {
  for (std::size_t c = 0; c < noise_.size(); ++c) {
    const double value = begin.values[n_modes_ + c];
    was_beyond_noise_[c] = std::isfinite(value) && std::abs(value) > noise_[c];
  }
}

/// Where a crossing function without a change of sign may have touched zero between two looks.
std::optional<double> ModeChange::near_touch() const {
  const auto& modes = point_.model().hybrid().modes;
  std::optional<double> first;
  for (const std::uint32_t k : searched_)
    for (std::uint32_t c = modes[k].first_crossing;
         c < modes[k].first_crossing + modes[k].n_crossings; ++c)
      for (std::size_t i = 0; i + 2 < samples_.size(); ++i) {
        const double g0 = samples_[i].values[n_modes_ + c];
        const double g1 = samples_[i + 1].values[n_modes_ + c];
        const double g2 = samples_[i + 2].values[n_modes_ + c];
        if (!(g0 * g1 > 0) || !(g1 * g2 > 0)) continue;
        // Equidistant: g1 + b s + a s^2 for s in [-1, 1].
        const double a = (g0 + g2) / 2 - g1;
        const double b = (g2 - g0) / 2;
        if (a * g1 <= 0 || std::abs(b) > 2 * std::abs(a)) continue;
        const double lowest = g1 - b * b / (4 * a);
        if (lowest * g1 > 0 && std::abs(lowest) > 0.1 * std::abs(g1)) continue;
        const double half = samples_[i + 2].t - samples_[i + 1].t;
        const double t = samples_[i + 1].t - half * b / (2 * a);
        if (!first || t < *first) first = t;
      }
  return first;
}

/// The same for one with a corner, such as |x - a| - b, which parabolas do not see: if the line
/// through two looks passes zero before the next look, at which the sign is the same. The lowest
/// point is searched for by golden sections; the state and the modes there are in middle_.
std::optional<double> ModeChange::near_corner(const AcceptedStep& step) {
  constexpr double golden = 0.381966011250105;
  constexpr int most_looks = 80;
  const auto& modes = point_.model().hybrid().modes;
  for (std::size_t i = 0; i < n_looks; ++i)
    for (const std::uint32_t k : searched_)
      for (std::size_t c = n_modes_ + modes[k].first_crossing;
           c < n_modes_ + modes[k].first_crossing + modes[k].n_crossings; ++c) {
        const auto g = [&](std::size_t at) { return samples_[at].values[c]; };
        if (!(g(i) * g(i + 1) > 0)) continue;
        const double sign = g(i) > 0 ? 1 : -1;
        const bool from_left = i > 0 && sign * (2 * g(i) - g(i - 1)) <= 0;
        const bool from_right = i + 2 <= n_looks && sign * (2 * g(i + 1) - g(i + 2)) <= 0;
        if (!from_left && !from_right) continue;
        double begin = samples_[i].t, end = samples_[i + 1].t;
        double low = begin + golden * (end - begin), high = end - golden * (end - begin);
        double at_low = 0, at_high = 0;
        const auto found = [&](double t, double& value) {
          if (!look(step, t, middle_)) return false;
          value = sign * middle_.values[c];
          return differs_by_terms(middle_, samples_[0]);
        };
        // A function that only fades away has no lowest point inside.
        const double beside = 1e-6 * (end - begin);
        double inside = 0;
        if (found(begin + beside, inside)) return begin + beside;
        if (!(inside < sign * g(i))) continue;
        if (found(end - beside, inside)) return end - beside;
        if (!(inside < sign * g(i + 1))) continue;
        if (found(low, at_low)) return low;
        if (found(high, at_high)) return high;
        for (int n = 0; n < most_looks && begin < low && low < high && high < end; ++n) {
          if (at_low < at_high) {
            end = high, high = low, at_high = at_low;
            low = begin + golden * (end - begin);
            if (found(low, at_low)) return low;
          } else {
            begin = low, low = high, at_low = at_high;
            high = end - golden * (end - begin);
            if (found(high, at_high)) return high;
          }
        }
      }
  return std::nullopt;
}

/// Where a crossing function has a corner that is known, between two looks: the state and the modes
/// there are in middle_, if one differs.
std::optional<double> ModeChange::at_corner(const AcceptedStep& step) {
  if (n_corners_ == 0) return std::nullopt;
  for (std::size_t i = 0; i < n_looks; ++i)
    if (const auto found = at_corner(step, samples_[i], samples_[i + 1], most_nested)) return found;
  return std::nullopt;
}

/// What was isolated in `found`, or what happened at a corner before it. begin: the last look
/// before.
double ModeChange::before_corner(const AcceptedStep& step, const Sample& begin, double found) {
  const Sample just_before = before_;
  if (at_corner(step, begin, just_before, most_nested)) {
    before_ = begin;
    std::swap(after_, middle_);
    return isolate(step);
  }
  look(step, found, after_);
  return found;
}

/// By the Illinois method; every look on the way counts.
std::optional<double> ModeChange::at_corner(const AcceptedStep& step, const Sample& begin,
                                            const Sample& end, int depth) {
  constexpr int most_looks = 60;
  const std::size_t first = begin.values.size() - n_corners_;
  for (std::size_t j = first; j < begin.values.size(); ++j) {
    double low = begin.t, high = end.t;
    double at_low = begin.values[j], at_high = end.values[j];
    if (!(at_low * at_high < 0)) continue;
    int stays = 0;  // how often an end has stayed: < 0 the lower one
    for (int n = 0; n < most_looks && at_low != 0; ++n) {
      double t = low + (high - low) * (at_low / (at_low - at_high));
      if (n % 4 == 3 || !(t > low && t < high)) t = low + (high - low) / 2;
      if (!(t > low && t < high) || !look(step, t, middle_)) break;
      if (differs_by_terms(middle_, samples_[0])) return t;
      const double value = middle_.values[j];
      if (!std::isfinite(value) || value == 0) break;
      if (value * at_low > 0) {
        low = t, at_low = value;
        if (stays > 0) at_high /= 2;
        stays = 1;
      } else {
        high = t, at_high = value;
        if (stays < 0) at_low /= 2;
        stays = -1;
      }
      if (high - low <= 4 * eps * std::max(std::abs(low), std::abs(high))) break;
    }
    if (depth == 0 || n_corners_ < 2 || !(middle_.t > begin.t && middle_.t < end.t)) continue;
    const Sample corner = middle_;
    if (const auto found = at_corner(step, begin, corner, depth - 1)) return found;
    return at_corner(step, corner, end, depth - 1);
  }
  return std::nullopt;
}

/// A change in the first step of a leg may undo, by rounding alone, what the event before it has
/// decided. It does so if the crossing function is rounding at the beginning of the leg already and
/// all the way from there.
template <class Search>
std::optional<double> ModeChange::first_of_leg(const AcceptedStep& step, Search search) {
  const bool is_first = begin_of_leg_.t == step.t_old;
  std::optional<double> found = search();
  while (is_first && found) {
    const double time = after_.t;
    const double halfway = step.t_old + (time - step.t_old) / 2;
    if (!look(step, halfway, samples_[1]) || !look(step, time, after_)) break;
    if (!learn_noise({&begin_of_leg_, &samples_[1], &before_, &after_})) break;
    samples_[0] = begin_of_leg_;
    found = search();
  }
  begin_of_leg_.t = std::numeric_limits<double>::quiet_NaN();
  return found;
}

std::optional<double> ModeChange::find(const AcceptedStep& step) {
  return first_of_leg(step, [&] { return search(step); });
}

std::optional<double> ModeChange::find(const AcceptedStep& step, std::span<const double> looks) {
  return first_of_leg(step, [&] { return search(step, looks); });
}

bool ModeChange::read_angles(double t, std::span<const double> y, std::vector<double>& angles) {
  const compile::Kernel& kernel = point_.model().events().angles;
  angles.resize(kernel.shape().n_outputs);
  held_.assign(point_.variables().begin(), point_.variables().end());
  const bool complete = point_.complete(t, y);
  if (complete) point_.run(kernel, angles);
  std::ranges::copy(held_, point_.variables().begin());
  return complete;
}

/// What a crossing function takes the sine of may turn so far in the step that a few looks would
/// miss changes. In so many equal panels it turns by little.
double ModeChange::panels_for_angles(const AcceptedStep& step) {
  if (!point_.model().events().angles) return 1;
  angles_.swap(angles_before_);
  const bool is_known =
      angles_at_ == step.t_old || read_angles(step.t_old, step.y_old, angles_before_);
  const bool complete = is_known && read_angles(step.t, step.y, angles_);
  angles_at_ = complete ? step.t : std::numeric_limits<double>::quiet_NaN();
  if (!complete) return 1;
  double turn = 0;
  for (std::size_t k = 0; k < angles_.size(); ++k)
    if (const double by = std::abs(angles_[k] - angles_before_[k]); std::isfinite(by))
      turn = std::max(turn, by);
  return std::clamp(std::ceil(turn / largest_turn), 1.0, most_panels);
}

std::optional<double> ModeChange::search(const AcceptedStep& step) {
  noise_ = measured_noise_;
  const double n = panels_for_angles(step);
  if (n > 1 && look(step, step.t, samples_[n_looks])) enlarge_noise(samples_[n_looks]);
  for (double i = 1; i <= n; ++i) {
    const double end = i == n ? step.t : step.t_old + (step.t - step.t_old) * i / n;
    if (const auto found = search_panel(step, end)) return found;
    std::swap(samples_[0], samples_[n_looks]);
  }
  return std::nullopt;
}

/// From samples_[0] to a time of the step; if nothing is found, the last sample is there.
std::optional<double> ModeChange::search_panel(const AcceptedStep& step, double end) {
  const double begin = samples_[0].t;
  for (std::size_t i = 1; i <= n_looks; ++i) {
    const double t = i == n_looks ? end : begin + (end - begin) * double(i) / double(n_looks);
    if (!look(step, t, samples_[i])) samples_[i].values = samples_[i - 1].values;
  }
  for (const Sample& sample : samples_) enlarge_noise(sample);
  note_begin(samples_[0]);
  for (std::size_t i = 1; i <= n_looks; ++i) {
    if (!differs_by_terms(samples_[i], samples_[0])) continue;
    for (std::size_t k = 0; n_corners_ > 0 && k + 1 < i; ++k)
      if (at_corner(step, samples_[k], samples_[k + 1], most_nested)) {
        before_ = samples_[k];
        std::swap(after_, middle_);
        return isolate(step);
      }
    before_ = samples_[i - 1];
    after_ = samples_[i];
    const double found = isolate(step);
    return n_corners_ == 0 ? found : before_corner(step, samples_[i - 1], found);
  }
  std::optional<double> touch = near_touch();
  if (touch && !(*touch > begin && *touch < end && look(step, *touch, middle_) &&
                 differs_by_terms(middle_, samples_[0])))
    touch.reset();
  if (!touch) touch = at_corner(step);
  if (!touch) touch = near_corner(step);
  if (!touch) return std::nullopt;
  std::size_t i = 0;
  while (i < n_looks && samples_[i + 1].t < *touch) ++i;
  std::swap(before_, samples_[i]);
  std::swap(after_, middle_);
  return isolate(step);
}

std::optional<double> ModeChange::search(const AcceptedStep& step, std::span<const double> looks) {
  std::swap(before_, samples_[0]);
  noise_ = measured_noise_;
  enlarge_noise(before_);
  if (look(step, step.t, after_)) enlarge_noise(after_);
  note_begin(before_);
  samples_[1] = before_;  // the start of the step, while before_ moves on
  for (const double t : looks) {
    if (!look(step, t, after_)) continue;
    if (differs_by_terms(after_, samples_[1])) return isolate(step);
    std::swap(before_, after_);
  }
  std::swap(samples_[0], before_);
  return std::nullopt;
}

bool ModeChange::contradicts_slopes(const AcceptedStep& step) {
  constexpr double little = 1e-3, much = 100;
  const double by = little * (step.t - step.t_old);
  const auto& modes = point_.model().hybrid().modes;
  slopes_.resize(state_.size());
  if (!point_.derivatives(after_.t, state_.data(), slopes_.data())) return false;
  ahead_.resize(state_.size());
  for (std::size_t i = 0; i < ahead_.size(); ++i) ahead_[i] = state_[i] + by * slopes_[i];
  look_here(after_.t + by, ahead_, middle_);
  const bool against = std::ranges::any_of(changed_, [&](std::uint32_t k) {
    if (modes[k].n_crossings != 1) return false;
    const std::size_t c = modes[k].first_crossing;
    const double before = before_.values[n_modes_ + c], found = after_.values[n_modes_ + c];
    const double moved = middle_.values[n_modes_ + c] - found;
    const double side = found != 0 ? found : -before;
    if (!(side * moved < 0) || std::abs(moved) <= noise_[c]) return false;
    // One that jumps, as an angle does after a turn, may well come back. Rounding seems to jump
    // too.
    const double jump = std::abs(found - before);
    return jump <= std::max(std::abs(moved), little * sizes_[c]) ||
           jump <= much * rounding_.measure(after_.t + by, ahead_)[c];
  });
  point_.enter(after_.t, state_.data());
  return against;
}

bool ModeChange::differs_at(const AcceptedStep& step, double t) {
  if (!look(step, t, after_)) return false;
  changed_.clear();
  for (const std::uint32_t k : searched_)
    if (std::isfinite(after_.values[k]) && after_.values[k] != point_.constants()[first_mode_ + k])
      changed_.push_back(k);
  return !changed_.empty();
}

/// True if the crossing functions of a mode that changed were nothing but rounding in all of these
/// samples, and that was not known.
bool ModeChange::learn_noise(std::initializer_list<const Sample*> samples) {
  const auto& modes = point_.model().hybrid().modes;
  const std::span<const double> noise = rounding_.measure(after_.t, state_);
  bool learned = false;
  for (const std::uint32_t k : changed_)
    for (auto c = modes[k].first_crossing; c < modes[k].first_crossing + modes[k].n_crossings;
         ++c) {
      const auto is_within = [&](const Sample* sample) {
        return std::abs(sample->values[n_modes_ + c]) <= noise[c];
      };
      if (noise[c] <= measured_noise_[c] || !std::ranges::all_of(samples, is_within)) continue;
      measured_noise_[c] = noise[c];
      learned = true;
    }
  return learned;
}

/// The earliest zero of a straight line through the crossing functions of the modes that changed.
double ModeChange::secant(double weight_before, double weight_after) const {
  const auto& modes = point_.model().hybrid().modes;
  double earliest = infinity;
  for (const std::uint32_t k : searched_) {
    if (!changes(k, after_)) continue;
    for (std::uint32_t c = modes[k].first_crossing;
         c < modes[k].first_crossing + modes[k].n_crossings; ++c) {
      const double g0 = weight_before * before_.values[n_modes_ + c];
      const double g1 = weight_after * after_.values[n_modes_ + c];
      if (!(g0 * g1 <= 0) || g0 == g1) continue;
      earliest = std::min(earliest, before_.t + (after_.t - before_.t) * (g0 / (g0 - g1)));
    }
  }
  return earliest;
}

double ModeChange::isolate(const AcceptedStep& step) {
  constexpr double n_eps = 2;
  isolate_change(before_, after_, middle_, roundings_of_time(n_eps, before_, after_),
                 {.secant = [&](double before, double after) { return secant(before, after); },
                  .look = [&](double t, Sample& sample) { return look(step, t, sample); },
                  .is_after = [&](const Sample& sample) { return differs(sample); }});
  changed_.clear();
  for (const std::uint32_t k : searched_)
    if (changes(k, after_)) changed_.push_back(k);
  const double found = after_.t;
  look(step, found, after_);
  return found;
}

}  // namespace alembert::integrate
