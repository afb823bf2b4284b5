// SPDX-License-Identifier: Apache-2.0
// Stage: result. What a run leaves behind: times, and one value a named variable and time.
// In: rows from an integrator or a file, in the order of the run; two rows may share a time, which
// is how an event shows both its sides. Out: rows, columns, single values. The values are one flat
// array.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace alembert::result {

class Trajectory {
 public:
  Trajectory() = default;
  /// Names of the variables, without time; each only once.
  explicit Trajectory(std::vector<std::string> names);

  std::size_t n_rows() const { return times_.size(); }
  std::size_t n_columns() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<double>& times() const { return times_; }

  void reserve(std::size_t n_rows);
  void append(double time, std::span<const double> row);

  std::span<const double> row(std::size_t i) const {
    return {values_.data() + i * n_columns(), n_columns()};
  }
  double value(std::size_t row, std::size_t column) const { return this->row(row)[column]; }

  std::optional<std::size_t> find(std::string_view name) const;
  std::vector<double> column(std::size_t column) const;
  /// By the name in the model, or `time`. Error R004, with the nearest names, where there is none.
  std::vector<double> column(std::string_view name) const;

  friend bool operator==(const Trajectory& a, const Trajectory& b) {
    return a.names_ == b.names_ && a.times_ == b.times_ && a.values_ == b.values_;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> index_;  // looked up only
  std::vector<double> times_;                                                  // [n_rows]
  std::vector<double> values_;  // [n_rows * n_columns], row by row
};

}  // namespace alembert::result
