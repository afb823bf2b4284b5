// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. List scheduling; see list_scheduler.hpp.
#include "alembert/compile/native/list_scheduler.hpp"

#include <algorithm>
#include <limits>

#include "alembert/compile/native/latency.hpp"

namespace alembert::compile::native {
namespace {

/// Nodes a cycle: what the vector units sustain, loads and stores aside.
constexpr std::uint32_t issue_width = 3;

class ListScheduler {
 public:
  ListScheduler(const Block& block, const ListScheduleOptions& options)
      : block_(block), n_(static_cast<std::uint32_t>(block.nodes.size())), options_(options) {}

  /// Nodes in their new order.
  std::vector<std::uint32_t> run() {
    find_users();
    find_heights();
    start_.assign(n_, 0);
    issued_.assign(n_, 0);
    for (std::uint32_t i = 0; i < n_; ++i)
      if (n_waiting_[i] == 0) ready_.push_back(i);
    std::vector<std::uint32_t> order;
    order.reserve(n_);
    while (!ready_.empty()) {
      const std::uint32_t node = take_best();
      order.push_back(node);
      issue(node);
    }
    return order;
  }

 private:
  template <typename Visit>
  void for_each_made_operand(std::uint32_t i, Visit&& visit) const {
    const Node& node = block_.nodes[i];
    const int n = operand_count(node);
    if (n > 0 && node.a < n_) visit(node.a);
    if (n > 1 && node.b < n_) visit(node.b);
    if (n > 2 && node.c < n_) visit(node.c);
  }

  void find_users() {
    n_waiting_.assign(n_, 0);
    n_uses_.assign(n_, 0);
    first_user_.assign(n_ + 1, 0);
    for (std::uint32_t i = 0; i < n_; ++i)
      for_each_made_operand(i, [&](std::uint32_t v) {
        ++first_user_[v + 1];
        ++n_waiting_[i];
        ++n_uses_[v];
      });
    for (std::uint32_t i = 0; i < n_; ++i) first_user_[i + 1] += first_user_[i];
    users_.resize(first_user_[n_]);
    std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
    for (std::uint32_t i = 0; i < n_; ++i)
      for_each_made_operand(i, [&](std::uint32_t v) { users_[next[v]++] = i; });
  }

  void find_heights() {
    height_.assign(n_, 0);
    for (std::uint32_t i = n_; i-- > 0;) {
      height_[i] += latency(block_.nodes[i].op);
      for_each_made_operand(
          i, [&](std::uint32_t v) { height_[v] = std::max(height_[v], height_[i]); });
    }
  }

  /// Registers freed by the node less the one it takes.
  int relief(std::uint32_t i) const {
    int freed = block_.nodes[i].op == store_op ? 0 : -1;
    for_each_made_operand(i, [&](std::uint32_t v) { freed += n_uses_[v] == 1; });
    return freed;
  }

  std::uint32_t take_best() {
    const bool tight = n_live_ >= options_.max_live;
    std::size_t best = 0;
    std::int64_t best_key = std::numeric_limits<std::int64_t>::min();
    for (std::size_t k = 0; k < ready_.size(); ++k) {
      const std::uint32_t i = ready_[k];
      if (i >= oldest_ + options_.lookahead) continue;
      std::uint32_t start = start_[i];
      if (occupancy(block_.nodes[i].op) > 0) start = std::max(start, divider_free_);
      const std::int64_t wait = start > cycle_ ? start - cycle_ : 0;
      std::int64_t key = std::int64_t{height_[i]} - 16 * wait;
      // A store only frees; put off, it would keep a register.
      if (block_.nodes[i].op == store_op) key += 1000;
      if (tight) key += std::int64_t{relief(i)} * 10000;
      // Ties: the order of the tape.
      key = key * (std::int64_t{1} << 32) - i;
      if (key > best_key) best_key = key, best = k;
    }
    const std::uint32_t node = ready_[best];
    ready_[best] = ready_.back();
    ready_.pop_back();
    return node;
  }

  void issue(std::uint32_t i) {
    issued_[i] = 1;
    while (oldest_ < n_ && issued_[oldest_]) ++oldest_;
    const std::uint32_t busy = occupancy(block_.nodes[i].op);
    if (busy > 0) start_[i] = std::max(start_[i], divider_free_);
    if (start_[i] > cycle_) cycle_ = start_[i], n_issued_ = 0;
    if (busy > 0) divider_free_ = cycle_ + busy;
    if (++n_issued_ == issue_width) ++cycle_, n_issued_ = 0;
    const std::uint32_t done = cycle_ + latency(block_.nodes[i].op);
    for_each_made_operand(i, [&](std::uint32_t v) { n_live_ -= --n_uses_[v] == 0; });
    if (n_uses_[i] > 0) ++n_live_;
    for (std::uint32_t k = first_user_[i]; k < first_user_[i + 1]; ++k) {
      const std::uint32_t user = users_[k];
      start_[user] = std::max(start_[user], done);
      if (--n_waiting_[user] == 0) ready_.push_back(user);
    }
  }

  const Block& block_;
  std::uint32_t n_;
  ListScheduleOptions options_;
  std::vector<std::uint32_t> first_user_, users_;  // by value
  std::vector<std::uint32_t> n_waiting_;           // operands not made yet
  std::vector<std::uint32_t> n_uses_;              // still to come
  std::vector<std::uint32_t> height_;              // cycles to the end of the block
  std::vector<std::uint32_t> start_;               // cycle when operands are there
  std::vector<std::uint32_t> ready_;
  std::vector<std::uint8_t> issued_;
  std::uint32_t oldest_ = 0;                // all nodes before are issued
  std::uint32_t cycle_ = 0, n_issued_ = 0;  // now, and how many nodes it has taken
  std::uint32_t divider_free_ = 0;          // cycle
  std::uint32_t n_live_ = 0;
};

}  // namespace

std::vector<std::uint32_t> list_schedule(const Block& block, const ListScheduleOptions& options) {
  return ListScheduler(block, options).run();
}

}  // namespace alembert::compile::native
