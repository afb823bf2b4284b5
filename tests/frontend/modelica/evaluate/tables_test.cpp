// SPDX-License-Identifier: Apache-2.0
// Curves, time tables and surfaces by themselves, and as functions of the pool.
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <fstream>

#include "alembert/frontend/modelica/evaluate/tables/surface.hpp"
#include "alembert/frontend/modelica/evaluate/tables/table_file.hpp"
#include "alembert/frontend/modelica/evaluate/tables/time_table.hpp"
#include "alembert/symbolic/derivative.hpp"
#include "frontend/modelica/evaluate/bench.hpp"

namespace alembert::modelica {
namespace {

using namespace tables;

constexpr Smoothness all_kinds[] = {Smoothness::linear,   Smoothness::akima,
                                    Smoothness::constant, Smoothness::fritsch_butland,
                                    Smoothness::steffen,  Smoothness::modified_akima};

TEST(Curves, GoThroughTheirPoints) {
  const std::vector<double> x = {0, 1, 1.5, 3, 4, 6};
  const std::vector<double> y = {1, 3, 2, 2, 5, 4};
  for (const Smoothness kind : all_kinds) {
    const Curve curve(kind, Extrapolation::hold, x, y);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(curve.at(x[i]).value, y[i], 1e-14) << static_cast<int>(kind);
    EXPECT_EQ(curve.at(-1).value, 1);
    EXPECT_EQ(curve.at(7).value, 4);
  }
}

TEST(Curves, DerivativesAgreeWithDifferences) {
  const std::vector<double> x = {0, 1, 1.5, 3, 4, 6};
  const std::vector<double> y = {1, 3, 2, 2, 5, 4};
  const double h = 1e-5;
  for (const Smoothness kind : all_kinds)
    for (const double u : {-0.7, 0.3, 1.2, 2.2, 3.4, 5.1, 6.8}) {
      const Curve curve(kind, Extrapolation::last_two_points, x, y);
      const double low = curve.at(u - h).value;
      const double high = curve.at(u + h).value;
      const Jet jet = curve.at(u);
      EXPECT_NEAR(jet.first, (high - low) / (2 * h), 1e-8) << static_cast<int>(kind) << " " << u;
      EXPECT_NEAR(jet.second, (high - 2 * jet.value + low) / (h * h), 1e-4);
    }
}

TEST(Curves, AkimaKeepsParabolas) {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 6; ++i) {
    x.push_back(i);
    y.push_back(i * i - 3 * i + 1);
  }
  const Curve curve(Smoothness::akima, Extrapolation::last_two_points, x, y);
  for (const double u : {0.25, 1.5, 2.75, 4.9})
    EXPECT_NEAR(curve.at(u).value, u * u - 3 * u + 1, 1e-13);
}

TEST(Curves, MonotoneKindsStayMonotone) {
  const std::vector<double> x = {0, 1, 2, 3, 4, 5};
  const std::vector<double> y = {0, 0, 0.1, 5, 5, 6};
  for (const Smoothness kind : {Smoothness::fritsch_butland, Smoothness::steffen}) {
    const Curve curve(kind, Extrapolation::hold, x, y);
    double last = 0;
    for (double u = 0; u <= 5; u += 0.01) {
      EXPECT_GE(curve.at(u).value, last - 1e-14);
      last = curve.at(u).value;
    }
  }
}

TEST(Curves, PeriodsAndEdges) {
  const std::vector<double> x = {0, 1, 3};
  const std::vector<double> y = {0, 2, 0};
  const Curve periodic(Smoothness::linear, Extrapolation::periodic, x, y);
  EXPECT_NEAR(periodic.at(4).value, 2, 1e-14);
  EXPECT_NEAR(periodic.at(-1).value, 1, 1e-14);
  const Curve straight(Smoothness::linear, Extrapolation::last_two_points, x, y);
  EXPECT_NEAR(straight.at(5).value, -2, 1e-14);
  EXPECT_NEAR(straight.at(-1).value, -2, 1e-14);
  const Curve none(Smoothness::linear, Extrapolation::none, x, y);
  EXPECT_EQ(none.at(3).value, 0);
  EXPECT_TRUE(std::isnan(none.at(3.1).value));
}

Matrix matrix(std::size_t rows, std::size_t columns, std::vector<double> entries) {
  return {rows, columns, std::move(entries)};
}

TEST(TimeTables, JumpsHaveTwoSides) {
  const TimeTable table({.extrapolation = Extrapolation::hold},
                        matrix(4, 2, {0, 0, 1, 0, 1, 1, 2, 3}), {2});
  EXPECT_EQ(table.next_event(-1), 0);
  EXPECT_EQ(table.next_event(0), 1);
  EXPECT_EQ(table.next_event(1), 2);
  EXPECT_EQ(table.next_event(2), TimeTable::never);
  EXPECT_EQ(table.at(0, 1, 1, 1).value, 0);  // before the event is handled
  EXPECT_EQ(table.at(0, 1, 2, 1).value, 1);  // after
  EXPECT_EQ(table.at(0, 1 - 1e-15, 2, 1).value, 1);
  EXPECT_EQ(table.at(0, 1.5, 2, 2).value, 2);
  EXPECT_EQ(table.at(0, 5, TimeTable::never, TimeTable::never).value, 3);
}

TEST(TimeTables, StartAndShift) {
  const TimeTable table({.start_time = 2, .shift_time = 1}, matrix(2, 2, {0, 0, 4, 4}), {2});
  EXPECT_EQ(table.next_event(0), 2);
  EXPECT_EQ(table.at(0, 1.5, 2, 2).value, 0);
  EXPECT_EQ(table.at(0, 2, 2, 2).value, 0);
  EXPECT_EQ(table.next_event(2), 5);
  EXPECT_EQ(table.at(0, 2, 5, 2).value, 1);
}

TEST(TimeTables, PeriodicEventsGoOn) {
  const TimeTable table(
      {.smoothness = Smoothness::constant, .extrapolation = Extrapolation::periodic},
      matrix(3, 2, {0, 0, 1, 5, 3, 0}), {2});
  EXPECT_EQ(table.next_event(0), 1);
  EXPECT_EQ(table.next_event(1), 3);
  EXPECT_EQ(table.next_event(3), 4);
  EXPECT_EQ(table.at(0, 4, 6, 4).value, 5);
  EXPECT_EQ(table.at(0, 4, 4, 4).value, 0);
  EXPECT_EQ(table.at(0, 3, 3, 3).value, 5);
}

TEST(Curves, PeriodsThatAreNotExactKeepTheirSides) {
  const Curve curve(Smoothness::linear, Extrapolation::periodic, {0.6, 0.6, 0.7, 1, 1},
                    {-2, -3, -2, -5, -4});
  for (int k = 1; k < 50; ++k) {
    const double t = 0.6 + 0.4 * k;  // a jump, up to rounding
    EXPECT_NEAR(curve.at(t).value, -3, 1e-9) << k;
    EXPECT_NEAR(curve.before(t, t).value, -5, 1e-9) << k;
  }
}

TEST(Surfaces, KeepWhatTheyCan) {
  std::vector<double> entries = {0, 0, 1, 2, 4};
  for (const double x : {0.0, 1.0, 2.0, 3.0}) {
    entries.push_back(x);
    for (const double y : {0.0, 1.0, 2.0, 4.0}) entries.push_back(2 + 3 * x - y + x * y);
  }
  for (const Smoothness kind : {Smoothness::linear, Smoothness::akima}) {
    const Surface surface(kind, Extrapolation::last_two_points, matrix(5, 5, entries));
    for (const double x : {-1.0, 0.4, 1.5, 3.0, 5.0})
      for (const double y : {-2.0, 0.3, 1.5, 3.3, 6.0}) {
        const SurfaceJet jet = surface.at(x, y);
        EXPECT_NEAR(jet.z, 2 + 3 * x - y + x * y, 1e-12) << x << " " << y;
        EXPECT_NEAR(jet.z_x, 3 + y, 1e-12);
        EXPECT_NEAR(jet.z_y, -1 + x, 1e-12);
        EXPECT_NEAR(jet.z_xy, 1, 1e-12);
      }
  }
}

TEST(Surfaces, AkimaKeepsProductsOfParabolasUpToTheEdges) {
  const auto p = [](double x) { return x * x - x; };
  const auto q = [](double y) { return y * y + 2 * y; };
  Matrix matrix{6, 5, std::vector<double>(30)};
  for (std::size_t i = 1; i < 6; ++i) matrix.entries[i * 5] = static_cast<double>(i);
  for (std::size_t j = 1; j < 5; ++j) matrix.entries[j] = 2.0 * static_cast<double>(j);
  for (std::size_t i = 1; i < 6; ++i)
    for (std::size_t j = 1; j < 5; ++j)
      matrix.entries[i * 5 + j] = p(static_cast<double>(i)) * q(2.0 * static_cast<double>(j));
  const Surface surface(Smoothness::akima, Extrapolation::last_two_points, matrix);
  for (const double x : {1.0, 1.3, 2.5, 4.9, 5.0})
    for (const double y : {2.0, 2.7, 5.1, 7.6, 8.0})
      EXPECT_NEAR(surface.at(x, y).z, p(x) * q(y), 1e-12 * 1600) << x << ' ' << y;
}

TEST(Surfaces, StepsGoOnAlongTheLastTwoPoints) {
  const Matrix matrix{4, 3, {0, 0, 6, 2, 4, 4, 3, 9, 9, 4, 16, 16}};
  const Surface surface(Smoothness::constant, Extrapolation::last_two_points, matrix);
  EXPECT_EQ(surface.at(3.5, 1).z, 9);
  EXPECT_EQ(surface.at(6, 1).z, 16 + 2 * 7);
  EXPECT_EQ(surface.at(1, 1).z, 4 - 5);
  EXPECT_EQ(surface.at(3.5, 7).z, 12.5);  // across the other edge it is straight as well
}

namespace mat5 {

void append(std::string& bytes, std::initializer_list<std::uint32_t> words) {
  for (const std::uint32_t word : words)
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
}

std::string element(std::uint32_t kind, std::string data) {
  std::string bytes;
  append(bytes, {kind, static_cast<std::uint32_t>(data.size())});
  data.resize((data.size() + 7) / 8 * 8);
  return bytes + data;
}

/// Class, rows, columns and name; `content` follows.
std::string variable(std::uint32_t kind, std::uint32_t n_rows, std::uint32_t n_columns,
                     const std::string& name, const std::string& content) {
  std::string flags, dims;
  append(flags, {kind, 0});
  append(dims, {n_rows, n_columns});
  return element(14, element(6, flags) + element(5, dims) + element(1, name) + content);
}

std::string doubles(std::vector<double> values) {
  return element(9, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

}  // namespace mat5

TEST(TableFiles, MatlabOfLevelFive) {
  std::string head(128, ' ');
  head[124] = 0, head[125] = 1, head[126] = 'I', head[127] = 'M';
  std::string length;
  mat5::append(length, {2});
  const std::string inner = mat5::variable(6, 1, 2, "", mat5::doubles({7, 8}));
  const std::string outer =
      mat5::variable(2, 1, 1, "s",
                     mat5::element(5, length) + mat5::element(1, {"a\0t", 4}) +
                         mat5::variable(6, 1, 1, "", mat5::doubles({1})) + inner);
  const std::string table = mat5::variable(6, 2, 3, "tab", mat5::doubles({1, 4, 2, 5, 3, 6}));
  std::string packed(compressBound(table.size()), 0);
  uLongf size = packed.size();
  ASSERT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                     reinterpret_cast<const Bytef*>(table.data()), table.size()),
            Z_OK);
  std::string compressed;
  mat5::append(compressed, {15, static_cast<std::uint32_t>(size)});
  compressed += packed.substr(0, size);

