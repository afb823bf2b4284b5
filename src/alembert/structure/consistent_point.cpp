// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/consistent_point.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

constexpr int most_iterations = 200;
constexpr double met = 1e-11;

}  // namespace

bool is_smooth(const symbolic::ExprPool& pool, std::span<const ExprId> expressions) {
  using symbolic::Op;
  const symbolic::Reach reach(pool, expressions);
  return std::ranges::none_of(reach.nodes(), [&](ExprId node) {
    const Op op = pool.op(node);
    return op == Op::if_then_else || op == Op::call || op == Op::min || op == Op::max ||
           op == Op::sign || op == Op::semi_linear ||
           (pool.is_symbol(node) && pool.symbol_of(node).kind == symbolic::SymbolKind::discrete);
  });
}

symbolic::Values start_values(const flat::FlatSystem& flat) {
  const std::vector<double> parameters = flat::examine_parameters(flat).values;
  symbolic::Values values = flat::values_by_symbol(flat, parameters);
  const flat::StartNumbers starts = flat::evaluate_starts(flat, parameters);
  for (std::size_t j = 0; j < flat.unknowns.size(); ++j)
    if (starts.unknowns[j]) values[flat.unknowns[j].symbol] = *starts.unknowns[j];
  for (std::size_t k = 0; k < flat.derivative_starts.size(); ++k)
    values[flat.derivative_starts[k].symbol] = starts.derivatives[k];
  values[flat.pool->time()] = flat.experiment.start.value_or(0);
  return values;
}

ConsistentPoint::ConsistentPoint(symbolic::ExprPool& pool, const symbolic::Values& given,
                                 std::vector<ExprId> residuals)
    : pool_(pool), given_(given), residuals_(std::move(residuals)) {
  const auto is_unknown = [&](ExprId symbol) {
    return pool.symbol_of(symbol).kind == symbolic::SymbolKind::unknown;
  };
  for (const ExprId symbol : free_symbols(pool, residuals_))
    if (is_unknown(symbol)) symbols_.push_back(symbol);
  std::sort(symbols_.begin(), symbols_.end(),
            [&](ExprId a, ExprId b) { return pool.hash(a) < pool.hash(b); });
  std::unordered_map<ExprId, Index> place;  // looked up, never iterated
  for (Index k = 0; k < symbols_.size(); ++k) place[symbols_[k]] = k;
  expressions_ = residuals_;
  for (const ExprId residual : residuals_) {
    std::vector<ExprId> own;
    for (const ExprId symbol : free_symbols(pool, residual))
      if (is_unknown(symbol)) {
        own.push_back(symbol);
        columns_.items.push_back(place[symbol]);
      }
    columns_.end_list();
    const auto slopes = gradient(pool, residual, own);
    expressions_.insert(expressions_.end(), slopes.begin(), slopes.end());
  }
  for (const ExprId symbol : free_symbols(pool, expressions_)) {
    const auto found = given.find(symbol);
    values_.emplace(symbol, found == given.end() ? 0.0 : found->second);
  }
}

std::vector<double> ConsistentPoint::evaluate(std::span<const ExprId> expressions) const {
  symbolic::Values values = values_;
  for (const ExprId symbol : free_symbols(pool_, expressions)) {
    const std::uint64_t mixed = pool_.hash(symbol) * 0x9e3779b97f4a7c15ull;
    const double made_up = 0.4 + 1.2 * static_cast<double>(mixed >> 11) * 0x1p-53;
    // No equation holds at one time only.
    const auto found = symbol == pool_.time() ? given_.end() : given_.find(symbol);
    values.try_emplace(symbol, found == given_.end() ? made_up : found->second);
  }
  return symbolic::evaluate(pool_, expressions, values);
}

bool ConsistentPoint::evaluate_all() {
  numbers_ = symbolic::evaluate(pool_, expressions_, values_);
  return std::all_of(numbers_.begin(), numbers_.end(), [](double v) { return std::isfinite(v); });
}

void ConsistentPoint::disturb(unsigned number, double part) {
  double size = 0;
  for (const ExprId symbol : symbols_) size = std::max(size, std::abs(values_[symbol]));
  if (size == 0) size = 1;
  const auto between_0_and_1 = [&](ExprId symbol) {
    const std::uint64_t mixed = (pool_.hash(symbol) + 17 * number + 1) * 0x9e3779b97f4a7c15ull;
    return static_cast<double>(mixed >> 11) * 0x1p-53;
  };
  for (const ExprId symbol : symbols_)
    values_[symbol] += part * size * (2 * between_0_and_1(symbol) - 1);
  if (const auto time = values_.find(pool_.time()); time != values_.end())
    time->second += part * between_0_and_1(pool_.time());
}

ConsistentPoint::End ConsistentPoint::solve() {
  const auto m = static_cast<Eigen::Index>(residuals_.size());
  const auto n = static_cast<Eigen::Index>(symbols_.size());
  if (!evaluate_all()) return End::unknown;
  if (n == 0)
    return std::ranges::all_of(numbers_, [](double r) { return std::abs(r) <= met; })
               ? End::met
               : End::contradiction;
  Eigen::MatrixXd jacobian(m, n);
  Eigen::VectorXd right(m);
  double damping = 1e-6;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    jacobian.setZero();
    std::size_t at = residuals_.size();
    double largest = 0;
    for (Eigen::Index i = 0; i < m; ++i) {
      right[i] = numbers_[static_cast<std::size_t>(i)];
      largest = std::max(largest, std::abs(right[i]));
      for (const Index j : columns_[static_cast<Index>(i)]) jacobian(i, j) = numbers_[at++];
    }
    const double gradient_size = jacobian.cwiseAbs().maxCoeff();
    if (largest <= met * std::max(1.0, gradient_size)) return End::met;
    const Eigen::VectorXd slope = jacobian.transpose() * right;
    if (slope.cwiseAbs().maxCoeff() <= 1e-9 * largest * std::max(gradient_size, 1e-300))
      return End::contradiction;
    // The smaller of the two normal matrices is the one without a null space of its own.
    const Eigen::MatrixXd normal = jacobian * jacobian.transpose();
    const double before = right.squaredNorm();
    const symbolic::Values here = values_;
    bool better = false;
    for (int attempt = 0; attempt < 30 && !better; ++attempt) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal().array() += damping * gradient_size * gradient_size;
      const Eigen::VectorXd step = -jacobian.transpose() * damped.ldlt().solve(right);
      for (Eigen::Index j = 0; j < n; ++j)
        values_[symbols_[static_cast<std::size_t>(j)]] =
            here.at(symbols_[static_cast<std::size_t>(j)]) + step[j];
      double after = infinity;
      if (evaluate_all()) {
        after = 0;
        for (std::size_t i = 0; i < residuals_.size(); ++i) after += numbers_[i] * numbers_[i];
      }
      better = after < before;
      damping = better ? std::max(damping * 0.1, 1e-14) : damping * 10;
    }
    if (!better) {
      values_ = here;
      evaluate_all();
      if (largest <= 1e-8 * std::max(1.0, gradient_size)) return End::met;
      return slope.cwiseAbs().maxCoeff() <= 1e-5 * largest * gradient_size ? End::contradiction
                                                                           : End::unknown;
    }
  }
  return End::unknown;
}

}  // namespace alembert::structure
