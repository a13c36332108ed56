#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "sim/machine_disk.h"
#include "sim/node_clock.h"
#include "sim/schedule.h"
#include "sim/sim_disk.h"
#include "sim/sim_loop.h"
#include "store/data_directory_service.h"
#include "store/log_service.h"

namespace {

// What is accepted can be served.
void check_loaded(const berth::store::Loaded& loaded) {
  using namespace berth::store;
  const Revision newest = loaded.snapshot->revision();
  CHECK(newest >= loaded.base.revision);
  for (const auto& table : loaded.snapshot->tables().all()) {
    table->table.visit("", [&](std::string_view, const EntryPtr& entry) {
      CHECK(entry->revision <= newest);
      CHECK(text_at(*entry, entry->revision) == entry->text);
      return true;
    });
  }
}

}  // namespace

// A database file as anybody may have left it: read, or refused with an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  if (size > 1 << 20) return 0;
  sim::Schedule schedule;
  const sim::NodeClock clock({});
  sim::MachineDisk machine(Random(1));
  const auto loop = std::make_shared<sim::SimLoop>(schedule, clock);
  sim::SimDisk disk(machine, *loop);
  auto file = disk.open("/log.db", {.mode = env::OpenMode::Create});
  CHECK(file.ok());
  CHECK((*file)->write_at(0, {reinterpret_cast<const char*>(data), size}).ok());
  if (!store::check_log_file(disk, "/log.db").ok()) return 0;
  auto log = store::Log::open(disk, "/log.db");
  if (!log.ok()) return 0;
  if (const auto loaded = (*log)->load(); loaded.ok()) check_loaded(*loaded);
  return 0;
}
