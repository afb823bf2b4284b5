// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. Tables that a C function `usertab` of the model has: it is
// asked when the table is made, for the size first and then for the numbers. The function is found
// in what the functions of the model include, as a linker would find it there.
#include <stdexcept>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/external/c_function.hpp"
#include "alembert/frontend/modelica/evaluate/external/user_tables.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/instance/tree.hpp"
#include "alembert/frontend/modelica/syntax/library.hpp"

namespace alembert::modelica {

namespace {

constexpr const char* callers = R"(
#include "ModelicaUtilities.h"
static double* alembert_user_table(const char* name, int kind, int* sizes, int* by_columns) {
  double* table = NULL;
  sizes[0] = sizes[1] = *by_columns = 0;
  if (usertab((char*)name, kind, sizes, by_columns, &table) != 0 || table == NULL)
    ModelicaFormatError("usertab has no table '%s'", name);
  return table;
}
void alembert_user_table_sizes(const char* name, int kind, int* rows, int* columns) {
  int sizes[2], by_columns;
  alembert_user_table(name, kind, sizes, &by_columns);
  *rows = sizes[0];
  *columns = sizes[1];
}
void alembert_user_table_entries(const char* name, int kind, double* entries) {
  int sizes[2], by_columns;
  const double* table = alembert_user_table(name, kind, sizes, &by_columns);
  for (int i = 0; i < sizes[0]; ++i)
    for (int j = 0; j < sizes[1]; ++j)
      entries[i*sizes[1] + j] = by_columns ? table[j*sizes[0] + i] : table[i*sizes[1] + j];
}
)";

constexpr double most_entries = 1e8;

/// What the first function of the model includes whose C code has it.
std::optional<CSources> sources_with_usertab(const ExternalCall& call) {
  Instance& model = call.callee->tree().model();
  for (ClassNode* child : model.class_node().children()) {
    Instance* function = model.member(child->name());
    if (function == nullptr || !function->is_class() || function->external().item == nullptr)
      continue;
    CSources sources = call.evaluation.c_sources(*function, call);
    if (sources.include.find("usertab") != std::string::npos) return sources;
  }
  return std::nullopt;
}

std::vector<double> called(const CSources& sources, const std::string& symbol,
                           std::vector<CPart> outputs, const std::string& table, int kind,
                           const ExternalCall& call) {
  CSignature signature{.symbol = symbol, .function = call.function};
  signature.arguments = {{.kind = ValueKind::string}, {.kind = ValueKind::integer}};
  signature.arguments.insert(signature.arguments.end(), outputs.begin(), outputs.end());
  CCall now{.numbers = {static_cast<double>(kind)}, .texts = {table}};
  std::optional<std::string> message;
  try {
    message = CFunction::make(signature, sources)->call(now);
  } catch (const std::runtime_error& error) {
    fail(call.place, "M212",
         "the function usertab, which has this table, is not available here: " +
             std::string(error.what()) + ".");
  }
  if (message) fail(call.place, "M215", "this table cannot be used: " + *message + ".");
  return std::move(now.numbers_out);
}

}  // namespace

std::optional<tables::Matrix> user_table(const ExternalCall& call, const std::string& table,
                                         UserTableKind kind) {
  std::optional<CSources> sources = sources_with_usertab(call);
  if (!sources) return std::nullopt;
  sources->include += callers;
  const CPart size{.kind = ValueKind::integer, .is_output = true};
  const std::vector<double> sizes = called(*sources, "alembert_user_table_sizes", {size, size},
                                           table, static_cast<int>(kind), call);
  if (sizes[0] < 1 || sizes[1] < 1 || sizes[0] * sizes[1] > most_entries)
    fail(call.place, "M215",
         "this table cannot be used: usertab says that '" + table + "' has " +
             std::to_string(static_cast<long>(sizes[0])) + " rows and " +
             std::to_string(static_cast<long>(sizes[1])) + " columns.");
  tables::Matrix matrix{static_cast<std::size_t>(sizes[0]), static_cast<std::size_t>(sizes[1]), {}};
  const CPart entries{.kind = ValueKind::real,
                      .count = matrix.n_rows * matrix.n_columns,
                      .is_array = true,
                      .is_output = true};
  matrix.entries = called(*sources, "alembert_user_table_entries", {entries}, table,
                          static_cast<int>(kind), call);
  return matrix;
}

}  // namespace alembert::modelica
