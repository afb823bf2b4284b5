// SPDX-License-Identifier: Apache-2.0
// Two routes to one answer: Pantelides' algorithm and the Sigma-method agree on every regular
// system.
#include <gtest/gtest.h>

#include "alembert/structure/plan.hpp"
#include "alembert/structure/sigma_method.hpp"
#include "structure/random_structure.hpp"

namespace alembert::structure {
namespace {

void expect_agreement(const Structure& structure) {
  const SigmaAnalysis sigma = analyse(signature_matrix(structure));
  ASSERT_TRUE(sigma.structurally_regular);
  const StructuralPlan plan = make_plan(structure);
  ASSERT_EQ(plan.differentiations, sigma.equation_offsets);
  ASSERT_EQ(plan.highest_order, sigma.unknown_offsets);
  ASSERT_EQ(plan.structural_index, sigma.structural_index);
  ASSERT_EQ(plan.degrees_of_freedom, sigma.value);
}

TEST(SigmaPantelides, AgreeOnSmallSystems) {
  std::mt19937 random(20010601);
  for (int trial = 0; trial < 20000; ++trial) {
    const RandomShape shape{.n = 1 + Index(random() % 9),
                            .extra = Index(random() % 4),
                            .max_order = Index(random() % 4)};
    expect_agreement(structure_of(shape.n, shape.n, random_regular_signature(shape, random)));
    if (HasFatalFailure()) FAIL() << "trial " << trial;
  }
}

TEST(SigmaPantelides, AgreeOnSparseSystemsOfSomeHundreds) {
  std::mt19937 random(19880301);
  for (int trial = 0; trial < 150; ++trial) {
    const RandomShape shape{.n = 100 + Index(random() % 300),
                            .extra = 1 + Index(random() % 3),
                            .max_order = 1 + Index(random() % 2)};
    expect_agreement(structure_of(shape.n, shape.n, random_regular_signature(shape, random)));
    if (HasFatalFailure()) FAIL() << "trial " << trial;
  }
}

TEST(SigmaPantelides, SignatureOfADifferentiatedSystemIsThatOfTheOriginal) {
  std::mt19937 random(3);
  const Structure before = structure_of(40, 40, random_regular_signature({40, 2, 2}, random));
  const Structure after = make_plan(before).structure;
  ASSERT_GT(after.equations.size(), before.equations.size());
  EXPECT_EQ(signature_matrix(after).order, signature_matrix(before).order);
  EXPECT_EQ(signature_matrix(after).unknowns.items, signature_matrix(before).unknowns.items);
}

/// Chains of n masses, at sizes where a quadratic step would show.
TEST(SigmaPantelides, AgreeOnALongChain) {
  constexpr Index n = 30000;  // unknowns: positions 0 .. 2n-1, multipliers 2n .. 3n-1
  Signature sigma;
  for (Index k = 0; k < n; ++k)
    for (const Index axis : {0u, 1u}) {
      const Index i = 2 * k + axis;
      sigma[{i, i}] = 2;
      sigma[{i, 2 * n + k}] = 0;
      sigma[{2 * n + k, i}] = 0;
      if (k > 0) sigma[{i, i - 2}] = sigma[{2 * n + k, i - 2}] = 0;
      if (k + 1 < n) sigma[{i, i + 2}] = sigma[{i, 2 * n + k + 1}] = 0;
    }
  const Structure structure = structure_of(3 * n, 3 * n, sigma);
  expect_agreement(structure);
  EXPECT_EQ(make_plan(structure).degrees_of_freedom, 2 * n);
}

}  // namespace
}  // namespace alembert::structure
