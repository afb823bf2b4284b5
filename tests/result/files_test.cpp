// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "alembert/base/error.hpp"
#include "alembert/result/compare.hpp"
#include "alembert/result/mat.hpp"
#include "alembert/result/output_file.hpp"

namespace alembert::result {
namespace {

namespace fs = std::filesystem;

Trajectory bouncing() {
  Trajectory t({"h", "a.b[1,2]", "der(h)", "\xCE\xB1"});
  t.append(0, std::vector<double>{1, 2, 0, 1e-300});
  t.append(0.5, std::vector<double>{0, 2, -4.905, std::numeric_limits<double>::infinity()});
  t.append(0.5, std::vector<double>{0, 3, 4.905, -0.1});
  t.append(1.0, std::vector<double>{1.0 / 3, 3, 0, 7});
  return t;
}

class Files : public testing::Test {
 protected:
  Files() : folder(fs::path(testing::TempDir()) / "alembert-files-test") {
    fs::create_directories(folder);
  }
  ~Files() override { fs::remove_all(folder); }
  fs::path folder;
};

std::string code_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return "no error";
}

TEST_F(Files, every_kind_gives_back_what_was_written) {
  for (const char* name : {"r.csv", "r.mat", "r.h5", "r.hdf5", "R.MAT"}) {
    write_result(bouncing(), folder / name);
    EXPECT_TRUE(read_result(folder / name) == bouncing()) << name;
    const Trajectory empty({"x"});
    write_result(empty, folder / name);
    EXPECT_EQ(read_result(folder / name).names(), empty.names()) << name;
  }
  EXPECT_EQ(code_of([&] { write_result(bouncing(), folder / "r.txt"); }), "R006");
  EXPECT_EQ(known_endings(), ".csv, .mat or .h5");
  EXPECT_TRUE(has_known_ending("of a run.HDF5"));
  EXPECT_FALSE(has_known_ending("csv"));
  EXPECT_EQ(code_of([&] { read_result(folder / "nothing.h5"); }), "R002");
  EXPECT_EQ(code_of([&] { write_result(bouncing(), folder / "no" / "such" / "r.h5"); }), "R015");
}

TEST_F(Files, what_is_no_result_is_told_and_does_no_harm) {
  const std::string good = to_mat(bouncing());
  EXPECT_EQ(code_of([&] { parse_mat(""); }), "R005");
  for (std::size_t n = 0; n < good.size(); n += 7)
    EXPECT_EQ(code_of([&] { parse_mat(good.substr(0, n)); }), "R005") << n;
  for (std::size_t n = 0; n < good.size(); ++n) {
    std::string damaged = good;
    damaged[n] = static_cast<char>(damaged[n] ^ 0x55);
    try {
      parse_mat(damaged);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "R005");
    }
  }
  write_file(folder / "bad.h5", "not at all");
  EXPECT_EQ(code_of([&] { read_result(folder / "bad.h5"); }), "R007");
}

/// As another tool might write it: not transposed, an alias with a sign, a constant.
std::string other_tools_mat() {
  std::string bytes;
  const auto matrix = [&](const char* name, std::int32_t type, std::int32_t rows,
                          std::int32_t columns, const void* data, std::size_t size) {
    const std::int32_t header[5] = {type, rows, columns, 0,
                                    static_cast<std::int32_t>(std::strlen(name) + 1)};
    bytes.append(reinterpret_cast<const char*>(header), sizeof header);
    bytes.append(name, std::strlen(name) + 1);
    bytes.append(static_cast<const char*>(data), size);
  };
  // Texts in rows, stored column by column.
  const auto texts = [&](const char* name, std::vector<std::string> lines) {
    std::string data;
    for (std::size_t k = 0; k < lines[0].size(); ++k)
      for (const std::string& line : lines) data += line[k];
    matrix(name, 51, static_cast<std::int32_t>(lines.size()),
           static_cast<std::int32_t>(lines[0].size()), data.data(), data.size());
  };
  texts("Aclass", {"Atrajectory", "1.1        ", "           ", "binNormal  "});
  texts("name", {"Time ", "x    ", "minus", "k    "});
  const std::int32_t info[] = {0, 2, 2, 1, 1, 2, -2, 2, 0, 0, 0, 0, -1, -1, -1, -1};
  matrix("dataInfo", 20, 4, 4, info, sizeof info);
  const double constants[] = {0, 1, 42, 42};
  matrix("data_1", 0, 2, 2, constants, sizeof constants);
  const double varying[] = {0, 0.5, 1, 10, 11, 12};
  matrix("data_2", 0, 3, 2, varying, sizeof varying);
  return bytes;
}

