#include "local/mount_paths.h"

#include <gtest/gtest.h>

namespace berth::local {
namespace {

const std::vector<Mount> kMounts = {{.path = "/etc/hub"}, {.path = "/managed/certs"}};

TEST(MountPaths, ArePutUnderTheFolder) {
  EXPECT_EQ(path_on_machine("/tmp/x", "/etc/hub"), "/tmp/x/etc/hub");
  EXPECT_EQ(path_on_machine("/tmp/x", "etc/hub"), "/tmp/x/etc/hub");
}

TEST(MountPaths, AreReplacedWhereverTheyAreNamed) {
  EXPECT_EQ(with_machine_paths("--kubeconfig=/etc/hub/kubeconfig", "/tmp/x", kMounts),
            "--kubeconfig=/tmp/x/etc/hub/kubeconfig");
  EXPECT_EQ(with_machine_paths("/etc/hub:/managed/certs", "/tmp/x", kMounts),
            "/tmp/x/etc/hub:/tmp/x/managed/certs");
}

TEST(MountPaths, LeaveOtherPathsAlone) {
  EXPECT_EQ(with_machine_paths("/etc/hub-two", "/tmp/x", kMounts), "/etc/hub-two");
  EXPECT_EQ(with_machine_paths("/usr/etc/hub", "/tmp/x", kMounts), "/usr/etc/hub");
  EXPECT_EQ(with_machine_paths("https://host/etc/hub", "/tmp/x", kMounts), "https://host/etc/hub");
}

}  // namespace
}  // namespace berth::local
