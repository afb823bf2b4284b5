// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/fold_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "alembert/base/error.hpp"

namespace alembert::integrate {

namespace {

/// Larger models and blocks are not looked at.
constexpr std::uint32_t most_variables = 2000;
constexpr std::size_t largest_block = 30;
/// What is left, a step later, of how long rows and how large determinants have been.
constexpr double memory = 0.9999;
/// Beside the usual: a determinant this small is about to vanish if it came along a straight line,
/// this small however it came; one this large is not yet.
constexpr double small = 0.1;
constexpr double tiny = 0.01;
constexpr double large = 0.4;
constexpr double clear_again = 0.2;
/// The time of arrival may be put off by this part between the two.
constexpr double put_off = 1.5;

/// Of a matrix row by row, which is overwritten.
double determinant(std::vector<double>& a, std::size_t n) {
  double product = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    if (a[pivot * n + k] == 0) return 0;
    if (pivot != k) {
      std::swap_ranges(a.begin() + static_cast<std::ptrdiff_t>(k * n),
                       a.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                       a.begin() + static_cast<std::ptrdiff_t>(pivot * n));
      product = -product;
    }
    product *= a[k * n + k];
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      if (factor == 0) continue;
      for (std::size_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    }
  }
  return product;
}

}  // namespace

FoldWatch::FoldWatch(ModelPoint& point, const compile::CompiledChart& chart) : point_(point) {
  // The structure of some modes alone has charts of its own.
  if (point.model().n_variables() > most_variables || chart.variant != nullptr ||
      !find_blocks(chart))
    blocks_.clear();
  if (blocks_.empty()) return;
  // A few numbers a step: code for them would not pay.
  matrix_ = make_kernel(series_->matrix_tape(), compile::Backend::interpreter);
  workspace_ = compile::AlignedDoubles(matrix_.shape().workspace_size);
  inputs_.resize(1 + series_->n_values());
  entries_.resize(series_->matrix_entries().size());
  found_.resize(blocks_.size());
  trends_.resize(blocks_.size());
  for (const Block& block : blocks_) row_sizes_.emplace_back(block.size, 0.0);
}

/// False where there is nothing to look at, or no series.
bool FoldWatch::find_blocks(const compile::CompiledChart& chart) {
  const auto& model = point_.model();
  const auto& plan = model.plan();
  const auto& structure = plan.structure;
  // Where states are chosen, charts are watched.
  std::vector<char> chosen(plan.differentiations.size(), 0);
  for (const auto& part : plan.selection_parts)
    if (part.unknowns.size() > part.rows.size())
      for (const auto row : part.rows) chosen[plan.selection_rows[row]] = 1;
  std::vector<const structure::Block*> found;
  for (const auto& block : chart.reduced.blocks) {
    if (block.kind != structure::Block::Kind::nonlinear || block.size() > largest_block) continue;
    if (std::ranges::none_of(block.equations(), [&](structure::Index e) {
          return structure.equations[e].order > 0 || chosen[structure.equations[e].source];
        }))
      found.push_back(&block);
  }
  if (found.empty()) return false;
  try {
    series_ = &model.series();
  } catch (const Error&) {  // a function without derivatives, a delay
    return false;
  }
  std::vector<std::uint32_t> row_of(plan.differentiations.size());
  std::vector<std::uint32_t> column_of(plan.highest_order.size());
  std::vector<std::uint32_t> row_in(row_of.size(), 0), column_in(column_of.size(), 0);
  std::uint32_t number = 0;  // of the block that the rows and columns are marked with
  for (const structure::Block* block : found) {
    ++number;
    Block kept;
    kept.size = static_cast<std::uint32_t>(block->size());
    std::uint32_t place = 0;
    for (const auto e : block->equations()) {
      row_in[structure.equations[e].source] = number;
      row_of[structure.equations[e].source] = place++;
    }
    place = 0;
    for (const auto v : block->unknowns()) {
      column_in[structure.variables[v].unknown] = number;
      column_of[structure.variables[v].unknown] = place++;
    }
    const auto entries = series_->matrix_entries();
    for (std::uint32_t k = 0; k < entries.size(); ++k) {
      if (row_in[entries[k].row] != number || column_in[entries[k].column] != number) continue;
      kept.entries.push_back(k);
      kept.row.push_back(row_of[entries[k].row]);
      kept.column.push_back(column_of[entries[k].column]);
    }
    blocks_.push_back(std::move(kept));
  }
  return true;
}

