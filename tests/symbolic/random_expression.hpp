// SPDX-License-Identifier: Apache-2.0
// Random expressions for property tests. In: a pool and a list of random choices, which is all the
// randomness there is: RapidCheck shrinks the list, and with it the expression; the same list gives
// the same content in every pool. Out: ids. Smooth expressions have values and derivatives of
// moderate size where |symbol| <= 2; expressions over all operations are for tests that never
// evaluate them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic::testing {

struct RandomOptions {
  bool smooth_only =
      true;  ///< false: every operation of `Op`, conditions, calls, extreme constants
  bool derivatives = true;  ///< der(x), der(der(x)) among the symbols
  bool exact_numbers =
      false;  ///< integers and fractions only: sums of doubles depend on their order
  std::uint32_t max_size = 400;  ///< nodes of the expression written as a tree
};

/// The choices for an expression of about `count / 3` operations.
inline std::vector<std::uint32_t> random_choices(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 engine(seed);
  std::vector<std::uint32_t> choices(count);
  for (std::uint32_t& choice : choices) choice = static_cast<std::uint32_t>(engine() >> 32);
  return choices;
}

/// The symbols that random expressions are made of; creates those that the pool does not have.
inline std::vector<ExprId> random_symbols(ExprPool& pool, const RandomOptions& options = {}) {
  std::vector<ExprId> symbols = {pool.unknown("x"),   pool.unknown("y"),   pool.unknown("a.b[1].z"),
                                 pool.parameter("p"), pool.parameter("q"), pool.time()};
  if (options.derivatives) {
    symbols.push_back(pool.derivative_symbol(symbols[0]));
    symbols.push_back(pool.derivative_symbol(symbols[6]));
    symbols.push_back(pool.derivative_symbol(symbols[1]));
  }
  return symbols;
}

class RandomExpression {
 public:
  RandomExpression(ExprPool& pool, std::span<const std::uint32_t> choices,
                   const RandomOptions& options = {})
      : pool_(pool), choices_(choices), options_(options) {
    for (const ExprId symbol : random_symbols(pool, options)) keep(symbol, 1, 2.0);
    n_symbols_ = made_.size();
    keep(pool.integer(2), 1, 2.0);
    while (next_ < choices_.size()) options_.smooth_only ? smooth_step() : any_step();
  }

  /// The expression made last, which tends to be the largest.
  ExprId result() const { return made_.back().id; }
  /// All expressions on the way, symbols included.
  std::vector<ExprId> all() const {
    std::vector<ExprId> ids;
    for (const Made& made : made_) ids.push_back(made.id);
    return ids;
  }
  const std::vector<ExprId>& conditions() const { return conditions_; }

 private:
  struct Made {
    ExprId id;
    std::uint32_t size;  // as a tree
    double bound;        // of the absolute value; meaningful for smooth expressions only
  };

  std::uint32_t choose(std::uint32_t n) {
    return next_ < choices_.size() ? choices_[next_++] % n : 0;
  }

  /// One of the expressions made so far: often a recent one, never one too large to grow further.
  Made pick() {
    const std::uint32_t way = choose(3);
    const auto n = static_cast<std::uint32_t>(made_.size());
    const Made made = way == 0   ? made_[choose(static_cast<std::uint32_t>(n_symbols_))]
                      : way == 1 ? made_[n - 1 - choose(std::min<std::uint32_t>(n, 4))]
                                 : made_[choose(n)];
    return made.size * 3 < options_.max_size ? made : made_.front();
  }

  ExprId pick_condition() {
    if (conditions_.empty() || choose(3) == 0)
      return pool_.apply(Op::less, pick().id,
                         made_[choose(static_cast<std::uint32_t>(n_symbols_))].id);
    return conditions_[choose(static_cast<std::uint32_t>(conditions_.size()))];
  }

  void keep(ExprId id, std::uint32_t size, double bound) { made_.push_back({id, size, bound}); }

  Number number() {
    const auto small = [this] { return static_cast<std::int64_t>(choose(9)) - 4; };
    switch (choose(options_.exact_numbers ? 2 : options_.smooth_only ? 3 : 5)) {
      case 0: return Number::integer(small());
      case 1: return Number::rational(small(), 1 + choose(6));
      case 2: return Number::real(static_cast<double>(small()) + 1.0 / (2 + choose(30)));
      case 3: {
        constexpr double extreme[] = {1e300,
                                      -1e-300,
                                      0.1,
                                      1e22,
                                      1152921504606846976.0,
                                      5e-324,
                                      std::numeric_limits<double>::max(),
                                      -2.5e-7,
                                      1.0 / 3.0};
        return Number::real(extreme[choose(std::size(extreme))]);
      }
      default: {
        constexpr std::int64_t large[] = {9007199254740993, -9223372036854775807,
                                          4611686018427387905};
        const std::uint32_t way = choose(5);
        if (way == 3) return Number::real(std::numeric_limits<double>::infinity());
        if (way == 4) return Number::real(std::numeric_limits<double>::quiet_NaN());
        return Number::integer(large[way]);
      }
    }
  }

