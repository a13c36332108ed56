#include "scores/usage/usage_options.h"

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

std::string error_of(const auto& result) { return result.ok() ? "" : result.error().message; }

TEST(UsageOptions, KnowTheSeedsAndTheReferencesResourcesByDefault) {
  const UsageOptions options;
  EXPECT_TRUE(check_usage_options(options).ok());
  ASSERT_EQ(options.resources.size(), 4U);
  EXPECT_EQ(options.resources[0].max.to_string(), "100");
  EXPECT_EQ(options.resources[1].prefix, "mem");
  EXPECT_EQ(options.resources[1].max.to_string(), "1Ti");
}

TEST(UsageOptions, ReadAResource) {
  const auto gpu = parse_resource("nvidia.com/gpu");
  EXPECT_EQ(gpu->prefix, "gpu");
  EXPECT_EQ(gpu->max.to_string(), "20");
  EXPECT_TRUE(gpu->in_seed_set) << "whoever names it wants it everywhere";
  const auto fast = parse_resource("example.com/fast=fast, min=2, max=8, curve=log");
  ASSERT_TRUE(fast.ok());
  EXPECT_EQ(fast->name, "example.com/fast");
  EXPECT_EQ(fast->prefix, "fast");
  EXPECT_EQ(fast->min.to_string(), "2");
  EXPECT_EQ(fast->max.to_string(), "8");
  EXPECT_EQ(fast->curve, Curve::Log);
  EXPECT_EQ(parse_resource("memory,max=64Gi")->max.to_string(), "64Gi");
}

TEST(UsageOptions, SayWhatIsWrongWithAResource) {
  EXPECT_EQ(error_of(parse_resource("")), R"(resource "": is no name of a resource)");
  EXPECT_EQ(error_of(parse_resource("example.com/x")),
            R"(resource "example.com/x": max has to be above min: say how much is plenty with )"
            "max=QUANTITY");
  EXPECT_EQ(error_of(parse_resource("cpu,max=lots")),
            R"(resource "cpu,max=lots": max has to be an amount such as 500m, 2 or 1Gi)");
  EXPECT_NE(error_of(parse_resource("cpu,max=-1")), "");
  EXPECT_NE(error_of(parse_resource("cpu,min=200")), "");
  EXPECT_NE(error_of(parse_resource("cpu,curve=cubic")), "");
  EXPECT_NE(error_of(parse_resource("cpu=")), "");
}

TEST(UsageOptions, ReadAShape) {
  const auto shape = parse_shape("web=cpu=500m,memory=1Gi,nvidia.com/gpu=1,max=40");
  ASSERT_TRUE(shape.ok()) << shape.error().message;
  EXPECT_EQ(shape->name, "web");
  EXPECT_EQ(shape->requests.amount("cpu").to_string(), "500m");
  EXPECT_EQ(shape->requests.amount("nvidia.com/gpu").to_string(), "1");
  EXPECT_EQ(shape->max, 40);
}

TEST(UsageOptions, SayWhatIsWrongWithAShape) {
  EXPECT_EQ(error_of(parse_shape("web")),
            R"(shape "web": write NAME=RESOURCE=QUANTITY,RESOURCE=QUANTITY, each resource once)");
  EXPECT_EQ(error_of(parse_shape("web=1")),
            R"(shape "web=1": write NAME=RESOURCE=QUANTITY,RESOURCE=QUANTITY, each resource once)");
  EXPECT_EQ(error_of(parse_shape("web=cpu=0")),
            R"(shape "web": has to ask for something, as in cpu=500m)");
  EXPECT_NE(error_of(parse_shape("web=cpu=1,cpu=2")), "");
  EXPECT_NE(error_of(parse_shape("web=cpu=1,max=0")), "");
  EXPECT_NE(error_of(parse_shape("web=cpu=1,max=x")), "");
  EXPECT_NE(error_of(parse_shape("we b=cpu=1")), "");
  EXPECT_NE(error_of(parse_shape("web=cpu=much")), "");
}

TEST(UsageOptions, ReadATaint) {
  using enum api::Toleration::Operator;
  EXPECT_EQ(*parse_allowed_taint("gpu"), (api::Toleration{.key = "gpu", .op = Exists}));
  EXPECT_EQ(*parse_allowed_taint("team=a"),
            (api::Toleration{.key = "team", .op = Equal, .value = "a"}));
  EXPECT_EQ(*parse_allowed_taint("team=a:NoSchedule"),
            (api::Toleration{
                .key = "team", .op = Equal, .value = "a", .effect = api::TaintEffect::NoSchedule}));
  EXPECT_EQ(error_of(parse_allowed_taint("gpu:Never")),
            R"(taint "gpu:Never": the effect has to be NoSchedule or NoExecute)");
  EXPECT_NE(error_of(parse_allowed_taint("")), "");
}

TEST(UsageOptions, RefuseNamesThatWouldCollideAndNothingAtAll) {
  UsageOptions twice;
  twice.resources.push_back(parse_resource("cpu=other").value());
  EXPECT_FALSE(check_usage_options(twice).ok());
  UsageOptions same_prefix;
  same_prefix.resources.push_back(parse_resource("example.com/x=cpu,max=1").value());
  EXPECT_FALSE(check_usage_options(same_prefix).ok());
  EXPECT_FALSE(check_usage_options({.sets = {}}).ok());
  UsageOptions shapes{.shapes = {parse_shape("a=cpu=1").value(), parse_shape("a=cpu=2").value()}};
  EXPECT_FALSE(check_usage_options(shapes).ok());
}

TEST(UsageOptions, KnowTheSetsByName) {
  EXPECT_EQ(*parse_score_set("seed"), ScoreSet::Seed);
  EXPECT_EQ(*parse_score_set("ratio"), ScoreSet::Ratio);
  EXPECT_EQ(error_of(parse_score_set("all")),
            R"(score set "all": there are seed, cluster, node and ratio)");
}

}  // namespace
}  // namespace berth::scores
