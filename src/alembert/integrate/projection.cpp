// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/projection.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

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
/// Of the squared volume that rows of length 1 span. The square of their smallest singular value is
/// no less than this part of it, divided by e: of the others the product is largest where all are
/// equal.
constexpr double regular_volume = 0.2;
/// What is left, a projection later, of how long a row has been.
constexpr double memory = 0.999;

/// Entries that do not count when the states are found that a row corrects. A constraint fixes
/// positions, its derivative velocities: how large a correction is then depends on no unit of time.
/// What a derivative has of the states of the version before it is taken into account once those
/// are corrected. `depth`: of a row, how many others that has to wait for, one after the other.
struct Coupling {
  std::vector<char> is_coupling;     // [n_entries]
  std::vector<std::uint32_t> depth;  // [n_rows]
};

/// In: for each row the one that it is the derivative of, or none. Nothing is a coupling where some
/// row would be left without entries, or where rows would wait for each other.
Coupling find_coupling(const compile::ColumnSparsity& sparsity,
                       std::span<const structure::Index> version_before) {
  const std::size_t n_rows = version_before.size();
  const std::size_t n_columns = sparsity.column_start.size() - 1;
  const auto nothing = [&] {
    return Coupling{std::vector<char>(sparsity.row.size(), 0),
                    std::vector<std::uint32_t>(n_rows, 0)};
  };
  Coupling coupling = nothing();
  std::vector<std::vector<std::uint32_t>> own(n_rows);  // the columns that a row corrects
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> entries_of(n_rows);
  for (std::uint32_t j = 0; j < n_columns; ++j)
    for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
      entries_of[sparsity.row[e]].emplace_back(j, e);
  for (std::size_t row = 0; row < n_rows; ++row) {  // earlier versions come first
    const structure::Index before = version_before[row];
    for (const auto& [column, e] : entries_of[row])
      if (before != structure::none && std::ranges::binary_search(own[before], column))
        coupling.is_coupling[e] = 1;
      else
        own[row].push_back(column);
    if (own[row].empty()) return nothing();
  }
  // Rows that correct the same state are solved together.
  std::vector<std::size_t> group(n_rows), of_column(n_columns, n_rows);
  for (std::size_t row = 0; row < n_rows; ++row) group[row] = row;
  const auto root = [&](std::size_t row) {
    while (group[row] != row) row = group[row] = group[group[row]];
    return row;
  };
  for (std::size_t row = 0; row < n_rows; ++row)
    for (const std::uint32_t column : own[row])
      if (of_column[column] == n_rows)
        of_column[column] = row;
      else
        group[root(row)] = root(of_column[column]);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t row = 0; row < n_rows; ++row)
      for (const auto& [column, e] : entries_of[row]) {
        if (!coupling.is_coupling[e]) continue;
        std::uint32_t& depth = coupling.depth[root(row)];
        const std::uint32_t least = coupling.depth[root(of_column[column])] + 1;
        if (depth >= least) continue;
        if (least >= n_rows) return nothing();
        depth = least;
        changed = true;
      }
  }
  for (std::size_t row = 0; row < n_rows; ++row) coupling.depth[row] = coupling.depth[root(row)];
  return coupling;
}

/// In the metric of kinetic energy velocities are corrected by velocities only.
Coupling mass_coupling(const MassMetric& metric, const compile::CompiledIndexOne& form) {
  Coupling coupling{metric.ignored_entries(form.sparsity),
                    std::vector<std::uint32_t>(form.invariants.size(), 0)};
  for (std::size_t e = 0; e < coupling.is_coupling.size(); ++e)
    if (coupling.is_coupling[e]) coupling.depth[form.sparsity.row[e]] = 1;
  return coupling;
}

/// For each invariant, the one that it is the derivative of; or none.
std::vector<structure::Index> versions_before(const structure::Structure& structure,
                                              std::span<const structure::Index> invariants) {
  std::vector<structure::Index> place(structure.equations.size(), structure::none);
  for (structure::Index i = 0; i < invariants.size(); ++i) place[invariants[i]] = i;
  std::vector<structure::Index> before(invariants.size(), structure::none);
  for (structure::Index k = 0; k < invariants.size(); ++k)
    if (const auto next = structure.equations[invariants[k]].derivative;
        next != structure::none && place[next] != structure::none)
      before[place[next]] = k;
  return before;
}

}  // namespace

