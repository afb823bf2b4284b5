// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/tearing.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

#include "alembert/base/error.hpp"

namespace alembert::structure {

using graph::none;

namespace {

/// Next to a cut, errors must be about as small as those of tears.
constexpr double restart_growth = 100;

class Tearer {
 public:
  Tearer(const TearingProblem& problem, const TearingOptions& options)
      : problem_(problem),
        options_(options),
        n_(problem.size()),
        n_open_(n_, 0),
        used_(n_, 0),
        known_(n_, 0),
        cut_(n_, 0),
        growth_(n_, 0.0),
        score_(n_, 0) {
    for (const Index u : problem.unknowns.items)
      ensure(u < n_, "a block has as many unknowns as equations");
    // Equations of each unknown, by counting.
    columns_.begin.assign(n_ + 1, 0);
    for (const Index u : problem.unknowns.items) ++columns_.begin[u + 1];
    for (Index u = 0; u < n_; ++u) columns_.begin[u + 1] += columns_.begin[u];
    columns_.items.resize(problem.unknowns.items.size());
    std::vector<Index> next(columns_.begin.begin(), columns_.begin.end() - 1);
    for (Index e = 0; e < n_; ++e)
      for (const Index u : problem.unknowns[e]) columns_.items[next[u]++] = e;
  }

  Tearing run() {
    for (Index e = 0; e < n_; ++e) {
      n_open_[e] = static_cast<Index>(problem_.unknowns[e].size());
      if (n_open_[e] == 1) ready_.push_back(e);
      if (n_open_[e] == 2) change_scores(e, 1);
    }
    for (Index u = 0; u < n_; ++u) push(u);
    for (;;) {
      solve_what_can_be();
      const Index torn = best_tear();
      if (torn == none) break;
      make_tear(torn);
    }
    for (Index e = 0; e < n_; ++e)
      if (!used_[e]) result_.residuals.push_back(e);
    std::sort(result_.tears.begin(), result_.tears.end());
    ensure(result_.residuals.size() == result_.tears.size(), "an equation is left for each tear");
    return std::move(result_);
  }

 private:
  /// Score, equations of the unknown, and the first by number where these are equal.
  using Candidate = std::tuple<Index, Index, Index>;

  void push(Index u) {
    const auto degree = static_cast<Index>(columns_[u].size());
    candidates_.push({score_[u], degree, n_ - 1 - u});
  }

  Index best_tear() {
    while (!candidates_.empty()) {
      const auto [score, degree, from_end] = candidates_.top();
      const Index u = n_ - 1 - from_end;
      candidates_.pop();
      if (!known_[u] && score == score_[u]) return u;
    }
    return none;
  }

  /// With two unknowns left, tearing the one lets the equation be solved for the other.
  void change_scores(Index e, int by) {
    const auto row = problem_.unknowns[e];
    Index open[2] = {none, none};
    double coefficient[2] = {0, 0};
    int found = 0;
    for (std::size_t k = 0; k < row.size() && found < 2; ++k) {
      if (known_[row[k]]) continue;
      open[found] = row[k];
      coefficient[found++] = problem_.entries[problem_.unknowns.begin[e] + k].coefficient;
    }
    for (int i = 0; i < found; ++i) {
      if (coefficient[1 - i] == 0) continue;
      score_[open[i]] = static_cast<Index>(static_cast<int>(score_[open[i]]) + by);
      push(open[i]);
    }
  }

  void solve_what_can_be() {
    for (std::size_t next = 0; next < ready_.size(); ++next) {
      const Index e = ready_[next];
      if (n_open_[e] != 1 || used_[e]) continue;
      const auto row = problem_.unknowns[e];
      std::size_t k = 0;
      while (known_[row[k]]) ++k;
      const double pivot = problem_.entries[problem_.unknowns.begin[e] + k].coefficient;
      if (pivot == 0) continue;
      const double growth = growth_of(e, row[k], pivot);
      if (growth > (meets_cut(e) ? restart_growth : options_.growth_limit)) {
        cut_[row[k]] = 1;
        make_tear(row[k]);
        continue;
      }
      used_[e] = 1;
      result_.assignments.push_back({row[k], e});
      set_known(row[k], growth);
    }
    ready_.clear();
  }

  /// A chain is cut where a recursion of several terms starts afresh with all of them.
  bool meets_cut(Index e) const {
    const auto row = problem_.unknowns[e];
    return std::any_of(row.begin(), row.end(), [&](Index u) { return cut_[u] != 0; });
  }

  /// What an error of 1 in everything before makes of the unknown. A coefficient that varies, and
  /// may be larger elsewhere, counts as large as the pivot at least.
  double growth_of(Index e, Index solved, double pivot) const {
    double growth = 0;
    const auto row = problem_.unknowns[e];
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] == solved) continue;
      const auto& [c, typical] = problem_.entries[problem_.unknowns.begin[e] + k];
      growth += (c == 0 ? std::max(1.0, typical / pivot) : c / pivot) * growth_[row[k]];
    }
    return std::max(growth, 1e-3);
  }

  void make_tear(Index u) {
    result_.tears.push_back(u);
    set_known(u, 1.0);
  }

  void set_known(Index u, double growth) {
    growth_[u] = growth;
    for (const Index e : columns_[u])
      if (n_open_[e] == 2 && !used_[e]) change_scores(e, -1);
    known_[u] = 1;
    for (const Index e : columns_[u]) {
      --n_open_[e];
      if (used_[e]) continue;
      if (n_open_[e] == 2) change_scores(e, 1);
      if (n_open_[e] == 1) ready_.push_back(e);
    }
  }

  const TearingProblem& problem_;
  const TearingOptions& options_;
  Index n_;
  graph::IndexLists columns_;   // equations of each unknown
  std::vector<Index> n_open_;   // [n]: unknowns of the equation that are not known yet
  std::vector<char> used_;      // [n]: the equation gives an unknown
  std::vector<char> known_;     // [n]
  std::vector<char> cut_;       // [n]: torn because errors would have grown too much
  std::vector<double> growth_;  // [n], of known unknowns
  std::vector<Index> score_;    // [n]: equations that tearing the unknown would let be solved
  std::vector<Index> ready_;    // equations with one unknown left
  std::priority_queue<Candidate> candidates_;  // with scores of the past among them
  Tearing result_;
};

}  // namespace

Tearing tear(const TearingProblem& problem, const TearingOptions& options) {
  ensure(problem.entries.size() == problem.unknowns.items.size(), "a coefficient for each entry");
  return Tearer(problem, options).run();
}

}  // namespace alembert::structure
