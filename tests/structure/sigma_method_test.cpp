// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/sigma_method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "structure/random_structure.hpp"
#include "structure/text_model.hpp"

namespace alembert::structure {
namespace {

/// The highest value over all permutations; nothing if none is a transversal.
std::optional<Index> brute_force_value(Index n, const Signature& sigma) {
  std::vector<Index> columns(n);
  std::iota(columns.begin(), columns.end(), Index{0});
  std::optional<Index> best;
  do {
    Index value = 0;
    bool complete = true;
    for (Index i = 0; i < n && complete; ++i) {
      const auto entry = sigma.find({i, columns[i]});
      complete = entry != sigma.end();
      if (complete) value += entry->second;
    }
    if (complete) best = std::max(best.value_or(0), value);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return best;
}

/// Pryce's own iteration: raise d and c in turn until nothing moves.
std::vector<Index> offsets_by_iteration(Index n, const Signature& sigma,
                                        const std::vector<Index>& transversal) {
  std::vector<Index> c(n, 0);
  for (bool moved = true; moved;) {
    moved = false;
    std::vector<Index> d(n, 0);
    for (const auto& [at, order] : sigma)
      d[at.second] = std::max(d[at.second], order + c[at.first]);
    for (Index i = 0; i < n; ++i) {
      const Index wanted = d[transversal[i]] - sigma.at({i, transversal[i]});
      moved = moved || wanted != c[i];
      c[i] = wanted;
    }
  }
  return c;
}

TEST(SigmaMethod, SignatureTakesTheHighestOrderOfEachUnknown) {
  const auto flat = text_model("y x", {"x*der(x) + der(der(x)) = y", "y = time"});
  const SignatureMatrix sigma = signature_matrix(extract_structure(flat));
  EXPECT_EQ(sigma.n_unknowns, 2u);
  EXPECT_EQ(sigma.unknowns.begin, (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(sigma.unknowns.items, (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(sigma.order, (std::vector<Index>{0, 2, 0}));
}

TEST(SigmaMethod, TransversalHasTheHighestValueAndOffsetsAreTheLeast) {
  std::mt19937 random(1);
  int n_regular = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const Index n = 1 + random() % 6;
    Signature sigma = random_regular_signature({n, 1 + trial % 3u, 3}, random);
    if (trial % 4 == 0) sigma.erase(std::next(sigma.begin(), random() % sigma.size()));
    const SigmaAnalysis result = analyse(signature_matrix(structure_of(n, n, sigma)));
    const std::optional<Index> value = brute_force_value(n, sigma);
    ASSERT_EQ(result.structurally_regular, value.has_value());
    if (!value) {
      EXPECT_TRUE(result.transversal.empty() && result.equation_offsets.empty());
      continue;
    }
    ++n_regular;
    ASSERT_EQ(result.value, *value);
    ASSERT_EQ(result.equation_offsets, offsets_by_iteration(n, sigma, result.transversal));
  }
  EXPECT_GT(n_regular, 1000);
}

TEST(SigmaMethod, SaysSingularAsAValue) {
  EXPECT_FALSE(analyse(signature_matrix(structure_of(2, 2, {{{0, 0}, 1}, {{1, 0}, 0}})))
                   .structurally_regular);
  EXPECT_FALSE(analyse(signature_matrix(structure_of(1, 2, {{{0, 0}, 1}, {{0, 1}, 0}})))
                   .structurally_regular);
  EXPECT_FALSE(analyse(signature_matrix(structure_of(1, 1, {}))).structurally_regular);
}

TEST(SigmaMethod, NothingIsRegular) {
  const SigmaAnalysis result = analyse(signature_matrix(structure_of(0, 0, {})));
  EXPECT_TRUE(result.structurally_regular);
  EXPECT_EQ(result.structural_index, 0u);
}

}  // namespace
}  // namespace alembert::structure