struct Projector::Work {
  Work(const compile::CompiledIndexOne& form, const Coupling& coupling)
      : n_rows(static_cast<Eigen::Index>(form.invariants.size())),
        n_states(static_cast<Eigen::Index>(form.chart.states.size())),
        residuals(form.invariants.size()),
        entries(form.sparsity.row.size()),
        moved(form.chart.states.size()),
        best(form.chart.states.size()),
        scale(n_rows),
        right(n_rows),
        step(n_states),
        longest(form.invariants.size(), 0.0),
        solved(n_rows),
        workspace(std::max(form.residuals.shape().workspace_size,
                           form.jacobian ? form.jacobian.shape().workspace_size : 0)) {
    sort_entries(form.sparsity, coupling);
  }

  struct Entry {
    std::uint32_t at, row, column;  // at: of `entries`; row: in the order of rows
  };
  /// Rows of one depth, which wait for those before.
  struct Layer {
    Eigen::Index rows_end = 0;
    std::size_t own_end = 0, coupled_end = 0;
  };

  Eigen::Index n_rows, n_states;
  std::vector<std::uint32_t> invariant;  // [n_rows]: by depth, in which order all below is
  std::vector<Layer> layers;
  std::vector<Entry> own, coupled;  // by depth, then by columns; own ones then by rows
  std::vector<double> residuals;    // [n_invariants]
  std::vector<double> entries;      // of the Jacobian
  std::vector<double> moved, best;
  Eigen::VectorXd scale, right, step;
  std::vector<double> longest;  // [n_rows]: squares of what rows have been lately
  double shrunk = 1;            // the product of what they are of that
  double volume = 0;            // the squared volume that rows of length 1 span; 0: not known
  Eigen::VectorXd solved;
  GradientRows dense;       // rows of length 1
  GradientRows lower;       // [n_rows, n_rows]: L of the normal equations, pivots inverted
  bool by_entries = false;  // solved by the normal equations of the entries as they are
  bool by_normal = false;   // else by those of `dense`, or by its decomposition
  bool factorised = false;  // with the entries as they are
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  Eigen::SparseMatrix<double> sparse;  // transposed: a column an invariant
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> normal;
  bool analysed = false;
  compile::AlignedDoubles workspace;
  std::optional<MassMetric> metric;  // none: Euclidean
  Eigen::VectorXd row_lengths;       // in the metric

  void sort_entries(const compile::ColumnSparsity& sparsity, const Coupling& coupling) {
    const std::uint32_t n_layers =
        coupling.depth.empty() ? 0 : *std::ranges::max_element(coupling.depth) + 1;
    std::vector<std::uint32_t> place(coupling.depth.size());
    for (std::uint32_t depth = 0; depth < n_layers; ++depth) {
      for (std::uint32_t row = 0; row < place.size(); ++row)
        if (coupling.depth[row] == depth) {
          place[row] = static_cast<std::uint32_t>(invariant.size());
          invariant.push_back(row);
        }
      for (std::uint32_t j = 0; j + 1 < sparsity.column_start.size(); ++j)
        for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
          if (const std::uint32_t row = sparsity.row[e]; coupling.depth[row] == depth)
            (coupling.is_coupling[e] ? coupled : own).push_back({e, place[row], j});
      layers.push_back({static_cast<Eigen::Index>(invariant.size()), own.size(), coupled.size()});
    }
    std::ranges::sort(own, {}, [&](const Entry& entry) {
      return std::tuple(coupling.depth[invariant[entry.row]], entry.column, entry.row);
    });
  }

