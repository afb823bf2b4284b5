// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/taylor_stepper.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/base/constants.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {

namespace {

/// Pivots that are worse than this beside their rows are chosen again.
constexpr double poor_pivot = 1e-3;
/// Newton's iteration has arrived when a step changes no value by more than this part: the next
/// would change it by the square.
constexpr double arrived = 1e-8;
constexpr int most_corrections = 12;
constexpr int most_trials = 100;
/// A step should not end where constraints are this close to dependent, unless they are so all the
/// time: from beside a singular configuration there is no good way on. So many others are tried.
constexpr double good_pivot = 0.03;
/// What is left, a step later, of how good pivots have been: with short steps they fall little by
/// little, and are to be judged by what they were before.
constexpr double memory = 0.99;
constexpr int most_elsewhere = 8;
/// Rows of the matrix depend on each other where what is left of one has fallen to this part of
/// what it was of late.
constexpr double fallen = 0.1;
/// The tolerance of a step over such a configuration may be looser than asked for, up to the first;
/// where steps have become shorter than a part of what they were, up to the second.
constexpr double loose = 1e-9;
constexpr double loosest = 1e-6;
constexpr double crawling = 0.3;
constexpr double step_memory = 0.9;
/// Which of several solutions an unknown without derivatives is on, its series has to tell where it
/// does not follow from the states: as exactly as this.
constexpr double same_branch = 1e-4;
/// In units of the tolerance: a trial point farther from the constraints is not believed.
constexpr double most_misfit = 10;
/// Of the same, what the step times a slope is off by.
constexpr double slope_counts = 0.1;
/// Of the series of a comparison, by a factor of 0.7 each.
constexpr int most_shortenings = 200;
/// Orders change by so many stages, after so many steps, where that leads farther by this part:
/// every order is a kernel of its own, which has to be compiled.
constexpr std::uint32_t order_change = 4;
constexpr std::uint32_t steps_to_judge = 17;
constexpr std::uint32_t steps_a_look = 4;
constexpr double better_by = 0.1;
constexpr std::uint32_t least_stages = 6;

double branch_looseness(const Tolerances& tolerances, double looser) {
  return std::max(looser, same_branch / tolerances.relative);
}

/// Of a step, but for a factor: products of series, and what does not depend on the order.
double cost_of(double n_stages) { return (n_stages + 10) * (n_stages + 10); }

}  // namespace

std::uint32_t taylor_stages(double tolerance) {
  const double digits = -0.5 * std::log(std::clamp(tolerance, 1e-17, 1e-1));
  return static_cast<std::uint32_t>(std::ceil(digits)) + 3;
}

const MethodInfo TaylorStepper::info = {.name = "taylor",
                                        .order = 20,
                                        .error_order = 19,
                                        .dense_order = 20,
                                        .step_choice = StepChoice::own,
                                        .tells_looks = true,
                                        .starts_anew = true};

TaylorStepper::TaylorStepper(const compile::SeriesModel& model, std::span<const double> constants,
                             double tolerance, std::uint32_t n_stages)
    : ModelStepper(model.n_values()),
      model_(model),
      constants_(constants),
      adapts_order_(n_stages == 0),
      trial_(model.n_values()),
      inputs_(1 + model.n_values() + model.n_branches()),
      corrected_(model.n_values() + 1),
      derivatives_(2 * (model.n_hidden_stages() + 1)),
      highest_(model.chains().size() + 1),
      largest_terms_(model.n_hidden_stages() + 2),
      roots_(model.most_stages() + 1) {
  system_.n = model.n_values();
  by_length_.resize(model.chains().size());
  std::iota(by_length_.begin(), by_length_.end(), 0u);
  std::ranges::stable_sort(by_length_, {},
                           [&](std::uint32_t j) { return model.chains()[j].place.size(); });
  set_stages(std::min(n_stages > 0 ? n_stages : taylor_stages(tolerance), model.most_stages()));
}