  /// e bounded by 1 in a smooth way, if it could be large.
  Made tamed(Made e, double limit) {
    if (e.bound <= limit) return e;
    return {pool_.apply(choose(2) == 0 ? Op::sin : Op::tanh, e.id), e.size + 1, 1.0};
  }

  /// 2 + e^2: away from the borders of the domains of log, sqrt, division and acosh.
  Made shifted(Made e) {
    e = tamed(e, 4.0);
    return {pool_.add(pool_.integer(2), pool_.pow(e.id, 2)), e.size + 4, 2 + e.bound * e.bound};
  }

  void smooth_step() {
    const std::uint32_t what = choose(18);
    const Made a = pick();
    const auto put = [&](ExprId id, std::uint32_t size, double bound) { keep(id, size, bound); };
    const auto put_function = [&](Op op, const Made& argument, double bound) {
      put(pool_.apply(op, argument.id), argument.size + 1, bound);
    };
    switch (what) {
      case 0:
      case 1: {
        const Made b = pick();
        const bool minus = choose(2) == 1;
        return put(minus ? pool_.sub(a.id, b.id) : pool_.add(a.id, b.id), a.size + b.size + 1,
                   a.bound + b.bound);
      }
      case 2:
      case 3: {
        const Made b = tamed(pick(), 20.0);
        const Made bounded = tamed(a, 20.0);
        return put(pool_.mul(bounded.id, b.id), bounded.size + b.size + 1, bounded.bound * b.bound);
      }
      case 4: {
        const Made below = shifted(pick());
        return put(pool_.div(a.id, below.id), a.size + below.size + 1, a.bound / 2);
      }
      case 5: {
        const Number factor = number();
        return put(pool_.mul(pool_.number(factor), a.id), a.size + 2,
                   a.bound * std::abs(factor.value()));
      }
      case 6: {
        const Number shift = number();
        return put(pool_.add(pool_.number(shift), a.id), a.size + 2,
                   a.bound + std::abs(shift.value()));
      }
      case 7: {
        const Made base = tamed(a, 3.0);
        const std::int64_t exponent = 2 + choose(2);
        return put(pool_.pow(base.id, exponent), base.size + 2, std::pow(base.bound, exponent));
      }
      case 8: {
        const Made base = shifted(a);
        const Number exponents[] = {Number::rational(1, 2), Number::rational(-1, 2), -1, -2,
                                    Number::rational(3, 2), Number::rational(1, 3)};
        return put(pool_.pow(base.id, pool_.number(exponents[choose(6)])), base.size + 2,
                   std::pow(base.bound, 1.5));
      }
      case 9: {
        const Made base = shifted(a);
        const Made exponent = tamed(pick(), 1.0);
        return put(pool_.pow(base.id, exponent.id), base.size + exponent.size + 1, base.bound);
      }
      case 10: return put_function(Op::sin, a, 1.0);
      case 11: return put_function(Op::cos, a, 1.0);
      case 12: {
        constexpr Op odd[] = {Op::tanh, Op::atan, Op::asinh};
        return put_function(odd[choose(3)], a, std::min(a.bound, 1.6));
      }
      case 13: {
        constexpr Op growing[] = {Op::exp, Op::sinh, Op::cosh};
        return put_function(growing[choose(3)], tamed(a, 2.0), 7.4);
      }
      case 14: {
        const Made half = tamed(a, 0.0);  // sin or tanh of it, times 1/2
        const Made inside{pool_.mul(pool_.number(Number::rational(1, 2)), half.id), half.size + 2,
                          0.5};
        constexpr Op narrow[] = {Op::asin, Op::acos, Op::atanh, Op::tan};
        return put_function(narrow[choose(4)], inside, 2.1);
      }
      case 15: {
        constexpr Op positive[] = {Op::log, Op::log10, Op::acosh};
        return put_function(positive[choose(3)], shifted(a), 3.6);
      }
      case 16: {
        const Made y = tamed(a, 4.0);
        const Made x = shifted(pick());
        return put(pool_.apply(Op::atan2, y.id, x.id), x.size + y.size + 1, 1.6);
      }
      default: return put(made_[choose(static_cast<std::uint32_t>(n_symbols_))].id, 1, 2.0);
    }
  }

