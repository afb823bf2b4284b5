// SPDX-License-Identifier: Apache-2.0
// Storage, interning and order. The rules of the canonical form are in canonical.cpp.
#include "alembert/symbolic/pool.hpp"

#include <algorithm>
#include <array>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/hash.hpp"

namespace alembert::symbolic {

namespace {

constexpr std::uint32_t unranked = 0xffffffffu;
constexpr std::uint64_t empty_slot = 0xffffffffffffffffull;

constexpr std::array<std::string_view, n_ops> op_names = {
    "number", "symbol", "+",    "*",    "^",     "sin",    "cos",        "tan",     "asin",
    "acos",   "atan",   "sinh", "cosh", "tanh",  "asinh",  "acosh",      "atanh",   "exp",
    "log",    "log10",  "abs",  "sign", "floor", "ceil",   "integer",    "noEvent", "atan2",
    "min",    "max",    "div",  "mod",  "rem",   "smooth", "semiLinear", "truth",   "<",
    "<=",     "==",     "<>",   "and",  "or",    "not",    "if",         "call"};

/// Bytes that compare in natural order: a run of digits compares by its value ("x2" before "x10").
std::string natural_sort_key(std::string_view name) {
  std::string key;
  for (std::size_t i = 0; i < name.size();) {
    if (name[i] < '0' || name[i] > '9') {
      key += name[i++];
      continue;
    }
    std::size_t first = i;
    while (i < name.size() && name[i] >= '0' && name[i] <= '9') ++i;
    while (first + 1 < i && name[first] == '0') ++first;
    const std::size_t length = std::min<std::size_t>(i - first, 255);
    key += '0';  // a number sorts among other text as a digit does
    key += static_cast<char>(length);
    key += name.substr(first, i - first);
  }
  key += '\0';
  key += name;  // "x01" and "x1" differ after all
  return key;
}

/// The first eight bytes as a number that compares like them.
std::uint64_t leading_bytes(std::string_view text) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < 8; ++i)
    bytes = bytes << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0);
  return bytes;
}

}  // namespace

std::string_view name(Op op) { return op_names[static_cast<std::size_t>(op)]; }

bool is_condition(Op op) { return op >= Op::truth && op <= Op::logical_not; }

ExprPool::ExprPool() : table_(1024, empty_slot) {}

ExprPool::~ExprPool() = default;

ExprId ExprPool::number(const Number& value) {
  constexpr std::int64_t first = -8;  // of the small integers that are remembered
  const auto place =
      static_cast<std::uint64_t>(value.numerator()) - static_cast<std::uint64_t>(first);
  if (!value.is_integer() || place >= small_integers_.size()) return intern_number(value);
  ExprId& known = small_integers_[place];
  if (!known.valid()) known = intern_number(value);
  return known;
}

ExprId ExprPool::intern_number(const Number& value) {
  // The table compares payloads, so the number is entered first and taken back if it was known.
  numbers_.push_back(value);
  const std::size_t before = nodes_.size();
  const ExprId id = intern(Op::number, static_cast<std::uint32_t>(numbers_.size() - 1), {});
  if (nodes_.size() == before) numbers_.pop_back();
  return id;
}

ExprId ExprPool::truth(bool value) { return intern(Op::truth, value ? 1 : 0, {}); }

ExprId ExprPool::time() {
  if (!time_.valid()) time_ = symbol(SymbolKind::time, "time");
  return time_;
}

ExprId ExprPool::symbol(SymbolKind kind, std::string_view name) {
  if (name.empty()) throw Error("N002", "a symbol needs a name; this one is empty");
  const auto found = symbol_by_name_.find(name);
  if (found != symbol_by_name_.end()) {
    if (symbol_of(found->second).kind != kind) {
      constexpr std::array<std::string_view, 4> kinds = {"the time", "a parameter", "an unknown",
                                                         "a discrete quantity"};
      throw Error("N001", "'" + std::string(name) + "' is already " +
                              std::string(kinds[static_cast<int>(symbol_of(found->second).kind)]) +
                              " and cannot also be " + std::string(kinds[static_cast<int>(kind)]) +
                              ". Give one of them another name.");
    }
    return found->second;
  }
  const auto index = static_cast<std::uint32_t>(symbols_.size());
  symbols_.push_back(
      {kind, std::string(name), 0, ExprId::none(), ExprId::none(), natural_sort_key(name)});
  symbol_order_.push_back({leading_bytes(symbols_.back().sort_key), unranked});
  const ExprId id = intern(Op::symbol, index, {});
  symbols_[index].base = id;
  symbol_by_name_.emplace(std::string(name), id);
  return id;
}

