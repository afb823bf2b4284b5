// SPDX-License-Identifier: Apache-2.0
// Sums in canonical form: flat, like terms collected, in canonical order. See canonical.cpp for
// what no rule may do.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/block_memory.hpp"
#include "alembert/symbolic/pool.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

/// Adds coefficient * id to the terms; a sum is opened up unless it is kept whole for its size.
void ExprPool::gather_terms(ExprId id, const Number& coefficient, Terms& terms, Number& constant) {
  const Node node = nodes_[id.value];
  if (node.op == Op::number) {
    constant = constant + coefficient * numbers_[node.payload];
  } else if (node.op == Op::add && node.count <= flat_sum_limit) {
    // Canonical sums are flat, so this is one level deep.
    for (std::uint32_t i = 0; i < node.count; ++i)
      gather_terms(children_[node.first + i], coefficient, terms, constant);
  } else if (node.op == Op::mul && is_number(children_[node.first])) {
    const Number scaled = coefficient * number_of(children_[node.first]);
    const ExprId rest =
        node.count == 2 ? children_[node.first + 1] : intern(Op::mul, 0, children(id).subspan(1));
    if (scaled.is_exact() && is_open_sum(rest))
      gather_terms(rest, scaled, terms, constant);  // 2 * (0.5*(a + b)): the double is gone
    else
      terms.push_back({rest, scaled});
  } else {
    terms.push_back({id, coefficient});
  }
}

void ExprPool::sort_terms(Terms& terms) {
  constexpr std::size_t many = 100;
  if (terms.size() >= many) return sort_many(terms);
  sort_short(terms, [this](const Term& a, const Term& b) { return is_before(a.rest, b.rest); });
}

namespace {

/// What decides the order of a term, fetched once, because nodes are all over the memory.
struct TermKey {
  std::uint64_t order;    // leading symbol and height
  std::uint64_t content;  // what `precedes` looks at next
  std::uint32_t place;
};

/// Sorts by the bits of one member that differ, eleven at a time; keeps the order of equals.
template <auto member>
void radix_sort(std::span<TermKey> keys, std::span<TermKey> scratch) {
  constexpr int digit_bits = 11;
  constexpr std::size_t n_digits = std::size_t{1} << digit_bits;
  std::uint64_t differing = 0;
  for (const TermKey& key : keys) differing |= key.*member ^ keys[0].*member;
  std::array<std::uint32_t, n_digits> first;
  bool in_scratch = false;
  while (differing != 0) {
    const int shift = std::countr_zero(differing);
    const auto digit = [shift](const TermKey& key) {
      return static_cast<std::size_t>(key.*member >> shift) & (n_digits - 1);
    };
    const std::span<TermKey> from = in_scratch ? scratch : keys;
    const std::span<TermKey> to = in_scratch ? keys : scratch;
    first.fill(0);
    for (const TermKey& key : from) ++first[digit(key)];
    std::uint32_t total = 0;
    for (std::uint32_t& place : first) total += std::exchange(place, total);
    for (const TermKey& key : from) to[first[digit(key)]++] = key;
    in_scratch = !in_scratch;
    differing =
        shift + digit_bits < 64 ? differing >> (shift + digit_bits) << (shift + digit_bits) : 0;
  }
  if (in_scratch) std::copy(scratch.begin(), scratch.end(), keys.begin());
}

/// Sorts by content, which is a hash for all but symbols, so its upper bits tell nearly where a key
/// belongs; `before` puts the neighbours in order.
template <class Before>
void sort_by_hash(std::span<TermKey> keys, std::span<TermKey> scratch, Before before) {
  const int bits = std::bit_width(keys.size());
  const auto bucket = [bits](const TermKey& key) { return key.content >> (64 - bits); };
  std::vector<std::uint32_t, BlockAllocator<std::uint32_t>> first(std::size_t{2} << bits, 0);
  for (const TermKey& key : keys) ++first[bucket(key)];
  std::uint32_t total = 0;
  for (std::uint32_t& place : first) total += std::exchange(place, total);
  for (const TermKey& key : keys) scratch[first[bucket(key)]++] = key;
  std::copy(scratch.begin(), scratch.end(), keys.begin());
  for (std::size_t i = 0; i < keys.size();) {
    std::size_t next = i + 1;
    while (next < keys.size() && bucket(keys[next]) == bucket(keys[i])) ++next;
    if (next - i > 1)
      std::sort(keys.begin() + static_cast<std::ptrdiff_t>(i),
                keys.begin() + static_cast<std::ptrdiff_t>(next), before);
    i = next;
  }
}

}  // namespace

