// SPDX-License-Identifier: Apache-2.0
// Storage, interning and order. The rules of the canonical form are in canonical.cpp.
#include "alembert/symbolic/pool.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <type_traits>

#include "alembert/base/error.hpp"
#include "alembert/symbolic/hash.hpp"

namespace alembert::symbolic {

namespace {

constexpr std::array<std::string_view, n_ops> op_names = {
    "number", "symbol", "+",    "*",    "^",     "sin",    "cos",        "tan",     "asin",
    "acos",   "atan",   "sinh", "cosh", "tanh",  "asinh",  "acosh",      "atanh",   "exp",
    "log",    "log10",  "abs",  "sign", "floor", "ceil",   "integer",    "noEvent", "atan2",
    "min",    "max",    "div",  "mod",  "rem",   "smooth", "semiLinear", "truth",   "<",
    "<=",     "==",     "<>",   "and",  "or",    "not",    "if",         "call"};

}  // namespace

std::string_view name(Op op) { return op_names[static_cast<std::size_t>(op)]; }

ExprPool::ExprPool() : table_(2048, empty_slot), names_(64, empty_slot) {}

ExprPool::~ExprPool() = default;

ExprId ExprPool::intern_number(const Number& value) {
  // The table compares payloads, so the number is entered first and taken back if it was known.
  numbers_.push_back(value);
  const std::size_t before = nodes_.size();
  const ExprId id = intern(Op::number, static_cast<std::uint32_t>(numbers_.size() - 1), {});
  if (nodes_.size() == before) numbers_.pop_back();
  return id;
}

ExprId ExprPool::truth(bool value) { return intern(Op::truth, value ? 1 : 0, {}); }

namespace {

/// What the hash of a node with payload 0 starts from.
constexpr std::uint64_t seed(Op op, std::uint64_t payload) {
  return mix(mix(0x51ed270b7a1f2c6dULL, static_cast<std::uint64_t>(op)), payload);
}

constexpr std::array<std::uint64_t, n_ops> plain_seeds = [] {
  std::array<std::uint64_t, n_ops> seeds{};
  for (int op = 0; op < n_ops; ++op)
    seeds[static_cast<std::size_t>(op)] = seed(static_cast<Op>(op), 0);
  return seeds;
}();

/// The line of the table to look at first. Expressions are mostly made of what was made just
/// before, so a line that goes with the ids of the children is mostly one that is still in the
/// cache.
template <class Children>
std::size_t home_line(std::uint64_t hash, const Children& children) {
  if (children.empty()) return hash >> 32;
  std::uint64_t sum = 0;
  for (const ExprId child : children) sum += child.value;
  return sum / 4;
}

/// Fetches a line of the table while other work is done.
template <class Table>
void call_line(const Table& table, std::size_t home) {
  constexpr std::size_t line_size = 64 / sizeof(table[0]);
  __builtin_prefetch(table.data() + (home & (table.size() / line_size - 1)) * line_size, 1);
}

}  // namespace

/// A node without children yet.
inline ExprPool::Node ExprPool::leaf(Op op, std::uint32_t payload) const {
  return {.hash = payload == 0 ? plain_seeds[static_cast<std::size_t>(op)] : seed(op, payload),
          .first = 0,
          .count = 0,
          .payload = payload,
          .height = 0,
          .lead = no_lead,
          .op = op};
}

/// Takes a child's content into that of its parent. Terms of a sum are in order, so the first
/// symbol of the first one that has any comes first.
[[gnu::always_inline]] inline void ExprPool::adopt(Node& node, const Node& below) const {
  node.hash = mix(node.hash, below.hash);
  node.height = std::max(node.height, below.height + 1);
  if (below.lead == node.lead || below.lead == no_lead) return;
  if (node.lead == no_lead || (node.op != Op::add && symbol_precedes(below.lead, node.lead)))
    node.lead = below.lead;
}

/// Where the content is in the table, or the free place where it belongs. The home line comes
/// first; when that is full, those that the hash tells. Nothing is ever taken out, so
/// a line that was full when something was entered is full for good.
template <class Same>
[[gnu::always_inline]] inline std::uint64_t* ExprPool::find_slot(std::uint64_t hash,
                                                                 std::size_t home, Same same) {
  const std::uint64_t half_hash = hash & 0xffffffffu;
  const std::size_t mask = table_.size() / line_size - 1;
  const std::size_t start = hash >> 40;  // within a line, so that few are looked at in vain
  std::size_t line = home & mask;
  for (std::size_t n_lines = 0;; ++n_lines) {
    std::uint64_t* const slots = table_.data() + line * line_size;
    for (std::size_t k = 0; k < line_size; ++k) {
      std::uint64_t* const slot = slots + (start + k) % line_size;
      if (*slot == empty_slot) return slot;
      // Half the hash is beside the id, so that most of those that do not match are passed by
      // without a look at the node.
      if (*slot >> 32 == half_hash && same(static_cast<std::uint32_t>(*slot))) return slot;
    }
    // By strides of its own for each hash: home lines fill whole stretches, which steps of one
    // would have to walk through.
    line = (half_hash + n_lines * (hash >> 32 | 1)) & mask;
  }
}

/// The node of that content: the one that is known, or a new one.
template <class Children>
[[gnu::always_inline]] inline ExprId ExprPool::enter(Node& node, const Children& children) {
  std::uint64_t* const slot =
      find_slot(node.hash, home_line(node.hash, children), [&](std::uint32_t known) {
        const Node& other = nodes_[known];
        return other.hash == node.hash && other.op == node.op && other.count == children.size() &&
               (node.op == Op::number ? numbers_[other.payload] == numbers_[node.payload]
                                      : other.payload == node.payload) &&
               std::equal(children.begin(), children.end(), children_.begin() + other.first);
      });
  if (*slot != empty_slot) return {static_cast<std::uint32_t>(*slot)};
  *slot = node.hash << 32 | nodes_.size();
  const ExprId id = append(node, children);
  // Symbols are found by name and have no place here.
  if ((nodes_.size() - symbols_.size()) * 5 > table_.size() * 3) [[unlikely]]
    grow_table();
  return id;
}

template <class Children>
[[gnu::always_inline]] inline ExprId ExprPool::append(Node& node, const Children& children) {
  const std::size_t id = nodes_.size();
  const std::size_t first = children_.size();
  if (id >= pending_bit - 1 || first + children.size() >= 0xffffffffu) [[unlikely]]
    ensure(false, "an expression pool holds at most 2^31 nodes with 2^32 children");
  node.first = static_cast<std::uint32_t>(first);
  node.count = static_cast<std::uint32_t>(children.size());
  if constexpr (std::is_same_v<Children, std::span<const ExprId>>)
    append_children(children);
  else
    for (const ExprId child : children) children_.push_back(child);
  nodes_.push_back(node);
  return {static_cast<std::uint32_t>(id)};
}

/// The symbol of some nodes that comes first, found the long way.
std::uint32_t ExprPool::first_lead(std::span<const ExprId> ids) const {
  std::uint32_t first = no_lead;
  for (const ExprId id : ids) {
    const std::uint32_t lead = nodes_[id.value].lead;
    if (lead != no_lead && (first == no_lead || symbol_precedes(lead, first))) first = lead;
  }
  return first;
}

ExprId ExprPool::intern_symbol(std::uint32_t index, std::uint64_t name_hash) {
  const Symbol& symbol = symbols_[index];
  Node node = leaf(Op::symbol, index);
  node.hash =
      mix(mix(mix(0x51ed270b7a1f2c6dULL, static_cast<std::uint64_t>(Op::symbol)), name_hash),
          static_cast<std::uint64_t>(symbol.kind) << 32 | symbol.order);
  node.lead = symbol.base.valid() ? nodes_[symbol.base.value].payload : index;
  return append(node, std::array<ExprId, 0>{});  // its name is new, so its content is
}

// The line of the table, which no cache may hold, is called for first: it comes while the node is
// made.
ExprId ExprPool::intern(Op op, std::uint32_t payload, std::span<const ExprId> children) {
  if (!children.empty()) call_line(table_, home_line(0, children));
  if (symbols_.size() > 2 * n_ranked_) rank_symbols();
  Node node = leaf(op, payload);
  if (op == Op::number)
    node.hash = seed(op, hash_value(numbers_[payload]));
  else if (op == Op::call)
    node.hash = seed(op, hash_text(functions_[payload].name));
  if (children.size() <= line_size) {
    for (const ExprId child : children) adopt(node, nodes_[child.value]);
  } else {
    // The terms of a long sum may be anywhere.
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i + ahead < children.size())
        __builtin_prefetch(nodes_.data() + children[i + ahead].value);
      adopt(node, nodes_[children[i].value]);
    }
  }
  assert(node.lead == first_lead(children) || op == Op::symbol);
  return enter(node, children);
}

