// Files, as a database needs them: explicit syncs, explicit directory syncs, a lock.
//
// Errors carry one of these codes: NotFound, AlreadyExists, Forbidden (permissions), Conflict (the
// lock is held elsewhere), ServiceUnavailable (the disk is full), StoreReadError (a read failed),
// InternalError (any other failure of the disk).

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::env {

// An open file; closed when it dies. Calls block; one loop owns it.
//
// A failed sync means that the system may have forgotten written bytes and will not say so again.
// So it is never retried: from then on every write, truncate and sync of this File fails.
class File {
 public:
  virtual ~File() = default;

  // The number of bytes read: less than asked for only at the end of the file.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const = 0;

  // All bytes or an error, after which any part of them may have been written. Extends the file; a
  // gap reads as zeros. Durable only after sync().
  virtual Status write_at(std::uint64_t offset, std::string_view bytes) = 0;

  virtual Status truncate(std::uint64_t size) = 0;

  // When it succeeds, all that was written, and the size, survives a loss of power. Whether the
  // *name* does is up to Disk::sync_directory.
  virtual Status sync() = 0;

  virtual Result<std::uint64_t> size() const = 0;
};

enum class OpenMode {
  ReadOnly,   // Must exist.
  Existing,   // To read and write; must exist.
  Create,     // To read and write; made if missing.
  CreateNew,  // To read and write; must not exist.
};

struct OpenOptions {
  OpenMode mode = OpenMode::ReadOnly;
  std::uint32_t permissions = 0600;  // Of a file that is made here.
};

// Held until it dies, or until the process does.
class DiskLock {
 public:
  virtual ~DiskLock() = default;
};

// Paths are absolute or relative to the working directory, with '/' in between.
class Disk {
 public:
  virtual ~Disk() = default;

  virtual Result<std::unique_ptr<File>> open(const std::string& path, OpenOptions options) = 0;
  virtual Status remove(const std::string& path) = 0;
  virtual Result<bool> exists(const std::string& path) const = 0;

  // Replaces `to` in one step if it exists.
  virtual Status rename(const std::string& from, const std::string& to) = 0;

  // Makes the directory and those above it, readable by the owner only. No error if it exists.
  virtual Status create_directory(const std::string& path) = 0;

  // The names in a directory, sorted, without "." and "..".
  virtual Result<std::vector<std::string>> list(const std::string& directory) const = 0;

  // Makes earlier creations, renames and removals inside the directory durable.
  virtual Status sync_directory(const std::string& directory) = 0;

  // Keeps other processes out: Conflict if one holds it. The file is made if missing.
  virtual Result<std::unique_ptr<DiskLock>> lock(const std::string& path) = 0;
};

}  // namespace berth::env
