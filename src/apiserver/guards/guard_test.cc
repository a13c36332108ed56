#include "apiserver/guards/guard.h"

#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

TEST(Guard, OnlyWhatOcmGuardsIsGuarded) {
  const Authorizer nothing = [](const User&, const Attributes&) { return false; };
  const User user{.name = "u"};
  const GuardedWrite write{.before = nullptr, .user = user, .authorizer = nothing, .now = {}};
  const json::Value object = json::read_one_yaml("{metadata: {name: a}}").value();
  EXPECT_EQ(guarded("", "pods", write, object).value(), object);
  EXPECT_EQ(guarded("apps", "managedclusters", write, object).value(), object);
  EXPECT_FALSE(guarded(kClusterGroup, "managedclusters", write, object).has_value());
  EXPECT_FALSE(guarded(kClusterGroup, "managedclustersetbindings", write, object).has_value());
}

TEST(Guard, ADemandIsAskedAsOcmDoes) {
  Attributes asked{.verb = ""};
  const Authorizer record = [&](const User&, const Attributes& attributes) {
    asked = attributes;
    return false;
  };
  const User user{.name = "u"};
  const GuardedWrite write{.before = nullptr, .user = user, .authorizer = record, .now = {}};
  const auto refused = check_demand(
      write, {.group = "g", .resource = "r", .subresource = "s", .verb = "v", .name = "n"},
      "because");
  EXPECT_EQ(
      asked,
      (Attributes{.verb = "v", .group = "g", .resource = "r", .subresource = "s", .name = "n"}));
  EXPECT_EQ(refused.error().error.message,
            "r/s.cluster.open-cluster-management.io \"n\" is forbidden: because");
}

}  // namespace
}  // namespace berth::apiserver
