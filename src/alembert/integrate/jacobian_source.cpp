// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/jacobian_source.hpp"

#include <algorithm>

#include "alembert/base/constants.hpp"
#include "alembert/graph/column_colouring.hpp"

namespace alembert::integrate {
namespace {

graph::Colouring colour_columns(const OdeSystem& system) {
  std::vector<graph::Edge> edges;
  edges.reserve(system.jacobian_pattern.row.size());
  for (std::uint32_t j = 0; j < system.n; ++j)
    for (std::uint32_t e = system.jacobian_pattern.column_start[j];
         e < system.jacobian_pattern.column_start[j + 1]; ++e)
      edges.push_back({system.jacobian_pattern.row[e], j});
  return graph::column_colouring(graph::BipartiteGraph(system.n, system.n, edges));
}

/// Near the edge of a root there may be values only very near. Parts of an increment that are tried
/// one after the other. Not against the motion: where nothing leads on, no step does.
constexpr double parts_of_increment[] = {1, 1.0 / 32, 1.0 / 1024, 1.0 / 32768};

}  // namespace

JacobianSource::JacobianSource(const OdeSystem& system)
    : n_values_(system.jacobian_pattern.empty() ? std::size_t{system.n} * system.n
                                                : system.jacobian_pattern.row.size()),
      dfdt_(system.n) {
  if (system.jacobian == nullptr) prepare_differences(system);
}

void JacobianSource::prepare_differences(const OdeSystem& system) {
  y_near_.resize(system.n);
  f_near_.resize(system.n);
  delta_.resize(system.n);
  group_start_ = {0};
  if (system.jacobian_pattern.empty()) {
    for (std::uint32_t j = 0; j < system.n; ++j) {
      group_column_.push_back(j);
      group_start_.push_back(j + 1);
    }
    return;
  }
  const graph::Colouring colouring = colour_columns(system);
  for (graph::Index colour = 0; colour < colouring.n_colours; ++colour) {
    for (std::uint32_t j = 0; j < system.n; ++j)
      if (colouring.colour[j] == colour) group_column_.push_back(j);
    group_start_.push_back(static_cast<std::uint32_t>(group_column_.size()));
  }
}

bool JacobianSource::evaluate(CountedSystem& system, const Point& point,
                              const Tolerances& tolerances, double* dfdy, double* dfdt) {
  ++system.work.jacobian_calls;
  const OdeSystem& s = system.system;
  Reach reach = Reach::rounding;
  if (s.jacobian != nullptr) {
    double* const by_time = dfdt == nullptr ? dfdt_.data() : dfdt;
    // A derivative may have no value where the function has one: a power of 0, a table's corner.
    const bool has_values = s.jacobian(s.context, point.t, point.y, dfdy, by_time) &&
                            all_finite(dfdy, n_values_) &&
                            (dfdt == nullptr || all_finite(dfdt, s.n));
    if (!has_values || is_extreme(s, point, dfdy)) reach = Reach::tolerance;
    const bool is_doubtful = s.jacobian_is_doubtful || reach == Reach::tolerance;
    if (has_values && (!is_doubtful || agrees(system, point, tolerances, reach, dfdy))) return true;
    if (y_near_.size() != s.n) prepare_differences(s);
    // Where even the nearest place has no values, steep slopes are better than none.
    if (has_values && reach == Reach::tolerance)
      return take_differences(system, point, tolerances, reach, dfdy) ||
             s.jacobian(s.context, point.t, point.y, dfdy, by_time);
  }
  return take_differences(system, point, tolerances, reach, dfdy) &&
         (dfdt == nullptr || difference_in_time(system, point, dfdt));
}

/// Beside the edge of a root slopes are as steep as rounding allows, and only there. With them an
/// implicit step finds itself converged where it began, and its error filtered to nothing. What
/// counts is how steep they are as far as the tolerance reaches.
bool JacobianSource::is_extreme(const OdeSystem& system, const Point& point,
                                const double* dfdy) const {
  constexpr double extreme = 1e6;  // beside 1/h
  if (system.mass != nullptr) return false;
  for (std::uint32_t j = 0; j < system.n; ++j) {
    const ColumnPattern& pattern = system.jacobian_pattern;
    if (pattern.empty()) {
      if (std::abs(point.h * dfdy[std::size_t{j} * system.n + j]) > extreme) return true;
      continue;
    }
    for (std::uint32_t e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
      if (pattern.row[e] == j && std::abs(point.h * dfdy[e]) > extreme) return true;
  }
  return false;
}

/// One difference along all states at once. Slopes that are far too large would hold an implicit
/// step in its place, and its error estimate with it.
bool JacobianSource::agrees(CountedSystem& system, const Point& point, const Tolerances& tolerances,
                            Reach reach, const double* dfdy) {
  constexpr double far_off = 0.5;
  constexpr double no_matter = 1e-3;  // of what a step does
  const std::uint32_t n = system.system.n;
  const ColumnPattern& pattern = system.system.jacobian_pattern;
  if (y_near_.size() != n) prepare_differences(system.system);
  const auto scale = [&](std::uint32_t j) { return tolerances.scale(j, std::abs(point.y[j])); };
  ErrorNorm move;
  for (std::uint32_t j = 0; j < n; ++j) {
    const double increment = reach == Reach::tolerance
                                 ? scale(j)
                                 : std::sqrt(eps) * std::max(std::abs(point.y[j]), scale(j));
    y_near_[j] = point.y[j] + (j % 2 == 0 ? increment : -increment);
    delta_[j] = y_near_[j] - point.y[j];
    move.add(j, delta_[j] / scale(j));
  }
  if (!system.rhs(point.t, y_near_.data(), f_near_.data())) return true;  // nothing to tell by
  expected_.assign(n, 0.0);
  for (std::uint32_t j = 0; j < n; ++j) {
    const std::uint32_t begin = pattern.empty() ? 0 : pattern.column_start[j];
    const std::uint32_t end = pattern.empty() ? n : pattern.column_start[j + 1];
    for (std::uint32_t e = begin; e < end; ++e)
      expected_[pattern.empty() ? e : pattern.row[e]] +=
          dfdy[pattern.empty() ? std::size_t{j} * n + e : e] * delta_[j];
  }
  ErrorNorm miss, told, seen;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double change = f_near_[i] - point.f[i];
    miss.add(i, (expected_[i] - change) / scale(i));
    told.add(i, expected_[i] / scale(i));
    seen.add(i, change / scale(i));
  }
  return miss.value(n) <= far_off * std::max(told.value(n), seen.value(n)) ||
         std::abs(point.h) * miss.value(n) <= no_matter * move.value(n);
}

bool JacobianSource::take_differences(CountedSystem& system, const Point& point,
                                      const Tolerances& tolerances, Reach reach, double* dfdy) {
  const std::uint32_t n = system.system.n;
  const ColumnPattern& pattern = system.system.jacobian_pattern;
  const double root_eps = std::sqrt(eps);
  const auto scale = [&](std::uint32_t j) { return tolerances.scale(j, std::abs(point.y[j])); };
  // Where a state is about zero, its increment must still rise above the rounding of f; the error
  // scale tells how much of it matters (Hindmarsh et al., SUNDIALS, ACM TOMS 31(3), 2005).
  double least = 1;
  if (system.system.mass == nullptr) {
    ErrorNorm f_norm;
    for (std::uint32_t j = 0; j < n; ++j) f_norm.add(j, point.f[j] / scale(j));
    const double f_size = f_norm.value(n);
    if (f_size > 0) least = 1000 * std::abs(point.h) * eps * n * f_size;
  } else {
    // f is no slope then, and about zero in rows without derivatives whatever rounds there. An
    // unknown is small beside the value at which its absolute tolerance begins to count; the
    // increment of zero is that of Hairer and Wanner's code RADAU5.
    least = std::sqrt(1e-5 * eps) / std::max(tolerances.relative, root_eps);
  }
  std::copy_n(point.y, n, y_near_.begin());
  for (std::size_t group = 0; group + 1 < group_start_.size(); ++group) {
    const std::span<const std::uint32_t> columns{group_column_.data() + group_start_[group],
                                                 group_column_.data() + group_start_[group + 1]};
    const auto has_values = [&](double part) {
      for (const std::uint32_t j : columns) {
        const double increment =
            std::max(root_eps * std::abs(point.y[j]),
                     (reach == Reach::tolerance ? std::max(least, 1.0) : least) * scale(j));
        y_near_[j] = point.y[j] + part * std::copysign(increment, point.f[j]);
        delta_[j] = y_near_[j] - point.y[j];
      }
      return system.rhs(point.t, y_near_.data(), f_near_.data());
    };
    if (std::ranges::none_of(parts_of_increment, has_values)) return false;
    for (const std::uint32_t j : columns) {
      y_near_[j] = point.y[j];
      if (pattern.empty()) {
        for (std::uint32_t i = 0; i < n; ++i)
          dfdy[std::size_t{j} * n + i] = (f_near_[i] - point.f[i]) / delta_[j];
      } else {
        for (std::uint32_t e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e)
          dfdy[e] = (f_near_[pattern.row[e]] - point.f[pattern.row[e]]) / delta_[j];
      }
    }
  }
  return all_finite(dfdy, n_values_);
}

bool JacobianSource::difference_in_time(CountedSystem& system, const Point& point, double* dfdt) {
  const double size = std::max(std::abs(point.t), std::abs(point.h));
  double t_near = point.t;
  const auto has_values = [&](double part) {
    t_near = point.t + part * std::copysign(std::sqrt(eps) * size, point.h);
    return system.rhs(t_near, point.y, f_near_.data());
  };
  if (std::ranges::none_of(parts_of_increment, has_values)) return false;
  for (std::uint32_t i = 0; i < system.system.n; ++i)
    dfdt[i] = (f_near_[i] - point.f[i]) / (t_near - point.t);
  return all_finite(dfdt, system.system.n);
}

}  // namespace alembert::integrate
