// SPDX-License-Identifier: Apache-2.0
// Tests of integrate: all rooted trees up to an order, for checking coefficients against every
// order condition. Butcher's theory: a method has order p when sum_i b_i phi_i(t) = 1 / gamma(t)
// for each tree t of at most p vertices. Hairer, Norsett and Wanner I, II.2; for Rosenbrock methods
// Hairer and Wanner II, IV.7: a vertex with a single child takes beta = alpha + gamma in place of
// alpha.
#pragma once

#include <cstddef>
#include <vector>

namespace alembert::integrate {

struct RootedTree {
  std::size_t order = 1;
  double density = 1;                 // gamma(t)
  std::vector<std::size_t> children;  // indices of smaller trees, ascending
};

/// All rooted trees with at most `max_order` vertices, smaller ones first: 1, 1, 2, 4, 9, 20, 48,
/// 115, ...
std::vector<RootedTree> rooted_trees(std::size_t max_order);

using Matrix = std::vector<std::vector<double>>;

/// phi_i(t) for each tree, with `branching` at vertices of two and more children, `single` at
/// others.
std::vector<std::vector<double>> elementary_weights(const std::vector<RootedTree>& trees,
                                                    const Matrix& branching, const Matrix& single);

/// The largest |sum_i weights[i] phi_i(t) - theta^order / gamma(t)| over trees of at most `order`
/// vertices.
double order_defect(const std::vector<RootedTree>& trees,
                    const std::vector<std::vector<double>>& phi, const std::vector<double>& weights,
                    std::size_t order, double theta = 1);

}  // namespace alembert::integrate
