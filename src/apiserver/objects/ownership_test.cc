#include "apiserver/objects/ownership.h"

#include <gtest/gtest.h>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

class OwnershipTest : public ::testing::Test {
 protected:
  OwnershipTest() {
    hub.post(std::string(testing::kDefinitions), std::string(testing::kFooDefinition));
    foos = hub.view().registry->find("ex.io", "v1", "foos");
  }
  static json::Value object(std::string_view text) { return json::parse(text).value(); }
  static std::string entry(const json::Value& of, std::size_t index) {
    const json::Value* fields = of.find_path({"metadata", "managedFields"});
    if (!fields || fields->size() <= index) return {};
    const json::Value& it = fields->elements()[index];
    return std::string(it.find("manager")->string_or_empty()) + " " +
           std::string(it.find("operation")->string_or_empty()) + " " +
           json::print(*it.find("fieldsV1"));
  }

  testing::TestHub hub;
  std::shared_ptr<const Resource> foos;
  const json::Value plain =
      object(R"({"apiVersion":"ex.io/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"n":1}})");
};

TEST_F(OwnershipTest, WhoWritesAFieldOwnsIt) {
  const json::Value made = with_owner(*foos, nullptr, plain, {.manager = "m", .now = Time()});
  EXPECT_EQ(entry(made, 0), R"(m Update {"f:spec":{".":{},"f:n":{}}})");
  json::Value changed = made;
  changed["spec"]["color"] = "red";
  const json::Value second =
      with_owner(*foos, &made, std::move(changed), {.manager = "o", .now = Time()});
  EXPECT_EQ(entry(second, 0), R"(m Update {"f:spec":{".":{},"f:n":{}}})");
  EXPECT_EQ(entry(second, 1), R"(o Update {"f:spec":{"f:color":{}}})");
}

TEST_F(OwnershipTest, AConfigurationTakesOverByForceOnly) {
  const json::Value made = with_owner(*foos, nullptr, plain, {.manager = "m", .now = Time()});
  const json::Value wish =
      object(R"({"apiVersion":"ex.io/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"n":2}})");
  const Writer writer{.manager = "w", .now = Time()};
  const auto refused = applied(*foos, &made, wish, writer, OnConflict::Refuse);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().error.code, Code::Conflict);
  const auto forced = applied(*foos, &made, wish, writer, OnConflict::Force);
  ASSERT_TRUE(forced.has_value());
  EXPECT_EQ(forced->find_path({"spec", "n"})->as_int(), 2);
}

TEST_F(OwnershipTest, WhatEveryObjectOfAKindHasIsNobodys) {
  const testing::HubAnswer made =
      hub.post("/apis/apps/v1/namespaces/team/deployments",
               R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{
          "metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const std::string fields = made.at("/metadata/managedFields/0/fieldsV1/f:spec");
  EXPECT_FALSE(fields.starts_with(R"({".")")) << fields;
  EXPECT_TRUE(fields.contains(R"("f:strategy":{"f:rollingUpdate":{".":{})")) << fields;
}

TEST_F(OwnershipTest, APortWithoutAProtocolIsTheSameEveryTime) {
  const std::string service = "/api/v1/namespaces/team/services/s?force=true&fieldManager=";
  const std::string body = R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},
      "spec":{"ports":[{"port":80}]}})";
  for (const char* manager : {"one", "one", "two"}) {
    const testing::HubAnswer applied = hub.apply(service + manager, body);
    EXPECT_EQ(applied.status / 100, 2) << applied.body;
    EXPECT_EQ(applied.at("/spec/ports/0/protocol"), "TCP");
    EXPECT_EQ(applied.at("/spec/ports/1"), "");
    EXPECT_TRUE(applied.at("/metadata/managedFields").contains(R"(\"protocol\":\"TCP\")"));
  }
}

TEST_F(OwnershipTest, TheStatusIsNotOwnedThroughTheObject) {
  const json::Value wish =
      object(R"({"apiVersion":"ex.io/v1","kind":"Foo","metadata":{"name":"a"},"spec":{"n":2},)"
             R"("status":{"ready":true}})");
  const auto made =
      applied(*foos, nullptr, wish, {.manager = "w", .now = Time()}, OnConflict::Refuse);
  ASSERT_TRUE(made.has_value());
  EXPECT_FALSE(entry(*made, 0).contains("f:status")) << entry(*made, 0);
}

}  // namespace
}  // namespace berth::apiserver
