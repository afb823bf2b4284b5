// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Entries of the flat system that expressions bring about:
// initial(), sample, delay, and the auxiliary Booleans of when-clauses. Equal ones are made once.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "alembert/frontend/modelica/flatten/state.hpp"

namespace alembert::modelica {

class Events {
 public:
  explicit Events(FlattenState& state) : state_(state) {}

  ExprId initial();
  ExprId sample(ExprId start, ExprId interval, Place place);
  ExprId delay(ExprId value, ExprId delay, ExprId longest, Place place);
  std::array<ExprId, 2> transport(const TransportCall& call, Place place);
  /// Holds at the events where `condition` becomes true, as flat_system.hpp writes it. `initial()`
  /// by itself is such a condition already.
  ExprId edge(ExprId condition, Place place);
  /// "prefix(a, b)", cut where it is long, and made unique.
  std::string unique_name(std::string_view prefix, std::initializer_list<ExprId> arguments);
  /// The symbol of a clocked operator or a clock; it is noted.
  ExprId clocked_call(const ClockedCall& call, Place place);
  ExprId clock(const ClockDefinition& definition, Place place);

 private:
  ExprId auxiliary(ExprId condition, Place place);
  ExprId watched_symbol(ExprId condition) const;
  void require_constant(ExprId expression, const char* what, Place place) const;

  FlattenState& state_;
  std::map<std::pair<ExprId, ExprId>, ExprId> samples_;
  std::map<std::tuple<ExprId, ExprId, ExprId>, ExprId> delays_;
  std::map<std::vector<ExprId>, std::array<ExprId, 2>> transports_;
  std::unordered_map<ExprId, ExprId> auxiliaries_;  // by condition; looked up, never iterated
};

}  // namespace alembert::modelica