void ExprPool::sort_many(Terms& terms) {
  if (terms.size() > symbols_.size() / 8) rank_symbols();
  ShortList<TermKey> keys;
  keys.reserve(terms.size());
  bool sorted = true;
  for (std::uint32_t i = 0; i < terms.size(); ++i) {
    const Node& node = nodes_[terms[i].rest.value];
    const std::uint32_t rank = node.lead == no_lead ? 0 : symbol_order_[node.lead].rank + 1;
    if (node.lead != no_lead && rank == 0) {  // not ranked
      std::sort(terms.begin(), terms.end(),
                [this](const Term& a, const Term& b) { return precedes(a.rest, b.rest); });
      return;
    }
    keys.push_back({std::uint64_t{rank} << 32 | node.height,
                    node.op == Op::symbol ? symbols_[node.payload].order : node.hash, i});
    if (i > 0 && sorted) {
      const TermKey& last = keys[i - 1];
      sorted = last.order < keys[i].order ||
               (last.order == keys[i].order && last.content < keys[i].content);
    }
  }
  if (sorted) return;
  const auto by_content = [&](const TermKey& a, const TermKey& b) {
    if (a.content != b.content) return a.content < b.content;
    return precedes(terms[a.place].rest, terms[b.place].rest);
  };
  constexpr std::size_t many = 1000;
  if (keys.size() < many) {
    std::sort(keys.begin(), keys.end(), [&](const TermKey& a, const TermKey& b) {
      return a.order != b.order ? a.order < b.order : by_content(a, b);
    });
  } else {
    ShortList<TermKey> scratch;
    scratch.append(keys);
    radix_sort<&TermKey::order>({keys.begin(), keys.size()}, {scratch.begin(), keys.size()});
    for (std::size_t i = 0; i < keys.size();) {
      std::size_t next = i + 1;
      while (next < keys.size() && keys[next].order == keys[i].order) ++next;
      // Contents are hashes, which spread over all bits: one digit sorts most of them.
      if (next - i >= many)
        sort_by_hash({keys.begin() + i, next - i}, {scratch.begin(), next - i}, by_content);
      else if (next - i > 1)
        std::sort(keys.begin() + i, keys.begin() + next, by_content);
      i = next;
    }
  }
  Terms ordered;
  ordered.reserve(terms.size());
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) __builtin_prefetch(terms.begin() + keys[i + ahead].place);
    ordered.push_back(terms[keys[i].place]);
  }
  terms.clear();
  terms.append(ordered);
}

ExprId ExprPool::finish_sum(Terms& terms, const Number& constant) {
  sort_terms(terms);
  ShortList<ExprId> children;
  children.reserve(terms.size() + 1);
  bool plain = true;  // all coefficients one
  for (std::size_t i = 0; i < terms.size();) {
    Number coefficient = terms[i].coefficient;
    const ExprId rest = terms[i].rest;
    std::size_t next = i + 1;
    for (; next < terms.size() && terms[next].rest == rest; ++next)
      coefficient = coefficient + terms[next].coefficient;
    if (next > i + 1 && coefficient.is_exact() && is_open_sum(rest)) {
      // 0.5*(a + b) + 1.5*(a + b): the doubles added up to an exact number, which opens the sum.
      Terms opened;
      Number total = constant;
      for (std::size_t k = 0; k < terms.size(); ++k)
        if (k < i || k >= next) opened.push_back(terms[k]);
      gather_terms(rest, coefficient, opened, total);
      return finish_sum(opened, total);
    }
    plain = plain && coefficient.is_one();
    if (!coefficient.is_zero() || divides_by_zero(rest))
      children.push_back(plain ? rest : scale(coefficient, rest));
    i = next;
  }
  if (!constant.is_zero() || children.empty()) children.push_back(number(constant));
  if (children.size() == 1) return children[0];
  return intern_sum(children, plain && (constant.is_integer() || !constant.is_exact()));
}

