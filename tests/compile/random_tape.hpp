// SPDX-License-Identifier: Apache-2.0
// Random tapes and random numbers for tests that compare two routes to one answer: interpreter and
// native code, lanes and scalar, C source and interpreter. In: a seed and options. Out: a valid
// Tape, made without the builder, so that it also holds what the builder would simplify away.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "alembert/compile/tape.hpp"

namespace alembert::compile::testing {

struct RandomTapeOptions {
  std::uint32_t n_inputs = 5;
  std::uint32_t n_parameters = 3;
  std::uint32_t n_operations = 60;
  std::uint32_t n_outputs = 6;
  bool elementary = true;
  bool conditions = true;
  bool calls = false;
  bool regions =
      false;  ///< linear and newton, one level deep, well conditioned for finite captured values
};

using Random = std::mt19937_64;

inline std::uint32_t below(Random& random, std::size_t n) {
  return static_cast<std::uint32_t>(random() % n);
}

inline double uniform(Random& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}

/// Mostly numbers of ordinary size; `special_share` of them zeros, infinities, NaN, subnormal or
/// huge ones.
inline double random_number(Random& random, double special_share = 0.05) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array special = {
      0.0,       -0.0,       1.0,          -1.0,
      0.5,       infinity,   -infinity,    std::numeric_limits<double>::quiet_NaN(),
      0x1p-1074, -0x1p-1060, 0x1p-1022,    std::numeric_limits<double>::max(),
      1e300,     -1e300,     0x1p52 + 0.5, 0x1p53,
      -2.5,      1e22};
  if (uniform(random, 0, 1) < special_share) return special[below(random, special.size())];
  switch (below(random, 3)) {
    case 0: return uniform(random, -2, 2);
    case 1: return uniform(random, -20, 20);
    default: return std::ldexp(uniform(random, -1, 1), static_cast<int>(below(random, 40)) - 20);
  }
}

inline std::vector<double> random_numbers(Random& random, std::size_t n,
                                          double special_share = 0.05) {
  std::vector<double> numbers(n);
  for (double& number : numbers) number = random_number(random, special_share);
  return numbers;
}

