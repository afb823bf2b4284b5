// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic, inside. What one operation gives for numbers, conditions as 0 and 1; for those
// who evaluate expressions, each with a way of its own to get at operands.
#pragma once

#include <cmath>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// v(k): operand k of n. Not of leaves and calls.
template <class Operand>
double operation_value(Op op, std::size_t n, Operand v) {
  switch (op) {
    case Op::add: {
      double total = v(0);
      for (std::size_t i = 1; i < n; ++i) total += v(i);
      return total;
    }
    case Op::mul: {
      double total = v(0);
      for (std::size_t i = 1; i < n; ++i) total *= v(i);
      return total;
    }
    case Op::pow: return v(1) == 0.5 ? std::sqrt(v(0)) : std::pow(v(0), v(1));
    case Op::sin: return std::sin(v(0));
    case Op::cos: return std::cos(v(0));
    case Op::tan: return std::tan(v(0));
    case Op::asin: return std::asin(v(0));
    case Op::acos: return std::acos(v(0));
    case Op::atan: return std::atan(v(0));
    case Op::sinh: return std::sinh(v(0));
    case Op::cosh: return std::cosh(v(0));
    case Op::tanh: return std::tanh(v(0));
    case Op::asinh: return std::asinh(v(0));
    case Op::acosh: return std::acosh(v(0));
    case Op::atanh: return std::atanh(v(0));
    case Op::exp: return std::exp(v(0));
    case Op::log: return std::log(v(0));
    case Op::log10: return std::log10(v(0));
    case Op::abs: return std::abs(v(0));
    case Op::sign: return v(0) > 0 ? 1.0 : v(0) < 0 ? -1.0 : 0.0;
    case Op::floor:
    case Op::integer_part: return std::floor(v(0));
    case Op::ceil: return std::ceil(v(0));
    case Op::no_event: return v(0);
    case Op::atan2: return std::atan2(v(0), v(1));
    case Op::min: return v(0) < v(1) ? v(0) : v(1);
    case Op::max: return v(0) > v(1) ? v(0) : v(1);
    case Op::div: return std::trunc(v(0) / v(1));
    case Op::mod: return v(0) - std::floor(v(0) / v(1)) * v(1);
    case Op::rem: return v(0) - std::trunc(v(0) / v(1)) * v(1);
    case Op::smooth: return v(1);
    case Op::semi_linear: return v(0) * (v(0) >= 0 ? v(1) : v(2));
    case Op::less: return v(0) < v(1);
    case Op::less_equal: return v(0) <= v(1);
    case Op::equal: return v(0) == v(1);
    case Op::not_equal: return v(0) != v(1);
    case Op::logical_and:
      for (std::size_t i = 0; i < n; ++i)
        if (v(i) == 0) return 0;
      return 1;
    case Op::logical_or:
      for (std::size_t i = 0; i < n; ++i)
        if (v(i) != 0) return 1;
      return 0;
    case Op::logical_not: return v(0) == 0;
    case Op::if_then_else: return v(0) != 0 ? v(1) : v(2);
    case Op::number:
    case Op::symbol:
    case Op::truth:
    case Op::call: break;
  }
  ensure(false, "leaves and calls have their values already");
  return 0;
}

}  // namespace alembert::symbolic
