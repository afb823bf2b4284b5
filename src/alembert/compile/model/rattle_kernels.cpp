// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/model/rattle_kernels.hpp"

#include <map>
#include <set>

#include "alembert/compile/lower.hpp"
#include "alembert/compile/static_elimination.hpp"

namespace alembert::compile {

using symbolic::ExprId;

namespace {

/// Of the elimination: longer code is no faster than loops.
constexpr std::size_t most_operations = 20'000;

class Writer {
 public:
  Writer(const RattleRequest& request, std::size_t n_more_inputs)
      : request_(request),
        n_(static_cast<std::uint32_t>(request.positions.size())),
        m_(static_cast<std::uint32_t>(request.constraints.size())),
        builder_(2 + 3 * n_ + static_cast<std::uint32_t>(n_more_inputs),
                 static_cast<std::uint32_t>(request.constants.size())),
        lowering_(request.pool, builder_) {
    lowering_.bind(request.pool.time(), builder_.input(0));
    for (std::uint32_t i = 0; i < request.constants.size(); ++i)
      lowering_.bind(request.constants[i], builder_.parameter(i));
  }

  Tape onto() {
    std::vector<ValueId> start(request_.gradients.value.size());
    for (std::uint32_t e = 0; e < start.size(); ++e) start[e] = builder_.input(2 + 3 * n_ + e);
    const ValueId h = builder_.input(1);
    std::vector<ValueId> v(n_);
    for (std::uint32_t i = 0; i < n_; ++i) {
      v[i] = velocity(i);
      lowering_.bind(request_.positions[i], builder_.apply(TapeOp::fma, h, v[i], position(i)));
    }
    std::vector<ValueId> gaps = lowering_.lower(request_.constraints);
    const std::vector<ValueId> gradients = lowering_.lower(request_.gradients.value);
    const std::vector<ValueId> weighted = over_masses(start);
    make_matrix(gradients, weighted, h);
    const std::vector<ValueId> delta = elimination().solve(std::move(gaps));
    ValueId change = builder_.constant(0.0);
    const std::vector<ValueId> push = pushes(weighted, delta);
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (push[i] == no_value) continue;
      v[i] = builder_.apply(TapeOp::sub, v[i], push[i]);
      const ValueId moved = builder_.apply(TapeOp::mul, h, push[i]);
      change = builder_.apply(TapeOp::max, change, builder_.apply(TapeOp::abs, moved));
    }
    for (const ValueId value : v) builder_.output(value);
    for (std::uint32_t i = 0; i < n_; ++i)
      builder_.output(builder_.apply(TapeOp::fma, h, v[i], position(i)));
    builder_.output(change);
    return std::move(builder_).finish();
  }

  Tape along(double memory) {
    const ValueId half = builder_.input(1);
    for (std::uint32_t i = 0; i < n_; ++i) lowering_.bind(request_.positions[i], position(i));
    const std::vector<ValueId> forces = lowering_.lower(request_.forces);
    std::vector<ValueId> v(n_), free(n_);
    for (std::uint32_t i = 0; i < n_; ++i) {
      free[i] = builder_.apply(TapeOp::mul, builder_.input(2 + 3 * n_ + i), forces[i]);
      v[i] = builder_.apply(TapeOp::fma, half, free[i], velocity(i));
      lowering_.bind(request_.rates[i], v[i]);
    }
    std::vector<ExprId> rates;
    for (const ExprId g : request_.constraints) rates.push_back(time_derivative(request_.pool, g));
    std::vector<ValueId> gaps = lowering_.lower(rates);
    const std::vector<ValueId> gradients = lowering_.lower(request_.gradients.value);
    const std::vector<ValueId> weighted = over_masses(gradients);
    make_matrix(gradients, weighted, no_value);
    const StaticElimination elimination = this->elimination();
    std::vector<ValueId> sizes(m_);
    ValueId least = builder_.constant(1.0);
    for (std::uint32_t k = 0; k < m_; ++k) {
      const ValueId before =
          builder_.apply(TapeOp::mul, builder_.constant(memory), builder_.input(2 + 4 * n_ + k));
      sizes[k] = builder_.apply(TapeOp::max, before, matrix_.at({k, k}));
      least = builder_.apply(TapeOp::min, least,
                             builder_.apply(TapeOp::div, elimination.pivot(k), sizes[k]));
    }
    const std::vector<ValueId> push = pushes(weighted, elimination.solve(std::move(gaps)));
    for (std::uint32_t i = 0; i < n_; ++i)
      builder_.output(push[i] == no_value ? v[i] : builder_.apply(TapeOp::sub, v[i], push[i]));
    for (const ValueId value : gradients) builder_.output(value);
    for (const auto* values : {&free, &sizes})
      for (const ValueId value : *values) builder_.output(value);
    builder_.output(least);
    return std::move(builder_).finish();
  }

