// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. List scheduling; see list_scheduler.hpp.
#include "alembert/compile/native/list_scheduler.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "alembert/compile/native/latency.hpp"

namespace alembert::compile::native {
namespace {

/// Nodes a cycle: what the vector units sustain, loads and stores aside.
constexpr std::uint32_t issue_width = 3;

// What counts most comes first: room in registers, then stores, then time, then the critical path.
constexpr std::int64_t relief_weight = 1 << 28;
constexpr std::int64_t store_bonus = 1 << 24;
constexpr std::int64_t wait_weight = 16;

class ListScheduler {
 public:
  ListScheduler(const Block& block, const ListScheduleOptions& options)
      : block_(block), n_(static_cast<std::uint32_t>(block.nodes.size())), options_(options) {}

  ListSchedule run() {
    find_users();
    find_heights();
    start_.assign(n_, 0);
    issued_.assign(n_, 0);
    admit();
    std::vector<std::uint32_t> order;
    order.reserve(n_);
    while (!ready_.empty()) {
      const std::uint32_t node = take_best();
      order.push_back(node);
      issue(node);
    }
    return {std::move(order), peak_live_};
  }

 private:
  struct Ready {
    std::uint32_t node;
    std::uint32_t start;  // cycle when its operands are there
    bool divides;
    std::int64_t value;  // height, or the bonus of a store
  };

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

  /// Nodes come into view as the oldest one left moves on; so few are ever compared.
  void admit() {
    for (; admitted_ < n_ && admitted_ < oldest_ + options_.lookahead; ++admitted_)
      if (n_waiting_[admitted_] == 0) make_ready(admitted_);
  }

  /// Registers freed by the node less the one it takes.
  int relief(std::uint32_t i) const {
    int freed = block_.nodes[i].op == store_op ? 0 : -1;
    for_each_made_operand(i, [&](std::uint32_t v) { freed += n_uses_[v] == 1; });
    return freed;
  }

  void make_ready(std::uint32_t i) {
    const TapeOp op = block_.nodes[i].op;
    // A store waits for nobody and only frees; put off, it would keep a register.
    if (op == store_op)
      ready_.push_back({i, 0, false, store_bonus});
    else
      ready_.push_back({i, start_[i], occupancy(op) > 0, height_[i]});
  }

  std::uint32_t take_best() {
    const bool tight = n_live_ >= options_.max_live;
    std::size_t best = 0;
    std::int64_t best_key = std::numeric_limits<std::int64_t>::min();
    for (std::size_t k = 0; k < ready_.size(); ++k) {
      const Ready& ready = ready_[k];
      const std::uint32_t start =
          ready.divides ? std::max(ready.start, divider_free_) : ready.start;
      const std::int64_t wait = start > cycle_ ? start - cycle_ : 0;
      std::int64_t key = ready.value - wait_weight * wait;
      if (tight) key += relief_weight * relief(ready.node);
      // Ties: the order of the tape.
      key = key * (std::int64_t{1} << 32) - ready.node;
      if (key > best_key) best_key = key, best = k;
    }
    const std::uint32_t node = ready_[best].node;
    ready_[best] = ready_.back();
    ready_.pop_back();
    return node;
  }

  void pass_time(std::uint32_t i) {
    const std::uint32_t busy = occupancy(block_.nodes[i].op);
    const std::uint32_t start = busy > 0 ? std::max(start_[i], divider_free_) : start_[i];
    if (start > cycle_) cycle_ = start, n_issued_ = 0;
    if (busy > 0) divider_free_ = cycle_ + busy;
    if (++n_issued_ == issue_width) ++cycle_, n_issued_ = 0;
  }

  void issue(std::uint32_t i) {
    issued_[i] = 1;
    if (block_.nodes[i].op != store_op) pass_time(i);
    const std::uint32_t done = cycle_ + latency(block_.nodes[i].op);
    for_each_made_operand(i, [&](std::uint32_t v) { n_live_ -= --n_uses_[v] == 0; });
    if (n_uses_[i] > 0) peak_live_ = std::max(peak_live_, ++n_live_);
    for (std::uint32_t k = first_user_[i]; k < first_user_[i + 1]; ++k) {
      const std::uint32_t user = users_[k];
      start_[user] = std::max(start_[user], done);
      if (--n_waiting_[user] == 0 && user < admitted_) make_ready(user);
    }
    while (oldest_ < n_ && issued_[oldest_]) ++oldest_;
    admit();
  }

  const Block& block_;
  std::uint32_t n_;
  ListScheduleOptions options_;
  std::vector<std::uint32_t> first_user_, users_;  // by value
  std::vector<std::uint32_t> n_waiting_;           // operands not made yet
  std::vector<std::uint32_t> n_uses_;              // still to come
  std::vector<std::uint32_t> height_;              // cycles to the end of the block
  std::vector<std::uint32_t> start_;               // cycle when operands are there
  std::vector<Ready> ready_;
  std::vector<std::uint8_t> issued_;
  std::uint32_t oldest_ = 0;                // all nodes before are issued
  std::uint32_t admitted_ = 0;              // all nodes before are in view
  std::uint32_t cycle_ = 0, n_issued_ = 0;  // now, and how many nodes it has taken
  std::uint32_t divider_free_ = 0;          // cycle
  std::uint32_t n_live_ = 0, peak_live_ = 0;
};

}  // namespace

ListSchedule list_schedule(const Block& block, const ListScheduleOptions& options) {
  return ListScheduler(block, options).run();
}

}  // namespace alembert::compile::native
