// SPDX-License-Identifier: Apache-2.0
// Rows as they come give the files that whole trajectories give.
#include "alembert/result/row_sink.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include "alembert/base/error.hpp"
#include "alembert/result/files.hpp"
#include "alembert/result/output_file.hpp"
#include "alembert/result/row_journal.hpp"

namespace alembert::result {
namespace {

namespace fs = std::filesystem;

class RowSinks : public testing::Test {
 protected:
  RowSinks() : folder(fs::path(testing::TempDir()) / "alembert-row-sink-test") {
    fs::create_directories(folder);
  }
  ~RowSinks() override { fs::remove_all(folder); }

  std::size_t n_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }
  fs::path folder;
};

std::vector<double> row_at(double t) { return {t * t, 1 / (1 + t), -t}; }

TEST_F(RowSinks, ManyRowsComeBackFromEveryKindOfFile) {
  const std::vector<std::string> names = {"a", "b.c[1,2]", "der(a)"};
  Trajectory expected(names);
  for (int i = 0; i < 60'000; ++i) expected.append(0.1 * i, row_at(0.1 * i));
  for (const char* name : {"r.csv", "r.mat", "r.h5"}) {
    const auto sink = open_result(folder / name);
    sink->begin({names});
    for (int i = 0; i < 60'000; ++i) sink->append(0.1 * i, row_at(0.1 * i));
    EXPECT_FALSE(fs::exists(folder / name)) << name;
    sink->commit();
    EXPECT_TRUE(read_result(folder / name) == expected) << name;
  }
  EXPECT_EQ(n_files(), 3u);
}

TEST_F(RowSinks, UnitsAndDescriptionsComeBackWhereTheFileHoldsThem) {
  const ColumnNotes notes = {{"phi", {"rad", "angle [of the shaft]", "deg"}},
                             {"tau", {"N.m", ""}},
                             {"n", {"", "counts"}},
                             {"time", {"s", "time"}}};
  for (const char* name : {"r.csv", "r.mat", "r.h5"}) {
    const auto sink = open_result(folder / name, notes);
    sink->begin({{"phi", "tau", "n", "plain"}});
    sink->append(0, std::vector<double>{1, 2, 3, 4});
    sink->commit();
    EXPECT_EQ(read_result(folder / name).value(0, 2), 3) << name;
  }
  EXPECT_TRUE(read_notes(folder / "r.csv").empty());
  EXPECT_EQ(read_notes(folder / "r.mat"), notes);
  ColumnNotes without_time = notes;
  without_time.erase("time");  // which is no column of an HDF5 file
  EXPECT_EQ(read_notes(folder / "r.h5"), without_time);
}

/// [4 * n names] of a MAT file: matrix, row, and how to go on between and outside of points.
std::vector<std::int32_t> data_info(const fs::path& path, std::size_t n_names) {
  const std::string bytes = read_file(path);
  const std::string_view name("dataInfo", 9);  // with its zero
  std::vector<std::int32_t> info(4 * n_names);
  std::memcpy(info.data(), bytes.data() + bytes.find(name) + name.size(),
              info.size() * sizeof(std::int32_t));
  return info;
}

/// As Dymola and OpenModelica lay them out, and their users' scripts expect.
TEST_F(RowSinks, WhatNeverVariesAndWhatIsSharedIsOnceInAMatFile) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const Columns columns = {.names = {"y", "x", "k", "z", "own", "gone"},
                           .values = {{.source = 7, .negated = true},
                                      {.source = 7},
                                      {.constant = true},
                                      {.source = 7, .negated = true},
                                      {.source = 8},
                                      {.constant = true}}};
  Trajectory expected(columns.names);
  for (const double t : {1.0, 2.0, 4.0})
    expected.append(t, std::vector<double>{-t * t, t * t, 0.5, -t * t, t, 3});
  for (const char* name : {"r.csv", "r.mat", "r.h5"}) {
    const auto sink = open_result(folder / name);
    sink->begin(columns);
    for (std::size_t i = 0; i < expected.n_rows(); ++i)
      sink->append(expected.times()[i], expected.row(i));
    sink->commit();
    EXPECT_TRUE(read_result(folder / name) == expected) << name;
  }
  EXPECT_EQ(data_info(folder / "r.mat", 7), (std::vector<std::int32_t>{0, 1,  0, 0,   //
                                                                       2, 2,  0, -1,  // y
                                                                       2, -2, 0, -1,  // x
                                                                       1, 2,  0, 0,   // k
                                                                       2, 2,  0, -1,  // z
                                                                       2, 3,  0, -1,  // own
                                                                       1, 3,  0, 0}));
  const auto sink = open_result(folder / "wrong.mat");
  sink->begin(columns);
  sink->append(0, std::vector<double>{none, none, none, none, 0, 3});
  sink->append(1, std::vector<double>{-1, 1, none, -1, 0, 3});
  EXPECT_THROW(sink->append(2, std::vector<double>{-1, 1, 0.5, -1, 0, 3}), InternalError);
}

TEST_F(RowSinks, AMatFileDoesNotGrowWithParametersInEveryRow) {
  Columns columns;
  for (int i = 0; i < 1000; ++i) columns.names.push_back("p[" + std::to_string(i + 1) + "]");
  columns.values.assign(1000, {.constant = true});
  const auto sink = open_result(folder / "p.mat");
  sink->begin(columns);
  const std::vector<double> row(1000, 1.5);
  for (int i = 0; i < 1000; ++i) sink->append(i, row);
  sink->commit();
  EXPECT_LE(fs::file_size(folder / "p.mat"), 100'000u);
  EXPECT_EQ(read_result(folder / "p.mat").value(999, 999), 1.5);
}

TEST_F(RowSinks, WithoutCommitNothingIsLeft) {
  for (const char* name : {"r.csv", "r.mat", "r.h5"}) {
    const auto sink = open_result(folder / name);
    sink->begin({{"x"}});
    sink->append(0, std::vector<double>{1});
  }
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(RowSinks, ADiskThatIsFullIsTold) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no device that is always full";
  fs::create_symlink("/dev/full", folder / "full.csv");
  const auto sink = open_result(folder / "full.csv");
  sink->begin({{"x"}});
  EXPECT_THROW(
      {
        for (int i = 0; i < 100'000; ++i) sink->append(i, std::vector<double>{0.1 * i});
        sink->commit();
      },
      Error);
}

TEST_F(RowSinks, AJournalKeepsTheRowsOfACheckpointAndForgetsLaterOnes) {
  const fs::path path = folder / "journal";
  const std::vector<std::string> names = {"a", "b", "c"};
  JournalRows rows;
  {
    RowJournal journal(path);
    journal.begin({names});
    for (int i = 0; i < 10; ++i) journal.append(i, row_at(i));
    journal.flush();
    rows = {10, journal.checksum()};
    for (int i = 100; i < 120; ++i) journal.append(i, row_at(i));
    journal.flush();
  }
  struct Kept final : RowSink {
    void begin(const Columns&) override {}
    void append(double time, std::span<const double> row) override {
      EXPECT_EQ(std::vector<double>(row.begin(), row.end()), row_at(time));
      times.push_back(time);
    }
    void commit() override {}
    std::vector<double> times;
  };
  const std::string before = read_file(path);
  RowJournal again(path, rows);
  again.begin({names});
  Kept kept;
  again.replay(kept);
  EXPECT_EQ(kept.times, (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(read_file(path), before);
  again.flush();
  EXPECT_EQ(again.checksum(), rows.checksum);
  EXPECT_EQ(read_file(path), before.substr(0, 16 + 10 * 4 * sizeof(double)));
  RowJournal more(path, {11, rows.checksum});
  EXPECT_THROW(more.begin({names}), Error);
}

TEST_F(RowSinks, AJournalGivesNoRowsButThoseOfTheCheckpoint) {
  const fs::path path = folder / "journal";
  const auto note = [&](double first) {
    RowJournal journal(path);
    journal.begin({{"a", "b", "c"}});
    for (int i = 0; i < 5; ++i) journal.append(first + i, row_at(first + i));
    journal.flush();
    return JournalRows{5, journal.checksum()};
  };
  struct Nowhere final : RowSink {
    void begin(const Columns&) override {}
    void append(double, std::span<const double>) override {}
    void commit() override {}
  } nowhere;
  const auto replay = [&](JournalRows rows) {
    RowJournal journal(path, rows);
    journal.begin({{"a", "b", "c"}});
    journal.replay(nowhere);
  };
  const JournalRows rows = note(0);
  replay(rows);
  const std::string whole = read_file(path);
  for (std::size_t at = 16; at < whole.size(); at += 5) {
    std::string damaged = whole;
    damaged[at] ^= char(0x80);
    write_file(path, damaged);
    EXPECT_THROW(replay(rows), Error) << at;
    EXPECT_EQ(read_file(path), damaged);
  }
  note(1);
  EXPECT_THROW(replay(rows), Error);
}

TEST_F(RowSinks, AJournalIsNotWrittenOverSomethingElse) {
  const fs::path path = folder / "journal";
  write_file(path, "a letter");
  EXPECT_THROW(RowJournal journal(path), Error);
  EXPECT_EQ(read_file(path), "a letter");
}

/// Files of this process can be no longer, which stands in for a disk that is full; until its end.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t size) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = size;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(RowSinks, RowsThatReachedAFullDiskCanBeKept) {
  for (const char* name : {"r.csv", "r.mat", "r.h5"}) {
    std::optional<double> until;
    {
      const SmallDisk disk(500'001);
      const auto sink = open_result(folder / name);
      sink->begin({{"a", "b", "c"}});
      EXPECT_THROW(
          {
            for (int i = 0; i < 100'000; ++i) sink->append(i, row_at(i));
            sink->commit();
          },
          Error);
      until = sink->keep_part();
    }
    ASSERT_TRUE(until) << name;
    const Trajectory kept = read_result(folder / name);
    EXPECT_EQ(kept.times().back(), *until) << name;
    EXPECT_EQ(kept.n_rows(), static_cast<std::size_t>(*until) + 1) << name;
    // HDF5 leaves room for what closing the file takes.
    EXPECT_GT(fs::file_size(folder / name), name == std::string("r.h5") ? 50'000u : 499'000u);
    const auto last = kept.row(kept.n_rows() - 1);
    EXPECT_EQ(std::vector<double>(last.begin(), last.end()), row_at(*until)) << name;
  }
  EXPECT_EQ(n_files(), 3u);
}

TEST_F(RowSinks, AJournalWithoutRowsIsNotLeftBehind) {
  { RowJournal journal(folder / "journal"); }
  EXPECT_EQ(n_files(), 0u);
}

}  // namespace
}  // namespace alembert::result
