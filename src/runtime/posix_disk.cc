#include "runtime/posix_disk.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/fd.h"
#include "runtime/system_error.h"

namespace berth::runtime {
namespace {

// Repeats a system call that a signal has interrupted.
template <typename Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

class PosixFile final : public env::File {
 public:
  PosixFile(Fd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    std::size_t done = 0;
    while (done < into.size()) {
      const std::span<char> rest = into.subspan(done);
      const ssize_t count = uninterrupted([&] {
        return ::pread(fd_.number(), rest.data(), rest.size(), static_cast<off_t>(offset + done));
      });
      if (count < 0) return failure(Code::StoreReadError, describe(errno, "read " + path_));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    if (broken_) return failure(*broken_);
    while (!bytes.empty()) {
      const ssize_t count = uninterrupted([&] {
        return ::pwrite(fd_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      });
      if (count < 0) return failure(disk_error(errno, "write " + path_));
      offset += static_cast<std::uint64_t>(count);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
  }

  Status truncate(std::uint64_t size) override {
    if (broken_) return failure(*broken_);
    const int result =
        uninterrupted([&] { return ::ftruncate(fd_.number(), static_cast<off_t>(size)); });
    if (result != 0) return failure(disk_error(errno, "truncate " + path_));
    return {};
  }

  Status sync() override {
    if (broken_) return failure(*broken_);
    // fdatasync also writes the size, and whatever else is needed to read the bytes again.
    if (uninterrupted([&] { return ::fdatasync(fd_.number()); }) == 0) return {};
    broken_ = disk_error(errno, "sync " + path_);
    return failure(*broken_);
  }

  Result<std::uint64_t> size() const override {
    struct stat facts;
    if (::fstat(fd_.number(), &facts) != 0) return failure(disk_error(errno, "stat " + path_));
    return static_cast<std::uint64_t>(facts.st_size);
  }

 private:
  Fd fd_;
  std::string path_;
  std::optional<Error> broken_;  // What the failed sync said; never forgotten.
};

class PosixLock final : public env::DiskLock {
 public:
  explicit PosixLock(Fd fd) : fd_(std::move(fd)) {}

 private:
  Fd fd_;  // Closing it releases the lock.
};

int flags_of(env::OpenMode mode) {
  switch (mode) {
    case env::OpenMode::ReadOnly:
      return O_RDONLY;
    case env::OpenMode::Existing:
      return O_RDWR;
    case env::OpenMode::Create:
      return O_RDWR | O_CREAT;
    case env::OpenMode::CreateNew:
      return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

Result<Fd> open_fd(const std::string& path, int flags, std::uint32_t permissions) {
  Fd fd(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, permissions); }));
  if (!fd.valid()) return failure(disk_error(errno, "open " + path));
  return fd;
}

}  // namespace

Result<std::unique_ptr<env::File>> PosixDisk::open(const std::string& path,
                                                   env::OpenOptions options) {
  ASSIGN_OR_RETURN(Fd fd, open_fd(path, flags_of(options.mode), options.permissions));
  return std::make_unique<PosixFile>(std::move(fd), path);
}

Status PosixDisk::remove(const std::string& path) {
  if (::unlink(path.c_str()) != 0) return failure(disk_error(errno, "remove " + path));
  return {};
}

Result<bool> PosixDisk::exists(const std::string& path) const {
  struct stat facts;
  if (::stat(path.c_str(), &facts) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  return failure(disk_error(errno, "stat " + path));
}

Status PosixDisk::rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    return failure(disk_error(errno, "rename " + from + " to " + to));
  }
  return {};
}

Status PosixDisk::create_directory(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (!part.empty() && ::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      return failure(disk_error(errno, "make directory " + part));
    }
    if (end == std::string::npos) break;
  }
  struct stat facts;
  if (::stat(path.c_str(), &facts) == 0 && !S_ISDIR(facts.st_mode)) {
    return failure(Code::AlreadyExists, path + " exists and is no directory");
  }
  return {};
}

Result<std::vector<std::string>> PosixDisk::list(const std::string& directory) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), &::closedir);
  if (!entries) return failure(disk_error(errno, "list " + directory));
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) return failure(disk_error(errno, "list " + directory));
  std::ranges::sort(names);
  return names;
}

Status PosixDisk::sync_directory(const std::string& directory) {
  ASSIGN_OR_RETURN(const Fd fd, open_fd(directory, O_RDONLY | O_DIRECTORY, 0));
  if (uninterrupted([&] { return ::fsync(fd.number()); }) != 0) {
    return failure(disk_error(errno, "sync " + directory));
  }
  return {};
}

Result<std::unique_ptr<env::DiskLock>> PosixDisk::lock(const std::string& path) {
  ASSIGN_OR_RETURN(Fd fd, open_fd(path, O_RDWR | O_CREAT, 0600));
  if (uninterrupted([&] { return ::flock(fd.number(), LOCK_EX | LOCK_NB); }) != 0) {
    if (errno == EWOULDBLOCK)
      return failure(Code::Conflict, path + " is locked by another process");
    return failure(disk_error(errno, "lock " + path));
  }
  return std::make_unique<PosixLock>(std::move(fd));
}

}  // namespace berth::runtime
