#include "api/resource_list.h"

#include <gtest/gtest.h>

namespace berth::api {
namespace {

using json::Value;

ResourceList list(std::initializer_list<std::pair<std::string_view, Value>> members) {
  const Value object = Value::object(members);
  return ResourceList::from_json(&object).value();
}

TEST(ResourceList, IsSortedByName) {
  const ResourceList amounts = list({{"memory", "1Gi"}, {"cpu", 2}});
  ASSERT_EQ(amounts.entries().size(), 2U);
  EXPECT_EQ(amounts.entries()[0].name, "cpu");
  EXPECT_EQ(amounts.entries()[1].name, "memory");
}

TEST(ResourceList, TellsZeroFromAbsent) {
  const ResourceList amounts = list({{"cpu", "0"}});
  EXPECT_NE(amounts.find("cpu"), nullptr);
  EXPECT_EQ(amounts.find("memory"), nullptr);
  EXPECT_TRUE(amounts.amount("memory").is_zero());
}

TEST(ResourceList, AddsRaisesAndFillsResourceByResource) {
  const ResourceList other = list({{"cpu", "500m"}, {"memory", "1Gi"}});
  ResourceList sum = list({{"cpu", "1"}});
  sum.add(other);
  EXPECT_EQ(sum, list({{"cpu", "1500m"}, {"memory", "1Gi"}}));
  ResourceList larger = list({{"cpu", "1"}});
  larger.raise_to(other);
  EXPECT_EQ(larger, list({{"cpu", "1"}, {"memory", "1Gi"}}));
  ResourceList filled = list({{"cpu", "0"}});
  filled.fill_missing(other);
  EXPECT_EQ(filled, list({{"cpu", "0"}, {"memory", "1Gi"}}));
}

TEST(ResourceList, ReadsNothingAsEmptyAndNamesWhatIsWrong) {
  const Value null;
  EXPECT_TRUE(ResourceList::from_json(nullptr).value().empty());
  EXPECT_TRUE(ResourceList::from_json(&null).value().empty());
  const Value array = Value::array();
  EXPECT_EQ(ResourceList::from_json(&array).error().message,
            "expected an object of quantities, found array");
  const Value bad = Value::object({{"cpu", "1mm"}});
  EXPECT_EQ(ResourceList::from_json(&bad).error().message,
            "cpu: unable to parse quantity's suffix");
}

}  // namespace
}  // namespace berth::api
