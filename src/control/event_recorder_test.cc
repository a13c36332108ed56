#include "control/event_recorder.h"

#include <gtest/gtest.h>

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using json::Value;

EventRecorder recorder(std::size_t series_max = 4096) {
  return EventRecorder(
      {.controller = "berth.dev/placement", .instance = "berth-host_1", .series_max = series_max});
}

Event decided(std::string name, std::string note = "chose rome") {
  return {.regarding = Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1beta1"},
                                      {"kind", "Placement"},
                                      {"namespace", "team"},
                                      {"name", std::move(name)},
                                      {"uid", "u-1"}}),
          .reason = "DecisionCreate",
          .action = "Scheduling",
          .note = std::move(note)};
}

const Value& created(const std::optional<EventRecorder::EventWrite>& write) {
  return std::get<EventRecorder::Create>(*write).event;
}

TEST(EventRecorder, TheFirstOneIsAPlainEvent) {
  EventRecorder events = recorder();
  const auto write = events.record(decided("web"), Time(1s));
  const Value& event = created(write);
  EXPECT_EQ(std::get<EventRecorder::Create>(*write).event_namespace, "team");
  EXPECT_EQ(*event.find_path({"metadata", "name"}), Value("web.3b9aca00"));
  EXPECT_EQ(*event.find("eventTime"), Value("1970-01-01T00:00:01.000000Z"));
  EXPECT_EQ(*event.find("note"), Value("chose rome"));
  EXPECT_EQ(*event.find("type"), Value("Normal"));
  EXPECT_EQ(event.find("series"), nullptr);
}

TEST(EventRecorder, RepetitionsBecomeASeriesToldOnceInAWhile) {
  EventRecorder events = recorder();
  ASSERT_TRUE(events.record(decided("web"), Time(0s)));
  const auto second = events.record(decided("web", "chose oslo"), Time(1s));
  ASSERT_TRUE(second);
  const auto& patch = std::get<EventRecorder::Patch>(*second);
  EXPECT_EQ(patch.name, "web.0");
  EXPECT_EQ(*patch.patch.find_path({"series", "count"}), Value(2));
  for (Duration now = 60s; now < 30min; now += 60s) {
    EXPECT_FALSE(events.record(decided("web"), Time(now)));
  }
  const auto heartbeat = events.record(decided("web"), Time(30min + 2s));
  ASSERT_TRUE(heartbeat);
  EXPECT_EQ(*std::get<EventRecorder::Patch>(*heartbeat).patch.find_path({"series", "count"}),
            Value(32));
}

TEST(EventRecorder, OnlyTheNoteMayDifferWithinASeries) {
  EventRecorder events = recorder();
  ASSERT_TRUE(events.record(decided("web"), Time(0s)));
  const auto starts_anew = [&](auto change) {
    Event event = decided("web");
    change(event);
    return std::holds_alternative<EventRecorder::Create>(*events.record(event, Time(1s)));
  };
  EXPECT_TRUE(starts_anew([](Event& e) { e.reason = "DecisionUpdate"; }));
  EXPECT_TRUE(starts_anew([](Event& e) { e.action = "Binding"; }));
  EXPECT_TRUE(starts_anew([](Event& e) { e.type = EventType::Warning; }));
  EXPECT_TRUE(starts_anew([](Event& e) { e.regarding["uid"] = "u-2"; }));
  EXPECT_TRUE(starts_anew([](Event& e) { e.related = Value::object({{"name", "n1"}}); }));
  EXPECT_FALSE(starts_anew([](Event& e) { e.note = "chose oslo"; }));
}

TEST(EventRecorder, AfterSilenceItStartsAnew) {
  EventRecorder events = recorder();
  ASSERT_TRUE(events.record(decided("web"), Time(0s)));
  const auto later = events.record(decided("web"), Time(6min + 1s));
  EXPECT_TRUE(std::holds_alternative<EventRecorder::Create>(*later));
}

TEST(EventRecorder, AnEventThatIsGoneIsCreatedAgain) {
  EventRecorder events = recorder();
  ASSERT_TRUE(events.record(decided("web"), Time(0s)));
  events.forget("web.0");
  events.forget("never-heard-of");
  EXPECT_TRUE(
      std::holds_alternative<EventRecorder::Create>(*events.record(decided("web"), Time(1s))));
}

TEST(EventRecorder, RemembersABoundedNumberOfSeries) {
  EventRecorder events = recorder(2);
  for (const char* name : {"a", "b", "a", "c"}) events.record(decided(name), Time(1s));
  EXPECT_EQ(events.remembered(), 2u);
  // "b" was the longest unused one.
  EXPECT_TRUE(std::holds_alternative<EventRecorder::Patch>(*events.record(decided("c"), Time(2s))));
  EXPECT_TRUE(
      std::holds_alternative<EventRecorder::Create>(*events.record(decided("b"), Time(2s))));
}

TEST(EventRecorder, KeepsWithinTheServersLimits) {
  EventRecorder events = recorder();
  const auto write = events.record(decided("web", std::string(5000, 'x')), Time(0s));
  EXPECT_EQ(created(write).find("note")->string_or_empty().size(), 1024u);
}

TEST(EventRecorder, ClusterScopedObjectsReportInDefault) {
  EventRecorder events = recorder();
  Event event = decided("rome");
  event.regarding.erase("namespace");
  event.related = Value::object({{"kind", "Node"}, {"name", "n1"}});
  const auto write = events.record(event, Time(0s));
  EXPECT_EQ(std::get<EventRecorder::Create>(*write).event_namespace, "default");
  EXPECT_EQ(*created(write).find_path({"related", "name"}), Value("n1"));
}

TEST(ObjectReference, NamesTheObjectAndLeavesOutWhatIsMissing) {
  const Value object = Value::object({{"apiVersion", "v1"},
                                      {"kind", "Node"},
                                      {"metadata", Value::object({{"name", "n1"}, {"uid", "7"}})}});
  EXPECT_EQ(object_reference(object),
            Value::object({{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "n1"}, {"uid", "7"}}));
}

}  // namespace
}  // namespace berth::control
