#include "env/files.h"

#include <map>
#include <memory>

#include <gtest/gtest.h>

namespace berth::env {
namespace {

// A disk of one map that notes the calls that matter for durability.
struct Noted {
  std::map<std::string, std::string> files;
  std::vector<std::string> calls;
};

class NotedFile final : public File {
 public:
  NotedFile(Noted& noted, std::string path) : noted_(noted), path_(std::move(path)) {}
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    const std::string bytes = noted_.files[path_].substr(offset, into.size());
    std::ranges::copy(bytes, into.begin());
    return bytes.size();
  }
  Status write_at(std::uint64_t /*offset*/, std::string_view bytes) override {
    noted_.files[path_] = bytes;
    return {};
  }
  Status truncate(std::uint64_t /*size*/) override { return {}; }
  Status sync() override {
    noted_.calls.push_back("sync " + path_);
    return {};
  }
  Result<std::uint64_t> size() const override { return noted_.files[path_].size(); }

 private:
  Noted& noted_;
  std::string path_;
};

class NotedDisk final : public Disk {
 public:
  Result<std::unique_ptr<File>> open(const std::string& path, OpenOptions options) override {
    if (options.mode == OpenMode::CreateNew && noted.files.contains(path)) {
      return failure(Code::AlreadyExists, path);
    }
    if (options.mode == OpenMode::ReadOnly && !noted.files.contains(path)) {
      return failure(Code::NotFound, path);
    }
    return std::make_unique<NotedFile>(noted, path);
  }
  Status remove(const std::string& path) override {
    noted.files.erase(path);
    return {};
  }
  Result<bool> exists(const std::string& path) const override { return noted.files.contains(path); }
  Status rename(const std::string& from, const std::string& to) override {
    noted.calls.push_back("rename " + from + " " + to);
    noted.files[to] = noted.files.extract(from).mapped();
    return {};
  }
  Status create_directory(const std::string& /*path*/) override { return {}; }
  Result<std::vector<std::string>> list(const std::string& /*directory*/) const override {
    return std::vector<std::string>{};
  }
  Status sync_directory(const std::string& directory) override {
    noted.calls.push_back("sync " + directory);
    return {};
  }
  Result<std::unique_ptr<DiskLock>> lock(const std::string& path) override {
    return failure(Code::Conflict, path);
  }

  Noted noted;
};

TEST(ReplaceFile, SyncsTheBytesBeforeTheNameAndThenTheName) {
  NotedDisk disk;
  ASSERT_TRUE(replace_file(disk, "/etc/a", "new", 0600).ok());
  EXPECT_EQ(disk.noted.calls,
            (std::vector<std::string>{"sync /etc/a.new", "rename /etc/a.new /etc/a", "sync /etc"}));
  EXPECT_EQ(disk.noted.files, (std::map<std::string, std::string>{{"/etc/a", "new"}}));
}

TEST(ReplacePassingFile, WaitsForNoDiskAndNeverShowsAHalf) {
  NotedDisk disk;
  disk.noted.files["/etc/a"] = "old";
  ASSERT_TRUE(replace_passing_file(disk, "/etc/a", "new", 0600).ok());
  EXPECT_EQ(disk.noted.calls, (std::vector<std::string>{"rename /etc/a.new /etc/a"}));
  EXPECT_EQ(disk.noted.files, (std::map<std::string, std::string>{{"/etc/a", "new"}}));
}

TEST(ReplaceFile, IsNotStoppedByWhatACrashLeftBehind) {
  NotedDisk disk;
  disk.noted.files["a.new"] = "half";
  ASSERT_TRUE(replace_file(disk, "a", "new", 0600).ok());
  EXPECT_EQ(disk.noted.calls.back(), "sync .");
  EXPECT_EQ(disk.noted.files, (std::map<std::string, std::string>{{"a", "new"}}));
}

TEST(ReadFile, TakesFilesUpToTheBoundAndNotOneByteMore) {
  NotedDisk disk;
  const std::string contents(200'000, 'x');
  disk.noted.files["a"] = contents;
  EXPECT_EQ(*read_file(disk, "a", contents.size()), contents);
  EXPECT_EQ(read_file(disk, "a", contents.size() - 1).error().code, Code::RequestEntityTooLarge);
  EXPECT_EQ(read_file(disk, "b", 1).error().code, Code::NotFound);
}

}  // namespace
}  // namespace berth::env
