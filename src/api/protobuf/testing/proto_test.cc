#include "api/protobuf/testing/proto.h"

#include <gtest/gtest.h>

namespace berth::api::testing {
namespace {

using namespace std::string_literals;

// The bytes of protobuf's own documentation of its encoding.
TEST(Proto, WritesTheWireFormat) {
  EXPECT_EQ(Proto().number(1, 150).bytes(), "\x08\x96\x01"s);
  EXPECT_EQ(Proto().text(2, "testing").bytes(), "\x12\x07testing"s);
  EXPECT_EQ(Proto().message(3, Proto().number(1, 150)).bytes(), "\x1a\x03\x08\x96\x01"s);
  EXPECT_EQ(Proto().entry(1, "k", "v").bytes(), "\x0a\x06\x0a\x01k\x12\x01v"s);
}

}  // namespace
}  // namespace berth::api::testing
