// SPDX-License-Identifier: Apache-2.0
#include "alembert/structure/solution_set.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "alembert/structure/consistent_point.hpp"
#include "alembert/structure/trivial_equations.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "alembert/symbolic/traverse.hpp"

namespace alembert::structure {

namespace {

/// Equations that have to be solved for a point, at most: for one matrix, and for all of a model.
constexpr std::size_t most_binding = 40;
constexpr std::size_t most_in_all = 200;
/// How far points lie from each other, beside the size of the values.
constexpr double disturbance = 0.1;
constexpr unsigned n_points = 3;
/// How far beside a point of the set the matrix is looked at, in the same unit.
constexpr double far_beside = 1e-3;
constexpr double near_beside = 1e-5;
constexpr double exactness = 1e-6;  // of combinations at points that were solved for

/// Choices may be others elsewhere, and what is solved for may be on the other side of an abs.
bool is_smooth_around(const symbolic::ExprPool& pool, std::span<const ExprId> expressions) {
  if (!is_smooth(pool, expressions)) return false;
  const symbolic::Reach reach(pool, expressions);
  return std::ranges::none_of(reach.nodes(),
                              [&](ExprId node) { return pool.op(node) == symbolic::Op::abs; });
}

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd numbers_at(const ConsistentPoint& point, const ExprMatrix& matrix) {
  std::vector<ExprId> entries;
  for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
  const std::vector<double> values = point.evaluate(entries);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(values.data(), static_cast<Eigen::Index>(matrix.size()),
                                    static_cast<Eigen::Index>(matrix.front().size()));
}

/// Rows and columns divided by their sizes.
struct Scaling {
  explicit Scaling(MatrixXd matrix)
      : rows(VectorXd::Ones(matrix.rows())), columns(VectorXd::Ones(matrix.cols())) {
    for (int sweep = 0; sweep < 3; ++sweep) {
      for (Eigen::Index i = 0; i < matrix.rows(); ++i)
        if (const double size = matrix.row(i).cwiseAbs().maxCoeff(); size > 0)
          matrix.row(i) /= size, rows[i] /= size;
      for (Eigen::Index j = 0; j < matrix.cols(); ++j)
        if (const double size = matrix.col(j).cwiseAbs().maxCoeff(); size > 0)
          matrix.col(j) /= size, columns[j] /= size;
    }
  }
  MatrixXd of(const MatrixXd& matrix) const {
    return rows.asDiagonal() * matrix * columns.asDiagonal();
  }