  const std::string file = testing::TempDir() + "level5.mat";
  std::ofstream(file, std::ios::binary) << head << compressed << outer;
  const Matrix found = read_table(file, "tab", {});
  EXPECT_EQ(found.n_rows, 2U);
  EXPECT_EQ(found.entries, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read_table(file, "s.t", {}).entries, (std::vector<double>{7, 8}));
  EXPECT_THROW(read_table(file, "s.b", {}), std::runtime_error);
  // Cut anywhere, it is an error and nothing else.
  const std::string whole = head + compressed + outer;
  for (std::size_t n = 130; n < whole.size(); n += 7) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << whole.substr(0, n);
    EXPECT_THROW(read_table(file, "s.t", {}), std::runtime_error) << n;
  }
}

TEST(TableFiles, TextAndCsv) {
  const std::string text = testing::TempDir() + "table.txt";
  std::ofstream(text)
      << "#1\n# two tables\ndouble a(1,2) # first\n 1 2\nfloat b(2, 2)\n3,4\n5 6e0\n";
  const Matrix b = read_table(text, "b", {});
  EXPECT_EQ(b.entries, (std::vector<double>{3, 4, 5, 6}));
  EXPECT_THROW(read_table(text, "c", {}), std::runtime_error);
  const std::string csv = testing::TempDir() + "table.csv";
  std::ofstream(csv) << "t;y\n0;1\n2;3.5\n";
  const Matrix c = read_table(csv, "", {.delimiter = ";", .n_header_lines = 1});
  EXPECT_EQ(c.n_rows, 2u);
  EXPECT_EQ(c.entries, (std::vector<double>{0, 1, 2, 3.5}));
}