void TaylorStepper::set_stages(std::uint32_t n_stages) {
  n_stages_ = wanted_stages_ = n_summed_ = n_stages;
  kernels_ = nullptr;
  fewer_ = more_ = 0;
  n_judged_ = 0;
  std::uint32_t size = 0;
  first_.clear();
  for (const auto& chain : model_.chains()) {
    first_.push_back(size);
    size += chain.highest() + n_stages_ + 1;
  }
  coefficients_.resize(size);
  const std::size_t n_series = model_.n_crossings() + model_.n_branches();
  outputs_.resize(model_.chains().size() * n_stages_ + 1 + n_series * (n_stages_ + 1));
  looks_.reserve(1 + 2 * n_series * n_stages_);
  changing_.reserve(model_.n_branches());
}

/// Fewer stages are judged by the coefficients that are there. How much farther more would lead
/// follows from both, if coefficients go on as they do: log h = a - b / order.
void TaylorStepper::judge_order(const Tolerances& tolerances, double longest) {
  const std::uint32_t few = n_stages_ - order_change, many = n_stages_ + order_change;
  if (!adapts_order_ || n_stages_ < least_stages + order_change || !std::isfinite(longest)) return;
  if (n_judged_++ % steps_a_look != 0) return;
  Attempt unused;
  const double shorter = longest_step(tolerances, few, unused);
  if (!(shorter > 0) || !std::isfinite(shorter)) return;
  const auto order = [&](double stages) { return stages + model_.n_hidden_stages(); };
  const double b = std::log(longest / shorter) / (1 / order(few) - 1 / order(n_stages_));
  const double growth = b * (1 / order(n_stages_) - 1 / order(many));
  fewer_ += std::log(shorter / longest * cost_of(n_stages_) / cost_of(few));
  more_ += growth + std::log(cost_of(n_stages_) / cost_of(many));
  if (n_judged_ < steps_to_judge) return;
  const double n_looks = 1 + double(n_judged_ - 1) / steps_a_look;
  const double fewer = fewer_ / n_looks, more = more_ / n_looks;
  fewer_ = more_ = 0;
  n_judged_ = 0;
  if (fewer > better_by && fewer >= more)
    wanted_stages_ = few;
  else if (more > better_by && many <= model_.most_stages())
    wanted_stages_ = many;
}

bool TaylorStepper::choose_pivots() {
  std::vector<compile::Pivot> pivots =
      model_.pivots_at(inputs_[0], inputs_.data() + 1, constants_.data());
  if (pivots.size() < model_.chains().size()) {
    failure_ = model_.describe_singular(pivots);
    return false;
  }
  use_pivots(pivots);
  ++work_.factorisations;
  return true;
}

void TaylorStepper::use_pivots(const std::vector<compile::Pivot>& pivots) {
  kernels_ = &model_.kernels(n_stages_, pivots);
  std::size_t size = 0;
  for (const compile::Kernel* kernel :
       {&kernels_->correct, &kernels_->series, &kernels_->finish, &kernels_->independence})
    size = std::max(size, kernel->shape().workspace_size);
  if (workspace_.size() < size) workspace_ = compile::AlignedDoubles(size);
}

