// SPDX-License-Identifier: Apache-2.0
// The rules of the canonical form: functions, conditions and choices here, sums and products in
// files of their own. Each rule keeps the value wherever the expression it replaces had one; it may
// give a value where there was none (x/x is 1 also at 0), but not to a quotient by the number 0.
// Folding a function never makes a non-finite constant: log(-1) and 1/0 stay as written and
// evaluate to what IEEE 754 says; 0^0 is 1, as pow of C has it.
#include <algorithm>
#include <cmath>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/pool.hpp"
#include "alembert/symbolic/print.hpp"
#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

namespace {

std::optional<double> function_value(Op op, double x) {
  switch (op) {
    case Op::sin: return std::sin(x);
    case Op::cos: return std::cos(x);
    case Op::tan: return std::tan(x);
    case Op::asin: return std::asin(x);
    case Op::acos: return std::acos(x);
    case Op::atan: return std::atan(x);
    case Op::sinh: return std::sinh(x);
    case Op::cosh: return std::cosh(x);
    case Op::tanh: return std::tanh(x);
    case Op::asinh: return std::asinh(x);
    case Op::acosh: return std::acosh(x);
    case Op::atanh: return std::atanh(x);
    case Op::exp: return std::exp(x);
    case Op::log: return std::log(x);
    case Op::log10: return std::log10(x);
    default: return std::nullopt;
  }
}

/// f(x) where it is an integer for an exact x: sin(0), exp(0), log(1) and the like.
std::optional<int> exact_value(Op op, const Number& x) {
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::asinh:
    case Op::atanh: return x.is_zero() ? std::optional(0) : std::nullopt;
    case Op::cos:
    case Op::cosh:
    case Op::exp: return x.is_zero() ? std::optional(1) : std::nullopt;
    case Op::log:
    case Op::log10:
    case Op::acos:
    case Op::acosh: return x.is_one() ? std::optional(0) : std::nullopt;
    default: return std::nullopt;
  }
}

bool is_odd_function(Op op) {
  switch (op) {
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::asinh:
    case Op::atanh:
    case Op::sign: return true;
    default: return false;
  }
}

std::string quoted_name(Op op) { return std::string("'").append(name(op)).append("'"); }

bool is_even_function(Op op) { return op == Op::cos || op == Op::cosh || op == Op::abs; }

}  // namespace

bool ExprPool::leads_negative(ExprId id) const {
  if (is_number(id)) return number_of(id).is_negative();
  const Node& node = nodes_[id.value];
  if (node.op == Op::mul) {
    const ExprId first = children_[node.first];
    return is_number(first) && number_of(first).is_negative();
  }
  if (node.op == Op::add && node.count <= flat_sum_limit)
    return leads_negative(children_[node.first]);
  return false;
}

/// f(-x) as -f(x) or f(x), so that both signs of the argument meet in one expression.
ExprId ExprPool::odd_even(Op op, ExprId argument) {
  const ExprId positive = neg(argument);
  const ExprId value = apply(op, positive);
  return is_even_function(op) ? value : neg(value);
}

