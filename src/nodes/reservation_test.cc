#include "nodes/reservation.h"

#include <gtest/gtest.h>

#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

using namespace std::chrono_literals;

Reservation example() {
  Reservation made{.key = {"shop", "r-u1"},
                   .node = "n1",
                   .node_uid = "nu",
                   .ports = {{.port = 80}},
                   .priority = 7,
                   .owner = {"apps/v1", "Deployment", "web", "du"},
                   .predecessor_name = "web-1",
                   .predecessor_uid = "u1",
                   .successor_name = "web-0",
                   .policy = HoldPolicy::FallbackOnly,
                   .expires = Time(600s)};
  made.resources.set("cpu", api::Quantity::from_milli(500));
  return made;
}

TEST(Reservation, SurvivesTheWayThroughJson) {
  const Reservation made = example();
  const Reservation read = Reservation::from_json(made.to_json()).value();
  EXPECT_EQ(read.key, made.key);
  EXPECT_EQ(read.resources, made.resources);
  EXPECT_EQ(hold_of(read), hold_of(made));
  EXPECT_EQ(read.owner, made.owner);
  EXPECT_EQ(read.predecessor_name, "web-1");
  EXPECT_FALSE(read.has_status);
  EXPECT_TRUE(read.is_open());
}

TEST(Reservation, GoesWithItsOwner) {
  const json::Value object = example().to_json();
  const json::Value& owner = object.find_path({"metadata", "ownerReferences"})->elements()[0];
  EXPECT_EQ(owner.find("uid")->string_or_empty(), "du");
}

TEST(Reservation, IsOpenWhileItHoldsSomething) {
  const std::pair<std::string_view, bool> cases[] = {{"Holding", true},  {"Active", true},
                                                     {"Bound", false},   {"Released", false},
                                                     {"Expired", false}, {"Nonsense", true}};
  for (const auto& [phase, is_open] : cases) {
    json::Value object = example().to_json();
    object["status"]["phase"] = phase;
    EXPECT_EQ(Reservation::from_json(object)->is_open(), is_open) << phase;
  }
  json::Value object = example().to_json();
  object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_FALSE(Reservation::from_json(object)->is_open());
}

TEST(Reservation, IsHeldALittleLongerThanItLasts) {
  EXPECT_EQ(hold_of(example()).expires, Time(605s));
}

TEST(Reservation, NamesTheFieldThatCannotBeRead) {
  json::Value object = example().to_json();
  object["spec"]["resources"]["cpu"] = "lots";
  const auto read = Reservation::from_json(object);
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(read.error().message.starts_with("spec.resources")) << read.error().message;
}

TEST(Reservation, IsNamedAfterItsPredecessor) { EXPECT_EQ(reservation_name("u1"), "r-u1"); }

TEST(Reservation, ToleratesWhatIsMissing) {
  const Reservation read = Reservation::from_json(testing::parsed("{}")).value();
  EXPECT_EQ(read.node, "");
  EXPECT_EQ(phase_name(read.phase), "Active");
}

}  // namespace
}  // namespace berth::nodes