/// Newton on the stages up to 0, in place; false where it does not arrive.
bool TaylorStepper::correct(double t, std::span<double> y) {
  const std::size_t n = y.size();
  inputs_[0] = t;
  bool chosen = false;
  for (int pass = 0; pass < most_corrections; ++pass) {
    std::copy(y.begin(), y.end(), inputs_.begin() + 1);
    if (kernels_ == nullptr && !choose_pivots()) return false;
    kernels_->correct(inputs_.data(), constants_.data(), corrected_.data(), workspace_.data());
    ++work_.rhs_calls;
    if (!(corrected_[n] >= poor_pivot) && !chosen) {
      chosen = true;
      if (!choose_pivots()) return false;
      continue;
    }
    bool is_there = true;
    for (std::size_t i = 0; i < n; ++i) {
      const double difference = std::abs(corrected_[i] - y[i]);
      const double size = std::max(std::abs(y[i]), 1.0);
      if (!(difference <= std::numeric_limits<double>::max())) {
        if (!work_.first_non_finite.seen)
          work_.first_non_finite = {true, t, static_cast<std::uint32_t>(i)};
        return false;
      }
      is_there = is_there && difference <= arrived * size;
      y[i] = corrected_[i];
    }
    if (!is_there) continue;
    if (expects_singularity_)
      kernels_->independence(inputs_.data(), constants_.data(), &independence_, workspace_.data());
    return true;
  }
  return false;
}

bool TaylorStepper::run_series() {
  inputs_[0] = t_;
  std::copy(y_.begin(), y_.end(), inputs_.begin() + 1);
  kernels_->series(inputs_.data(), constants_.data(), outputs_.data(), workspace_.data());
  ++work_.jacobian_calls;
  const double* next = outputs_.data();
  for (std::size_t j = 0; j < first_.size(); ++j) {
    const auto& place = model_.chains()[j].place;
    double* c = coefficients_.data() + first_[j];
    double factorial = 1;
    for (std::size_t m = 0; m < place.size(); ++m) {
      if (m > 1) factorial *= double(m);
      c[m] = m > 1 ? y_[place[m]] / factorial : y_[place[m]];
    }
    std::copy_n(next, n_stages_, c + place.size());
    next += n_stages_;
    if (!std::isfinite(c[place.size() + n_stages_ - 1])) return false;
  }
  return true;
}

/// A branch is held as it will be just after t: by the first coefficient that is not zero.
bool TaylorStepper::settle_branches() {
  const std::size_t n_branches = model_.n_branches();
  for (std::size_t round = 0; round <= n_branches + 1; ++round) {
    if (!run_series()) return false;
    bool changed = false;
    Attempt unused;
    // No further than a step goes: what lies beyond says nothing of just after t.
    const double usual = std::max(std::abs(h_attempt_), 1e-3 * std::max(1.0, std::abs(t_)));
    const double tau = std::min(longest_step({1e-8, 1e-8}, n_stages_, unused), usual);
    for (std::size_t b = 0; b < n_branches; ++b) {
      const double* p = outputs_.data() + first_.size() * n_stages_ + 1 +
                        (model_.n_crossings() + b) * (n_stages_ + 1);
      double& held = inputs_[1 + y_.size() + b];
      if (std::find(changing_.begin(), changing_.end(), b) != changing_.end()) continue;
      double size = 0;  // in a step, by the first terms
      double power = 1;
      for (std::uint32_t k = 0; k <= std::min(n_stages_, 4u); ++k, power *= tau)
        size = std::max(size, std::abs(p[k]) * power);
      double first = 0;
      power = 1;
      for (std::uint32_t k = 0; k <= n_stages_ && first == 0; ++k, power *= tau)
        if (std::abs(p[k]) * power > 1e-13 * size) first = p[k];
      const double wanted = model_.branch_holds(b, first) ? 1.0 : 0.0;
      changed = changed || held != wanted;
      held = wanted;
    }
    if (!changed) return true;
  }
  return true;
}

bool TaylorStepper::expand() {
  if (expanded_) return true;
  for (const std::size_t b : changing_) {
    double& held = inputs_[1 + y_.size() + b];
    held = held == 0 ? 1.0 : 0.0;
  }
  // Slopes may jump with a branch, and series begin with them.
  if (!changing_.empty()) {
    std::copy(y_.begin(), y_.end(), trial_.begin());
    if (correct(t_, trial_)) std::copy(trial_.begin(), trial_.end(), y_.begin());
  }
  expanded_ = model_.n_branches() == 0 ? run_series() : settle_branches();
  changing_.clear();
  return expanded_;
}

