#include "store/wal_scan.h"

#include <string>

#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/log_service.h"
#include "store/testing/drafts.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;

// The bytes of a write-ahead log that SQLite wrote, with so many commits.
std::string real_log(int commits) {
  sim::World world({.seed = 1});
  sim::Node& node = world.add_node("hub");
  node.start([](std::span<env::Env>) { return nullptr; });
  world.run_for(1ms);
  auto log = Log::create(node.process()->loops()[0].disk, "/log.db");
  EXPECT_TRUE(log.ok() && (*log)->checkpoint().ok());
  Group group(std::make_shared<const Snapshot>());
  for (int i = 0; i < commits; ++i) {
    EXPECT_TRUE(group.add({.key = {"t", "a"}, .draft = testing::draft_of("a", "v")}).ok());
    EXPECT_TRUE((*log)->append(std::span(group.changes()).last(1)).ok());
  }
  return node.disk().find("/log.db-wal")->cached;
}

Result<WalScan> scanned(const std::string& bytes) {
  ASSIGN_OR_RETURN(WalScan scan, WalScan::begin(std::string_view(bytes).substr(0, 32)));
  for (std::size_t at = 32; at + scan.frame_bytes() <= bytes.size(); at += scan.frame_bytes()) {
    scan.add(std::string_view(bytes).substr(at, scan.frame_bytes()));
  }
  return scan;
}

TEST(WalScan, AcceptsWhatSqliteWrote) {
  const auto scan = scanned(real_log(5));
  ASSERT_TRUE(scan.ok());
  EXPECT_EQ(scan->frame_bytes(), 4096u + 24u);
  EXPECT_TRUE(scan->finish().ok());
}

TEST(WalScan, TellsDamageFromAnUnfinishedCommit) {
  const std::string good = real_log(5);
  const std::size_t frame = 4096 + 24;
  // Five commits of one frame each; behind them lie frames from before the log was started anew.
  for (std::size_t i = 0; i < 5; ++i) {
    std::string bytes = good;
    char& byte = bytes[32 + i * frame + 1000];
    byte = static_cast<char>(byte ^ 0x10);
    const Status finished = scanned(bytes)->finish();
    EXPECT_EQ(finished.ok(), i == 4) << i;
    if (i == 2) {
      EXPECT_EQ(finished.error().message,
                "frame 3 of the write-ahead log is damaged, and 3 commits that were durable depend "
                "on it");
    }
  }
}

TEST(WalScan, RefusesADamagedHeader) {
  const std::string good = real_log(1);
  for (std::size_t i = 0; i < 32; ++i) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
    EXPECT_FALSE(scanned(bytes).ok()) << i;
  }
  EXPECT_FALSE(WalScan::begin("").ok());
  EXPECT_FALSE(WalScan::begin(std::string(32, '\0')).ok());
}

}  // namespace
}  // namespace berth::store
