#include "store/log_service.h"

#include <utility>

#include <fmt/core.h>

#include "store/file_header.h"

namespace berth::store {
namespace {

// Texts are blobs, because SQLite must not look at them.
constexpr std::string_view kCreateBase =
    "CREATE TABLE base(id INTEGER PRIMARY KEY CHECK (id = 0), revision INTEGER NOT NULL, "
    "rows INTEGER NOT NULL, sum INTEGER NOT NULL, checksum INTEGER NOT NULL)";
constexpr std::string_view kCreateLog =
    "CREATE TABLE log(revision INTEGER PRIMARY KEY, \"table\" TEXT NOT NULL, name TEXT NOT NULL, "
    "text BLOB, version_at INTEGER NOT NULL, checksum INTEGER NOT NULL)";

constexpr const char* kInsert =
    R"(INSERT INTO log(revision, "table", name, text, version_at, checksum)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6))";
constexpr const char* kSelect =
    R"(SELECT revision, "table", name, text, version_at, checksum FROM log ORDER BY revision)";

std::unexpected<Error> damaged(std::string what) {
  return failure(Code::StoreReadError, std::move(what));
}

// SQLite's integers have a sign.
std::int64_t to_sqlite(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t from_sqlite(std::int64_t number) { return static_cast<std::uint64_t>(number); }

struct StoredRow {
  Row row;
  std::uint32_t checksum;
};

Result<StoredRow> read_row(const Statement& statement) {
  const auto revision = statement.number(0);
  const auto table = statement.text(1);
  const auto name = statement.text(2);
  const auto text = statement.blob(3);
  const auto version_at = statement.number(4);
  const auto sum = statement.number(5);
  if (!revision || *revision <= 0) return damaged("a row has no revision");
  const auto fits = [](const auto& number) { return number && *number == std::uint32_t(*number); };
  const bool typed = table && name && (text || statement.is_null(3));
  if (!typed || !fits(version_at) || !fits(sum)) {
    return damaged(fmt::format("revision {}: the row's columns have wrong types", *revision));
  }
  return StoredRow{.row = {.revision = from_sqlite(*revision),
                           .table = *table,
                           .name = *name,
                           .text = text,
                           .version_at = static_cast<std::uint32_t>(*version_at)},
                   .checksum = static_cast<std::uint32_t>(*sum)};
}

}  // namespace

Result<std::unique_ptr<Log>> Log::create(env::Disk& disk, const std::string& path) {
  auto log = std::make_unique<Log>(disk, path);
  const auto fill = [&]() -> Status {
    RETURN_IF_ERROR(log->open_database(DatabaseMode::Create));
    RETURN_IF_ERROR(log->database_.in_transaction([&]() -> Status {
      RETURN_IF_ERROR(log->database_.execute(fmt::format("{};{}", kCreateBase, kCreateLog)));
      RETURN_IF_ERROR(log->database_.execute(fmt::format(
          "PRAGMA application_id={}; PRAGMA user_version={};", kApplicationId, kFormatVersion)));
      return log->write_base({});
    }));
    return log->prepare();
  };
  RETURN_IF_ERROR(log->with_context(fill()));
  return log;
}

Result<std::unique_ptr<Log>> Log::open(env::Disk& disk, const std::string& path) {
  auto log = std::make_unique<Log>(disk, path);
  const auto settle = [&]() -> Status {
    RETURN_IF_ERROR(log->open_database(DatabaseMode::Existing));
    RETURN_IF_ERROR(log->database_.checkpoint_and_truncate());
    RETURN_IF_ERROR(log->check_schema());
    return log->prepare();
  };
  RETURN_IF_ERROR(log->with_context(settle()));
  return log;
}

Status Log::open_database(DatabaseMode mode) {
  ASSIGN_OR_RETURN(database_, Database::open(vfs_.name(), path_, mode));
  // Exclusive locking first: with it the index of the write-ahead log is in our memory.
  RETURN_IF_ERROR(
      database_.execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA temp_store=MEMORY;"
                        "PRAGMA cell_size_check=ON; PRAGMA page_size=4096;"
                        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"));
  database_.leave_checkpoints_to_us();
  return {};
}

// Two tables and nothing else: a view could be anything, even endless.
Status Log::check_schema() {
  ASSIGN_OR_RETURN(Statement statement,
                   database_.prepare("SELECT sql FROM sqlite_schema ORDER BY name"));
  for (const std::string_view expected : {kCreateBase, kCreateLog}) {
    ASSIGN_OR_RETURN(const bool found, statement.step());
    if (!found || statement.text(0) != expected) return damaged("its tables are not ours");
  }
  ASSIGN_OR_RETURN(const bool more, statement.step());
  return more ? damaged("its tables are not ours") : Status();
}

Status Log::prepare() {
  ASSIGN_OR_RETURN(insert_, database_.prepare(kInsert));
  ASSIGN_OR_RETURN(remove_, database_.prepare("DELETE FROM log WHERE revision = ?1"));
  return {};
}

Status Log::append(std::span<const EntryChange> changes) {
  return with_context(database_.in_transaction([&]() -> Status {
    for (const EntryChange& change : changes) {
      RETURN_IF_ERROR(insert(row_of(change.revision, change.key, change.after.get())));
    }
    return {};
  }));
}

Status Log::add_to_base(std::span<const Row> rows) {
  return with_context(database_.in_transaction([&]() -> Status {
    for (const Row& row : rows) RETURN_IF_ERROR(insert(row));
    return {};
  }));
}

Status Log::insert(const Row& row) {
  insert_.bind(1, to_sqlite(row.revision));
  insert_.bind_text(2, row.table);
  insert_.bind_text(3, row.name);
  if (row.text) {
    insert_.bind_blob(4, *row.text);
  } else {
    insert_.bind_null(4);
  }
  insert_.bind(5, row.version_at);
  insert_.bind(6, checksum(row));
  return insert_.run();
}

Status Log::compact(const CompactionStep& step) {
  return with_context(database_.in_transaction([&]() -> Status {
    for (const Revision revision : step.rows) {
      remove_.bind(1, to_sqlite(revision));
      RETURN_IF_ERROR(remove_.run());
    }
    return write_base(step.base);
  }));
}

Status Log::write_base(const BaseState& base) {
  return database_.execute(fmt::format(
      "INSERT OR REPLACE INTO base(id, revision, rows, sum, checksum) VALUES (0, {}, {}, {}, {})",
      to_sqlite(base.revision), to_sqlite(base.rows), to_sqlite(base.sum), store::checksum(base)));
}

Status Log::checkpoint() { return with_context(database_.checkpoint()); }

Result<Loaded> Log::load() {
  const auto assemble = [&]() -> Result<Loaded> {
    ASSIGN_OR_RETURN(const BaseState base, read_base());
    Assembly assembly(base);
    RETURN_IF_ERROR(read_rows(assembly));
    return std::move(assembly).finish();
  };
  Result<Loaded> loaded = assemble();
  if (loaded.ok()) return loaded;
  return failure(with_context(failure(std::move(loaded).error())).error());
}

Result<BaseState> Log::read_base() {
  ASSIGN_OR_RETURN(Statement statement,
                   database_.prepare("SELECT revision, rows, sum, checksum FROM base"));
  ASSIGN_OR_RETURN(const bool found, statement.step());
  const auto revision = statement.number(0);
  const auto rows = statement.number(1);
  const auto sum = statement.number(2);
  const auto stored = statement.number(3);
  if (!found || !revision || !rows || !sum || !stored) return damaged("the base has no state");
  const BaseState base = {
      .revision = from_sqlite(*revision), .rows = from_sqlite(*rows), .sum = from_sqlite(*sum)};
  if (store::checksum(base) != *stored || *revision < 0) {
    return damaged("the state of the base is damaged: its checksum is wrong");
  }
  return base;
}

Status Log::read_rows(Assembly& assembly) {
  ASSIGN_OR_RETURN(Statement select, database_.prepare(kSelect));
  Revision last = 0;
  for (;;) {
    const Result<bool> more = select.step();
    if (!more.ok()) {
      return failure(Error(more.error()).in_context(fmt::format("after revision {}", last)));
    }
    if (!*more) return {};
    ASSIGN_OR_RETURN(const StoredRow stored, read_row(select));
    RETURN_IF_ERROR(assembly.add(stored.row, stored.checksum));
    last = stored.row.revision;
  }
}

Status Log::close(std::unique_ptr<Log> log) {
  RETURN_IF_ERROR(log->with_context(log->database_.checkpoint_and_truncate()));
  env::Disk& disk = log->disk_;
  const std::string side = log->path_ + "-wal";
  log.reset();
  ASSIGN_OR_RETURN(const bool left, disk.exists(side));
  return left ? disk.remove(side) : Status();
}

// SQLite's "disk I/O error" with the disk's own words, and the place.
Status Log::with_context(Status status) {
  const std::string said = vfs_.take_error();
  if (status.ok()) return status;
  Error error = std::move(status).error();
  if (!said.empty()) error.message += ": " + said;
  return failure(std::move(error).in_context(path_));
}

}  // namespace berth::store