bool TaylorStepper::start(double t, std::span<const double> y) {
  t_ = t;
  std::copy(y.begin(), y.end(), y_.begin());
  expanded_ = false;
  changing_.clear();
  failure_.clear();
  // The branches at the point decide what it is corrected to.
  if (model_.n_branches() > 0) {
    inputs_[0] = t;
    std::copy(y_.begin(), y_.end(), inputs_.begin() + 1);
    if (kernels_ == nullptr && !choose_pivots()) return false;
    settle_branches();
  }
  if (!correct(t_, y_)) return false;
  usual_pivot_ = std::max(usual_pivot_, quality());
  usual_independence_ = std::max(usual_independence_, independence_);
  return expand();
}

bool TaylorStepper::complete(double t, std::span<double> y) {
  if (model_.n_branches() == 0) return correct(t, y);
  if (!start(t, y)) return false;
  std::copy(y_.begin(), y_.end(), y.begin());
  return true;
}

bool TaylorStepper::complete_highest(double t, std::span<double> y) {
  if (model_.n_branches() > 0 || !model_.linear_in_highest()) return complete(t, y);
  inputs_[0] = t;
  std::copy(y.begin(), y.end(), inputs_.begin() + 1);
  if (kernels_ == nullptr && !choose_pivots()) return false;
  for (int pass = 0;; ++pass) {
    kernels_->finish(inputs_.data(), constants_.data(), highest_.data(), workspace_.data());
    ++work_.rhs_calls;
    if (highest_.back() >= poor_pivot || pass == 1) break;
    if (!choose_pivots()) return false;
  }
  for (std::size_t j = 0; j < first_.size(); ++j) {
    if (!std::isfinite(highest_[j])) return false;
    y[model_.chains()[j].place.back()] = highest_[j];
  }
  return true;
}

/// All variables at t_ + tau: each unknown with its derivatives, by Horner's rule.
void TaylorStepper::sum(double tau, std::span<double> y) {
  struct Group {
    std::size_t first, count, length;
    Summand series;
  };
  const auto& chains = model_.chains();
  const auto group_at = [&](std::size_t first) {
    Group group{first, 1, chains[by_length_[first]].place.size(), {}};
    while (group.count < summed_at_a_time && first + group.count < by_length_.size() &&
           chains[by_length_[first + group.count]].place.size() == group.length)
      ++group.count;
    for (std::size_t i = 0; i < summed_at_a_time; ++i)
      group.series.c[i] =
          coefficients_.data() + first_[by_length_[first + std::min(i, group.count - 1)]];
    group.series.n = group.length + n_summed_;
    return group;
  };
  const auto enter = [&](const Group& group, const SummedTogether* p) {
    double factorial = 1;
    for (std::size_t m = 0; m < group.length; ++m) {
      if (m > 1) factorial *= double(m);
      for (std::size_t i = 0; i < group.count; ++i)
        y[chains[by_length_[group.first + i]].place[m]] = p[m][i] * factorial;
    }
  };
  SummedTogether* const p = derivatives_.data();
  SummedTogether* const other_p = p + derivatives_.size() / 2;
  for (std::size_t next = 0; next < by_length_.size();) {
    const Group group = group_at(next);
    next += group.count;
    if (next == by_length_.size()) {
      horner_of_length(group.series, group.length, tau, p);
      enter(group, p);
      return;
    }
    const Group other = group_at(next);
    next += other.count;
    horner_of_lengths(group.series, group.length, p, other.series, other.length, other_p, tau);
    enter(group, p);
    enter(other, other_p);
  }
}