const char* const model = R"(
type Smoothness = enumeration(LinearSegments, ContinuousDerivative, ConstantSegments);
class Table
  extends ExternalObject;
  function constructor
    input String tableName;
    input String fileName;
    input Real table[:, :];
    input Integer columns[:];
    input Smoothness smoothness;
    output Table result;
  external "C" result = ModelicaStandardTables_CombiTable1D_init3(fileName, tableName, table,
    size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, 2, true, ",", 0);
  end constructor;
  function destructor
    input Table table;
  external "C" ModelicaStandardTables_CombiTable1D_close(table);
  end destructor;
end Table;
function value
  input Table table;
  input Integer column;
  input Real u;
  output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, column, u);
end value;
model M
  Real x;
  parameter Real data[:, :] = [0, 0, 1; 1, 1, 1; 2, 4, 1; 3, 9, 1];
  parameter Table table = Table("NoName", "NoName", data, {2}, Smoothness.ContinuousDerivative);
end M;
)";

TEST(TableObjects, AreFunctionsOfThePool) {
  Bench bench(model);
  EXPECT_EQ(bench.shown("value(table, 1, 2)"), "4");
  const ExprId y = bench.value("value(table, 1, x)").scalar();
  const ExprId x = bench.value("x").scalar();
  EXPECT_NEAR(symbolic::evaluate(bench.pool, y, {{x, 1.5}}), 2.25, 1e-14);
  const ExprId slope = symbolic::differentiate(bench.pool, y, x);
  EXPECT_NEAR(symbolic::evaluate(bench.pool, slope, {{x, 1.5}}), 3, 1e-14);
  const ExprId curvature = symbolic::differentiate(bench.pool, slope, x);
  EXPECT_NEAR(symbolic::evaluate(bench.pool, curvature, {{x, 1.5}}), 2, 1e-13);
  EXPECT_EQ(bench.mistake("value(table, 2, x)"), "M206 column 2 of a table with 1 columns.");
}

