// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, flatten. Parameters that spread over a network of connectors, such as
// the properties of a fluid. In: overconstrained records that are parameters, which of them are
// connected (by connect or Connections.branch), and roots, which give the values. Out: for each
// record the root of its network.
//
// This is what the language says about overconstrained records (Modelica 3.6, section 9.4), except
// that the records are known before the run, so that nothing of them needs an equation.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "alembert/frontend/modelica/instance/instance.hpp"
#include "alembert/graph/disjoint_sets.hpp"

namespace alembert::modelica {

class SharedRecords {
 public:
  void connect(Instance& a, Instance& b);
  void add_root(Instance& record);

  /// All is said. Error M322 for a network with two roots. Error M323 for one without, unless
  /// `may_be_open`: then its parameters are given from outside.
  void settle(bool may_be_open);
  /// The root of the record's network; null if it has none or is one itself.
  Instance* root_of(const Instance& record) const;

 private:
  std::uint32_t node(Instance& record);
  [[noreturn]] void report_no_root(std::uint32_t set);

  std::vector<Instance*> records_;                              // [n_nodes]
  std::vector<std::uint32_t> roots_;                            // nodes
  std::unordered_map<const Instance*, std::uint32_t> node_of_;  // looked up, never iterated
  graph::DisjointSets networks_;
  std::vector<Instance*> root_of_;  // [n_nodes], after `settle`
};

}  // namespace alembert::modelica