/// The step for which the last two terms of each state's series are within the tolerance.
double TaylorStepper::longest_step(const Tolerances& tolerances, std::uint32_t n_stages,
                                   Attempt& attempt, double looser) {
  std::vector<double>& largest = largest_terms_;
  std::fill(largest.begin(), largest.end(), 0.0);
  double worst = 0;
  const bool any_state = model_.n_hidden_stages() > 0;
  for (std::size_t j = 0; j < first_.size(); ++j) {
    const auto& place = model_.chains()[j].place;
    const std::size_t n = place.size();
    const bool follows = n == 1 && any_state;  // from the states
    if (follows && !may_change_branch()) continue;
    const double loosened = follows ? branch_looseness(tolerances, looser) : looser;
    const double* c = coefficients_.data() + first_[j];
    const std::size_t last = n - 1 + n_stages;
    double scale_last = std::abs(c[last]);
    double scale_before = std::abs(c[last - 1]);
    for (std::size_t m = 0; m + 1 < n || m == 0; ++m) {
      const double allowed = 1 / (loosened * tolerances.scale(place[m], std::abs(y_[place[m]])));
      const std::size_t at = last - m - (n_stages - 1);
      largest[at] = std::max(largest[at], scale_last * allowed);
      largest[at - 1] = std::max(largest[at - 1], scale_before * allowed);
      if (scale_last * allowed > worst) {
        worst = scale_last * allowed;
        attempt.limiting = place[m];
      }
      scale_last *= double(last - m);
      scale_before *= double(last - 1 - m);
    }
  }
  double h = infinity;
  for (std::size_t e = 0; e < largest.size(); ++e)
    if (largest[e] > 0) h = std::min(h, std::exp(-std::log(largest[e]) / double(e + n_stages - 1)));
  return h;
}

/// How far the correction moved the states of the trial point, in units of the tolerance. That of
/// their slopes counts too, less than that of states: a series knows nothing of what begins far
/// from where it was made, as the current of a diode, or a root that has come to its end.
double TaylorStepper::misfit(const Tolerances& tolerances, double step) const {
  double worst = 0;
  for (const auto& chain : model_.chains()) {
    const std::size_t n = chain.place.size();
    for (std::size_t m = 0; m + 1 < n; ++m) {
      const std::size_t i = chain.place[m];
      worst = std::max(worst,
                       std::abs(y_new_[i] - trial_[i]) / tolerances.scale(i, std::abs(y_new_[i])));
    }
    if (n == 1) {
      const std::size_t i = chain.place[0];
      if (may_change_branch())
        worst = std::max(
            worst, std::abs(y_new_[i] - trial_[i]) / (branch_looseness(tolerances, 1) *
                                                      tolerances.scale(i, std::abs(y_new_[i]))));
      continue;
    }
    const std::size_t slope = chain.place[n - 1], state = chain.place[n - 2];
    const double moved = std::abs(step * (y_new_[slope] - trial_[slope]));
    worst = std::max(
        worst, slope_counts * moved /
                   tolerances.scale(state, std::max(std::abs(y_new_[state]), std::abs(y_[state]))));
  }
  return worst;
}

/// How far the series of comparisons reach: beyond, their zeros are not those of the comparisons.
/// Not of one that is about to be zero: towards the edge of a root its series reach no further than
/// to it, and steps would become shorter without end.
double TaylorStepper::reach_of_comparisons(double h, const Tolerances& tolerances) {
  constexpr double nearly_zero = 1e-4;  // of the largest so far
  const double little = std::clamp(0.01 * tolerances.relative, 1e-9, 1e-3);
  double reach = std::abs(h);
  comparison_sizes_.resize(model_.n_crossings() + model_.n_branches());
  for (std::size_t c = 0; c < comparison_sizes_.size(); ++c) {
    const double* const p = outputs_.data() + first_.size() * n_stages_ + 1 + c * (n_stages_ + 1);
    double& largest = comparison_sizes_[c];
    if (std::isfinite(p[0])) largest = std::max(largest, std::abs(p[0]));
    if (h * p[0] * p[1] < 0 && std::abs(p[0]) < nearly_zero * largest) continue;
    for (int trial = 0; trial < most_shortenings; ++trial) {
      double size = 0, power = 1, before = 0, last = 0;
      for (std::uint32_t k = 0; k <= n_stages_; ++k, power *= reach) {
        before = last;
        last = std::abs(p[k]) * power;
        size = std::max(size, last);
      }
      if (!(std::max(last, before) > little * size)) break;
      reach *= 0.7;
    }
  }
  return std::copysign(reach, h);
}

