#include "apiserver/validation/complaints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> lines(Complaints complaints) {
  std::vector<std::string> lines;
  for (const Cause& cause : complaints.take()) {
    lines.push_back(cause.field + " " + cause.reason + ": " + cause.message);
  }
  return lines;
}

TEST(Complaints, SayWhereAndWhatInKubernetesWords) {
  const json::Value object = json::parse(R"({"a":-1,"b":"Wild","c":"x"})").value();
  const Place root(object);
  Complaints complaints;
  complaints.check_not_negative(root["a"]);
  complaints.check_one_of(root["b"], {"Tame", "Calm"});
  complaints.check_one_of(root["d"], {"Tame"});
  complaints.duplicate(root["c"]);
  complaints.not_found(root["c"]);
  EXPECT_THAT(
      lines(std::move(complaints)),
      ElementsAre(
          "a FieldValueInvalid: Invalid value: -1: must be greater than or equal to 0",
          R"(b FieldValueNotSupported: Unsupported value: "Wild": supported values: "Tame", "Calm")",
          "d FieldValueRequired: Required value", R"(c FieldValueDuplicate: Duplicate value: "x")",
          R"(c FieldValueNotFound: Not found: "x")"));
}

TEST(Complaints, PortsAreNumbersOrNames) {
  const json::Value object = json::parse(R"({"a":80,"b":"web","c":70000,"d":"80"})").value();
  const Place root(object);
  Complaints complaints;
  for (const char* name : {"a", "b", "c", "d", "e"}) complaints.check_port(root[name]);
  EXPECT_THAT(lines(std::move(complaints)),
              ElementsAre("c FieldValueInvalid: Invalid value: 70000: must be between 1 and 65535, "
                          "inclusive",
                          "d FieldValueInvalid: Invalid value: \"80\": must contain at least one "
                          "letter (a-z)",
                          "e FieldValueInvalid: Invalid value: 0: must be between 1 and 65535, "
                          "inclusive"));
}

TEST(Complaints, WhatMayNotChangeIsComparedAsAWhole) {
  const json::Value before = json::parse(R"({"a":{"b":1}})").value();
  const json::Value after = json::parse(R"({"a":{"b":2}})").value();
  Complaints complaints;
  const Place now(after);
  const Place then(before);
  complaints.check_unchanged(now["a"], then["a"]);
  EXPECT_EQ(complaints.size(), 1);
}

}  // namespace
}  // namespace berth::apiserver
