#include "store/backup_service.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "store/data_directory_service.h"

namespace berth::store {
namespace {

constexpr std::size_t kStepRows = 1000;
constexpr std::size_t kStepBytes = 1 << 20;
constexpr std::uint64_t kCheckpointPages = 2048;

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// In the order of revisions, in which appending is cheap.
std::vector<Row> rows_of(const Snapshot& snapshot) {
  std::vector<Row> rows;
  rows.reserve(snapshot.size());
  for (const auto& each : snapshot.tables().all()) {
    each->table.visit("", [&](std::string_view name, const EntryPtr& entry) {
      rows.push_back({.revision = entry->revision,
                      .table = each->name,
                      .name = name,
                      .text = entry->text,
                      .version_at = entry->version_at});
      return true;
    });
  }
  std::ranges::sort(rows, {}, &Row::revision);
  return rows;
}

// Everything becomes the base.
CompactionStep without_history(const Loaded& loaded) {
  Compaction compaction(loaded.base);
  compaction.add(loaded.recent);
  return compaction.next(std::numeric_limits<std::size_t>::max());
}

}  // namespace

BackupWriter::BackupWriter(env::Disk& disk, SnapshotPtr snapshot, std::string path)
    : disk_(&disk),
      snapshot_(std::move(snapshot)),
      path_(std::move(path)),
      unfinished_(path_ + ".new"),
      rows_(rows_of(*snapshot_)),
      base_{.revision = snapshot_->revision()} {}

Result<BackupWriter> BackupWriter::begin(env::Disk& disk, SnapshotPtr snapshot, std::string path) {
  ASSIGN_OR_RETURN(const bool there, disk.exists(path));
  if (there) return failure(Code::AlreadyExists, path + " exists already");
  BackupWriter writer(disk, std::move(snapshot), std::move(path));
  for (const char* suffix : {"", "-wal", "-journal"}) {
    const std::string left = writer.unfinished_ + suffix;
    ASSIGN_OR_RETURN(const bool is_left, disk.exists(left));
    if (is_left) RETURN_IF_ERROR(disk.remove(left));
  }
  ASSIGN_OR_RETURN(writer.log_, Log::create(disk, writer.unfinished_));
  return writer;
}

Result<bool> BackupWriter::step() {
  const std::span<const Row> left = std::span<const Row>(rows_).subspan(done_);
  std::size_t count = 0;
  for (std::size_t bytes = 0; count < std::min(left.size(), kStepRows) && bytes < kStepBytes;) {
    base_.add(checksum(left[count]));
    bytes += left[count++].text->size();
  }
  RETURN_IF_ERROR(log_->add_to_base(left.first(count)));
  if (log_->pages_to_checkpoint() >= kCheckpointPages) RETURN_IF_ERROR(log_->checkpoint());
  done_ += count;
  return done_ < rows_.size();
}

Result<BackupReport> BackupWriter::finish() && {
  RETURN_IF_ERROR(log_->compact({.rows = {}, .base = base_}));
  RETURN_IF_ERROR(Log::close(std::move(log_)));
  RETURN_IF_ERROR(verify());
  RETURN_IF_ERROR(disk_->rename(unfinished_, path_));
  RETURN_IF_ERROR(disk_->sync_directory(directory_of(path_)));
  return BackupReport{.revision = snapshot_->revision(), .objects = rows_.size()};
}

Status BackupWriter::verify() {
  ASSIGN_OR_RETURN(auto log, Log::open(*disk_, unfinished_));
  ASSIGN_OR_RETURN(const Loaded loaded, log->load());
  RETURN_IF_ERROR(Log::close(std::move(log)));
  if (loaded.base == base_ && loaded.snapshot->revision() == snapshot_->revision()) return {};
  return failure(Code::StoreReadError, unfinished_ + " is not what was written");
}

Result<BackupReport> write_backup(env::Disk& disk, SnapshotPtr snapshot, const std::string& path) {
  ASSIGN_OR_RETURN(BackupWriter writer, BackupWriter::begin(disk, std::move(snapshot), path));
  for (bool more = true; more;) {
    ASSIGN_OR_RETURN(more, writer.step());
  }
  return std::move(writer).finish();
}

Result<BackupReport> back_up_directory(env::Disk& disk, const std::string& directory,
                                       const std::string& path) {
  ASSIGN_OR_RETURN(DataDirectory held, DataDirectory::hold(disk, directory));
  ASSIGN_OR_RETURN(const bool there, held.has_log());
  if (!there) return failure(Code::NotFound, held.log_path() + " does not exist");
  ASSIGN_OR_RETURN(auto log, held.open_log());
  ASSIGN_OR_RETURN(Loaded loaded, log->load());
  return write_backup(disk, std::move(loaded.snapshot), path);
}

Backup::Backup(env::Loop& loop, env::Disk& disk, Options options, Done done)
    : loop_(loop), disk_(disk), options_(std::move(options)), done_(std::move(done)) {
  loop_.post(scope_.guard([this] { begin(); }));
}

void Backup::begin() {
  auto writer = BackupWriter::begin(disk_, options_.snapshot, options_.path);
  if (!writer.ok()) return end(failure(std::move(writer).error()));
  writer_ = std::make_unique<BackupWriter>(std::move(*writer));
  step();
}

void Backup::step() {
  const Result<bool> more = writer_->step();
  if (!more.ok()) return end(failure(more.error()));
  if (options_.on_progress) options_.on_progress(writer_->objects_done(), writer_->objects());
  loop_.post(scope_.guard([this, more = *more] {
    if (more) return step();
    end(std::move(*writer_).finish());
  }));
}

void Backup::end(Result<BackupReport> report) { std::exchange(done_, {})(std::move(report)); }

Result<BackupReport> restore_backup(env::Disk& disk, const std::string& path,
                                    const std::string& directory) {
  ASSIGN_OR_RETURN(DataDirectory held, DataDirectory::hold(disk, directory));
  ASSIGN_OR_RETURN(const bool there, held.has_log());
  if (there) {
    return failure(Code::AlreadyExists,
                   fmt::format("the data directory {} has a store already", directory));
  }
  RETURN_IF_ERROR(check_log_file(disk, path));
  ASSIGN_OR_RETURN(const std::string unfinished, held.room_for_new_log());
  RETURN_IF_ERROR(copy_file(disk, path, unfinished));
  ASSIGN_OR_RETURN(auto log, Log::open(disk, unfinished));
  ASSIGN_OR_RETURN(const Loaded loaded, log->load());
  CompactionStep step = without_history(loaded);
  step.base.revision += kEpochStep;
  RETURN_IF_ERROR(log->compact(step));
  RETURN_IF_ERROR(Log::close(std::move(log)));
  RETURN_IF_ERROR(held.accept_new_log());
  return BackupReport{.revision = step.base.revision, .objects = loaded.snapshot->size()};
}

}  // namespace berth::store
