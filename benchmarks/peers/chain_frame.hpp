// SPDX-License-Identifier: Apache-2.0
// What the peers on constrained mechanics share: a chain of n masses 1 on rods of length 1, g = 1,
// in Cartesian coordinates, from rest and stretched out to the right; clocks; the generated
// steppers.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/alembert.hpp"
#include "alembert/compile/model/compiled_model.hpp"
#include "alembert/integrate/adaptive.hpp"
#include "alembert/integrate/model_methods.hpp"
#include "alembert/integrate/model_point.hpp"

namespace alembert::peers {

/// Of this process alone: a busy machine does not count.
inline double milliseconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

/// The best of some, so that a busy machine disturbs all alike.
template <class Job>
double best_of(int times, Job&& job) {
  double best = 1e300;
  for (int i = 0; i < times; ++i) {
    const double begin = milliseconds();
    job();
    best = std::min(best, milliseconds() - begin);
  }
  return best;
}

inline FlatSystem chain_model(int n) {
  Model m("Chain");
  std::vector<Expr> x, y, lambda;
  for (int k = 1; k <= n; ++k) {
    const std::string i = std::to_string(k);
    x.push_back(m.unknown("x" + i, {.start = static_cast<double>(k)}));
    y.push_back(m.unknown("y" + i, {.start = 0.0}));
    lambda.push_back(m.unknown("lambda" + i));
  }
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  for (int k = 0; k < n; ++k) {
    const Expr dx = k > 0 ? x[at(k)] - x[at(k - 1)] : x[0];
    const Expr dy = k > 0 ? y[at(k)] - y[at(k - 1)] : y[0];
    Expr fx = -lambda[at(k)] * dx, fy = -lambda[at(k)] * dy - 1;
    if (k + 1 < n) {
      fx = fx + lambda[at(k + 1)] * (x[at(k + 1)] - x[at(k)]);
      fy = fy + lambda[at(k + 1)] * (y[at(k + 1)] - y[at(k)]);
    }
    m += der(der(x[at(k)])) == fx;
    m += der(der(y[at(k)])) == fy;
    m += dx * dx + dy * dy == 1;
  }
  return m.flatten();
}

struct Run {
  double energy_error = 0;  // largest over all steps
  int steps = 0;
};

/// The chain by a stepper that is generated from its equations.
class GeneratedChain {
 public:
  GeneratedChain(int n, std::string_view method, double tolerance)
      : model_(chain_model(n)), point_(model_, model_.parameter_values()) {
    point_.use(model_.direct_chart());
    stepper_ = integrate::make_model_stepper(method, model_, point_.constants(), tolerance);
    const auto names = point_.state_names();
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    };
    start_.assign(names.size(), 0.0);
    for (int k = 1; k <= n; ++k) {
      const std::string i = std::to_string(k);
      heights_.push_back(place("y" + i));
      rates_.push_back(place("der(x" + i + ")"));
      rates_.push_back(place("der(y" + i + ")"));
      start_[place("x" + i)] = k;
      if (const auto fall = place("der(der(y" + i + "))"); fall < start_.size()) start_[fall] = -1;
    }
  }

  Run run(double t_end, const integrate::AdaptiveOptions& options) {
    Run run;
    state_ = start_;
    auto watch = [&](integrate::AcceptedStep& step) {
      ++run.steps;
      double e = 0;  // at rest at height 0 it is 0
      for (const auto i : rates_) e += 0.5 * step.y[i] * step.y[i];
      for (const auto i : heights_) e += step.y[i];
      run.energy_error = std::max(run.energy_error, std::abs(e));
      return integrate::ObserverAction::go_on;
    };
    integrate_adaptive(*stepper_, 0, t_end, state_, options, watch);
    return run;
  }

 private:
  compile::CompiledModel model_;
  integrate::ModelPoint point_;
  std::unique_ptr<integrate::Stepper> stepper_;
  std::vector<std::size_t> heights_, rates_;
  std::vector<double> state_, start_;
};

}  // namespace alembert::peers
