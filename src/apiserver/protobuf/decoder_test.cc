#include "apiserver/protobuf/decoder.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/kinds/kinds_files.h"
#include "base/base64.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using namespace std::string_literals;

const api::Gvk kNamespace = {.version = "v1", .kind = "Namespace"};

class ProtobufDecoder : public ::testing::Test {
 protected:
  // What was read, or "REASON: message" instead.
  std::string decode(const std::string& bytes, const api::Gvk& expected) {
    const auto value = decode_protobuf(table_, bytes, expected);
    if (value.ok()) return json::print(*value);
    return std::string(reason(value.error().code)) + ": " + value.error().message;
  }

  MessageTable table_{read_kinds_file("protobuf")};
};

// Recorded from `kubectl create namespace foo`: Go writes every string, empty or not.
TEST_F(ProtobufDecoder, ReadsWhatKubectlSends) {
  const auto bytes =
      decode_base64("azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhsKEwoDZm9vEgAaACIAKgAyADgAQgASABoCCgAaACIA");
  EXPECT_EQ(decode(bytes.value(), kNamespace),
            R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"foo"},"spec":{},)"
            R"("status":{}})");
}

TEST_F(ProtobufDecoder, TakesTheTypeFromTheEndpointWhenThereIsNone) {
  EXPECT_EQ(decode("k8s\0"s, kNamespace), R"({"apiVersion":"v1","kind":"Namespace"})");
}

TEST_F(ProtobufDecoder, OptionsMayBeOfAnyGroup) {
  const std::string bytes =
      "k8s\0\x0a\x18\x0a\x07"
      "apps/v1\x12\x0d"
      "DeleteOptions\x12\x02\x08\x00"s;
  EXPECT_EQ(decode(bytes, {.version = "v1", .kind = "DeleteOptions"}),
            R"({"apiVersion":"apps/v1","kind":"DeleteOptions","gracePeriodSeconds":0})");
}

TEST_F(ProtobufDecoder, SaysWhichTypeItMet) {
  const std::string secret = "k8s\0\x0a\x0c\x0a\x02v1\x12\x06Secret\x12\x00"s;
  EXPECT_EQ(decode(secret, kNamespace),
            "BadRequest: Secret in version \"v1\" cannot be handled as a Namespace: "
            "the body is of that kind");
  const std::string event =
      "k8s\0\x0a\x0b\x0a\x02v1\x12\x05"
      "Event\x12\x00"s;
  EXPECT_EQ(decode(event, {.group = "events.k8s.io", .version = "v1", .kind = "Event"}),
            "BadRequest: the API version in the data (v1) does not match the expected API version "
            "(events.k8s.io/v1)");
}

TEST_F(ProtobufDecoder, RefusesWhatCannotBeRead) {
  EXPECT_EQ(decode("{}", kNamespace), "BadRequest: an object does not start with \"k8s\"");
  EXPECT_EQ(decode("k8s\0\x12\x02\x0a\x05"s, kNamespace),
            "BadRequest: the body is not a Namespace in protobuf: not in the wire format of "
            "protobuf");
  EXPECT_EQ(decode("k8s\0"s, {.group = "zz.io", .version = "v1", .kind = "Foo"}),
            "UnsupportedMediaType: Foo cannot be sent in protobuf");
}

}  // namespace
}  // namespace berth::apiserver