ExprId ExprPool::find_symbol(std::string_view name) const {
  const auto found = symbol_by_name_.find(name);
  return found == symbol_by_name_.end() ? ExprId::none() : found->second;
}

ExprId ExprPool::derivative_symbol(ExprId symbol) {
  ensure(is_symbol(symbol) && symbol_of(symbol).kind == SymbolKind::unknown,
         "only unknowns have derivative chains");
  const std::uint32_t from = nodes_[symbol.value].payload;
  if (!symbols_[from].derivative.valid()) {
    const auto index = static_cast<std::uint32_t>(symbols_.size());
    symbols_.push_back({SymbolKind::unknown, symbols_[from].name, symbols_[from].order + 1,
                        symbols_[from].base, ExprId::none(), symbols_[from].sort_key});
    symbol_order_.push_back({symbol_order_[from].leading_bytes, unranked});
    symbols_[from].derivative = intern(Op::symbol, index, {});
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

ExprId ExprPool::intern(Op op, std::uint32_t payload, std::span<const ExprId> children) {
  if (children.size() > 1 && symbols_.size() > 2 * n_ranked_) rank_symbols();
  Node node{.hash = mix(0x51ed270b7a1f2c6dULL, static_cast<std::uint64_t>(op)),
            .first = static_cast<std::uint32_t>(children_.size()),
            .count = static_cast<std::uint32_t>(children.size()),
            .payload = payload,
            .height = 0,
            .lead = no_lead,
            .op = op};
  if (op == Op::number) {
    node.hash = mix(node.hash, hash_value(numbers_[payload]));
  } else if (op == Op::symbol) {
    const Symbol& symbol = symbols_[payload];
    node.hash = mix(mix(node.hash, hash_text(symbol.name)),
                    static_cast<std::uint64_t>(symbol.kind) << 32 | symbol.order);
    node.lead = symbol.base.valid() ? nodes_[symbol.base.value].payload : payload;
  } else if (op == Op::call) {
    node.hash = mix(node.hash, hash_text(functions_[payload].name));
  } else {
    node.hash = mix(node.hash, payload);
  }
  for (const ExprId child : children) {
    const Node& below = nodes_[child.value];
    node.hash = mix(node.hash, below.hash);
    node.height = std::max(node.height, below.height + 1);
    if (below.lead != no_lead && (node.lead == no_lead || symbol_precedes(below.lead, node.lead)))
      node.lead = below.lead;
  }

  // A slot holds half the hash beside the id, so that most of those that do not match are passed by
  // without a look at the node.
  const auto half_hash = static_cast<std::uint32_t>(node.hash);
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = half_hash & mask;
  for (; table_[slot] != empty_slot; slot = (slot + 1) & mask) {
    if (table_[slot] >> 32 != half_hash) continue;
    const auto known = static_cast<std::uint32_t>(table_[slot]);
    const Node& other = nodes_[known];
    if (other.hash != node.hash || other.op != op || other.count != node.count) continue;
    if (op == Op::number ? !(numbers_[other.payload] == numbers_[payload])
                         : other.payload != payload)
      continue;
    if (std::equal(children.begin(), children.end(), children_.begin() + other.first))
      return {known};
  }

  ensure(nodes_.size() < pending_bit - 1, "an expression pool holds at most 2^31 nodes");
  ensure(children_.size() + children.size() < 0xffffffffu,
         "an expression pool holds at most 2^32 children");
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  table_[slot] = std::uint64_t{half_hash} << 32 | id;
  // `children` may point into children_ itself, which is about to grow.
  if (!children.empty() && children.data() >= children_.data() &&
      children.data() < children_.data() + children_.size()) {
    const std::size_t offset = static_cast<std::size_t>(children.data() - children_.data());
    children_.resize(children_.size() + children.size());
    std::copy_n(children_.begin() + static_cast<std::ptrdiff_t>(offset), node.count,
                children_.begin() + node.first);
  } else {
    children_.insert(children_.end(), children.begin(), children.end());
  }
  nodes_.push_back(node);
  if (nodes_.size() * 5 > table_.size() * 3) grow_table();
  return {id};
}

void ExprPool::grow_table() {
  decltype(table_) larger(table_.size() * 2, empty_slot);
  const std::size_t mask = larger.size() - 1;
  for (const std::uint64_t entry : table_) {
    if (entry == empty_slot) continue;
    std::size_t slot = (entry >> 32) & mask;
    while (larger[slot] != empty_slot) slot = (slot + 1) & mask;
    larger[slot] = entry;
  }
  table_ = std::move(larger);
}

/// Numbers the symbols by their order, so that most comparisons of names are comparisons of
/// numbers. Those that are added later compare by name until there are twice as many.
void ExprPool::rank_symbols() {
  if (n_ranked_ == symbols_.size()) return;
  std::vector<std::uint32_t> bases;
  for (std::uint32_t i = 0; i < symbols_.size(); ++i)
    if (symbols_[i].order == 0) bases.push_back(i);
  const auto before = [this](std::uint32_t a, std::uint32_t b) { return symbol_precedes(a, b); };
  if (!std::is_sorted(bases.begin(), bases.end(), before))
    std::sort(bases.begin(), bases.end(), before);
  for (std::uint32_t rank = 0; rank < bases.size(); ++rank) symbol_order_[bases[rank]].rank = rank;
  n_ranked_ = symbols_.size();
}

/// Of symbols that are the bases of their chains.
bool ExprPool::symbol_precedes(std::uint32_t a, std::uint32_t b) const {
  if (a == b) return false;
  const SymbolOrder& left = symbol_order_[a];
  const SymbolOrder& right = symbol_order_[b];
  if (left.rank != unranked && right.rank != unranked) return left.rank < right.rank;
  if (left.leading_bytes != right.leading_bytes) return left.leading_bytes < right.leading_bytes;
  const int order = symbols_[a].sort_key.compare(symbols_[b].sort_key);
  return order != 0 ? order < 0 : symbols_[a].kind < symbols_[b].kind;
}

bool ExprPool::precedes(ExprId a, ExprId b) const {
  if (a == b) return false;
  const Node& left = nodes_[a.value];
  const Node& right = nodes_[b.value];
  if (left.lead != right.lead) {
    if (left.lead == no_lead || right.lead == no_lead) return left.lead == no_lead;
    return symbol_precedes(left.lead, right.lead);
  }
  if (left.height != right.height) return left.height < right.height;
  if (left.op == Op::symbol && right.op == Op::symbol)
    return symbols_[left.payload].order < symbols_[right.payload].order;
  if (left.hash != right.hash) return left.hash < right.hash;
  return a < b;  // different content with one hash: not met in practice
}

bool ExprPool::is_condition(ExprId id) const { return symbolic::is_condition(op(id)); }

std::string ExprPool::symbol_text(ExprId id) const {
  const Symbol& symbol = symbol_of(id);
  std::string text;
  for (std::uint32_t i = 0; i < symbol.order; ++i) text += "der(";
  text += symbol.name;
  text.append(symbol.order, ')');
  return text;
}

std::size_t ExprPool::memory_bytes() const {
  return nodes_.capacity() * sizeof(Node) + children_.capacity() * sizeof(ExprId) +
         table_.capacity() * sizeof(std::uint64_t) + numbers_.capacity() * sizeof(Number) +
         symbols_.capacity() * (sizeof(Symbol) + sizeof(SymbolOrder)) +
         pending_.capacity() * sizeof(Pending);
}

}  // namespace alembert::symbolic
