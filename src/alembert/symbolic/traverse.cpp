// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/traverse.hpp"

#include <algorithm>

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
  const auto visit = [&](ExprId id) {
    if (index_.contains(id)) return;
    index_.set(id, 0);
    nodes_.push_back(id);
  };
  for (const ExprId root : roots) visit(root);
  // nodes_ serves as its own queue: everything before `next` has had its children looked at.
  for (std::size_t next = 0; next < nodes_.size(); ++next)
    for (const ExprId child : pool.children(nodes_[next])) visit(child);
  if (nodes_.empty()) return;
  const auto [first, last] = std::minmax_element(nodes_.begin(), nodes_.end());
  const std::uint32_t low = first->value;
  const std::uint32_t high = last->value;
  if ((high - low) / 16 <
      nodes_.size()) {  // close together: reading off the marks is cheaper than sorting
    std::size_t n = 0;
    for (std::uint32_t id = low; id <= high; ++id) {
      if (!index_.contains({id})) continue;
      index_.set({id}, static_cast<std::uint32_t>(n));
      nodes_[n++] = {id};
    }
    return;
  }
  std::sort(nodes_.begin(), nodes_.end());
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) index_.set(nodes_[i], i);
}

}  // namespace alembert::symbolic
