// SPDX-License-Identifier: Apache-2.0
// Stage: frontend/modelica, evaluate. The table objects of the standard library: made from their
// arguments before the run, then functions of the pool with their derivatives.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "alembert/frontend/modelica/evaluate/evaluation.hpp"
#include "alembert/frontend/modelica/evaluate/external/external_call.hpp"
#include "alembert/frontend/modelica/evaluate/external/user_tables.hpp"
#include "alembert/frontend/modelica/evaluate/fail.hpp"
#include "alembert/frontend/modelica/evaluate/tables/surface.hpp"
#include "alembert/frontend/modelica/evaluate/tables/table_file.hpp"
#include "alembert/frontend/modelica/evaluate/tables/time_table.hpp"
#include "alembert/symbolic/evaluate.hpp"

namespace alembert::modelica {

namespace {

using symbolic::FunctionId;
using tables::Extrapolation;
using tables::Matrix;
using tables::Smoothness;

struct TimeTableObject final : ExternalObject {
  explicit TimeTableObject(tables::TimeTable made) : table(std::move(made)) {}
  tables::TimeTable table;
};

struct Table1DObject final : ExternalObject {
  std::vector<tables::Curve> curves;
  double first = 0;
  double last = 0;
};

struct Table2DObject final : ExternalObject {
  explicit Table2DObject(tables::Surface made) : surface(std::move(made)) {}
  tables::Surface surface;
};

[[noreturn]] void bad_table(const ExternalCall& call, const std::string& why) {
  fail(call.place, "M215", "this table cannot be used: " + why + ".");
}

/// From the file if one is named, else from the argument, or from a function in C.
Matrix matrix_of_call(const ExternalCall& call, std::size_t delimiter, UserTableKind kind) {
  const std::string& file = call.text(0);
  const std::string& table = call.text(1);
  const auto is_named = [](const std::string& name) {
    return name != "NoName" && name.find_first_not_of(' ') != std::string::npos;
  };
  if (is_named(file)) {
    tables::FileOptions options;
    if (call.arguments.size() > delimiter + 1) {
      options.delimiter = call.text(delimiter);
      options.n_header_lines = static_cast<int>(call.integer(delimiter + 1));
    }
    try {
      return tables::read_table(resolved_file_name(call, file), table, options);
    } catch (const std::runtime_error& error) {
      bad_table(call, error.what());
    }
  }
  const Value& given = call.argument(2);
  const bool is_empty = given.dims.size() != 2 || given.count() == 0;
  if (is_empty && is_named(table)) {
    if (std::optional<Matrix> made = user_table(call, table, kind)) return std::move(*made);
    bad_table(call, "no file is named for the table '" + table +
                        "', which asks for a function usertab in C, and no function of the model "
                        "includes one. Name the file, or give the numbers as a matrix");
  }
  if (is_empty) bad_table(call, "it has no entries");
  return {static_cast<std::size_t>(given.dims[0]), static_cast<std::size_t>(given.dims[1]),
          call.numbers(2)};
}

std::vector<std::size_t> columns_of(const ExternalCall& call, std::size_t k, const Matrix& matrix) {
  std::vector<std::size_t> columns;
  for (const double column : call.numbers(k)) {
    if (column < 1 || column > static_cast<double>(matrix.n_columns))
      bad_table(call, "there is no column " + std::to_string(static_cast<long>(column)) +
                          ", it has " + std::to_string(matrix.n_columns));
    columns.push_back(static_cast<std::size_t>(column));
  }
  return columns;
}

void require_increasing(const ExternalCall& call, const std::vector<double>& x, bool strictly) {
  for (std::size_t i = 1; i < x.size(); ++i)
    if (strictly ? x[i] <= x[i - 1] : x[i] < x[i - 1])
      bad_table(call, "its abscissa must increase, but " + std::to_string(x[i]) + " follows " +
                          std::to_string(x[i - 1]));
}

std::vector<double> first_column(const Matrix& matrix, std::size_t from_row = 0) {
  std::vector<double> x;
  for (std::size_t row = from_row; row < matrix.n_rows; ++row) x.push_back(matrix(row, 0));
  return x;
}

void finish(ExternalCall& call, std::shared_ptr<const ExternalObject> object) {
  Value value;
  value.kind = ValueKind::external_object;
  value.object = std::move(object);
  call.result = std::move(value);
}

Smoothness smoothness_of(const ExternalCall& call, std::size_t k) {
  const std::int64_t kind = call.integer(k);
  if (kind < 1 || kind > 6) bad_table(call, "its smoothness is not known");
  return static_cast<Smoothness>(kind);
}

void time_table_init(ExternalCall& call) {
  const Matrix matrix = matrix_of_call(call, 13, UserTableKind::time);
  tables::TimeTable::Options options;
  options.start_time = call.number(5);
  const auto columns = columns_of(call, 6, matrix);
  options.smoothness = smoothness_of(call, 8);
  options.extrapolation = static_cast<Extrapolation>(call.integer(9));
  options.shift_time = call.number(10);
  options.time_events = static_cast<tables::TimeEvents>(call.integer(11));
  require_increasing(call, first_column(matrix), tables::is_spline(options.smoothness));
  finish(call, std::make_shared<TimeTableObject>(tables::TimeTable(options, matrix, columns)));
}

void table_1d_init(ExternalCall& call) {
  const Matrix matrix = matrix_of_call(call, 10, UserTableKind::one_dimension);
  const auto columns = columns_of(call, 5, matrix);
  const Smoothness smoothness = smoothness_of(call, 7);
  const auto extrapolation = static_cast<Extrapolation>(call.integer(8));
  const std::vector<double> x = first_column(matrix);
  require_increasing(call, x, tables::is_spline(smoothness));
  auto object = std::make_shared<Table1DObject>();
  object->first = x.front();
  object->last = x.back();
  for (const std::size_t column : columns) {
    std::vector<double> y;
    for (std::size_t row = 0; row < matrix.n_rows; ++row) y.push_back(matrix(row, column - 1));
    object->curves.emplace_back(smoothness, extrapolation, x, std::move(y));
  }
  finish(call, std::move(object));
}

void table_2d_init(ExternalCall& call) {
  const Matrix matrix = matrix_of_call(call, 8, UserTableKind::two_dimensions);
  const Smoothness smoothness = smoothness_of(call, 5);
  const auto extrapolation = static_cast<Extrapolation>(call.integer(6));
  if (matrix.n_rows < 2 || matrix.n_columns < 2)
    bad_table(call, "it needs at least two rows and two columns");
  require_increasing(call, first_column(matrix, 1), true);
  std::vector<double> y;
  for (std::size_t j = 1; j < matrix.n_columns; ++j) y.push_back(matrix(0, j));
  require_increasing(call, y, true);
  finish(call, std::make_shared<Table2DObject>(tables::Surface(smoothness, extrapolation, matrix)));
}

template <class Object>
std::shared_ptr<const Object> object_of(const ExternalCall& call) {
  auto object = std::dynamic_pointer_cast<const Object>(call.argument(0).object);
  if (!object) fail(call.place, "M213", "the table object has not been made yet.");
  return object;
}

std::size_t column_of(const ExternalCall& call, std::size_t n_columns) {
  const std::int64_t column = call.integer(1);
  if (column < 1 || static_cast<std::size_t>(column) > n_columns)
    fail(call.place, "M206",
         "column " + std::to_string(column) + " of a table with " + std::to_string(n_columns) +
             " columns.");
  return static_cast<std::size_t>(column - 1);
}

// --- functions of the pool: value, first and second derivatives; the third is zero

using Body = std::function<double(std::span<const double>)>;

/// A function whose partials are known; defined once for each name.
FunctionId defined(symbolic::ExprPool& pool, const std::string& name, std::uint32_t arity,
                   Body body, std::vector<FunctionId> partials, bool numeric = false) {
  if (const FunctionId found = pool.find_function(name); found.valid()) return found;
  return pool.define_function(name, arity, std::move(body), std::move(partials), numeric);
}

FunctionId zero_function(symbolic::ExprPool& pool, std::uint32_t arity) {
  return defined(
      pool, "zero#" + std::to_string(arity), arity, [](std::span<const double>) { return 0.0; }, {},
      true);
}

std::string object_name(ExternalCall& call, const char* kind, std::size_t column) {
  return std::string(kind) + "#" +
         std::to_string(call.evaluation.object_number(call.argument(0).object)) + "." +
         std::to_string(column + 1);
}

struct CurveFunctions {
  FunctionId value, first, second;
};

CurveFunctions curve_functions(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto object = object_of<Table1DObject>(call);
  const std::size_t column = column_of(call, object->curves.size());
  const std::string name = object_name(call, "table1D", column);
  CurveFunctions result;
  result.second = defined(pool, name + ".der2", 1,
                          [object, column](std::span<const double> u) {
                            return object->curves[column].at(u[0]).second;
                          },
                          {zero_function(pool, 1)});
  result.first = defined(
      pool, name + ".der", 1,
      [object, column](std::span<const double> u) { return object->curves[column].at(u[0]).first; },
      {result.second});
  result.value = defined(
      pool, name, 1,
      [object, column](std::span<const double> u) { return object->curves[column].at(u[0]).value; },
      {result.first});
  return result;
}

CurveFunctions time_functions(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto object = object_of<TimeTableObject>(call);
  const std::size_t column = column_of(call, object->table.n_columns());
  const std::string name = object_name(call, "timeTable", column);
  const FunctionId zero = zero_function(pool, 3);
  const auto jet = [object, column](std::span<const double> u) {
    return object->table.at(column, u[0], u[1], u[2]);
  };
  CurveFunctions result;
  result.second =
      defined(pool, name + ".der2", 3, [jet](std::span<const double> u) { return jet(u).second; },
              {zero, zero, zero});
  result.first =
      defined(pool, name + ".der", 3, [jet](std::span<const double> u) { return jet(u).first; },
              {result.second, zero, zero});
  result.value = defined(pool, name, 3, [jet](std::span<const double> u) { return jet(u).value; },
                         {result.first, zero, zero});
  return result;
}

ExprId scalar_argument(const ExternalCall& call, std::size_t k) {
  const Value& value = call.argument(k);
  if (value.scalars.size() != 1) fail(call.place, "M202", "a number is wanted for this table.");
  return value.scalar();
}

/// The call itself, or its number where everything is known.
ExprId called(ExternalCall& call, FunctionId function, std::vector<ExprId> arguments) {
  auto& pool = call.evaluation.pool();
  const bool known = std::all_of(arguments.begin(), arguments.end(),
                                 [&](ExprId id) { return pool.is_number(id); });
  const ExprId result = pool.call(function, arguments);
  if (!known || pool.is_number(result)) return result;
  const double value = symbolic::evaluate_constant(pool, result);
  return std::isfinite(value) ? pool.real(value) : result;
}

void set_result(ExternalCall& call, ExprId id) { call.result = scalar_value(ValueKind::real, id); }

void table_1d_value(ExternalCall& call) {
  set_result(call, called(call, curve_functions(call).value, {scalar_argument(call, 2)}));
}

void table_1d_derivative(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const ExprId slope = called(call, curve_functions(call).first, {scalar_argument(call, 2)});
  set_result(call, pool.mul(slope, scalar_argument(call, 3)));
}

void table_1d_second_derivative(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto functions = curve_functions(call);
  const ExprId u = scalar_argument(call, 2);
  const ExprId rate = scalar_argument(call, 3);
  set_result(call,
             pool.add(pool.mul(called(call, functions.second, {u}), pool.pow(rate, 2)),
                      pool.mul(called(call, functions.first, {u}), scalar_argument(call, 4))));
}

void table_1d_minimum(ExternalCall& call) {
  call.result = call.real(object_of<Table1DObject>(call)->first);
}

void table_1d_maximum(ExternalCall& call) {
  call.result = call.real(object_of<Table1DObject>(call)->last);
}

std::vector<ExprId> time_arguments(const ExternalCall& call) {
  return {scalar_argument(call, 2), scalar_argument(call, 3), scalar_argument(call, 4)};
}

void time_table_value(ExternalCall& call) {
  set_result(call, called(call, time_functions(call).value, time_arguments(call)));
}

void time_table_derivative(ExternalCall& call) {
  const ExprId slope = called(call, time_functions(call).first, time_arguments(call));
  set_result(call, call.evaluation.pool().mul(slope, scalar_argument(call, 5)));
}

void time_table_second_derivative(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto functions = time_functions(call);
  const auto arguments = time_arguments(call);
  const ExprId rate = scalar_argument(call, 5);
  set_result(
      call, pool.add(pool.mul(called(call, functions.second, arguments), pool.pow(rate, 2)),
                     pool.mul(called(call, functions.first, arguments), scalar_argument(call, 6))));
}

void time_table_minimum(ExternalCall& call) {
  call.result = call.real(object_of<TimeTableObject>(call)->table.first_time());
}

void time_table_maximum(ExternalCall& call) {
  call.result = call.real(object_of<TimeTableObject>(call)->table.last_time());
}

void time_table_next_event(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto object = object_of<TimeTableObject>(call);
  const FunctionId function =
      defined(pool, object_name(call, "timeTable", 0) + ".nextEvent", 1,
              [object](std::span<const double> u) { return object->table.next_event(u[0]); },
              {zero_function(pool, 1)});
  set_result(call, called(call, function, {scalar_argument(call, 1)}));
}

struct SurfaceFunctions {
  FunctionId z, x, y, xx, xy, yy;
};

SurfaceFunctions surface_functions(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto object = object_of<Table2DObject>(call);
  const std::string name = object_name(call, "table2D", 0);
  const FunctionId zero = zero_function(pool, 2);
  const auto part = [&](const char* suffix, double tables::SurfaceJet::*member,
                        std::vector<FunctionId> partials) {
    return defined(
        pool, name + suffix, 2,
        [object, member](std::span<const double> u) {
          return object->surface.at(u[0], u[1]).*member;
        },
        std::move(partials));
  };
  SurfaceFunctions result;
  result.xx = part(".xx", &tables::SurfaceJet::z_xx, {zero, zero});
  result.xy = part(".xy", &tables::SurfaceJet::z_xy, {zero, zero});
  result.yy = part(".yy", &tables::SurfaceJet::z_yy, {zero, zero});
  result.x = part(".x", &tables::SurfaceJet::z_x, {result.xx, result.xy});
  result.y = part(".y", &tables::SurfaceJet::z_y, {result.xy, result.yy});
  result.z = part("", &tables::SurfaceJet::z, {result.x, result.y});
  return result;
}

void table_2d_value(ExternalCall& call) {
  set_result(call, called(call, surface_functions(call).z,
                          {scalar_argument(call, 1), scalar_argument(call, 2)}));
}

void table_2d_derivative(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto functions = surface_functions(call);
  const std::vector<ExprId> at = {scalar_argument(call, 1), scalar_argument(call, 2)};
  set_result(call, pool.add(pool.mul(called(call, functions.x, at), scalar_argument(call, 3)),
                            pool.mul(called(call, functions.y, at), scalar_argument(call, 4))));
}

void table_2d_second_derivative(ExternalCall& call) {
  auto& pool = call.evaluation.pool();
  const auto functions = surface_functions(call);
  const std::vector<ExprId> at = {scalar_argument(call, 1), scalar_argument(call, 2)};
  const ExprId dx = scalar_argument(call, 3);
  const ExprId dy = scalar_argument(call, 4);
  const ExprId terms[] = {
      pool.mul(called(call, functions.xx, at), pool.pow(dx, 2)),
      pool.mul(pool.integer(2), pool.mul(called(call, functions.xy, at), pool.mul(dx, dy))),
      pool.mul(called(call, functions.yy, at), pool.pow(dy, 2)),
      pool.mul(called(call, functions.x, at), scalar_argument(call, 5)),
      pool.mul(called(call, functions.y, at), scalar_argument(call, 6))};
  set_result(call, pool.add(terms));
}

void table_2d_minimum(ExternalCall& call) {
  const auto least = object_of<Table2DObject>(call)->surface.minimum();
  call.outputs[1] = call.reals_like(1, {least[0], least[1]});
}

void table_2d_maximum(ExternalCall& call) {
  const auto most = object_of<Table2DObject>(call)->surface.maximum();
  call.outputs[1] = call.reals_like(1, {most[0], most[1]});
}

}  // namespace

ExternalFunction find_table_function(std::string_view name) {
  static const std::unordered_map<std::string_view, ExternalFunction> functions = {
      {"CombiTimeTable_init3", time_table_init},
      {"CombiTimeTable_getValue", time_table_value},
      {"CombiTimeTable_getDerValue", time_table_derivative},
      {"CombiTimeTable_getDer2Value", time_table_second_derivative},
      {"CombiTimeTable_minimumTime", time_table_minimum},
      {"CombiTimeTable_maximumTime", time_table_maximum},
      {"CombiTimeTable_nextTimeEvent", time_table_next_event},
      {"CombiTable1D_init3", table_1d_init},
      {"CombiTable1D_getValue", table_1d_value},
      {"CombiTable1D_getDerValue", table_1d_derivative},
      {"CombiTable1D_getDer2Value", table_1d_second_derivative},
      {"CombiTable1D_minimumAbscissa", table_1d_minimum},
      {"CombiTable1D_maximumAbscissa", table_1d_maximum},
      {"CombiTable2D_init3", table_2d_init},
      {"CombiTable2D_getValue", table_2d_value},
      {"CombiTable2D_getDerValue", table_2d_derivative},
      {"CombiTable2D_getDer2Value", table_2d_second_derivative},
      {"CombiTable2D_minimumAbscissa", table_2d_minimum},
      {"CombiTable2D_maximumAbscissa", table_2d_maximum},
  };
  constexpr std::string_view prefix = "ModelicaStandardTables_";
  if (name.substr(0, prefix.size()) != prefix) return nullptr;
  const auto found = functions.find(name.substr(prefix.size()));
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace alembert::modelica
