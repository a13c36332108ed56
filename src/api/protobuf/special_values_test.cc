#include "api/protobuf/special_values.h"

#include <string>

#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::api::protobuf {
namespace {

using namespace std::string_literals;

// What was read, or "error: ..." instead.
std::string shown(const Result<json::Value>& value) {
  return value.ok() ? json::print(*value) : "error: " + value.error().message;
}

TEST(SpecialValues, Times) {
  const std::string moment = "\x08\x80\xa8\xd6\xb9\x07\x10\x90\xa1\x0f"s;  // 250,000 ns.
  EXPECT_EQ(shown(time_value(moment)), R"("2033-05-18T03:33:20Z")");
  EXPECT_EQ(shown(micro_time_value(moment)), R"("2033-05-18T03:33:20.000250Z")");
  EXPECT_EQ(shown(time_value("")), "null");
  EXPECT_EQ(shown(time_value("\x10\x01"s)), R"("1970-01-01T00:00:00Z")");
  EXPECT_EQ(shown(time_value("\x08\x80\x92\xb8\xc3\x98\xfe\xff\xff\xff\x01"s)), "null");
}

TEST(SpecialValues, TimesBeyondTheCalendarAreRefused) {
  const std::string beyond = "error: a time is not within the years 1 to 9999";
  EXPECT_EQ(shown(time_value("\x08\xff\xff\xff\xff\xff\xff\xff\x7f"s)), beyond);
  EXPECT_EQ(shown(time_value("\x08\x01\x10\xff\xff\xff\xff\xff\xff\x7f"s)), beyond);
}

TEST(SpecialValues, QuantitiesAndIntOrString) {
  EXPECT_EQ(shown(quantity_value("\x0a\x03"
                                 "1Gi"s)),
            R"("1Gi")");
  EXPECT_EQ(shown(int_or_string_value("\x08\x00\x10\x50\x1a\x00"s)), "80");
  EXPECT_EQ(shown(int_or_string_value("\x08\x01\x10\x00\x1a\x04http"s)), R"("http")");
  EXPECT_EQ(shown(int_or_string_value("")), "0");
}

TEST(SpecialValues, StringsAndJson) {
  EXPECT_EQ(shown(strings_value("\x0a\x01"
                                "a\x0a\x00"s)),
            R"(["a",""])");
  EXPECT_EQ(shown(raw_json_value("\x0a\x08{\"a\": 1}"s, 10)), R"({"a":1})");
  EXPECT_EQ(shown(raw_json_value("", 10)), "null");
  EXPECT_TRUE(shown(raw_json_value("\x0a\x04[[0]"s, 10)).starts_with("error: "));
  EXPECT_TRUE(shown(raw_json_value("\x0a\x04[[]]"s, 1)).starts_with("error: "));
}

TEST(SpecialValues, WhatIsNotProtobufOrUtf8IsRefused) {
  EXPECT_EQ(shown(quantity_value("\x0a\x03z"s)), "error: a value is no protobuf message");
  EXPECT_EQ(shown(strings_value("\x0a"s)), "error: a value is no protobuf message");
  EXPECT_EQ(shown(strings_value("\x0a\x01\xff"s)), "error: a string is not UTF-8");
}

}  // namespace
}  // namespace berth::api::protobuf