TEST(Mat, aliases_constants_and_the_other_orientation) {
  const Trajectory t = parse_mat(other_tools_mat());
  EXPECT_EQ(t.names(), (std::vector<std::string>{"x", "minus", "k"}));
  EXPECT_EQ(t.times(), (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(t.column("x"), (std::vector<double>{10, 11, 12}));
  EXPECT_EQ(t.column("minus"), (std::vector<double>{-10, -11, -12}));
  EXPECT_EQ(t.column("k"), (std::vector<double>{42, 42, 42}));
}

TEST(Compare, the_largest_difference_and_where) {
  Trajectory a({"x", "only"}), b({"more", "x"});
  for (const double t : {0.0, 1.0, 2.0}) a.append(t, std::vector<double>{10 * t, 0});
  for (const double t : {0.0, 0.5, 2.0})
    b.append(t, std::vector<double>{0, 10 * t + (t == 0.5 ? 0.25 : 0)});
  const Comparison c = compare(a, b);
  ASSERT_EQ(c.differences.size(), 1u);
  EXPECT_DOUBLE_EQ(c.worst()->largest, 0.25);
  EXPECT_DOUBLE_EQ(c.worst()->relative, 0.0125);
  EXPECT_DOUBLE_EQ(c.worst()->time, 0.5);
  EXPECT_EQ(c.only_in_a, std::vector<std::string>{"only"});
  EXPECT_EQ(c.only_in_b, std::vector<std::string>{"more"});
}

TEST(Compare, both_sides_of_an_event_are_compared_with_their_own) {
  EXPECT_EQ(compare(bouncing(), bouncing()).worst()->largest, 0);
  Trajectory a({"x"}), b({"x"});
  for (Trajectory* t : {&a, &b}) {
    t->append(0, std::vector<double>{0});
    t->append(1, std::vector<double>{0});
    t->append(1, std::vector<double>{t == &a ? 1.0 : 0.75});
    t->append(2, std::vector<double>{1});
  }
  EXPECT_DOUBLE_EQ(compare(a, b).worst()->largest, 0.25);
}

/// A straight line of slope -1 that is thrown up by 10 at each event; rows every 0.1.
Trajectory thrown_up(const std::vector<double>& events) {
  Trajectory t({"x"});
  std::size_t n_past = 0;
  const auto row = [&](double time) {
    t.append(time, std::vector<double>{10 * static_cast<double>(n_past) - time});
  };
  for (int i = 0; i <= 20; ++i) {
    for (; n_past < events.size() && events[n_past] <= i * 0.1;) {
      row(events[n_past]);
      ++n_past;
      row(events[n_past - 1]);
    }
    row(i * 0.1);
  }
  return t;
}

TEST(Compare, an_event_whose_time_differs_in_the_last_digits_is_the_same_event) {
  constexpr double late = 1e-10;
  const Trajectory a = thrown_up({0.55, 1.0, 1.35});
  const Trajectory b = thrown_up({0.55 + late, 1.0 + late, 1.35 - late});
  for (const Comparison& c : {compare(a, b), compare(b, a)}) {
    EXPECT_LE(c.worst()->largest, 2 * late);
    EXPECT_NEAR(c.events_apart, late, 1e-15);
  }
  EXPECT_EQ(compare(a, a).events_apart, 0);
}

TEST(Compare, an_event_that_one_lacks_or_has_elsewhere_shows_its_jump) {
  const Trajectory a = thrown_up({0.55, 1.35});
  for (const Trajectory& b : {thrown_up({0.55}), thrown_up({0.55, 1.36}), thrown_up({}),
                              thrown_up({0.55, 1.35, 1.35 + 1e-6})})
    for (const Comparison& c : {compare(a, b), compare(b, a)}) EXPECT_GE(c.worst()->largest, 9.9);
}

TEST(Compare, events_at_once_are_one_whether_rounding_took_them_apart_or_not) {
  const Trajectory a = thrown_up({0.55, 1.0, 1.0 + 1e-12, 1.35});
  for (const Trajectory& b :
       {thrown_up({0.55, 1.0 + 1e-10, 1.0 + 1e-10, 1.35}), thrown_up({0.55, 1.0, 1.0, 1.35}),
        thrown_up({0.55, 1.0 - 1e-10, 1.0 + 1e-10, 1.35})})
    for (const Comparison& c : {compare(a, b), compare(b, a)}) EXPECT_LE(c.worst()->largest, 1e-9);
  EXPECT_GE(compare(a, thrown_up({0.55, 1.0, 1.35})).worst()->largest, 9.9);
}

TEST(Compare, of_events_in_a_crowd_only_those_of_one_time_are_the_same) {
  const Trajectory a = thrown_up({1.0, 1.0001, 1.0002});
  EXPECT_GE(compare(a, thrown_up({1.00005, 1.00015, 1.00025})).worst()->largest, 9.9);
  EXPECT_LE(compare(a, thrown_up({1.000001, 1.000101, 1.000201})).worst()->largest, 2e-6);
}

TEST(Compare, a_missing_number_is_worse_than_any_difference) {
  Trajectory a({"x", "y"}), b({"x", "y"});
  a.append(0, std::vector<double>{1, 5});
  b.append(0, std::vector<double>{std::nan(""), 1e300});
  EXPECT_TRUE(std::isnan(compare(a, b).worst()->largest));
  EXPECT_EQ(compare(a, b).worst()->name, "x");
}

TEST(Compare, where_no_time_is_in_common_nothing_is_said_to_be_equal) {
  Trajectory early({"x"}), late({"x"});
  for (const double t : {0.0, 1.0}) {
    early.append(t, std::vector<double>{t});
    late.append(t + 2, std::vector<double>{t});
  }
  for (const Comparison& c :
       {compare(early, late), compare(late, early), compare(early, Trajectory({"x"})),
        compare(Trajectory({"x"}), early)}) {
    EXPECT_EQ(c.n_times, 0u);
    EXPECT_TRUE(std::isnan(c.worst()->largest));
    EXPECT_TRUE(std::isnan(c.worst()->relative));
  }
  EXPECT_EQ(compare(early, early).n_times, 2u);
}

}  // namespace
}  // namespace alembert::result
