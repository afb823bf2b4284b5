// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/separable.hpp"

#include "alembert/structure/alias_classes.hpp"
#include "alembert/symbolic/evaluate.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// Sets of variables, each in the same part as the root of its set or in the other one, which is a
/// sign against it.
class TwoParts {
 public:
  explicit TwoParts(std::size_t n) : classes_(static_cast<Index>(n)) {}

  struct Place {
    Index root;
    bool differs;  // from the root
  };

  Place find(Index v) {
    const auto [root, negative] = classes_.find(v);
    return {root, negative};
  }

  /// False if it is known otherwise.
  bool join(Index a, Index b, bool differ) {
    const Place at_a = find(a), at_b = find(b);
    if (at_a.root == at_b.root) return (at_a.differs != at_b.differs) == differ;
    classes_.join(at_a.root, at_b.root, (at_a.differs != at_b.differs) != differ);
    return true;
  }

 private:
  AliasClasses classes_;
};

/// What slopes are made of: only that is looked at, since energies and the like know everything.
class Slopes {
 public:
  Slopes(const symbolic::ExprPool& pool, const Structure& structure,
         std::span<const ExprId> variables, const ReducedSystem& reduced)
      : pool_(pool), structure_(structure), reduced_(reduced), places_(pool) {
    const std::size_t n = variables.size();
    for (Index v = 0; v < n; ++v) places_.set(variables[v], v);
    is_state_.assign(n, 0);
    for (const Index state : reduced.states) is_state_[state] = 1;
    node_.assign(n, none);
    inputs_.resize(n);
    is_needed_.assign(n, 0);
    varies_ = is_velocity_ = is_state_;
    number_nodes();
    find_needed();
  }

  /// [n states] as separable_parts.
  std::vector<Part> parts() {
    TwoParts sets(node_.size());
    for (const Node& node : nodes_) {
      if (!is_needed_[node.name]) continue;
      for (const Index input : inputs_[node.name]) {
        if (!varies_[input]) continue;
        varies_[node.name] = 1;
        if (!sets.join(node.name, input, false)) return {};
      }
    }
    for (std::size_t i = 0; i < reduced_.states.size(); ++i) {
      const Index slope = node_of(reduced_.derivatives[i]);
      if (varies_[slope] && !sets.join(reduced_.states[i], slope, true)) return {};
    }
    return named(sets);
  }

 private:
  struct Node {
    Index name;                              // the first of its unknowns
    const Block* block;                      // where it is solved as a whole
    const Assignment* assignment = nullptr;  // where it is not
  };

  Index node_of(Index v) const { return node_[v] == none ? v : node_[v]; }

  void number_nodes() {
    for (const Block& block : reduced_.blocks) {
      if (block.tears.empty()) {
        for (const Assignment& a : block.assignments) {
          node_[a.unknown] = a.unknown;
          const Index other = places_[a.value];
          if (other != symbolic::NodeIndex::absent && is_state_[other]) is_velocity_[a.unknown] = 1;
          nodes_.push_back({a.unknown, nullptr, &a});
        }
        continue;
      }
      const Index name = block.tears.front();
      for (const Index v : block.unknowns()) node_[v] = name;
      nodes_.push_back({name, &block});
    }
  }

  void read(ExprId value, std::vector<Index>& inputs) const {
    for (const ExprId symbol : symbolic::free_symbols(pool_, value))
      if (const Index v = places_[symbol]; v != symbolic::NodeIndex::absent)
        inputs.push_back(node_of(v));
  }

  std::vector<Index> inputs_of(const Node& node) const {
    std::vector<Index> inputs;
    if (node.assignment != nullptr) {
      read(node.assignment->value, inputs);
      return inputs;
    }
    for (const Assignment& a : node.block->assignments) read(a.value, inputs);
    for (const Index e : node.block->residuals)
      for (const Index v : structure_.incidence[e]) inputs.push_back(node_of(v));
    std::erase(inputs, node.name);
    return inputs;
  }

  /// Nodes are in solve order, so that what a node needs comes before it.
  void find_needed() {
    for (const Index slope : reduced_.derivatives) is_needed_[node_of(slope)] = 1;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      if (!is_needed_[node->name]) continue;
      inputs_[node->name] = inputs_of(*node);
      for (const Index input : inputs_[node->name]) is_needed_[input] = 1;
    }
  }

  std::vector<Part> named(TwoParts& sets) const {
    const std::size_t n = reduced_.states.size();
    struct Count {
      int differ = 0, same = 0;
      int position = -1;  // whether it differs from the root; -1: not known yet
    };
    std::vector<Count> counts(node_.size());
    for (std::size_t i = 0; i < n; ++i) {
      const auto [root, differs] = sets.find(reduced_.states[i]);
      ++(differs ? counts[root].differ : counts[root].same);
      if (is_velocity_[reduced_.derivatives[i]]) counts[root].position = differs;
    }
    // Any will do; of p and q, or of w and x, the latter is what people take for a position.
    for (std::size_t i = n; i-- > 0;) {
      const auto [root, differs] = sets.find(reduced_.states[i]);
      if (counts[root].position < 0) counts[root].position = differs;
    }
    std::vector<Part> parts;
    for (const Index state : reduced_.states) {
      const auto [root, differs] = sets.find(state);
      if (counts[root].differ != counts[root].same) return {};
      parts.push_back(differs == (counts[root].position != 0) ? Part::position : Part::momentum);
    }
    return parts;
  }

  const symbolic::ExprPool& pool_;
  const Structure& structure_;
  const ReducedSystem& reduced_;
  symbolic::NodeIndex places_;              // symbol to variable
  std::vector<Node> nodes_;                 // in solve order
  std::vector<Index> node_;                 // [n variables]: its name; none where nothing is solved
  std::vector<char> is_state_;              // [n variables]
  std::vector<char> is_velocity_;           // [n variables]: a state, or equal to one
  std::vector<char> is_needed_;             // [n variables], of names: slopes depend on it
  std::vector<char> varies_;                // [n variables], of names: it depends on states
  std::vector<std::vector<Index>> inputs_;  // [n variables], of names that are needed
};

}  // namespace

std::vector<Part> separable_parts(const symbolic::ExprPool& pool, const Structure& structure,
                                  std::span<const ExprId> variables, const ReducedSystem& reduced) {
  if (reduced.states.empty() || reduced.states.size() % 2 != 0) return {};
  return Slopes(pool, structure, variables, reduced).parts();
}

}  // namespace alembert::structure
