// SPDX-License-Identifier: Apache-2.0
#include "alembert/ensemble/linear_elimination.hpp"

#include <cstdint>
#include <limits>

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
  Elimination(TapeBuilder& builder, std::vector<ValueId> a, std::vector<ValueId> b)
      : builder_(builder),
        n_(b.size()),
        a_(std::move(a)),
        b_(std::move(b)),
        before_(a_),
        open_(n_, 1),
        solution_{std::vector<ValueId>(n_, no_value)} {
    symmetric_ = true;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < i; ++j) symmetric_ = symmetric_ && at(i, j) == at(j, i);
  }

  std::optional<LinearSolution> run() {
    for (std::size_t left = n_; left > 0;) {
      if (left == 2 && solve_last_two()) break;
      const std::size_t p = choose_pivot();
      if (p == n_) return std::nullopt;
      eliminate(p);
      --left;
    }
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) substitute(*step);
    for (ValueId& x : solution_.x)
      if (x == no_value) x = builder_.constant(0);
    return std::move(solution_);
  }

 private:
  struct Step {
    std::size_t pivot;
    ValueId inverse;
  };

  ValueId& at(std::size_t i, std::size_t j) { return a_[i * n_ + j]; }
  bool is_number(ValueId value) const { return builder_.constant_value(value) != nullptr; }

  /// Entries of a row still open, the diagonal left out.
  std::size_t n_others(std::size_t i) {
    std::size_t n = 0;
    for (std::size_t j = 0; j < n_; ++j) n += open_[j] && j != i && at(i, j) != no_value;
    return n;
  }

  std::size_t choose_pivot() {
    std::size_t best = n_, best_cost = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < n_; ++i) {
      if (!open_[i] || at(i, i) == no_value) continue;
      if (const double* number = builder_.constant_value(at(i, i)); number && *number == 0)
        continue;
      // Entries that were there from the start go before those that are sums of products.
      const bool filled = before_[i * n_ + i] != at(i, i);
      const std::size_t others = n_others(i);
      const std::size_t cost =
          others * others + (filled ? n_ * n_ : 0) + (is_number(at(i, i)) ? 0 : 1);
      if (cost < best_cost) best = i, best_cost = cost;
    }
    return best;
  }

  /// a - l * u.
  ValueId reduced(ValueId a, ValueId l, ValueId u) {
    if (a == no_value) return builder_.apply(TapeOp::neg, builder_.apply(TapeOp::mul, l, u));
    return builder_.apply(TapeOp::fnma, l, u, a);
  }

  void check(ValueId pivot, ValueId reference) {
    if (is_number(pivot) || reference == no_value) return;
    const ValueId margin =
        builder_.apply(TapeOp::fnma, builder_.apply(TapeOp::abs, reference),
                       builder_.constant(least_share), builder_.apply(TapeOp::abs, pivot));
    solution_.margin = solution_.margin == no_value
                           ? margin
                           : builder_.apply(TapeOp::min, solution_.margin, margin);
  }

  void eliminate(std::size_t p) {
    open_[p] = 0;
    const ValueId pivot = at(p, p);
    // Before the last product was taken from it, if any was.
    check(pivot, previous_of(p));
    const ValueId inverse = builder_.apply(TapeOp::div, builder_.constant(1), pivot);
    for (std::size_t i = 0; i < n_; ++i) {
      if (!open_[i] || at(i, p) == no_value) continue;
      const ValueId l = builder_.apply(TapeOp::mul, at(i, p), inverse);
      for (std::size_t j = symmetric_ ? i : 0; j < n_; ++j) {
        if (!open_[j] || at(p, j) == no_value) continue;
        if (i == j) previous_.resize(n_, no_value), previous_[i] = at(i, i);
        at(i, j) = reduced(at(i, j), l, at(p, j));
        if (symmetric_) at(j, i) = at(i, j);
      }
      if (b_[p] != no_value) b_[i] = reduced(b_[i], l, b_[p]);
    }
    steps_.push_back({p, inverse});
  }

  ValueId previous_of(std::size_t p) const {
    return p < previous_.size() ? previous_[p] : no_value;
  }

  /// By determinants: one division in place of two that wait for each other.
  bool solve_last_two() {
    std::size_t i = n_, j = n_;
    for (std::size_t k = 0; k < n_; ++k)
      if (open_[k]) (i == n_ ? i : j) = k;
    for (const ValueId value : {at(i, i), at(i, j), at(j, i), at(j, j)})
      if (value == no_value) return false;
    const ValueId cross = builder_.apply(TapeOp::mul, at(i, j), at(j, i));
    const ValueId determinant = builder_.apply(TapeOp::fms, at(i, i), at(j, j), cross);
    check(determinant, cross);
    const ValueId inverse = builder_.apply(TapeOp::div, builder_.constant(1), determinant);
    const ValueId zero = builder_.constant(0);
    const ValueId bi = b_[i] == no_value ? zero : b_[i], bj = b_[j] == no_value ? zero : b_[j];
    const auto cofactor = [&](ValueId a, ValueId b, ValueId c, ValueId d) {  // a b - c d
      return builder_.apply(TapeOp::fms, a, b, builder_.apply(TapeOp::mul, c, d));
    };
    solution_.x[i] = builder_.apply(TapeOp::mul, cofactor(bi, at(j, j), at(i, j), bj), inverse);
    solution_.x[j] = builder_.apply(TapeOp::mul, cofactor(at(i, i), bj, at(j, i), bi), inverse);
    return true;
  }

  void substitute(const Step& step) {
    ValueId right = b_[step.pivot];
    for (std::size_t j = 0; j < n_; ++j) {
      if (solution_.x[j] == no_value || at(step.pivot, j) == no_value || j == step.pivot) continue;
      right = reduced(right, at(step.pivot, j), solution_.x[j]);
    }
    solution_.x[step.pivot] =
        right == no_value ? no_value : builder_.apply(TapeOp::mul, right, step.inverse);
  }

  TapeBuilder& builder_;
  std::size_t n_;
  std::vector<ValueId> a_, b_, before_;
  std::vector<ValueId> previous_;
  std::vector<char> open_;
  std::vector<Step> steps_;
  bool symmetric_ = false;
  LinearSolution solution_;
};

}  // namespace

std::optional<LinearSolution> eliminate(TapeBuilder& builder, std::vector<ValueId> a,
                                        std::vector<ValueId> b) {
  return Elimination(builder, std::move(a), std::move(b)).run();
}

}  // namespace alembert::ensemble
