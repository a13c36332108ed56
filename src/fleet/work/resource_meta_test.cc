#include "fleet/work/resource_meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

json::Value parse(std::string_view text) { return json::parse(text).value(); }

AppliedResource config_map(std::string name, std::string uid) {
  return {
      .version = "v1", .resource = "configmaps", .ns = "n", .name = std::move(name), .uid = uid};
}

TEST(ResourceMeta, IsReadFromTheManifest) {
  const ResourceMeta meta = meta_of(
      3,
      parse(
          R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"w","namespace":"n"}})"));
  EXPECT_EQ(json::print(meta.to_json()),
            R"({"ordinal":3,"group":"apps","version":"v1","kind":"Deployment","resource":"",)"
            R"("name":"w","namespace":"n"})");
  EXPECT_FALSE(meta.is_complete());
  EXPECT_EQ(ResourceMeta::from_json(meta.to_json()), meta);
}

TEST(ResourceMeta, OfNonsenseIsIncomplete) {
  EXPECT_FALSE(meta_of(0, parse("[]")).is_complete());
  EXPECT_FALSE(
      meta_of(0, parse(R"({"apiVersion":"a/b/c","kind":7,"metadata":"x"})")).is_complete());
}

TEST(AppliedResources, AreWrittenSortedAndOnce) {
  const json::Value record =
      with_applied_resources(parse(R"({"status":{"evictionStartTime":"t"}})"),
                             {config_map("b", "2"), config_map("a", ""), config_map("b", "3")});
  EXPECT_EQ(json::print(record),
            R"({"status":{"evictionStartTime":"t","appliedResources":[)"
            R"({"group":"","resource":"configmaps","name":"a","namespace":"n","version":"v1"},)"
            R"({"group":"","resource":"configmaps","name":"b","namespace":"n","version":"v1",)"
            R"("uid":"2"}]}})");
  EXPECT_THAT(read_applied_resources(record),
              ElementsAre(config_map("a", ""), config_map("b", "2")));
}

TEST(AppliedResources, AnEmptyListChangesNothingWhereNoneWas) {
  EXPECT_EQ(with_applied_resources(parse("{}"), {}), parse("{}"));
  EXPECT_EQ(with_applied_resources(parse(R"({"status":{"appliedResources":[{"name":"a"}]}})"), {}),
            parse(R"({"status":{}})"));
}

TEST(AppliedResources, AreToldApartByNameNotByVersionOrUid) {
  AppliedResource newer = config_map("a", "2");
  newer.version = "v2";
  EXPECT_THAT(untracked({config_map("a", "1")}, {newer}), IsEmpty());
  EXPECT_THAT(untracked({config_map("a", "1"), config_map("b", "1")}, {newer}),
              ElementsAre(config_map("b", "1")));
}

}  // namespace
}  // namespace berth::fleet
