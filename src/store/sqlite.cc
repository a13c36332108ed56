#include "store/sqlite.h"

#include <utility>

#include <fmt/core.h>

namespace berth::store {
namespace {

// One row. Objects are far smaller; a damaged file may claim anything.
constexpr int kRowBytesMax = 64 << 20;

Error error_of(int code, std::string_view message) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return {.code = Code::ServiceUnavailable, .message = std::string(message)};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      return {.code = Code::StoreReadError, .message = std::string(message)};
    default:
      return {.code = Code::InternalError,
              .message = fmt::format("{} (SQLite's code {})", message, code)};
  }
}

Error error_of(sqlite3* database) {
  return error_of(sqlite3_extended_errcode(database), sqlite3_errmsg(database));
}

std::string_view view(const void* bytes, int size) {
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

}  // namespace

void Statement::bind(int parameter, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), parameter, number);
}

void Statement::bind_text(int parameter, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
}

void Statement::bind_blob(int parameter, std::string_view bytes) {
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.data(), bytes.size(), SQLITE_STATIC);
}

void Statement::bind_null(int parameter) { sqlite3_bind_null(statement_.get(), parameter); }

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failure(error_of(sqlite3_db_handle(statement_.get())));
}

Status Statement::run() {
  for (;;) {
    const Result<bool> more = step();
    if (more.ok() && *more) continue;
    // Resetting repeats the error, which we have.
    reset();
    if (!more.ok()) return failure(more.error());
    return {};
  }
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::optional<std::int64_t> Statement::number(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<std::string_view> Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return std::nullopt;
  const void* bytes = sqlite3_column_text(statement_.get(), column);
  return view(bytes, sqlite3_column_bytes(statement_.get(), column));
}

std::optional<std::string_view> Statement::blob(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_BLOB) return std::nullopt;
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  return view(bytes, sqlite3_column_bytes(statement_.get(), column));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Result<Database> Database::open(const std::string& vfs, const std::string& path,
                                DatabaseMode mode) {
  const int access = mode == DatabaseMode::ReadOnly ? SQLITE_OPEN_READONLY
                     : mode == DatabaseMode::Create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                                    : SQLITE_OPEN_READWRITE;
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, access | SQLITE_OPEN_NOMUTEX, vfs.c_str());
  Database database;
  database.database_.reset(handle);
  if (!handle) return failure(Code::InternalError, "SQLite has no memory");
  if (code != SQLITE_OK) return failure(error_of(handle));
  sqlite3_extended_result_codes(handle, 1);
  // A file that somebody has tampered with must not do more than fail.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kRowBytesMax);
  return database;
}

void Database::leave_checkpoints_to_us() {
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // Takes the place of the automatic checkpoints.
  sqlite3_wal_hook(
      database_.get(),
      [](void* frames, sqlite3* /*database*/, const char* /*name*/, int count) {
        *static_cast<std::uint64_t*>(frames) = static_cast<std::uint64_t>(count);
        return SQLITE_OK;
      },
      log_frames_.get());
}

Status Database::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return failure(error_of(database_.get()));
}

Result<Statement> Database::prepare(const std::string& sql) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.c_str(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  Statement statement;
  statement.statement_.reset(handle);
  if (code != SQLITE_OK) return failure(error_of(database_.get()));
  return statement;
}

Result<std::int64_t> Database::number(const std::string& sql) {
  ASSIGN_OR_RETURN(Statement statement, prepare(sql));
  ASSIGN_OR_RETURN(const bool found, statement.step());
  const auto value = found ? statement.number(0) : std::nullopt;
  if (!value) return failure(Code::StoreReadError, "no number is the answer to " + sql);
  return *value;
}

Status Database::in_transaction(const std::function<Status()>& work) {
  RETURN_IF_ERROR(execute("BEGIN IMMEDIATE"));
  Status done = work();
  if (done.ok()) done = execute("COMMIT");
  if (done.ok()) return {};
  // Some errors have rolled back already.
  if (sqlite3_get_autocommit(database_.get()) == 0) {
    const Status undone = execute("ROLLBACK");
    // What it leaves behind is unknown, so the error must not look harmless.
    if (!undone.ok())
      return failure(Code::InternalError, "rolling back: " + undone.error().message);
  }
  return done;
}

Status Database::checkpoint() { return checkpoint(SQLITE_CHECKPOINT_RESTART); }

Status Database::checkpoint_and_truncate() { return checkpoint(SQLITE_CHECKPOINT_TRUNCATE); }

Status Database::checkpoint(int mode) {
  int left = 0;
  int done = 0;
  const int code = sqlite3_wal_checkpoint_v2(database_.get(), nullptr, mode, &left, &done);
  if (code != SQLITE_OK) return failure(error_of(database_.get()));
  if (left != done) return failure(Code::InternalError, "a checkpoint left something behind");
  *log_frames_ = 0;
  return {};
}

}  // namespace berth::store
