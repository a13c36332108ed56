#include "apiserver/apply/managed_fields.h"

#include <gtest/gtest.h>

#include "apiserver/apply/testing/sets.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

using json::Value;
using testing::json_of;
using testing::set_of;

TEST(ManagedFields, WhatIsReadIsWrittenAgain) {
  const Value encoded = json_of(
      R"([{"manager":"m","operation":"Apply","apiVersion":"v1","time":"2026-11-16T05:00:00Z",)"
      R"("fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}},)"
      R"({"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1",)"
      R"("fieldsV1":{"f:b":{}},"subresource":"status"}])");
  const auto fields = decode_managed_fields(&encoded);
  ASSERT_TRUE(fields.ok()) << fields.error().message;
  EXPECT_EQ(json::print(encode_managed_fields(*fields)), json::print(encoded));
  EXPECT_TRUE(decode_managed_fields(nullptr)->empty());
  EXPECT_TRUE(encode_managed_fields({}).is_null());
}

TEST(ManagedFields, BadEntriesAreRefusedWithTheWordsOfTheReference) {
  struct Case {
    std::string_view entry;
    std::string_view message;
  };
  const Case cases[] = {
      {R"({})", "operation must be `Apply` or `Update`"},
      {R"({"operation":"Patch"})", "operation must be `Apply` or `Update`"},
      {R"({"operation":"Apply"})", "apiVersion must not be empty"},
      {R"({"operation":"Apply","apiVersion":"v1"})",
       "missing fieldsType in managed fields entry 0"},
      {R"({"operation":"Apply","apiVersion":"v1","fieldsType":"V2"})",
       "invalid fieldsType \"V2\" in managed fields entry 0"},
  };
  for (const Case& c : cases) {
    const Value encoded = Value::array({json_of(c.entry)});
    EXPECT_EQ(decode_managed_fields(&encoded).error().message, c.message);
  }
  for (
      const std::string_view text :
      {R"({})", R"([1])",
       R"([{"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","time":"noon"}])",
       R"([{"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"x":{}}}])"}) {
    const Value encoded = json_of(text);
    EXPECT_FALSE(decode_managed_fields(&encoded).ok()) << text;
  }
}

TEST(ManagedFields, AreSortedByOperationTimeManagerVersionAndSubresource) {
  const auto entry = [](std::string manager, Operation operation, std::int64_t second,
                        std::string version, std::string subresource) {
    return ManagedEntry{.name = {manager, operation, version, subresource},
                        .time = Time::from_unix(second),
                        .fields = set_of(R"({"f:a":{}})")};
  };
  const Value encoded = encode_managed_fields(
      {entry("a", Operation::Update, 5, "v1", ""), entry("z", Operation::Update, 1, "v1", ""),
       entry("b", Operation::Update, 5, "v1", "status"), entry("b", Operation::Update, 5, "v1", ""),
       entry("b", Operation::Update, 5, "v0", "x"), entry("y", Operation::Apply, 9, "v1", "")});
  std::vector<std::string> order;
  for (const Value& value : encoded.elements()) {
    const Value* subresource = value.find("subresource");
    order.push_back(std::string(value.find("manager")->string_or_empty()) + "/" +
                    std::string(subresource ? subresource->string_or_empty() : ""));
  }
  EXPECT_EQ(order, (std::vector<std::string>{"y/", "z/", "a/", "b/x", "b/", "b/status"}));
}

TEST(ManagedFields, AppliersAreTheSameInEveryVersionAndUpdatersAreNot) {
  const ManagerName apply{.manager = "m", .operation = Operation::Apply, .api_version = "v1"};
  ManagerName other = apply;
  other.api_version = "v2";
  EXPECT_TRUE(apply.is_same(other));
  other.operation = Operation::Update;
  EXPECT_FALSE(apply.is_same(other));
  ManagerName update = other;
  update.api_version = "v1";
  EXPECT_FALSE(update.is_same(other));
  EXPECT_EQ(update.identifier(), R"({"manager":"m","operation":"Update","apiVersion":"v1"})");
  EXPECT_EQ(apply.identifier(), R"({"manager":"m","operation":"Apply"})");
  update.subresource = "status";
  EXPECT_EQ(update.display(), R"("m" with subresource "status" using v1)");
  EXPECT_EQ(apply.display(), R"("m")");
}

TEST(ManagedFields, TheLastOfTwoEntriesOfAManagerCounts) {
  const Value encoded = json_of(
      R"([{"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}}},)"
      R"({"operation":"Apply","apiVersion":"v2","fieldsType":"FieldsV1","fieldsV1":{"f:b":{}}}])");
  const auto fields = decode_managed_fields(&encoded);
  ASSERT_EQ(fields->size(), 1u);
  EXPECT_EQ((*fields)[0].fields, set_of(R"({"f:b":{}})"));
}

TEST(ManagedFields, EmptyListsAskToForget) {
  EXPECT_TRUE(is_reset(json_of("[]")));
  EXPECT_TRUE(is_reset(json_of("[{}]")));
  EXPECT_FALSE(is_reset(json_of("[{},{}]")));
  EXPECT_FALSE(is_reset(json_of(R"([{"manager":"x"}])")));
  EXPECT_FALSE(is_reset(Value()));
}

TEST(ManagedFields, NewTimesAloneAreNoChange) {
  const auto object = [](int n, std::string_view time, std::string_view fields) {
    return json_of(R"({"metadata":{"name":"x","managedFields":[{"manager":"m","time":")" +
                   std::string(time) + R"(","fieldsV1":)" + std::string(fields) + R"(}]},"n":)" +
                   std::to_string(n) + "}");
  };
  const Value live = object(1, "t1", "{}");
  EXPECT_EQ(without_new_times(live, object(1, "t2", "{}")), live);
  for (const Value& other :
       {object(2, "t2", "{}"), object(1, "t2", R"({"f:a":{}})"), object(1, "t1", "{}")}) {
    EXPECT_EQ(without_new_times(live, other), other);
  }
  EXPECT_EQ(without_new_times(Value::object(), live), live);
}

}  // namespace
}  // namespace berth::apiserver
