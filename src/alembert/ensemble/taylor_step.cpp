// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/taylor_step.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/compile/model/series_model.hpp"
#include "alembert/ensemble/append_tape.hpp"
#include "alembert/ensemble/lane_kernel.hpp"
#include "alembert/ensemble/model_tape.hpp"
#include "alembert/integrate/taylor_stepper.hpp"

namespace alembert::ensemble {

using compile::Pivot;
using compile::SeriesModel;
using compile::Tape;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

namespace {

using Values = std::vector<ValueId>;

/// Pivots that are worse than this beside their rows are chosen again.
constexpr double poor_pivot = 1e-3;
/// A second correction this short has left nothing for a third.
constexpr double arrived = 1e-8;
/// In units of the tolerance: a sum farther from the constraints is not believed.
constexpr double most_misfit = 10;

/// One step with the pivots given, written into one tape.
class Writer {
 public:
  Writer(const SeriesModel& model, std::uint32_t n_parameters, std::uint32_t n_stages,
         const std::vector<Pivot>& pivots, double relative, double absolute)
      : model_(model),
        tapes_(model.tapes(n_stages, pivots)),
        n_stages_(n_stages),
        n_(model.n_values()),
        relative_(relative),
        absolute_(absolute),
        b_(2 * n_ + 2, n_parameters),
        parameters_(all_parameters(b_, n_parameters)) {}

  /// As AdaptiveStepTape.
  Tape step() {
    const Values y = all_inputs(b_, 0, n_);
    const ValueId t = b_.input(n_);
    const std::vector<Values> series = coefficients(t, y);
    const ValueId h = least(b_.input(n_ + 1), longest(y, series));
    Values sum(n_), slopes(n_);
    for (std::size_t j = 0; j < series.size(); ++j) add_up(j, series[j], h, sum, slopes);
    const ValueId end = b_.apply(TapeOp::add, t, h);
    const Values first = corrected(end, sum), second = corrected(end, first);
    for (std::uint32_t i = 0; i < n_; ++i)
      margin_ = least(margin_, minus(product(arrived, larger(magnitude(first[i]), number(1))),
                                     magnitude(minus(second[i], first[i]))));
    for (const ValueId value : second) b_.output(value);
    b_.output(misfit(sum, second));
    for (const auto& chain : model_.chains())
      for (std::uint32_t m = 0; m < chain.highest(); ++m)
        slopes[chain.place[m]] = second[chain.place[m + 1]];
    for (const ValueId value : slopes) b_.output(value);
    b_.output(margin_);
    b_.output(h);
    return std::move(b_).finish();
  }

  /// [t, y] to the derivatives of y.
  static Tape start(const SeriesModel& model, std::uint32_t n_parameters,
                    const std::vector<Pivot>& pivots) {
    const Tape series = model.tapes(1, pivots).series;
    const std::uint32_t n = model.n_values();
    TapeBuilder b(1 + n, n_parameters);
    Values inputs = all_inputs(b, 0, 1 + n);
    const Values next = append(b, series, inputs, all_parameters(b, n_parameters));
    Values slopes(n);
    for (std::size_t j = 0; j < model.chains().size(); ++j) {
      const auto& chain = model.chains()[j];
      for (std::uint32_t m = 0; m < chain.highest(); ++m)
        slopes[chain.place[m]] = inputs[1 + chain.place[m + 1]];
      slopes[chain.place.back()] =
          b.apply(TapeOp::mul, b.constant(factorial(chain.highest() + 1)), next[j]);
    }
    for (const ValueId value : slopes) b.output(value);
    return std::move(b).finish();
  }