  /// Takes the entries as they are; the lengths of rows in `scale`.
  void take_entries() {
    scale.setZero();
    for (const Entry& entry : own) scale[entry.row] += entries[entry.at] * entries[entry.at];
    shrunk = 1;
    for (Eigen::Index i = 0; i < n_rows; ++i) {
      double& most = longest[static_cast<std::size_t>(i)];
      most = std::max(memory * most, scale[i]);
      if (scale[i] < most) shrunk *= scale[i] / most;
      scale[i] = scale[i] > 0 ? std::sqrt(scale[i]) : 1.0;
    }
    factorised = by_entries = false;
  }

  /// The shortest step that takes the residuals away; false where there is none.
  bool find_step() {
    const bool by_rank = metric || n_rows <= largest_ranked;
    if (!factorised && !(by_rank ? factorise_ranked() : factorise_sparse())) return false;
    factorised = true;
    step.setZero();
    if (by_entries) {
      solve_layers();
      return step.allFinite();
    }
    for (std::size_t round = 0; round < layers.size(); ++round) {
      enter_residuals(0, n_rows, right.data());
      for (const Entry& entry : coupled) right[entry.row] -= entries[entry.at] * step[entry.column];
      right.array() /= scale.array();
      if (by_rank)
        solve_rows();
      else
        step = sparse * normal.solve(right);
    }
    return step.allFinite();
  }

  void enter_residuals(Eigen::Index begin, Eigen::Index end, double* to) const {
    for (Eigen::Index i = begin; i < end; ++i)
      to[i] = -residuals[invariant[static_cast<std::size_t>(i)]];
  }

  /// By the normal equations, which have no entries between layers.
  void solve_layers() {
    const double* const values = entries.data();
    double* const x = solved.data();
    double* const to = step.data();
    Layer before;
    for (const Layer& layer : layers) {
      enter_residuals(before.rows_end, layer.rows_end, x);
      for (std::size_t k = before.coupled_end; k < layer.coupled_end; ++k)
        x[coupled[k].row] -= values[coupled[k].at] * to[coupled[k].column];
      solve_normal(before.rows_end, layer.rows_end);
      for (std::size_t k = before.own_end; k < layer.own_end; ++k)
        to[own[k].column] += values[own[k].at] * x[own[k].row];
      before = layer;
    }
  }

  void project_error(const compile::ColumnSparsity& sparsity, std::span<double> error) {
    std::ranges::fill(residuals, 0.0);
    for (std::size_t j = 0; j < error.size(); ++j)
      for (auto e = sparsity.column_start[j]; e < sparsity.column_start[j + 1]; ++e)
        residuals[sparsity.row[e]] += entries[e] * error[j];
    if (!find_step()) return;
    for (std::size_t j = 0; j < error.size(); ++j) error[j] += step[static_cast<Eigen::Index>(j)];
  }

  /// By the normal equations where rows are clearly independent, else with a look at the rank. A
  /// few constraints are projected after every step, and without a metric their entries as they
  /// are will do: to put them into a matrix takes longer than to solve.
  bool factorise_ranked() {
    volume = 0;
    if (!metric) {
      multiply_entries();
      by_entries = factorise_normal();
      if (by_entries) return true;
    }
    fill_dense();
    by_normal = false;
    if (metric) {
      enter_metric();
      lower.noalias() = dense * dense.transpose();
      by_normal = factorise_normal();
      volume = 0;
    }
    if (by_normal) return true;
    decomposition.setThreshold(rank_threshold);
    decomposition.compute(dense);
    return true;
  }

  /// The lower half of the products of all rows.
  void multiply_entries() {
    lower.setZero(n_rows, n_rows);
    double* const products = lower.data();
    const double* const values = entries.data();
    const Entry* column = own.data();
    for (const Entry* f = column; f < own.data() + own.size(); ++f) {
      if (f->column != column->column) column = f;
      double* const row = products + f->row * n_rows;
      for (const Entry* e = column; e <= f; ++e) row[e->row] += values[e->at] * values[f->at];
    }
  }

  void fill_dense() {
    dense.setZero(n_rows, n_states);
    for (const Entry& entry : own)
      dense(entry.row, entry.column) = entries[entry.at] / scale[entry.row];
  }

