// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/base/error.hpp"
#include "alembert/base/similar_names.hpp"

namespace alembert::result {
namespace {

// "did you mean 'a', 'b'?", from names that differ in a third of their letters at most.
std::string suggestion(std::string_view name, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (const std::string& other : names) {
    const std::size_t longer = std::max(name.size(), other.size());
    const std::size_t shorter = std::min(name.size(), other.size());
    if (longer > 200 || (longer - shorter) * 3 > longer) continue;
    const std::size_t distance = edit_distance(name, other);
    if (distance * 3 <= longer) near.emplace_back(distance, other);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(near.size(), 3); ++i)
    text += fmt::format("{}'{}'", i == 0 ? " Did you mean " : ", ", near[i].second);
  if (!text.empty()) return text + "?";
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i)
    text += fmt::format("{}'{}'", i == 0 ? " There are " : ", ", names[i]);
  return text + (names.size() > 8 ? ", ..." : names.empty() ? "" : ".");
}

}  // namespace

Trajectory::Trajectory(std::vector<std::string> names) : names_(std::move(names)) {
  index_.reserve(names_.size());
  for (std::size_t i = 0; i < names_.size(); ++i)
    ensure(index_.emplace(names_[i], i).second, "two columns of a trajectory have the same name");
}

void Trajectory::reserve(std::size_t n_rows) {
  times_.reserve(n_rows);
  values_.reserve(n_rows * n_columns());
}

void Trajectory::append(double time, std::span<const double> row) {
  ensure(row.size() == n_columns(), "a row of a trajectory has one value for each column");
  times_.push_back(time);
  values_.insert(values_.end(), row.begin(), row.end());
}

std::optional<std::size_t> Trajectory::find(std::string_view name) const {
  const auto at = index_.find(name);
  if (at == index_.end()) return std::nullopt;
  return at->second;
}

std::vector<double> Trajectory::column(std::size_t column) const {
  ensure(column < n_columns(), "a trajectory has no such column");
  std::vector<double> values(n_rows());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i, column);
  return values;
}

std::vector<double> Trajectory::column(std::string_view name) const {
  if (const auto at = find(name)) return column(*at);
  if (name == "time") return times_;
  throw Error("R004", fmt::format("the result has no variable '{}' among its {}.{}", name,
                                  n_columns(), suggestion(name, names_)));
}

}  // namespace alembert::result
