// SPDX-License-Identifier: Apache-2.0
// Stage: structure, for simplify.hpp. Which unknowns are aliases of others, or constants. In: a
// FlatSystem. Out: classes of unknowns that are equal up to sign, the values of those that are
// constant, and the equations that said so. Error S004 where these contradict each other.
#pragma once

#include <utility>
#include <vector>

#include "alembert/graph/bipartite_graph.hpp"
#include "alembert/structure/alias_classes.hpp"
#include "alembert/structure/alias_paths.hpp"
#include "alembert/structure/simplify.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

/// Equations as they are written. Each is read once for all that is asked of it: a large model
/// does not fit into the caches, and what was just there is cheap to look at again.
struct FirstReading {
  std::vector<ExprId> residuals;             // [n equations]
  std::vector<Index> short_ones;             // equations that may tell an alias or a constant
  std::vector<RedundantEquation> redundant;  // what says nothing new

  explicit FirstReading(const flat::FlatSystem& flat);
};

/// Finds aliases and constants. First every short equation is looked at once; then those again in
/// which a constant or two members of a class have met, until nothing changes.
class TrivialUnknowns {
 public:
  /// Redundant equations are left aside.
  TrivialUnknowns(const flat::FlatSystem& flat, const FirstReading& reading);

  /// Neither redundant nor the definition of an alias or a constant.
  bool open(Index equation) const { return !consumed_[equation]; }
  bool has_constants() const { return n_constants_ > 0; }
  /// Equations that say 0 = 0.
  const std::vector<Index>& empty_equations() const { return empty_; }
  Index highest_order(Index unknown) const { return highest_order_[unknown]; }
  AliasClasses::Signed class_of(Index unknown) { return classes_.find(unknown); }
  ExprId constant(Index root) const { return constant_[root]; }
  Index next_member(Index unknown) const { return next_member_[unknown]; }
  const std::vector<AliasEquation>& alias_equations() const { return alias_by_; }

 private:
  struct Sides {
    ExprId left, right;
    bool changed = false;
  };

  Index unknown_at(ExprId node) const;
  void look_again();
  /// The unknowns of each equation, and how often they are differentiated.
  void read_occurrences();
  /// A constant, or two of one class, are in the equation.
  bool meets(Index e);
  void push(Index e);
  void look_at(Index e);
  ExprId present_value(Index unknown, Index order);
  void decide(Index e, ExprId zero);
  void decide_constant(Index e, const NumberLinear& form);
  void decide_alias(Index e, const LinearTerm& a, const LinearTerm& b);
  /// The equation, and those that made of its unknowns what they are.
  std::vector<Index> who_contradict(Index e);
  std::vector<Index> unknowns_of(Index e) const;
  void consume(Index e);

  const flat::FlatSystem& flat_;
  symbolic::ExprPool& pool_;
  symbolic::NodeIndex unknown_of_;  // by the symbol of order 0
  AliasClasses classes_;
  std::vector<ExprId> constant_;    // [n unknowns], of roots; none: not constant
  std::vector<Index> constant_by_;  // [n unknowns], of roots: the equation that said so
  std::vector<AliasEquation> alias_by_;
  std::vector<Index> highest_order_;  // [n unknowns]
  std::vector<Sides> sides_;          // [n equations], with what is known put in where looked at
  std::vector<char> consumed_;        // [n equations]
  std::vector<char> queued_;          // [n equations]
  std::vector<Index> next_member_;    // [n unknowns]: of the class, starting at its root
  std::vector<Index> last_member_;    // [n unknowns], of roots
  std::vector<Index> queue_;
  std::vector<Index> empty_;  // equations that say 0 = 0
  std::size_t n_found_ = 0;
  std::size_t n_constants_ = 0;
  graph::BipartiteGraph graph_;  // unknowns of each equation; empty during the first look
  std::vector<Index> roots_;
  std::vector<ExprId> nodes_;
};

}  // namespace alembert::structure