/// coefficient * rest, where rest is canonical.
// The number comes by value: one that lives in the pool would move as the pool grows.
ExprId ExprPool::scale(Number coefficient, ExprId rest) {
  if (coefficient.is_one()) return rest;
  if (coefficient.is_zero() && !divides_by_zero(rest)) return number(0);
  const Node& node = nodes_[rest.value];
  if (node.op == Op::number) return number(coefficient * numbers_[node.payload]);
  // An exact number goes into a sum; a double stays outside, where it can be taken off again
  // without rounding.
  if (coefficient.is_exact() && is_open_sum(rest)) {
    Terms terms;
    Number constant = 0;
    gather_terms(rest, coefficient, terms, constant);
    return finish_sum(terms, constant);
  }
  if (is_open_sum(rest) && !has_unit_content(rest)) {
    Number inverse;
    const Number shared = content(rest);
    if (integer_power(shared, -1, inverse))
      return scale(coefficient * shared, scale(inverse, rest));
  }
  ShortList<ExprId> children;
  if (node.op != Op::mul) {
    children.push_back(number(coefficient));
    children.push_back(rest);
  } else {
    const bool has_number = is_number(children_[node.first]);
    const Number total = has_number ? coefficient * number_of(children_[node.first]) : coefficient;
    if (total.is_zero() && !divides_by_zero(rest))
      return number(0);  // the product of two tiny numbers
    if (!total.is_one()) children.push_back(number(total));
    children.append(this->children(rest).subspan(has_number ? 1 : 0));
    if (children.size() == 1) return children[0];
    // number * (sum kept whole): the sum may have become small enough to take the number in
    if (children.size() == 2 && total.is_exact() && !total.is_one() && is_open_sum(children[1]))
      return scale(total, children[1]);
  }
  return intern(Op::mul, 0, children);
}

ExprId ExprPool::add(std::span<const ExprId> summands) {
  if (owns(summands)) return add(ShortList<ExprId>(summands));
  Terms terms;
  terms.reserve(summands.size());
  Number constant = 0;
  constexpr std::size_t ahead = 8;
  for (std::size_t i = 0; i < summands.size(); ++i) {
    // The terms of a long sum may be anywhere, and so may their factors.
    if (i + 3 * ahead < summands.size()) {
      __builtin_prefetch(nodes_.data() + summands[i + 3 * ahead].value);
      __builtin_prefetch(children_.data() + nodes_[summands[i + 2 * ahead].value].first);
      if (const Node& next = nodes_[summands[i + ahead].value]; next.count > 0)
        __builtin_prefetch(nodes_.data() + children_[next.first].value);
    }
    require_number(Op::add, summands[i]);
    gather_terms(summands[i], 1, terms, constant);
  }
  return finish_sum(terms, constant);
}

ExprId ExprPool::add(ExprId a, ExprId b) {
  if (is_zero(a) && !is_condition(b)) return b;
  if (is_zero(b) && !is_condition(a)) return a;
  if (is_indivisible(a) && is_indivisible(b)) {
    if (a == b) return scale(2, a);
    if (is_before(b, a)) std::swap(a, b);
    const ExprId sum = intern(Op::add, a, b);
    nodes_[sum.value].unit_content = true;
    return sum;
  }
  const ExprId both[] = {a, b};
  return add(both);
}

ExprId ExprPool::sub(ExprId a, ExprId b) {
  const ExprId both[] = {a, b};
  require_numbers(Op::add, both);
  Terms terms;
  Number constant = 0;
  gather_terms(a, 1, terms, constant);
  gather_terms(b, -1, terms, constant);
  return finish_sum(terms, constant);
}

ExprId ExprPool::neg(ExprId a) {
  require_numbers(Op::mul, std::span(&a, 1));
  return scale(-1, a);
}

bool ExprPool::find_unit_content(ExprId sum) {
  const bool unit = content(sum).is_one();
  nodes_[sum.value].unit_content = unit;
  return unit;
}

/// The number that all terms of a sum share: the sign of its first term and, where all coefficients
/// are exact, their greatest common divisor. Factors are kept without it, so that 2*(a + b)*z and
/// (2*a + 2*b)*z are one expression.
Number ExprPool::content(ExprId sum) const {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  bool exact = true;
  for (const ExprId term : children(sum)) {
    const ExprId first = op(term) == Op::mul ? children(term)[0] : term;
    const Number coefficient = is_number(first) ? number_of(first) : Number(1);
    exact = exact && coefficient.is_exact();
    if (!exact) break;
    numerator = std::gcd(numerator, coefficient.numerator());
    const std::int64_t factor =
        coefficient.denominator() / std::gcd(denominator, coefficient.denominator());
    if (__builtin_mul_overflow(denominator, factor, &denominator)) exact = false;
    if (!exact) break;
  }
  const Number size = exact ? Number::rational(numerator, denominator) : Number(1);
  return leads_negative(sum) ? -size : size;
}

}  // namespace alembert::symbolic
