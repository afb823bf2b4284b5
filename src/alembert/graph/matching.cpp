// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/matching.hpp"

#include <optional>
#include <span>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::graph {
namespace {

// Karp-Sipser: a vertex with one free neighbour left can be matched to it without loss; when there
// is none, match the next free equation to its free unknown of least degree. A large graph is in no
// cache, and every list that is read waits for the memory. So each vertex keeps the exclusive or of
// its free neighbours: of a leaf that is its partner, and the list of a leaf need not be read. And
// leaves wait in a queue, so that what the next ones need is called for ahead of their turn.
class KarpSipser {
 public:
  explicit KarpSipser(const BipartiteGraph& graph)
      : graph_(graph),
        matching_(graph.n_equations(), graph.n_unknowns()),
        equations_(graph.n_equations()),
        unknowns_(graph.n_unknowns()) {
    for (Index e = graph.n_equations(); e-- > 0;) {
      equations_[e] = vertex_of(graph.unknowns_of(e));
      if (equations_[e].degree == 1) leaves_.push_back({e, true});
    }
    for (Index v = graph.n_unknowns(); v-- > 0;) {
      unknowns_[v] = vertex_of(graph.equations_of(v));
      if (unknowns_[v].degree == 1) leaves_.push_back({v, false});
    }
  }

  Matching run() && {
    match_leaves();
    for (Index e = 0; e < graph_.n_equations(); ++e) {
      if (!equations_[e].is_open()) continue;
      join(e, least_free_unknown(e));
      match_leaves();
    }
    return std::move(matching_);
  }

 private:
  struct Vertex {
    Index degree;  // free neighbours; `none` once it is matched
    Index free;    // exclusive or of these

    bool is_free() const { return degree != none; }
    bool is_open() const { return is_free() && degree > 0; }
  };

  struct Leaf {
    Index vertex : 31;
    Index is_equation : 1;
  };

  static Vertex vertex_of(std::span<const Index> neighbours) {
    Vertex vertex{static_cast<Index>(neighbours.size()), 0};
    for (const Index other : neighbours) vertex.free ^= other;
    return vertex;
  }

  void match_leaves() {
    for (; next_leaf_ < leaves_.size(); ++next_leaf_) {
      call_ahead();
      if (const auto pair = pair_at(next_leaf_)) join(pair->equation, pair->unknown);
    }
  }

  const Vertex& vertex_of(Leaf leaf) const {
    return leaf.is_equation ? equations_[leaf.vertex] : unknowns_[leaf.vertex];
  }

  /// A leaf and its last free neighbour; nothing if it has none left.
  std::optional<Edge> pair_at(std::size_t place) const {
    const Leaf leaf = leaves_[place];
    const Vertex& vertex = vertex_of(leaf);
    if (!vertex.is_open()) return std::nullopt;
    return leaf.is_equation ? Edge{leaf.vertex, vertex.free} : Edge{vertex.free, leaf.vertex};
  }

  /// A leaf is looked at four times before its turn: each look finds what the one before called
  /// for, and calls for what that leads to.
  void call_ahead() const {
    constexpr std::size_t stride = 6;
    const std::size_t n_left = leaves_.size() - next_leaf_;
    const auto pair_ahead = [&](std::size_t strides) {
      return strides * stride < n_left ? pair_at(next_leaf_ + strides * stride) : std::nullopt;
    };
    if (4 * stride < n_left) __builtin_prefetch(&vertex_of(leaves_[next_leaf_ + 4 * stride]));
    if (const auto pair = pair_ahead(3)) {
      __builtin_prefetch(&equations_[pair->equation]);
      __builtin_prefetch(&unknowns_[pair->unknown]);
      __builtin_prefetch(&graph_.unknowns().begin[pair->equation]);
      __builtin_prefetch(&graph_.equations().begin[pair->unknown]);
    }
    if (const auto pair = pair_ahead(2)) {
      __builtin_prefetch(graph_.unknowns_of(pair->equation).data());
      __builtin_prefetch(graph_.equations_of(pair->unknown).data());
    }
    if (const auto pair = pair_ahead(1)) {
      if (equations_[pair->equation].degree > 1)
        for (const Index v : graph_.unknowns_of(pair->equation)) __builtin_prefetch(&unknowns_[v]);
      if (unknowns_[pair->unknown].degree > 1)
        for (const Index e : graph_.equations_of(pair->unknown)) __builtin_prefetch(&equations_[e]);
    }
  }

  Index least_free_unknown(Index e) const {
    Index best = none;
    for (const Index v : graph_.unknowns_of(e))
      if (unknowns_[v].is_free() && (best == none || unknowns_[v].degree < unknowns_[best].degree))
        best = v;
    return best;
  }

