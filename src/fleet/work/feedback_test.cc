#include "fleet/work/feedback.h"

#include <gtest/gtest.h>

#include "json/print.h"
#include "json/yaml_read.h"

namespace berth::fleet {
namespace {

using json::Value;

Value read(std::string_view yaml) { return json::read_yaml(std::string(yaml)).value().at(0); }

std::string values_of(const Feedback& feedback) {
  std::string text;
  for (const Value& value : feedback.values.elements()) {
    text += std::string(value.find("name")->string_or_empty()) + "=" +
            json::print(*value.find("fieldValue")) + " ";
  }
  return text;
}

std::string text_of(const api::Condition& condition) {
  return std::string(api::condition_status_name(condition.status)) + " " + condition.reason + " " +
         condition.message;
}

const FeedbackRule kKnown{.type = FeedbackRule::Type::WellKnown};

FeedbackRule paths(std::vector<FeedbackRule::Path> list) {
  return {.type = FeedbackRule::Type::JsonPaths, .paths = std::move(list)};
}

TEST(Feedback, WellKnownValuesDependOnTheKind) {
  struct Case {
    std::string_view object;
    std::string_view values;
  };
  const Case cases[] = {
      {"{apiVersion: apps/v1, kind: Deployment, status: {readyReplicas: 1, replicas: 3, "
       "availableReplicas: 2}}",
       R"(ReadyReplicas={"type":"Integer","integer":1} Replicas={"type":"Integer","integer":3} AvailableReplicas={"type":"Integer","integer":2} )"},
      {"{apiVersion: apps/v1, kind: DaemonSet, status: {numberReady: 1, desiredNumberScheduled: "
       "2}}",
       R"(NumberReady={"type":"Integer","integer":1} DesiredNumberScheduled={"type":"Integer","integer":2} )"},
      {"{apiVersion: batch/v1, kind: Job, status: {conditions: [{type: Suspended, status: "
       "'False'}, "
       "{type: Complete, status: 'True'}], succeeded: 1}}",
       R"(JobComplete={"type":"String","string":"True"} JobSucceeded={"type":"Integer","integer":1} )"},
      {"{apiVersion: v1, kind: Pod, status: {phase: Running}}",
       R"(PodPhase={"type":"String","string":"Running"} )"},
  };
  for (const Case& c : cases) {
    const Feedback feedback = read_feedback(read(c.object), {kKnown});
    EXPECT_EQ(values_of(feedback), c.values);
    EXPECT_EQ(text_of(feedback.condition), "True StatusFeedbackSynced ");
  }
}

TEST(Feedback, WithoutRulesThereIsNone) {
  const Feedback feedback = read_feedback(read("{kind: A}"), {});
  EXPECT_EQ(values_of(feedback), "");
  EXPECT_EQ(text_of(feedback.condition), "True NoStatusFeedbackSynced ");
}

TEST(Feedback, MissingValuesAreLeftOut) {
  const Feedback feedback =
      read_feedback(read("{a: {b: true, n: null}}"), {paths({{.name = "b", .path = ".a.b"},
                                                             {.name = "n", .path = ".a.n"},
                                                             {.name = "c", .path = ".c.d"}})});
  EXPECT_EQ(values_of(feedback), R"(b={"type":"Boolean","boolean":true} )");
  EXPECT_EQ(text_of(feedback.condition), "True StatusFeedbackSynced ");
}

TEST(Feedback, WhatCannotBeReadIsToldAndKeepsNothingElseBack) {
  const Feedback feedback =
      read_feedback(read("{apiVersion: a/v1, kind: A, l: [1], o: {}, f: 1.5, good: 1}"),
                    {paths({{.name = "l", .path = ".l"},
                            {.name = "o", .path = ".o"},
                            {.name = "f", .path = ".f"},
                            {.name = "v", .version = "v2", .path = ".good"},
                            {.name = "good", .path = ".good"}}),
                     kKnown});
  EXPECT_EQ(values_of(feedback), R"(good={"type":"Integer","integer":1} )");
  EXPECT_EQ(text_of(feedback.condition),
            "False StatusFeedbackSyncFailed Sync status feedback failed with error [[the type "
            "[]interface {} of the value for l is not found, the type map[string]interface {} of "
            "the value for o is not found, the type float64 of the value for f is not found, "
            "version set in the path v is not matched for the related resource], cannot find the "
            "wellknown statuses for resource with gvk a/v1, Kind=A]");
}

TEST(Feedback, UnreadablePathsAreTold) {
  const Feedback feedback = read_feedback(read("{a: 1}"), {paths({{.name = "x", .path = ".a["}})});
  EXPECT_TRUE(feedback.condition.message.starts_with(
      "Sync status feedback failed with error failed to parse json path .a[ of x with error: "))
      << feedback.condition.message;
}

}  // namespace
}  // namespace berth::fleet
