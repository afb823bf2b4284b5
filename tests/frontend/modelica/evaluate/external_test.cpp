// SPDX-License-Identifier: Apache-2.0
// External functions: what comes back has the type that the function declares.
#include <filesystem>
#include <fstream>

#include "frontend/modelica/evaluate/bench.hpp"

namespace alembert::modelica {
namespace {

TEST(External, EnumerationsComeBackAsLiterals) {
  Bench bench(R"(
type Order = enumeration(before, same, after);
function compare
  input String a;
  input String b;
  input Boolean caseSensitive = true;
  output Order order;
  external "C" order = ModelicaStrings_compare(a, b, caseSensitive);
end compare;
model M
end M;
)");
  EXPECT_EQ(bench.shown("compare(\"a\", \"b\") == Order.before"), "true");
  EXPECT_EQ(bench.shown("compare(\"A\", \"a\", false) == Order.same"), "true");
  EXPECT_EQ(bench.shown("compare(\"b\", \"a\") == Order.same"), "false");
}

TEST(External, WhatGoesOnLikeARealIsNoInteger) {
  Bench bench(R"(
function scan
  input String text;
  output Integer next;
  output Integer number;
  external "C" ModelicaStrings_scanInteger(text, 1, false, next, number);
end scan;
model M
end M;
)");
  EXPECT_EQ(bench.shown("scan(\" -25;\")"), "(5, -25)");
  EXPECT_EQ(bench.shown("scan(\"2.5\")"), "(1, 0)");
  EXPECT_EQ(bench.shown("scan(\"2e3\")"), "(1, 0)");
}

TEST(External, LinesOfAFileAndNamesInAFolder) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "alembert_external_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "b.txt") << "first\nsecond";
  std::ofstream(folder / "a.txt") << "";
  Bench bench(R"(
function count
  input String name;
  output Integer n;
  external "C" n = ModelicaInternal_countLines(name);
end count;
function lines
  input String name;
  output String text[count(name)];
  external "C" ModelicaInternal_readFile(name, text, size(text, 1));
end lines;
function names
  input String folder;
  input Integer n;
  output String name[n];
  external "C" ModelicaInternal_readDirectory(folder, n, name);
end names;
model M
end M;
)");
  const std::string path = folder.string();
  EXPECT_EQ(bench.shown("lines(\"" + path + "/b.txt\")"), "{\"first\", \"second\"}");
  EXPECT_EQ(bench.shown("names(\"" + path + "\", 2)"), "{\"a.txt\", \"b.txt\"}");
  EXPECT_EQ(bench.mistake("names(\"" + path + "\", 3)").substr(0, 4), "M203");
  EXPECT_EQ(bench.mistake("lines(\"" + path + "/c.txt\")").substr(0, 4), "M212");
  std::filesystem::remove_all(folder);
}

TEST(External, LinearEquationsByLapack) {
  Bench bench(R"(
function solve
  input Real A[:, size(A, 1)];
  input Real b[size(A, 1)];
  output Real x[size(A, 1)] = b;
  output Integer info;
protected
  Real work[size(A, 1), size(A, 1)] = A;
  Integer pivots[size(A, 1)];
  external "FORTRAN 77" dgesv(size(A, 1), 1, work, size(A, 1), pivots, x, size(A, 1), info);
end solve;
function wrong
  input Real A[:, :];
  output Integer info;
  external "FORTRAN 77" dgesv(size(A, 1), A, info);
end wrong;
function norm
  input Real A[:, :];
  output Real value;
protected
  Real work[size(A, 1)];
  external "FORTRAN 77" value = dlange("1", size(A, 1), size(A, 2), A, size(A, 1), work);
end norm;
model M
end M;
)");
  EXPECT_EQ(bench.shown("solve([2, 1; 0, 4], {4, 8})"), "({1, 2}, 0)");  // rows, not columns
  EXPECT_EQ(bench.shown("norm([1, -2, 3; 4, 5, -6])"), "9");             // the largest column sum
  EXPECT_EQ(bench.mistake("wrong([1, 2; 3, 4])").substr(0, 4), "M204");
}

TEST(External, EigenvaluesByLapack) {
  Bench bench(R"(
function eigenvalues
  input Real A[:, size(A, 1)];
  output Real re[size(A, 1)];
  output Real im[size(A, 1)];
  output Integer info;
protected
  Real work[size(A, 1), size(A, 1)] = A;
  Real left[1, 1];
  Real right[1, 1];
  Real space[8*size(A, 1)];
  external "FORTRAN 77" dgeev("N", "N", size(A, 1), work, size(A, 1), re, im, left, 1, right, 1,
                              space, size(space, 1), info);
end eigenvalues;
function imaginary
  input Real A[:, size(A, 1)];
  output Real im[size(A, 1)];
protected
  Real re[size(A, 1)];
algorithm
  (re, im) := eigenvalues(A);
end imaginary;
model M
end M;
)");
  EXPECT_EQ(bench.shown("eigenvalues([3, 5; 0, 2])"), "({3, 2}, {0, 0}, 0)");
  EXPECT_EQ(bench.shown("imaginary([0, 1; -1, 0])"), "{1, -1}");
}

TEST(External, FourierTransformOfACosine) {
  Bench bench(R"(
function fft
  input Real u[:];
  output Integer info;
  output Real amplitudes[div(size(u, 1), 2) + 1];
  output Real phases[div(size(u, 1), 2) + 1];
protected
  Real work[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)];
  external "C" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), amplitudes, phases);
end fft;
function amplitude
  input Integer k;
  output Real a;
protected
  Integer info;
  Real u[12];
  Real amplitudes[7];
