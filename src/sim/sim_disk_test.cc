#include "sim/sim_disk.h"

#include <gtest/gtest.h>

#include "env/files.h"

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

class SimDiskTest : public ::testing::Test {
 protected:
  Schedule schedule_;
  NodeClock clock_{{}};
  std::shared_ptr<SimLoop> loop_ = std::make_shared<SimLoop>(schedule_, clock_);
  MachineDisk machine_{Random(1)};
  SimDisk disk_{machine_, *loop_};
};

TEST_F(SimDiskTest, KeepsTheContractOfFiles) {
  EXPECT_EQ(disk_.open("a", {}).error().code, Code::NotFound);
  EXPECT_EQ(disk_.open("no/a", {.mode = env::OpenMode::Create}).error().code, Code::NotFound);
  const auto file = *disk_.open("a", {.mode = env::OpenMode::CreateNew});
  EXPECT_EQ(disk_.open("a", {.mode = env::OpenMode::CreateNew}).error().code, Code::AlreadyExists);
  ASSERT_TRUE(file->write_at(2, "xy").ok());
  std::string bytes(10, '-');
  EXPECT_EQ(*file->read_at(1, bytes), 3u);
  EXPECT_EQ(bytes.substr(0, 3), std::string("\0xy", 3));
  ASSERT_TRUE(file->truncate(3).ok());
  EXPECT_EQ(*file->size(), 3u);
  EXPECT_EQ(*file->read_at(99, bytes), 0u);
  EXPECT_EQ(*disk_.list("."), std::vector<std::string>{"a"});
  ASSERT_TRUE(disk_.remove("a").ok());
  EXPECT_EQ(disk_.remove("a").error().code, Code::NotFound);
}

TEST_F(SimDiskTest, AReplacedFileIsOldOrNewAfterALossOfPowerAtAnyOperation) {
  for (std::uint64_t crash_at = 1; crash_at <= 12; ++crash_at) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      MachineDisk machine{Random(seed)};
      machine.options.unsynced = Unsynced::Torn;
      const auto loop = std::make_shared<SimLoop>(schedule_, clock_);
      SimDisk disk(machine, *loop);
      ASSERT_TRUE(env::replace_file(disk, "a", std::string(2000, 'o'), 0600).ok());
      const std::uint64_t before = machine.operations();
      machine.on_operation = [&](std::uint64_t number, DiskAct) -> std::optional<Error> {
        if (number - before == crash_at) loop->kill();
        return std::nullopt;
      };
      const bool replaced = env::replace_file(disk, "a", std::string(2000, 'n'), 0600).ok();
      machine.lose_power();
      machine.on_operation = nullptr;
      const auto revived = std::make_shared<SimLoop>(schedule_, clock_);
      SimDisk after(machine, *revived);
      const std::string left = *env::read_file(after, "a", 10'000);
      EXPECT_TRUE(left == std::string(2000, 'n') || (!replaced && left == std::string(2000, 'o')));
    }
  }
}

TEST_F(SimDiskTest, AFailedSyncIsNeverForgotten) {
  const auto file = *disk_.open("a", {.mode = env::OpenMode::Create});
  machine_.options.sync_error = 1;
  EXPECT_FALSE(file->sync().ok());
  machine_.options.sync_error = 0;
  EXPECT_FALSE(file->sync().ok());
  EXPECT_EQ(file->write_at(0, "x").error().message, "sync a: Input/output error");
}

TEST_F(SimDiskTest, CostsTime) {
  machine_.options.sync_latency = 5ms;
  const auto file = *disk_.open("a", {.mode = env::OpenMode::Create});
  ASSERT_TRUE(file->sync().ok());
  ASSERT_TRUE(file->sync().ok());
  EXPECT_EQ(loop_->now(), 10ms);
}

TEST_F(SimDiskTest, ADeadProcessChangesNothing) {
  const auto file = *disk_.open("a", {.mode = env::OpenMode::Create});
  loop_->kill();
  EXPECT_FALSE(file->write_at(0, "x").ok());
  EXPECT_FALSE(disk_.remove("a").ok());
  EXPECT_TRUE(machine_.find("a")->cached.empty());
}

TEST_F(SimDiskTest, LocksAreExclusiveUntilTheyDie) {
  auto held = disk_.lock("lock");
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(disk_.lock("lock").error().code, Code::Conflict);
  held->reset();
  EXPECT_TRUE(disk_.lock("lock").ok());
}

}  // namespace
}  // namespace berth::sim