 private:
  static double factorial(std::uint32_t m) { return m < 2 ? 1.0 : m * factorial(m - 1); }
  ValueId number(double value) { return b_.constant(value); }
  ValueId product(double a, ValueId x) { return b_.apply(TapeOp::mul, number(a), x); }
  ValueId minus(ValueId a, ValueId b) { return b_.apply(TapeOp::sub, a, b); }
  ValueId magnitude(ValueId a) { return b_.apply(TapeOp::abs, a); }
  ValueId least(ValueId a, ValueId b) { return b_.apply(TapeOp::min, a, b); }
  ValueId larger(ValueId a, ValueId b) { return b_.apply(TapeOp::max, a, b); }
  /// One over what is allowed of a value of that size.
  ValueId allowed(ValueId value) {
    return b_.apply(TapeOp::div, number(1),
                    b_.apply(TapeOp::fma, number(relative_), magnitude(value), number(absolute_)));
  }

  Values run(const Tape& tape, ValueId t, const Values& y) {
    Values inputs{t};
    inputs.insert(inputs.end(), y.begin(), y.end());
    return append(b_, tape, inputs, parameters_);
  }

  void take_quality(ValueId quality) {
    const ValueId margin = minus(quality, number(poor_pivot));
    margin_ = margin_ == compile::no_value ? margin : least(margin_, margin);
  }

  /// Of each unknown, from order 0.
  std::vector<Values> coefficients(ValueId t, const Values& y) {
    const Values outputs = run(tapes_.series, t, y);
    take_quality(outputs[model_.chains().size() * n_stages_]);
    std::vector<Values> series;
    for (std::size_t j = 0; j < model_.chains().size(); ++j) {
      Values c;
      const auto& place = model_.chains()[j].place;
      for (std::uint32_t m = 0; m < place.size(); ++m)
        c.push_back(product(1 / factorial(m), y[place[m]]));
      for (std::uint32_t k = 0; k < n_stages_; ++k) c.push_back(outputs[j * n_stages_ + k]);
      series.push_back(std::move(c));
    }
    return series;
  }

  /// The step for which the last two terms of each state's series are within the tolerance.
  ValueId longest(const Values& y, const std::vector<Values>& series) {
    std::map<std::size_t, ValueId> largest;  // of the terms in h^power
    const auto add = [&](std::size_t power, ValueId size) {
      const auto [at, is_new] = largest.try_emplace(power, size);
      if (!is_new) at->second = larger(at->second, size);
    };
    for (std::size_t j = 0; j < series.size(); ++j) {
      const auto& place = model_.chains()[j].place;
      const std::size_t n = place.size();
      if (n == 1 && model_.n_hidden_stages() > 0) continue;  // follows from the states
      const std::size_t last = n - 1 + n_stages_;
      double factor_last = 1, factor_before = 1;
      for (std::size_t m = 0; m + 1 < n || m == 0; ++m) {
        const ValueId unit = allowed(y[place[m]]);
        for (const auto& [at, factor] : {std::pair{last, factor_last}, {last - 1, factor_before}})
          add(at - m, b_.apply(TapeOp::mul, product(factor, magnitude(series[j][at])), unit));
        factor_last *= double(last - m);
        factor_before *= double(last - 1 - m);
      }
    }
    // A term that is zero allows any step: exp(-log(0)) is infinite.
    ValueId h = number(infinity);
    for (const auto& [power, size] : largest)
      h = least(b_.apply(TapeOp::exp, product(-1 / double(power), b_.apply(TapeOp::log, size))), h);
    return h;
  }

  /// An unknown with its derivatives at the end of the step, by Horner's rule, and the next
  /// derivative of the highest.
  void add_up(std::size_t j, const Values& c, ValueId h, Values& sum, Values& slopes) {
    const auto& place = model_.chains()[j].place;
    const std::size_t n = place.size();
    Values p(n + 1, number(0));
    for (std::size_t k = c.size(); k-- > 0;) {
      for (std::size_t m = n; m > 0; --m) p[m] = b_.apply(TapeOp::fma, p[m], h, p[m - 1]);
      p[0] = b_.apply(TapeOp::fma, p[0], h, c[k]);
    }
    for (std::uint32_t m = 0; m < n; ++m) sum[place[m]] = product(factorial(m), p[m]);
    slopes[place.back()] = product(factorial(static_cast<std::uint32_t>(n)), p[n]);
  }

