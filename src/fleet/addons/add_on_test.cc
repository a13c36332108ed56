#include "fleet/addons/add_on.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

TEST(ReadingAnAddOn, TakesDefaultsPlacementsAndWhoManagesIt) {
  const AddOn add_on = read_add_on(parsed(R"({"metadata":{"name":"score","uid":"u"},"spec":{
      "supportedConfigs":[
        {"group":"addon.open-cluster-management.io","resource":"addontemplates",
         "defaultConfig":{"name":"t"}},
        {"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs"}],
      "installStrategy":{"type":"Placements","placements":[{"name":"p","namespace":"ns",
        "configs":[{"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs",
                    "name":"d","namespace":"ns"}],
        "rolloutStrategy":{"type":"ProgressivePerGroup"}}]}}})"));
  EXPECT_TRUE(add_on.is_ours);
  EXPECT_TRUE(add_on.has_template);
  EXPECT_EQ(add_on.install, AddOnInstall::Placements);
  ASSERT_EQ(add_on.defaults.size(), 1u);
  EXPECT_EQ(add_on.defaults[0], (AddOnConfig{.kind = kAddOnTemplates, .object = {.name = "t"}}));
  ASSERT_EQ(add_on.placements.size(), 1u);
  EXPECT_EQ(add_on.placements[0].placement, (ObjectName{"ns", "p"}));
  EXPECT_EQ(add_on.placements[0].configs[0].object, (ObjectName{"ns", "d"}));
  EXPECT_EQ(add_on.placements[0].rollout->type, RolloutType::ProgressivePerGroup);
}

TEST(ReadingAnAddOn, LeavesAloneWhatManagesItself) {
  const auto with = [](std::string_view lifecycle) {
    return read_add_on(parsed(
        R"({"metadata":{"name":"a","annotations":{"addon.open-cluster-management.io/lifecycle":")" +
        std::string(lifecycle) + R"("}}})"));
  };
  EXPECT_FALSE(with("self").is_ours);
  EXPECT_TRUE(with("addon-manager").is_ours);
  EXPECT_EQ(with("self").install, AddOnInstall::Manual);
}

TEST(OwningAManagedAddOn, ReplacesTheReferenceToAnOwnerThatWasMadeAnew) {
  AddOn add_on{.facts = {.name = "score", .uid = "new"}};
  const json::Value before = parsed(R"({"metadata":{"name":"score","ownerReferences":[
      {"apiVersion":"v1","kind":"ConfigMap","name":"score","uid":"x"},
      {"apiVersion":"addon.open-cluster-management.io/v1beta1","kind":"ClusterManagementAddOn",
       "name":"score","uid":"old"}]}})");
  const json::Value after = with_owner(before, owner_reference_to(add_on));
  const auto owners = api::Metadata(after).owner_references();
  ASSERT_EQ(owners.size(), 2u);
  EXPECT_EQ(owners[1], owner_reference_to(add_on));
  EXPECT_TRUE(is_owned_by_add_on(after));
  EXPECT_EQ(with_owner(after, owner_reference_to(add_on)), after);
  EXPECT_FALSE(is_owned_by_add_on(parsed(R"({"metadata":{"name":"score"}})")));
}

}  // namespace
}  // namespace berth::fleet
