// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/linear_elimination.hpp"

#include <cstdint>
#include <limits>
#include <utility>

namespace alembert::ensemble {

namespace {

using compile::no_value;
using compile::TapeBuilder;
using compile::TapeOp;
using compile::ValueId;

/// A pivot that cancellation made this much smaller has lost half of its digits.
constexpr double least_share = 1e-8;

class Elimination {
 public:
  Elimination(TapeBuilder& builder, std::vector<Entry> a, std::vector<Entry> b)
      : builder_(builder),
        n_(b.size()),
        a_(std::move(a)),
        b_(std::move(b)),
        previous_(n_),
        filled_(n_, 0),
        open_(n_, 1),
        x_(n_) {
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < i; ++j) symmetric_ = symmetric_ && at(i, j) == at(j, i);
  }

  std::optional<LinearSolution> run() {
    for (std::size_t left = n_; left > 0; --left) {
      if (left == 2 && solve_last_two()) break;
      const std::size_t p = choose_pivot();
      if (p == n_) return std::nullopt;
      eliminate(p);
    }
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) substitute(*step);
    LinearSolution solution;
    for (const Entry& x : x_) solution.x.push_back(plain(x));
    solution.margin = margin_;
    return solution;
  }

 private:
  struct Step {
    std::size_t pivot;
    Entry inverse;
  };

  Entry& at(std::size_t i, std::size_t j) { return a_[i * n_ + j]; }
  const double* number(const Entry& entry) const { return builder_.constant_value(entry.value); }

  ValueId plain(const Entry& entry) {
    if (entry.is_zero()) return builder_.constant(0);
    return entry.negative ? builder_.apply(TapeOp::neg, entry.value) : entry.value;
  }

  Entry product(const Entry& a, const Entry& b) {
    if (a.is_zero() || b.is_zero()) return {};
    // A number takes the sign.
    if (a.negative != b.negative)
      for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}})
        if (const double* value = number(one))
          return {builder_.apply(TapeOp::mul, builder_.constant(-*value), other.value), false};
    return {builder_.apply(TapeOp::mul, a.value, b.value), a.negative != b.negative};
  }

  /// a - l u; the four fused operations leave no sign over.
  Entry reduced(const Entry& a, const Entry& l, const Entry& u) {
    const bool minus = l.negative == u.negative;
    if (a.is_zero()) return {builder_.apply(TapeOp::mul, l.value, u.value), minus};
    const TapeOp op =
        a.negative ? (minus ? TapeOp::fnms : TapeOp::fms) : (minus ? TapeOp::fnma : TapeOp::fma);
    return {builder_.apply(op, l.value, u.value, a.value), false};
  }

  Entry inverse_of(const Entry& entry) {
    return {builder_.apply(TapeOp::div, builder_.constant(1), entry.value), entry.negative};
  }

  /// Entries of a row still open, the diagonal left out.
  std::size_t n_others(std::size_t i) {
    std::size_t n = 0;
    for (std::size_t j = 0; j < n_; ++j) n += open_[j] && j != i && !at(i, j).is_zero();
    return n;
  }

  std::size_t choose_pivot() {
    std::size_t best = n_, best_cost = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < n_; ++i) {
      if (!open_[i] || at(i, i).is_zero()) continue;
      const double* value = number(at(i, i));
      if (value != nullptr && *value == 0) continue;
      // Entries that were there from the start go before those that are sums of products.
      const std::size_t others = n_others(i);
      const std::size_t cost =
          others * others + (filled_[i] ? n_ * n_ : 0) + (value != nullptr ? 0 : 1);
      if (cost < best_cost) best = i, best_cost = cost;
    }
    return best;
  }

  void check(const Entry& pivot, const Entry& reference) {
    if (number(pivot) != nullptr || reference.is_zero()) return;
    const ValueId margin =
        builder_.apply(TapeOp::fnma, builder_.apply(TapeOp::abs, reference.value),
                       builder_.constant(least_share), builder_.apply(TapeOp::abs, pivot.value));
    margin_ = margin_ == no_value ? margin : builder_.apply(TapeOp::min, margin_, margin);
  }

  void eliminate(std::size_t p) {
    open_[p] = 0;
    check(at(p, p), previous_[p]);
    const Entry inverse = inverse_of(at(p, p));
    for (std::size_t i = 0; i < n_; ++i) {
      if (!open_[i] || at(i, p).is_zero()) continue;
      const Entry l = product(at(i, p), inverse);
      for (std::size_t j = symmetric_ ? i : 0; j < n_; ++j) {
        if (!open_[j] || at(p, j).is_zero()) continue;
        if (i == j) {
          previous_[i] = at(i, i);
          filled_[i] = 1;
        }
        at(i, j) = reduced(at(i, j), l, at(p, j));
        if (symmetric_) at(j, i) = at(i, j);
      }
      if (!b_[p].is_zero()) b_[i] = reduced(b_[i], l, b_[p]);
    }
    steps_.push_back({p, inverse});
  }

  /// a b - c d
  Entry cofactor(const Entry& a, const Entry& b, const Entry& c, const Entry& d) {
    if (c.is_zero() || d.is_zero()) return product(a, b);
    Entry first = {builder_.apply(TapeOp::mul, c.value, d.value), c.negative == d.negative};
    if (a.is_zero() || b.is_zero()) return first;
    return reduced(first, {a.value, !a.negative}, b);
  }

  /// By determinants: one division in place of two that wait for each other.
  bool solve_last_two() {
    std::size_t i = n_, j = n_;
    for (std::size_t k = 0; k < n_; ++k)
      if (open_[k]) (i == n_ ? i : j) = k;
    for (const Entry& entry : {at(i, i), at(i, j), at(j, i), at(j, j)})
      if (entry.is_zero()) return false;
    const Entry determinant = cofactor(at(i, i), at(j, j), at(i, j), at(j, i));
    check(determinant, {builder_.apply(TapeOp::mul, at(i, j).value, at(j, i).value), false});
    const Entry inverse = inverse_of(determinant);
    x_[i] = product(cofactor(b_[i], at(j, j), at(i, j), b_[j]), inverse);
    x_[j] = product(cofactor(at(i, i), b_[j], at(j, i), b_[i]), inverse);
    return true;
  }

  void substitute(const Step& step) {
    Entry right = b_[step.pivot];
    for (std::size_t j = 0; j < n_; ++j)
      if (!x_[j].is_zero() && !at(step.pivot, j).is_zero() && j != step.pivot)
        right = reduced(right, at(step.pivot, j), x_[j]);
    x_[step.pivot] = product(right, step.inverse);
  }

  TapeBuilder& builder_;
  std::size_t n_;
  std::vector<Entry> a_, b_;
  std::vector<Entry> previous_;  // a diagonal before the last product was taken from it
  std::vector<char> filled_;     // a diagonal that is a sum of products
  std::vector<char> open_;
  std::vector<Step> steps_;
  bool symmetric_ = true;
  std::vector<Entry> x_;
  ValueId margin_ = no_value;
};

}  // namespace

std::optional<LinearSolution> eliminate(TapeBuilder& builder, std::vector<Entry> a,
                                        std::vector<Entry> b) {
  return Elimination(builder, std::move(a), std::move(b)).run();
}

}  // namespace alembert::ensemble