  void any_step() {
    const std::uint32_t what = choose(16);
    const Made a = pick();
    const auto put = [&](ExprId id, std::uint32_t size) { keep(id, size, 0.0); };
    switch (what) {
      case 0: return put(pool_.add(a.id, pool_.number(number())), a.size + 2);
      case 1: return put(pool_.mul(pool_.number(number()), a.id), a.size + 2);
      case 2:
      case 3: {
        const Made b = pick();
        const std::uint32_t way = choose(4);
        const ExprId id = way == 0   ? pool_.add(a.id, b.id)
                          : way == 1 ? pool_.sub(a.id, b.id)
                          : way == 2 ? pool_.mul(a.id, b.id)
                                     : pool_.div(a.id, b.id);
        return put(id, a.size + b.size + 1);
      }
      case 4: {
        const Number exponents[] = {2,
                                    3,
                                    -1,
                                    -2,
                                    Number::rational(1, 2),
                                    Number::rational(-1, 2),
                                    Number::rational(2, 3),
                                    number()};
        const std::uint32_t way = choose(std::size(exponents));
        return put(pool_.pow(a.id, pool_.number(exponents[way])), a.size + 2);
      }
      case 5: {
        const Made b = pick();
        return put(pool_.pow(a.id, b.id), a.size + b.size + 1);
      }
      case 6: return put(pool_.pow(pool_.number(number()), a.id), a.size + 2);
      case 7:
      case 8: {
        constexpr auto n =
            static_cast<std::uint32_t>(Op::no_event) - static_cast<std::uint32_t>(Op::sin);
        const auto op = static_cast<Op>(static_cast<std::uint32_t>(Op::sin) + choose(n + 1));
        return put(pool_.apply(op, a.id), a.size + 1);
      }
      case 9: {
        constexpr Op binary[] = {Op::atan2, Op::min, Op::max, Op::div, Op::mod, Op::rem};
        const Made b = pick();
        return put(pool_.apply(binary[choose(std::size(binary))], a.id, b.id), a.size + b.size + 1);
      }
      case 10: return put(pool_.apply(Op::smooth, pool_.integer(choose(3)), a.id), a.size + 2);
      case 11: {
        const Made b = pick();
        const Made c = pick();
        const ExprId arguments[] = {a.id, b.id, c.id};
        return put(pool_.apply(Op::semi_linear, arguments), a.size + b.size + c.size + 1);
      }
      case 12: {
        constexpr Op comparisons[] = {Op::less, Op::less_equal, Op::equal, Op::not_equal};
        const Made b = pick();
        const Op op = comparisons[choose(4)];
        conditions_.push_back(pool_.apply(op, a.id, b.id));
        return;
      }
      case 13: {
        const ExprId left = pick_condition();
        const ExprId right = pick_condition();
        const std::uint32_t way = choose(3);
        const ExprId made = way == 0   ? pool_.apply(Op::logical_not, left)
                            : way == 1 ? pool_.apply(Op::logical_and, left, right)
                                       : pool_.apply(Op::logical_or, left, right);
        if (pool_.height(made) < 8) conditions_.push_back(made);
        return;
      }
      case 14: {
        const ExprId condition = pick_condition();
        const Made b = pick();
        return put(pool_.if_then_else(condition, a.id, b.id), a.size + b.size + 20);
      }
      default: {
        const std::string names[] = {"f", "Lib.f", "sin", "my function"};
        const std::uint32_t which = choose(4);
        const std::uint32_t arity = which % 3;  // f(), Lib.f(x), sin(x, y), 'my function'()
        FunctionId function = pool_.find_function(names[which]);
        if (!function.valid())
          function = pool_.define_function(names[which], arity,
                                           [](std::span<const double>) { return 0.0; });
        const ExprId arguments[] = {a.id, pick().id};
        return put(pool_.call(function, std::span(arguments).first(arity)), 2 * a.size + 1);
      }
    }
  }

  ExprPool& pool_;
  std::span<const std::uint32_t> choices_;
  std::size_t next_ = 0;
  RandomOptions options_;
  std::vector<Made> made_;
  std::vector<ExprId> conditions_;
  std::size_t n_symbols_ = 0;
};

}  // namespace alembert::symbolic::testing
