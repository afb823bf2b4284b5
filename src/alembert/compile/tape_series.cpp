// SPDX-License-Identifier: Apache-2.0
#include "alembert/compile/tape_series.hpp"

#include <numbers>

#include "alembert/base/error.hpp"

namespace alembert::compile {

namespace {

/// Instructions whose value depends on an input.
std::vector<char> varying(const Tape& tape) {
  std::vector<char> varies(tape.code.size(), 0);
  for (ValueId v = 0; v < tape.code.size(); ++v) {
    const Instruction& i = tape.code[v];
    if (i.op == TapeOp::input) varies[v] = 1;
    const std::uint32_t operands[] = {i.a, i.b, i.c};
    for (int k = 0; k < n_value_operands(i.op); ++k) varies[v] |= varies[operands[k]];
    if (i.op == TapeOp::call || i.op == TapeOp::call_many)
      for (const ValueId argument : tape.calls[i.a].arguments) varies[v] |= varies[argument];
  }
  return varies;
}

bool is_comparison(TapeOp op) { return op == TapeOp::less || op == TapeOp::less_equal; }

}  // namespace

std::optional<WithoutSeries> TapeSeries::obstacle(const Tape& tape) {
  const std::vector<char> varies = varying(tape);
  for (ValueId v = 0; v < tape.code.size(); ++v) {
    const Instruction& i = tape.code[v];
    if (!varies[v]) continue;
    switch (i.op) {
      case TapeOp::call:
      case TapeOp::call_many: return WithoutSeries{tape.functions[tape.calls[i.a].function].name};
      case TapeOp::floor:
      case TapeOp::ceil:
      case TapeOp::trunc: return WithoutSeries{std::string(name(i.op))};
      default: break;
    }
  }
  return std::nullopt;
}

std::vector<SeriesBranch> TapeSeries::branches(const Tape& tape) {
  const std::vector<char> varies = varying(tape);
  std::vector<SeriesBranch> found;
  for (ValueId v = 0; v < tape.code.size(); ++v) {
    const Instruction& i = tape.code[v];
    if (!varies[v]) continue;
    if (is_comparison(i.op) || i.op == TapeOp::min || i.op == TapeOp::max)
      found.push_back({v, i.a, i.b});
    else if (i.op == TapeOp::abs || i.op == TapeOp::sign)
      found.push_back({v, i.a, no_value});
  }
  return found;
}

TapeSeries::TapeSeries(const Tape& tape, TapeBuilder& builder)
    : tape_(tape),
      builder_(builder),
      series_(tape.code.size()),
      companion_(tape.code.size()),
      logarithm_(tape.code.size()),
      exponent_(tape.code.size()),
      branch_of_(tape.code.size(), no_value),
      varies_(varying(tape)),
      input_node_(tape.n_inputs, no_value),
      branches_(branches(tape)) {
  for (ValueId v = 0; v < tape.code.size(); ++v)
    if (tape.code[v].op == TapeOp::input) input_node_[tape.code[v].a] = v;
}

void TapeSeries::set(Series& series, std::uint32_t k, ValueId value) {
  if (series.size() <= k) series.resize(k + 1, no_value);
  series[k] = value;
}

void TapeSeries::set_input(std::uint32_t input, std::uint32_t k, ValueId value) {
  if (input_node_[input] != no_value) set(series_[input_node_[input]], k, value);
}

void TapeSeries::set_branch(std::uint32_t branch, ValueId condition) {
  branch_of_[branches_[branch].node] = condition;
}

ValueId TapeSeries::at(ValueId node, std::uint32_t k) const {
  const Series& series = series_[node];
  return k < series.size() ? series[k] : no_value;
}

// ---- arithmetic in which no_value is zero
// ---------------------------------------------------------

ValueId TapeSeries::add(ValueId a, ValueId b) {
  if (a == no_value) return b;
  if (b == no_value) return a;
  return builder_.apply(TapeOp::add, a, b);
}

ValueId TapeSeries::sub(ValueId a, ValueId b) {
  if (b == no_value) return a;
  if (a == no_value) return builder_.apply(TapeOp::neg, b);
  return builder_.apply(TapeOp::sub, a, b);
}

ValueId TapeSeries::mul(ValueId a, ValueId b) {
  if (a == no_value || b == no_value) return no_value;
  return builder_.apply(TapeOp::mul, a, b);
}

ValueId TapeSeries::fma(ValueId a, ValueId b, ValueId c) {
  if (a == no_value || b == no_value) return c;
  if (c == no_value) return builder_.apply(TapeOp::mul, a, b);
  return builder_.apply(TapeOp::fma, a, b, c);
}

ValueId TapeSeries::scaled(double factor, ValueId a) {
  if (a == no_value || factor == 0) return no_value;
  if (factor == 1) return a;
  if (factor == -1) return builder_.apply(TapeOp::neg, a);
  return builder_.apply(TapeOp::mul, a, builder_.constant(factor));
}

ValueId TapeSeries::choose(ValueId condition, ValueId a, ValueId b) {
  if (a == b) return a;
  const ValueId zero = builder_.constant(0.0);
  return builder_.apply(TapeOp::select, condition, a == no_value ? zero : a,
                        b == no_value ? zero : b);
}

// ---- sums over lower orders
// -----------------------------------------------------------------------

namespace {

ValueId entry(const std::vector<ValueId>& series, std::uint32_t k) {
  return k < series.size() ? series[k] : no_value;
}

}  // namespace

/// sum of a_j b_(k-j) for 0 < j < k. From the middle outwards and in two chains, so that the latest
/// coefficients come last and nothing waits for them longer than it must.
ValueId TapeSeries::inner(const Series& a, const Series& b, std::uint32_t k) {
  ValueId low = no_value;
  ValueId high = no_value;
  const bool square = &a == &b || a == b;
  for (std::uint32_t j = k / 2; j > 0; --j) {
    if (2 * j == k) {
      low = fma(entry(a, j), entry(b, j), low);
      continue;
    }
    if (square) {
      high = fma(entry(a, j), entry(a, k - j), high);
    } else {
      low = fma(entry(a, j), entry(b, k - j), low);
      high = fma(entry(a, k - j), entry(b, j), high);
    }
  }
  if (square && high != no_value) return fma(builder_.constant(2.0), high, low);
  return add(low, high);
}

ValueId TapeSeries::product(const Series& a, const Series& b, std::uint32_t k) {
  if (k == 0) return mul(entry(a, 0), entry(b, 0));
  const ValueId sum = inner(a, b, k);
  if (a == b) return fma(scaled(2, entry(a, 0)), entry(a, k), sum);
  return fma(entry(a, k), entry(b, 0), fma(entry(a, 0), entry(b, k), sum));
}

/// Coefficient k of numerator / denominator; `result` has the lower ones.
ValueId TapeSeries::quotient(ValueId numerator, const Series& denominator, const Series& result,
                             std::uint32_t k) {
  const ValueId first = entry(denominator, 0);
  ensure(first != no_value, "a series is divided by one that is not zero throughout");
  ValueId sum = numerator;
  if (k > 0) {
    sum = sub(sum, inner(denominator, result, k));
    sum = sub(sum, mul(entry(denominator, k), entry(result, 0)));
  }
  if (sum == no_value) return no_value;
  if (k == 0) return builder_.apply(TapeOp::div, sum, first);
  return mul(sum, builder_.apply(TapeOp::div, builder_.constant(1.0), first));
}

/// j u_j for j < k.
TapeSeries::Series TapeSeries::slopes(const Series& series, std::uint32_t k) {
  Series result(k, no_value);
  for (std::uint32_t j = 1; j < k; ++j) result[j] = scaled(double(j), entry(series, j));
  return result;
}

/// sign / k times the sum of j u_j w_(k-j) for 0 < j <= k: coefficient k of the integral of w u'.
ValueId TapeSeries::slope_product(const Series& u, const Series& w, std::uint32_t k, double sign) {
  const ValueId sum = scaled(sign / double(k), inner(slopes(u, k), w, k));
  return fma(scaled(sign, entry(u, k)), entry(w, 0), sum);
}

/// Coefficient k of y with w y' = sign u'.
ValueId TapeSeries::integrated_quotient(const Series& u, const Series& w, const Series& y,
                                        std::uint32_t k, double sign) {
  const ValueId sum = scaled(1.0 / double(k), inner(slopes(y, k), w, k));
  const ValueId numerator = sub(scaled(sign, entry(u, k)), sum);
  if (numerator == no_value) return no_value;
  return mul(numerator, builder_.apply(TapeOp::div, builder_.constant(1.0), entry(w, 0)));
}

/// Coefficient k > 0 of the root of a series.
ValueId TapeSeries::root(const Series& square, const Series& result, std::uint32_t k) {
  const ValueId numerator = sub(entry(square, k), inner(result, result, k));
  if (numerator == no_value) return no_value;
  return mul(numerator, builder_.apply(TapeOp::div, builder_.constant(0.5), entry(result, 0)));
}

/// Coefficient k > 0 of base^p: k a_0 c_k = sum of (j (p + 1) - k) a_j c_(k-j), 0 < j <= k.
ValueId TapeSeries::power(const Series& base, ValueId p, const Series& result, std::uint32_t k) {
  Series weighted(k, no_value);
  const ValueId p_plus_one = builder_.apply(TapeOp::add, p, builder_.constant(1.0));
  for (std::uint32_t j = 1; j < k; ++j) {
    const ValueId factor = builder_.apply(TapeOp::sub, scaled(double(j) / double(k), p_plus_one),
                                          builder_.constant(1.0));
    weighted[j] = mul(factor, entry(base, j));
  }
  ValueId sum = inner(weighted, result, k);
  sum = fma(mul(p, entry(base, k)), entry(result, 0), sum);
  if (sum == no_value) return no_value;
  return mul(sum, builder_.apply(TapeOp::div, builder_.constant(1.0), entry(base, 0)));
}

// ---- operations
// -----------------------------------------------------------------------------------

void TapeSeries::compute(ValueId node, std::uint32_t k) {
  const Instruction& i = tape_.code[node];
  if (i.op == TapeOp::input) return;
  if (is_condition(i.op)) {
    if (k == 0) set(series_[node], 0, condition(node));
    return;
  }
  set(series_[node], k, coefficient(node, k));
}

ValueId TapeSeries::condition(ValueId node) {
  if (branch_of_[node] != no_value) return branch_of_[node];
  const Instruction& i = tape_.code[node];
  const auto operand = [&](std::uint32_t v) {
    const ValueId value = at(v, 0);
    return value == no_value ? builder_.constant(0.0) : value;
  };
  if (i.op == TapeOp::logical_not) return builder_.apply(i.op, operand(i.a));
  return builder_.apply(i.op, operand(i.a), operand(i.b));
}

ValueId TapeSeries::coefficient(ValueId node, std::uint32_t k) {
  const Instruction& i = tape_.code[node];
  const ValueId branch = branch_of_[node];
  switch (i.op) {
    case TapeOp::parameter: return k == 0 ? builder_.parameter(i.a) : no_value;
    case TapeOp::constant: {
      const double value = tape_.constants[i.a];
      return k == 0 && value != 0 ? builder_.constant(value) : no_value;
    }
    case TapeOp::add: return add(at(i.a, k), at(i.b, k));
    case TapeOp::sub: return sub(at(i.a, k), at(i.b, k));
    case TapeOp::neg: return scaled(-1, at(i.a, k));
    case TapeOp::mul: return product(of(i.a), of(i.b), k);
    case TapeOp::fma: return add(product(of(i.a), of(i.b), k), at(i.c, k));
    case TapeOp::fms: return sub(product(of(i.a), of(i.b), k), at(i.c, k));
    case TapeOp::fnma: return sub(at(i.c, k), product(of(i.a), of(i.b), k));
    case TapeOp::fnms: return scaled(-1, add(product(of(i.a), of(i.b), k), at(i.c, k)));
    case TapeOp::div: return quotient(at(i.a, k), of(i.b), of(node), k);
    case TapeOp::select: return choose(at(i.a, 0), at(i.b, k), at(i.c, k));
    case TapeOp::abs:
      if (branch == no_value) break;
      return choose(branch, at(i.a, k), scaled(-1, at(i.a, k)));
    case TapeOp::sign:
      if (branch == no_value) break;
      return k == 0 ? choose(branch, builder_.constant(1.0), builder_.constant(-1.0)) : no_value;
    case TapeOp::min:
    case TapeOp::max:
      if (branch == no_value) break;
      return choose(branch, at(i.a, k), at(i.b, k));
    default: break;
  }
  return elementary(node, k);
}

/// Coefficient 0 of an operation without a rule of its own there.
ValueId TapeSeries::first_value(ValueId node) {
  const Instruction& i = tape_.code[node];
  const auto operand = [&](std::uint32_t v) {
    const ValueId value = at(v, 0);
    return value == no_value ? builder_.constant(0.0) : value;
  };
  if (i.op == TapeOp::call) {
    const Call& call = tape_.calls[i.a];
    std::vector<ValueId> arguments;
    for (const ValueId v : call.arguments) arguments.push_back(operand(v));
    return builder_.call(tape_.functions[call.function], arguments);
  }
  if (i.op == TapeOp::result) {
    const Instruction& source = tape_.code[i.a];
    ensure(source.op == TapeOp::call_many, "a series goes along plain operations");
    const Call& call = tape_.calls[source.a];
    std::vector<ValueId> arguments;
    for (const ValueId v : call.arguments) arguments.push_back(operand(v));
    return builder_.call_output(tape_.functions[call.function], arguments, i.b);
  }
  if (has_results(i.op)) return no_value;
  if (n_value_operands(i.op) == 1) return builder_.apply(i.op, operand(i.a));
  return builder_.apply(i.op, operand(i.a), operand(i.b));
}

/// Of inverse functions: the series that their derivative is divided by.
void TapeSeries::expand_divisor(ValueId node, std::uint32_t k) {
  const Instruction& i = tape_.code[node];
  Series& second = companion_[node];
  const auto square_plus = [&](const Series& s, double sign, double one) {
    ValueId value = scaled(sign, product(s, s, k));
    return k == 0 ? add(builder_.constant(one), value) : value;
  };
  const auto root_of_square = [&](double sign, double one) {
    Series& square = logarithm_[node];
    set(square, k, square_plus(of(i.a), sign, one));
    set(second, k, k == 0 ? builder_.apply(TapeOp::sqrt, square[0]) : root(square, second, k));
  };
  switch (i.op) {
    case TapeOp::asin:
    case TapeOp::acos: root_of_square(-1, 1); break;
    case TapeOp::asinh: root_of_square(1, 1); break;
    case TapeOp::acosh: root_of_square(1, -1); break;
    case TapeOp::atan: set(second, k, square_plus(of(i.a), 1, 1)); break;
    case TapeOp::atanh: set(second, k, square_plus(of(i.a), -1, 1)); break;
    case TapeOp::atan2:
      set(second, k, add(product(of(i.a), of(i.a), k), product(of(i.b), of(i.b), k)));
      break;
    default: break;
  }
}

bool TapeSeries::is_fixed_power(const Instruction& i) const {
  return i.op == TapeOp::pow && !varies_[i.b];
}

/// The function's own value, and that of the function which comes along with it.
ValueId TapeSeries::first_coefficient(ValueId node) {
  const Instruction& i = tape_.code[node];
  Series& second = companion_[node];
  const ValueId value = first_value(node);
  const ValueId argument =
      n_value_operands(i.op) > 0 && i.op != TapeOp::result ? at(i.a, 0) : no_value;
  const ValueId u = argument == no_value ? builder_.constant(0.0) : argument;
  switch (i.op) {
    case TapeOp::sin: set(second, 0, builder_.apply(TapeOp::cos, u)); break;
    case TapeOp::cos: set(second, 0, builder_.apply(TapeOp::sin, u)); break;
    case TapeOp::sinh: set(second, 0, builder_.apply(TapeOp::cosh, u)); break;
    case TapeOp::cosh: set(second, 0, builder_.apply(TapeOp::sinh, u)); break;
    case TapeOp::tan:
    case TapeOp::tanh: {
      const ValueId square = builder_.apply(TapeOp::mul, value, value);
      set(second, 0,
          builder_.apply(i.op == TapeOp::tan ? TapeOp::add : TapeOp::sub, builder_.constant(1.0),
                         square));
      break;
    }
    case TapeOp::pow:
      if (is_fixed_power(i)) break;
      set(logarithm_[node], 0, builder_.apply(TapeOp::log, u));
      set(exponent_[node], 0, mul(logarithm_[node][0], at(i.b, 0)));
      break;
    default: break;
  }
  return value;
}

ValueId TapeSeries::elementary(ValueId node, std::uint32_t k) {
  expand_divisor(node, k);
  if (k == 0) return first_coefficient(node);
  const Instruction& i = tape_.code[node];
  Series& second = companion_[node];
  const auto with_companion = [&](double companion_sign) {
    const ValueId value = slope_product(of(i.a), second, k, 1);
    const ValueId other = slope_product(of(i.a), of(node), k, companion_sign);
    set(second, k, other);
    return value;
  };
  switch (i.op) {
    case TapeOp::sqrt: return root(of(i.a), of(node), k);
    case TapeOp::exp: return slope_product(of(i.a), of(node), k, 1);
    case TapeOp::log: return integrated_quotient(of(i.a), of(i.a), of(node), k, 1);
    case TapeOp::log10: {
      Series& natural = second;
      if (natural.empty()) set(natural, 0, no_value);  // its own value is not used
      set(natural, k, integrated_quotient(of(i.a), of(i.a), natural, k, 1));
      return scaled(1.0 / std::numbers::ln10, natural[k]);
    }
    case TapeOp::sin: return with_companion(-1);
    case TapeOp::sinh:
    case TapeOp::cosh: return with_companion(1);
    case TapeOp::cos: {
      const ValueId value = slope_product(of(i.a), second, k, -1);
      set(second, k, slope_product(of(i.a), of(node), k, 1));
      return value;
    }
    case TapeOp::tan:
    case TapeOp::tanh: {
      const ValueId value = slope_product(of(i.a), second, k, 1);
      set(series_[node], k, value);
      set(second, k, scaled(i.op == TapeOp::tan ? 1 : -1, product(of(node), of(node), k)));
      return value;
    }
    case TapeOp::asin:
    case TapeOp::asinh:
    case TapeOp::acosh:
    case TapeOp::atan:
    case TapeOp::atanh: return integrated_quotient(of(i.a), second, of(node), k, 1);
    case TapeOp::acos: return integrated_quotient(of(i.a), second, of(node), k, -1);
    case TapeOp::atan2: {
      // w y' = a' b - a b' with w = a^2 + b^2.
      const ValueId turn =
          sub(slope_product(of(i.a), of(i.b), k, 1), slope_product(of(i.b), of(i.a), k, 1));
      const ValueId sum = scaled(1.0 / double(k), inner(slopes(of(node), k), second, k));
      const ValueId numerator = sub(turn, sum);
      if (numerator == no_value) return no_value;
      return mul(numerator, builder_.apply(TapeOp::div, builder_.constant(1.0), second[0]));
    }
    case TapeOp::pow: {
      if (is_fixed_power(i)) {
        const ValueId p = at(i.b, 0);
        return p == no_value ? no_value : power(of(i.a), p, of(node), k);
      }
      Series& logarithm = logarithm_[node];
      set(logarithm, k, integrated_quotient(of(i.a), of(i.a), logarithm, k, 1));
      set(exponent_[node], k, product(of(i.b), logarithm, k));
      return slope_product(exponent_[node], of(node), k, 1);
    }
    default: return no_value;  // constant along the series, or no number at all
  }
}

}  // namespace alembert::compile
