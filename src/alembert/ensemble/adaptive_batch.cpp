// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/adaptive_batch.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>
#include <tuple>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/ensemble/lane_kernel.hpp"

namespace alembert::ensemble {

using compile::AlignedDoubles;
using compile::Kernel;
using integrate::Outcome;

namespace {

struct Work {
  std::span<const double> states;
  std::uint64_t n_systems;
  std::span<const double> parameters;
  double t, t_end;
  std::atomic<std::uint64_t> next = 0;
  std::mutex mutex = {};  // of crossings
  AdaptiveBatchResult result = {};
};

}  // namespace

/// The lanes of one thread.
class AdaptiveBatch::Lanes {
 public:
  Lanes(const AdaptiveBatch& batch, Work& work)
      : batch_(batch),
        work_(work),
        n_(batch.n_states_),
        lanes_(batch.lanes()),
        n_memory_(static_cast<std::uint32_t>(batch.model_memory_.size())),
        in_(std::size_t{batch.step_.shape().n_inputs} * lanes_),
        out_(std::size_t{batch.step_.shape().n_outputs} * lanes_),
        parameters_(batch.options_.parameters_per_system ? std::size_t{batch.n_parameters_} * lanes_
                                                         : batch.n_parameters_),
        own_(batch.n_parameters_),
        lane_(lanes_),
        point_(1 + n_ + n_memory_) {
    std::size_t size =
        std::max(batch.step_.shape().workspace_size, batch.rhs_.shape().workspace_size);
    safe_in_.resize(batch.step_.shape().n_inputs);
    safe_out_.resize(batch.step_.shape().n_outputs);
    for (const Kernel& kernel : batch.crossed_)
      size = std::max(size, kernel.shape().workspace_size);
    workspace_ = AlignedDoubles(size);
    f_.resize(batch.rhs_.shape().n_outputs);
    if (!batch.options_.parameters_per_system)
      std::copy(work.parameters.begin(), work.parameters.end(), parameters_.data());
    for (Lane& lane : lane_) {
      lane.sum.resize(n_);
      lane.squares.resize(n_);
      lane.values.resize(batch.crossed_.size());
    }
  }

  void run() {
    std::uint32_t n_active = 0;
    for (std::uint32_t k = 0; k < lanes_; ++k) n_active += refill(k);
    while (n_active > 0) {
      for (std::uint32_t k = 0; k < lanes_; ++k) plan(k);
      batch_.step_(in_.data(), parameters_.data(), out_.data(), workspace_.data());
      if (batch_.has_margin_) mend();
      for (std::uint32_t k = 0; k < lanes_; ++k)
        if (lane_[k].active && !judge(k)) n_active -= !refill(k);
    }
  }

 private:
  struct Lane {
    bool active = false;
    std::uint64_t system = 0;
    double h = 0;           // planned
    double h_taken = 0;     // up to the end at most
    double last_error = 1;  // of the step accepted last
    bool after_rejection = false;
    std::uint64_t n_steps = 0, n_rejected = 0;
    std::vector<double> sum, squares;  // [n_states]: integrals over time
    std::vector<double> values;        // [n_events]: at the start of the step
  };

  double& y(std::uint32_t k, std::uint32_t i) { return in_[std::size_t{i} * lanes_ + k]; }
  double& t(std::uint32_t k) { return y(k, n_); }
  double& h(std::uint32_t k) { return y(k, n_ + 1); }
  double& f(std::uint32_t k, std::uint32_t i) { return y(k, n_ + 2 + i); }
  double new_y(std::uint32_t k, std::uint32_t i) const { return out_[std::size_t{i} * lanes_ + k]; }
  double error(std::uint32_t k) const { return new_y(k, n_); }
  double new_f(std::uint32_t k, std::uint32_t i) const { return new_y(k, n_ + 1 + i); }
  double& memory(std::uint32_t k, std::uint32_t i) { return y(k, 2 * n_ + 2 + i); }
  double new_memory(std::uint32_t k, std::uint32_t i) const { return new_y(k, 2 * n_ + 1 + i); }

