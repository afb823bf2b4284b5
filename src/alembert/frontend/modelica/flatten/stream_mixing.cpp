// SPDX-License-Identifier: Apache-2.0
#include "alembert/frontend/modelica/flatten/stream_mixing.hpp"

#include <vector>

#include "alembert/base/error.hpp"

namespace alembert::modelica {

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::Op;

namespace {

/// Below this total rate the mixture turns into the plain mean.
constexpr double small_rate = 1e-7;

/// 1 where `total` is at least `small_rate`, 0 where it is 0, with a smooth passage.
ExprId share_of_rates(ExprPool& pool, ExprId total) {
  const ExprId small = pool.real(small_rate);
  const ExprId ratio = pool.div(total, small);
  const ExprId passage =
      pool.mul(pool.pow(ratio, 2), pool.sub(pool.integer(3), pool.mul(pool.integer(2), ratio)));
  const ExprId at_rest = pool.apply(Op::less_equal, total, pool.integer(0));
  const ExprId flowing = pool.apply(Op::less, small, total);
  const ExprId below = pool.if_then_else(at_rest, pool.integer(0), passage);
  return pool.apply(Op::smooth, pool.integer(1),
                    pool.if_then_else(flowing, pool.integer(1), below));
}

}  // namespace

ExprId mix_streams(ExprPool& pool, std::span<const StreamSource> sources) {
  ensure(!sources.empty(), "a mixture has a source");
  if (sources.size() == 1) return sources.front().value;
  const ExprId zero = pool.integer(0);
  std::vector<ExprId> rates;
  for (const StreamSource& source : sources)
    rates.push_back(pool.apply(Op::max, source.rate, zero));
  const ExprId share = share_of_rates(pool, pool.add(rates));
  const ExprId at_rest = pool.mul(pool.sub(pool.integer(1), share), pool.real(small_rate));
  std::vector<ExprId> weights;
  std::vector<ExprId> weighted;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    weights.push_back(pool.add(pool.mul(share, rates[i]), at_rest));
    weighted.push_back(pool.mul(weights.back(), sources[i].value));
  }
  return pool.div(pool.add(weighted), pool.add(weights));
}

}  // namespace alembert::modelica
