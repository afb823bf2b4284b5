// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/mass_metric.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <string>

#include "alembert/base/error.hpp"

namespace alembert::integrate {

namespace {

[[noreturn]] void refuse(const ModelPoint& point, const std::string& why) {
  throw Error("I014",
              "the metric 'mass' is for mechanics, M(q) q'' = f - G' lambda with g(q) = 0, and " +
                  why + ". Use the metric euclidean.",
              point.model().flat().origin);
}

}  // namespace

MassMetric::MassMetric(const ModelPoint& point)
    : mechanics_(point.model().mechanics(), point.constants()) {
  const compile::MechanicalModel& model = mechanics_.model();
  const std::vector<std::uint32_t>& states = point.chart().states;
  const std::vector<std::uint32_t>& kept = point.model().direct_chart().states;
  const auto place = [&](std::uint32_t among_kept) {
    return static_cast<Eigen::Index>(std::ranges::find(states, kept[among_kept]) - states.begin());
  };
  const auto none = static_cast<Eigen::Index>(states.size());
  for (std::size_t i = 0; i < model.n_positions; ++i) {
    const Eigen::Index at = place(model.position[i]);
    const Eigen::Index rate = std::min(place(model.velocity[i]), place(model.named_velocity[i]));
    if (at == none || rate == none)
      refuse(point, "'" + point.model().variable_names()[kept[model.position[i]]] +
                        "' or its velocity is none of its states");
    position_.push_back(at);
    velocity_.push_back(rate);
    q_.push_back(point.variables()[kept[model.position[i]]]);
  }
  if (2 * model.n_positions != states.size()) refuse(point, "it has other states too");
  if (const std::string why = mechanics_.why_not(point.time(), q_); !why.empty())
    refuse(point, why);
}

bool MassMetric::fits(const compile::CompiledModel& model, const compile::CompiledChart& chart) {
  const std::vector<std::uint32_t>& kept = model.direct_chart().states;
  return std::ranges::all_of(model.mechanics().position, [&](std::uint32_t place) {
    return std::ranges::find(chart.states, kept[place]) != chart.states.end();
  });
}

bool MassMetric::evaluate(double t, std::span<const double> y) {
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = y[static_cast<std::size_t>(position_[i])];
  if (!mechanics_.evaluate_masses(t, q_)) return false;
  const auto n = static_cast<Eigen::Index>(q_.size());
  const Eigen::Map<const Eigen::MatrixXd> mass(mechanics_.mass().data(), n, n);  // symmetric
  const Eigen::LLT<Eigen::MatrixXd> decomposition(mass);
  if (decomposition.info() != Eigen::Success) return false;
  factor_ = decomposition.matrixL();
  return true;
}

std::vector<char> MassMetric::ignored_entries(const compile::ColumnSparsity& jacobian) const {
  const auto each_entry = [&](const std::vector<Eigen::Index>& columns, const auto& visit) {
    for (const Eigen::Index column : columns)
      for (auto e = jacobian.column_start[static_cast<std::size_t>(column)];
           e < jacobian.column_start[static_cast<std::size_t>(column) + 1]; ++e)
        visit(e);
  };
  std::vector<char> ignored(jacobian.row.size(), 0), has_velocity;
  each_entry(velocity_, [&](std::size_t e) {
    has_velocity.resize(std::max<std::size_t>(has_velocity.size(), jacobian.row[e] + 1), 0);
    has_velocity[jacobian.row[e]] = 1;
  });
  each_entry(position_, [&](std::size_t e) {
    ignored[e] = jacobian.row[e] < has_velocity.size() && has_velocity[jacobian.row[e]];
  });
  return ignored;
}

void MassMetric::enter(GradientRows& rows) const {
  for (const auto* places : {&position_, &velocity_}) {
    Eigen::MatrixXd part = rows(Eigen::all, *places).transpose();
    factor_.triangularView<Eigen::Lower>().solveInPlace(part);
    rows(Eigen::all, *places) = part.transpose();
  }
}

void MassMetric::leave(Eigen::VectorXd& step) const {
  for (const auto* places : {&position_, &velocity_}) {
    Eigen::VectorXd part = step(*places);
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(part);
    step(*places) = part;
  }
}

}  // namespace alembert::integrate
