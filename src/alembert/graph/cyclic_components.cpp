// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/cyclic_components.hpp"

#include <algorithm>
#include <vector>

namespace alembert::graph {

namespace {

/// Vertices that may lie on a cycle: less and less than all.
class Candidates {
 public:
  explicit Candidates(const IndexLists& successors)
      : successors_(successors), remains_(successors.size(), true), count_(successors.size()) {}

  Index count() const { return count_; }
  bool operator[](Index v) const { return remains_[v]; }

  /// Those that lead to no other leave, one after the other.
  template <bool ascending>
  void leave_ends() {
    each<ascending>([&](Index v) {
      const auto next = successors_[v];
      if (std::ranges::none_of(next, [&](Index w) { return remains_[w]; })) leave(v);
    });
  }

  /// Those that no other leads to leave, those that come last in this direction first. What leads
  /// against it counts even if it has left: that is known too late.
  template <bool ascending>
  void leave_beginnings() {
    is_reached_.assign(successors_.size(), false);
    each<ascending>([&](Index v) {
      for (const Index w : successors_[v])
        if (ascending ? w < v : w > v) is_reached_[w] = true;
    });
    each<ascending>([&](Index v) {
      if (!is_reached_[v]) return leave(v);
      for (const Index w : successors_[v]) is_reached_[w] = true;
    });
  }

 private:
  template <bool ascending, class Visit>
  void each(Visit visit) {
    const Index n = successors_.size();
    for (Index k = 0; k < n; ++k)
      if (const Index v = ascending ? k : n - 1 - k; remains_[v]) visit(v);
  }
  void leave(Index v) {
    remains_[v] = false;
    --count_;
  }

  const IndexLists& successors_;
  std::vector<bool> remains_, is_reached_;
  Index count_;
};

}  // namespace

StrongComponents cyclic_components(const IndexLists& successors) {
  Candidates candidates(successors);
  // Most graphs are nearly in order, in one direction or the other. What little is left of them
  // the search takes.
  constexpr int most_rounds = 3;
  for (int round = 0; round < most_rounds && candidates.count() > 0; ++round) {
    const Index before = candidates.count();
    const auto is_worth_it = [&] { return candidates.count() < before / 2; };
    candidates.leave_ends<true>();
    if (candidates.count() > 0) candidates.leave_ends<false>();
    if (candidates.count() > 0) candidates.leave_beginnings<false>();
    if (candidates.count() > 0 && !is_worth_it()) candidates.leave_beginnings<true>();
    if (!is_worth_it()) break;
  }
  std::vector<Index> vertices;  // that are left
  vertices.reserve(candidates.count());
  for (Index v = 0; v < successors.size(); ++v)
    if (candidates[v]) vertices.push_back(v);
  std::vector<Index> place(candidates.count() > 0 ? successors.size() : 0, none);
  for (Index k = 0; k < vertices.size(); ++k) place[vertices[k]] = k;
  IndexLists among;
  among.begin.reserve(vertices.size() + 1);
  for (const Index v : vertices) {
    for (const Index w : successors[v])
      if (candidates[w]) among.items.push_back(place[w]);
    among.end_list();
  }
  const StrongComponents all = strong_components(among);
  StrongComponents cyclic;
  for (Index c = 0; c < all.size(); ++c) {
    if (all[c].size() < 2) continue;
    for (const Index k : all[c]) cyclic.items.push_back(vertices[k]);
    cyclic.end_list();
  }
  return cyclic;
}

}  // namespace alembert::graph