/// Where in the step ahead the first branch changes, if not behind it; notes which do.
double TaylorStepper::first_branch_change(double h) {
  changing_.clear();
  double first = std::abs(h);
  for (std::size_t b = 0; b < model_.n_branches(); ++b) {
    const std::span<double> p(outputs_.data() + first_.size() * n_stages_ + 1 +
                                  (model_.n_crossings() + b) * (n_stages_ + 1),
                              n_stages_ + 1);
    const bool held = inputs_[1 + y_.size() + b] != 0;
    const auto at = roots_.first_change(p, first, model_.branch_holds(b, 1) == held ? 1 : -1);
    if (!at || *at <= 1e-13 * std::abs(h)) continue;
    if (*at < first) changing_.clear();
    first = *at;
    changing_.push_back(b);
  }
  return std::copysign(first, h);
}

Attempt TaylorStepper::attempt(double h, const Tolerances& tolerances) {
  Attempt attempt;
  if ((wanted_stages_ != n_stages_ || kernels_ == nullptr) && !expanded_) {
    if (wanted_stages_ != n_stages_) set_stages(wanted_stages_);
    inputs_[0] = t_;
    std::copy(y_.begin(), y_.end(), inputs_.begin() + 1);
    if (!choose_pivots()) return attempt;
  }
  const bool is_new = !expanded_;
  if (!expand()) return attempt;
  const double longest = longest_step(tolerances, n_stages_, attempt);
  if (is_new) judge_order(tolerances, longest);
  double step = std::copysign(std::min(std::abs(h), longest), h);
  step = reach_of_comparisons(step, tolerances);
  if (model_.n_branches() > 0 && h > 0) step = first_branch_change(step);
  n_summed_ = n_stages_;
  double beside = 0;  // the first step that would end there
  for (int trial = 0; trial < most_trials; ++trial) {
    if (trial == most_elsewhere) {
      if (expects_singularity_ && model_.n_branches() == 0 &&
          reach_beyond(h, longest, tolerances, attempt))
        return attempt;
      if (beside != 0) step = beside;
    }
    if (lands(step, tolerances, attempt, step == beside)) return attempt;
    if (attempt.error <= 1 && beside == 0) {
      beside = step;
      // Another order of elimination may serve better there; then nothing is singular.
      if (choose_pivots() && lands(step, tolerances, attempt, false)) return attempt;
      failure_.clear();
    }
    step *= trial < most_elsewhere ? 0.8 : 0.5;
    changing_.clear();
    ++work_.inner_rejections;
  }
  return attempt;
}

/// Whether the step ends at a point that is believed and, unless that may be anywhere, from which
/// there is a good way on.
bool TaylorStepper::lands(double step, const Tolerances& tolerances, Attempt& attempt,
                          bool anywhere, double looser) {
  sum(step, trial_);
  std::copy(trial_.begin(), trial_.end(), y_new_.begin());
  attempt.error = infinity;
  if (!correct(t_ + step, y_new_)) return false;
  attempt.error = misfit(tolerances, step) / (looser * most_misfit);
  const bool good =
      anywhere || (quality() >= std::min(good_pivot, 0.5 * usual_pivot_) &&
                   (!expects_singularity_ ||
                    independence_ >= std::min(good_pivot, fallen * usual_independence_)));
  if (!(attempt.error <= 1) || !good) return false;
  attempt.finite = true;
  attempt.t_new = t_ + step;
  h_attempt_ = step;
  pivot_new_ = quality();
  independence_new_ = independence_;
  return true;
}

