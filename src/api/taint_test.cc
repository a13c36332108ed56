#include "api/taint.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::api {
namespace {

using namespace std::chrono_literals;
using Operator = Toleration::Operator;

const Taint kTaint{.key = "gpu", .value = "5", .effect = TaintEffect::NoSchedule};

TEST(Taint, IsToleratedByEffectKeyAndOperator) {
  struct Case {
    Toleration toleration;
    bool expected;
  };
  const std::vector<Case> cases = {
      {{.key = "gpu", .value = "5"}, true},
      {{.key = "gpu", .value = "6"}, false},
      {{.key = "gpu", .op = Operator::Exists}, true},
      {{.key = "cpu", .op = Operator::Exists}, false},
      {{.op = Operator::Exists}, true},
      {{.value = "5"}, true},
      {{.op = Operator::Exists, .effect = TaintEffect::NoSchedule}, true},
      {{.op = Operator::Exists, .effect = TaintEffect::NoExecute}, false},
      {{.op = Operator::Exists, .effect = TaintEffect::Unknown}, false},
      {{.key = "gpu", .op = Operator::Unknown, .value = "5"}, false},
      {{.key = "gpu", .op = Operator::Gt, .value = "4"}, false},
  };
  for (const Case& c : cases) EXPECT_EQ(tolerates(c.toleration, kTaint), c.expected);
}

TEST(Taint, ComparesNumbersOnlyWhenSwitchedOnAndCanonical) {
  const auto matches = [](Operator op, std::string_view value) {
    return tolerates({.key = "gpu", .op = op, .value = std::string(value)}, kTaint,
                     NumericOperators::On);
  };
  EXPECT_TRUE(matches(Operator::Gt, "4"));
  EXPECT_FALSE(matches(Operator::Gt, "5"));
  EXPECT_TRUE(matches(Operator::Lt, "6"));
  EXPECT_FALSE(matches(Operator::Lt, "5"));
  EXPECT_FALSE(matches(Operator::Lt, "06"));
  EXPECT_FALSE(matches(Operator::Lt, "six"));
}

TEST(Taint, FindsTheFirstThatRepels) {
  const std::vector<Taint> taints = {
      {.key = "soft", .effect = TaintEffect::PreferNoSchedule},
      {.key = "hard", .effect = TaintEffect::NoSchedule},
      {.key = "out", .effect = TaintEffect::NoExecute},
  };
  std::vector<Toleration> tolerations;
  const auto repelling = [&] {
    const Taint* found = find_untolerated(taints, tolerations, kRepellingNodeEffects);
    return found ? found->key : "";
  };
  EXPECT_EQ(repelling(), "hard");
  tolerations.push_back({.key = "hard", .op = Operator::Exists});
  EXPECT_EQ(repelling(), "out");
  tolerations.push_back({.key = "out", .op = Operator::Exists});
  EXPECT_EQ(repelling(), "");
}

TEST(Taint, IsReadFromJson) {
  const auto list = json::parse(R"([
    {"key": "a", "value": "b", "effect": "NoSelectIfNew", "timeAdded": "2026-11-15T22:00:00Z"},
    {"key": "c", "effect": "Whatever", "timeAdded": null}])")
                        .value();
  const std::vector<Taint> taints = read_taints(&list);
  ASSERT_EQ(taints.size(), 2U);
  EXPECT_EQ(taints[0], (Taint{.key = "a",
                              .value = "b",
                              .effect = TaintEffect::NoSelectIfNew,
                              .time_added = Time::from_unix(1794780000)}));
  EXPECT_EQ(taints[1], (Taint{.key = "c", .effect = TaintEffect::Unknown}));
  EXPECT_EQ(effect_name(taints[0].effect), "NoSelectIfNew");
  EXPECT_TRUE(read_taints(nullptr).empty());
}

TEST(Toleration, IsReadFromJson) {
  const auto list = json::parse(R"([
    {"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
    {"operator": "Like", "effect": "Whatever"}, {}])")
                        .value();
  const std::vector<Toleration> tolerations = read_tolerations(&list);
  ASSERT_EQ(tolerations.size(), 3U);
  EXPECT_EQ(
      tolerations[0],
      (Toleration{
          .key = "a", .op = Operator::Exists, .effect = TaintEffect::NoExecute, .seconds = 300}));
  EXPECT_EQ(tolerations[1].op, Operator::Unknown);
  EXPECT_EQ(tolerations[1].effect, TaintEffect::Unknown);
  EXPECT_EQ(tolerations[2], Toleration{});
}

TEST(Taint, TolerationsEndAfterTheirSeconds) {
  const Taint at_10{.key = "k", .time_added = Time(10s)};
  EXPECT_EQ(toleration_end({}, at_10), std::nullopt);
  EXPECT_EQ(toleration_end({.seconds = 60}, at_10), Time(70s));
  EXPECT_EQ(toleration_end({.seconds = -5}, at_10), Time(5s));
}

TEST(Taint, WithoutATimeIsLongExpired) {
  EXPECT_LT(toleration_end({.seconds = 3600}, {.key = "k"}), Time(0s));
}

TEST(Taint, SecondsOfTolerationsWrapAsTheReferenceDoes) {
  const Taint now{.key = "k", .time_added = Time(0s)};
  EXPECT_GT(toleration_end({.seconds = 9'223'372'036}, now), Time(1s));
  EXPECT_LT(toleration_end({.seconds = 9'223'372'037}, now), Time(0s));
  EXPECT_LT(toleration_end({.seconds = std::numeric_limits<std::int64_t>::max()}, now), Time(0s));
}

TEST(Taint, PrintsAsUsersWriteIt) {
  EXPECT_EQ(to_string({.key = "k", .value = "v", .effect = TaintEffect::NoSelect}), "k=v:NoSelect");
  EXPECT_EQ(to_string({.key = "k", .effect = TaintEffect::NoSelectIfNew}), "k:NoSelectIfNew");
}

}  // namespace
}  // namespace berth::api
