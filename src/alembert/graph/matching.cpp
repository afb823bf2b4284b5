// SPDX-License-Identifier: Apache-2.0
#include "alembert/graph/matching.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::graph {
namespace {

/// How many free neighbours each vertex of a side has, a byte for each, so that those of a million
/// vertices stay in the caches. The few that have more than a byte holds are counted apart.
class FreeDegrees {
 public:
  explicit FreeDegrees(const IndexLists& neighbours) : bytes_(neighbours.size()) {
    for (Index i = 0; i < neighbours.size(); ++i) {
      const auto degree = static_cast<Index>(neighbours[i].size());
      if (degree >= many) hubs_.push_back({i, degree});
      bytes_[i] = static_cast<std::uint8_t>(std::min(degree, many));
    }
  }

  bool is_free(Index i) const { return bytes_[i] != taken; }
  bool is_open(Index i) const { return bytes_[i] != taken && bytes_[i] != 0; }
  bool is_leaf(Index i) const { return bytes_[i] == 1; }
  Index operator[](Index i) const {
    return bytes_[i] == many ? hubs_[hub_at(i)].degree : bytes_[i];
  }

  void take(Index i) { bytes_[i] = taken; }
  /// True if the vertex has become a leaf by this.
  bool lose_neighbour(Index i) {
    if (bytes_[i] == taken) return false;
    if (bytes_[i] == many && --hubs_[hub_at(i)].degree >= many) return false;
    return --bytes_[i] == 1;
  }

 private:
  struct Hub {
    Index vertex;
    Index degree;
  };

  static constexpr Index many = 254;  // this much or more
  static constexpr Index taken = 255;

  std::size_t hub_at(Index i) const {
    const auto place = std::ranges::lower_bound(hubs_, i, {}, &Hub::vertex);
    return static_cast<std::size_t>(place - hubs_.begin());
  }

  std::vector<std::uint8_t> bytes_;  // [n vertices]
  std::vector<Hub> hubs_;            // by vertex
};

// Karp-Sipser: a vertex with one free neighbour left can be matched to it without loss; when there
// is none, match the next free equation to its free unknown of least degree. A large graph is in no
// cache, and every list that is read waits for the memory. So leaves wait in a queue, and the lists
// that the next ones need are called for ahead of their turn; all else that is asked for at random
// is a byte a vertex. Pairs stay in the queue until the end, as partners would be written at
// random.
class KarpSipser {
 public:
  explicit KarpSipser(const BipartiteGraph& graph)
      : sides_{Side{graph.unknowns(), FreeDegrees(graph.unknowns())},
               Side{graph.equations(), FreeDegrees(graph.equations())}} {
    for (const Index side : {equations, unknowns})
      for (Index i = sides_[side].neighbours.size(); i-- > 0;)
        if (sides_[side].degrees.is_leaf(i)) queue_.push_back({i, side});
  }

  Matching run() && {
    match_leaves();
    for (Index e = 0; e < sides_[equations].neighbours.size(); ++e) {
      if (!sides_[equations].degrees.is_open(e)) continue;
      const Index v = least_free_unknown(e);
      queue_.push_back({e, equations, v});
      ++next_;
      sides_[equations].degrees.take(e);
      sides_[unknowns].degrees.take(v);
      leave_neighbours(equations, e);
      leave_neighbours(unknowns, v);
      match_leaves();
    }
    return matching();
  }

 private:
  static constexpr Index equations = 0;
  static constexpr Index unknowns = 1;

  struct Side {
    const IndexLists& neighbours;
    FreeDegrees degrees;
  };

  struct Leaf {
    Index vertex : 31;
    Index side : 1;
    Index partner = none;  // its last free neighbour, once that was looked for
  };

  void match_leaves() {
    for (; next_ < queue_.size(); ++next_) {
      call_ahead();
      const auto [vertex, side, found] = queue_[next_];
      FreeDegrees& own = sides_[side].degrees;
      if (!own.is_leaf(vertex)) {  // its last neighbour was taken
        queue_[next_].partner = none;
        continue;
      }
      // One that was found ahead is still the one: as long as it is a leaf, it has no other.
      const Index partner = found != none ? found : last_free_neighbour(queue_[next_]);
      queue_[next_].partner = partner;
      own.take(vertex);
      FreeDegrees& others = sides_[1 - side].degrees;
      const bool has_more = !others.is_leaf(partner);
      others.take(partner);
      if (has_more) leave_neighbours(1 - side, partner);
    }
  }

  /// A leaf is looked at four times before its turn: each look finds what the one before called
  /// for, and calls for what that leads to.
  void call_ahead() {
    constexpr std::size_t stride = 6;
    const std::size_t n_left = queue_.size() - next_;
    if (4 * stride < n_left) {
      const Leaf& leaf = queue_[next_ + 4 * stride];
      __builtin_prefetch(&sides_[leaf.side].neighbours.begin[leaf.vertex]);
    }
    if (3 * stride < n_left) {
      const Leaf& leaf = queue_[next_ + 3 * stride];
      __builtin_prefetch(sides_[leaf.side].neighbours[leaf.vertex].data());
    }
    if (2 * stride < n_left) {
      Leaf& leaf = queue_[next_ + 2 * stride];
      if (sides_[leaf.side].degrees.is_leaf(leaf.vertex)) {
        leaf.partner = last_free_neighbour(leaf);
        __builtin_prefetch(&sides_[1 - leaf.side].neighbours.begin[leaf.partner]);
      }
    }
    if (stride < n_left) {
      const Leaf& leaf = queue_[next_ + stride];
      if (leaf.partner != none)
        __builtin_prefetch(sides_[1 - leaf.side].neighbours[leaf.partner].data());
    }
  }

  Index last_free_neighbour(const Leaf& leaf) const {
    const FreeDegrees& others = sides_[1 - leaf.side].degrees;
    for (const Index i : sides_[leaf.side].neighbours[leaf.vertex])
      if (others.is_free(i)) return i;
    ensure(false, "a leaf has a free neighbour");
    return none;
  }

  Index least_free_unknown(Index e) const {
    const FreeDegrees& degrees = sides_[unknowns].degrees;
    Index best = none;
    for (const Index v : sides_[equations].neighbours[e])
      if (degrees.is_free(v) && (best == none || degrees[v] < degrees[best])) best = v;
    return best;
  }

  /// The neighbours of a vertex that was taken have one free neighbour less.
  void leave_neighbours(Index side, Index vertex) {
    const Index other_side = 1 - side;
    for (const Index i : sides_[side].neighbours[vertex])
      if (sides_[other_side].degrees.lose_neighbour(i)) queue_.push_back({i, other_side});
  }

  Matching matching() const {
    Matching result(sides_[equations].neighbours.size(), sides_[unknowns].neighbours.size());
    for (const Leaf& leaf : queue_) {
      if (leaf.partner == none) continue;
      if (leaf.side == equations)
        result.join(leaf.vertex, leaf.partner);
      else
        result.join(leaf.partner, leaf.vertex);
    }
    return result;
  }

  std::array<Side, 2> sides_;  // equations, unknowns
  std::vector<Leaf> queue_;    // in the order in which they became leaves; pairs of others as well
  std::size_t next_ = 0;
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