  /// Lanes in which the elimination was not safe make their step again by the safer way; without
  /// one, or where that is not safe either, it is made again shorter.
  void mend() {
    const std::uint32_t at = 2 * n_ + 1 + n_memory_;
    for (std::uint32_t k = 0; k < lanes_; ++k) {
      if (!lane_[k].active || new_y(k, at) > 0) continue;
      for (std::uint32_t i = 0; i < safe_in_.size(); ++i) safe_in_[i] = y(k, i);
      const double* parameters = parameters_of(k);
      const Kernel* safe = batch_.safe_ ? batch_.safe_(safe_in_.data(), parameters) : nullptr;
      bool made = safe != nullptr;
      if (made) {
        if (safe_workspace_.size() < safe->shape().workspace_size)
          safe_workspace_ = AlignedDoubles(safe->shape().workspace_size);
        (*safe)(safe_in_.data(), parameters, safe_out_.data(), safe_workspace_.data());
        for (std::uint32_t i = 0; i < safe->shape().n_outputs; ++i)
          out_[std::size_t{i} * lanes_ + k] = safe_out_[i];
        made = safe->shape().n_outputs <= at || safe_out_[at] > 0;
      }
      if (!made) out_[std::size_t{n_} * lanes_ + k] = 1e10;
    }
  }

  const double* parameters_of(std::uint32_t k) {
    if (!batch_.options_.parameters_per_system) return parameters_.data();
    for (std::uint32_t i = 0; i < batch_.n_parameters_; ++i)
      own_[i] = parameters_[std::size_t{i} * lanes_ + k];
    return own_.data();
  }

  /// The next system into a lane; false if there is none. The lane then idles on its last one.
  bool refill(std::uint32_t k) {
    Lane& lane = lane_[k];
    for (;;) {
      const std::uint64_t s = work_.next.fetch_add(1);
      lane.active = s < work_.n_systems;
      if (!lane.active) return false;
      lane.system = s;
      lane.n_steps = lane.n_rejected = 0;
      lane.last_error = 1;
      lane.after_rejection = false;
      std::fill(lane.sum.begin(), lane.sum.end(), 0.0);
      std::fill(lane.squares.begin(), lane.squares.end(), 0.0);
      for (std::uint32_t i = 0; i < n_; ++i) y(k, i) = work_.states[i * work_.n_systems + s];
      for (std::uint32_t i = 0; i < n_memory_; ++i)
        memory(k, i) = batch_.memory_.empty() ? batch_.model_memory_[i]
                                              : batch_.memory_[i * work_.n_systems + s];
      t(k) = work_.t;
      if (batch_.options_.parameters_per_system)
        for (std::uint32_t i = 0; i < batch_.n_parameters_; ++i)
          parameters_[std::size_t{i} * lanes_ + k] = work_.parameters[i * work_.n_systems + s];
      for (std::uint32_t i = 0; i < n_; ++i) low(s, i) = high(s, i) = y(k, i);
      if (!start(k))
        finish(k, Outcome::non_finite);
      else if (work_.t == work_.t_end)
        finish(k, Outcome::done);
      else
        return true;
    }
  }

  double& low(std::uint64_t s, std::uint32_t i) {
    return work_.result.low[i * work_.n_systems + s];
  }
  double& high(std::uint64_t s, std::uint32_t i) {
    return work_.result.high[i * work_.n_systems + s];
  }

  void enter(std::uint32_t k) {
    point_[0] = t(k);
    for (std::uint32_t i = 0; i < n_; ++i) point_[1 + i] = y(k, i);
    for (std::uint32_t i = 0; i < n_memory_; ++i) point_[1 + n_ + i] = memory(k, i);
  }

  double scale(double size) const {
    return batch_.options_.absolute + batch_.options_.relative * std::abs(size);
  }

