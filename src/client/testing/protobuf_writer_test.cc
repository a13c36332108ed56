#include "client/testing/protobuf_writer.h"

#include <gtest/gtest.h>

namespace berth::client::testing {
namespace {

using namespace std::string_literals;

// The bytes of protobuf's own documentation of its encoding.
TEST(ProtobufWriter, WritesTheWireFormat) {
  EXPECT_EQ(Proto().number(1, 150).bytes(), "\x08\x96\x01"s);
  EXPECT_EQ(Proto().text(2, "testing").bytes(), "\x12\x07testing"s);
  EXPECT_EQ(Proto().message(3, Proto().number(1, 150)).bytes(), "\x1a\x03\x08\x96\x01"s);
  EXPECT_EQ(Proto().entry(1, "k", "v").bytes(), "\x0a\x06\x0a\x01k\x12\x01v"s);
}

TEST(ProtobufWriter, PutsEventsIntoFramesWithTheirLength) {
  const std::string frame = event_frame("ADDED", "x");
  EXPECT_EQ(frame.substr(0, 4), "\0\0\0\x0c"s);
  EXPECT_EQ(frame.size(), 4u + 12u);
  EXPECT_TRUE(envelope("Pod", Proto()).starts_with("k8s\0"s));
}

}  // namespace
}  // namespace berth::client::testing
