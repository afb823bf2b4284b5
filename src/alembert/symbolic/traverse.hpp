// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Traversals without recursion: the nodes below some roots, in ascending order of ids, which is
// children before parents. In: roots. Out: a list to loop over, and each node's place in it.
#pragma once

#include <span>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::symbolic {

/// The nodes reachable from roots. Cost: the size of what is reached, not of the pool.
class Reach {
 public:
  static constexpr std::uint32_t absent = 0xffffffffu;

  Reach(const ExprPool& pool, std::span<const ExprId> roots);
  Reach(const ExprPool& pool, ExprId root) : Reach(pool, std::span(&root, 1)) {}
  ~Reach();
  Reach(const Reach&) = delete;
  Reach& operator=(const Reach&) = delete;

  std::span<const ExprId> nodes() const { return nodes_; }
  std::size_t size() const { return nodes_.size(); }
  bool contains(ExprId id) const { return index_of(id) != absent; }
  /// Place of `id` in nodes(); `absent` if it was not reached.
  std::uint32_t index_of(ExprId id) const;

 private:
  const ExprPool& pool_;
  std::unique_ptr<ExprPool::Marks> marks_;
  std::vector<ExprId> nodes_;
};

}  // namespace alembert::symbolic