ExprId ExprPool::intern(Op op, ExprId a) {
  call_line(table_, home_line(0, std::array{a}));
  Node node = leaf(op, 0);
  adopt(node, nodes_[a.value]);
  return enter(node, std::array{a});
}

ExprId ExprPool::intern(Op op, ExprId a, ExprId b) {
  call_line(table_, home_line(0, std::array{a, b}));
  if (symbols_.size() > 2 * n_ranked_) rank_symbols();
  Node node = leaf(op, 0);
  adopt(node, nodes_[a.value]);
  adopt(node, nodes_[b.value]);
  assert(node.lead == first_lead(std::array{a, b}));
  return enter(node, std::array{a, b});
}

ExprId ExprPool::intern_sum(std::span<const ExprId> children, bool unit_content) {
  const ExprId sum = intern(Op::add, 0, children);
  if (unit_content) nodes_[sum.value].unit_content = true;
  return sum;
}

void ExprPool::append_children(std::span<const ExprId> children) {
  if (owns(children)) {
    const ShortList<ExprId> copy(children);
    children_.insert(children_.end(), copy.begin(), copy.end());
  } else if (children.size() <= line_size) {
    for (const ExprId child : children) children_.push_back(child);
  } else {
    children_.insert(children_.end(), children.begin(), children.end());
  }
}

