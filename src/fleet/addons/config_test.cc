#include "fleet/addons/config.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

AddOnConfig config(std::string resource, std::string name) {
  return {.kind = {"g", std::move(resource)}, .object = {.name = std::move(name)}};
}

TEST(AddOnConfigLevels, ReplaceTheWholeKindAndLeaveOthersAlone) {
  AddOnConfigs defaults =
      replaced_by({}, std::vector{config("a", "default"), config("b", "default")});
  const AddOnConfigs level =
      replaced_by(defaults, std::vector{config("a", "x"), config("a", "y"), config("a", "x")});
  ASSERT_EQ(level.at({"g", "a"}).size(), 2u);
  EXPECT_EQ(level.at({"g", "a"})[0].object.name, "x");
  EXPECT_EQ(level.at({"g", "a"})[1].object.name, "y");
  EXPECT_EQ(level.at({"g", "b"})[0].object.name, "default");
}

TEST(AddOnConfigLevels, PassOverWhatStandsForNoDefault) {
  const auto none = json::parse(R"({"resource":"a","name":"__reserved_no_default__"})").value();
  EXPECT_FALSE(read_config(none));
  EXPECT_FALSE(read_config(json::parse(R"({"resource":"a","name":""})").value()));
  EXPECT_TRUE(read_config(json::parse(R"({"resource":"a","name":"__reserved"})").value()));
}

TEST(ConfigHashAnnotation, NamesEveryConfigurationWithItsHash) {
  const auto references = json::parse(R"([
      {"group":"addon.open-cluster-management.io","resource":"addontemplates",
       "desiredConfig":{"name":"t","specHash":"22"}},
      {"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs",
       "desiredConfig":{"name":"d","namespace":"ns","specHash":"11"}},
      {"group":"","resource":"configmaps","desiredConfig":{"name":"c","namespace":"ns",
       "specHash":""}}])")
                              .value();
  EXPECT_EQ(config_hash_annotation(references.elements()),
            R"({"addondeploymentconfigs.addon.open-cluster-management.io/ns/d":"11",)"
            R"("addontemplates.addon.open-cluster-management.io//t":"22","configmaps/ns/c":""})");
  EXPECT_EQ(config_hash_annotation({}), "");
}

}  // namespace
}  // namespace berth::fleet
