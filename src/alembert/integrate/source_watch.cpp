// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/source_watch.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/compile/model/source_kernels.hpp"

namespace alembert::integrate {

namespace {

constexpr double quarter = 1.5707963267948966;  // of a period
/// Radians before a multiple of it.
constexpr double beside = 0.02;
/// Of a quarter, or of the way to the next row: as good as its end.
constexpr double reached = 1e-4;
/// Of more sines than this, with phases of their own, steps do not end at each; they are no longer
/// than this part of the shortest quarter.
constexpr std::size_t most_phases = 8;
constexpr double shortest_part = 0.25;
/// Of all that a source has changed by so far: what counts as much, and as a turn.
constexpr double much = 0.5;
constexpr double little = 0.05;
/// Of the size of a source: what does not count.
constexpr double nothing = 1e-6;
/// More than these in a run are not for steps to follow one by one: a source of 200 MHz in a run of
/// a second has died away, or is meant to be averaged.
constexpr double most_quarters = 1e6;
/// Over this part of the run the speed of an angle is measured.
constexpr double moment = 1e-7;

}  // namespace

SourceWatch::SourceWatch(const compile::SourceKernels& kernels, Range range)
    : kernels_(kernels),
      range_(range),
      workspace_(
          std::max(kernels.angles.shape().workspace_size, kernels.others.shape().workspace_size)),
      angles_(kernels.angles.shape().n_outputs),
      later_(angles_.size()),
      values_(kernels.others.shape().n_outputs),
      sources_(values_.size()),
      lows_(values_.size()),
      highs_(values_.size()) {}

void SourceWatch::evaluate(const compile::Kernel& kernel, double t, std::span<double> out) {
  kernel(&t, constants_.data(), out.data(), workspace_.data());
}

void SourceWatch::begin(double t, std::span<const double> constants) {
  const bool is_same = t == begin_;  // a leg that is taken up again
  constants_ = constants;
  begin_ = knot_ = t;
  if (sources_.empty()) return;
  i_ = std::floor((t - range_.start) / range_.between);
  evaluate(kernels_.others, t, values_);
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    const double value = values_[k];
    if (first_) lows_[k] = highs_[k] = value;
    // How far it went before counts: legs may be as short as a row.
    else if (!is_same)
      lows_[k] = sources_[k].low, highs_[k] = sources_[k].high;
    sources_[k] = {value, value, value, std::min(lows_[k], value), std::max(highs_[k], value)};
  }
  first_ = false;
  read_next_row();
}

/// Of the row after the one under way.
void SourceWatch::read_next_row() {
  evaluate(kernels_.others, row(i_ + 1), values_);
  for (std::size_t k = 0; k < sources_.size(); ++k) sources_[k].next = values_[k];
}

/// At the row under way.
bool SourceWatch::turns_or_changes() const {
  return std::ranges::any_of(sources_, [](const Source& s) {
    const double moved = std::abs(s.now - s.at_knot), range = s.high - s.low;
    const double size = std::max(std::abs(s.high), std::abs(s.low));
    if (!(moved > nothing * size)) return false;
    const bool turns = (s.now - s.at_knot) * (s.next - s.now) < 0;
    return moved > much * range || (turns && moved > little * range);
  });
}

void SourceWatch::find_knot(double t) {
  const double here = t + reached * range_.between;
  while (knot_ <= here && knot_ < range_.stop) {
    i_ += 1;
    for (Source& s : sources_) {
      s.now = s.next;
      if (!std::isfinite(s.now)) continue;
      s.low = std::min(s.low, s.now);
      s.high = std::max(s.high, s.now);
    }
    if (row(i_) >= range_.stop) {
      knot_ = infinity;
      return;
    }
    read_next_row();
    if (!turns_or_changes()) continue;
    knot_ = row(i_);
    for (Source& s : sources_) s.at_knot = s.now;
  }
}

/// To the next quarter of each, by the speed that the angle has here. A little before it: driven
/// mechanisms have their dead points there, which steps go over.
double SourceWatch::limit_by_angles(double t) {
  if (angles_.empty()) return infinity;
  const double ahead = moment * (range_.stop - range_.start);
  evaluate(kernels_.angles, t, angles_);
  evaluate(kernels_.angles, t + ahead, later_);
  double limit = infinity, shortest = infinity;
  for (std::size_t k = 0; k < angles_.size(); ++k) {
    const double turned = later_[k] - angles_[k];
    if (!std::isfinite(turned) || turned == 0) continue;
    const double lasts = quarter * ahead / std::abs(turned);
    if (lasts * most_quarters < range_.stop - range_.start) {
      shortest_left_out_ = std::min(shortest_left_out_, 4 * lasts);
      continue;
    }
    const double quarters = (angles_[k] + std::copysign(beside, turned)) / quarter;
    const double part = quarters - std::floor(quarters);
    const double way = turned > 0 ? 1 - part : part;
    limit = std::min(limit, (way > reached ? way : way + 1) * lasts);
    shortest = std::min(shortest, lasts);
  }
  return angles_.size() > most_phases ? shortest_part * shortest : limit;
}

void SourceWatch::exchange(Archive& archive) {
  archive(first_, begin_, lows_, highs_, shortest_left_out_);
}

double SourceWatch::limit(double t) {
  if (!sources_.empty()) find_knot(t);
  const double by_rows = sources_.empty() ? infinity : knot_ - t;
  return std::min(by_rows, limit_by_angles(t));
}

}  // namespace alembert::integrate