algorithm
  for i in 1:12 loop
    u[i] := 5 + 3*cos(2*3.141592653589793*2*(i - 1)/12);
  end for;
  (info, amplitudes) := fft(u);
  a := floor(1e9*amplitudes[k + 1]*7 + 0.5)/1e9;
end amplitude;
function phase
  input Real shift;
  output Real p;
protected
  Integer info;
  Real u[12];
  Real amplitudes[7];
  Real phases[7];
algorithm
  for i in 1:12 loop
    u[i] := cos(2*3.141592653589793*2*(i - 1)/12 + shift);
  end for;
  (info, amplitudes, phases) := fft(u);
  p := floor(1e9*phases[3] + 0.5)/1e9;
end phase;
model M
end M;
)");
  EXPECT_EQ(bench.shown("amplitude(0)"), "60");  // 12 points, and 7 frequencies to share them
  EXPECT_EQ(bench.shown("amplitude(1)"), "0");
  EXPECT_EQ(bench.shown("amplitude(2)"), "18");
  EXPECT_EQ(bench.shown("phase(0.25)"), "1/4");
  EXPECT_EQ(bench.shown("phase(-1.5)"), "-3/2");
  EXPECT_EQ(bench.shown("fft({1, 2, 3})"), "(1, {0, 0}, {0, 0})");  // an odd number of points
}

constexpr const char* functions_in_c = R"mo(
function cube
  input Real x;
  output Real y;
  external "C" y = cube(x) annotation(Include="double cube(double x) { return x * x * x; }");
end cube;
function scaled
  input Real v[:];
  input Integer k;
  output Real w[size(v, 1)];
  external "C" annotation(Include="
#include <stddef.h>
void scaled(const double* v, size_t n, int k, double* w, size_t m) {
  for (size_t i = 0; i < n && n == m; ++i) w[i] = k * v[i];
}");
end scaled;
function largest
  input Integer v[:];
  output Integer value;
  output Boolean is_first;
  output Integer all[size(v, 1)];
  external "C" find(v, size(v, 1), value, is_first, all) annotation(Include="
void find(const int* v, int n, int* value, int* is_first, int* all) {
  *value = v[0];
  for (int i = 0; i < n; ++i) if ((all[i] = v[i]) > *value) *value = v[i];
  *is_first = *value == v[0];
}");
end largest;
function greeting
  input String name;
  output String text;
  external "C" text = greet(name) annotation(Include="
#include <string.h>
#include \"ModelicaUtilities.h\"
const char* greet(const char* name) {
  if (!*name) ModelicaFormatError(\"nobody is %s\", \"there\");
  return strcat(strcpy(ModelicaAllocateString(strlen(name) + 6), \"hello \"), name);
}");
end greeting;
class Box
  extends ExternalObject;
  function constructor
    input Real content;
    output Box box;
    external "C" box = box_new(content) annotation(Include="
#include <stdlib.h>
void* box_new(double content) { double* box = malloc(sizeof *box); *box = content; return box; }");
  end constructor;
  function destructor
    input Box box;
    external "C" free(box);
  end destructor;
end Box;
function inside
  input Box box;
  output Real content;
  external "C" content = look(box)
    annotation(Include="double look(void* box) { return *(double*)box; }");
end inside;
function distance
  input Real a;
  input Real b;
  output Real c;
  external "C" c = hypot(a, b);
end distance;
function y0 "a name of the C library, too"
  input Real x;
  output Real y;
  external "C" y = y0(x) annotation(Include="double y0(double numbers) { return 100 + numbers; }");
end y0;
function counted
  input Real x;
  output Real n;
  external "C" n = counted(x) annotation(Include="
static int n;
double counted(double x) { return ++n + 0 * x; }");
end counted;
function pair
  input Real x;
  output Real y[2];
  external "C" y = pair(x) annotation(Include="double pair(double x) { return x; }");
end pair;
function nowhere
  input Real x;
  output Real y;
  external "C" y = defined_nowhere(x);
end nowhere;
function faulty
  input Real x;
  output Real y;
  external "C" y = faulty(x) annotation(Include="double faulty(double x) { return x +; }");
end faulty;
model M
  Box box = Box(7.5);
  Real x, y;
end M;
)mo";

TEST(External, FunctionsOfTheModelInCAreCompiledAndCalled) {
  Bench bench(functions_in_c);
  EXPECT_EQ(bench.shown("cube(3)"), "27");
  EXPECT_EQ(bench.shown("scaled({1, 2.5}, 2)"), "{2, 5}");
  EXPECT_EQ(bench.shown("largest({3, 9, 4})"), "(9, false, {3, 9, 4})");
  EXPECT_EQ(bench.shown("greeting(\"you\") == \"hello you\""), "true");
  EXPECT_EQ(bench.shown("inside(box)"), "7.5");
  EXPECT_EQ(bench.shown("y0(1)"), "101");
  EXPECT_EQ(bench.shown("counted(1)"), "1");
  EXPECT_EQ(bench.shown("counted(2)"), "2");      // it was kept
  EXPECT_EQ(bench.shown("distance(3, 4)"), "5");  // of the C library, without a text of its own
}

TEST(External, WhatIsWrongInCIsTold) {
  Bench bench(functions_in_c);
  EXPECT_NE(bench.mistake("greeting(\"\")").find("nobody is there"), std::string::npos);
  EXPECT_NE(bench.mistake("nowhere(1)").find("nothing defines 'defined_nowhere' in C."),
            std::string::npos);
  EXPECT_NE(bench.mistake("pair(1)").find("cannot return one"), std::string::npos);
  const std::string faulty = bench.mistake("faulty(1)");
  EXPECT_NE(faulty.find("Include of faulty:1:"), std::string::npos) << faulty;
}

}  // namespace
}  // namespace alembert::modelica
