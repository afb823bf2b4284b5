// SPDX-License-Identifier: Apache-2.0
#include "alembert/result/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "alembert/base/error.hpp"
#include "alembert/result/csv.hpp"

namespace alembert::result {
namespace {

namespace fs = std::filesystem;

// An empty folder of the test's own, removed at its end.
class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "alembert-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::size_t n_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

std::string message_of(const fs::path& path, const std::string& code = "R001") {
  try {
    Trajectory trajectory({"x"});
    for (int i = 0; i < 10000; ++i) trajectory.append(i, std::vector<double>{i / 3.0});
    write_csv(trajectory, path);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.diagnostics().front().text;
  }
  return "written";
}

TEST_F(OutputFileTest, AppearsOnCommitOnly) {
  const fs::path path = folder_ / "out.txt";
  {
    OutputFile file(path);
    file.write("lost");
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_EQ(n_files(), 0u);
  OutputFile file(path);
  file.write("kept");
  file.commit();
  EXPECT_EQ(read_file(path), "kept");
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(OutputFileTest, WhoMayReadAFileStaysAsItWas) {
  const fs::path path = folder_ / "secret.csv";
  write_file(path, "old");
  constexpr fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(path, own);
  write_file(path, "new");
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), own);
}

TEST_F(OutputFileTest, WritesThroughALink) {
  const fs::path target = folder_ / "target.txt", link = folder_ / "link.txt";
  std::ofstream(target) << "old";
  fs::create_symlink(target, link);
  OutputFile file(link);
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(read_file(target), "new");
}

TEST_F(OutputFileTest, SaysWhyAPathCannotBeWritten) {
  EXPECT_EQ(message_of(folder_ / "no" / "out.csv", "R015"),
            "cannot write '" + (folder_ / "no" / "out.csv").string() +
                "': No such file or directory. The folder '" + (folder_ / "no").string() +
                "' does not exist: make it, or choose another place.");
  EXPECT_NE(message_of(folder_, "R015").find("It is a folder"), std::string::npos);
  EXPECT_EQ(message_of("/dev/full"),
            "cannot write '/dev/full': No space left on device. Free some space, or choose another "
            "place.");
  EXPECT_EQ(message_of("/dev/null"), "written");
}

// A limit on file sizes stands in for a disk that fills up half-way.
TEST_F(OutputFileTest, AFailureHalfWayLeavesTheOldFileAndNothingElse) {
  const fs::path path = folder_ / "out.csv";
  std::ofstream(path) << "old";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = message_of(path);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(OutputFileTest, RoundTripsThroughADisk) {
  Trajectory trajectory({"x", "y[1,2]"});
  for (int i = 0; i < 20000; ++i)
    trajectory.append(i / 7.0, std::vector<double>{i / 3.0, -i * 1e-9});
  write_csv(trajectory, folder_ / "out.csv");
  EXPECT_EQ(read_csv(folder_ / "out.csv"), trajectory);
}

TEST_F(OutputFileTest, AFileThatIsNotThereOrAFolderCannotBeRead) {
  for (const fs::path& path : {folder_ / "none.csv", folder_}) {
    try {
      read_csv(path);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "R002");
    }
  }
}

}  // namespace
}  // namespace alembert::result
