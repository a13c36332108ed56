#include "fleet/addons/config_references.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

AddOnConfig template_config(std::string name) {
  return {.kind = kAddOnTemplates, .object = {.name = std::move(name)}};
}

AddOn add_on() {
  AddOn made{.facts = {.name = "score"}, .install = AddOnInstall::Placements};
  made.defaults = {template_config("t")};
  made.placements = {{.placement = {"ns", "p"}}};
  return made;
}

// Hashes are "#" and the name; nobody knows kinds of another group.
std::optional<ConfigState> lookup(const ConfigKind& kind, const ObjectName& object) {
  if (kind.group != kAddOnGroup) return std::nullopt;
  return ConfigState{.hash = object.name == "missing" ? "" : "#" + object.name, .generation = 3};
}

TEST(ConfigReferences, NameTheDefaultsAndTheConfigurationsOfEachPlacement) {
  EXPECT_EQ(with_config_references({}, add_on(), lookup), parsed(R"({
      "defaultconfigReferences":[{"group":"addon.open-cluster-management.io",
        "resource":"addontemplates","desiredConfig":{"name":"t","specHash":"#t"}}],
      "installProgressions":[{"name":"p","namespace":"ns","configReferences":[
        {"group":"addon.open-cluster-management.io","resource":"addontemplates",
         "desiredConfig":{"name":"t","specHash":"#t"}}]}]})"));
}

TEST(ConfigReferences, KeepWhatWasAppliedWhileTheObjectsStayTheSame) {
  const json::Value before = parsed(R"({"installProgressions":[{"name":"p","namespace":"ns",
      "configReferences":[{"group":"addon.open-cluster-management.io","resource":"addontemplates",
        "desiredConfig":{"name":"t","specHash":"old"},
        "lastAppliedConfig":{"name":"t","specHash":"old"}}],
      "conditions":[{"type":"Progressing"}]}]})");
  const json::Value after = with_config_references(before, add_on(), lookup);
  const json::Value& kept = after.find("installProgressions")->elements()[0];
  EXPECT_EQ(*kept.find("conditions"), parsed(R"([{"type":"Progressing"}])"));
  const json::Value& reference = kept.find("configReferences")->elements()[0];
  EXPECT_EQ(config_hash_in(*reference.find("desiredConfig")), "#t");
  EXPECT_EQ(config_hash_in(*reference.find("lastAppliedConfig")), "old");

  AddOn other = add_on();
  other.placements[0].configs = {template_config("u")};
  const json::Value changed = with_config_references(after, other, lookup);
  EXPECT_FALSE(changed.find("installProgressions")->elements()[0].find("conditions"));
}

TEST(ConfigReferences, LeaveHashesOfOtherKindsToWhoeverKeepsThem) {
  AddOn other = add_on();
  other.defaults = {{.kind = {"", "configmaps"}, .object = {"ns", "c"}}};
  const json::Value before = parsed(R"({"defaultconfigReferences":[{"group":"",
      "resource":"configmaps","desiredConfig":{"name":"c","namespace":"ns","specHash":"theirs"}}]})");
  EXPECT_EQ(*with_config_references(before, other, lookup).find("defaultconfigReferences"),
            *before.find("defaultconfigReferences"));
}

TEST(ConfigReferences, OfAnAddOnThatManagesItselfAreOnlyTheDefaults) {
  AddOn other = add_on();
  other.is_ours = false;
  const json::Value status = with_config_references({}, other, lookup);
  EXPECT_TRUE(status.find("defaultconfigReferences"));
  EXPECT_FALSE(status.find("installProgressions"));
}

TEST(DesiredConfigs, KeepThePlaceAndTheMemoryOfKnownReferences) {
  const AddOnConfigs desired =
      replaced_by({}, std::vector{template_config("new"), template_config("old")});
  const json::Value status = with_desired(parsed(R"({"namespace":"x","configReferences":[
      {"group":"addon.open-cluster-management.io","resource":"addontemplates","name":"gone",
       "desiredConfig":{"name":"gone","specHash":"1"}},
      {"group":"addon.open-cluster-management.io","resource":"addontemplates","name":"old",
       "lastObservedGeneration":7,"desiredConfig":{"name":"old","specHash":"1"},
       "lastAppliedConfig":{"name":"old","specHash":"1"}}]})"),
                                          desired);
  EXPECT_EQ(status, parsed(R"({"namespace":"x","configReferences":[
      {"group":"addon.open-cluster-management.io","resource":"addontemplates","name":"old",
       "lastObservedGeneration":7,"desiredConfig":{"name":"old","specHash":""},
       "lastAppliedConfig":{"name":"old","specHash":"1"}},
      {"group":"addon.open-cluster-management.io","resource":"addontemplates","name":"new",
       "lastObservedGeneration":0,"desiredConfig":{"name":"new","specHash":""}}]})"));
}

TEST(DesiredConfigs, AreObservedAndMarkedAsApplied) {
  const json::Value before = with_desired({}, replaced_by({}, std::vector{template_config("t")}));
  const std::vector own = {template_config("t")};
  const json::Value observed = with_observed(before, own, lookup);
  const json::Value& reference = observed.find("configReferences")->elements()[0];
  EXPECT_EQ(reference.find("lastObservedGeneration")->as_int(), 3);
  EXPECT_EQ(config_hash_in(*reference.find("desiredConfig")), "#t");
  const json::Value rolled = with_observed(before, {}, lookup);
  EXPECT_EQ(config_hash_in(*rolled.find("configReferences")->elements()[0].find("desiredConfig")),
            "")
      << "what the fleet shares is rolled out, not observed";
  const json::Value applied = with_all_applied(observed);
  const json::Value& done = applied.find("configReferences")->elements()[0];
  EXPECT_EQ(*done.find("lastAppliedConfig"), *done.find("desiredConfig"));
}

}  // namespace
}  // namespace berth::fleet
