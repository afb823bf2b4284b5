// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/projection.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <optional>

#include "alembert/base/constants.hpp"
#include "alembert/base/error.hpp"
#include "alembert/integrate/mass_metric.hpp"

namespace alembert::integrate {

namespace {

/// Up to this many invariants the rank is looked at; beyond, the sparse factorisation is trusted.
constexpr Eigen::Index largest_ranked = 48;
/// Constraints whose gradients are closer to dependent than this say nothing of their own.
constexpr double rank_threshold = 1e-7;
/// Rows of length 1 of which each is farther than the root of this from those before it are clearly
/// independent: the normal equations solve them as well, in a fraction of the time.
constexpr double independent = 1e-8;
constexpr int most_corrections = 8;

}  // namespace

struct Projector::Work {
  Work(const compile::CompiledIndexOne& form)
      : n_rows(static_cast<Eigen::Index>(form.invariants.size())),
        n_states(static_cast<Eigen::Index>(form.chart.states.size())),
        residuals(form.invariants.size()),
        entries(form.sparsity.row.size()),
        moved(form.chart.states.size()),
        best(form.chart.states.size()),
        scale(n_rows),
        right(n_rows),
        step(n_states),
        row_lengths(n_rows),
        workspace(std::max(form.residuals.shape().workspace_size,
                           form.jacobian ? form.jacobian.shape().workspace_size : 0)) {}

  Eigen::Index n_rows, n_states;
  std::vector<double> residuals;  // [n_invariants]
  std::vector<double> entries;    // of the Jacobian
  std::vector<double> moved, best;
  Eigen::VectorXd scale, right, step;
  Eigen::VectorXd row_lengths;  // in the metric
  Eigen::MatrixXd dense;
  Eigen::MatrixXd lower;  // [n_rows, n_rows]: LL' = dense dense', pivots inverted
  Eigen::VectorXd solved;
  bool by_normal = false;   // the matrix is solved so, else by the decomposition
  bool factorised = false;  // with the entries as they are
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  Eigen::SparseMatrix<double> sparse;  // transposed: a column an invariant
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> normal;
  bool analysed = false;
  compile::AlignedDoubles workspace;
  std::optional<MassMetric> metric;  // none: Euclidean
  std::vector<char> ignored;         // entries, by the metric
  Eigen::MatrixXd coupling;          // these entries

  void use(MassMetric made, const compile::ColumnSparsity& sparsity) {
    ignored = made.ignored_entries(sparsity);
    metric.emplace(std::move(made));
  }

  /// Takes the entries as they are: rows of length 1, their lengths in `scale`.
  void take_entries(const compile::ColumnSparsity& sparsity) {
    scale.setZero();
    for (std::size_t e = 0; e < entries.size(); ++e)
      scale[sparsity.row[e]] += entries[e] * entries[e];
    for (Eigen::Index i = 0; i < n_rows; ++i) scale[i] = scale[i] > 0 ? std::sqrt(scale[i]) : 1.0;
    factorised = false;
  }

  /// The shortest step that takes the residuals away; false where there is none.
  bool find_step(const compile::ColumnSparsity& sparsity) {
    for (Eigen::Index i = 0; i < n_rows; ++i)
      right[i] = -residuals[static_cast<std::size_t>(i)] / scale[i];
    const bool by_rank = metric || n_rows <= largest_ranked;
    if (!factorised && !(by_rank ? factorise_dense(sparsity) : factorise_sparse(sparsity)))
      return false;
    factorised = true;
    if (by_rank)
      find_dense();
    else
      step = sparse * normal.solve(right);
    return step.allFinite();
  }

  void project_error(const compile::ColumnSparsity& sparsity, std::span<double> error) {
    std::ranges::fill(residuals, 0.0);
    for (std::size_t j = 0; j < error.size(); ++j)
      for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
        residuals[sparsity.row[e]] += entries[e] * error[j];
    if (!find_step(sparsity)) return;
    for (std::size_t j = 0; j < error.size(); ++j) error[j] += step[static_cast<Eigen::Index>(j)];
  }

  bool factorise_dense(const compile::ColumnSparsity& sparsity) {
    dense.setZero(n_rows, n_states);
    if (metric) coupling.setZero(n_rows, n_states);
    for (Eigen::Index j = 0; j < n_states; ++j)
      for (auto e = sparsity.column_start[static_cast<std::size_t>(j)];
           e < sparsity.column_start[static_cast<std::size_t>(j) + 1]; ++e)
        (metric && ignored[e] ? coupling : dense)(sparsity.row[e], j) =
            entries[e] / scale[sparsity.row[e]];
    if (metric) enter_metric();
    by_normal = factorise_normal();
    if (by_normal) return true;
    decomposition.setThreshold(rank_threshold);
    decomposition.compute(dense);
    return true;
  }

  /// Cholesky; false where rows are not clearly independent.
  bool factorise_normal() {
    lower.resize(n_rows, n_rows);
    for (Eigen::Index j = 0; j < n_rows; ++j)
      for (Eigen::Index i = j; i < n_rows; ++i) {
        double sum = dense.row(i).dot(dense.row(j));
        for (Eigen::Index k = 0; k < j; ++k) sum -= lower(i, k) * lower(j, k);
        if (i == j && !(sum > independent)) return false;
        lower(i, j) = i == j ? 1 / std::sqrt(sum) : sum * lower(j, j);
      }
    return true;
  }

