// SPDX-License-Identifier: Apache-2.0
// Stage: flat. Which scalars of connectors are connected with which. In: pairs of scalars, as
// integers, each seen from inside or outside of its component. Out: the sets of all that hang
// together, in the order in which their first member was connected.
//
// The same scalar is two elements: seen by the component that has the connector (outside
// connector) and by the component around it (inside connector). Language specification: Modelica
// 3.6, section 9.1.2.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "alembert/graph/disjoint_sets.hpp"

namespace alembert::flat {

/// A scalar of a connector, seen from one side.
struct ConnectionElement {
  std::uint32_t scalar = 0;
  bool outside = false;

  friend bool operator==(const ConnectionElement&, const ConnectionElement&) = default;
};

class ConnectionSets {
 public:
  /// The index of the element, which is made if there is none. Indices count from 0.
  std::uint32_t element(ConnectionElement element);
  void connect(ConnectionElement a, ConnectionElement b);
  bool contains(ConnectionElement element) const { return index_.contains(key(element)); }

  struct Sets {
    std::vector<std::vector<ConnectionElement>> sets;
    std::unordered_map<std::uint64_t, std::uint32_t> set_of;  ///< looked up, never iterated

    /// The set with the element; null if nothing is connected to it.
    const std::vector<ConnectionElement>* find(ConnectionElement element) const {
      const auto found = set_of.find(key(element));
      return found == set_of.end() ? nullptr : &sets[found->second];
    }
  };
  Sets sets();

  static std::uint64_t key(ConnectionElement element) {
    return std::uint64_t{element.scalar} << 1 | (element.outside ? 1 : 0);
  }

 private:
  std::vector<ConnectionElement> elements_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;  // looked up, never iterated
  graph::DisjointSets united_;
};

}  // namespace alembert::flat
