// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/sigma_method.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/graph/matching.hpp"
#include "alembert/graph/strong_components.hpp"

namespace alembert::structure {

SignatureMatrix signature_matrix(const Structure& structure) {
  SignatureMatrix sigma;
  sigma.n_unknowns = structure.n_unknowns;
  std::vector<Index> row_of(structure.n_sources);
  for (Index e = 0; e < structure.n_sources; ++e) row_of[structure.equations[e].source] = e;
  std::vector<std::pair<Index, Index>> row;  // unknown, order
  for (const Index e : row_of) {
    row.clear();
    for (const Index v : structure.incidence[e])
      row.emplace_back(structure.variables[v].unknown, structure.variables[v].order);
    std::sort(row.begin(), row.end());
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k + 1 < row.size() && row[k + 1].first == row[k].first) continue;  // a higher one follows
      sigma.unknowns.items.push_back(row[k].first);
      sigma.order.push_back(row[k].second);
    }
    sigma.unknowns.end_list();
  }
  return sigma;
}

namespace {

using Value = std::int64_t;

struct Item {
  Value key;
  Index vertex;

  friend auto operator<=>(const Item&, const Item&) = default;
};

/// The assignment problem: most sum of sigma over pairs that use every row and column once. Keeps
/// potentials u of rows and v of columns with slack v_j - u_i - sigma_ij >= 0, and 0 on the pairs.
class Assignment {
 public:
  explicit Assignment(const SignatureMatrix& sigma)
      : sigma_(sigma),
        u_(sigma.n_equations(), 0),
        v_(sigma.n_unknowns, 0),
        pairs_(sigma.n_equations(), sigma.n_unknowns),
        distance_(sigma.n_unknowns, 0),
        reached_from_(sigma.n_unknowns, none),
        visit_(sigma.n_unknowns, unseen) {}

  /// False if there is no transversal.
  bool solve() {
    if (!start()) return false;
    for (Index i = 0; i < sigma_.n_equations(); ++i)
      if (pairs_.eq_to_var[i] == none && !augment(i)) return false;
    return true;
  }

  const graph::Matching& pairs() const { return pairs_; }

  /// The smallest c >= 0 that fits the transversal. For an entry (k, j) and the partner i of column
  /// j, c_i >= c_k + sigma_kj - sigma_ij, so c is a longest path; measured against u no step is
  /// positive, and the rows can be settled in descending order, each once (Dijkstra).
  std::vector<Index> smallest_offsets() const {
    std::vector<Value> above(u_.size());  // c - u
    std::priority_queue<Item> queue;
    for (Index i = 0; i < u_.size(); ++i) {
      above[i] = -u_[i];
      queue.push({above[i], i});
    }
    while (!queue.empty()) {
      const auto [key, k] = queue.top();
      queue.pop();
      if (key < above[k]) continue;
      for (Index p = begin(k); p < begin(k + 1); ++p) {
        const Index i = pairs_.var_to_eq[sigma_.unknowns.items[p]];
        const Value through = key - slack(k, p);
        if (through <= above[i]) continue;
        above[i] = through;
        queue.push({through, i});
      }
    }
    std::vector<Index> offsets;
    for (Index i = 0; i < u_.size(); ++i) offsets.push_back(static_cast<Index>(above[i] + u_[i]));
    return offsets;
  }

 private:
  enum Visit : char { unseen, queued, settled };

  Index begin(Index row) const { return sigma_.unknowns.begin[row]; }
  Value slack(Index row, Index p) const {
    return v_[sigma_.unknowns.items[p]] - u_[row] - Value{sigma_.order[p]};
  }

  /// Potentials from the largest of each column and the least slack of each row; then as many pairs
  /// without slack as there can be. In most models few rows are left.
  bool start() {
    for (std::size_t p = 0; p < sigma_.order.size(); ++p) {
      Value& v = v_[sigma_.unknowns.items[p]];
      v = std::max(v, Value{sigma_.order[p]});
    }
    graph::IndexLists tight;
    for (Index i = 0; i < sigma_.n_equations(); ++i) {
      if (begin(i) == begin(i + 1)) return false;
      Value least = std::numeric_limits<Value>::max();
      for (Index p = begin(i); p < begin(i + 1); ++p) least = std::min(least, slack(i, p));
      u_[i] = least;
      for (Index p = begin(i); p < begin(i + 1); ++p)
        if (slack(i, p) == 0) tight.items.push_back(sigma_.unknowns.items[p]);
      tight.end_list();
    }
    pairs_ = graph::maximum_matching(graph::BipartiteGraph(sigma_.n_unknowns, std::move(tight)));
    return true;
  }

