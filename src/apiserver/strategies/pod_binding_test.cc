#include "apiserver/strategies/pod_binding.h"

#include <string>

#include <gtest/gtest.h>

#include "apiserver/tables/cells.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;

Result<json::Value> bound(std::string_view pod, std::string_view binding) {
  return bind_pod(json::read_one_yaml(pod).value(), json::read_one_yaml(binding).value(), Time{1s});
}

TEST(PodBinding, GivesThePodToTheNode) {
  const auto pod =
      bound("{metadata: {name: x, labels: {a: b}}, status: {nominatedNodeName: two}}",
            "{metadata: {name: x, annotations: {c: d}, labels: {a: e}}, target: {kind: "
            "Node, name: one}}")
          .value();
  EXPECT_EQ(text_at(pod, "spec.nodeName"), "one");
  EXPECT_EQ(text_at(pod, "metadata.annotations.c"), "d");
  EXPECT_EQ(text_at(pod, "metadata.labels.a"), "e");
  EXPECT_TRUE(at(pod, "status.nominatedNodeName").is_null());
  const auto& condition = at(pod, "status.conditions").elements()[0];
  EXPECT_EQ(text_at(condition, "type"), "PodScheduled");
  EXPECT_EQ(text_at(condition, "status"), "True");
}

TEST(PodBinding, RefusesPodsThatCannotBeGiven) {
  struct Case {
    std::string_view pod;
    std::string_view message;
  };
  const Case cases[] = {
      {"{metadata: {name: x, deletionTimestamp: now}}",
       R"(Operation cannot be fulfilled on pods/binding "x": pod x is being deleted, cannot be )"
       "assigned to a host"},
      {"{metadata: {name: x}, spec: {nodeName: two}}",
       R"(Operation cannot be fulfilled on pods/binding "x": pod x is already assigned to node )"
       R"("two")"},
      {"{metadata: {name: x}, spec: {schedulingGates: [{name: g}]}}",
       R"(Operation cannot be fulfilled on pods/binding "x": pod x has non-empty )"
       ".spec.schedulingGates"},
  };
  for (const Case& c : cases) {
    const auto result = bound(c.pod, "{metadata: {name: x}, target: {name: one}}");
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::Conflict);
    EXPECT_EQ(result.error().message, c.message);
  }
}

TEST(PodBinding, InsistsOnThePodThatWasMeant) {
  constexpr std::string_view kPod = "metadata: {name: x, uid: u, resourceVersion: '3'}";
  const auto code = [&](std::string_view metadata) {
    const auto result =
        bound(kPod, "{metadata: " + std::string(metadata) + ", target: {name: one}}");
    return result.ok() ? Code::Unknown : result.error().code;
  };
  EXPECT_EQ(code("{name: x, uid: u, resourceVersion: '3'}"), Code::Unknown);
  EXPECT_EQ(code("{name: x, uid: v}"), Code::Conflict);
  EXPECT_EQ(code("{name: x, resourceVersion: '4'}"), Code::Conflict);
  EXPECT_EQ(code("{name: z}"), Code::BadRequest);
}

TEST(PodBinding, NeedsANode) {
  EXPECT_EQ(bound("metadata: {name: x}", "metadata: {name: x}").error().code, Code::Invalid);
  EXPECT_EQ(bound("metadata: {name: x}", "{metadata: {name: x}, target: {kind: Pod, name: p}}")
                .error()
                .causes[0]
                .field,
            "target.kind");
}

}  // namespace
}  // namespace berth::apiserver
