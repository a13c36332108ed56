#include "sim/sim_disk.h"

#include <optional>
#include <utility>

#include <fmt/core.h>

namespace berth::sim {
namespace {

Error gone() { return {.code = Code::InternalError, .message = "the process is gone"}; }

Error missing(const std::string& path) {
  return {.code = Code::NotFound, .message = path + ": No such file or directory"};
}

// Faults, latency, and whether the process is still there: before each operation, and again after
// the fault hook, which may have ended it.
Status begin(MachineDisk& machine, SimLoop& loop, DiskAct act, const std::string& path) {
  if (loop.is_dead()) return failure(gone());
  const DiskOptions& options = machine.options;
  const Duration latency = act == DiskAct::Sync   ? options.sync_latency
                           : act == DiskAct::Read ? options.read_latency
                                                  : options.write_latency;
  if (latency > Duration::zero()) loop.block_for(latency);
  Status status = machine.begin(act, path);
  if (loop.is_dead()) return failure(gone());
  return status;
}

class SimFile final : public env::File {
 public:
  SimFile(MachineDisk& machine, SimLoop& loop, std::shared_ptr<Inode> inode, std::string path,
          env::OpenMode mode)
      : machine_(machine),
        loop_(loop),
        inode_(std::move(inode)),
        path_(std::move(path)),
        mode_(mode) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    RETURN_IF_ERROR(begin(machine_, loop_, DiskAct::Read, path_));
    return machine_.read(*inode_, offset, into);
  }

  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    RETURN_IF_ERROR(begin_change(DiskAct::Write));
    return machine_.write(*inode_, offset, bytes);
  }

  Status truncate(std::uint64_t size) override {
    RETURN_IF_ERROR(begin_change(DiskAct::Truncate));
    machine_.truncate(*inode_, size);
    return {};
  }

  Status sync() override {
    if (broken_) return failure(*broken_);
    Status status = begin(machine_, loop_, DiskAct::Sync, path_);
    if (loop_.is_dead()) return status;
    if (status.ok()) {
      machine_.sync(*inode_);
    } else {
      machine_.forget(*inode_);
      broken_ = status.error();
    }
    return status;
  }

  Result<std::uint64_t> size() const override {
    if (loop_.is_dead()) return failure(gone());
    return inode_->cached.size();
  }

 private:
  Status begin_change(DiskAct act) {
    if (broken_) return failure(*broken_);
    if (mode_ == env::OpenMode::ReadOnly) {
      return failure(Code::InternalError, path_ + ": Bad file descriptor");
    }
    return begin(machine_, loop_, act, path_);
  }

  MachineDisk& machine_;
  SimLoop& loop_;
  std::shared_ptr<Inode> inode_;
  std::string path_;
  env::OpenMode mode_;
  std::optional<Error> broken_;
};

class SimLock final : public env::DiskLock {
 public:
  explicit SimLock(std::shared_ptr<void> held) : held_(std::move(held)) {}

 private:
  std::shared_ptr<void> held_;
};

}  // namespace

Status SimDisk::begin_naming(const std::string& path) const {
  return begin(machine_, loop_, DiskAct::Name, path);
}

Result<std::unique_ptr<env::File>> SimDisk::open(const std::string& path,
                                                 env::OpenOptions options) {
  RETURN_IF_ERROR(begin_naming(path));
  std::shared_ptr<Inode> inode = machine_.find(path);
  const bool creates =
      options.mode == env::OpenMode::Create || options.mode == env::OpenMode::CreateNew;
  if (inode && options.mode == env::OpenMode::CreateNew) {
    return failure(Code::AlreadyExists, path + ": File exists");
  }
  if (!inode) {
    if (!creates || !machine_.has_directory(parent_of(path))) return failure(missing(path));
    inode = std::make_shared<Inode>();
    machine_.link(path, inode);
  }
  return std::make_unique<SimFile>(machine_, loop_, std::move(inode), path, options.mode);
}

Status SimDisk::remove(const std::string& path) {
  RETURN_IF_ERROR(begin_naming(path));
  if (!machine_.find(path)) return failure(missing(path));
  machine_.unlink(path);
  return {};
}

Result<bool> SimDisk::exists(const std::string& path) const {
  RETURN_IF_ERROR(begin_naming(path));
  return machine_.find(path) != nullptr || machine_.has_directory(path);
}

Status SimDisk::rename(const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(begin_naming(from));
  const std::shared_ptr<Inode> inode = machine_.find(from);
  if (!inode || !machine_.has_directory(parent_of(to))) return failure(missing(from));
  // The new name first: what survives of the two is never nothing.
  machine_.link(to, inode);
  machine_.unlink(from);
  return {};
}

Status SimDisk::create_directory(const std::string& path) {
  RETURN_IF_ERROR(begin_naming(path));
  if (machine_.find(path)) {
    return failure(Code::AlreadyExists, path + " exists and is no directory");
  }
  machine_.make_directory(path);
  return {};
}

Result<std::vector<std::string>> SimDisk::list(const std::string& directory) const {
  RETURN_IF_ERROR(begin_naming(directory));
  if (!machine_.has_directory(directory)) return failure(missing(directory));
  return machine_.names_in(directory);
}

Status SimDisk::sync_directory(const std::string& directory) {
  RETURN_IF_ERROR(begin(machine_, loop_, DiskAct::Sync, directory));
  if (!machine_.has_directory(directory)) return failure(missing(directory));
  machine_.sync_names(directory);
  return {};
}

Result<std::unique_ptr<env::DiskLock>> SimDisk::lock(const std::string& path) {
  RETURN_IF_ERROR(begin_naming(path));
  std::weak_ptr<void>& holder = machine_.locks[path];
  if (!holder.expired()) return failure(Code::Conflict, path + " is locked by another process");
  const std::shared_ptr<void> held = std::make_shared<char>();
  holder = held;
  if (!machine_.find(path)) machine_.link(path, std::make_shared<Inode>());
  return std::make_unique<SimLock>(held);
}

}  // namespace berth::sim
