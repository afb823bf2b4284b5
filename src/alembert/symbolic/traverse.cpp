// SPDX-License-Identifier: Apache-2.0
#include "alembert/symbolic/traverse.hpp"

#include <algorithm>

namespace alembert::symbolic {

Reach::Reach(const ExprPool& pool, std::span<const ExprId> roots) : pool_(pool) {
  if (pool.idle_marks_.empty()) {
    marks_ = std::make_unique<ExprPool::Marks>();
  } else {
    marks_ = std::move(pool.idle_marks_.back());
    pool.idle_marks_.pop_back();
  }
  auto& entries = marks_->entries;
  if (entries.size() < pool.size()) entries.resize(std::max(pool.size(), entries.size() * 2), 0);
  if (++marks_->epoch == 0) {  // wrapped around: old marks could be taken for new ones
    std::fill(entries.begin(), entries.end(), 0);
    marks_->epoch = 1;
  }
  const std::uint64_t here = std::uint64_t{marks_->epoch} << 32;
  for (const ExprId root : roots) {
    if (entries[root.value] >> 32 == marks_->epoch) continue;
    entries[root.value] = here;
    nodes_.push_back(root);
  }
  // nodes_ serves as its own queue: everything before `next` has had its children looked at.
  for (std::size_t next = 0; next < nodes_.size(); ++next) {
    for (const ExprId child : pool.children(nodes_[next])) {
      if (entries[child.value] >> 32 == marks_->epoch) continue;
      entries[child.value] = here;
      nodes_.push_back(child);
    }
  }
  std::sort(nodes_.begin(), nodes_.end());
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) entries[nodes_[i].value] = here | i;
}

Reach::~Reach() { pool_.idle_marks_.push_back(std::move(marks_)); }

std::uint32_t Reach::index_of(ExprId id) const {
  if (id.value >= marks_->entries.size()) return absent;
  const std::uint64_t entry = marks_->entries[id.value];
  return entry >> 32 == marks_->epoch ? static_cast<std::uint32_t>(entry) : absent;
}

}  // namespace alembert::symbolic