  Values corrected(ValueId t, const Values& y) {
    Values there = run(tapes_.correct, t, y);
    take_quality(there.back());
    there.pop_back();
    return there;
  }

  /// How far the corrections moved the states, in units of what is believed.
  ValueId misfit(const Values& sum, const Values& there) {
    ValueId worst = number(0);
    for (const auto& chain : model_.chains())
      for (std::uint32_t m = 0; m < chain.highest(); ++m) {
        const std::uint32_t i = chain.place[m];
        worst = larger(
            worst, b_.apply(TapeOp::mul, magnitude(minus(there[i], sum[i])), allowed(there[i])));
      }
    return product(1 / most_misfit, worst);
  }

  const SeriesModel& model_;
  compile::SeriesTapes tapes_;
  std::uint32_t n_stages_, n_;
  double relative_, absolute_;
  TapeBuilder b_;
  Values parameters_;
  ValueId margin_ = compile::no_value;
};

/// Steps with other pivots, made when a lane first needs them.
class OtherSteps {
 public:
  using Make = std::function<compile::Kernel(const std::vector<Pivot>&)>;
  OtherSteps(const SeriesModel& model, Make make) : model_(model), make_(std::move(make)) {}

  const compile::Kernel* at(const double* in, const double* parameters) {
    const double t = in[model_.n_values()];
    const std::vector<Pivot> pivots = model_.pivots_at(t, in, parameters);
    if (pivots.size() < model_.chains().size()) return nullptr;
    const std::lock_guard lock(mutex_);
    auto& kernel = kernels_[pivots];
    if (!kernel) kernel = make_(pivots);
    return &kernel;
  }

 private:
  const SeriesModel& model_;
  Make make_;
  std::mutex mutex_;
  std::map<std::vector<Pivot>, compile::Kernel> kernels_;
};

}  // namespace

LaneSteps make_taylor_steps(const compile::CompiledModel& model, double relative, double absolute) {
  require_fit_for_lanes(model);
  const SeriesModel& series = model.series();
  const auto refuse = [&](const std::string& why) {
    throw Error("B001",
                "the model '" + model.flat().name + "' " + why +
                    ". Run its cases one by one, as `alembert sweep` does.",
                model.flat().origin);
  };
  if (series.n_branches() > 0)
    refuse("has branches (an if, abs, min or max), and a series in lanes has none");
  LaneSteps steps;
  for (const std::uint32_t variable : model.direct_chart().states)
    steps.names.push_back(model.variable_names()[variable]);
  const SystemStart start = system_start(model, steps.names, {});
  const std::vector<Pivot> pivots =
      series.pivots_at(0, start.states.data(), start.parameters.data());
  if (pivots.size() < series.chains().size())
    refuse("is singular at its start: " + series.describe_singular(pivots));
  const auto n_parameters = static_cast<std::uint32_t>(start.parameters.size());
  const std::uint32_t n_stages =
      std::min(integrate::taylor_stages(std::min(relative, absolute)), series.most_stages());
  const auto write = [&series, n_parameters, n_stages, relative,
                      absolute](const std::vector<Pivot>& order) {
    return Writer(series, n_parameters, n_stages, order, relative, absolute).step();
  };
  steps.step = {.tape = write(pivots),
                .n_states = series.n_values(),
                .has_margin = true,
                .chooses_step = true};
  steps.slopes = Writer::start(series, n_parameters, pivots);
  const auto others = std::make_shared<OtherSteps>(
      series,
      [write](const std::vector<Pivot>& order) { return lane_kernel(write(order), 1, false); });
  steps.safe = [others](const double* in, const double* parameters) {
    return others->at(in, parameters);
  };
  return steps;
}

}  // namespace alembert::ensemble
