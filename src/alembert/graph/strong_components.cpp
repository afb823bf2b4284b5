// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/strong_components.hpp"

#include <algorithm>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::graph {
namespace {

/// A search knows its next vertex only when it is there, and a large graph is in no cache. So a
/// vertex is no more than two numbers, the rest is on the path; and what searches from the next
/// starts will come by is called for beforehand, side by side, so that all of them wait for the
/// memory together.
class Tarjan {
 public:
  explicit Tarjan(const IndexLists& successors) : n_(successors.size()), items_(successors.items) {
    vertices_.reserve(std::size_t{n_} + 1);
    for (const Index first : successors.begin) vertices_.push_back({first, unseen});
  }

  StrongComponents run() && {
    result_.items.reserve(n_);
    result_.begin.reserve(std::size_t{n_} + 1);
    for (Index start = 0; start < n_; ++start) {
      if (start % batch == 0) call_ahead(start);
      if (vertices_[start].number == unseen) search(start);
    }
    return std::move(result_);
  }

 private:
  static constexpr Index batch = 128;
  static constexpr Index closed = none;  // the highest: it lowers nothing
  static constexpr Index unseen = none - 1;

  struct Vertex {
    Index first;   // of its successors, which end where those of the next vertex begin
    Index number;  // of discovery; `unseen` before it, `closed` once it is in a component
  };

  struct Step {
    Index vertex;
    Index next;  // the first successor not looked at yet, and the end of them
    Index end;
    Index low;  // lowest discovery number reachable
  };

  /// Changes nothing but the time: walks down from the starts of a batch through what was not seen.
  void call_ahead(Index start) {
    constexpr int deepest = 6;
    constexpr std::size_t most = std::size_t{8} * batch;
    below_.clear();
    for (Index v = start; v < std::min(n_, start + batch); ++v)
      if (vertices_[v].number == unseen) call_successors(v);
    for (int depth = 0; depth < deepest && !below_.empty() && below_.size() < most; ++depth) {
      level_.clear();
      for (const Index v : below_)
        if (vertices_[v].number == unseen) {
          __builtin_prefetch(items_.data() + vertices_[v].first);
          level_.push_back(v);
        }
      below_.clear();
      for (const Index v : level_) call_successors(v);
    }
  }

  void call_successors(Index v) {
    for (Index i = vertices_[v].first; i < vertices_[v + 1].first; ++i) {
      __builtin_prefetch(&vertices_[items_[i]]);
      below_.push_back(items_[i]);
    }
  }

  void search(Index start) {
    enter(start);
    while (!path_.empty()) {
      if (const Index child = next_unseen(path_.back()); child != none) {
        enter(child);
        continue;
      }
      const Step done = path_.back();
      path_.pop_back();
      if (!path_.empty()) path_.back().low = std::min(path_.back().low, done.low);
      if (done.low == vertices_[done.vertex].number) close(done.vertex);
    }
  }

  void enter(Index v) {
    const Index first = vertices_[v].first, end = vertices_[v + 1].first;
    vertices_[v].number = discovered_;
    path_.push_back({v, first, end, discovered_++});
    open_.push_back(v);
    for (Index i = first; i < end; ++i) __builtin_prefetch(&vertices_[items_[i]]);
  }

  Index next_unseen(Step& step) const {
    while (step.next < step.end) {
      const Index w = items_[step.next++];
      const Index number = vertices_[w].number;
      if (number == unseen) return w;
      step.low = std::min(step.low, number);
    }
    return none;
  }

  void close(Index root) {
    const std::size_t first = result_.items.size();
    Index member;
    do {
      member = open_.back();
      open_.pop_back();
      vertices_[member].number = closed;
      result_.items.push_back(member);
    } while (member != root);
    if (result_.items.size() > first + 1)
      std::sort(result_.items.begin() + static_cast<std::ptrdiff_t>(first), result_.items.end());
    result_.end_list();
  }

  const Index n_;
  const std::vector<Index>& items_;
  std::vector<Vertex> vertices_;  // [n + 1]: the last one ends the successors of the one before
  std::vector<Step> path_;
  std::vector<Index> open_;
  std::vector<Index> level_, below_;
  Index discovered_ = 0;
  StrongComponents result_;
};

}  // namespace

StrongComponents strong_components(const IndexLists& successors) {
  const Index n = successors.size();
  for (Index w : successors.items) ensure(w < n, "a successor is outside the graph");
  return Tarjan(successors).run();
}

StrongComponents strong_components(const BipartiteGraph& graph, const Matching& matching) {
  ensure(matching.eq_to_var.size() == graph.n_equations() &&
             matching.var_to_eq.size() == graph.n_unknowns(),
         "the matching belongs to another graph");
  IndexLists needed;  // the equations that give the other unknowns of each
  needed.begin.reserve(std::size_t{graph.n_equations()} + 1);
  needed.items.reserve(graph.n_edges());
  for (Index e = 0; e < graph.n_equations(); ++e) {
    for (const Index unknown : graph.unknowns_of(e)) {
      const Index owner = matching.var_to_eq[unknown];
      if (owner != e && owner != none) needed.items.push_back(owner);
    }
    needed.end_list();
  }
  return Tarjan(needed).run();
}

}  // namespace alembert::graph