  /// Cholesky of what is in `lower`; false where rows are not clearly independent.
  bool factorise_normal() {
    double product = 1;
    for (Eigen::Index i = 0; i < n_rows; ++i) {
      double* const row = lower.data() + i * n_rows;
      const double whole = row[i];
      double rest = whole;
      for (Eigen::Index j = 0; j < i; ++j) {
        const double* const before = lower.data() + j * n_rows;
        double sum = row[j];
        for (Eigen::Index k = 0; k < j; ++k) sum -= row[k] * before[k];
        row[j] = sum * before[j];
        rest -= row[j] * row[j];
      }
      if (!(rest > independent * whole)) return false;
      row[i] = 1 / std::sqrt(rest);
      product *= rest / whole;
    }
    volume = product;
    return true;
  }

  /// solved = (LL')^-1 solved, of rows that are not tied to others
  void solve_normal(Eigen::Index begin, Eigen::Index end) {
    double* const x = solved.data();
    for (Eigen::Index i = begin; i < end; ++i) {
      const double* const row = lower.data() + i * n_rows;
      double sum = x[i];
      for (Eigen::Index k = begin; k < i; ++k) sum -= row[k] * x[k];
      x[i] = sum * row[i];
    }
    for (Eigen::Index i = end; i-- > begin;) {
      const double* const row = lower.data() + i * n_rows;
      x[i] *= row[i];
      for (Eigen::Index k = begin; k < i; ++k) x[k] -= row[k] * x[i];
    }
  }

  /// step = the shortest with dense * step = right
  void solve_rows() {
    if (metric) right.array() /= row_lengths.array();
    if (by_normal) {
      solved = right;
      solve_normal(0, n_rows);
      step.noalias() = dense.transpose() * solved;
    } else {
      step = decomposition.solve(right);
    }
    if (metric) metric->leave(step);
  }

  /// Rows of length 1 again, by which the rank is judged.
  void enter_metric() {
    metric->enter(dense);
    row_lengths.resize(n_rows);
    for (Eigen::Index i = 0; i < n_rows; ++i) {
      const double length = dense.row(i).norm();
      row_lengths[i] = length > 0 ? length : 1;
      dense.row(i) /= row_lengths[i];
    }
  }

  bool factorise_sparse() {
    std::vector<Eigen::Triplet<double>> triplets;
    triplets.reserve(own.size());
    for (const Entry& entry : own)
      triplets.emplace_back(static_cast<int>(entry.column), static_cast<int>(entry.row),
                            entries[entry.at] / scale[entry.row]);
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
    : point_(point), form_(form) {
  if (!form.invariants.empty() && !form.jacobian)
    throw Error("I014",
                "the constraints go through a function whose derivatives are not known, which "
                "this formulation needs. Use the formulation dynamic.",
                point.model().flat().origin);
  if (metric == Metric::mass && !form.invariants.empty()) {
    MassMetric mass(point);
    work_ = std::make_unique<Work>(form, mass_coupling(mass, form));
    work_->metric.emplace(std::move(mass));
    return;
  }
  const auto before = versions_before(point.model().plan().structure, form.invariants);
  work_ = std::make_unique<Work>(form, find_coupling(form.sparsity, before));
}

Projector::~Projector() = default;

void Projector::exchange(Archive& archive) {
  archive(work_->longest, work_->shrunk, work_->volume);
}

bool Projector::clearly_regular() const { return work_->volume * work_->shrunk > regular_volume; }

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
      w.take_entries();
      if (w.metric && !w.metric->evaluate(t, w.moved)) return false;
    }
    double distance = 0;
    for (Eigen::Index i = 0; i < w.n_rows; ++i)
      distance = std::max(
          distance, std::abs(w.residuals[w.invariant[static_cast<std::size_t>(i)]]) / w.scale[i]);
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
      w.take_entries();
    }
    if (!w.find_step()) break;
    for (std::size_t i = 0; i < n; ++i) w.moved[i] += w.step[static_cast<Eigen::Index>(i)];
  }
  if (!std::isfinite(least)) return false;
  std::copy(w.best.begin(), w.best.end(), y.begin());
  if (!error.empty()) w.project_error(form_.sparsity, error);
  return true;
}

}  // namespace alembert::integrate
