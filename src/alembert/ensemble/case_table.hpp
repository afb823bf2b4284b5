// SPDX-License-Identifier: Apache-2.0
// Stage: ensemble. The cases of a sweep. In: variations as a user writes them,
// "g=linspace(9,10,50)" or "m=normal(1,0.1)", tables, and a design. Out: a table with one row a
// case, which is the same for the same words and seed, wherever it is made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/ensemble/point_sets.hpp"

namespace alembert::ensemble {

struct Variation {
  enum class Kind { values, uniform, normal, lognormal };

  std::string name;
  Kind kind = Kind::values;
  std::vector<double> values = {};  ///< of Kind::values
  std::vector<std::string> labels =
      {};                        ///< [n values] or empty: words such as true, then 1, 2, ...
  double first = 0, second = 0;  ///< of the others: ends, or mean and standard deviation

  bool sampled() const { return kind != Kind::values; }
};

/// NAME=linspace(a,b,n), logspace(a,b,n) (from 10^a to 10^b), geomspace(a,b,n), range(a,b,step),
/// uniform(a,b), normal(mean,sd), lognormal(mean,sd), or values with commas, in braces or not.
/// Error U020 that says what is wrong and how it is written.
Variation parse_variation(std::string_view text);

/// One row a case.
struct CaseTable {
  std::vector<std::string> names;   // [n_names]
  std::vector<double> values = {};  // [n_cases][n_names]
  /// [n_names]: words for the values 1, 2, ... of a column; empty for numbers.
  std::vector<std::vector<std::string>> labels = {};

  std::uint64_t n_cases() const { return names.empty() ? 0 : values.size() / names.size(); }
  double value(std::uint64_t row, std::size_t column) const {
    return values[row * names.size() + column];
  }
  /// As it would be written in a model.
  std::string text(std::uint64_t row, std::size_t column) const;
};

/// Comma-separated text, names first. Error U021 with line and column. Words are taken as they are.
CaseTable parse_case_table(std::string_view csv, std::string_view file_name);

enum class Design {
  automatic,        ///< lists: every combination; distributions: random samples of each of them
  factorial,        ///< every combination of lists
  random,           ///< n_samples points: a list is a range of equal chances
  latin_hypercube,  ///< likewise, one in each of n_samples equal parts of every axis
  sobol,            ///< likewise, points of a sequence of low discrepancy
};

struct DesignOptions {
  Design design = Design::automatic;
  std::uint64_t n_samples = 0;
  std::uint64_t seed = 0;
};

/// Every row of the table (if it has any) with every case of the variations. Error U022 where the
/// design does not fit, U023 where there are none or too many cases.
CaseTable make_cases(const CaseTable& table, const std::vector<Variation>& variations,
                     const DesignOptions& options);

}  // namespace alembert::ensemble
