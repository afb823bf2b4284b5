// SPDX-License-Identifier: Apache-2.0
// Stage: structure. What initial equations say about discrete variables outright. In: a FlatSystem.
// Out: of an initial equation, which v or pre(v) it gives, and the value.
#pragma once

#include <unordered_map>

#include "alembert/structure/structure.hpp"

namespace alembert::structure {

class InitialDiscretes {
 public:
  explicit InitialDiscretes(const flat::FlatSystem& flat);

  struct Given {
    Index variable = graph::none;  // of the flat system; none: nothing of the kind
    bool previous = false;         // pre(v) is given
    symbolic::ExprId value = {};
  };
  Given given(const flat::FlatEquation& equation) const;
  /// A Boolean or an Integer, which has no place among the unknowns of a plan: the equation is
  /// evaluated again until nothing changes.
  bool gives_whole(const flat::FlatEquation& equation) const;

 private:
  const flat::FlatSystem& flat_;
  /// v and pre(v); looked up, never iterated.
  std::unordered_map<symbolic::ExprId, Index> variable_of_;
};

}  // namespace alembert::structure
