#include "apiserver/guards/set_binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

Attempt<json::Value> write(const json::Value* before, std::string_view after, bool allowed) {
  const Authorizer authorizer = [&](const User&, const Attributes& a) {
    return allowed && a.verb == "create" && a.resource == "managedclustersets" &&
           a.subresource == "bind" && a.name == "blue";
  };
  const User user{.name = "jane"};
  return guard_set_binding({.before = before, .user = user, .authorizer = authorizer, .now = {}},
                           json::read_one_yaml(after).value());
}

constexpr std::string_view kBlue =
    "{metadata: {name: blue, namespace: ns}, spec: {clusterSet: blue}}";

TEST(SetBindingGuard, CreatingNeedsTheRightToBind) {
  EXPECT_TRUE(write(nullptr, kBlue, true).has_value());
  EXPECT_EQ(
      write(nullptr, kBlue, false).error().error.message,
      "managedclustersets/bind.cluster.open-cluster-management.io \"blue\" is forbidden: user "
      "\"jane\" is not allowed to bind cluster set \"blue\"");
}

TEST(SetBindingGuard, UpdatingDoesNotButTheNameStays) {
  const json::Value before = json::read_one_yaml(kBlue).value();
  EXPECT_TRUE(write(&before, kBlue, false).has_value());
  const auto renamed = write(&before, "{metadata: {name: blue}, spec: {clusterSet: red}}", true);
  EXPECT_EQ(renamed.error().error.code, Code::BadRequest);
  EXPECT_THAT(renamed.error().error.message, HasSubstr("must have the same name"));
}

}  // namespace
}  // namespace berth::apiserver
