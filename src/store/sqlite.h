// A thin cover over SQLite's C interface: owned handles, and errors as values.
//
// Codes of errors: ServiceUnavailable (the disk is full; the transaction is to be rolled back),
// StoreReadError (what is in the file cannot be right), InternalError (all else).

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sqlite3.h>

#include "base/result.h"

namespace berth::store {

class Statement {
 public:
  // Parameters count from 1. Texts must stay until the next reset().
  void bind(int parameter, std::int64_t number);
  void bind_text(int parameter, std::string_view text);
  void bind_blob(int parameter, std::string_view bytes);
  void bind_null(int parameter);

  // Whether there is a row.
  Result<bool> step();
  Status run();  // To its end, then reset().
  void reset();

  // Columns count from 0; nothing if the type is another. Views are good until the next step().
  std::optional<std::int64_t> number(int column) const;
  std::optional<std::string_view> text(int column) const;
  std::optional<std::string_view> blob(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

enum class DatabaseMode { Existing, Create, ReadOnly };

class Database {
 public:
  static Result<Database> open(const std::string& vfs, const std::string& path, DatabaseMode mode);

  Status execute(const std::string& sql);
  Result<Statement> prepare(const std::string& sql);

  // The number in the first column of the only row.
  Result<std::int64_t> number(const std::string& sql);

  // Begins, calls, commits; rolls back if that fails.
  Status in_transaction(const std::function<Status()>& work);

  // Moves all of the write-ahead log into the database file and syncs it; the log starts anew.
  Status checkpoint();
  // The same, and cuts the log's file to nothing.
  Status checkpoint_and_truncate();

  // Frames in the write-ahead log after the last commit.
  std::uint64_t log_frames() const { return *log_frames_; }

  // A commit no longer checkpoints by itself, nor does closing.
  void leave_checkpoints_to_us();

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };

  Status checkpoint(int mode);

  std::unique_ptr<sqlite3, Close> database_;
  std::unique_ptr<std::uint64_t> log_frames_ = std::make_unique<std::uint64_t>(0);
};

}  // namespace berth::store