  /// f at the start, a first step (Hairer, Norsett, Wanner, Solving ODEs I, II.4, without its
  /// second evaluation), values of the events.
  bool start(std::uint32_t k) {
    enter(k);
    batch_.rhs_(point_.data(), parameters_of(k), f_.data(), workspace_.data());
    double size = 0, rate = 0;
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (!std::isfinite(f_[i])) return false;
      f(k, i) = f_[i];
      const double unit = scale(y(k, i));
      size += std::pow(y(k, i) / unit, 2);
      rate += std::pow(f_[i] / unit, 2);
    }
    for (std::uint32_t i = 0; i < n_memory_; ++i) memory(k, i) = f_[n_ + i];
    const double span = work_.t_end - work_.t;
    Lane& lane = lane_[k];
    lane.h = std::sqrt(size) < 1e-5 || std::sqrt(rate) < 1e-5 ? 1e-3 * span
                                                              : 0.01 * std::sqrt(size / rate);
    lane.h = batch_.chooses_step_ ? span : std::min(lane.h, span);
    for (std::size_t e = 0; e < lane.values.size(); ++e) lane.values[e] = event_value(e, k, point_);
    return true;
  }

  double event_value(std::size_t e, std::uint32_t k, const std::vector<double>& point) {
    double value = 0;
    batch_.crossed_[e](point.data(), parameters_of(k), &value, workspace_.data());
    return value;
  }

  void plan(std::uint32_t k) {
    Lane& lane = lane_[k];
    if (!lane.active) return;  // the numbers of its last step do no harm
    const double left = work_.t_end - t(k);
    lane.h_taken = left <= 1.01 * lane.h ? left : lane.h;
    h(k) = lane.h_taken;
  }

  /// The last output of steps that choose their length.
  double length_chosen(std::uint32_t k) const {
    return new_y(k, batch_.step_.shape().n_outputs - 1);
  }

  /// True while the lane goes on with its system.
  bool judge(std::uint32_t k) {
    Lane& lane = lane_[k];
    bool finite = std::isfinite(error(k));
    if (batch_.chooses_step_ && length_chosen(k) < lane.h_taken) lane.h_taken = length_chosen(k);
    for (std::uint32_t i = 0; i < n_; ++i)
      finite = finite && std::isfinite(new_y(k, i)) && std::isfinite(new_f(k, i));
    const double least = 16 * eps * std::max(std::abs(t(k)), std::abs(work_.t_end));
    if (!finite || error(k) > 1) {
      ++lane.n_rejected;
      lane.after_rejection = true;
      lane.h = lane.h_taken * (finite ? std::max(0.2, 0.9 * std::pow(error(k), -0.2)) : 0.25);
      if (lane.h > least) return true;
      finish(k, finite ? Outcome::step_too_small : Outcome::non_finite);
      return false;
    }
    ++lane.n_steps;
    if (stopped_by_event(k)) return false;
    accept(k, lane.h_taken);
    // Proportional and integral control (Gustafsson); no growth just after a rejection. A step that
    // chooses its length is only told how much is left.
    const double size = std::max(error(k), 1e-10);
    double factor = 0.9 * std::pow(size, -0.7 / 5) * std::pow(lane.last_error, 0.4 / 5);
    factor = std::clamp(factor, 0.2, lane.after_rejection ? 1.0 : 5.0);
    lane.last_error = size;
    lane.after_rejection = false;
    lane.h = batch_.chooses_step_ ? work_.t_end - work_.t : lane.h_taken * factor;
    if (t(k) == work_.t_end) {
      finish(k, Outcome::done);
      return false;
    }
    if (lane.n_steps >= batch_.options_.max_steps) {
      finish(k, Outcome::too_many_steps);
      return false;
    }
    return true;
  }

