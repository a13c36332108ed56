#include "api/kinds/cluster_taint.h"

#include <limits>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

using namespace std::chrono_literals;

ClusterToleration toleration(std::string_view text) {
  return read_cluster_toleration(json::parse(text).value());
}

ClusterTaint taint(std::string_view text) { return read_cluster_taint(json::parse(text).value()); }

TEST(ClusterTaint, TolerationsMatchByEffectKeyOperatorAndValue) {
  struct Case {
    std::string_view toleration;
    std::string_view taint;
    bool matches;
  };
  const Case cases[] = {
      {R"({"key":"k"})", R"({"key":"k","effect":"NoSelect"})", true},
      {R"({"key":"k"})", R"({"key":"k","value":"v","effect":"NoSelect"})", false},
      {R"({"key":"k","value":"v"})", R"({"key":"k","value":"v","effect":"NoSelect"})", true},
      {R"({"key":"k","operator":"Exists"})", R"({"key":"k","value":"v"})", true},
      {R"({"operator":"Exists"})", R"({"key":"any","effect":"NoSelect"})", true},
      {R"({"key":"other","operator":"Exists"})", R"({"key":"k"})", false},
      {R"({"key":"k","operator":"Foo"})", R"({"key":"k"})", false},
      {R"({"operator":"Exists","effect":"PreferNoSelect"})", R"({"key":"k","effect":"NoSelect"})",
       false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.toleration);
    EXPECT_EQ(matches(toleration(c.toleration), taint(c.taint)), c.matches);
  }
}

TEST(ClusterTaint, TolerationsEndAfterTheirSeconds) {
  const ClusterTaint at_10{.key = "k", .time_added = Time(10s)};
  EXPECT_EQ(toleration_end({}, at_10), std::nullopt);
  EXPECT_EQ(toleration_end({.seconds = 60}, at_10), Time(70s));
  EXPECT_EQ(toleration_end({.seconds = -5}, at_10), Time(5s));
}

TEST(ClusterTaint, ATaintWithoutATimeIsLongExpired) {
  EXPECT_LT(toleration_end({.seconds = 3600}, {.key = "k"}), Time(0s));
}

TEST(ClusterTaint, SecondsWrapAsTheReferenceDoes) {
  const ClusterTaint now{.key = "k", .time_added = Time(0s)};
  EXPECT_GT(toleration_end({.seconds = 9'223'372'036}, now), Time(1s));
  EXPECT_LT(toleration_end({.seconds = 9'223'372'037}, now), Time(0s));
  EXPECT_LT(toleration_end({.seconds = std::numeric_limits<std::int64_t>::max()}, now), Time(0s));
}

TEST(ClusterTaint, PrintsAsUsersWriteIt) {
  EXPECT_EQ(to_string({.key = "k", .value = "v", .effect = ClusterTaintEffect::NoSelect}),
            "k=v:NoSelect");
  EXPECT_EQ(to_string({.key = "k", .effect = ClusterTaintEffect::NoSelectIfNew}),
            "k:NoSelectIfNew");
}

}  // namespace
}  // namespace berth::api
