// SPDX-License-Identifier: Apache-2.0
// Stage: compile/native. Which way of ordering suits a block; see schedule.hpp.
#include "alembert/compile/native/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "alembert/compile/native/call_clusters.hpp"
#include "alembert/compile/native/latency.hpp"
#include "alembert/compile/native/list_scheduler.hpp"
#include "alembert/compile/native/liveness.hpp"

namespace alembert::compile::native {
namespace {

/// Beyond this size instruction fetch is the limit, not latency, and the tape's own order is kept.
constexpr std::size_t max_list_scheduled = 4096;

/// Interleaved code must stay in the cache of decoded instructions, and its values in registers.
constexpr std::size_t max_interleaved = 2000;
constexpr std::size_t max_thrice_interleaved = 400;
constexpr double reorder_buffer = 224.0;  // instructions
constexpr double sustained_rate = 2.7;    // nodes a cycle

struct Contents {
  bool sites = false;
  bool elementary = false;
};

Contents contents_of(const Block& block) {
  Contents contents;
  for (const Node& node : block.nodes) {
    if (node.op == store_op) continue;
    contents.sites |= node.op >= TapeOp::call;
    contents.elementary |= calls_elementary(node.op);
  }
  return contents;
}

void reorder(Block& block, const std::vector<std::uint32_t>& order) {
  const auto n = static_cast<std::uint32_t>(block.nodes.size());
  std::vector<std::uint32_t> position(n);
  for (std::uint32_t i = 0; i < n; ++i) position[order[i]] = i;
  std::vector<Node> nodes(n);
  const auto moved = [&](std::uint32_t id) { return id < n ? position[id] : id; };
  for (std::uint32_t i = 0; i < n; ++i) {
    Node node = block.nodes[order[i]];
    const int n_values = operand_count(node);
    if (n_values > 0) node.a = moved(node.a);
    if (n_values > 1) node.b = moved(node.b);
    if (n_values > 2) node.c = moved(node.c);
    nodes[i] = node;
  }
  block.nodes = std::move(nodes);
}

/// The most values alive at once in the tape's order.
std::uint32_t peak_live(const Block& block) {
  const Liveness liveness = find_liveness(block);
  std::uint32_t live = 0, peak = 0;
  for (std::uint32_t i = 0; i < block.nodes.size(); ++i) {
    const Node& node = block.nodes[i];
    const std::uint32_t operands[3] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node); ++k) {
      const bool repeated = std::find(operands, operands + k, operands[k]) != operands + k;
      if (operands[k] < block.nodes.size() && !repeated) live -= liveness.next_use[i][k] == never;
    }
    if (liveness.first_use[i] != never) peak = std::max(peak, ++live);
  }
  return peak;
}

void schedule_arithmetic(Block& block, std::uint32_t n_registers, std::uint32_t copies) {
  // With far more values alive than registers, spills decide and not latency.
  const std::uint32_t peak = peak_live(block);
  if (peak > 2 * n_registers * copies) return;
  const ListSchedule found =
      list_schedule(block, {.max_live = n_registers - 2, .lookahead = 32 * copies});
  // Latency is hidden by the processor too, spills are not: no more of them than the tape's order
  // has.
  if (found.peak_live <= std::max(n_registers, peak)) reorder(block, found.order);
}

}  // namespace

void schedule(Block& block, int n_registers, std::uint32_t copies) {
  const Contents contents = contents_of(block);
  if (contents.elementary)
    reorder(block, cluster_calls(block));
  else if (!contents.sites && block.nodes.size() <= max_list_scheduled * copies)
    schedule_arithmetic(block, static_cast<std::uint32_t>(n_registers), copies);
}

std::uint32_t choose_copies(const Block& block) {
  const Contents contents = contents_of(block);
  const std::size_t n = block.nodes.size();
  if (contents.elementary || contents.sites || n > max_interleaved) return 1;
  double chain = 0.0, divider = 0.0;
  std::vector<std::uint32_t> done(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Node& node = block.nodes[i];
    const std::uint32_t operands[3] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node); ++k)
      if (operands[k] < n) done[i] = std::max(done[i], done[operands[k]]);
    done[i] += latency(node.op);
    chain = std::max<double>(chain, done[i]);
    divider += occupancy(node.op);
  }
  // The processor overlaps as many groups as its reorder buffer holds; the rest is up to us.
  const double overlap = std::max(1.0, reorder_buffer / static_cast<double>(n));
  const double busy = std::max(static_cast<double>(n) / sustained_rate, divider);
  const double wanted = chain / overlap / busy;
  if (wanted < 1.2) return 1;
  const std::uint32_t limit = n <= max_thrice_interleaved ? 3 : 2;
  return std::min(limit, static_cast<std::uint32_t>(wanted + 0.8));
}

}  // namespace alembert::compile::native
