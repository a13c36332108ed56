// Backups: all objects as they were at one revision, in one file of the same format as the store's,
// so that it carries the same checksums and `sqlite3` can look into it.
//
// A backup is made from a snapshot, so the store goes on meanwhile. To restore one begins a new
// epoch: revisions go on far beyond all that were used, with no history, so that nobody takes a
// revision of the time after the backup for one of the new time.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "env/disk.h"
#include "env/loop.h"
#include "env/scope.h"
#include "store/log_service.h"
#include "store/snapshot.h"

namespace berth::store {

inline constexpr Revision kEpochStep = 1'000'000;

struct BackupReport {
  Revision revision = 0;
  std::size_t objects = 0;

  bool operator==(const BackupReport&) const = default;
};

// Writes a backup piece by piece. What is unfinished lies at PATH.new.
class BackupWriter {
 public:
  // AlreadyExists: nothing is overwritten.
  static Result<BackupWriter> begin(env::Disk& disk, SnapshotPtr snapshot, std::string path);

  // Whether more is to be done.
  Result<bool> step();

  // Reads all of it again, and gives it its name.
  Result<BackupReport> finish() &&;

  std::size_t objects() const { return rows_.size(); }
  std::size_t objects_done() const { return done_; }

 private:
  BackupWriter(env::Disk& disk, SnapshotPtr snapshot, std::string path);

  Status verify();

  env::Disk* disk_;
  SnapshotPtr snapshot_;
  std::string path_;
  std::string unfinished_;
  std::unique_ptr<Log> log_;
  std::vector<Row> rows_;  // In the order of revisions; views into the snapshot.
  std::size_t done_ = 0;
  BaseState base_;
};

// At once.
Result<BackupReport> write_backup(env::Disk& disk, SnapshotPtr snapshot, const std::string& path);

// Of a store that no process serves. Conflict: one does.
Result<BackupReport> back_up_directory(env::Disk& disk, const std::string& directory,
                                       const std::string& path);

// On a loop, which has other things to do in between. It ends when it dies; what is unfinished then
// stays at PATH.new.
class Backup {
 public:
  struct Options {
    SnapshotPtr snapshot;
    std::string path;
    std::function<void(std::size_t done, std::size_t objects)> on_progress = {};
  };
  using Done = std::move_only_function<void(Result<BackupReport>)>;

  // The callback runs once, later, on the loop.
  Backup(env::Loop& loop, env::Disk& disk, Options options, Done done);

 private:
  void begin();
  void step();
  void end(Result<BackupReport> report);

  env::Loop& loop_;
  env::Disk& disk_;
  Options options_;
  Done done_;
  std::unique_ptr<BackupWriter> writer_;
  env::Scope scope_;
};

// Makes the directory's store from the backup, which is only read. The report has the revision with
// which the new epoch begins. AlreadyExists: there is a store already; Invalid and StoreReadError:
// the backup is none, or damaged.
Result<BackupReport> restore_backup(env::Disk& disk, const std::string& path,
                                    const std::string& directory);

}  // namespace berth::store
