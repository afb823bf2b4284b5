// SPDX-License-Identifier: Apache-2.0
// Symbols: names, derivative chains and their order.
#include <algorithm>
#include <array>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/hash.hpp"
#include "alembert/symbolic/natural_order.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

ExprId ExprPool::time() {
  if (!time_.valid()) time_ = symbol(SymbolKind::time, "time");
  return time_;
}

/// Where the name is in names_, or the empty slot where it would be.
std::size_t ExprPool::name_slot(std::string_view name, std::uint64_t hash) const {
  const std::size_t mask = names_.size() - 1;
  const auto half_hash = static_cast<std::uint32_t>(hash);
  std::size_t slot = half_hash & mask;
  for (; names_[slot] != empty_slot; slot = (slot + 1) & mask)
    if (names_[slot] >> 32 == half_hash &&
        symbols_[static_cast<std::uint32_t>(names_[slot])].name == name)
      break;
  return slot;
}

void ExprPool::grow_names() {
  Table larger(names_.size() * 2, empty_slot);
  const std::size_t mask = larger.size() - 1;
  for (const std::uint64_t entry : names_) {
    if (entry == empty_slot) continue;
    std::size_t slot = (entry >> 32) & mask;
    while (larger[slot] != empty_slot) slot = (slot + 1) & mask;
    larger[slot] = entry;
  }
  names_ = std::move(larger);
}

ExprId ExprPool::enter_symbol(Symbol symbol, std::uint64_t name_hash, std::uint64_t prefix) {
  const auto index = static_cast<std::uint32_t>(symbols_.size());
  symbols_.push_back(std::move(symbol));
  symbol_order_.push_back({prefix, unranked});
  const ExprId id = intern_symbol(index, name_hash);
  if (!symbols_[index].base.valid()) symbols_[index].base = id;
  return id;
}

ExprId ExprPool::symbol(SymbolKind kind, std::string_view name) {
  if (name.empty()) throw Error("N002", "a symbol needs a name; this one is empty");
  const std::uint64_t hash = hash_text(name);
  const std::size_t slot = name_slot(name, hash);
  if (names_[slot] != empty_slot) {
    const Symbol& found = symbols_[static_cast<std::uint32_t>(names_[slot])];
    if (found.kind != kind) {
      constexpr std::array<std::string_view, 4> kinds = {"the time", "a parameter", "an unknown",
                                                         "a discrete quantity"};
      throw Error("N001", "'" + std::string(name) + "' is already " +
                              std::string(kinds[static_cast<int>(found.kind)]) +
                              " and cannot also be " + std::string(kinds[static_cast<int>(kind)]) +
                              ". Give one of them another name.");
    }
    return found.base;
  }
  names_[slot] = hash << 32 | symbols_.size();
  n_names_ += 1;
  const ExprId id = enter_symbol({kind, std::string(name), 0, ExprId::none(), ExprId::none()}, hash,
                                 natural_prefix(name));
  if (2 * n_names_ > names_.size()) grow_names();
  return id;
}

ExprId ExprPool::find_symbol(std::string_view name) const {
  const std::uint64_t entry = names_[name_slot(name, hash_text(name))];
  return entry == empty_slot ? ExprId::none() : symbols_[static_cast<std::uint32_t>(entry)].base;
}

ExprId ExprPool::derivative_symbol(ExprId symbol) {
  ensure(is_symbol(symbol) && symbol_of(symbol).kind == SymbolKind::unknown,
         "only unknowns have derivative chains");
  const std::uint32_t from = nodes_[symbol.value].payload;
  if (!symbols_[from].derivative.valid()) {
    const ExprId derivative =
        enter_symbol({SymbolKind::unknown, symbols_[from].name, symbols_[from].order + 1,
                      symbols_[from].base, ExprId::none()},
                     hash_text(symbols_[from].name), symbol_order_[from].prefix);
    symbols_[from].derivative = derivative;
  }
  return symbols_[from].derivative;
}

ExprId ExprPool::previous_symbol(ExprId id) {
  ensure(is_symbol(id), "only symbols have a value before an event");
  const SymbolKind kind = symbol_of(id).kind;
  ensure(kind == SymbolKind::unknown || kind == SymbolKind::discrete,
         "only what varies has a value before an event");
  if (const ExprId known = symbol_of(id).previous; known.valid()) return known;
  const ExprId previous = symbol(SymbolKind::discrete, "pre(" + symbol_text(id) + ")");
  symbols_[nodes_[previous.value].payload].previous_of = id;
  symbols_[nodes_[id.value].payload].previous = previous;
  return previous;
}

/// Numbers the symbols by their order, so that most comparisons of names are comparisons of
/// numbers. Those that are added later compare by name until there are twice as many.
void ExprPool::rank_symbols() {
  if (n_ranked_ == symbols_.size()) return;
  // Names are mostly made in order (x1, x2, ...), so ascending runs are merged, those that were
  // ranked before being one of them.
  const auto before = [this](std::uint32_t a, std::uint32_t b) { return symbol_precedes(a, b); };
  std::vector<std::size_t> run_ends;
  if (!by_rank_.empty()) run_ends.push_back(by_rank_.size());
  for (auto i = static_cast<std::uint32_t>(n_ranked_); i < symbols_.size(); ++i) {
    if (symbols_[i].order != 0) continue;
    if (!run_ends.empty() && run_ends.back() == by_rank_.size() && before(by_rank_.back(), i))
      run_ends.pop_back();
    by_rank_.push_back(i);
    if (run_ends.empty() || run_ends.back() != by_rank_.size()) run_ends.push_back(by_rank_.size());
  }
  while (run_ends.size() > 1) {
    std::size_t begin = 0;
    std::vector<std::size_t> merged;
    for (std::size_t k = 0; k < run_ends.size(); k += 2) {
      const std::size_t end = run_ends[std::min(k + 1, run_ends.size() - 1)];
      const auto at = [this](std::size_t i) {
        return by_rank_.begin() + static_cast<std::ptrdiff_t>(i);
      };
      std::inplace_merge(at(begin), at(run_ends[k]), at(end), before);
      merged.push_back(end);
      begin = end;
    }
    run_ends = std::move(merged);
  }
  for (std::uint32_t rank = 0; rank < by_rank_.size(); ++rank)
    symbol_order_[by_rank_[rank]].rank = rank;
  n_ranked_ = symbols_.size();
}

/// For those that are not ranked yet.
bool ExprPool::name_precedes(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return false;
  const SymbolOrder& left = symbol_order_[a];
  const SymbolOrder& right = symbol_order_[b];
  if (left.prefix != right.prefix) return left.prefix < right.prefix;
  const int order = natural_compare(symbols_[a].name, symbols_[b].name);
  return order != 0 ? order < 0 : symbols_[a].kind < symbols_[b].kind;
}

std::string ExprPool::symbol_text(ExprId id) const {
  const Symbol& symbol = symbol_of(id);
  std::string text;
  for (std::uint32_t i = 0; i < symbol.order; ++i) text += "der(";
  text += symbol.name;
  text.append(symbol.order, ')');
  return text;
}

}  // namespace alembert::symbolic
