// DiskVfs: SQLite's files on an env::Disk, so that the simulator breaks the real library.
//
// For one connection at a time that locks exclusively: there are no locks in here (who holds the
// directory holds a DiskLock) and no shared memory.

#pragma once

#include <memory>
#include <string>

#include <sqlite3.h>

#include "base/result.h"
#include "env/disk.h"

namespace berth::store {

class DiskVfs {
 public:
  explicit DiskVfs(env::Disk& disk);  // The disk outlives it.
  ~DiskVfs();                         // After all its connections.
  DiskVfs(const DiskVfs&) = delete;
  DiskVfs& operator=(const DiskVfs&) = delete;

  const std::string& name() const;  // For sqlite3_open_v2.

  // What the disk said about the last call that failed, which SQLite's own messages leave out.
  // Empty if none has failed since it was taken the last time.
  std::string take_error();

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace berth::store
