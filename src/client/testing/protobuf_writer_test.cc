#include "client/testing/protobuf_writer.h"

#include <gtest/gtest.h>

namespace berth::client::testing {
namespace {

using namespace std::string_literals;

TEST(ProtobufWriter, PutsEventsIntoFramesWithTheirLength) {
  const std::string frame = event_frame("ADDED", "x");
  EXPECT_EQ(frame.substr(0, 4), "\0\0\0\x0c"s);
  EXPECT_EQ(frame.size(), 4u + 12u);
  EXPECT_TRUE(envelope("Pod", Proto()).starts_with("k8s\0"s));
}

}  // namespace
}  // namespace berth::client::testing
