// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/time_sources.hpp"

#include <algorithm>

#include "alembert/structure/needed_variables.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

using symbolic::NodeIndex;
using symbolic::Op;
using symbolic::SymbolKind;

class Sources {
 public:
  explicit Sources(const DrivenSystem& system)
      : system_(system), pool_(system.pool), numbers_(pool_), taken_(pool_) {}

  TimeSources find() {
    for (const ExprId symbol : system_.delayed) note(symbol, {On::all, symbol});
    for (const Block& block : system_.reduced.blocks) {
      for (const Assignment& a : block.assignments) define(symbol_of(a.unknown), a.value);
      for (const Index e : block.residuals) read(system_.differentiated.residuals[e]);
    }
    for (std::size_t i = 0; i < system_.eliminated.size(); ++i)
      define(system_.eliminated[i], system_.eliminated_values[i]);
    for (const ExprId expression : system_.watched) read(expression);
    if (!any_time_) return {};
    is_needed_ = needed_variables(system_);
    for (const Block& block : system_.reduced.blocks) take_block(block);
    for (const ExprId expression : system_.watched) take(expression, true);
    return std::move(found_);
  }

 private:
  /// What an expression depends on.
  enum class On : char { constants, time, all };
  struct Node {
    On on = On::all;
    ExprId plain = {};  // in terms of time and constants, where it depends on no more
  };

  ExprId symbol_of(Index variable) const { return system_.differentiated.variables[variable]; }

  void note(ExprId id, Node node) {
    numbers_.set(id, static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(node);
  }
  const Node& node_of(ExprId id) const { return nodes_[numbers_[id]]; }

  void define(ExprId symbol, ExprId value) {
    read(value);
    const Node node = node_of(value);
    if (node.on != On::all && !numbers_.contains(symbol)) note(symbol, node);
  }

  /// Every node below, once; what is defined must have been before it is met.
  void read(ExprId root) {
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const ExprId id = stack_.back();
      if (numbers_.contains(id)) {
        stack_.pop_back();
        continue;
      }
      const std::size_t before = stack_.size();
      for (const ExprId child : pool_.children(id))
        if (!numbers_.contains(child)) stack_.push_back(child);
      if (stack_.size() > before) continue;
      stack_.pop_back();
      note(id, made_of_children(id));
    }
  }

  Node made_of_children(ExprId id) {
    if (pool_.is_symbol(id)) {
      const SymbolKind kind = pool_.symbol_of(id).kind;
      if (kind == SymbolKind::time) any_time_ = true;
      if (kind == SymbolKind::unknown) return {On::all, id};
      return {kind == SymbolKind::time ? On::time : On::constants, id};
    }
    On on = On::constants;
    bool is_same = true;
    for (const ExprId child : pool_.children(id)) {
      const Node& node = node_of(child);
      on = std::max(on, node.on);
      is_same = is_same && node.plain == child;
    }
    if (on == On::all || is_same) return {on, id};
    std::vector<ExprId> plain;
    for (const ExprId child : pool_.children(id)) plain.push_back(node_of(child).plain);
    return {on, pool_.rebuild(id, plain)};
  }

  void take_block(const Block& block) {
    for (const Assignment& a : block.assignments)
      if (is_needed_[a.unknown]) take(a.value, is_slope(a.unknown));
    if (block.tears.empty() || !asks_for(block, is_needed_)) return;
    for (const Index e : block.residuals) take(system_.differentiated.residuals[e], false);
  }

  bool is_slope(Index variable) {
    if (slopes_.empty()) {
      slopes_.assign(is_needed_.size(), 0);
      for (const Index slope : system_.reduced.derivatives) slopes_[slope] = 1;
    }
    return slopes_[variable] != 0;
  }

  /// The largest parts of it that depend on time alone; `whole`: it may be one itself. One that is
  /// the value of a variable counts where that is used.
  void take(ExprId root, bool whole) {
    read(root);
    if (node_of(root).on == On::time) {
      if (whole) take_source(node_of(root).plain);
      return;
    }
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const ExprId id = stack_.back();
      stack_.pop_back();
      if (taken_.contains(id)) continue;
      taken_.set(id, 0);
      for (const ExprId child : pool_.children(id)) {
        const Node node = node_of(child);
        if (node.on == On::time) take_source(node.plain);
        if (node.on == On::all) stack_.push_back(child);
      }
    }
  }

  void take_source(ExprId source) {
    if (taken_.contains(source)) return;
    taken_.set(source, 0);
    bool is_other = false;
    const symbolic::Reach reach(pool_, source);
    for (const ExprId id : reach.nodes()) {
      const Op op = pool_.op(id);
      if (op == Op::sin || op == Op::cos) {
        const ExprId angle = pool_.children(id)[0];
        read(angle);
        if (node_of(angle).on != On::time || taken_.contains(angle)) continue;
        taken_.set(angle, 0);
        found_.angles.push_back(angle);
      } else if (op != Op::number && op != Op::symbol && op != Op::add && op != Op::mul) {
        // A choice that modes decide is one of its branches.
        const ExprId decides = op == Op::if_then_else ? pool_.children(id)[0] : id;
        read(decides);
        is_other = is_other || node_of(decides).on == On::time;
      }
    }
    if (is_other) found_.others.push_back(source);
  }

  const DrivenSystem& system_;
  symbolic::ExprPool& pool_;
  NodeIndex numbers_;  // of what was read, among nodes_
  NodeIndex taken_;
  std::vector<Node> nodes_;
  std::vector<ExprId> stack_;
  std::vector<char> is_needed_, slopes_;  // [variables of the structure]
  bool any_time_ = false;
  TimeSources found_;
};

}  // namespace

TimeSources time_sources(const DrivenSystem& system) { return Sources(system).find(); }

}  // namespace alembert::structure
