// SPDX-License-Identifier: Apache-2.0
// Stage: symbolic. Walks over expressions that need not see everything: they end where the answer
// is known, leave out what lies below a node, and meet each node once in all walks together. In:
// roots. Out: calls of a function. Where all nodes are wanted, in order, `Reach` is cheaper.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "alembert/symbolic/traverse.hpp"

namespace alembert::symbolic {

/// What a walk does behind a node.
enum class Walk { down, past, end };

class NodeWalks {
 public:
  explicit NodeWalks(const ExprPool& pool) : pool_(pool), met_(pool) {}

  /// Calls `visit` for the nodes from `root` down that no walk has met before; false where it was
  /// ended.
  template <class Visit>
  bool walk(ExprId root, Visit&& visit) {
    std::vector<ExprId> open;
    const auto meet = [&](ExprId node) {
      if (met_.contains(node)) return true;
      met_.set(node, 0);
      const Walk next = visit(node);
      if (next == Walk::down) open.push_back(node);
      return next != Walk::end;
    };
    if (!meet(root)) return false;
    while (!open.empty()) {
      const ExprId parent = open.back();
      open.pop_back();
      for (const ExprId child : pool_.children(parent))
        if (!meet(child)) return false;
    }
    return true;
  }

 private:
  const ExprPool& pool_;
  NodeIndex met_;
};

/// Whether `is_wanted` holds for a symbol of the expressions.
template <class Predicate>
bool any_symbol(const ExprPool& pool, std::span<const ExprId> roots, Predicate&& is_wanted) {
  NodeWalks walks(pool);
  const auto visit = [&](ExprId node) {
    return pool.is_symbol(node) && is_wanted(node) ? Walk::end : Walk::down;
  };
  return !std::all_of(roots.begin(), roots.end(),
                      [&](ExprId root) { return walks.walk(root, visit); });
}

}  // namespace alembert::symbolic
