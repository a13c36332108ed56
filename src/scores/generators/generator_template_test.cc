#include "scores/generators/generator_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "json/yaml_read.h"

namespace berth::scores {
namespace {

using json::Value;
using ::testing::HasSubstr;

const Value kObject = json::read_one_yaml(R"(
metadata: {name: latency, namespace: ns1, uid: u1, generation: 2}
spec:
  placementRef: {name: all}
  template:
    metadata: {labels: {team: net}, annotations: {why: "because"}}
    spec:
      addOnPlacementSelector: {name: latency}
      latencies: [{name: a, url: "https://a.com"}]
)")
                          .value();

GeneratorTemplate source() { return read_generator_template(kObject); }

std::string applied(const FanOut& fan_out, std::string_view field) {
  const Value status = template_status({}, fan_out, 2, {});
  return api::text_field(*api::find_condition(api::field(status, "conditions"), "Applied"), field);
}

TEST(GeneratorTemplate, MakesAGeneratorOfItsNameForACluster) {
  const Value made = generator_from(source(), "cluster1", nullptr);
  const api::ObjectFacts facts = api::read_facts(made);
  EXPECT_EQ(facts.name, "latency");
  EXPECT_EQ(facts.object_namespace, "cluster1");
  EXPECT_EQ(facts.label("team"), "net");
  EXPECT_EQ(facts.label(kTemplateUidLabel), "u1");
  EXPECT_EQ(facts.annotation(kTemplateAnnotation), "ns1/latency");
  EXPECT_EQ(facts.annotation("why"), "because");
  EXPECT_EQ(made.find_path({"spec", "addOnPlacementSelector", "namespace"})->string_or_empty(),
            "cluster1");
  EXPECT_EQ(template_uid_of(made), "u1");
  EXPECT_TRUE(is_current(made, source(), "cluster1"));
}

TEST(GeneratorTemplate, SeesWhenAGeneratorIsNotAsItShouldBe) {
  Value edited = generator_from(source(), "cluster1", nullptr);
  edited["spec"]["latencies"] = Value::array();
  EXPECT_FALSE(is_current(edited, source(), "cluster1"));

  Value object = kObject;
  object["spec"]["template"]["metadata"]["labels"]["team"] = "other";
  const GeneratorTemplate changed = read_generator_template(object);
  EXPECT_NE(changed.hash, source().hash);
  EXPECT_FALSE(is_current(generator_from(source(), "cluster1", nullptr), changed, "cluster1"));
}

TEST(GeneratorTemplate, KeepsWhatOthersWroteIntoTheMetadata) {
  Value before = generator_from(source(), "cluster1", nullptr);
  before["metadata"]["labels"]["theirs"] = "yes";
  before["status"]["observedGeneration"] = 1;
  const Value after = generator_from(source(), "cluster1", &before);
  EXPECT_EQ(api::read_facts(after).label("theirs"), "yes");
  EXPECT_EQ(after, before);
}

TEST(GeneratorTemplate, TellsHowFarItGot) {
  EXPECT_EQ(applied({.selected = 2, .current = 2}, "status"), "True");
  EXPECT_EQ(applied({.selected = 2, .current = 1}, "reason"), "Applying");
  EXPECT_EQ(applied({}, "reason"), "NoClusterSelected");
  const FanOut taken{.selected = 2, .current = 1, .taken = {"cluster2"}};
  EXPECT_EQ(applied(taken, "reason"), "NameTaken");
  EXPECT_THAT(applied(taken, "message"), HasSubstr("(cluster2)"));
}

TEST(GeneratorTemplate, IsReadWhateverIsThere) {
  EXPECT_EQ(read_generator_template(Value()).placement, "");
  EXPECT_EQ(read_generator_template(json::read_one_yaml("{spec: []}").value()).placement, "");
}

}  // namespace
}  // namespace berth::scores
