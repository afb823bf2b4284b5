// SPDX-License-Identifier: Apache-2.0
// Tests of structure: systems made of integers, as signature matrices with a hidden transversal.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "alembert/structure/sigma_method.hpp"
#include "alembert/structure/structure.hpp"

namespace alembert::structure {

/// sigma_ij by (i, j); what is not there counts as minus infinity.
using Signature = std::map<std::pair<Index, Index>, Index>;

/// A structure whose equations contain of each unknown the order that sigma says, and no other.
inline Structure structure_of(Index n_equations, Index n_unknowns, const Signature& sigma) {
  Structure structure;
  structure.n_sources = n_equations;
  structure.n_unknowns = n_unknowns;
  std::vector<Index> highest(n_unknowns, 0);
  for (const auto& [at, order] : sigma) highest[at.second] = std::max(highest[at.second], order);
  std::vector<Index> first;
  for (Index j = 0; j < n_unknowns; ++j) {
    first.push_back(static_cast<Index>(structure.variables.size()));
    for (Index k = 0; k <= highest[j]; ++k)
      structure.variables.push_back({j, k, k < highest[j] ? first[j] + k + 1 : none});
  }
  auto entry = sigma.begin();
  for (Index i = 0; i < n_equations; ++i) {
    structure.equations.push_back({.source = i});
    for (; entry != sigma.end() && entry->first.first == i; ++entry)
      structure.incidence.items.push_back(first[entry->first.second] + entry->second);
    structure.incidence.end_list();
  }
  return structure;
}

struct RandomShape {
  Index n;
  Index extra;      ///< further entries a row, on average
  Index max_order;  ///< of any entry
};

/// n equations and unknowns with a hidden transversal.
inline Signature random_regular_signature(const RandomShape& shape, std::mt19937& random) {
  std::vector<Index> hidden(shape.n);
  std::iota(hidden.begin(), hidden.end(), Index{0});
  for (Index i = shape.n; i-- > 1;) std::swap(hidden[i], hidden[random() % (i + 1)]);
  Signature sigma;
  for (Index i = 0; i < shape.n; ++i) sigma[{i, hidden[i]}] = random() % (shape.max_order + 1);
  for (Index k = 0; k < shape.n * shape.extra; ++k)
    sigma.emplace(std::pair(Index(random() % shape.n), Index(random() % shape.n)),
                  random() % (shape.max_order + 1));
  return sigma;
}

}  // namespace alembert::structure
