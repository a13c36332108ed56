// DataDirectory: where a store lives. Held by one process at a time.

#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "env/disk.h"
#include "store/log_service.h"

namespace berth::store {

class DataDirectory {
 public:
  // Made if missing. Conflict: another process holds it.
  static Result<DataDirectory> hold(env::Disk& disk, const std::string& path);

  Result<bool> has_log() const;

  // The log in here, made if missing. Invalid: the file is not ours, or of another format.
  Result<std::unique_ptr<Log>> open_log();

  // The name under which a new log is made before it counts. Removes what was left there.
  Result<std::string> room_for_new_log();
  // From now on it counts. It must be closed, and there must be none yet.
  Status accept_new_log();

  const std::string& log_path() const { return log_path_; }

 private:
  DataDirectory(env::Disk& disk, std::string path, std::unique_ptr<env::DiskLock> lock);

  Status create_log();

  env::Disk* disk_;
  std::string path_;
  std::string log_path_;
  std::unique_ptr<env::DiskLock> lock_;
};

// Invalid: the file at this path is not a log of ours, or is of another format.
Status check_log_file(env::Disk& disk, const std::string& path);

// Copies the file; durable when it returns, except for its new name.
Status copy_file(env::Disk& disk, const std::string& from, const std::string& to);

}  // namespace berth::store
