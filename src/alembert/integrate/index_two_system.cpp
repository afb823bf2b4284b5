// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/index_two_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "alembert/base/error.hpp"
#include "alembert/integrate/iteration_matrix.hpp"

namespace alembert::integrate {

namespace {

bool finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

IndexTwoSystem::IndexTwoSystem(ModelPoint& point, const compile::CompiledIndexOne& one,
                               const compile::CompiledIndexTwo& two)
    : point_(point),
      one_(one),
      two_(two),
      inputs_(1 + two.variables.size()),
      gradient_(one.sparsity.row.size()),
      entries_(two.sparsity.row.size()),
      mass_(two.size(), 0.0),
      mass_start_(two.size() + 1),
      mass_row_(two.size()),
      mu_of_(one.invariants.size(), two.size()) {
  ensure(two.size() == two.right_side.shape().n_outputs,
         "an index-2 system has as many rows as unknowns");
  if (!two.jacobian || (!one.invariants.empty() && !one.jacobian))
    throw Error("I014",
                "the equations go through a function whose derivatives are not known, which "
                "the formulation ggl needs. Use the formulation dynamic.",
                point.model().flat().origin);
  std::fill_n(mass_.begin(), two.n_states, 1.0);
  std::iota(mass_start_.begin(), mass_start_.end(), 0u);
  std::iota(mass_row_.begin(), mass_row_.end(), 0u);
  for (std::uint32_t k = 0; k < two.multiplied.size(); ++k)
    mu_of_[two.multiplied[k]] = static_cast<std::uint32_t>(two.variables.size()) + k;
  work_ = compile::AlignedDoubles(
      std::max({two.right_side.shape().workspace_size, two.jacobian.shape().workspace_size,
                one.jacobian ? one.jacobian.shape().workspace_size : 0}));
  make_pattern();
}

void IndexTwoSystem::make_pattern() {
  for (std::uint32_t j = 0; j < two_.variables.size(); ++j)
    for (auto e = two_.sparsity.column_start[j]; e < two_.sparsity.column_start[j + 1]; ++e)
      pattern_entries_.push_back({j, two_.sparsity.row[e], false, e});
  for (std::uint32_t k = 0; k < two_.n_states; ++k)
    for (auto e = one_.sparsity.column_start[k]; e < one_.sparsity.column_start[k + 1]; ++e)
      if (const auto mu = mu_of_[one_.sparsity.row[e]]; mu < two_.size())
        pattern_entries_.push_back({mu, k, true, e});
  std::sort(pattern_entries_.begin(), pattern_entries_.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.column, a.row) < std::tie(b.column, b.row);
  });
  column_start_.assign(two_.size() + 1, 0);
  for (const Entry& entry : pattern_entries_) {
    ++column_start_[entry.column + 1];
    row_.push_back(entry.row);
  }
  std::partial_sum(column_start_.begin(), column_start_.end(), column_start_.begin());
}

OdeSystem IndexTwoSystem::system() {
  OdeSystem system;
  system.n = size();
  system.context = this;
  system.rhs = [](void* self, double t, const double* z, double* f) {
    return static_cast<IndexTwoSystem*>(self)->right_side(t, z, f);
  };
  system.jacobian = [](void* self, double t, const double* z, double* dfdz, double*) {
    return static_cast<IndexTwoSystem*>(self)->jacobian(t, z, dfdz);
  };
  system.mass = mass_.data();
  system.mass_pattern = {mass_start_, mass_row_};
  if (size() > largest_dense) system.jacobian_pattern = {column_start_, row_};
  return system;
}

void IndexTwoSystem::gather(std::span<double> z) const {
  for (std::size_t k = 0; k < two_.variables.size(); ++k)
    z[k] = point_.variables()[two_.variables[k]];
  std::fill(z.begin() + static_cast<std::ptrdiff_t>(two_.variables.size()), z.end(), 0.0);
}

void IndexTwoSystem::gradient_of_invariants(double t, const double* z) {
  point_.enter(t, z);
  if (one_.jacobian) point_.run(one_.jacobian, gradient_, work_);
}

bool IndexTwoSystem::right_side(double t, const double* z, double* f) {
  gradient_of_invariants(t, z);
  inputs_[0] = t;
  std::copy_n(z, two_.variables.size(), inputs_.begin() + 1);
  two_.right_side(inputs_.data(), point_.constants().data(), f, work_.data());
  for (std::uint32_t k = 0; k < two_.n_states; ++k)
    for (auto e = one_.sparsity.column_start[k]; e < one_.sparsity.column_start[k + 1]; ++e)
      if (const auto mu = mu_of_[one_.sparsity.row[e]]; mu < two_.size())
        f[k] += gradient_[e] * z[mu];
  return finite({f, size()});
}

/// How H' mu depends on the states is left out: mu is an error of the integration, about zero.
bool IndexTwoSystem::jacobian(double t, const double* z, double* dfdz) {
  gradient_of_invariants(t, z);
  inputs_[0] = t;
  std::copy_n(z, two_.variables.size(), inputs_.begin() + 1);
  two_.jacobian(inputs_.data(), point_.constants().data(), entries_.data(), work_.data());
  const bool dense = size() <= largest_dense;
  if (dense) std::fill_n(dfdz, std::size_t{size()} * size(), 0.0);
  for (std::size_t i = 0; i < pattern_entries_.size(); ++i) {
    const Entry& entry = pattern_entries_[i];
    const double value = entry.of_gradient ? gradient_[entry.from] : entries_[entry.from];
    if (dense)
      dfdz[std::size_t{entry.column} * size() + entry.row] = value;
    else
      dfdz[i] = value;
  }
  return finite(entries_) && finite(gradient_);
}

}  // namespace alembert::integrate
