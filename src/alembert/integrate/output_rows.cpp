// SPDX-License-Identifier: Apache-2.0
#include "alembert/integrate/output_rows.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string>

#include "alembert/base/constants.hpp"
#include "alembert/base/number_text.hpp"
#include "alembert/integrate/archive.hpp"

namespace alembert::integrate {

namespace {

/// True for the names by which models call what should stay as it is: energy, E_total,
/// angularMomentum, momentum_z, ...; of the last part of the name.
bool names_conserved(const std::string& name) {
  const auto dot = name.rfind('.');
  std::string letters;
  for (const char c : dot == std::string::npos ? name : name.substr(dot + 1)) {
    if (c == '[') break;
    if (c != '_') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const std::string without_axis = letters.substr(0, letters.empty() ? 0 : letters.size() - 1);
  const bool has_axis = !letters.empty() && letters.back() >= 'x' && letters.back() <= 'z';
  for (const char* word :
       {"energy", "totalenergy", "energytotal", "mechanicalenergy", "etotal", "etot", "hamiltonian",
        "momentum", "angularmomentum", "linearmomentum", "totalmomentum"})
    if (letters == word || (has_axis && without_axis == word)) return true;
  return false;
}

}  // namespace

OutputRows::OutputRows(const ModelPoint& point, const SimulateOptions& options)
    : point_(point), options_(options), columns_(point.model()) {
  std::vector<std::string> names = columns_.names;
  residuals_.resize(point.model().n_constraint_levels());
  largest_residuals_.resize(residuals_.size(), 0.0);
  for (std::uint32_t c = 0; c < names.size(); ++c)
    if (names_conserved(names[c])) conserved_.push_back({c, 0, 0});
  for (std::uint32_t k = 0; k < point.model().n_variables(); ++k) {
    const auto range = point.model().range_of(k);
    if (!(range.min > -infinity || range.max < infinity)) continue;
    const double nominal = point.model().nominal_of(k);
    const auto slack = [&](double bound) {
      constexpr double share = 10;
      return share * options.tolerance * std::max(nominal > 0 ? nominal : 1.0, std::abs(bound));
    };
    const double min = range.min > -infinity ? range.min - slack(range.min) : -infinity;
    const double max = range.max < infinity ? range.max + slack(range.max) : infinity;
    constexpr double never = std::numeric_limits<double>::quiet_NaN();
    bounded_.push_back({k, min, max, never, never});
  }
  if (options.parameter_columns)
    for (const auto& parameter : point.model().flat().parameters)
      names.push_back(point.model().flat().pool->symbol_text(parameter.symbol));
  row_.resize(names.size());
  names_ = names;
  if (options_.rows != nullptr) {
    options_.rows->begin({std::move(names), values_of_columns()});
    return;
  }
  trajectory_ = result::Trajectory(std::move(names));
  trajectory_.reserve(options.save_at.empty() ? options.intervals + 1 : options.save_at.size());
}

std::vector<result::ColumnValues> OutputRows::values_of_columns() const {
  std::vector<result::ColumnValues> values(names_.size());
  for (std::size_t c = 0; c < columns_.outputs.size(); ++c) {
    const std::uint32_t k = columns_.outputs[c];
    if (k >= columns_.sources.size()) continue;  // observed
    const compile::OutputColumns::Source& source = columns_.sources[k];
    values[c] = {source.constant, source.variable, source.negated};
  }
  for (std::size_t c = columns_.names.size(); c < values.size(); ++c)
    values[c].constant = true;  // parameters
  return values;
}

double OutputRows::next_time() const {
  constexpr double never = infinity;
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
  archive(n_rows_, last_time_, largest_residuals_, conserved_, bounded_);
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
  auto next = row_.begin();
  for (const std::uint32_t k : columns_.outputs) *next++ = outputs[k];
  for (const std::uint32_t k : columns_.discretes)
    *next++ = point_.constants()[layout.discretes + k];
  std::copy_n(point_.constants().begin(), row_.end() - next, next);
  if (options_.rows != nullptr)
    options_.rows->append(point_.time(), row_);
  else
    trajectory_.append(point_.time(), row_);
  point_.model().constraint_residuals(point_.time(), outputs.data(), point_.constants().data(),
                                      residuals_);
  for (std::size_t level = 0; level < residuals_.size(); ++level)
    if (!(residuals_[level] <= largest_residuals_[level]))
      largest_residuals_[level] = residuals_[level];
  for (Watched& watched : conserved_) {
    if (n_rows_ == 0) watched.start = row_[watched.column];
    watched.largest_change =
        std::max(watched.largest_change, std::abs(row_[watched.column] - watched.start));
  }
  look_at_bounds();
  last_time_ = point_.time();
  ++n_rows_;
}

void OutputRows::look_at_bounds() {
  const auto outputs = point_.outputs();
  for (Bounded& one : bounded_) {
    const double value = outputs[one.variable];
    if (!(value < one.min || value > one.max) || !std::isnan(one.time)) continue;
    one.time = point_.time();
    one.value = value;
  }
}

std::string OutputRows::warn_of_bounds() const {
  const auto is_earlier = [](const Bounded& a, const Bounded& b) {
    return std::isnan(b.time) ? !std::isnan(a.time) : a.time < b.time;
  };
  const auto first = std::ranges::min_element(bounded_, is_earlier);
  if (first == bounded_.end() || std::isnan(first->time)) return "";
  const auto others = std::ranges::count_if(
      bounded_, [&](const Bounded& one) { return &one != &*first && !std::isnan(one.time); });
  const auto range = point_.model().range_of(first->variable);
  const bool is_below = first->value < range.min;
  return "'" + point_.model().variable_names()[first->variable] + "' is " +
         rounded_text(first->value) + " at time " + rounded_text(first->time) +
         (is_below ? ", below its min = " + rounded_text(range.min)
                   : ", above its max = " + rounded_text(range.max)) +
         (others == 0   ? std::string()
          : others == 1 ? "; so is one more later on"
                        : "; so are " + std::to_string(others) + " more later on") +
         ". A bound tells what can be, and holds nothing back: look for a mistake in the model, or "
         "give a smaller tolerance or nominal values.";
}

void OutputRows::report(SimulationResult& result) const {
  for (auto level = static_cast<std::uint32_t>(residuals_.size()); level-- > 0;) {
    result.constraint_levels.push_back(
        {level, point_.model().n_constraints(level), largest_residuals_[level]});
    if (!(largest_residuals_[level] <= result.largest_constraint_residual))
      result.largest_constraint_residual = largest_residuals_[level];
  }
  for (const Watched& watched : conserved_)
    result.conserved.push_back({names_[watched.column], watched.start, watched.largest_change});
}

}  // namespace alembert::integrate