  /// A path of least total slack from a free row to a free column; makes its pairs and moves the
  /// potentials of all that is nearer than its end. Costs what it visits.
  bool augment(Index root) {
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    std::vector<Index> seen;
    const auto scan = [&](Index row, Value at) {
      for (Index p = begin(row); p < begin(row + 1); ++p) {
        const Index j = sigma_.unknowns.items[p];
        const Value through = at + slack(row, p);
        if (visit_[j] == settled || (visit_[j] == queued && distance_[j] <= through)) continue;
        if (visit_[j] == unseen) seen.push_back(j);
        visit_[j] = queued;
        distance_[j] = through;
        reached_from_[j] = row;
        queue.push({through, j});
      }
    };
    Index end = none;
    scan(root, 0);
    while (!queue.empty() && end == none) {
      const auto [at, j] = queue.top();
      queue.pop();
      if (visit_[j] == settled) continue;
      visit_[j] = settled;
      if (pairs_.var_to_eq[j] == none)
        end = j;
      else
        scan(pairs_.var_to_eq[j], at);
    }
    if (end != none) {
      u_[root] += distance_[end];
      for (const Index j : seen) {
        if (visit_[j] != settled || j == end) continue;
        v_[j] += distance_[end] - distance_[j];
        u_[pairs_.var_to_eq[j]] += distance_[end] - distance_[j];
      }
      make_pairs(root, end);
    }
    for (const Index j : seen) visit_[j] = unseen;
    return end != none;
  }

  void make_pairs(Index root, Index end) {
    for (Index j = end; j != none;) {
      const Index row = reached_from_[j];
      const Index previous = row == root ? none : pairs_.eq_to_var[row];
      pairs_.eq_to_var[row] = j;
      pairs_.var_to_eq[j] = row;
      j = previous;
    }
    ++pairs_.size;
  }

  const SignatureMatrix& sigma_;
  std::vector<Value> u_;  // [n_equations]
  std::vector<Value> v_;  // [n_unknowns]
  graph::Matching pairs_;
  std::vector<Value> distance_;      // [n_unknowns], of columns seen
  std::vector<Index> reached_from_;  // [n_unknowns], row before a column seen
  std::vector<Visit> visit_;         // [n_unknowns], unseen between searches
};

}  // namespace

SigmaAnalysis analyse(const SignatureMatrix& sigma) {
  ensure(sigma.order.size() == sigma.unknowns.items.size(), "an order for each entry");
  SigmaAnalysis result;
  if (sigma.n_equations() != sigma.n_unknowns) return result;
  Assignment assignment(sigma);
  if (!assignment.solve()) return result;

  result.structurally_regular = true;
  result.transversal = assignment.pairs().eq_to_var;
  result.equation_offsets = assignment.smallest_offsets();
  result.unknown_offsets.assign(sigma.n_unknowns, 0);
  const std::vector<Index>& c = result.equation_offsets;
  std::vector<Index>& d = result.unknown_offsets;
  for (Index i = 0; i < sigma.n_equations(); ++i)
    for (Index p = sigma.unknowns.begin[i]; p < sigma.unknowns.begin[i + 1]; ++p) {
      const Index j = sigma.unknowns.items[p];
      d[j] = std::max(d[j], sigma.order[p] + c[i]);
    }

  graph::IndexLists jacobian;
  for (Index i = 0; i < sigma.n_equations(); ++i) {
    for (Index p = sigma.unknowns.begin[i]; p < sigma.unknowns.begin[i + 1]; ++p) {
      const Index j = sigma.unknowns.items[p];
      if (j == result.transversal[i]) {
        ensure(d[j] == c[i] + sigma.order[p], "offsets are equalities on the transversal");
        result.value += sigma.order[p];
      }
      if (d[j] == c[i] + sigma.order[p]) jacobian.items.push_back(j);
    }
    jacobian.end_list();
  }
  result.coarse_blocks = graph::strong_components(
      graph::BipartiteGraph(sigma.n_unknowns, sigma.unknowns), assignment.pairs());
  result.fine_blocks = graph::strong_components(
      graph::BipartiteGraph(sigma.n_unknowns, std::move(jacobian)), assignment.pairs());
  if (sigma.n_unknowns > 0)
    result.structural_index = *std::max_element(c.begin(), c.end()) +
                              (*std::min_element(d.begin(), d.end()) == 0 ? 1 : 0);
  return result;
}

}  // namespace alembert::structure
