#include "client/patch_builder.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::client {
namespace {

json::Value value(std::string_view text) { return json::parse(text).value(); }

const json::Value kBefore = value(R"({"metadata":{"name":"a","uid":"u","resourceVersion":"7",
  "labels":{"x":"1","y":"2"}},"spec":{"n":1,"unknown":{"kept":true}}})");

std::string patch(const json::Value& after,
                  Precondition precondition = Precondition::UidAndVersion) {
  const auto result = merge_patch_for(kBefore, after, precondition);
  return *result ? json::print(**result) : "nothing";
}

TEST(PatchBuilder, CarriesTheDifferenceAndItsPreconditions) {
  json::Value after = kBefore;
  after["spec"]["n"] = 2;
  after["metadata"]["labels"].erase("x");
  EXPECT_EQ(value(patch(after)),
            value(R"({"metadata":{"labels":{"x":null},"uid":"u","resourceVersion":"7"},
              "spec":{"n":2}})"));
  EXPECT_EQ(value(patch(after, Precondition::Uid)),
            value(R"({"metadata":{"labels":{"x":null},"uid":"u"},"spec":{"n":2}})"));
}

TEST(PatchBuilder, NothingToDoIsNoPatch) {
  EXPECT_EQ(patch(kBefore), "nothing");
  EXPECT_EQ(patch(value(R"({"spec":{"unknown":{"kept":true},"n":1.0},"metadata":{"labels":{
    "y":"2","x":"1"},"name":"a","uid":"u","resourceVersion":"7"}})")),
            "nothing")
      << "order and spelling do not matter";
  json::Value with_null = kBefore;
  with_null["spec"]["gone"] = nullptr;
  EXPECT_EQ(patch(with_null), "nothing") << "a merge patch cannot say null";
}

TEST(PatchBuilder, AnObjectThatWasNeverReadCannotBePatched) {
  const json::Value after = value(R"({"spec":1})");
  EXPECT_EQ(merge_patch_for(value(R"({"metadata":{}})"), after, Precondition::Uid).error().message,
            "the object has no metadata.uid");
  EXPECT_EQ(
      merge_patch_for(value(R"({"metadata":{"uid":"u"}})"), after, Precondition::UidAndVersion)
          .error()
          .message,
      "the object has no metadata.resourceVersion");
  EXPECT_FALSE(merge_patch_for(kBefore, value("[]"), Precondition::Uid).ok());
}

}  // namespace
}  // namespace berth::client