  /// Takes the step: state, extrema, integrals of y and y^2 by the trapezoidal rule.
  void accept(std::uint32_t k, double taken) {
    Lane& lane = lane_[k];
    for (std::uint32_t i = 0; i < n_; ++i) {
      const double before = y(k, i), after = new_y(k, i);
      lane.sum[i] += 0.5 * taken * (before + after);
      lane.squares[i] += 0.5 * taken * (before * before + after * after);
      low(lane.system, i) = std::min(low(lane.system, i), after);
      high(lane.system, i) = std::max(high(lane.system, i), after);
      f(k, i) = new_f(k, i);
      y(k, i) = after;
    }
    for (std::uint32_t i = 0; i < n_memory_; ++i) memory(k, i) = new_memory(k, i);
    const bool last = taken == work_.t_end - t(k);
    t(k) = last ? work_.t_end : t(k) + taken;
  }

  /// The cubic through both ends of the step with their slopes, at a share of it.
  void interpolate(std::uint32_t k, double theta, std::vector<double>& point) {
    const double step = lane_[k].h_taken, r = 1 - theta;
    point[0] = t(k) + theta * step;
    for (std::uint32_t i = 0; i < n_; ++i)
      point[1 + i] = r * r * ((1 + 2 * theta) * y(k, i) + theta * step * f(k, i)) +
                     theta * theta * ((1 + 2 * r) * new_y(k, i) - r * step * new_f(k, i));
  }

  /// Notes crossings within the step; true if one of them ends the run.
  bool stopped_by_event(std::uint32_t k) {
    Lane& lane = lane_[k];
    double stop = 2;  // as a share of the step
    found_.clear();
    for (std::uint32_t e = 0; e < lane.values.size(); ++e) {
      interpolate(k, 1, point_);
      const double before = lane.values[e], after = event_value(e, k, point_);
      lane.values[e] = after;
      const int direction = batch_.events_[e].direction;
      const bool rises = before < 0 && after >= 0 && direction >= 0;
      const bool falls = before > 0 && after <= 0 && direction <= 0;
      if (!rises && !falls) continue;
      double from = 0, to = 1;
      while (to - from > 4 * eps) {
        const double middle = 0.5 * (from + to);
        interpolate(k, middle, point_);
        const double value = event_value(e, k, point_);
        ((rises ? value >= 0 : value <= 0) ? to : from) = middle;
      }
      found_.push_back({e, to});
      if (batch_.events_[e].stops) stop = std::min(stop, to);
    }
    if (found_.empty()) return false;
    const std::lock_guard lock(work_.mutex);
    for (const auto& [event, theta] : found_)
      if (theta <= stop)
        work_.result.crossings.push_back({lane.system, event, t(k) + theta * lane.h_taken});
    if (stop > 1) return false;
    interpolate(k, stop, point_);
    t(k) = point_[0];
    for (std::uint32_t i = 0; i < n_; ++i) {
      y(k, i) = point_[1 + i];
      low(lane.system, i) = std::min(low(lane.system, i), y(k, i));
      high(lane.system, i) = std::max(high(lane.system, i), y(k, i));
    }
    finish(k, Outcome::terminated);
    return true;
  }

  void finish(std::uint32_t k, Outcome outcome) {
    Lane& lane = lane_[k];
    AdaptiveBatchResult& result = work_.result;
    const std::uint64_t s = lane.system, n_systems = work_.n_systems;
    const double span = t(k) - work_.t;
    for (std::uint32_t i = 0; i < n_; ++i) {
      result.states[i * n_systems + s] = y(k, i);
      const double mean = span > 0 ? lane.sum[i] / span : y(k, i);
      result.mean[i * n_systems + s] = mean;
      result.variance[i * n_systems + s] =
          span > 0 ? std::max(0.0, lane.squares[i] / span - mean * mean) : 0.0;
    }
    result.end_times[s] = t(k);
    result.outcomes[s] = outcome;
    result.n_steps[s] = lane.n_steps;
    result.n_rejected[s] = lane.n_rejected;
  }

  struct Found {
    std::uint32_t event;
    double theta;
  };

  const AdaptiveBatch& batch_;
  Work& work_;
  std::uint32_t n_, lanes_, n_memory_;
  AlignedDoubles in_, out_, parameters_, workspace_;
  std::vector<double> own_;
  std::vector<Lane> lane_;
  std::vector<double> point_;  // [t, y, memory]
  std::vector<double> safe_in_, safe_out_;
  AlignedDoubles safe_workspace_;
  std::vector<double> f_;
  std::vector<Found> found_;
};

