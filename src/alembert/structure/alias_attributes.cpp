// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/alias_attributes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "alembert/base/error.hpp"
#include "alembert/flat/parameters.hpp"
#include "alembert/flat/state_priority.hpp"
#include "alembert/flat/wording.hpp"

namespace alembert::structure {

std::optional<double> StartNumbers::value(ExprId expression) {
  if (!values_) values_ = flat::values_by_symbol(flat_, flat::examine_parameters(flat_).values);
  const double value = evaluate(*flat_.pool, expression, *values_);
  if (std::isnan(value)) return std::nullopt;
  return value;
}

namespace {

bool differ(StartNumbers& numbers, ExprId a, ExprId b) {
  if (a == b) return false;
  const auto x = numbers.value(a);
  const auto y = numbers.value(b);
  if (!x || !y) return false;  // the run will tell
  return std::abs(*x - *y) > 1e-9 * std::max({1.0, std::abs(*x), std::abs(*y)});
}

std::string start_text(const flat::FlatSystem& flat, ExprId symbol, ExprId start) {
  return flat::in_quotes(flat.pool->symbol_text(symbol)) + " = " +
         flat::expression_text(flat, start);
}

ExprId negated_if(symbolic::ExprPool& pool, bool negative, ExprId value) {
  return negative ? pool.neg(value) : value;
}

[[noreturn]] void throw_fixed_starts(const flat::FlatSystem& flat, ExprId a, ExprId start_a,
                                     const Origin& origin_a, ExprId b, ExprId start_b,
                                     const Origin& origin_b, bool negative) {
  throw Error("S005",
              "the fixed starts " + start_text(flat, a, start_a) + " and " +
                  start_text(flat, b, start_b) +
                  " contradict each other, since the equations make " +
                  flat::in_quotes(flat.pool->symbol_text(a)) +
                  (negative ? " the negative of " : " equal ") +
                  flat::in_quotes(flat.pool->symbol_text(b)) + ". Leave one of them free.",
              origin_a, {{"the other start", origin_b}});
}

/// Deeper names are further from what the user looks at.
std::size_t depth(const std::string& name) {
  return static_cast<std::size_t>(std::count(name.begin(), name.end(), '.'));
}

void narrow(std::optional<double>& bound, std::optional<double> other, bool lower) {
  if (!other) return;
  if (!bound)
    bound = other;
  else
    bound = lower ? std::max(*bound, *other) : std::min(*bound, *other);
}

}  // namespace

void put_best_first(const flat::FlatSystem& flat, std::vector<ClassMember>& members) {
  const symbolic::ExprPool& pool = *flat.pool;
  const auto before = [&](const ClassMember& a, const ClassMember& b) {
    const flat::Unknown& x = flat.unknowns[a.unknown];
    const flat::Unknown& y = flat.unknowns[b.unknown];
    const std::string& name_x = pool.symbol_of(x.symbol).name;
    const std::string& name_y = pool.symbol_of(y.symbol).name;
    const auto key = [](const flat::Unknown& u, const std::string& name) {
      return std::tuple(-u.state_priority, !u.fixed, depth(name), name.size());
    };
    const auto key_x = key(x, name_x);
    const auto key_y = key(y, name_y);
    return key_x != key_y ? key_x < key_y : pool.precedes(x.symbol, y.symbol);
  };
  std::sort(members.begin(), members.end(), before);
  const bool flip = members.front().negative;
  for (ClassMember& member : members) member.negative = member.negative != flip;
}

flat::Unknown merged_unknown(const flat::FlatSystem& flat, std::span<const ClassMember> members,
                             StartNumbers& numbers) {
  symbolic::ExprPool& pool = *flat.pool;
  flat::Unknown best = flat.unknowns[members.front().unknown];
  const flat::Unknown* start_from =
      best.start.valid() ? &flat.unknowns[members[0].unknown] : nullptr;
  bool start_negative = false;
  for (const ClassMember& member : members.subspan(1)) {
    const flat::Unknown& other = flat.unknowns[member.unknown];
    if (other.start.valid()) {
      if (best.fixed && other.fixed &&
          differ(numbers, best.start, negated_if(pool, member.negative, other.start)))
        throw_fixed_starts(flat, start_from->symbol, start_from->start, start_from->origin,
                           other.symbol, other.start, other.origin,
                           member.negative != start_negative);
      if (!best.start.valid() || (other.fixed && !best.fixed)) {
        best.start = negated_if(pool, member.negative, other.start);
        best.fixed = other.fixed;
        start_from = &other;
        start_negative = member.negative;
      }
    }
    const auto negated = [&](std::optional<double> bound) {
      return bound && member.negative ? std::optional(-*bound) : bound;
    };
    narrow(best.min, negated(member.negative ? other.max : other.min), true);
    narrow(best.max, negated(member.negative ? other.min : other.max), false);
    if (best.min && best.max && *best.min > *best.max)
      throw Error("S005",
                  "no value is within the range of " +
                      flat::located(pool.symbol_text(other.symbol), other.origin) +
                      " and within those of its aliases, " +
                      flat::in_quotes(pool.symbol_text(best.symbol)) +
                      " among them. Widen one of the ranges.",
                  best.origin);
    if (!best.nominal) best.nominal = other.nominal;
    if (best.unit.empty()) best.unit = other.unit;
    // The first has the highest priority; that a member must not be a state counts where nobody
    // else says that it should, and a user said so.
    if (best.state_priority == 0 && other.state_priority > flat::priority_of_added)
      best.state_priority = std::min(0.0, other.state_priority);
  }
  return best;
}

void check_constant_start(const flat::FlatSystem& flat, const flat::Unknown& unknown,
                          ExprId constant, StartNumbers& numbers) {
  if (!unknown.fixed || !unknown.start.valid() || !differ(numbers, unknown.start, constant)) return;
  throw Error("S005",
              "the fixed start " + start_text(flat, unknown.symbol, unknown.start) +
                  " contradicts the equations, by which it is always " +
                  flat::expression_text(flat, constant) + ". Remove the start, or leave it free.",
              unknown.origin);
}

std::vector<flat::DerivativeStart> merged_starts(const flat::FlatSystem& flat,
                                                 std::span<const MovedStart> moved,
                                                 StartNumbers& numbers) {
  symbolic::ExprPool& pool = *flat.pool;
  std::vector<flat::DerivativeStart> merged;
  std::unordered_map<ExprId, std::pair<Index, Index>> place;  // of merged and moved; looked up
  for (Index k = 0; k < moved.size(); ++k) {
    const MovedStart& m = moved[k];
    const ExprId value = negated_if(pool, m.negative, m.start.value);
    if (!m.symbol.valid()) {
      const flat::Unknown still{.symbol = m.start.symbol,
                                .start = value,
                                .fixed = m.start.fixed,
                                .origin = m.start.origin};
      check_constant_start(flat, still, pool.number(0), numbers);
      continue;
    }
    const auto [at, fresh] =
        place.emplace(m.symbol, std::pair(static_cast<Index>(merged.size()), k));
    flat::DerivativeStart now = m.start;
    now.symbol = m.symbol;
    now.value = value;
    if (fresh) {
      merged.push_back(std::move(now));
      continue;
    }
    flat::DerivativeStart& first = merged[at->second.first];
    const MovedStart& of_first = moved[at->second.second];
    if (first.fixed && now.fixed && differ(numbers, first.value, now.value))
      throw_fixed_starts(flat, of_first.start.symbol, of_first.start.value, of_first.start.origin,
                         m.start.symbol, m.start.value, m.start.origin,
                         m.negative != of_first.negative);
    if (now.fixed && !first.fixed) {
      first = std::move(now);
      at->second.second = k;
    }
  }
  return merged;
}

}  // namespace alembert::structure
