#include "store/data_directory_service.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "store/file_header.h"
#include "store/wal_scan.h"

namespace berth::store {
namespace {

Status remove_if_there(env::Disk& disk, const std::string& path) {
  ASSIGN_OR_RETURN(const bool there, disk.exists(path));
  return there ? disk.remove(path) : Status();
}

Status refuse(const std::string& path, std::string_view why) {
  return failure(Code::Invalid, fmt::format("{} {}", path, why));
}

// SQLite would forget acknowledged commits behind a damaged one without a word.
Status check_wal(env::Disk& disk, const std::string& path) {
  ASSIGN_OR_RETURN(const auto file, disk.open(path, {.mode = env::OpenMode::ReadOnly}));
  ASSIGN_OR_RETURN(const std::uint64_t size, file->size());
  if (size <= kWalHeaderBytes) return {};
  std::string bytes(kWalHeaderBytes, '\0');
  ASSIGN_OR_RETURN(std::size_t read, file->read_at(0, bytes));
  ASSIGN_OR_RETURN(WalScan scan, WalScan::begin(std::string_view(bytes).substr(0, read)));
  bytes.resize(scan.frame_bytes());
  for (std::uint64_t at = kWalHeaderBytes;; at += bytes.size()) {
    ASSIGN_OR_RETURN(read, file->read_at(at, bytes));
    if (read < bytes.size()) break;
    scan.add(bytes);
  }
  return scan.finish();
}

// Written anew, not only synced: after a failed sync the system may show bytes that are in its
// cache and never reached the disk, and a further sync would say that all is well. SQLite believes
// what it reads in here, and begins to move it into the database file.
Status make_durable(env::Disk& disk, const std::string& path, const std::string& directory) {
  const std::string beside = path + ".new";
  RETURN_IF_ERROR(remove_if_there(disk, beside));
  ASSIGN_OR_RETURN(const bool there, disk.exists(path));
  if (!there) return {};
  if (Status checked = check_wal(disk, path); !checked.ok()) {
    return failure(std::move(checked).error().in_context(path));
  }
  RETURN_IF_ERROR(copy_file(disk, path, beside));
  RETURN_IF_ERROR(disk.rename(beside, path));
  return disk.sync_directory(directory);
}

}  // namespace

DataDirectory::DataDirectory(env::Disk& disk, std::string path, std::unique_ptr<env::DiskLock> lock)
    : disk_(&disk),
      path_(std::move(path)),
      log_path_(path_ + "/store.db"),
      lock_(std::move(lock)) {}

Result<DataDirectory> DataDirectory::hold(env::Disk& disk, const std::string& path) {
  RETURN_IF_ERROR(disk.create_directory(path));
  auto lock = disk.lock(path + "/lock");
  if (!lock.ok() && lock.error().code == Code::Conflict) {
    return failure(Code::Conflict,
                   fmt::format("the data directory {} is in use by another process", path));
  }
  if (!lock.ok()) return failure(std::move(lock).error());
  return DataDirectory(disk, path, std::move(*lock));
}

Result<bool> DataDirectory::has_log() const { return disk_->exists(log_path_); }

Result<std::unique_ptr<Log>> DataDirectory::open_log() {
  ASSIGN_OR_RETURN(const bool there, has_log());
  if (!there) RETURN_IF_ERROR(create_log());
  RETURN_IF_ERROR(check_log_file(*disk_, log_path_));
  RETURN_IF_ERROR(make_durable(*disk_, log_path_ + "-wal", path_));
  return Log::open(*disk_, log_path_);
}

// Under another name, so that a log is there whole or not at all.
Status DataDirectory::create_log() {
  ASSIGN_OR_RETURN(const bool orphan, disk_->exists(log_path_ + "-wal"));
  if (orphan) return refuse(log_path_ + "-wal", "is there, but the store it belongs to is missing");
  ASSIGN_OR_RETURN(const std::string path, room_for_new_log());
  ASSIGN_OR_RETURN(auto log, Log::create(*disk_, path));
  RETURN_IF_ERROR(Log::close(std::move(log)));
  return accept_new_log();
}

Result<std::string> DataDirectory::room_for_new_log() {
  const std::string path = log_path_ + ".new";
  for (const char* suffix : {"", "-wal", "-journal"}) {
    RETURN_IF_ERROR(remove_if_there(*disk_, path + suffix));
  }
  return path;
}

Status DataDirectory::accept_new_log() {
  RETURN_IF_ERROR(disk_->rename(log_path_ + ".new", log_path_));
  return disk_->sync_directory(path_);
}

Status check_log_file(env::Disk& disk, const std::string& path) {
  ASSIGN_OR_RETURN(const bool journal, disk.exists(path + "-journal"));
  if (journal) return refuse(path + "-journal", "is there: another program wrote to the store");
  ASSIGN_OR_RETURN(const auto file, disk.open(path, {.mode = env::OpenMode::ReadOnly}));
  std::string header(kFileHeaderBytes, '\0');
  ASSIGN_OR_RETURN(const std::size_t read, file->read_at(0, header));
  const Status checked = check_file_header(std::string_view(header).substr(0, read));
  return checked.ok() ? checked : refuse(path, checked.error().message);
}

Status copy_file(env::Disk& disk, const std::string& from, const std::string& to) {
  constexpr std::size_t kChunk = 1 << 20;
  ASSIGN_OR_RETURN(const auto source, disk.open(from, {.mode = env::OpenMode::ReadOnly}));
  ASSIGN_OR_RETURN(const auto target, disk.open(to, {.mode = env::OpenMode::CreateNew}));
  std::string buffer(kChunk, '\0');
  for (std::uint64_t at = 0;;) {
    ASSIGN_OR_RETURN(const std::size_t read, source->read_at(at, buffer));
    RETURN_IF_ERROR(target->write_at(at, std::string_view(buffer).substr(0, read)));
    at += read;
    if (read < buffer.size()) break;
  }
  return target->sync();
}

}  // namespace berth::store
