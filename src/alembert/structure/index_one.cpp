// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/index_one.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/structure/coefficients.hpp"

namespace alembert::structure {

namespace {

/// What is smaller than this part of a row's largest coefficient is not divided by: it may be the
/// rounding of a zero, as the sine of pi is.
constexpr double much_smaller = 1e-3;

/// The slopes of a selection row, those of them that are safe to divide by.
std::vector<double> safe_slopes(CoefficientReader& reader, const StructuralPlan& plan,
                                const DifferentiatedSystem& differentiated, Index row) {
  std::vector<double> slopes;
  for (Index k = plan.selection_incidence.begin[row]; k < plan.selection_incidence.begin[row + 1];
       ++k)
    slopes.push_back(reader.constant_value(differentiated.selection_jacobian[k]));
  return slopes;
}

}  // namespace

SettledRows settle_rows(const flat::FlatSystem& flat, const StructuralPlan& plan,
                        const DifferentiatedSystem& differentiated, Settle settle) {
  SettledRows result{{std::vector<Index>(plan.highest_order.size(), 0)},
                     std::vector<char>(plan.differentiations.size(), 0)};
  CoefficientReader reader(flat);
  std::vector<char> seen(plan.highest_order.size(), 0);  // in a settled row
  for (Index r = 0; r < plan.selection_rows.size(); ++r) {
    const Index source = plan.selection_rows[r];
    const Index times = plan.differentiations[source];
    if (settle == Settle::names && times > 1) continue;
    const std::vector<double> slopes = safe_slopes(reader, plan, differentiated, r);
    const auto unknowns = plan.selection_incidence[r];
    Index chosen = none;
    double largest = 0;
    for (const double slope : slopes) largest = std::max(largest, std::abs(slope));
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      const Index j = unknowns[k];
      if (std::abs(slopes[k]) <= much_smaller * largest || seen[j] || plan.highest_order[j] < times)
        continue;
      const auto worth = [&](Index u) {
        return std::pair(-flat.unknowns[u].state_priority, plan.highest_order[u]);
      };
      if (chosen == none || worth(j) > worth(chosen)) chosen = j;
    }
    if (chosen == none) continue;
    result.settled[source] = 1;
    result.chart.n_dummies[chosen] = times;
    for (const Index j : unknowns) seen[j] = 1;
  }
  return result;
}

IndexOneForm index_one_form(const flat::FlatSystem& flat, const StructuralPlan& plan,
                            const DifferentiatedSystem& differentiated, const SettledRows& rows) {
  const Structure& s = plan.structure;
  const std::vector<Index> top = highest_equations(s);
  std::vector<Index> used;
  IndexOneForm form;
  for (Index e = 0; e < s.equations.size(); ++e) {
    const Index source = s.equations[e].source;
    const bool free = plan.differentiations[source] > 0 && !rows.settled[source];
    if (free && e != top[source])
      form.invariants.push_back(e);
    else
      used.push_back(e);
  }
  std::stable_sort(form.invariants.begin(), form.invariants.end(),
                   [&](Index a, Index b) { return s.equations[a].order < s.equations[b].order; });
  form.reduced = apply_plan(flat, plan, differentiated, rows.chart, used);
  return form;
}

DifferentiatedSystem damped(const flat::FlatSystem& flat, const StructuralPlan& plan,
                            const DifferentiatedSystem& differentiated, const SettledRows& rows,
                            Damping damping) {
  DifferentiatedSystem result = differentiated;
  if (damping.omega == 0) return result;
  symbolic::ExprPool& pool = *flat.pool;
  const Structure& s = plan.structure;
  for (Index e = 0; e < s.n_sources; ++e) {
    const Index source = s.equations[e].source;
    const Index times = plan.differentiations[source];
    if (times == 0 || rows.settled[source]) continue;
    // (s^2 + 2 zeta omega s + omega^2)^k, times (s + omega) where `times` is odd.
    std::vector<double> polynomial{1.0};  // by powers of s, ascending
    const auto multiply = [&](std::span<const double> factor) {
      std::vector<double> product(polynomial.size() + factor.size() - 1, 0.0);
      for (std::size_t i = 0; i < polynomial.size(); ++i)
        for (std::size_t k = 0; k < factor.size(); ++k) product[i + k] += polynomial[i] * factor[k];
      polynomial = std::move(product);
    };
    const double omega = damping.omega;
    const double quadratic[] = {omega * omega, 2 * damping.zeta * omega, 1.0};
    const double linear[] = {omega, 1.0};
    for (Index k = 0; k < times / 2; ++k) multiply(quadratic);
    if (times % 2 == 1) multiply(linear);

    std::vector<ExprId> terms;
    Index version = e;
    for (Index k = 0; k <= times; ++k) {
      terms.push_back(pool.mul(pool.number(polynomial[k]), differentiated.residuals[version]));
      if (k < times) version = s.equations[version].derivative;
    }
    ensure(s.equations[version].order == times, "the last version is the highest");
    result.residuals[version] = pool.add(terms);
  }
  return result;
}

}  // namespace alembert::structure
