#include "apiserver/schema/correlation.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

json::Value parsed(const char* text) { return json::parse(text).value(); }

TEST(Correlation, TellsElementsOfMapsApartByTheirKeys) {
  Schema list;
  list.list_kind = ListKind::Map;
  list.list_keys = {"name", "port"};
  const auto old = parsed(R"([{"name": "a", "port": 1, "v": 1}, {"name": "a", "v": 2}, 5])");
  const OldElements elements(list, &old);
  EXPECT_EQ(elements.find(parsed(R"({"port": 1, "name": "a", "w": 1})")), &old.elements()[0]);
  EXPECT_EQ(elements.find(parsed(R"({"name": "a"})")), &old.elements()[1]);
  EXPECT_EQ(elements.find(parsed(R"({"name": "b"})")), nullptr);
  EXPECT_EQ(elements.find(parsed("5")), nullptr);
  EXPECT_EQ(OldElements(list, nullptr).find(old.elements()[0]), nullptr);
}

TEST(Correlation, FindsNothingInOtherLists) {
  const auto old = parsed(R"([{"name": "a"}])");
  EXPECT_EQ(OldElements(Schema(), &old).find(old.elements()[0]), nullptr);
}

TEST(Correlation, IdentitiesDifferWhereValuesDo) {
  EXPECT_EQ(identity_of(parsed(R"({"a": 1, "b": [true, null]})")),
            identity_of(parsed(R"({"b": [true, null], "a": 1})")));
  EXPECT_NE(identity_of(parsed("1")), identity_of(parsed(R"("1")")));
  EXPECT_NE(identity_of(parsed("1")), identity_of(parsed("1.0")));
  EXPECT_EQ(identity_of(parsed("1.50")), identity_of(parsed("1.5")));
  EXPECT_NE(identity_of(parsed(R"(["a", "b"])")), identity_of(parsed(R"(["a,b"])")));
}

TEST(Correlation, FindsMembersByName) {
  const auto old = parsed(R"({"a": 1})");
  EXPECT_EQ(old_member(&old, "a"), old.find("a"));
  EXPECT_EQ(old_member(&old, "b"), nullptr);
  EXPECT_EQ(old_member(nullptr, "a"), nullptr);
}

}  // namespace
}  // namespace berth::apiserver