  VectorXd rows, columns;
};

double least_pivot(const MatrixXd& matrix) {
  const Eigen::FullPivLU<MatrixXd> decomposition(matrix);
  return decomposition.matrixLU().diagonal().cwiseAbs().minCoeff();
}

/// A vector of the null space of a matrix, where pivots up to `zero` count as none. Its largest
/// entry is 1, and what is small against that is zero.
VectorXd null_vector(const MatrixXd& matrix, double zero) {
  Eigen::FullPivLU<MatrixXd> decomposition(matrix);
  if (decomposition.maxPivot() <= zero) return VectorXd::Unit(matrix.cols(), 0);
  decomposition.setThreshold(zero / decomposition.maxPivot());
  VectorXd vector = decomposition.kernel().col(0);
  vector /= vector.cwiseAbs().maxCoeff();
  for (double& v : vector)
    if (std::abs(v) < 1e-6) v = 0;
  return vector;
}

/// Divided by its first entry that is not zero.
VectorXd led_by_one(const VectorXd& vector) {
  for (const double v : vector)
    if (v != 0) return vector / v;
  return vector;
}

std::vector<std::size_t> places_of(const VectorXd& vector) {
  std::vector<std::size_t> places;
  for (Eigen::Index i = 0; i < vector.size(); ++i)
    if (vector[i] != 0) places.push_back(static_cast<std::size_t>(i));
  return places;
}

}  // namespace

SolutionSet::SolutionSet(const flat::FlatSystem& flat, std::span<const ExprId> residuals,
                         const StructuralPlan& plan)
    : flat_(flat), residuals_(residuals), plan_(plan) {}

/// At stage k the equations f_i^(c_i + k) are for the x_j^(d_j + k) in them to solve (Pryce); k is
/// zero or negative.
void SolutionSet::list_equations() {
  if (!variable_of_chain_.empty()) return;
  const Structure& s = plan_.structure;
  variable_of_chain_.resize(s.n_unknowns);
  for (Index v = 0; v < s.variables.size(); ++v)
    if (s.variables[v].order == 0) variable_of_chain_[s.variables[v].unknown] = v;
  std::vector<std::vector<Index>> lists(s.variables.size());
  for (Index e = 0; e < s.equations.size(); ++e) {
    const Index left = plan_.differentiations[s.equations[e].source] - s.equations[e].order;
    for (const Index v : s.incidence[e])
      if (plan_.highest_order[s.variables[v].unknown] - s.variables[v].order == left)
        lists[v].push_back(e);
  }
  for (const auto& list : lists) {
    determined_by_.items.insert(determined_by_.items.end(), list.begin(), list.end());
    determined_by_.end_list();
  }
}

/// What decides about the symbols of the entries; nothing if that is too much.
std::optional<std::vector<SolutionSet::Version>> SolutionSet::binding(
    std::span<const ExprId> entries) {
  list_equations();
  const symbolic::ExprPool& pool = *flat_.pool;
  const Structure& s = plan_.structure;
  std::unordered_map<ExprId, Index> unknown_of;  // looked up, never iterated
  for (Index j = 0; j < flat_.unknowns.size(); ++j) unknown_of.emplace(flat_.unknowns[j].symbol, j);
  std::vector<Index> open;
  std::vector<char> seen(s.variables.size(), 0), taken(s.equations.size(), 0);
  const auto meet = [&](Index v) {
    if (!std::exchange(seen[v], 1)) open.push_back(v);
  };
  for (const ExprId symbol : free_symbols(pool, entries)) {
    const symbolic::Symbol& data = pool.symbol_of(symbol);
    if (data.kind != symbolic::SymbolKind::unknown) continue;
    const auto found = unknown_of.find(data.base);
    if (found == unknown_of.end()) return std::nullopt;
    Index v = variable_of_chain_[found->second];
    for (unsigned k = 0; k < data.order && v != none; ++k) v = s.variables[v].derivative;
    if (v == none) return std::nullopt;
    meet(v);
  }
  std::vector<Version> versions;
  while (!open.empty()) {
    const Index v = open.back();
    open.pop_back();
    for (const Index e : determined_by_[v]) {
      if (std::exchange(taken[e], 1)) continue;
      if (versions.size() == most_binding) return std::nullopt;
      versions.push_back({s.equations[e].source, s.equations[e].order});
      for (const Index other : s.incidence[e]) meet(other);
    }
  }
  return versions;
}

std::optional<SolutionSet::Dependence> SolutionSet::dependent_rows(const ExprMatrix& matrix) {
  symbolic::ExprPool& pool = *flat_.pool;
  std::vector<ExprId> entries;
  for (const auto& row : matrix) entries.insert(entries.end(), row.begin(), row.end());
  const auto varies = [&](ExprId entry) { return !is_constant_in_time(pool, entry); };
  if (std::ranges::none_of(entries, varies) || !is_smooth_around(pool, entries))
    return std::nullopt;
  const auto versions = binding(entries);
  if (!versions || versions->empty() || n_solved_ + versions->size() > most_in_all)
    return std::nullopt;
  Dependence result;
  std::vector<ExprId> equations;
  for (const Version& version : *versions) {
    ExprId f = residuals_[version.source];
    for (Index k = 0; k < version.order; ++k) f = time_derivative(pool, f);
    equations.push_back(f);
    result.because.push_back(version.source);
  }
  if (!is_smooth_around(pool, equations)) return std::nullopt;
  n_solved_ += versions->size();
  std::ranges::sort(result.because);
  result.because.erase(std::unique(result.because.begin(), result.because.end()),
                       result.because.end());

  if (!starts_) starts_ = start_values(flat_);
  VectorXd left, right;
  bool is_same = true;
  for (unsigned k = 1; k <= n_points; ++k) {
    ConsistentPoint point(pool, *starts_, equations);
    point.disturb(k, disturbance);
    if (point.solve() != ConsistentPoint::End::met) return std::nullopt;
    ConsistentPoint far = point, near = point;
    far.disturb(k + n_points, far_beside);
    near.disturb(k + n_points, near_beside);
    const MatrixXd on_set = numbers_at(point, matrix), far_off = numbers_at(far, matrix),
                   near_off = numbers_at(near, matrix);
    if (!on_set.allFinite() || !far_off.allFinite() || !near_off.allFinite()) return std::nullopt;
    // What is only ill-conditioned is so beside the set too. What vanishes on it grows with the
    // distance.
    const Scaling scaling(far_off);
    const double far_pivot = least_pivot(scaling.of(far_off));
    const double near_pivot = least_pivot(scaling.of(near_off));
    const double pivot = least_pivot(scaling.of(on_set));
    if (!(near_pivot < 0.1 * far_pivot && pivot < 0.01 * near_pivot)) return std::nullopt;
    const double zero = std::max(std::sqrt(pivot * near_pivot), 1e-3 * near_pivot);
    const MatrixXd scaled = scaling.of(on_set);
    const VectorXd rows =
        led_by_one(null_vector(scaled.transpose(), zero).cwiseProduct(scaling.rows));
    is_same = is_same && (k == 1 || (rows - left).cwiseAbs().maxCoeff() < exactness);
    left = rows;
    right = null_vector(scaled, zero);
  }
  result.rows = places_of(left);
  result.columns = places_of(right);
  if (is_same)
    result.combination =
        whole_numbers({left.data(), static_cast<std::size_t>(left.size())}, exactness);
  return result;
}

}  // namespace alembert::structure