// In C, row by row: y = 10 u^2 at 0, 1, 2.
TEST(TableObjects, ComeFromTheFunctionUsertabThatTheModelIncludes) {
  std::string text = model;
  text.insert(text.find("model M\n") + 8, R"(
  function included
    output Real y;
    external "C" y = nothing() annotation(Include="
static double squares[] = {0, 0, 1, 10, 2, 40};
int usertab(char* name, int kind, int* sizes, int* by_columns, double** table) {
  if (name[0] != 's' || kind != 1) return 1;
  sizes[0] = 3;
  sizes[1] = 2;
  *by_columns = 0;
  *table = squares;
  return 0;
}
double nothing(void) { return 0; }
");
  end included;
  parameter Table user =
    Table("squares", "NoName", fill(0.0, 0, 2), {2}, Smoothness.LinearSegments);
  parameter Table other =
    Table("other", "NoName", fill(0.0, 0, 2), {2}, Smoothness.LinearSegments);
)");
  Bench bench(text);
  EXPECT_EQ(bench.shown("value(user, 1, 2)"), "40");
  EXPECT_EQ(bench.shown("value(user, 1, 1.5)"), "25");
  EXPECT_EQ(bench.mistake("value(other, 1, 1)"),
            "M215 this table cannot be used: usertab has no table 'other'.");
}

}  // namespace
}  // namespace alembert::modelica
