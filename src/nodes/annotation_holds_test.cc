#include "nodes/annotation_holds.h"

#include <gtest/gtest.h>

#include "json/print.h"
#include "nodes/testing/cluster_builder.h"

namespace berth::nodes {
namespace {

AnnotationHolds read(std::initializer_list<std::pair<std::string_view, std::string_view>> pairs) {
  json::Value node = testing::node("n");
  node["metadata"]["annotations"] = json::Value::object();
  for (const auto& [key, text] : pairs) node["metadata"]["annotations"][key] = text;
  return read_annotation_holds(node);
}

std::int64_t milli(const Hold& hold, std::string_view resource) {
  return hold.resources.amount(resource).milli_value();
}

constexpr std::string_view kList = "reserve.kubernetes.io/resources";

TEST(AnnotationHolds, ReadTheFirstFormAsTheGuideWritesIt) {
  const AnnotationHolds holds =
      read({{"reserve.cpu/a8f6f901-47c9-4475-b1f4-cac44597e173", "5000m"}, {"unrelated", "x"}});
  EXPECT_TRUE(holds.problems.empty());
  ASSERT_EQ(holds.holds.size(), 1u);
  const Hold& hold = holds.holds[0];
  EXPECT_EQ(hold.owner_uid, "a8f6f901-47c9-4475-b1f4-cac44597e173");
  EXPECT_EQ(milli(hold, "cpu"), 5000);
  EXPECT_EQ(hold.source, Hold::Source::Annotation);
  EXPECT_EQ(hold.priority, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(hold.expires, std::nullopt);
}

TEST(AnnotationHolds, OfOneOwnerAreOneHold) {
  const AnnotationHolds holds = read({{"reserve.cpu/u", "1"},
                                      {"reserve.memory/u", "1Gi"},
                                      {"reserve.hugepages-2Mi/u", "4Mi"},
                                      {"reserve.cpu/v", "2"}});
  ASSERT_EQ(holds.holds.size(), 2u);
  EXPECT_EQ(holds.holds[0].resources.entries().size(), 3u);
  EXPECT_EQ(holds.holds[0].resources.amount("memory").value(), 1 << 30);
}

TEST(AnnotationHolds, CountNumbersOfTheSecondFormInMillicoresAndBytes) {
  const AnnotationHolds holds = read({{kList, R"([{"owner_type":"ReplicaSet","owner_uid":"u",
      "pod_name":"p","reserved_resources":[
        {"resource_type":"cpu","reserved_quanty":4000},
        {"resource_type":"memory","reserved_quanty":1024},
        {"resource_type":"example.com/gpu","reserved_quantity":2}]}])"}});
  EXPECT_TRUE(holds.problems.empty());
  ASSERT_EQ(holds.holds.size(), 1u);
  EXPECT_EQ(milli(holds.holds[0], "cpu"), 4000);
  EXPECT_EQ(holds.holds[0].resources.amount("memory").value(), 1024);
  EXPECT_EQ(holds.holds[0].resources.amount("example.com/gpu").value(), 2);
}

TEST(AnnotationHolds, CountStringsOfTheSecondFormAsQuantities) {
  const AnnotationHolds holds = read({{kList, R"([{"owner_uid":"u","reserved_resources":[
        {"resource_type":"cpu","reserved_quanty":"5000m"},
        {"resource_type":"cpu","reserved_quanty":"1"}]}])"}});
  ASSERT_EQ(holds.holds.size(), 1u);
  EXPECT_EQ(milli(holds.holds[0], "cpu"), 6000);
}

TEST(AnnotationHolds, NameWhatIsWrongAndKeepTheRest) {
  struct Case {
    std::string_view key;
    std::string_view text;
    std::string_view problem;
  };
  const Case cases[] = {
      {"reserve.cpu/u", "lots", "annotation reserve.cpu/u=\"lots\": "},
      {"reserve.cpu/u", "-5", "an amount cannot be negative"},
      {"reserve.cpu/u", "", "annotation reserve.cpu/u=\"\": "},
      {kList, "{", "annotation reserve.kubernetes.io/resources: "},
      {kList, "{}", "it is no JSON array"},
      {kList, R"([{"reserved_resources":[]}])", "entry 0: it names no owner_uid"},
      {kList, R"([{"owner_uid":"u","reserved_resources":[{"reserved_quanty":1}]}])",
       "a resource has no resource_type"},
      {kList, R"([{"owner_uid":"u","reserved_resources":[{"resource_type":"cpu"}]}])",
       "\"cpu\" has no reserved_quanty"},
      {kList,
       R"([{"owner_uid":"u","reserved_resources":[{"resource_type":"cpu","reserved_quanty":1.5}]}])",
       "neither a quantity nor a whole number"},
      {kList,
       R"([{"owner_uid":"u","reserved_resources":[{"resource_type":"cpu","reserved_quanty":-1}]}])",
       "an amount cannot be negative"},
      {kList, R"([7])", "entry 0: it names no owner_uid"},
  };
  for (const Case& c : cases) {
    const AnnotationHolds holds = read({{c.key, c.text}, {"reserve.memory/fine", "1Gi"}});
    ASSERT_EQ(holds.problems.size(), 1u) << c.text;
    EXPECT_NE(holds.problems[0].find(c.problem), std::string::npos) << holds.problems[0];
    ASSERT_EQ(holds.holds.size(), 1u) << c.text;
    EXPECT_EQ(holds.holds[0].owner_uid, "fine");
  }
}

TEST(AnnotationHolds, MayBeHuge) {
  const AnnotationHolds holds = read({{"reserve.cpu/u", "1e999"}});
  ASSERT_EQ(holds.holds.size(), 1u);
  EXPECT_EQ(milli(holds.holds[0], "cpu"), std::numeric_limits<std::int64_t>::max());
}

TEST(AnnotationHolds, AreReadByTheThousand) {
  json::Value list = json::Value::array();
  for (int i = 0; i < 1000; ++i) {
    list.push_back(testing::parsed(fmt::format(
        R"({{"owner_uid":"u{}","reserved_resources":[{{"resource_type":"cpu","reserved_quanty":1}}]}})",
        i)));
  }
  EXPECT_EQ(read({{kList, json::print(list)}}).holds.size(), 1000u);
}

TEST(AnnotationHolds, LeaveOtherKeysOfTheirDomainsAlone) {
  const AnnotationHolds holds = read({{"reserve.kubernetes.io/finalizer", "x"},
                                      {"reserve.berth.dev/rebuild", "true"},
                                      {"reserve.cpu", "1"},
                                      {"reserved.cpu/u", "1"}});
  EXPECT_TRUE(holds.holds.empty());
  EXPECT_TRUE(holds.problems.empty());
}

}  // namespace
}  // namespace berth::nodes
