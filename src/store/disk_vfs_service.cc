#include "store/disk_vfs_service.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace berth::store {

struct DiskVfs::State {
  explicit State(env::Disk& its_disk);

  // Keeps the message, and gives SQLite its own name for the failure.
  int failed(const Error& error, int code) {
    last_error = error.message;
    return code;
  }

  env::Disk& disk;
  std::string name;
  std::string last_error;
  sqlite3_vfs vfs = {};
};

namespace {

constexpr int kPathMax = 4096;

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Begins with sqlite3_file, as SQLite wants it, and lives in memory that SQLite hands out.
struct VfsFile {
  sqlite3_file base;
  DiskVfs::State* vfs;
  env::File* file;         // Owned; null: closed.
  std::string* directory;  // Owned; null: the name is durable already.
};

VfsFile& of(sqlite3_file* file) { return *reinterpret_cast<VfsFile*>(file); }
DiskVfs::State& of(sqlite3_vfs* vfs) { return *static_cast<DiskVfs::State*>(vfs->pAppData); }

int close(sqlite3_file* sqlite) {
  VfsFile& file = of(sqlite);
  const std::unique_ptr<env::File> owned_file(std::exchange(file.file, nullptr));
  const std::unique_ptr<std::string> owned_name(std::exchange(file.directory, nullptr));
  return SQLITE_OK;
}

int read(sqlite3_file* sqlite, void* into, int size, sqlite3_int64 offset) {
  const VfsFile& file = of(sqlite);
  const std::span<char> bytes(static_cast<char*>(into), static_cast<std::size_t>(size));
  const auto done = file.file->read_at(static_cast<std::uint64_t>(offset), bytes);
  if (!done.ok()) return file.vfs->failed(done.error(), SQLITE_IOERR_READ);
  if (*done == bytes.size()) return SQLITE_OK;
  std::ranges::fill(bytes.subspan(*done), '\0');
  return SQLITE_IOERR_SHORT_READ;
}

int write(sqlite3_file* sqlite, const void* from, int size, sqlite3_int64 offset) {
  const VfsFile& file = of(sqlite);
  const std::string_view bytes(static_cast<const char*>(from), static_cast<std::size_t>(size));
  const Status done = file.file->write_at(static_cast<std::uint64_t>(offset), bytes);
  if (done.ok()) return SQLITE_OK;
  const bool full = done.error().code == Code::ServiceUnavailable;
  return file.vfs->failed(done.error(), full ? SQLITE_FULL : SQLITE_IOERR_WRITE);
}

int truncate(sqlite3_file* sqlite, sqlite3_int64 size) {
  const VfsFile& file = of(sqlite);
  const Status done = file.file->truncate(static_cast<std::uint64_t>(size));
  return done.ok() ? SQLITE_OK : file.vfs->failed(done.error(), SQLITE_IOERR_TRUNCATE);
}

// A full disk is no excuse here: bytes that were taken may be gone.
int sync(sqlite3_file* sqlite, int /*flags*/) {
  VfsFile& file = of(sqlite);
  const Status done = file.file->sync();
  if (!done.ok()) return file.vfs->failed(done.error(), SQLITE_IOERR_FSYNC);
  if (!file.directory) return SQLITE_OK;
  const Status named = file.vfs->disk.sync_directory(*file.directory);
  if (!named.ok()) return file.vfs->failed(named.error(), SQLITE_IOERR_DIR_FSYNC);
  const std::unique_ptr<std::string> owned(std::exchange(file.directory, nullptr));
  return SQLITE_OK;
}

int file_size(sqlite3_file* sqlite, sqlite3_int64* size) {
  const VfsFile& file = of(sqlite);
  const auto bytes = file.file->size();
  if (!bytes.ok()) return file.vfs->failed(bytes.error(), SQLITE_IOERR_FSTAT);
  *size = static_cast<sqlite3_int64>(*bytes);
  return SQLITE_OK;
}

int lock(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }

int check_reserved_lock(sqlite3_file* /*file*/, int* held) {
  *held = 0;
  return SQLITE_OK;
}

int file_control(sqlite3_file* /*file*/, int /*what*/, void* /*argument*/) {
  return SQLITE_NOTFOUND;
}

int sector_size(sqlite3_file* /*file*/) { return 4096; }

// As SQLite's own VFS assumes: a write that is cut short damages no bytes beside it.
int device_characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

constexpr sqlite3_io_methods kMethods = {
    .iVersion = 1,  // Without shared memory and memory maps.
    .xClose = &close,
    .xRead = &read,
    .xWrite = &write,
    .xTruncate = &truncate,
    .xSync = &sync,
    .xFileSize = &file_size,
    .xLock = &lock,
    .xUnlock = &lock,
    .xCheckReservedLock = &check_reserved_lock,
    .xFileControl = &file_control,
    .xSectorSize = &sector_size,
    .xDeviceCharacteristics = &device_characteristics,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs* sqlite, sqlite3_filename path, sqlite3_file* into, int flags,
         int* flags_out) {
  VfsFile& file = of(into);
  file = {.base = {.pMethods = nullptr}, .vfs = &of(sqlite), .file = nullptr, .directory = nullptr};
  DiskVfs::State& vfs = *file.vfs;
  // Without a name it would be a temporary file; those are kept in memory.
  if (!path) return vfs.failed({.message = "a temporary file was asked for"}, SQLITE_CANTOPEN);
  const bool creates = (flags & SQLITE_OPEN_CREATE) != 0;
  const auto existed = vfs.disk.exists(path);
  if (!existed.ok()) return vfs.failed(existed.error(), SQLITE_CANTOPEN);
  const env::OpenMode mode = (flags & SQLITE_OPEN_READONLY) != 0 ? env::OpenMode::ReadOnly
                             : creates                           ? env::OpenMode::Create
                                                                 : env::OpenMode::Existing;
  auto opened = vfs.disk.open(path, {.mode = mode});
  if (!opened.ok()) return vfs.failed(opened.error(), SQLITE_CANTOPEN);
  if (!*existed) file.directory = std::make_unique<std::string>(directory_of(path)).release();
  file.file = opened->release();
  file.base.pMethods = &kMethods;
  if (flags_out) *flags_out = flags;
  return SQLITE_OK;
}

int remove(sqlite3_vfs* sqlite, const char* path, int sync_directory) {
  DiskVfs::State& vfs = of(sqlite);
  const Status removed = vfs.disk.remove(path);
  if (!removed.ok()) {
    const bool missing = removed.error().code == Code::NotFound;
    return vfs.failed(removed.error(), missing ? SQLITE_IOERR_DELETE_NOENT : SQLITE_IOERR_DELETE);
  }
  if (sync_directory == 0) return SQLITE_OK;
  const Status synced = vfs.disk.sync_directory(directory_of(path));
  return synced.ok() ? SQLITE_OK : vfs.failed(synced.error(), SQLITE_IOERR_DIR_FSYNC);
}

int access(sqlite3_vfs* sqlite, const char* path, int /*flags*/, int* yes) {
  DiskVfs::State& vfs = of(sqlite);
  const auto exists = vfs.disk.exists(path);
  if (!exists.ok()) return vfs.failed(exists.error(), SQLITE_IOERR_ACCESS);
  *yes = *exists ? 1 : 0;
  return SQLITE_OK;
}

int full_pathname(sqlite3_vfs* /*vfs*/, const char* path, int size, char* into) {
  const std::size_t length = std::strlen(path) + 1;
  if (length > static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
  std::copy_n(path, length, into);
  return SQLITE_OK;
}

// Only ever asked for the names of temporary files; what matters is drawn by SQLite's default VFS.
int randomness(sqlite3_vfs* /*vfs*/, int size, char* into) {
  std::fill_n(into, size, '\0');
  return size;
}

int sleep_for(sqlite3_vfs* /*vfs*/, int microseconds) { return microseconds; }

// Nothing that we ask of SQLite depends on the date.
int current_time(sqlite3_vfs* /*vfs*/, double* day) {
  *day = 0;
  return SQLITE_OK;
}

int no_last_error(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*into*/) { return 0; }

}  // namespace

DiskVfs::State::State(env::Disk& its_disk) : disk(its_disk) {
  name = fmt::format("berth-{}", static_cast<const void*>(this));
  vfs.iVersion = 1;
  vfs.szOsFile = sizeof(VfsFile);
  vfs.mxPathname = kPathMax;
  vfs.zName = name.c_str();
  vfs.pAppData = this;
  vfs.xOpen = &open;
  vfs.xDelete = &remove;
  vfs.xAccess = &access;
  vfs.xFullPathname = &full_pathname;
  vfs.xRandomness = &randomness;
  vfs.xSleep = &sleep_for;
  vfs.xCurrentTime = &current_time;
  vfs.xGetLastError = &no_last_error;
}

DiskVfs::DiskVfs(env::Disk& disk) : state_(std::make_unique<State>(disk)) {
  sqlite3_initialize();
  sqlite3_vfs_register(&state_->vfs, 0);
}

DiskVfs::~DiskVfs() { sqlite3_vfs_unregister(&state_->vfs); }

const std::string& DiskVfs::name() const { return state_->name; }

std::string DiskVfs::take_error() { return std::exchange(state_->last_error, {}); }

}  // namespace berth::store
