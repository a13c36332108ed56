#include "apiserver/apply/fields_v1.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"

namespace berth::apiserver {
namespace {

using testing::json_of;
using testing::set_of;
using testing::text_of_set;

TEST(FieldsV1, WhatIsReadIsWrittenAgain) {
  for (
      const std::string_view text :
      {R"({})", R"({"f:spec":{"f:n":{}}})",
       R"({"f:spec":{"f:ports":{".":{},"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}})",
       R"({"f:set":{"v:\"a\"":{},"v:\"b\"":{}}})"}) {
    EXPECT_EQ(text_of_set(set_of(text)), text);
  }
}

TEST(FieldsV1, MembersAreWrittenInTheOrderOfElements) {
  // By value: 80 comes before 443, though not as a text.
  EXPECT_EQ(text_of_set(set_of(R"({"v:443":{},"k:{\"a\":1}":{},"v:80":{},"f:z":{},"f:a":{}})")),
            R"({"f:a":{},"f:z":{},"k:{\"a\":1}":{},"v:80":{},"v:443":{}})");
}

TEST(FieldsV1, UnknownStepsAreLeftOutWithAllBelow) {
  EXPECT_EQ(text_of_set(set_of(R"({"z:what":{"f:x":{}},"f:a":{"z:else":{}}})")), R"({"f:a":{}})");
}

TEST(FieldsV1, ErrorsSayWhere) {
  const auto bad = decode_fields(json_of(R"({"f:spec":{"f:n":{"nonsense":{}}}})"));
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, Code::BadRequest);
  EXPECT_EQ(bad.error().message,
            ".spec: .n: path element \"nonsense\": expected f:, k:, v: or i: at its start");
  EXPECT_FALSE(decode_fields(json_of(R"([])")).ok());
  EXPECT_FALSE(decode_fields(json_of(R"({"f:a":1})")).ok());
}

}  // namespace
}  // namespace berth::apiserver