  void join(Index e, Index v) {
    matching_.join(e, v);
    const Index n_unknowns = std::exchange(equations_[e].degree, none);
    const Index n_equations = std::exchange(unknowns_[v].degree, none);
    if (n_unknowns > 1)
      for (const Index other : graph_.unknowns_of(e))
        if (becomes_leaf(unknowns_[other], e)) leaves_.push_back({other, false});
    if (n_equations > 1)
      for (const Index other : graph_.equations_of(v))
        if (becomes_leaf(equations_[other], v)) leaves_.push_back({other, true});
  }

  /// As it loses a neighbour.
  static bool becomes_leaf(Vertex& vertex, Index neighbour) {
    if (!vertex.is_free()) return false;
    vertex.free ^= neighbour;
    return --vertex.degree == 1;
  }

  const BipartiteGraph& graph_;
  Matching matching_;
  std::vector<Vertex> equations_, unknowns_;
  std::vector<Leaf> leaves_;  // in the order in which they became one
  std::size_t next_leaf_ = 0;
};

// Phases of depth-first searches for augmenting paths. Within a phase the searches visit disjoint
// sets of equations, so a phase is linear; the phase that finds nothing proves the matching
// maximum.
class Augmenter {
 public:
  Augmenter(const BipartiteGraph& graph, Matching& matching)
      : graph_(graph),
        matching_(matching),
        visited_(graph.n_equations(), 0),
        look_ahead_(graph.n_equations(), 0),
        scanned_(graph.n_equations(), 0) {
    for (Index e = 0; e < graph.n_equations(); ++e)
      if (matching.eq_to_var[e] == none && !graph.unknowns_of(e).empty()) free_.push_back(e);
  }

  void run() {
    for (bool progress = true; progress && !free_.empty();) {
      ++phase_;
      progress = false;
      std::size_t kept = 0;
      for (Index root : free_) {
        if (search(root))
          progress = true;
        else
          free_[kept++] = root;
      }
      free_.resize(kept);
    }
  }

 private:
  bool search(Index root) {
    path_.clear();
    enter(root);
    while (!path_.empty()) {
      const Index e = path_.back();
      if (const Index v = free_unknown(e); v != none) {
        augment(v);
        return true;
      }
      const Index next = next_equation(e);
      if (next == none)
        path_.pop_back();
      else
        enter(next);
    }
    return false;
  }

  void enter(Index e) {
    visited_[e] = phase_;
    scanned_[e] = 0;
    path_.push_back(e);
  }

  // A matched unknown never becomes free again, so each list is scanned once over the whole run.
  Index free_unknown(Index e) {
    const auto row = graph_.unknowns_of(e);
    for (Index& i = look_ahead_[e]; i < row.size(); ++i)
      if (matching_.var_to_eq[row[i]] == none) return row[i];
    return none;
  }

  // Fairness: odd phases scan a row forwards, even ones backwards, so that no bad branch is met
  // first in every phase.
  Index next_equation(Index e) {
    const auto row = graph_.unknowns_of(e);
    const bool forwards = phase_ % 2 == 1;
    for (Index& i = scanned_[e]; i < row.size();) {
      const Index v = forwards ? row[i] : row[row.size() - 1 - i];
      ++i;
      const Index owner = matching_.var_to_eq[v];
      if (visited_[owner] != phase_) return owner;
    }
    return none;
  }

  // Every equation of the path takes over the unknown of its successor; the last takes the free
  // one.
  void augment(Index v) {
    for (std::size_t i = path_.size(); i-- > 0;) {
      std::swap(matching_.eq_to_var[path_[i]], v);
      matching_.var_to_eq[matching_.eq_to_var[path_[i]]] = path_[i];
    }
    ++matching_.size;
  }

  const BipartiteGraph& graph_;
  Matching& matching_;
  Index phase_ = 0;
  std::vector<Index> visited_;     // phase in which the equation was last entered
  std::vector<Index> look_ahead_;  // row position up to which no unknown is free
  std::vector<Index> scanned_;     // row position of the search
  std::vector<Index> path_;
  std::vector<Index> free_;
};

}  // namespace

Matching karp_sipser_matching(const BipartiteGraph& graph) {
  constexpr Index most = none / 2;  // a bit of each number is the side that it is of
  ensure(graph.n_equations() < most && graph.n_unknowns() < most, "too many vertices for a queue");
  return KarpSipser(graph).run();
}

Matching maximum_matching(const BipartiteGraph& graph) {
  return maximum_matching(graph, karp_sipser_matching(graph));
}

Matching maximum_matching(const BipartiteGraph& graph, Matching start) {
  ensure(
      start.eq_to_var.size() == graph.n_equations() && start.var_to_eq.size() == graph.n_unknowns(),
      "the start matching belongs to another graph");
  Augmenter(graph, start).run();
  return start;
}

}  // namespace alembert::graph