void FoldWatch::find_determinants() {
  inputs_[0] = point_.time();
  for (std::uint32_t v = 0; v + 1 < inputs_.size(); ++v)
    inputs_[1 + v] = point_.variables()[point_.model().variable_of_structure(v)];
  matrix_(inputs_.data(), point_.constants().data(), entries_.data(), workspace_.data());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    dense_.assign(std::size_t{block.size} * block.size, 0.0);
    for (std::size_t k = 0; k < block.entries.size(); ++k)
      dense_[std::size_t{block.row[k]} * block.size + block.column[k]] = entries_[block.entries[k]];
    for (std::uint32_t i = 0; i < block.size; ++i) {
      const auto row = dense_.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * block.size);
      double length = 0;
      for (std::uint32_t j = 0; j < block.size; ++j) length = std::max(length, std::abs(row[j]));
      double& size = row_sizes_[b][i];
      size = std::max(size, length);
      if (size > 0)
        for (std::uint32_t j = 0; j < block.size; ++j) row[j] /= size;
    }
    found_[b] = determinant(dense_, block.size);
  }
}

void FoldWatch::look() {
  for (auto& sizes : row_sizes_)
    for (double& size : sizes) size *= memory;
  find_determinants();
  const double t = point_.time();
  const double step = t - t_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Trend& trend = trends_[b];
    const double before = std::exchange(trend.now, found_[b]);
    const double size = std::abs(trend.now);
    trend.usual = std::max(memory * trend.usual, size);
    const bool falls = began_ && before * trend.now > 0 && size < std::abs(before);
    trend.zero = falls ? t + step * size / (std::abs(before) - size) : never;
    if (size < large * trend.usual) continue;
    trend.seen_at = t;
    trend.seen_zero = trend.zero;
  }
  t_ = t;
  last_step_ = step;
  began_ = true;
}

void FoldWatch::forget() {
  began_ = false;
  for (Trend& trend : trends_) trend.zero = trend.seen_zero = never;
}

bool FoldWatch::ahead(double n_steps) const {
  if (t_ < disregarded_until_) return false;
  return std::ranges::any_of(trends_, [&](const Trend& trend) {
    const bool straight = trend.zero - trend.seen_at < put_off * (trend.seen_zero - trend.seen_at);
    return std::abs(trend.now) < (straight ? small : tiny) * trend.usual &&
           trend.zero - t_ < n_steps * last_step_;
  });
}

bool FoldWatch::arrives_by(double t) const {
  if (t_ < disregarded_until_) return false;
  return std::ranges::any_of(
      trends_, [&](const Trend& trend) { return trend.zero - t_ < put_off * (t - t_); });
}

bool FoldWatch::kept_sign(double t) {
  find_determinants();
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (trends_[b].zero - t_ < put_off * (t - t_) && found_[b] * trends_[b].now > 0) return true;
  return false;
}

double FoldWatch::share_of_last() {
  find_determinants();
  double least = never;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (trends_[b].zero < never) least = std::min(least, std::abs(found_[b] / trends_[b].now));
  return least;
}

double FoldWatch::least_share() {
  find_determinants();
  double least = never;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (trends_[b].now != 0) least = std::min(least, found_[b] / trends_[b].now);
  return least;
}

bool FoldWatch::jumped() {
  find_determinants();
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    if (const Trend& trend = trends_[b];
        trend.zero < never && std::abs(trend.now) < small * trend.usual &&
        found_[b] * trend.now > 0 && std::abs(found_[b]) >= clear_again * trend.usual)
      return true;
  return false;
}

bool FoldWatch::clear() const {
  return std::ranges::all_of(
      trends_, [](const Trend& trend) { return std::abs(trend.now) >= clear_again * trend.usual; });
}

void FoldWatch::take_for_usual() {
  for (Trend& trend : trends_) trend.usual = std::abs(trend.now);
}

void FoldWatch::exchange(Archive& archive) {
  for (std::vector<double>& sizes : row_sizes_) archive(sizes);
  archive(trends_, t_, last_step_, began_, n_in_vain_, disregarded_until_);
}

}  // namespace alembert::integrate
