#include "api/group_version.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(GroupVersion, ReadsWhatItPrints) {
  EXPECT_EQ(GroupVersion::parse("apps/v1").value(),
            (GroupVersion{.group = "apps", .version = "v1"}));
  EXPECT_EQ(GroupVersion::parse("v1").value(), (GroupVersion{.group = "", .version = "v1"}));
  EXPECT_EQ(GroupVersion::parse("/").value(), GroupVersion{});
  for (const std::string_view text : {"", "v1", "apps/v1"}) {
    EXPECT_EQ(GroupVersion::parse(text).value().to_string(), text);
  }
}

TEST(GroupVersion, RefusesTwoSlashes) {
  EXPECT_EQ(GroupVersion::parse("a/b/c").error().message, "unexpected GroupVersion string: a/b/c");
}

TEST(GroupVersionKind, IsTakenFromAnObject) {
  const auto object = json::Value::object({{"apiVersion", "apps/v1"}, {"kind", "Deployment"}});
  EXPECT_EQ(GroupVersionKind::of(object).value().to_string(), "apps/v1, Kind=Deployment");
  EXPECT_EQ(GroupVersionKind::of(json::Value()).value(), GroupVersionKind{});
  EXPECT_FALSE(GroupVersionKind::of(json::Value::object({{"apiVersion", "a/b/c"}})).ok());
}

TEST(GroupVersionResource, PrintsTheSlashOfTheCoreGroup) {
  const GroupVersionResource pods{.group_version = {.group = "", .version = "v1"},
                                  .resource = "pods"};
  EXPECT_EQ(pods.to_string(), "/v1, Resource=pods");
}

}  // namespace
}  // namespace berth::api
