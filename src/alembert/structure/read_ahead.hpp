// SPDX-License-Identifier: Apache-2.0
// Stage: structure. Brings expressions near before they are worked on. A large model does not fit
// into the caches, and a walk down one expression waits for memory at every level; walking down
// many side by side waits once for all of them. In: a list of expressions that will be read in this
// order. Nothing comes out: only the time changes.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "alembert/symbolic/pool.hpp"

namespace alembert::structure {

class ReadAhead {
 public:
  explicit ReadAhead(const symbolic::ExprPool& pool) : pool_(pool) {}

  /// To be called with ascending k before expression k is read; `at(i)` is expression i of n.
  template <class ExpressionAt>
  void before(std::size_t k, std::size_t n, ExpressionAt at) {
    before(k, n, at, [](symbolic::ExprId) { return 0u; });
  }

  /// The same; `look(symbol)` looks at what will be asked of a symbol, and tells a number of it.
  template <class ExpressionAt, class Look>
  void before(std::size_t k, std::size_t n, ExpressionAt at, Look look) {
    if (k % batch != 0) return;
    level_.clear();
    symbols_.clear();
    for (std::size_t i = k; i < std::min(n, k + batch); ++i) level_.push_back(at(i));
    for (std::size_t depth = 0; depth < deepest && level_.size() < most; ++depth) {
      below_.clear();
      for (const symbolic::ExprId id : level_) {
        const auto children = pool_.children(id);
        if (children.empty() && pool_.is_symbol(id)) {
          __builtin_prefetch(&pool_.symbol_of(id));
          symbols_.push_back(id);
        }
        below_.insert(below_.end(), children.begin(), children.end());
      }
      level_.swap(below_);
    }
    unsigned looked_at = 0;
    for (const symbolic::ExprId id : symbols_) looked_at += look(id);
    [[maybe_unused]] const volatile unsigned kept = looked_at;  // else nothing would be read
  }

 private:
  static constexpr std::size_t batch = 32;
  static constexpr std::size_t deepest = 5;
  static constexpr std::size_t most = 1024;

  const symbolic::ExprPool& pool_;
  std::vector<symbolic::ExprId> level_, below_, symbols_;
};

}  // namespace alembert::structure
