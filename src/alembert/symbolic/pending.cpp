// SPDX-License-Identifier: Apache-2.0
// Pending sums and products: what the C++ operators leave behind, made canonical when looked at
// (see pool.hpp).
#include <algorithm>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/pool.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

namespace {

constexpr bool is_sum_family(ExprPool::PendingOp op) {
  return op == ExprPool::PendingOp::add || op == ExprPool::PendingOp::sub;
}

}  // namespace

/// An operand as a chain of that family takes it: canonical, or a pending part of the same chain.
/// A chain holds one family only, so that resolving never nests.
[[gnu::always_inline]] inline ExprId ExprPool::pending_operand(ExprId operand, PendingOp op) {
  if (!is_pending(operand)) {
    require_number(is_sum_family(op) ? Op::add : Op::mul, operand);
    return operand;
  }
  const Pending& below = pending_[operand.value & ~pending_bit];
  if (below.canonical.valid()) return below.canonical;
  return is_sum_family(below.op) == is_sum_family(op) ? operand : resolve_pending(operand);
}

ExprId ExprPool::pending(PendingOp op, ExprId a, ExprId b) {
  a = pending_operand(a, op);
  b = pending_operand(b, op);
  const std::size_t index = pending_.size();
  if (index >= pending_bit - 1) [[unlikely]]
    ensure(false, "an expression pool holds at most 2^31 pending nodes");
  pending_.push_back({a, b, ExprId::none(), op});
  return {static_cast<std::uint32_t>(index) | pending_bit};
}

/// What is finished of an operand: itself, or what a pending one has become.
inline ExprId ExprPool::finished(ExprId operand) const {
  return is_pending(operand) ? pending_[operand.value & ~pending_bit].canonical : operand;
}

/// The most frequent shape, ((a + b) - c) + d with b, c and d finished, of which no part was
/// walked before: it needs no order of visits.
bool ExprPool::is_fresh_chain(std::uint32_t root) const {
  for (std::uint32_t index = root;;) {
    const Pending& pending = pending_[index];
    if (pending.absorbed || !finished(pending.b).valid()) return false;
    if (finished(pending.a).valid()) return true;
    index = pending.a.value & ~pending_bit;
  }
}

ExprId ExprPool::finish_chain(std::uint32_t root) {
  const bool sum = is_sum_family(pending_[root].op);
  Terms terms;
  Factors factors;
  Number total = sum ? 0 : 1;  // of the numbers
  const auto gather = [&](ExprId part, int weight) {
    sum ? gather_terms(part, weight, terms, total) : gather_factors(part, weight, factors, total);
  };
  for (std::uint32_t index = root;;) {
    pending_[index].absorbed = true;
    const Pending pending = pending_[index];
    const bool inverse = pending.op == PendingOp::sub || pending.op == PendingOp::div;
    gather(finished(pending.b), inverse ? -1 : 1);
    if (const ExprId a = finished(pending.a); a.valid()) {
      gather(a, 1);
      break;
    }
    index = pending.a.value & ~pending_bit;
  }
  // From the first to the last as they were written, which is often the canonical order.
  std::reverse(terms.begin(), terms.end());
  std::reverse(factors.begin(), factors.end());
  const ExprId canonical = sum ? finish_sum(terms, total) : finish_product(factors, total);
  pending_[root].canonical = canonical;
  return canonical;
}

/// The canonical parts of a pending sum (product), each with its coefficient (exponent), and all
/// pending nodes above them. Nodes are taken by descending ids, so that one that is shared by
/// several parents has met all of them when its turn comes: the cost is linear in the nodes, not in
/// the tree they stand for.
ExprPool::PendingParts ExprPool::pending_parts(std::uint32_t root) const {
  PendingParts result;
  struct Open {
    std::uint32_t index;
    Number weight;
  };
  const auto lower = [](const Open& a, const Open& b) { return a.index < b.index; };
  ShortList<Open> open;  // a heap
  open.push_back({root, 1});
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), lower);
    const Open top = open.back();
    open.pop_back();
    Number weight = top.weight;
    while (!open.empty() && open[0].index == top.index) {
      weight = weight + open[0].weight;
      std::pop_heap(open.begin(), open.end(), lower);
      open.pop_back();
    }
    const Pending& pending = pending_[top.index];
    result.walked.push_back(top.index);
    const bool inverse = pending.op == PendingOp::sub || pending.op == PendingOp::div;
    const auto pass_on = [&](ExprId id, const Number& part_weight) {
      if (!is_pending(id)) {
        result.parts.push_back({id, part_weight});
        return;
      }
      const std::uint32_t index = id.value & ~pending_bit;
      if (pending_[index].canonical.valid()) {
        result.parts.push_back({pending_[index].canonical, part_weight});
        return;
      }
      open.push_back({index, part_weight});
      std::push_heap(open.begin(), open.end(), lower);
    };
    pass_on(pending.b, inverse ? -weight : weight);
    pass_on(pending.a, weight);
  }
  // From the first to the last as they were written, which is often the canonical order.
  std::reverse(result.parts.begin(), result.parts.end());
  return result;
}

ExprId ExprPool::finish_pending(std::uint32_t index, const PendingParts& pending) {
  for (const std::uint32_t walked : pending.walked) pending_[walked].absorbed = true;
  ExprId canonical;
  if (is_sum_family(pending_[index].op)) {
    Terms terms;
    terms.reserve(pending.parts.size());
    Number constant = 0;
    for (const Term& part : pending.parts)
      gather_terms(part.rest, part.coefficient, terms, constant);
    canonical = finish_sum(terms, constant);
  } else {
    Factors factors;
    factors.reserve(pending.parts.size());
    Number coefficient = 1;
    for (const Term& part : pending.parts)
      gather_factors(part.rest, part.coefficient, factors, coefficient);
    canonical = finish_product(factors, coefficient);
  }
  pending_[index].canonical = canonical;
  return canonical;
}

ExprId ExprPool::resolve_pending(ExprId id) {
  const std::uint32_t index = id.value & ~pending_bit;
  const Pending top = pending_[index];
  if (top.canonical.valid()) return top.canonical;
  const ExprId a = finished(top.a);
  const ExprId b = finished(top.b);
  if (a.valid() && b.valid()) {
    const ExprId canonical = top.op == PendingOp::add   ? add(a, b)
                             : top.op == PendingOp::sub ? sub(a, b)
                             : top.op == PendingOp::mul ? mul(a, b)
                                                        : div(a, b);
    pending_[index].canonical = canonical;
    return canonical;
  }
  if (is_fresh_chain(index)) return finish_chain(index);
  // Totals looked at from the last to the first: each would be gathered anew from the very
  // beginning. What has been walked before is therefore finished at intervals, which later walks do
  // not go below.
  const PendingParts pending = pending_parts(index);
  const std::uint32_t interval = is_sum_family(top.op) ? flat_sum_limit : flat_product_limit;
  std::uint32_t n_again = 0;
  for (std::size_t i = pending.walked.size(); i-- > 0;) {
    const std::uint32_t walked = pending.walked[i];
    if (pending_[walked].absorbed && ++n_again % (interval + 1) == 0)
      finish_pending(walked, pending_parts(walked));
  }
  return n_again > interval ? finish_pending(index, pending_parts(index))
                            : finish_pending(index, pending);
}

}  // namespace alembert::symbolic