ExprId ExprPool::fold_function(Op op, std::span<const ExprId> arguments) {
  const ExprId a = arguments[0];
  if (arguments.size() == 1) {
    if (is_number(a)) {
      const Number x = number_of(a);
      if (op == Op::abs) return number(x.is_negative() ? -x : x);
      if (op == Op::sign && x.is_finite())
        return number(x.is_zero() ? 0 : x.is_negative() ? -1 : 1);
      if ((op == Op::floor || op == Op::integer_part) && x.is_finite()) return number(floor_of(x));
      if (op == Op::ceil && x.is_finite()) return number(-floor_of(-x));
      if (op == Op::no_event) return a;
      if (x.is_exact()) {
        if (const auto value = exact_value(op, x)) return number(*value);
      } else if (const auto value = function_value(op, x.value()); value && std::isfinite(*value)) {
        return real(*value);
      }
    }
    const Op inner = this->op(a);
    if (op == Op::no_event && (inner == Op::no_event || inner == Op::symbol)) return a;
    if (op == Op::abs && inner == Op::abs) return a;
    if (op == Op::abs && inner == Op::pow && is_number(children(a)[1]) &&
        number_of(children(a)[1]).is_even())
      return a;
    if ((op == Op::log && inner == Op::exp) || (op == Op::exp && inner == Op::log))
      return children(a)[0];
    if ((op == Op::floor || op == Op::ceil || op == Op::integer_part) &&
        (inner == Op::floor || inner == Op::ceil || inner == Op::integer_part))
      return a;
    return ExprId::none();
  }
  const ExprId b = arguments[1];
  const bool numbers = is_number(a) && is_number(b);
  switch (op) {
    case Op::min:
    case Op::max:
      if (a == b) return a;
      if (numbers) {  // b where one is not a number, as in `evaluate`
        const bool first = op == Op::min ? is_less(number_of(a), number_of(b))
                                         : is_less(number_of(b), number_of(a));
        return first ? a : b;
      }
      return ExprId::none();
    case Op::div:
    case Op::mod:
    case Op::rem: {
      if (!numbers || number_of(b).is_zero()) return ExprId::none();
      const Number quotient = number_of(a) / number_of(b);
      if (!quotient.is_finite()) return ExprId::none();
      const Number down = floor_of(quotient);
      const Number whole = op != Op::mod && quotient.is_negative() ? -floor_of(-quotient) : down;
      const Number result = op == Op::div ? whole : number_of(a) - whole * number_of(b);
      return result.is_finite() ? number(result) : ExprId::none();
    }
    case Op::atan2:
      if (numbers && !(number_of(a).is_exact() && number_of(b).is_exact()))
        return real(std::atan2(number_of(a).value(), number_of(b).value()));
      return ExprId::none();
    case Op::smooth: return is_number(b) || is_symbol(b) ? b : ExprId::none();
    case Op::semi_linear:
      if (arguments[1] == arguments[2]) return mul(a, b);
      if (is_number(a)) return mul(a, number_of(a).is_negative() ? arguments[2] : b);
      return ExprId::none();
    default: return ExprId::none();
  }
}

ExprId ExprPool::compare(Op op, ExprId a, ExprId b) {
  if (is_number(a) && is_number(b)) {
    const Number x = number_of(a);
    const Number y = number_of(b);
    const bool less = is_less(x, y);
    const bool equal = x.is_exact() && y.is_exact() ? x == y : x.value() == y.value();
    switch (op) {
      case Op::less: return truth(less);
      case Op::less_equal: return truth(less || equal);
      case Op::equal: return truth(equal);
      default: return truth(!equal);
    }
  }
  if (a == b) return truth(op == Op::less_equal || op == Op::equal);
  if ((op == Op::equal || op == Op::not_equal) && precedes(b, a)) std::swap(a, b);
  const ExprId both[] = {a, b};
  return intern(op, 0, both);
}

ExprId ExprPool::connective(Op op, std::span<const ExprId> arguments) {
  const bool neutral = op == Op::logical_and;  // true for and, false for or
  ShortList<ExprId> parts;
  require_conditions(op, arguments);
  for (const ExprId argument : arguments) {
    if (this->op(argument) == op && nodes_[argument.value].count <= flat_product_limit) {
      parts.append(children(argument));
    } else if (this->op(argument) == Op::truth) {
      if (truth_of(argument) != neutral) return truth(!neutral);
    } else {
      parts.push_back(argument);
    }
  }
  std::sort(parts.begin(), parts.end(), [this](ExprId a, ExprId b) { return precedes(a, b); });
  const auto n_parts =
      static_cast<std::size_t>(std::unique(parts.begin(), parts.end()) - parts.begin());
  if (n_parts == 0) return truth(neutral);
  return n_parts == 1 ? parts[0] : intern(op, 0, std::span<const ExprId>(parts).first(n_parts));
}

void ExprPool::refuse_condition(Op op, ExprId argument) const {
  const std::string text = to_short_text(*this, argument);
  throw Error("E002", quoted_name(op) + " needs numbers, but '" + text +
                          "' is a condition. Write 'if " + text +
                          " then 1 else 0' to make it a number.");
}

void ExprPool::require_conditions(Op op, std::span<const ExprId> arguments) const {
  for (const ExprId argument : arguments) {
    if (is_condition(argument)) continue;
    const std::string text = to_short_text(*this, argument);
    throw Error("E002", quoted_name(op) + " needs conditions, but '" + text +
                            "' is a number. Write a comparison, e.g. '" + text + " > 0'.");
  }
}

