// Log: changes in an SQLite database, one row each, one transaction per group.
//
// Whoever opens one holds its directory. After an error other than ServiceUnavailable nothing is
// known about what the disk has: do not go on, start again.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "env/disk.h"
#include "store/assembly.h"
#include "store/base_state.h"
#include "store/compaction.h"
#include "store/disk_vfs_service.h"
#include "store/entry.h"
#include "store/sqlite.h"

namespace berth::store {

class Log {
 public:
  // Not open yet: create() and open() give one that is.
  Log(env::Disk& disk, std::string path) : disk_(disk), vfs_(disk), path_(std::move(path)) {}

  // An empty one in a new file.
  static Result<std::unique_ptr<Log>> create(env::Disk& disk, const std::string& path);

  // One that is there. Moves everything into the database file and syncs it, so that all that will
  // be read is durable; what SQLite finds in the write-ahead log must be so already.
  static Result<std::unique_ptr<Log>> open(env::Disk& disk, const std::string& path);

  // Reads and checks all rows. StoreReadError: something is damaged; says what and where.
  Result<Loaded> load();

  // In one transaction, durable when it returns ok. ServiceUnavailable: the disk is full, and
  // nothing has happened.
  Status append(std::span<const EntryChange> changes);
  Status compact(const CompactionStep& step);

  // Writes objects that belong to the base; they count when a step of a compaction says so.
  Status add_to_base(std::span<const Row> rows);

  // Moves the write-ahead log, of so many pages, into the database file.
  std::uint64_t pages_to_checkpoint() const { return database_.log_frames(); }
  Status checkpoint();

  // After the last checkpoint: leaves one file, which is all of it.
  static Status close(std::unique_ptr<Log> log);

  const std::string& path() const { return path_; }

 private:
  Status open_database(DatabaseMode mode);
  Status check_schema();
  Status prepare();
  Status insert(const Row& row);
  Status write_base(const BaseState& base);
  Result<BaseState> read_base();
  Status read_rows(Assembly& assembly);
  Status with_context(Status status);

  env::Disk& disk_;
  DiskVfs vfs_;
  std::string path_;
  Database database_;
  Statement insert_;
  Statement remove_;
};

}  // namespace berth::store
