#include "runtime/system_error.h"

#include <cerrno>

#include <gtest/gtest.h>

namespace berth::runtime {
namespace {

TEST(SystemError, SaysWhatWasDoneAndWhatTheSystemSaid) {
  EXPECT_EQ(describe(ENOENT, "open hub.db"), "open hub.db: No such file or directory");
}

TEST(SystemError, TellsAFullDiskFromABrokenOne) {
  EXPECT_EQ(disk_error(ENOSPC, "write").code, Code::ServiceUnavailable);
  EXPECT_EQ(disk_error(EIO, "write").code, Code::InternalError);
  EXPECT_EQ(disk_error(ENOENT, "open").code, Code::NotFound);
  EXPECT_EQ(disk_error(EACCES, "open").code, Code::Forbidden);
}

TEST(SystemError, TellsATimeOutFromOtherTroubleOfTheNetwork) {
  EXPECT_EQ(network_error(ETIMEDOUT, "connect").code, Code::Timeout);
  EXPECT_EQ(network_error(ECONNREFUSED, "connect").code, Code::ServiceUnavailable);
}

}  // namespace
}  // namespace berth::runtime