ExprId ExprPool::apply(Op op, std::span<const ExprId> given) {
  const ShortList<ExprId> arguments(given);
  const auto wants = [&](std::size_t count) {
    if (arguments.size() != count)
      throw Error("E003", "'" + std::string(name(op)) + "' takes " + std::to_string(count) +
                              (count == 1 ? " argument, " : " arguments, ") +
                              std::to_string(arguments.size()) + " given");
  };
  switch (op) {
    case Op::add: return add(arguments);
    case Op::mul: return mul(arguments);
    case Op::pow: wants(2); return pow(arguments[0], arguments[1]);
    case Op::logical_and:
    case Op::logical_or: return connective(op, arguments);
    case Op::logical_not: {
      wants(1);
      require_conditions(op, arguments);
      const ExprId a = arguments[0];
      if (this->op(a) == Op::truth) return truth(!truth_of(a));
      if (this->op(a) == Op::logical_not) return children(a)[0];
      if (this->op(a) == Op::equal || this->op(a) == Op::not_equal)
        return compare(this->op(a) == Op::equal ? Op::not_equal : Op::equal, children(a)[0],
                       children(a)[1]);
      return intern(op, 0, arguments);
    }
    case Op::if_then_else: wants(3); return if_then_else(arguments[0], arguments[1], arguments[2]);
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::not_equal:
      wants(2);
      require_numbers(op, arguments);
      return compare(op, arguments[0], arguments[1]);
    case Op::number:
    case Op::symbol:
    case Op::truth:
    case Op::call: ensure(false, "leaves and calls have their own functions"); return {};
    default: break;
  }
  wants(op == Op::semi_linear ? 3 : op >= Op::atan2 ? 2 : 1);
  require_numbers(op, arguments);
  if (const ExprId folded = fold_function(op, arguments); folded.valid()) return folded;
  if ((is_odd_function(op) || is_even_function(op)) && leads_negative(arguments[0]))
    return odd_even(op, arguments[0]);
  if ((op == Op::min || op == Op::max) && precedes(arguments[1], arguments[0])) {
    const ExprId swapped[] = {arguments[1], arguments[0]};
    return intern(op, 0, swapped);
  }
  return intern(op, 0, arguments);
}

ExprId ExprPool::apply(Op op, ExprId a) {
  // A function of something that no rule looks into; the rest goes the long way.
  const Op inner = this->op(a);
  if (op >= Op::sin && op <= Op::exp && inner != Op::number && inner != Op::log &&
      !symbolic::is_condition(inner) && (op == Op::exp || !leads_negative(a)))
    return intern(op, a);
  return apply(op, std::span<const ExprId>(&a, 1));
}

ExprId ExprPool::apply(Op op, ExprId a, ExprId b) {
  const ExprId both[] = {a, b};
  return apply(op, both);
}

ExprId ExprPool::if_then_else(ExprId condition, ExprId a, ExprId b) {
  if (!is_condition(condition))
    throw Error("E002", "'if' needs a condition, but '" + to_short_text(*this, condition) +
                            "' is a number. Write a comparison, e.g. '" +
                            to_short_text(*this, condition) + " > 0'.");
  if (is_condition(a) != is_condition(b))
    throw Error("E002", "the branches of 'if' must both be numbers or both be conditions: '" +
                            to_short_text(*this, a) + "' and '" + to_short_text(*this, b) +
                            "' are not");
  if (op(condition) == Op::truth) return truth_of(condition) ? a : b;
  if (a == b) return a;
  if (is_condition(a))
    return apply(Op::logical_or, apply(Op::logical_and, condition, a),
                 apply(Op::logical_and, apply(Op::logical_not, condition), b));
  const ExprId all[] = {condition, a, b};
  return intern(Op::if_then_else, 0, all);
}

ExprId ExprPool::call(FunctionId function, std::span<const ExprId> given) {
  const ShortList<ExprId> arguments(given);
  const UserFunction& callee = functions_[function.value];
  if (arguments.size() != callee.arity)
    throw Error("E003", "function '" + callee.name + "' takes " + std::to_string(callee.arity) +
                            (callee.arity == 1 ? " argument, " : " arguments, ") +
                            std::to_string(arguments.size()) + " given");
  require_numbers(Op::call, arguments);
  return intern(Op::call, function.value, arguments);
}

ExprId ExprPool::rebuild(ExprId original, std::span<const ExprId> children) {
  switch (op(original)) {
    case Op::number:
    case Op::symbol:
    case Op::truth: return original;
    case Op::call: return call(function_of(original), children);
    default: return apply(op(original), children);
  }
}

}  // namespace alembert::symbolic
