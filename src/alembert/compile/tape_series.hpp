// SPDX-License-Identifier: Apache-2.0
// Stage: compile. Taylor coefficients along a tape: every operation becomes the recurrence for its
// coefficients (Moore, Interval Analysis, 1966; Griewank and Walther, Evaluating Derivatives, ch.
// 13). In: a tape of plain operations, and coefficients of its inputs, order by order. Out: values
// of a tape under construction. A coefficient that is zero for every input takes no operation. What
// a coefficient takes from lower orders is summed first and in one order, so that a coefficient
// computed twice, before and after its own order of the inputs is known, shares that sum.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::compile {

/// A place where a tape chooses by values that vary: a comparison, abs, min, max or sign. Along a
/// series the choice is held; it may change only where `left - right` is zero.
struct SeriesBranch {
  ValueId node;
  ValueId left;
  ValueId right;  ///< no_value stands for zero
};

/// What of a tape has no series: a function of the user, or one that goes in steps.
struct WithoutSeries {
  std::string function;
};

class TapeSeries {
 public:
  /// `tape` must outlive the series.
  TapeSeries(const Tape& tape, TapeBuilder& builder);

  static std::optional<WithoutSeries> obstacle(const Tape& tape);
  /// In the order of the tape.
  static std::vector<SeriesBranch> branches(const Tape& tape);

  /// Coefficient k of an input; no_value is zero. Lower ones must have been set.
  void set_input(std::uint32_t input, std::uint32_t k, ValueId value);
  /// The condition that stands for a branch: of a comparison its truth, of abs and sign that the
  /// argument is not negative, of min and max that the first argument is taken.
  void set_branch(std::uint32_t branch, ValueId condition);
  /// Coefficient k of an instruction, from the coefficients up to k of its operands; again, if one
  /// of those has changed.
  void compute(ValueId node, std::uint32_t k);
  /// no_value: zero.
  ValueId at(ValueId node, std::uint32_t k) const;

 private:
  using Series = std::vector<ValueId>;

  ValueId add(ValueId a, ValueId b);
  ValueId sub(ValueId a, ValueId b);
  ValueId mul(ValueId a, ValueId b);
  ValueId fma(ValueId a, ValueId b, ValueId c);
  ValueId scaled(double factor, ValueId a);
  ValueId choose(ValueId condition, ValueId a, ValueId b);
  ValueId inner(const Series& a, const Series& b, std::uint32_t k);
  ValueId product(const Series& a, const Series& b, std::uint32_t k);
  ValueId quotient(ValueId numerator, const Series& denominator, const Series& result,
                   std::uint32_t k);
  Series slopes(const Series& series, std::uint32_t k);
  ValueId slope_product(const Series& u, const Series& w, std::uint32_t k, double sign);
  ValueId integrated_quotient(const Series& u, const Series& w, const Series& y, std::uint32_t k,
                              double sign);
  ValueId root(const Series& square, const Series& result, std::uint32_t k);
  ValueId power(const Series& base, ValueId p, const Series& result, std::uint32_t k);
  ValueId coefficient(ValueId node, std::uint32_t k);
  ValueId elementary(ValueId node, std::uint32_t k);
  ValueId first_value(ValueId node);
  ValueId first_coefficient(ValueId node);
  void expand_divisor(ValueId node, std::uint32_t k);
  bool is_fixed_power(const Instruction& instruction) const;
  ValueId condition(ValueId node);
  void set(Series& series, std::uint32_t k, ValueId value);
  const Series& of(ValueId node) { return series_[node]; }

  const Tape& tape_;
  TapeBuilder& builder_;
  std::vector<Series> series_;       // [n instructions]
  std::vector<Series> companion_;    // [n instructions]: cos beside sin, 1 + u^2 beside atan
  std::vector<Series> logarithm_;    // [n instructions]: of the base of a general power
  std::vector<Series> exponent_;     // [n instructions]: exponent * logarithm of it
  std::vector<ValueId> branch_of_;   // [n instructions]: condition given, no_value
  std::vector<char> varies_;         // [n instructions]
  std::vector<ValueId> input_node_;  // [n_inputs]: instruction, no_value
  std::vector<SeriesBranch> branches_;
};

}  // namespace alembert::compile
