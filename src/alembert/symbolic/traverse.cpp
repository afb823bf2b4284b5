// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/traverse.hpp"

#include <algorithm>

#include "alembert/symbolic/short_list.hpp"

namespace alembert::symbolic {

NodeIndex::NodeIndex(const ExprPool& pool) : pool_(pool) {
  {
    const std::lock_guard lock(pool.idle_marks_mutex_);
    if (!pool.idle_marks_.empty()) {
      marks_ = std::move(pool.idle_marks_.back());
      pool.idle_marks_.pop_back();
    }
  }
  if (!marks_) marks_ = std::make_unique<ExprPool::Marks>();
  if (++marks_->epoch == 0) {  // wrapped around: old marks could be taken for new ones
    std::fill(marks_->entries.begin(), marks_->entries.end(), 0);
    marks_->epoch = 1;
  }
  if (marks_->entries.size() < pool.size()) grow();
}

NodeIndex::~NodeIndex() {
  const std::lock_guard lock(pool_.idle_marks_mutex_);
  pool_.idle_marks_.push_back(std::move(marks_));
}

void NodeIndex::grow() {
  auto& entries = marks_->entries;
  entries.resize(std::max(pool_.size(), entries.size() * 2), 0);
}

Reach::Reach(const ExprPool& pool, std::span<const ExprId> roots) : index_(pool) {
  // Depth first: what was made together is near in memory, and mostly below one parent. As soon as
  // a good part of all ids down from the roots is reached, going down through all of them is
  // cheaper.
  constexpr std::size_t sparse = 16;
  ShortList<ExprId, 64> open;
  std::size_t n_reached = 0;
  std::uint32_t low = absent;
  std::uint32_t high = 0;
  const auto mark = [&](ExprId id) {
    index_.set(id, 0);
    low = std::min(low, id.value);
    high = std::max(high, id.value);
    ++n_reached;
  };
  const auto visit = [&](ExprId id) {
    if (index_.contains(id)) return;
    mark(id);
    nodes_.push_back(id);
    open.push_back(id);
  };
  for (const ExprId root : roots) visit(root);
  while (!open.empty() && (n_reached < 1000 || high / sparse > n_reached)) {
    const ExprId parent = open.back();
    open.pop_back();
    for (const ExprId child : pool.children(parent)) visit(child);
  }
  if (!open.empty()) {
    for (std::uint32_t id = high; id >= low && id != absent; --id) {
      if (!index_.contains({id})) continue;
      for (const ExprId child : pool.children({id}))
        if (!index_.contains(child)) mark(child);
    }
  } else if (n_reached == 0 || (high - low) / sparse >= n_reached) {
    std::sort(nodes_.begin(), nodes_.end());
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) index_.set(nodes_[i], i);
    return;
  }
  // Close together: reading off the marks is cheaper than sorting.
  nodes_.resize(n_reached);
  std::uint32_t n = 0;
  for (std::uint32_t id = low; n < n_reached; ++id) {
    if (!index_.contains({id})) continue;
    index_.set({id}, n);
    nodes_[n++] = {id};
  }
}

}  // namespace alembert::symbolic
