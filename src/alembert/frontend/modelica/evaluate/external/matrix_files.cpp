// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Matrices in MATLAB files: their sizes and their numbers.
#include <stdexcept>
#include <unordered_map>

#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/tables/table_file.hpp"

namespace alembert::modelica {

namespace {

tables::Matrix named_matrix(const ExternalCall& call) {
  try {
    return tables::read_table(resolved_file_name(call, call.text(0)), call.text(1), {});
  } catch (const std::runtime_error& error) {
    fail(call.place, "M215", std::string("this matrix cannot be read: ") + error.what() + ".");
  }
}

/// ModelicaIO_readMatrixSizes(file, name, dim)
void matrix_sizes(ExternalCall& call) {
  const tables::Matrix matrix = named_matrix(call);
  call.outputs[2] = call.integers_like(
      2, {static_cast<std::int64_t>(matrix.n_rows), static_cast<std::int64_t>(matrix.n_columns)});
}

/// ModelicaIO_readRealMatrix(file, name, matrix, n_rows, n_columns, verbose)
void real_matrix(ExternalCall& call) {
  const tables::Matrix matrix = named_matrix(call);
  if (matrix.n_rows != static_cast<std::size_t>(call.integer(3)) ||
      matrix.n_columns != static_cast<std::size_t>(call.integer(4)))
    fail(call.place, "M203",
         "the matrix '" + call.text(1) + "' has " + std::to_string(matrix.n_rows) + " rows and " +
             std::to_string(matrix.n_columns) + " columns in the file, not as many as wanted.");
  call.outputs[2] = call.reals_like(2, matrix.entries);
}

/// Writing goes nowhere, as printing does: results are what a run is for.
void write_matrix(ExternalCall& call) { call.result = call.truth(true); }

}  // namespace

ExternalFunction find_matrix_file_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"ModelicaIO_readMatrixSizes", matrix_sizes},
      {"ModelicaIO_readRealMatrix", real_matrix},
      {"ModelicaIO_writeRealMatrix", write_matrix},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
