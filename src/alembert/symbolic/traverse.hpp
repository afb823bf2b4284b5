// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Traversals without recursion: the nodes below some roots, in ascending order of
// ids, which is children before parents. In: roots. Out: a list to loop over, and each node's place
// in it. Several threads may traverse a pool at once, as long as none builds in it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "alembert/symbolic/block_memory.hpp"
#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// Numbers given to some nodes of a pool. The table is lent by the pool and used again, so that
/// making an index costs nothing in the size of the pool.
class NodeIndex {
 public:
  static constexpr std::uint32_t absent = 0xffffffffu;

  explicit NodeIndex(const ExprPool& pool);
  ~NodeIndex();
  NodeIndex(const NodeIndex&) = delete;
  NodeIndex& operator=(const NodeIndex&) = delete;

  /// The node's number; `absent` if it was not given one.
  std::uint32_t operator[](ExprId id) const {
    if (id.value >= marks_->entries.size()) return absent;
    const std::uint64_t entry = marks_->entries[id.value];
    return entry >> 32 == marks_->epoch ? static_cast<std::uint32_t>(entry) : absent;
  }
  bool contains(ExprId id) const { return (*this)[id] != absent; }
  void set(ExprId id, std::uint32_t number) {
    if (id.value >= marks_->entries.size()) grow();
    marks_->entries[id.value] = std::uint64_t{marks_->epoch} << 32 | number;
  }

 private:
  void grow();

  const ExprPool& pool_;
  std::unique_ptr<ExprPool::Marks> marks_;
};

/// The nodes reachable from roots. Cost: the size of what is reached, not of the pool.
class Reach {
 public:
  static constexpr std::uint32_t absent = NodeIndex::absent;

  Reach(const ExprPool& pool, std::span<const ExprId> roots);
  Reach(const ExprPool& pool, ExprId root) : Reach(pool, std::span(&root, 1)) {}

  std::span<const ExprId> nodes() const { return nodes_; }
  std::size_t size() const { return nodes_.size(); }
  bool contains(ExprId id) const { return index_.contains(id); }
  /// Place of `id` in nodes(); `absent` if it was not reached.
  std::uint32_t index_of(ExprId id) const { return index_[id]; }

 private:
  NodeIndex index_;
  std::vector<ExprId, BlockAllocator<ExprId>> nodes_;
};

}  // namespace alembert::symbolic