/// Before a singular configuration coefficients of high order are noise: rounding divided by a
/// power of the distance, so that steps become as short as the distance and never lead beyond. The
/// motion is smooth, and far fewer terms reach there: the best partial sum is taken, with a looser
/// tolerance if need be.
bool TaylorStepper::reach_beyond(double h, double longest, const Tolerances& tolerances,
                                 Attempt& attempt) {
  const double looseness = longest < crawling * usual_step_ ? loosest : loose;
  const double most = std::max(1.0, looseness / tolerances.relative);
  for (double looser = 1; looser <= most; looser *= 10) {
    Attempt unused;
    double farthest = 0;
    for (std::uint32_t n = 3; n <= n_stages_; ++n)
      if (const double reach = longest_step(tolerances, n, unused, looser); reach > farthest) {
        farthest = reach;
        n_summed_ = n;
      }
    for (double step = std::min(farthest, std::abs(h)); step > 1.2 * longest; step *= 0.8)
      if (lands(std::copysign(step, h), tolerances, attempt, false, looser)) return true;
  }
  n_summed_ = n_stages_;
  return false;
}

void TaylorStepper::accept(double t_new) {
  take(t_new);
  usual_pivot_ = std::max(memory * usual_pivot_, pivot_new_);
  usual_independence_ = std::max(memory * usual_independence_, independence_new_);
  usual_step_ = std::max(step_memory * usual_step_, std::abs(h_attempt_));
  expanded_ = false;
}

bool TaylorStepper::interpolate(double theta, std::span<double> y) {
  sum(theta * h_attempt_, y);
  // Close to a singular configuration the constraints say nothing, but the series goes through it.
  std::copy(y.begin(), y.end(), trial_.begin());
  if (!correct(t_old_ + theta * (t_ - t_old_), y))
    std::copy(trial_.begin(), trial_.end(), y.begin());
  return true;
}

/// Pivots and branches are chosen anew, here and where the run is taken up.
void TaylorStepper::exchange(Archive& archive) {
  archive(h_attempt_, comparison_sizes_);
  std::uint32_t n_stages = n_stages_;
  archive(expects_singularity_, usual_pivot_, usual_independence_, usual_step_, n_stages,
          wanted_stages_, fewer_, more_, n_judged_);
  if (archive.reading()) {
    const std::uint32_t wanted = wanted_stages_, judged = n_judged_;
    const double fewer = fewer_, more = more_;
    set_stages(n_stages);
    wanted_stages_ = wanted;
    n_judged_ = judged;
    fewer_ = fewer;
    more_ = more;
  }
  kernels_ = nullptr;
  std::fill(inputs_.begin() + 1 + static_cast<std::ptrdiff_t>(y_.size()), inputs_.end(), 0.0);
  Stepper::exchange(archive);
}

void TaylorStepper::exchange_completion(Archive& archive) {
  std::vector<compile::Pivot> pivots;
  if (kernels_ != nullptr) pivots = kernels_->pivots;
  archive(inputs_, pivots);
  if (archive.reading() && !pivots.empty()) use_pivots(pivots);
}

std::span<const double> TaylorStepper::looks() {
  looks_.clear();
  for (std::size_t c = 0; c < model_.n_crossings(); ++c)
    roots_.separate({outputs_.data() + first_.size() * n_stages_ + 1 + c * (n_stages_ + 1),
                     std::size_t{n_stages_} + 1},
                    h_attempt_, looks_);
  for (double& look : looks_) look = std::min(t_, t_old_ + look);
  looks_.push_back(t_);
  std::sort(looks_.begin(), looks_.end());
  looks_.erase(std::unique(looks_.begin(), looks_.end()), looks_.end());
  return looks_;
}

}  // namespace alembert::integrate
