#include "kube/ports.h"

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

namespace berth::kube {
namespace {

TEST(Ports, AreGivenOnce) {
  std::set<int> given;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(given.insert(free_port()).second);
}

TEST(Ports, AreForOneProgramOnly) {
  const int port = free_port();
  EXPECT_TRUE(claim_port(port)) << "it is ours";
  EXPECT_EXIT(std::_Exit(claim_port(port) ? 1 : 0), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace berth::kube