/// Equal bits, or both NaN (of whatever sign and payload).
inline bool same_bits(double x, double y) {
  return (std::isnan(x) && std::isnan(y)) ||
         std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

namespace detail {

inline double weighted_sum(const double* arguments, const void* context) {
  return arguments[0] * *static_cast<const double*>(context) - arguments[1];
}

inline double one_argument(const double* arguments, const void*) {
  return 0.5 * arguments[0] + 1.0;
}

inline void two_outputs(const double* arguments, double* values, const void* context) {
  values[0] = arguments[0] + *static_cast<const double*>(context) * arguments[1];
  values[1] = arguments[0] - 0.25 * arguments[1];
}

class RandomTape {
 public:
  RandomTape(Random& random, const RandomTapeOptions& options)
      : random_(random), options_(options) {}

  Tape make() {
    tape_.n_inputs = options_.n_inputs;
    tape_.n_parameters = options_.n_parameters;
    if (options_.calls) {
      tape_.functions.push_back(
          {"weighted_sum", &weighted_sum, std::make_shared<const double>(1.25)});
      tape_.functions.push_back({"one_argument", &one_argument, nullptr});
      tape_.functions.push_back({.name = "two_outputs",
                                 .context = std::make_shared<const double>(0.75),
                                 .outputs = &two_outputs,
                                 .n_outputs = 2});
    }
    for (int k = 0; k < 3; ++k) leaf();
    while (tape_.code.size() < options_.n_operations) step();
    for (std::uint32_t k = 0; k < options_.n_outputs; ++k) tape_.outputs.push_back(pick_number());
    return std::move(tape_);
  }

 private:
  ValueId add(TapeOp op, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0) {
    const auto id = static_cast<ValueId>(tape_.code.size());
    tape_.code.push_back({op, a, b, c});
    if (is_condition(op)) {
      conditions_.push_back(id);
    } else if (!has_results(op)) {
      numbers_.push_back(id);
    }
    return id;
  }

  // Half of the operands are recent values, so that live ranges are short as well as long.
  ValueId pick(const std::vector<ValueId>& values) {
    const std::size_t n = values.size();
    if (n > 8 && below(random_, 2) == 0) return values[n - 1 - below(random_, 8)];
    return values[below(random_, n)];
  }

  ValueId pick_number() { return pick(numbers_); }

  void leaf() {
    switch (below(random_, 4)) {
      case 0:
        if (options_.n_parameters > 0) {
          add(TapeOp::parameter, below(random_, options_.n_parameters));
          return;
        }
        [[fallthrough]];
      case 1: add(TapeOp::constant, constant(random_number(random_, 0.2))); return;
      default: {
        if (options_.n_inputs > 0) {
          add(TapeOp::input, below(random_, options_.n_inputs));
        } else {
          add(TapeOp::constant, constant(random_number(random_)));
        }
      }
    }
  }

  std::uint32_t constant(double value) {
    for (std::uint32_t k = 0; k < tape_.constants.size(); ++k) {
      if (std::bit_cast<std::uint64_t>(tape_.constants[k]) == std::bit_cast<std::uint64_t>(value))
        return k;
    }
    tape_.constants.push_back(value);
    return static_cast<std::uint32_t>(tape_.constants.size() - 1);
  }

  TapeOp between(TapeOp first, TapeOp last) {
    const int low = static_cast<int>(first);
    return static_cast<TapeOp>(low +
                               static_cast<int>(below(random_, static_cast<int>(last) - low + 1)));
  }

  void step() {
    const std::uint32_t kind = below(random_, 100);
    if (kind < 15) {
      leaf();
    } else if (kind < 65) {
      operation(between(TapeOp::add, TapeOp::fnms));
    } else if (kind < 80) {
      operation(between(TapeOp::neg, TapeOp::sign));
    } else if (kind < 88 && options_.elementary) {
      operation(between(TapeOp::sin, TapeOp::pow));
    } else if (kind < 97 && options_.conditions) {
      condition();
    } else if (kind < 98 && options_.calls) {
      call();
    } else if (kind >= 98 && options_.regions) {
      region();
    }
  }

  void operation(TapeOp op) { add(op, pick_number(), pick_number(), pick_number()); }

  void condition() {
    if (conditions_.empty() || below(random_, 3) == 0) {
      add(between(TapeOp::less, TapeOp::not_equal), pick_number(), pick_number());
      return;
    }
    const TapeOp op = between(TapeOp::logical_and, TapeOp::select);
    const ValueId a = pick(conditions_);
    if (op == TapeOp::select) {
      add(op, a, pick_number(), pick_number());
    } else {
      add(op, a, pick(conditions_));
    }
  }

  void call() {
    const std::uint32_t function = below(random_, 3);
    std::vector<ValueId> arguments = {pick_number()};
    if (function != 1) arguments.push_back(pick_number());
    tape_.calls.push_back({function, std::move(arguments)});
    const auto index = static_cast<std::uint32_t>(tape_.calls.size() - 1);
    if (function < 2) {
      add(TapeOp::call, index);
      return;
    }
    const ValueId found = add(TapeOp::call_many, index);
    const std::uint32_t first = below(random_, 2);
    add(TapeOp::result, found, first);
    if (below(random_, 2) == 0) add(TapeOp::result, found, 1 - first);
  }

  // Unknowns 0 .. n-1, captured n .. n+m-1. Row i: 4 u_i + 0.3 f(u_{i+1}) + p - tanh-like bounded
  // data, with f the identity (linear) or the sine (newton).
  void region() {
    const std::uint32_t n = 1 + below(random_, 4);
    const std::uint32_t m = 1 + below(random_, 3);
    const bool newton = below(random_, 2) == 0;
    SolveRegion region;
    region.kind = newton ? SolveRegion::Kind::newton : SolveRegion::Kind::linear;
    region.n_unknowns = n;
    for (std::uint32_t k = 0; k < m; ++k) region.captured.push_back(pick_number());
    if (newton)
      for (std::uint32_t k = 0; k < n; ++k) region.guesses.push_back(pick_number());

    Tape& body = region.body;
    body.n_inputs = n + m;
    body.n_parameters = tape_.n_parameters;
    body.constants = {4.0, 0.3};
    const auto emit = [&body](TapeOp op, ValueId a = 0, ValueId b = 0, ValueId c = 0) {
      body.code.push_back({op, a, b, c});
      return static_cast<ValueId>(body.code.size() - 1);
    };
    const ValueId four = emit(TapeOp::constant, 0);
    const ValueId weight = emit(TapeOp::constant, 1);
    std::vector<ValueId> nonzeros;
    for (std::uint32_t i = 0; i < n; ++i) {
      const ValueId u = emit(TapeOp::input, i);
      const ValueId data = emit(TapeOp::input, n + i % m);
      ValueId r = emit(TapeOp::fms, four, u, data);
      region.jacobian_rows.push_back(i);
      region.jacobian_columns.push_back(i);
      nonzeros.push_back(four);
      if (n > 1) {
        const std::uint32_t j = (i + 1) % n;
        ValueId other = emit(TapeOp::input, j);
        ValueId slope = weight;
        if (newton) {
          slope = emit(TapeOp::mul, weight, emit(TapeOp::cos, other));
          other = emit(TapeOp::sin, other);
        }
        r = emit(TapeOp::fma, weight, other, r);
        region.jacobian_rows.push_back(i);
        region.jacobian_columns.push_back(j);
        nonzeros.push_back(slope);
      }
      if (tape_.n_parameters > 0) r = emit(TapeOp::add, r, emit(TapeOp::parameter, 0));
      body.outputs.push_back(r);
    }
    body.outputs.insert(body.outputs.end(), nonzeros.begin(), nonzeros.end());
    tape_.regions.push_back(std::move(region));
    const ValueId solve = add(TapeOp::solve, static_cast<std::uint32_t>(tape_.regions.size() - 1));
    for (std::uint32_t k = 0; k < n; ++k) add(TapeOp::result, solve, k);
  }

  Random& random_;
  const RandomTapeOptions& options_;
  Tape tape_;
  std::vector<ValueId> numbers_;
  std::vector<ValueId> conditions_;
};

}  // namespace detail

/// A valid tape. Operands that an operation does not use hold arbitrary earlier ids.
inline Tape random_tape(Random& random, const RandomTapeOptions& options = {}) {
  return detail::RandomTape(random, options).make();
}

inline Tape random_tape(std::uint64_t seed, const RandomTapeOptions& options = {}) {
  Random random(seed);
  return random_tape(random, options);
}

}  // namespace alembert::compile::testing
