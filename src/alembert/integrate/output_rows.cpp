// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/output_rows.hpp"

#include <algorithm>
#include <limits>

#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {

OutputRows::OutputRows(const ModelPoint& point, const SimulateOptions& options)
    : point_(point), options_(options) {
  std::vector<std::string> names = point.model().variable_names();
  for (const auto& observed : point.model().flat().observed) names.push_back(observed.name);
  for (const auto& variable : point.model().flat().discrete_variables)
    names.push_back(point.model().flat().pool->symbol_text(variable.symbol));
  row_.resize(names.size());
  if (options_.rows != nullptr) {
    options_.rows->begin(names);
    return;
  }
  trajectory_ = result::Trajectory(std::move(names));
  trajectory_.reserve(options.save_at.empty() ? options.intervals + 1 : options.save_at.size());
}

double OutputRows::next_time() const {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (!options_.save_at.empty())
    return next_ < options_.save_at.size() ? options_.save_at[next_] : never;
  if (next_ > options_.intervals) return never;
  if (next_ == options_.intervals) return options_.stop;
  return options_.start +
         (options_.stop - options_.start) * static_cast<double>(next_) / options_.intervals;
}

void OutputRows::pass(double t) {
  while (next_time() <= t) ++next_;
}

void OutputRows::exchange(Archive& archive) {
  archive(n_rows_, largest_residual_);
  std::vector<double> times = trajectory_.times();
  archive(times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!archive.reading()) row_.assign(trajectory_.row(i).begin(), trajectory_.row(i).end());
    archive(row_);
    if (archive.reading()) trajectory_.append(times[i], row_);
  }
}

void OutputRows::write() {
  const auto outputs = point_.outputs();
  const auto& layout = point_.model().constants();
  std::copy(outputs.begin(), outputs.end(), row_.begin());
  std::copy_n(point_.constants().begin() + layout.discretes, row_.size() - outputs.size(),
              row_.begin() + static_cast<std::ptrdiff_t>(outputs.size()));
  ++n_rows_;
  if (options_.rows != nullptr)
    options_.rows->append(point_.time(), row_);
  else
    trajectory_.append(point_.time(), row_);
  largest_residual_ = std::max(
      largest_residual_,
      point_.model().constraint_residual(point_.time(), outputs.data(), point_.constants().data()));
}

}  // namespace alembert::integrate
