#include "apiserver/guards/managed_cluster.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

constexpr Time kNow = Time::from_unix(1'800'000'000);
constexpr std::string_view kNowText = "2027-01-15T08:00:00Z";

json::Value yaml(std::string_view text) { return json::read_one_yaml(text).value(); }

class ManagedClusterGuard : public ::testing::Test {
 protected:
  Attempt<json::Value> write(const json::Value* before, const json::Value& after) {
    const Authorizer authorizer = [this](const User&, const Attributes& a) {
      return allowed_.contains(a.verb + " " + a.resource + "/" + a.subresource + "." + a.group +
                               " " + a.name);
    };
    return guard_managed_cluster({.before = before,
                                  .user = user_,
                                  .authorizer = authorizer,
                                  .namespace_phase = phase_,
                                  .now = kNow},
                                 after);
  }
  void allow_join(std::string_view set) {
    allowed_.insert("create managedclustersets/join.cluster.open-cluster-management.io " +
                    std::string(set));
  }
  void allow_accept(std::string_view cluster) {
    allowed_.insert("update managedclusters/accept.register.open-cluster-management.io " +
                    std::string(cluster));
  }

  const User user_{.name = "jane"};
  std::set<std::string> allowed_;
  std::string phase_;
};

TEST_F(ManagedClusterGuard, AClusterWithoutASetJoinsTheDefaultOne) {
  const json::Value cluster = yaml("{metadata: {name: c1}}");
  EXPECT_EQ(
      write(nullptr, cluster).error().error.message,
      "managedclustersets/join.cluster.open-cluster-management.io \"default\" is forbidden: "
      "user \"jane\" cannot add/remove a ManagedCluster to/from ManagedClusterSet \"default\"");
  allow_join("default");
  const json::Value stored = write(nullptr, cluster).value();
  EXPECT_EQ(stored.find_path({"metadata", "labels", kClusterSetLabel})->string_or_empty(),
            "default");
  EXPECT_TRUE(write(&stored, stored).has_value());
}

TEST_F(ManagedClusterGuard, MovingNeedsTheRightOnBothSets) {
  const json::Value before =
      yaml("{metadata: {name: c1, labels: {cluster.open-cluster-management.io/clusterset: a}}}");
  json::Value after = before;
  after["metadata"]["labels"][kClusterSetLabel] = "b";
  EXPECT_THAT(write(&before, after).error().error.message, HasSubstr("ManagedClusterSet \"a\""));
  allow_join("a");
  EXPECT_THAT(write(&before, after).error().error.message, HasSubstr("ManagedClusterSet \"b\""));
  allow_join("b");
  EXPECT_TRUE(write(&before, after).has_value());
}

TEST_F(ManagedClusterGuard, AcceptingNeedsItsOwnRightAndALivingNamespace) {
  allow_join("default");
  const json::Value accepted = yaml("{metadata: {name: c1}, spec: {hubAcceptsClient: true}}");
  const json::Value not_yet = yaml(
      "{metadata: {name: c1, labels: {cluster.open-cluster-management.io/clusterset: default}}}");
  EXPECT_EQ(write(nullptr, accepted).error().error.message,
            "managedclusters/accept.cluster.open-cluster-management.io \"c1\" is forbidden: user "
            "\"jane\" cannot update the HubAcceptsClient field");
  EXPECT_FALSE(write(&not_yet, accepted).has_value());
  allow_accept("c1");
  EXPECT_TRUE(write(nullptr, accepted).has_value());
  EXPECT_TRUE(write(&not_yet, accepted).has_value());
  phase_ = "Terminating";
  EXPECT_THAT(write(&not_yet, accepted).error().error.message,
              HasSubstr("cluster namespace \"c1\" is terminating"));
  EXPECT_TRUE(write(&accepted, not_yet).has_value());  // Turning it off is free.
}

TEST_F(ManagedClusterGuard, TaintsCarryTheTimeAtWhichTheyAppeared) {
  allow_join("default");
  const json::Value stored =
      write(nullptr, yaml("{metadata: {name: c1}, spec: {taints: [{key: a, effect: NoSelect, "
                          "timeAdded: '2020-01-01T00:00:00Z'}]}}"))
          .value();
  EXPECT_EQ(
      stored.find_path({"spec", "taints"})->elements()[0].find("timeAdded")->string_or_empty(),
      kNowText);

  const json::Value before = yaml(
      "{metadata: {name: c1, labels: {cluster.open-cluster-management.io/clusterset: default}}, "
      "spec: {taints: [{key: a, effect: NoSelect, timeAdded: '2020-01-01T00:00:00Z'}]}}");
  struct Case {
    std::string_view taints;
    std::string_view time;  // Of the first taint; empty: refused.
  };
  const Case cases[] = {
      {"[{key: a, effect: NoSelect, timeAdded: '2020-01-01T00:00:00Z'}]", "2020-01-01T00:00:00Z"},
      {"[{key: a, effect: NoSelect, timeAdded: '2021-01-01T00:00:00Z'}]", ""},
      {"[{key: a, effect: NoSelect}]", ""},
      {"[{key: a, effect: NoSelectIfNew}]", kNowText},
      {"[{key: a, effect: NoSelectIfNew, timeAdded: '2020-01-01T00:00:00Z'}]", ""},
      {"[{key: b, effect: NoSelect, timeAdded: null}]", kNowText},
      {"[{key: b, effect: NoSelect, timeAdded: '2020-01-01T00:00:00Z'}]", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.taints);
    json::Value after = before;
    after["spec"]["taints"] = yaml(c.taints);
    const auto result = write(&before, after);
    if (c.time.empty()) {
      ASSERT_FALSE(result.has_value());
      EXPECT_THAT(result.error().error.message,
                  HasSubstr("It is not allowed to set TimeAdded of Taint"));
    } else {
      ASSERT_TRUE(result.has_value()) << result.error().error.message;
      EXPECT_EQ(
          result->find_path({"spec", "taints"})->elements()[0].find("timeAdded")->string_or_empty(),
          c.time);
    }
  }
}

TEST_F(ManagedClusterGuard, NamesAndUrlsAreChecked) {
  allow_join("default");
  EXPECT_THAT(write(nullptr, yaml("{metadata: {name: a.b}}")).error().error.message,
              HasSubstr("metadata.name format is not correct: "));
  EXPECT_EQ(write(nullptr, yaml("{metadata: {name: c1}, spec: {managedClusterClientConfigs: "
                                "[{url: 'http://x'}, {url: ''}]}}"))
                .error()
                .error.message,
            "url \"http://x\" is invalid in client configs\nurl \"\" is invalid in client configs");
  EXPECT_TRUE(write(nullptr, yaml("{metadata: {name: c1}, spec: {managedClusterClientConfigs: "
                                  "[{url: 'https://x:6443'}]}}"))
                  .has_value());
}

}  // namespace
}  // namespace berth::apiserver
