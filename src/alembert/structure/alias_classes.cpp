// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/alias_classes.hpp"

#include <numeric>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::structure {

AliasClasses::AliasClasses(Index n_unknowns)
    : parent_(n_unknowns), negative_(n_unknowns, 0), size_(n_unknowns, 1) {
  std::iota(parent_.begin(), parent_.end(), Index{0});
}

AliasClasses::Signed AliasClasses::find(Index unknown) {
  bool negative = false;
  while (parent_[unknown] != unknown) {
    const Index above = parent_[unknown];
    negative_[unknown] = static_cast<char>(negative_[unknown] ^ negative_[above]);
    parent_[unknown] = parent_[above];
    negative = negative != (negative_[unknown] != 0);
    unknown = parent_[unknown];
  }
  return {unknown, negative};
}

Index AliasClasses::join(Index a, Index b, bool negative) {
  ensure(a != b && parent_[a] == a && parent_[b] == b, "two classes are joined at their roots");
  if (size_[a] < size_[b]) std::swap(a, b);
  parent_[b] = a;
  negative_[b] = negative ? 1 : 0;
  size_[a] += size_[b];
  return b;
}

}  // namespace alembert::structure
