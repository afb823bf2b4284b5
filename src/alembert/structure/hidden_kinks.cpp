// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/hidden_kinks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using symbolic::ExprId;
using symbolic::ExprPool;
using symbolic::Op;
using symbolic::SymbolKind;

/// What changes its sign where the operation has a kink or a jump; none where it has none.
ExprId kink_of(ExprPool& pool, ExprId node) {
  const std::vector<ExprId> parts(pool.children(node).begin(), pool.children(node).end());
  const auto at_whole_numbers = [&](ExprId value) {
    return pool.apply(Op::sin, pool.mul(pool.real(std::numbers::pi), value));
  };
  switch (pool.op(node)) {
    case Op::less:
    case Op::less_equal:
    case Op::min:
    case Op::max: return pool.sub(parts[0], parts[1]);
    case Op::abs:
    case Op::sign:
    case Op::semi_linear: return parts[0];
    case Op::floor:
    case Op::ceil:
    case Op::integer_part: return at_whole_numbers(parts[0]);
    case Op::div:
    case Op::mod:
    case Op::rem: return at_whole_numbers(pool.div(parts[0], parts[1]));
    default: return {};
  }
}

/// Operations that depend on what changes between events.
std::vector<ExprId> varying_nodes(const ExprPool& pool, std::span<const ExprId> expressions,
                                  std::span<const ExprId> varying) {
  std::vector<ExprId> found;
  const symbolic::Reach reach(pool, expressions);
  std::vector<char> varies(reach.size(), 0);
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    if (pool.is_symbol(node)) {
      const SymbolKind kind = pool.symbol_of(node).kind;
      varies[i] = kind == SymbolKind::time || kind == SymbolKind::unknown ||
                  std::ranges::find(varying, node) != varying.end();
      continue;
    }
    for (const ExprId part : pool.children(node)) varies[i] |= varies[reach.index_of(part)];
    if (varies[i]) found.push_back(node);
  }
  return found;
}

void remove_repeated(std::vector<ExprId>& functions) {
  std::ranges::sort(functions, {}, &ExprId::value);
  const auto twice = std::ranges::unique(functions);
  functions.erase(twice.begin(), twice.end());
}

}  // namespace

std::vector<ExprId> hidden_kinks(ExprPool& pool, std::span<const ExprId> expressions,
                                 std::span<const ExprId> varying) {
  std::vector<ExprId> kinks;
  for (const ExprId node : varying_nodes(pool, expressions, varying))
    if (const ExprId kink = kink_of(pool, node); kink.valid()) kinks.push_back(kink);
  remove_repeated(kinks);
  return kinks;
}

std::vector<ExprId> denominators(ExprPool& pool, std::span<const ExprId> expressions,
                                 std::span<const ExprId> varying) {
  std::vector<ExprId> found;
  for (const ExprId node : varying_nodes(pool, expressions, varying)) {
    if (pool.op(node) == Op::tan) found.push_back(pool.apply(Op::cos, pool.children(node)[0]));
    if (pool.op(node) != Op::pow) continue;
    const ExprId base = pool.children(node)[0], exponent = pool.children(node)[1];
    if (!pool.is_number(exponent) || !pool.number_of(exponent).is_integer()) continue;
    if (pool.number_of(exponent).value() < 0) found.push_back(base);
  }
  remove_repeated(found);
  return found;
}

std::vector<ExprId> narrow_places(ExprPool& pool, std::span<const ExprId> expressions,
                                  std::span<const ExprId> varying) {
  const symbolic::Reach reach(pool, expressions);
  std::vector<char> moves(reach.size(), 0);  // depends on more than time, which is looked at ahead
  std::vector<char> is_steep(reach.size(), 0);  // in an exponential or a denominator
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const ExprId node = reach.nodes()[i];
    if (pool.is_symbol(node))
      moves[i] = pool.symbol_of(node).kind == SymbolKind::unknown ||
                 std::ranges::find(varying, node) != varying.end();
    for (const ExprId part : pool.children(node)) moves[i] |= moves[reach.index_of(part)];
  }
  std::vector<ExprId> found;
  for (std::size_t i = reach.size(); i-- > 0;) {  // before its parts
    if (!moves[i]) continue;
    const ExprId node = reach.nodes()[i];
    const auto parts = pool.children(node);
    const auto mark = [&](ExprId part) { is_steep[reach.index_of(part)] = 1; };
    switch (pool.op(node)) {
      case Op::tanh:
      case Op::atan:
      case Op::cosh: found.push_back(parts[0]); break;
      case Op::exp:
        if (is_steep[i]) found.push_back(parts[0]);
        mark(parts[0]);
        break;
      case Op::add:
      case Op::mul:
      case Op::abs:
        if (is_steep[i]) std::ranges::for_each(parts, mark);
        break;
      case Op::pow: {
        if (!moves[reach.index_of(parts[0])]) {  // as exp
          if (is_steep[i]) found.push_back(parts[1]);
          mark(parts[1]);
          break;
        }
        if (!pool.is_number(parts[1])) break;
        if (!pool.number_of(parts[1]).is_integer()) {  // a root
          if (is_steep[i]) mark(parts[0]);
          break;
        }
        const double exponent = pool.number_of(parts[1]).value();
        const auto n_moving = std::ranges::count_if(
            pool.children(parts[0]), [&](ExprId part) { return moves[reach.index_of(part)] != 0; });
        if (exponent > 0 && std::fmod(exponent, 2) == 0 && is_steep[i]) found.push_back(parts[0]);
        if (exponent < 0 && n_moving == 1) mark(parts[0]);
        break;
      }
      default: break;
    }
  }
  remove_repeated(found);
  return found;
}

}  // namespace alembert::structure