namespace {

LaneSteps steps_of(const OdeTape& ode, const OdeTape* safe, const AdaptiveOptions& options) {
  const auto step_of = [&](const OdeTape& system) {
    return options.method == AdaptiveMethod::tsit5
               ? make_tsit5_step(system, options.relative, options.absolute)
               : make_rodas5p_step(system, options.relative, options.absolute);
  };
  LaneSteps steps{.step = step_of(ode),
                  .slopes = (ode.has_margin && safe != nullptr ? *safe : ode).tape,
                  .memory = ode.memory,
                  .names = ode.names};
  if (safe != nullptr && steps.step.has_margin)
    steps.safe = [kernel = lane_kernel(step_of(*safe).tape, 1, false)](
                     const double*, const double*) { return &kernel; };
  return steps;
}

}  // namespace

AdaptiveBatch::AdaptiveBatch(const OdeTape& ode, const OdeTape* safe,
                             std::vector<BatchEvent> events, const AdaptiveOptions& options)
    : AdaptiveBatch(steps_of(ode, safe, options), std::move(events), options) {}

AdaptiveBatch::AdaptiveBatch(LaneSteps steps, std::vector<BatchEvent> events,
                             const AdaptiveOptions& options)
    : options_(options),
      n_states_(steps.step.n_states),
      n_parameters_(steps.step.tape.n_parameters),
      events_(std::move(events)),
      names_(std::move(steps.names)),
      has_margin_(steps.step.has_margin),
      chooses_step_(steps.step.chooses_step),
      model_memory_(std::move(steps.memory)),
      step_(lane_kernel(steps.step.tape, options.lanes, options.parameters_per_system)),
      safe_(std::move(steps.safe)),
      rhs_(lane_kernel(steps.slopes, 1, false)) {
  for (const BatchEvent& event : events_) {
    ensure(event.function.n_inputs == 1 + n_states_ && event.function.outputs.size() == 1 &&
               event.function.n_parameters == n_parameters_,
           "an event is one function of time and states");
    crossed_.push_back(lane_kernel(event.function, 1, false));
  }
}

AdaptiveBatchResult AdaptiveBatch::run(std::span<const double> states, std::uint64_t n_systems,
                                       std::span<const double> parameters, double t,
                                       double t_end) const {
  ensure(states.size() == std::size_t{n_states_} * n_systems, "every system has its states");
  ensure(parameters.size() ==
             (options_.parameters_per_system ? n_parameters_ * n_systems : n_parameters_),
         "every system has its parameters");
  ensure(t_end >= t, "a batch goes forwards in time");
  ensure(memory_.empty() || memory_.size() == model_memory_.size() * n_systems,
         "every system has the starts of its iterations");
  Work work{
      .states = states, .n_systems = n_systems, .parameters = parameters, .t = t, .t_end = t_end};
  AdaptiveBatchResult& result = work.result;
  for (auto* values : {&result.states, &result.low, &result.high, &result.mean, &result.variance})
    values->resize(std::size_t{n_states_} * n_systems);
  result.end_times.resize(n_systems);
  result.outcomes.resize(n_systems);
  result.n_steps.resize(n_systems);
  result.n_rejected.resize(n_systems);
  {
    const auto run = [&] { Lanes(*this, work).run(); };
    const std::uint32_t n_threads = options_.n_threads == 0
                                        ? std::max(1u, std::thread::hardware_concurrency())
                                        : options_.n_threads;
    std::vector<std::jthread> others;
    for (std::uint32_t i = 1; i < n_threads; ++i) others.emplace_back(run);
    run();
  }
  std::sort(result.crossings.begin(), result.crossings.end(),
            [](const CrossingTime& a, const CrossingTime& b) {
              return std::tie(a.system, a.time, a.event) < std::tie(b.system, b.time, b.event);
            });
  return std::move(work.result);
}

}  // namespace alembert::ensemble
