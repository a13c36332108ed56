#include "client/protobuf/watch_stream.h"

#include <gtest/gtest.h>

#include "client/testing/protobuf_writer.h"
#include "json/print.h"

namespace berth::client::protobuf {
namespace {

using testing::envelope;
using testing::event_frame;
using testing::Proto;

std::shared_ptr<const DecodingPlan> plan() {
  return DecodingPlan::of({.version = "v1", .resource = "pods"},
                          Projection::only({"spec.nodeName"}));
}

std::string pod(std::string_view name) {
  return envelope("Pod", Proto().message(1, Proto().text(1, name)));
}

std::string bookmark() {
  return envelope("Pod", Proto().message(1, Proto().text(6, "42").entry(
                                                12, "k8s.io/initial-events-end", "true")));
}

TEST(ProtobufWatchStream, ReadsEventsWhereverTheyAreCut) {
  const std::string stream = event_frame("ADDED", pod("a")) + event_frame("DELETED", pod("b")) +
                             event_frame("BOOKMARK", bookmark());
  for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
    SCOPED_TRACE(piece);
    WatchStream watch(plan());
    std::vector<WatchEvent> events;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      DecodedEvents decoded = watch.feed(std::string_view(stream).substr(at, piece));
      ASSERT_FALSE(decoded.failure) << decoded.failure->message;
      for (WatchEvent& event : decoded.events) events.push_back(std::move(event));
    }
    EXPECT_TRUE(watch.at_boundary());
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].type, WatchEvent::Type::Added);
    EXPECT_TRUE(events[0].is_projected);
    EXPECT_EQ(events[1].object.find_path({"metadata", "name"})->string_or_empty(), "b");
    EXPECT_EQ(json::print(*events[2].object.find("metadata")),
              R"({"resourceVersion":"42","annotations":{"k8s.io/initial-events-end":"true"}})")
        << "whatever the plan keeps of objects";
  }
}

TEST(ProtobufWatchStream, KnowsWhetherItWasCutOff) {
  WatchStream watch(plan());
  EXPECT_TRUE(watch.at_boundary());
  const std::string frame = event_frame("ADDED", pod("a"));
  watch.feed(std::string_view(frame).substr(0, 10));
  EXPECT_FALSE(watch.at_boundary());
}

TEST(ProtobufWatchStream, ReadsTheStatusOfAnError) {
  WatchStream watch(plan());
  const Proto status = Proto().text(3, "too old").number(6, 410);
  const auto decoded = watch.feed(event_frame("ERROR", envelope("Status", status)));
  ASSERT_EQ(decoded.events.size(), 1u);
  EXPECT_EQ(decoded.events[0].object.find("message")->string_or_empty(), "too old");
}

TEST(ProtobufWatchStream, RefusesLargeEventsBeforeTheyAreHere) {
  WatchStream watch(plan(), 100);
  EXPECT_FALSE(watch.feed(std::string_view("\0\0\0\x64", 4)).failure);
  WatchStream small(plan(), 99);
  const auto decoded = small.feed(std::string_view("\0\0\0\x64", 4));
  ASSERT_TRUE(decoded.failure);
  EXPECT_EQ(decoded.failure->code, Code::RequestEntityTooLarge);
}

TEST(ProtobufWatchStream, EndsAtTheFirstBadEvent) {
  WatchStream watch(plan());
  const auto decoded = watch.feed(event_frame("ADDED", pod("a")) + event_frame("EATEN", pod("b")) +
                                  event_frame("ADDED", pod("c")));
  EXPECT_EQ(decoded.events.size(), 1u);
  ASSERT_TRUE(decoded.failure);
  EXPECT_EQ(decoded.failure->code, Code::NotAcceptable);
  EXPECT_EQ(decoded.failure->message, R"(the watch sent a bad event: unknown type "EATEN")");
  EXPECT_TRUE(watch.feed(event_frame("ADDED", pod("d"))).events.empty());
}

}  // namespace
}  // namespace berth::client::protobuf