void ExprPool::grow_table() {
  // By all nodes: where there are many symbols, many expressions of them are to come.
  constexpr std::size_t small = std::size_t{1} << 19;
  table_.assign(
      std::max(table_.size() * 2, nodes_.size() < small ? std::bit_ceil(nodes_.size() * 4) : 0),
      empty_slot);
  // Lines are all over the table: those of the next nodes are fetched while one is entered.
  constexpr std::uint32_t ahead = 16;
  const auto n_nodes = static_cast<std::uint32_t>(nodes_.size());
  const std::size_t mask = table_.size() / line_size - 1;
  std::array<std::size_t, ahead> homes{};
  for (std::uint32_t k = 0; k < n_nodes + ahead; ++k) {
    if (k >= ahead) {
      const std::uint32_t id = k - ahead;
      const Node& node = nodes_[id];
      if (node.op != Op::symbol)  // those are found by name, never by content
        *find_slot(node.hash, homes[k % ahead], [](std::uint32_t) { return false; }) =
            node.hash << 32 | id;
    }
    if (k >= n_nodes || nodes_[k].op == Op::symbol) continue;
    homes[k % ahead] = home_line(nodes_[k].hash, children({k}));
    __builtin_prefetch(table_.data() + (homes[k % ahead] & mask) * line_size, 1);
  }
}

bool ExprPool::is_before_with_same_lead(ExprId a, ExprId b) const {
  if (a == b) return false;
  const Node& left = nodes_[a.value];
  const Node& right = nodes_[b.value];
  if (left.lead != right.lead) return left.lead == no_lead;
  if (left.height != right.height) return left.height < right.height;
  if (left.op == Op::symbol && right.op == Op::symbol)
    return symbols_[left.payload].order < symbols_[right.payload].order;
  if (left.hash != right.hash) return left.hash < right.hash;
  return a < b;  // different content with one hash: not met in practice
}

std::size_t ExprPool::memory_bytes() const {
  return nodes_.capacity() * sizeof(Node) + children_.capacity() * sizeof(ExprId) +
         numbers_.capacity() * sizeof(Number) + pending_.capacity() * sizeof(Pending) +
         (table_.capacity() + names_.capacity()) * sizeof(std::uint64_t) +
         symbols_.capacity() * (sizeof(Symbol) + sizeof(SymbolOrder));
}

}  // namespace alembert::symbolic
