// How fast does the store commit, open, find and scan, and what does an object cost in memory?
//
// Commits go to a real disk: BERTH_BENCH_DIR, or the working directory. Conditions are printed
// first, with what the disk itself can do: the figures mean nothing without.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <unistd.h>

#include "base/check.h"
#include "runtime/system.h"
#include "store/backup_service.h"
#include "store/durable_store_service.h"
#include "store/group.h"

namespace berth::store {
namespace {

constexpr std::size_t kObjects = 100'000;
constexpr std::size_t kTextBytes = 1024;

std::string name_of(std::size_t i) {
  return fmt::format("namespace-{:03}/object-{:06}", i % 100, i);
}

Draft draft_of_1k(std::size_t i) {
  Draft draft = {.text = fmt::format(R"({{"metadata":{{"name":"{}","resourceVersion":")", i)};
  draft.version_at = static_cast<std::uint32_t>(draft.text.size());
  draft.text += R"("},"data":")";
  draft.text += std::string(kTextBytes - draft.text.size() - 2, 'x') + "\"}";
  return draft;
}

std::string bench_directory() {
  const char* chosen = std::getenv("BERTH_BENCH_DIR");
  return std::string(chosen ? chosen : ".") + "/store_bench_data";
}

// A directory of its own for each run, gone afterwards.
class Directory {
 public:
  Directory() { std::filesystem::remove_all(path()); }
  ~Directory() { std::filesystem::remove_all(path()); }
  std::string path() const { return bench_directory(); }
};

double resident_megabytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  statm >> size >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

SnapshotPtr many_objects() {
  SnapshotPtr snapshot = std::make_shared<const Snapshot>();
  for (std::size_t i = 0; i < kObjects;) {
    Group group(snapshot);
    for (std::size_t end = i + 1000; i < end; ++i) {
      CHECK(group.add({.key = {"things", name_of(i)}, .draft = draft_of_1k(i)}).ok());
    }
    snapshot = applied(*snapshot, group.changes());
  }
  return snapshot;
}

// A store on a loop of its own, used from another.
class Running {
 public:
  explicit Running(const std::string& directory)
      : system_({.loops = 2, .workers = 1, .log = {.level = env::Level::Error}}) {
    runtime::run_on(system_.env(0).loop, [&] {
      auto opened =
          DurableStore::open(system_.env(0), {.directory = directory}, [](const Error& why) {
            std::fprintf(stderr, "%s\n", why.message.c_str());
            std::abort();
          });
      CHECK(opened.ok());
      store_ = std::move(*opened);
    });
  }
  ~Running() {
    runtime::run_on(system_.env(0).loop, [this] { store_.reset(); });
  }

  // So many writes, with so many waiting for their answers at any time.
  void write(std::size_t writes, std::size_t in_flight) {
    std::latch done(static_cast<std::ptrdiff_t>(writes));
    std::size_t asked = 0;
    std::function<void()> ask = [&] {
      if (asked == writes) return;
      ++asked;
      const std::size_t i = next_++;
      store_->write({.key = {"things", name_of(i)}, .expected = 0, .draft = draft_of_1k(i)},
                    system_.env(1).loop, [&](Result<Written> written) {
                      CHECK(written.ok());
                      ask();
                      done.count_down();
                    });
    };
    runtime::run_on(system_.env(1).loop, [&] {
      for (std::size_t i = 0; i < in_flight; ++i) ask();
    });
    done.wait();
    // The last callback may still be on its way out.
    runtime::run_on(system_.env(1).loop, [] {});
  }

  SnapshotPtr snapshot() const { return store_->snapshot(); }

