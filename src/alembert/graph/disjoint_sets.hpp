// SPDX-License-Identifier: Apache-2.0
// Stage: graph. Sets of integers that grow together (union-find, with path
// halving and union by size). In: pairs that belong together. Out: the representative of each.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace alembert::graph {

class DisjointSets {
 public:
  explicit DisjointSets(std::uint32_t n = 0) { grow(n); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(parent_.size()); }

  /// Elements up to `n` exist afterwards; new ones are sets of one.
  void grow(std::uint32_t n) {
    const std::uint32_t old = size();
    if (n <= old) return;
    parent_.resize(n);
    std::iota(parent_.begin() + old, parent_.end(), old);
    count_.resize(n, 1);
  }

  std::uint32_t find(std::uint32_t element) {
    while (parent_[element] != element) {
      parent_[element] = parent_[parent_[element]];
      element = parent_[element];
    }
    return element;
  }

  bool same(std::uint32_t a, std::uint32_t b) { return find(a) == find(b); }

  /// False if they were together already.
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (count_[a] < count_[b]) std::swap(a, b);
    parent_[b] = a;
    count_[a] += count_[b];
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> count_;
};

}  // namespace alembert::graph
