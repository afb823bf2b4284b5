// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/dependent_reinit.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace alembert::integrate {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// How often each state is the derivative of another one: 0 positions, 1 velocities.
std::vector<int> levels_of_states(const compile::CompiledModel& model,
                                  const compile::CompiledChart& chart) {
  const auto& reduced = chart.reduced;
  std::vector<int> levels(reduced.states.size(), 0);
  for (std::size_t pass = 0; pass < levels.size(); ++pass) {
    bool changed = false;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto place =
          std::find(reduced.states.begin(), reduced.states.end(), reduced.derivatives[i]);
      if (place == reduced.states.end()) continue;
      int& level = levels[static_cast<std::size_t>(place - reduced.states.begin())];
      if (level > levels[i]) continue;
      level = levels[i] + 1;
      changed = level <= static_cast<int>(model.n_variables());
    }
    if (!changed) break;
  }
  return levels;
}

class StateChange {
 public:
  StateChange(ModelPoint& point, std::span<const WantedValue> wanted, SolveContinuous solve)
      : point_(point), wanted_(wanted), solve_(solve) {}

  /// By these states alone.
  bool by(const std::vector<std::uint32_t>& states) {
    const auto n = static_cast<Eigen::Index>(states.size());
    constexpr int most_passes = 30;
    if (!solve_()) return false;
    for (int pass = 0; pass < most_passes; ++pass) {
      const VectorXd missing = distance();
      if (is_met(missing)) return true;
      MatrixXd slopes(missing.size(), n);
      for (Eigen::Index j = 0; j < n; ++j) {
        double& state = point_.variables()[states[static_cast<std::size_t>(j)]];
        const double before = state;
        const double h = 1e-6 * scale_of(states[static_cast<std::size_t>(j)], before);
        state = before + h;
        if (!solve_()) return false;
        slopes.col(j) = (missing - distance()) / 1e-6;  // in units of the scale
        point_.variables()[states[static_cast<std::size_t>(j)]] = before;
      }
      Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr(missing.size(), n);
      qr.setThreshold(1e-8);
      qr.compute(slopes);
      // Differences at a turning point are those of second order alone.
      if (qr.rank() < missing.size() || slopes.norm() < 1e-5 * missing.norm()) return false;
      const VectorXd step = qr.solve(missing);
      if (!step.allFinite() || !advance(states, step, missing.norm())) return false;
    }
    return false;
  }

 private:
  /// The step, or as much of it as has values that are nearer.
  bool advance(const std::vector<std::uint32_t>& states, const VectorXd& step, double before) {
    constexpr double least = 1e-6;
    if (!solve_()) return false;
    const std::vector<double> here(point_.variables().begin(), point_.variables().end());
    for (double share = 1; share > least; share /= 2) {
      std::copy(here.begin(), here.end(), point_.variables().begin());
      for (std::size_t j = 0; j < states.size(); ++j)
        point_.variables()[states[j]] +=
            share * step[static_cast<Eigen::Index>(j)] * scale_of(states[j], here[states[j]]);
      if (!solve_()) continue;
      const VectorXd missing = distance();
      if (missing.norm() < before || is_met(missing)) return true;
    }
    return false;
  }

  double scale_of(std::uint32_t variable, double value) const {
    const double nominal = point_.model().nominal_of(variable);
    return std::max(nominal > 0 ? nominal : 1.0, std::abs(value));
  }

  VectorXd distance() const {
    VectorXd missing(static_cast<Eigen::Index>(wanted_.size()));
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      missing[static_cast<Eigen::Index>(i)] =
          wanted_[i].value - point_.variables()[wanted_[i].variable];
    return missing;
  }

  bool is_met(const VectorXd& missing) const {
    for (std::size_t i = 0; i < wanted_.size(); ++i)
      if (!(std::abs(missing[static_cast<Eigen::Index>(i)]) <=
            1e-11 * scale_of(wanted_[i].variable, wanted_[i].value)))
        return false;
    return true;
  }

  ModelPoint& point_;
  std::span<const WantedValue> wanted_;
  SolveContinuous solve_;
};

}  // namespace

bool change_states_for(ModelPoint& point, std::span<const WantedValue> wanted,
                       std::span<const std::uint32_t> kept, SolveContinuous solve) {
  const std::vector<double> before(point.variables().begin(), point.variables().end());
  const std::vector<int> levels = levels_of_states(point.model(), point.chart());
  const int highest = levels.empty() ? -1 : *std::max_element(levels.begin(), levels.end());
  std::vector<std::uint32_t> states;
  for (int level = highest; level >= 0; --level) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const std::uint32_t state = point.chart().states[i];
      if (levels[i] == level && std::find(kept.begin(), kept.end(), state) == kept.end())
        states.push_back(state);
    }
    if (!states.empty() && StateChange(point, wanted, solve).by(states)) return true;
    std::copy(before.begin(), before.end(), point.variables().begin());
  }
  // What is wanted may not depend on the states to first order just here, as the height of a circle
  // at its top: a little aside it does; first to where the motion goes.
  std::vector<double> y(point.n_states()), slopes(y.size());
  point.copy_states(y);
  if (!point.derivatives(point.time(), y.data(), slopes.data())) slopes.assign(y.size(), 1.0);
  for (const double aside : {1e-2, -1e-2, 0.2, -0.2}) {
    std::copy(before.begin(), before.end(), point.variables().begin());
    for (const std::uint32_t state : states) {
      const auto place = std::find(point.chart().states.begin(), point.chart().states.end(), state);
      const double slope = slopes[static_cast<std::size_t>(place - point.chart().states.begin())];
      point.variables()[state] +=
          (slope < 0 ? -aside : aside) * std::max(1.0, std::abs(before[state]));
    }
    if (!states.empty() && StateChange(point, wanted, solve).by(states)) return true;
  }
  std::copy(before.begin(), before.end(), point.variables().begin());
  return false;
}

}  // namespace alembert::integrate
