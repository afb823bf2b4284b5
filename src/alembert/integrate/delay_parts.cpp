// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/delay_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/compile/model/compiled_model.hpp"

namespace alembert::integrate {

namespace {

/// The part of the tolerance to which polynomials agree with the model. What is coarse may still be
/// large, and nothing is known better than to rounding errors of what is solved for.
double agreement(double tolerance) { return std::clamp(0.1 * tolerance, 1e-12, 1e-6); }
/// Between points, where polynomials through them are worst, and not as far from the middle: else
/// what is odd or even about it would agree twice.
constexpr std::array<double, 2> looks = {0.40245, 0.77779};
/// A part is halved no more often.
constexpr int deepest = 12;
/// Each division costs one of these, and each step earns some back: noise is not to be followed.
constexpr double most_patience = 20000;
constexpr double patience_a_step = 20;
/// Of a part that had to be divided: so much of it may be gone over by one step. It may be as long
/// as half a period, and a sine is zero at both its ends.
constexpr double share_of_divided = 0.5;
/// What is so far from a straight line, as a part of the size of what is delayed, is not to be gone
/// over together with what came after it.
constexpr double bent = 0.1;

}  // namespace

DelayParts::DelayParts(ModelPoint& point, double tolerance, SourceWatch::Range range)
    : point_(point),
      kernels_(point.model().delayed()),
      n_(point.model().flat().delays.size()),
      tolerance_(agreement(tolerance)),
      values_(n_),
      is_bad_(n_),
      largest_(n_),
      noise_(kernels_.kinks.shape().n_outputs),
      patience_(most_patience),
      work_(kernels_.kinks.shape().workspace_size) {
  sources_.emplace(kernels_.sources, range);
  if (!sources_->any()) sources_.reset();
  for (Sample& sample : samples_) sample.values.resize(noise_.size());
  for (Sample* sample : {&before_, &after_, &middle_}) sample->values.resize(noise_.size());
}

void DelayParts::begin_leg(double t) {
  if (sources_) sources_->begin(t, point_.constants());
}

bool DelayParts::look(double t, Sample& sample) {
  constexpr double rounding = 1e-13;
  if (!complete_(t)) return false;
  const auto numbers = point_.delays();
  std::copy_n(numbers.begin(), n_, values_.begin());
  for (std::size_t k = 0; k < n_; ++k) largest_[k] = std::max(largest_[k], std::abs(values_[k]));
  sample.t = t;
  if (noise_.empty()) return true;
  point_.run(kernels_.kinks, sample.values, work_);
  for (std::size_t k = 0; k < noise_.size(); ++k)
    noise_[k] = std::max(noise_[k], rounding * std::abs(sample.values[k]));
  return true;
}

bool DelayParts::fill(Part& part) {
  part.values.resize(n_points * n_);
  for (std::size_t i = 0; i < n_points; ++i) {
    const bool last = i + 1 == n_points;
    const double there =
        last ? part.t : part.t_old + (part.t - part.t_old) * DelayHistory::place(i);
    if (!look(there, samples_[i])) return false;
    std::copy(values_.begin(), values_.end(),
              part.values.begin() + static_cast<std::ptrdiff_t>(i * n_));
  }
  return true;
}

/// The first one in the part that was filled last: from before_ to after_.
bool DelayParts::bracket_kink() {
  const auto sign = [&](std::size_t i, std::size_t k) {
    const double value = samples_[i].values[k];
    return std::abs(value) <= noise_[k] ? 0 : value < 0 ? -1 : 1;
  };
  for (std::size_t i = 1; i < n_points; ++i)
    for (std::size_t k = 0; k < noise_.size(); ++k) {
      std::size_t j = i - 1;
      while (j > 0 && sign(j, k) == 0) --j;
      if (sign(j, k) * sign(i, k) >= 0) continue;
      before_ = samples_[j];
      after_ = samples_[i];
      return true;
    }
  return false;
}

bool DelayParts::find_kink(const Part& part) {
  if (!bracket_kink()) return false;
  constexpr double n_eps = 4;
  isolate_change(
      before_, after_, middle_, roundings_of_time(n_eps, before_, after_),
      {.secant = [&](double before,
                     double after) { return earliest_zero(before_, after_, before, after); },
       .look = [&](double t, Sample& sample) { return look(t, sample); },
       .is_after =
           [&](const Sample& sample) {
             for (std::size_t k = 0; k < noise_.size(); ++k) {
               const double a = before_.values[k];
               if (a * after_.values[k] < 0 && a * sample.values[k] <= 0) return true;
             }
             return false;
           }});
  // Between these two nothing is kept.
  constexpr double beside = 1e-9;
  return before_.t > part.t_old && after_.t < part.t &&
         after_.t - before_.t <= beside * (part.t - part.t_old);
}

/// Marks what the polynomials of a part do not tell.
bool DelayParts::find_bad(const Part& part) {
  std::ranges::fill(is_bad_, 0);
  for (const double place : looks) {
    if (!look(part.t_old + place * (part.t - part.t_old), middle_)) return false;
    for (std::size_t k = 0; k < n_; ++k) {
      std::array<double, n_points> nodes;
      for (std::size_t i = 0; i < n_points; ++i) nodes[i] = part.values[i * n_ + k];
      const double off = std::abs(DelayHistory::interpolate(nodes, place) - values_[k]);
      if (off > tolerance_ * largest_[k]) is_bad_[k] = 1;
    }
  }
  return true;
}

/// Where what is delayed turns, steps that look at it are no longer than the part.
void DelayParts::limit_where_bent(Part& part) const {
  for (std::size_t k = 0; k < n_; ++k) {
    const double first = part.values[k], last = part.values[(n_points - 1) * n_ + k];
    for (std::size_t i = 1; i + 1 < n_points; ++i) {
      const double straight = first + DelayHistory::place(i) * (last - first);
      if (std::abs(part.values[i * n_ + k] - straight) > bent * largest_[k])
        part.limits[k] = std::min(part.limits[k], part.t - part.t_old);
    }
  }
}

bool DelayParts::divide_part(Part part, int depth) {
  if (!fill(part)) return false;
  if (patience_ >= 1 && find_kink(part)) {
    patience_ -= 1;
    const double before = before_.t, after = after_.t;
    if (!divide_part({part.t_old, before, part.limits}, depth)) return false;
    kinks_.push_back(after);
    return divide_part({after, part.t, part.limits}, depth);
  }
  gave_up_ = gave_up_ || patience_ < 1;
  const double middle = 0.5 * (part.t_old + part.t);
  const bool may_divide =
      patience_ >= 1 && depth < deepest && middle > part.t_old && middle < part.t;
  if (may_divide && !find_bad(part)) return false;
  if (!may_divide || std::ranges::find(is_bad_, 1) == is_bad_.end()) {
    limit_where_bent(part);
    parts_.push_back(std::move(part));
    return true;
  }
  patience_ -= 1;
  for (std::size_t k = 0; k < n_; ++k)
    if (is_bad_[k]) part.limits[k] = share_of_divided * (part.t - middle);
  return divide_part({part.t_old, middle, part.limits}, depth + 1) &&
         divide_part({middle, part.t, part.limits}, depth + 1);
}

bool DelayParts::divide(double t_old, double t, Complete complete) {
  constexpr double sliver = 1e-3;
  complete_ = complete;
  parts_.clear();
  kinks_.clear();
  patience_ = std::min(patience_ + patience_a_step, most_patience);
  while (t_old < t) {
    const double way = sources_ ? sources_->limit(t_old) : infinity;
    const double end = t - t_old > (1 + sliver) * way ? t_old + way : t;
    if (!divide_part({t_old, end, std::vector<double>(n_, way)}, 0)) return false;
    t_old = end;
  }
  return true;
}

void DelayParts::exchange(Archive& archive) {
  archive(largest_, noise_, patience_, gave_up_);
  if (sources_) sources_->exchange(archive);
}

}  // namespace alembert::integrate
