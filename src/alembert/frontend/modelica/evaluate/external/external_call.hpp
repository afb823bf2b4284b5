// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. External functions: our own implementations, by the name they
// have in C or FORTRAN. In: the arguments of the external call, evaluated. Out: the returned value,
// and new values for arguments that are outputs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/frontend/modelica/evaluate/value.hpp"
#include "alembert/frontend/modelica/syntax/source.hpp"

namespace alembert::modelica {

class Evaluation;
class ClassLibrary;
struct External;

struct ExternalCall {
  Evaluation& evaluation;
  std::string function;          ///< full name of the Modelica function, for messages
  std::string symbol;            ///< its name in C or FORTRAN
  std::vector<Value> arguments;  ///< outputs are blank, or as they are before the call
  Place place;
  ClassLibrary& library;  ///< for `modelica://` names
  Instance* callee = nullptr;

  // What the function gives.
  std::optional<Value> result = {};
  std::map<std::size_t, Value> outputs = {};  ///< argument -> value

  const Value& argument(std::size_t k) const;
  bool all_known() const;
  /// Throws NeedsNumbers where an argument is not known: the function then runs in the run.
  void require_known() const;
  double number(std::size_t k) const;
  std::int64_t integer(std::size_t k) const;
  bool boolean(std::size_t k) const;
  const std::string& text(std::size_t k) const;
  std::vector<double> numbers(std::size_t k) const;  ///< row-major

  Value real(double value) const;
  Value integer_value(std::int64_t value) const;
  Value truth(bool value) const;
  /// Reals of the dims of argument k.
  Value reals_like(std::size_t k, const std::vector<double>& values) const;
  Value integers_like(std::size_t k, const std::vector<std::int64_t>& values) const;
};

/// As the clause says, or that of the function.
std::string name_in_c(Instance& function, const External& declared);

using ExternalFunction = void (*)(ExternalCall& call);

/// Null if there is none of that name.
ExternalFunction find_external(std::string_view name);

// The groups, one file each: null if the name is not theirs.
ExternalFunction find_string_function(std::string_view name);
ExternalFunction find_system_function(std::string_view name);
ExternalFunction find_table_function(std::string_view name);
ExternalFunction find_random_function(std::string_view name);
ExternalFunction find_matrix_function(std::string_view name);
ExternalFunction find_fourier_function(std::string_view name);
ExternalFunction find_matrix_file_function(std::string_view name);

/// `modelica://` names relative to the package that they name, others to the present folder.
std::string resolved_file_name(const ExternalCall& call, const std::string& name);

/// What an ExternalObject stands for.
class ExternalObject {
 public:
  virtual ~ExternalObject() = default;
};

}  // namespace alembert::modelica
