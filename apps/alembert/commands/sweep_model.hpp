// SPDX-License-Identifier: Apache-2.0
// The model of a sweep. In: options, names that vary. Out: for each case a compiled model and the
// values to give it. A parameter that is data is given for the run; a start value becomes one; what
// decides about the structure (sizes, switches) makes another model, compiled once for each
// combination of its values.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "alembert/ensemble/case_table.hpp"
#include "alembert/integrate/simulate.hpp"
#include "model_options.hpp"

namespace alembert::commands {

class SweepModel {
 public:
  /// Reads the model; warnings go to standard error unless `quiet`. Columns of `cases` that are
  /// start values are renamed, "x" to "x(start)". Error as of a name that the model does not have.
  SweepModel(const ModelOptions& options, ensemble::CaseTable& cases, bool quiet);

  const std::string& name() const { return name_; }
  const flat::Experiment& experiment() const { return experiment_; }
  /// Of variables and parameters.
  const std::map<std::string, std::string>& units() const { return units_; }
  /// Of the first case.
  const compile::CompiledModel& first() { return variant(0); }
  /// The model of a case, kept while others like it may follow.
  const compile::CompiledModel& variant(std::uint64_t number);
  integrate::SimulateOptions options_for(std::uint64_t number,
                                         integrate::SimulateOptions options) const;

 private:
  enum class Role { parameter, start, structural };

  /// Parameters that vary and are zero in the model get another value of theirs, so that one model
  /// does for all cases. Whether there were any.
  bool leave_zero(const flat::FlatSystem& system);
  /// Whether the model has another structure where this parameter, data otherwise, is zero.
  bool changes_at_zero(std::size_t column) const;
  bool is_zero_case(std::uint64_t number, std::size_t column) const;
  flat::FlatSystem flat_for(std::uint64_t number, bool quiet) const;

  ModelOptions options_;
  const ensemble::CaseTable& cases_;
  std::vector<Role> roles_;  // [n_names]
  std::vector<char>
      zero_differs_;  // [n_names]: of parameters, a case of value zero is another model
  std::vector<std::string> names_;  // [n_names]: as in the model
  std::string name_;
  flat::Experiment experiment_;
  std::map<std::string, std::string> units_;
  struct Variant {
    std::vector<std::string> values;
    std::unique_ptr<compile::CompiledModel> model;
    std::vector<std::size_t> decided;  // columns whose values are part of its structure
    std::uint64_t made_for;            // a case
  };
  bool fits(const Variant& variant, const std::vector<std::string>& values,
            std::uint64_t number) const;
  std::list<Variant> variants_;  // the latest first
};

}  // namespace alembert::commands