  /// step = the shortest with dense * step = right
  void solve_rows() {
    if (!by_normal) {
      step = decomposition.solve(right);
      return;
    }
    solved = right;
    for (Eigen::Index i = 0; i < n_rows; ++i) {
      for (Eigen::Index k = 0; k < i; ++k) solved[i] -= lower(i, k) * solved[k];
      solved[i] *= lower(i, i);
    }
    for (Eigen::Index i = n_rows; i-- > 0;) {
      for (Eigen::Index k = i + 1; k < n_rows; ++k) solved[i] -= lower(k, i) * solved[k];
      solved[i] *= lower(i, i);
    }
    step.noalias() = dense.transpose() * solved;
  }

  void find_dense() {
    if (metric) right.array() /= row_lengths.array();
    solve_rows();
    if (!metric) return;
    // Positions are found; velocities are those where they will be.
    metric->leave(step);
    right -= coupling * step;
    solve_rows();
    metric->leave(step);
  }

  /// Rows of length 1 again, by which the rank is judged.
  void enter_metric() {
    metric->enter(dense);
    for (Eigen::Index i = 0; i < n_rows; ++i) {
      const double length = dense.row(i).norm();
      row_lengths[i] = length > 0 ? length : 1;
      dense.row(i) /= row_lengths[i];
      coupling.row(i) /= row_lengths[i];
    }
  }

  bool factorise_sparse(const compile::ColumnSparsity& sparsity) {
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(entries.size());
    for (int j = 0; j < n_states; ++j)
      for (auto e = sparsity.column_start[static_cast<std::size_t>(j)];
           e < sparsity.column_start[static_cast<std::size_t>(j) + 1]; ++e)
        triplets.emplace_back(j, static_cast<int>(sparsity.row[e]),
                              entries[e] / scale[sparsity.row[e]]);
    sparse.resize(n_states, n_rows);
    sparse.setFromTriplets(triplets.begin(), triplets.end());
    const Eigen::SparseMatrix<double> product = sparse.transpose() * sparse;
    if (!analysed) {
      normal.setShift(64 * eps);
      normal.analyzePattern(product);
      analysed = true;
    }
    normal.factorize(product);
    return normal.info() == Eigen::Success;
  }
};

Projector::Projector(ModelPoint& point, const compile::CompiledIndexOne& form, Metric metric)
    : point_(point), form_(form), work_(std::make_unique<Work>(form)) {
  if (!form.invariants.empty() && !form.jacobian)
    throw Error("I014",
                "the constraints go through a function whose derivatives are not known, which "
                "this formulation needs. Use the formulation dynamic.",
                point.model().flat().origin);
  if (metric == Metric::mass && !form.invariants.empty())
    work_->use(MassMetric(point), form.sparsity);
}

Projector::~Projector() = default;

bool Projector::project(double t, std::span<double> y, double negligible, std::span<double> error) {
  Work& w = *work_;
  distance_ = 0;
  if (w.n_rows == 0) return true;
  const auto n = static_cast<std::size_t>(w.n_states);
  std::copy_n(y.begin(), n, w.moved.begin());
  double size = 1e-3;
  for (std::size_t i = 0; i < n; ++i) size = std::max(size, std::abs(y[i]));
  double least = infinity;
  for (int iteration = 0; iteration < most_corrections; ++iteration) {
    point_.enter(t, w.moved.data());
    point_.run(form_.residuals, w.residuals, w.workspace);
    if (iteration == 0) {
      point_.run(form_.jacobian, w.entries, w.workspace);
      w.take_entries(form_.sparsity);
      if (w.metric && !w.metric->evaluate(t, w.moved)) return false;
    }
    double distance = 0;
    for (std::size_t i = 0; i < w.residuals.size(); ++i)
      distance =
          std::max(distance, std::abs(w.residuals[i]) / w.scale[static_cast<Eigen::Index>(i)]);
    if (iteration == 0) distance_ = distance;
    if (iteration == 0 && distance <= negligible && error.empty()) return true;
    if (!std::isfinite(distance)) break;
    if (distance < least) {
      w.best = w.moved;
    } else {
      break;  // rounding, or no way
    }
    const bool slow = iteration > 0 && distance > 0.1 * least;
    least = distance;
    if (distance <= 2 * eps * size) break;
    if (slow) {
      point_.run(form_.jacobian, w.entries, w.workspace);
      w.take_entries(form_.sparsity);
    }
    if (!w.find_step(form_.sparsity)) break;
    for (std::size_t i = 0; i < n; ++i) w.moved[i] += w.step[static_cast<Eigen::Index>(i)];
  }
  if (!std::isfinite(least)) return false;
  std::copy(w.best.begin(), w.best.end(), y.begin());
  if (!error.empty()) w.project_error(form_.sparsity, error);
  return true;
}

}  // namespace alembert::integrate
