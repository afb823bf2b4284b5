// SPDX-License-Identifier: Apache-2.0
#include "integrate/rooted_trees.hpp"

#include <algorithm>
#include <cmath>

namespace alembert::integrate {
namespace {

// Adds every tree whose children are `chosen` and further trees, from index `least` on, that use up
// exactly `vertices_left`.
void add_trees(std::size_t order, std::size_t vertices_left, std::size_t least,
               std::vector<std::size_t>& chosen, const std::vector<RootedTree>& smaller,
               std::vector<RootedTree>& trees) {
  if (vertices_left == 0) {
    RootedTree tree{.order = order, .density = static_cast<double>(order), .children = chosen};
    for (std::size_t child : chosen) tree.density *= smaller[child].density;
    trees.push_back(std::move(tree));
    return;
  }
  for (std::size_t child = least; child < smaller.size(); ++child) {
    if (smaller[child].order > vertices_left) break;
    chosen.push_back(child);
    add_trees(order, vertices_left - smaller[child].order, child, chosen, smaller, trees);
    chosen.pop_back();
  }
}

}  // namespace

std::vector<RootedTree> rooted_trees(std::size_t max_order) {
  std::vector<RootedTree> trees;
  for (std::size_t order = 1; order <= max_order; ++order) {
    const std::vector<RootedTree> smaller = trees;
    std::vector<std::size_t> chosen;
    add_trees(order, order - 1, 0, chosen, smaller, trees);
  }
  return trees;
}

std::vector<std::vector<double>> elementary_weights(const std::vector<RootedTree>& trees,
                                                    const Matrix& branching, const Matrix& single) {
  const std::size_t n = branching.size();
  std::vector<std::vector<double>> phi;
  for (const RootedTree& tree : trees) {
    const Matrix& a = tree.children.size() == 1 ? single : branching;
    std::vector<double> value(n, 1.0);
    for (std::size_t child : tree.children)
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < n; ++j) sum += a[i][j] * phi[child][j];
        value[i] *= sum;
      }
    phi.push_back(std::move(value));
  }
  return phi;
}

double order_defect(const std::vector<RootedTree>& trees,
                    const std::vector<std::vector<double>>& phi, const std::vector<double>& weights,
                    std::size_t order, double theta) {
  double largest = 0;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    if (trees[t].order > order) continue;
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * phi[t][i];
    const double exact = std::pow(theta, static_cast<double>(trees[t].order)) / trees[t].density;
    largest = std::max(largest, std::abs(sum - exact));
  }
  return largest;
}

}  // namespace alembert::integrate
