// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/matching.hpp"

#include <span>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::graph {
namespace {

// Karp-Sipser: a vertex with one free neighbour left can be matched to it without loss; when there
// is none, match the next free equation to its free unknown of least degree. A large graph is in no
// cache, and every list that is read waits for the memory. So each vertex keeps the exclusive or of
// its free neighbours: of a leaf that is its partner, and the list of a leaf need not be read.
class KarpSipser {
 public:
  explicit KarpSipser(const BipartiteGraph& graph)
      : graph_(graph),
        matching_(graph.n_equations(), graph.n_unknowns()),
        equations_(graph.n_equations()),
        unknowns_(graph.n_unknowns()) {
    for (Index e = 0; e < graph.n_equations(); ++e) {
      equations_[e] = vertex_of(graph.unknowns_of(e));
      if (equations_[e].degree == 1) eq_leaves_.push_back(e);
    }
    for (Index v = 0; v < graph.n_unknowns(); ++v) {
      unknowns_[v] = vertex_of(graph.equations_of(v));
      if (unknowns_[v].degree == 1) var_leaves_.push_back(v);
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

  static Vertex vertex_of(std::span<const Index> neighbours) {
    Vertex vertex{static_cast<Index>(neighbours.size()), 0};
    for (const Index other : neighbours) vertex.free ^= other;
    return vertex;
  }

  void match_leaves() {
    for (;;) {
      if (!eq_leaves_.empty()) {
        const Index e = eq_leaves_.back();
        eq_leaves_.pop_back();
        if (equations_[e].is_open()) join(e, equations_[e].free);
      } else if (!var_leaves_.empty()) {
        const Index v = var_leaves_.back();
        var_leaves_.pop_back();
        if (unknowns_[v].is_open()) join(unknowns_[v].free, v);
      } else {
        return;
      }
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
      for (const Index other : graph_.unknowns_of(e)) lose(unknowns_, other, e, var_leaves_);
    if (n_equations > 1)
      for (const Index other : graph_.equations_of(v)) lose(equations_, other, v, eq_leaves_);
  }

  static void lose(std::vector<Vertex>& side, Index i, Index neighbour,
                   std::vector<Index>& leaves) {
    Vertex& vertex = side[i];
    if (!vertex.is_free()) return;
    vertex.free ^= neighbour;
    if (--vertex.degree == 1) leaves.push_back(i);
  }

  const BipartiteGraph& graph_;
  Matching matching_;
  std::vector<Vertex> equations_, unknowns_;
  std::vector<Index> eq_leaves_, var_leaves_;
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

Matching karp_sipser_matching(const BipartiteGraph& graph) { return KarpSipser(graph).run(); }

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
