#include "api/protobuf/envelope.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::api::protobuf {
namespace {

using namespace std::string_literals;

TEST(Envelope, HoldsTheTypeAndTheMessage) {
  const std::string bytes = "k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x02\x0a\x00\x1a\x00\x22\x00"s;
  const auto envelope = open_envelope(bytes);
  ASSERT_TRUE(envelope.ok()) << envelope.error().message;
  EXPECT_EQ(envelope->api_version, "v1");
  EXPECT_EQ(envelope->kind, "Pod");
  EXPECT_EQ(envelope->message, "\x0a\x00"s);
}

TEST(Envelope, MayBeEmpty) {
  const auto envelope = open_envelope("k8s\0"s);
  ASSERT_TRUE(envelope.ok());
  EXPECT_EQ(envelope->kind, "");
}

TEST(Envelope, RefusesWhatIsNone) {
  const std::string cases[] = {"",
                               "{}",
                               "k8s",
                               "k8s\0\x0a"s,              // A field without an end.
                               "k8s\0\x0a\x02\x0a\x05"s,  // Broken inside of the type.
                               "k8s\0\x0a\x03\x0a\x01\xff"s,
                               "k8s\0\x1a\x04gzip"s};
  for (const std::string& bytes : cases) {
    const auto envelope = open_envelope(bytes);
    ASSERT_FALSE(envelope.ok()) << bytes;
    EXPECT_EQ(envelope.error().code, Code::BadRequest);
  }
}

}  // namespace
}  // namespace berth::api::protobuf