 private:
  runtime::System system_;
  std::unique_ptr<DurableStore> store_;
  std::size_t next_ = 0;
};

// First and once, because later nobody knows what the allocator has kept.
void memory_per_object(benchmark::State& state) {
  const double before = resident_megabytes();
  SnapshotPtr snapshot;
  for (auto _ : state) snapshot = many_objects();
  state.counters["bytes"] = (resident_megabytes() - before) * 1e6 / kObjects;
}
BENCHMARK(memory_per_object)->Iterations(1)->Unit(benchmark::kMillisecond);

void durable_creates(benchmark::State& state) {
  const Directory directory;
  Running running(directory.path());
  const auto in_flight = static_cast<std::size_t>(state.range(0));
  const std::size_t writes = in_flight * 100;
  for (auto _ : state) running.write(writes, in_flight);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(writes));
}
BENCHMARK(durable_creates)->Arg(1)->Arg(64)->UseRealTime()->MinTime(3);

void open_100000_objects(benchmark::State& state) {
  const Directory directory;
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Disk& disk = system.env(0).disk;
  CHECK(disk.create_directory(directory.path()).ok());
  const std::string backup = directory.path() + "/backup.db";
  CHECK(write_backup(disk, many_objects(), backup).ok());
  CHECK(restore_backup(disk, backup, directory.path()).ok());
  for (auto _ : state) Running running(directory.path());
  state.counters["file_MB"] =
      static_cast<double>(std::filesystem::file_size(directory.path() + "/store.db")) / 1e6;
}
BENCHMARK(open_100000_objects)->Unit(benchmark::kMillisecond)->UseRealTime();

void back_up_100000_objects(benchmark::State& state) {
  const Directory directory;
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Disk& disk = system.env(0).disk;
  CHECK(disk.create_directory(directory.path()).ok());
  const SnapshotPtr snapshot = many_objects();
  const std::string path = directory.path() + "/backup.db";
  for (auto _ : state) {
    CHECK(write_backup(disk, snapshot, path).ok());
    CHECK(disk.remove(path).ok());
  }
}
BENCHMARK(back_up_100000_objects)->Unit(benchmark::kMillisecond)->UseRealTime();

void find(benchmark::State& state) {
  const SnapshotPtr snapshot = many_objects();
  const Table& table = snapshot->table("things");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 4096; ++i) names.push_back(name_of(i * 7919 % kObjects));
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(table.find(names[i++ % names.size()]));
}
BENCHMARK(find);

void scan(benchmark::State& state) {
  const SnapshotPtr snapshot = many_objects();
  const Table& table = snapshot->table("things");
  std::size_t bytes = 0;
  for (auto _ : state) {
    table.visit("", [&](std::string_view, const EntryPtr& entry) {
      bytes += entry->text.size();
      return true;
    });
  }
  benchmark::DoNotOptimize(bytes);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kObjects));
}
BENCHMARK(scan);

void apply_one_change(benchmark::State& state) {
  SnapshotPtr snapshot = many_objects();
  std::size_t i = 0;
  for (auto _ : state) {
    Group group(snapshot);
    const std::size_t chosen = i++ * 7919 % kObjects;
    CHECK(group.add({.key = {"things", name_of(chosen)}, .draft = draft_of_1k(chosen)}).ok());
    snapshot = applied(*snapshot, group.changes());
  }
}
BENCHMARK(apply_one_change);

// What the disk takes to make 4 KiB durable.
void disk_sync(benchmark::State& state) {
  const Directory directory;
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Disk& disk = system.env(0).disk;
  CHECK(disk.create_directory(directory.path()).ok());
  const auto file = disk.open(directory.path() + "/file", {.mode = env::OpenMode::Create});
  const std::string page(4096, 'x');
  CHECK((*file)->write_at(0, std::string(1 << 20, 'x')).ok());
  std::uint64_t at = 0;
  for (auto _ : state) {
    CHECK((*file)->write_at(at++ % 256 * 4096, page).ok());
    CHECK((*file)->sync().ok());
  }
}
BENCHMARK(disk_sync)->UseRealTime();

const bool kPrinted = [] {
  benchmark::AddCustomContext("objects", fmt::format("{} of {} bytes", kObjects, kTextBytes));
  benchmark::AddCustomContext("directory", bench_directory());
  benchmark::AddCustomContext("sqlite", sqlite3_libversion());
  return true;
}();

}  // namespace
}  // namespace berth::store
