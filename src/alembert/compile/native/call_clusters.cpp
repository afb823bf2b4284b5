// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Elementary calls back to back; see call_clusters.hpp.
#include "alembert/compile/native/call_clusters.hpp"

#include <algorithm>

namespace alembert::compile::native {
namespace {

/// Small enough that what waits between clusters stays in the first level of cache.
constexpr std::uint32_t window_size = 256;

bool is_site(TapeOp op) { return op >= TapeOp::call && op != store_op; }

class Window {
 public:
  Window(const Block& block, std::uint32_t begin, std::uint32_t end)
      : block_(block), begin_(begin), end_(end), depth_(end - begin, 0), key_(end - begin, never) {}

  void append_to(std::vector<std::uint32_t>& order) {
    find_depths();
    find_keys();
    const std::uint32_t n_keys = *std::max_element(key_.begin(), key_.end()) + 1;
    std::vector<std::uint32_t> first(n_keys + 1, 0);
    for (const std::uint32_t key : key_) ++first[key + 1];
    for (std::uint32_t k = 0; k < n_keys; ++k) first[k + 1] += first[k];
    const std::size_t base = order.size();
    order.resize(base + key_.size());
    for (std::uint32_t i = 0; i < key_.size(); ++i) order[base + first[key_[i]]++] = begin_ + i;
  }

 private:
  static constexpr std::uint32_t never = 0xffffffffu;

  TapeOp op(std::uint32_t i) const { return block_.nodes[begin_ + i].op; }

  template <typename Visit>
  void for_each_operand_here(std::uint32_t i, Visit&& visit) const {
    const Node& node = block_.nodes[begin_ + i];
    const std::uint32_t operands[3] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node); ++k)
      if (operands[k] >= begin_ && operands[k] < end_) visit(operands[k] - begin_);
  }

  /// How many clusters of calls must have run before a node can.
  void find_depths() {
    for (std::uint32_t i = 0; i < depth_.size(); ++i)
      for_each_operand_here(i, [&](std::uint32_t v) {
        depth_[i] = std::max(depth_[i], depth_[v] + (calls_elementary(op(v)) ? 1 : 0));
      });
  }

  /// Calls of depth d have key 2d + 1. Other nodes run as late as their users allow (their operands
  /// are often leaves, which cost nothing to keep); those without users here as early as they can.
  void find_keys() {
    for (auto i = static_cast<std::uint32_t>(key_.size()); i-- > 0;) {
      if (calls_elementary(op(i)))
        key_[i] = 2 * depth_[i] + 1;
      else if (key_[i] == never)
        key_[i] = 2 * depth_[i];
      const std::uint32_t latest = calls_elementary(op(i)) ? key_[i] - 1 : key_[i];
      for_each_operand_here(i, [&](std::uint32_t v) { key_[v] = std::min(key_[v], latest); });
    }
    // The result of a call is stored while it is still in its register.
    for (std::uint32_t i = 0; i < key_.size(); ++i)
      if (op(i) == store_op)
        for_each_operand_here(i, [&](std::uint32_t v) {
          if (calls_elementary(op(v))) key_[i] = key_[v];
        });
  }

  const Block& block_;
  std::uint32_t begin_, end_;
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> key_;
};

}  // namespace

std::vector<std::uint32_t> cluster_calls(const Block& block) {
  const auto n = static_cast<std::uint32_t>(block.nodes.size());
  std::vector<std::uint32_t> order;
  order.reserve(n);
  std::uint32_t begin = 0;
  const auto close = [&](std::uint32_t end) {
    if (end > begin) Window(block, begin, end).append_to(order);
    begin = end;
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    const Node& node = block.nodes[i];
    // User calls and solves, with the stores of their arguments, stay where they are.
    const bool argument = node.op == store_op && block.targets[node.b].area == Area::frame;
    if (is_site(node.op) || argument) {
      close(i);
      order.push_back(i);
      begin = i + 1;
    } else if (i + 1 - begin == window_size) {
      close(i + 1);
    }
  }
  close(n);
  return order;
}

}  // namespace alembert::compile::native
