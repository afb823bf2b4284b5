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
/// Beside what it is the difference of, at a point that obeys the equations to rounding.
constexpr double zero = 1e-8;

/// Choices may be others elsewhere, and discrete variables have no values yet.
bool is_smooth(const symbolic::ExprPool& pool, std::span<const ExprId> expressions) {
  using symbolic::Op;
  const symbolic::Reach reach(pool, expressions);
  return std::ranges::none_of(reach.nodes(), [&](ExprId node) {
    const Op op = pool.op(node);
    return op == Op::if_then_else || op == Op::call || op == Op::min || op == Op::max ||
           op == Op::sign || op == Op::semi_linear || op == Op::abs ||
           (pool.is_symbol(node) && pool.symbol_of(node).kind == symbolic::SymbolKind::discrete);
  });
}

/// A matrix of expressions with what its entries are differences of.
class EntryNumbers {
 public:
  EntryNumbers(symbolic::ExprPool& pool, const ExprMatrix& matrix)
      : n_rows_(matrix.size()), n_columns_(matrix.front().size()) {
    for (const auto& row : matrix)
      for (const ExprId entry : row) {
        std::vector<ExprId> symbols = free_symbols(pool, entry);
        std::erase_if(symbols, [&](ExprId s) {
          return pool.symbol_of(s).kind != symbolic::SymbolKind::unknown;
        });
        expressions_.push_back(entry);
        const auto slopes = gradient(pool, entry, symbols);
        for (std::size_t k = 0; k < symbols.size(); ++k) {
          expressions_.push_back(slopes[k]);
          expressions_.push_back(symbols[k]);
        }
        n_symbols_.push_back(symbols.size());
      }
  }

  /// Rows divided by their sizes; what is zero up to rounding is zero. False where a number is not
  /// finite.
  bool fill(const ConsistentPoint& point, Eigen::MatrixXd& numbers, Eigen::VectorXd& sizes) const {
    const std::vector<double> values = point.evaluate(expressions_);
    numbers.resize(static_cast<Eigen::Index>(n_rows_), static_cast<Eigen::Index>(n_columns_));
    std::size_t at = 0;
    for (std::size_t k = 0; k < n_symbols_.size(); ++k) {
      double entry = values[at++];
      double size = 0;
      for (std::size_t s = 0; s < n_symbols_[k]; ++s, at += 2)
        size += std::abs(values[at] * values[at + 1]);
      if (std::abs(entry) <= zero * size) entry = 0;
      numbers(static_cast<Eigen::Index>(k / n_columns_),
              static_cast<Eigen::Index>(k % n_columns_)) = entry;
    }
    if (!numbers.allFinite()) return false;
    sizes.setOnes(numbers.rows());
    for (Eigen::Index i = 0; i < numbers.rows(); ++i)
      if (const double size = numbers.row(i).cwiseAbs().maxCoeff(); size > 0) {
        numbers.row(i) /= size;
        sizes[i] = size;
      }
    return true;
  }

 private:
  std::size_t n_rows_, n_columns_;
  std::vector<ExprId> expressions_;     // of each entry: itself, then slope and symbol in turn
  std::vector<std::size_t> n_symbols_;  // [n_rows * n_columns]
};

/// A vector of the null space, its largest entry of size 1; empty if the matrix has full rank.
/// Small against the largest entry is zero.
Eigen::VectorXd null_vector(const Eigen::MatrixXd& matrix) {
  Eigen::FullPivLU<Eigen::MatrixXd> decomposition(matrix);
  decomposition.setThreshold(zero);
  if (decomposition.maxPivot() > 0 && decomposition.dimensionOfKernel() == 0) return {};
  Eigen::VectorXd vector = matrix.isZero(0) ? Eigen::VectorXd::Unit(matrix.cols(), 0)
                                            : Eigen::VectorXd(decomposition.kernel().col(0));
  vector /= vector.cwiseAbs().maxCoeff();
  for (double& v : vector)
    if (std::abs(v) < 1e-6) v = 0;
  return vector;
}

/// Divided by its first entry that is not zero.
Eigen::VectorXd led_by_one(const Eigen::VectorXd& vector) {
  for (const double v : vector)
    if (v != 0) return vector / v;
  return vector;
}

std::vector<std::size_t> places_of(const Eigen::VectorXd& vector) {
  std::vector<std::size_t> places;
  for (Eigen::Index i = 0; i < vector.size(); ++i)
    if (vector[i] != 0) places.push_back(static_cast<std::size_t>(i));
  return places;
}

/// Small whole numbers in the same proportion; empty if there are none.
std::vector<std::int64_t> whole(const Eigen::VectorXd& vector) {
  for (int factor = 1; factor <= 12; ++factor) {
    std::vector<std::int64_t> numbers;
    bool near = true;
    for (const double v : vector) {
      const double rounded = std::round(factor * v);
      near = near && std::abs(factor * v - rounded) < 1e-6 && std::abs(rounded) <= 1000;
      numbers.push_back(near ? static_cast<std::int64_t>(rounded) : 0);
    }
    if (near) return numbers;
  }
  return {};
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
  if (std::ranges::none_of(entries, varies) || !is_smooth(pool, entries)) return std::nullopt;
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
  if (!is_smooth(pool, equations)) return std::nullopt;
  n_solved_ += versions->size();
  std::ranges::sort(result.because);
  result.because.erase(std::unique(result.because.begin(), result.because.end()),
                       result.because.end());

  if (!starts_) starts_ = start_values(flat_);
  const EntryNumbers numbers(pool, matrix);
  Eigen::VectorXd left, right;
  bool is_same = true;
  for (unsigned k = 1; k <= n_points; ++k) {
    ConsistentPoint point(pool, *starts_, equations);
    point.disturb(k, disturbance);
    Eigen::MatrixXd at_point;
    Eigen::VectorXd sizes;
    if (point.solve() != ConsistentPoint::End::met || !numbers.fill(point, at_point, sizes))
      return std::nullopt;
    const Eigen::VectorXd scaled = null_vector(at_point.transpose());
    if (scaled.size() == 0) return std::nullopt;
    const Eigen::VectorXd rows = led_by_one(scaled.cwiseQuotient(sizes));
    is_same = is_same && (k == 1 || (rows - left).cwiseAbs().maxCoeff() < 1e-6);
    left = rows;
    right = null_vector(at_point);
  }
  result.rows = places_of(left);
  result.columns = places_of(right);
  if (is_same) result.combination = whole(left);
  return result;
}

}  // namespace alembert::structure
