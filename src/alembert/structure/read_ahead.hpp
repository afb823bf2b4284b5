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

  /// To be called with ascending k before expression k is read; `at(i)` is expression i of n. Each
  /// `look(symbol)` reads something that will be asked of a symbol, and tells a number of it; a
  /// later one may read what an earlier one leads to.
  template <class ExpressionAt, class... Looks>
  void before(std::size_t k, std::size_t n, ExpressionAt at, Looks... looks) {
    if (k % batch != 0) return;
    level_.clear();
    symbols_.clear();
    looked_at_ = 0;
    for (std::size_t i = k; i < std::min(n, k + batch); ++i) level_.push_back(at(i));
    for (std::size_t depth = 0; depth < deepest && level_.size() < most; ++depth) go_down();
    (look_at_symbols(looks), ...);
    [[maybe_unused]] const volatile unsigned kept = looked_at_;  // else nothing would be read
  }

 private:
  template <class Look>
  void look_at_symbols(Look& look) {
    for (const symbolic::ExprId id : symbols_) looked_at_ += look(id);
  }

  /// From one level to that below. Nothing is decided by what is just being read: a branch that was
  /// taken wrongly would wait for the memory, and everything after it as well.
  void go_down() {
    for (const symbolic::ExprId id : level_) __builtin_prefetch(pool_.children(id).data());
    below_.clear();
    for (const symbolic::ExprId id : level_) {
      const auto children = pool_.children(id);
      if (children.empty() && pool_.is_symbol(id)) symbols_.push_back(id);
      for (const symbolic::ExprId child : children) below_.push_back(child);
    }
    level_.swap(below_);
  }

  static constexpr std::size_t batch = 32;
  static constexpr std::size_t deepest = 5;
  static constexpr std::size_t most = 1024;

  const symbolic::ExprPool& pool_;
  std::vector<symbolic::ExprId> level_, below_, symbols_;
  unsigned looked_at_ = 0;
};

}  // namespace alembert::structure