 private:
  ValueId position(std::uint32_t i) { return builder_.input(2 + i); }
  ValueId inverse_mass(std::uint32_t i) { return builder_.input(2 + n_ + i); }
  ValueId velocity(std::uint32_t i) { return builder_.input(2 + 2 * n_ + i); }

  std::vector<ValueId> over_masses(const std::vector<ValueId>& gradients) {
    std::vector<ValueId> result;
    for (std::size_t e = 0; e < gradients.size(); ++e)
      result.push_back(
          builder_.apply(TapeOp::mul, inverse_mass(request_.gradients.column[e]), gradients[e]));
    return result;
  }

  /// matrix_ = factor * left right', rows of both as the gradients'.
  void make_matrix(const std::vector<ValueId>& left, const std::vector<ValueId>& right,
                   ValueId factor) {
    std::vector<std::vector<std::pair<std::uint32_t, ValueId>>> of_column(n_);
    each_entry([&](std::uint32_t row, std::size_t e) {
      of_column[request_.gradients.column[e]].emplace_back(row, right[e]);
    });
    each_entry([&](std::uint32_t row, std::size_t e) {
      for (const auto& [other, value] : of_column[request_.gradients.column[e]]) {
        const auto [place, is_new] = matrix_.try_emplace({row, other}, no_value);
        place->second = is_new ? builder_.apply(TapeOp::mul, left[e], value)
                               : builder_.apply(TapeOp::fma, left[e], value, place->second);
      }
    });
    if (factor != no_value)
      for (auto& [place, value] : matrix_) value = builder_.apply(TapeOp::mul, factor, value);
  }

  StaticElimination elimination() {
    std::vector<MatrixEntry> entries;
    std::vector<ValueId> values;
    for (const auto& [place, value] : matrix_) {
      entries.push_back({place.first, place.second});
      values.push_back(value);
    }
    std::vector<Pivot> pivots;
    for (std::uint32_t k = 0; k < m_; ++k) pivots.push_back({k, k});
    return StaticElimination(builder_, m_, entries, values, pivots);
  }

  /// M^-1 G' multipliers, [n]; no_value where nothing pushes.
  std::vector<ValueId> pushes(const std::vector<ValueId>& weighted,
                              const std::vector<ValueId>& multipliers) {
    std::vector<ValueId> result(n_, no_value);
    each_entry([&](std::uint32_t row, std::size_t e) {
      ValueId& sum = result[request_.gradients.column[e]];
      if (multipliers[row] == no_value) return;
      sum = sum == no_value ? builder_.apply(TapeOp::mul, weighted[e], multipliers[row])
                            : builder_.apply(TapeOp::fma, weighted[e], multipliers[row], sum);
    });
    return result;
  }

  template <class Visit>
  void each_entry(const Visit& visit) const {
    for (std::uint32_t row = 0; row < m_; ++row)
      for (auto e = request_.gradients.row_start[row]; e < request_.gradients.row_start[row + 1];
           ++e)
        visit(row, e);
  }

  const RattleRequest& request_;
  std::uint32_t n_, m_;
  TapeBuilder builder_;
  Lowering lowering_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, ValueId> matrix_;
};

/// Whether the elimination along the diagonal stays sparse enough.
bool is_short(const symbolic::SparseExprMatrix& gradients, std::uint32_t m, std::uint32_t n) {
  std::vector<std::vector<std::uint32_t>> of_column(n);
  for (std::uint32_t row = 0; row < m; ++row)
    for (auto e = gradients.row_start[row]; e < gradients.row_start[row + 1]; ++e)
      of_column[gradients.column[e]].push_back(row);
  std::vector<std::set<std::uint32_t>> above(m);  // of the diagonal, by row; symmetric
  std::size_t n_operations = 0;
  for (const auto& rows : of_column)
    for (const std::uint32_t a : rows)
      for (const std::uint32_t b : rows) {
        if (a < b) above[a].insert(b);
        if (++n_operations > most_operations) return false;
      }
  for (std::uint32_t k = 0; k < m; ++k) {
    n_operations += above[k].size() * above[k].size();
    if (n_operations > most_operations) return false;
    for (const std::uint32_t a : above[k])
      for (const std::uint32_t b : above[k])
        if (a < b) above[a].insert(b);
  }
  return true;
}

}  // namespace

RattleKernels make_rattle_kernels(const RattleRequest& request, double memory, Backend backend) {
  const std::size_t m = request.constraints.size();
  if (m == 0) return {};
  // A constraint that holds no position has no pivot.
  for (std::size_t k = 0; k < m; ++k)
    if (request.gradients.row_start[k] == request.gradients.row_start[k + 1]) return {};
  if (!is_short(request.gradients, static_cast<std::uint32_t>(m),
                static_cast<std::uint32_t>(request.positions.size())))
    return {};
  const Tape onto = Writer(request, request.gradients.value.size()).onto();
  const Tape along = Writer(request, request.positions.size() + m).along(memory);
  return {make_kernel(onto, backend), make_kernel(along, backend)};
}

}  // namespace alembert::compile
