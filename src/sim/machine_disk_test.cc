#include "sim/machine_disk.h"

#include <gtest/gtest.h>

namespace berth::sim {
namespace {

class MachineDiskTest : public ::testing::Test {
 protected:
  std::shared_ptr<Inode> synced(const std::string& path, std::string_view bytes) {
    auto inode = std::make_shared<Inode>();
    disk_.link(path, inode);
    EXPECT_TRUE(disk_.write(*inode, 0, bytes).ok());
    disk_.sync(*inode);
    disk_.sync_names(parent_of(path));
    return inode;
  }

  MachineDisk disk_{Random(1)};
};

TEST_F(MachineDiskTest, APowerLossKeepsWhatWasSynced) {
  const auto inode = synced("a", "synced");
  ASSERT_TRUE(disk_.write(*inode, 6, " not").ok());
  EXPECT_EQ(inode->cached, "synced not");
  disk_.lose_power();
  EXPECT_EQ(disk_.find("a")->cached, "synced");
}

TEST_F(MachineDiskTest, ANameThatWasNotSyncedIsLostWithItsSyncedBytes) {
  const auto inode = std::make_shared<Inode>();
  disk_.link("a", inode);
  ASSERT_TRUE(disk_.write(*inode, 0, "x").ok());
  disk_.sync(*inode);
  disk_.lose_power();
  EXPECT_EQ(disk_.find("a"), nullptr);
}

TEST_F(MachineDiskTest, ARemovalThatWasNotSyncedComesBack) {
  synced("a", "x");
  disk_.unlink("a");
  EXPECT_EQ(disk_.find("a"), nullptr);
  disk_.lose_power();
  ASSERT_NE(disk_.find("a"), nullptr);
  EXPECT_EQ(disk_.find("a")->cached, "x");
}

TEST_F(MachineDiskTest, TornWritesLoseSectorsAndNeverPartsOfOne) {
  bool lost_some = false;
  bool kept_some = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    MachineDisk disk{Random(seed)};
    disk.options.unsynced = Unsynced::Torn;
    const auto inode = std::make_shared<Inode>();
    disk.link("a", inode);
    disk.sync_names(".");
    ASSERT_TRUE(disk.write(*inode, 256, std::string(2048, 'x')).ok());
    disk.lose_power();
    const std::string& left = disk.find("a")->cached;
    for (std::size_t sector = 0; sector * 512 < left.size(); ++sector) {
      const std::size_t first = std::max<std::size_t>(sector * 512, 256);
      const std::string part = left.substr(first, (sector + 1) * 512 - first);
      const bool whole = part == std::string(part.size(), 'x');
      const bool none = part == std::string(part.size(), '\0');
      EXPECT_TRUE(whole || none);
      kept_some |= whole;
      lost_some |= none;
    }
  }
  EXPECT_TRUE(lost_some && kept_some);
}

TEST_F(MachineDiskTest, AFailedSyncForgetsWhatItDidNotWrite) {
  const auto inode = synced("a", "old");
  ASSERT_TRUE(disk_.write(*inode, 0, "new").ok());
  disk_.forget(*inode);
  EXPECT_EQ(inode->cached, "new");  // As the page cache lies.
  disk_.sync(*inode);
  disk_.lose_power();
  EXPECT_EQ(inode->cached, "old");
}

TEST_F(MachineDiskTest, FillsUp) {
  disk_.options.capacity = 10;
  const auto inode = synced("a", "12345678");
  EXPECT_EQ(disk_.write(*inode, 8, "901").error().code, Code::ServiceUnavailable);
  EXPECT_TRUE(disk_.write(*inode, 8, "90").ok());
  EXPECT_TRUE(disk_.write(*inode, 0, "overwriting is free").error().code ==
              Code::ServiceUnavailable);
  EXPECT_TRUE(disk_.write(*inode, 0, "0000000000").ok());
}

TEST_F(MachineDiskTest, FlipsExactlyOneBit) {
  const auto inode = synced("a", std::string(100, '\0'));
  EXPECT_TRUE(disk_.flip_bit("a"));
  int bits = 0;
  for (const char byte : inode->durable) bits += std::popcount(static_cast<unsigned char>(byte));
  EXPECT_EQ(bits, 1);
  EXPECT_EQ(inode->cached, inode->durable);
  EXPECT_FALSE(disk_.flip_bit("b"));
}

TEST_F(MachineDiskTest, ListsADirectorysOwnNamesOnly) {
  disk_.make_directory("/data/deep");
  synced("/data/b", "x");
  synced("/data/a", "x");
  synced("/data/deep/c", "x");
  synced("plain", "x");
  EXPECT_EQ(disk_.names_in("/data"), (std::vector<std::string>{"a", "b", "deep"}));
  EXPECT_EQ(disk_.names_in("."), (std::vector<std::string>{"plain"}));
  EXPECT_EQ(disk_.names_in("/"), (std::vector<std::string>{"data"}));
}

}  // namespace
}  // namespace berth::sim
