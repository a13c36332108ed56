#include "fleet/work/names.h"

#include <gtest/gtest.h>

namespace berth::fleet {
namespace {

TEST(WorkNames, TheHubIsNamedByTheHashOfItsUrlAsItIsWritten) {
  EXPECT_EQ(hub_hash("https://127.0.0.1:6443"),
            "6c5003f4dd1691967bd3047645092380ef15affc718a40bf6cc43496f96e552a");
  EXPECT_NE(hub_hash("https://127.0.0.1:6443"), hub_hash("https://127.0.0.1:6443/"));
}

TEST(WorkNames, AppliedWorksAreNamedByHubAndWork) {
  EXPECT_EQ(applied_work_name("abc", "web"), "abc-web");
}

TEST(WorkNames, AgentsForDifferentHubsDoNotShareALease) {
  EXPECT_EQ(work_lease_name(hub_hash("https://127.0.0.1:6443")), "berth-work-6c5003f4dd169196");
  EXPECT_NE(work_lease_name(hub_hash("https://a")), work_lease_name(hub_hash("https://b")));
}

}  // namespace
}  // namespace berth::fleet
