#include "runtime/posix_disk.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "env/files.h"

namespace berth::runtime {
namespace {

class PosixDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "berth-disk-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override {
    for (const std::string& name : disk_.list(root_).value()) {
      std::ignore = disk_.remove(path(name));
    }
    ::rmdir(root_.c_str());
  }
  std::string path(const std::string& name) const { return root_ + "/" + name; }

  PosixDisk disk_;
  std::string root_;
};

TEST_F(PosixDiskTest, ReadsBackWhatWasWrittenAndZerosInTheGap) {
  const auto file = *disk_.open(path("a"), {.mode = env::OpenMode::CreateNew});
  ASSERT_TRUE(file->write_at(4, "data").ok());
  ASSERT_TRUE(file->sync().ok());
  std::string bytes(100, 'x');
  EXPECT_EQ(*file->read_at(0, bytes), 8u);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\0\0\0\0data", 8));
  EXPECT_EQ(*file->size(), 8u);
  ASSERT_TRUE(file->truncate(6).ok());
  EXPECT_EQ(*file->read_at(4, bytes), 2u);
}

TEST_F(PosixDiskTest, TellsMissingFromExisting) {
  EXPECT_EQ(disk_.open(path("a"), {}).error().code, Code::NotFound);
  EXPECT_FALSE(*disk_.exists(path("a")));
  ASSERT_TRUE(disk_.open(path("a"), {.mode = env::OpenMode::Create}).ok());
  EXPECT_TRUE(*disk_.exists(path("a")));
  EXPECT_EQ(disk_.open(path("a"), {.mode = env::OpenMode::CreateNew}).error().code,
            Code::AlreadyExists);
  EXPECT_EQ(disk_.remove(path("b")).error().code, Code::NotFound);
}

TEST_F(PosixDiskTest, MakesFilesPrivateUnlessAskedOtherwise) {
  ASSERT_TRUE(disk_.open(path("a"), {.mode = env::OpenMode::Create}).ok());
  struct stat facts;
  ASSERT_EQ(::stat(path("a").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777u, 0600u);
}

TEST_F(PosixDiskTest, ReplacesAFileInOneStep) {
  ASSERT_TRUE(env::replace_file(disk_, path("config"), "old", 0600).ok());
  ASSERT_TRUE(env::replace_file(disk_, path("config"), "new", 0644).ok());
  EXPECT_EQ(*env::read_file(disk_, path("config"), 3), "new");
  EXPECT_EQ(*disk_.list(root_), std::vector<std::string>{"config"});
}

TEST_F(PosixDiskTest, LocksAreExclusiveUntilTheyDie) {
  auto held = disk_.lock(path("lock"));
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(disk_.lock(path("lock")).error().code, Code::Conflict);
  held->reset();
  EXPECT_TRUE(disk_.lock(path("lock")).ok());
}

TEST_F(PosixDiskTest, MakesDirectoriesWithTheirParents) {
  ASSERT_TRUE(disk_.create_directory(path("a/b/c")).ok());
  ASSERT_TRUE(disk_.create_directory(path("a/b/c")).ok());
  EXPECT_EQ(*disk_.list(path("a/b")), std::vector<std::string>{"c"});
  ASSERT_TRUE(disk_.open(path("file"), {.mode = env::OpenMode::Create}).ok());
  EXPECT_EQ(disk_.create_directory(path("file")).error().code, Code::AlreadyExists);
  for (const char* name : {"a/b/c", "a/b", "a"}) ::rmdir(path(name).c_str());
}

TEST_F(PosixDiskTest, AFailedSyncIsNeverForgotten) {
  // A pipe's end accepts no fdatasync: the cheapest honest failure.
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const auto file = *disk_.open(path("pipe"), {.mode = env::OpenMode::Existing});
  EXPECT_FALSE(file->sync().ok());
  const Status write = file->write_at(0, "x");
  ASSERT_FALSE(write.ok());
  EXPECT_TRUE(write.error().message.starts_with("sync ")) << write.error().message;
}

TEST_F(PosixDiskTest, TellsAFullDisk) {
  const auto full = disk_.open("/dev/full", {.mode = env::OpenMode::Existing});
  ASSERT_TRUE(full.ok());
  EXPECT_EQ((*full)->write_at(0, "x").error().code, Code::ServiceUnavailable);
}

}  // namespace
}  // namespace berth::runtime
