#include "client/watch_decoder.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/print.h"

namespace berth::client {
namespace {

using Type = WatchEvent::Type;

std::string shown(const WatchEvent& event) {
  return std::to_string(static_cast<int>(event.type)) + json::print(event.object);
}

std::vector<std::string> decode_in_pieces(std::string_view stream, std::size_t piece) {
  WatchDecoder decoder;
  std::vector<std::string> shown_events;
  while (!stream.empty()) {
    const DecodedEvents decoded = decoder.feed(stream.substr(0, piece));
    EXPECT_FALSE(decoded.failure) << decoded.failure->message;
    for (const WatchEvent& event : decoded.events) shown_events.push_back(shown(event));
    stream.remove_prefix(std::min(piece, stream.size()));
  }
  EXPECT_TRUE(decoder.at_boundary());
  return shown_events;
}

constexpr std::string_view kStream =
    R"({"type":"ADDED","object":{"a":"}{\"\\"}})"
    "\n"
    R"({"type":"MODIFIED","object":{"b":[1,{"c":[]}]}}{"type":"DELETED","object":{}})"
    " \r\n\t"
    R"({"object":{"metadata":{"resourceVersion":"7"}},"type":"BOOKMARK"}
{"type":"ERROR","object":{"kind":"Status","code":410}})";

TEST(WatchDecoder, CutsEventsWhereverThePiecesAreCut) {
  const std::vector<std::string> expected = {R"(0{"a":"}{\"\\"})", R"(1{"b":[1,{"c":[]}]})", "2{}",
                                             R"(3{"metadata":{"resourceVersion":"7"}})",
                                             R"(4{"kind":"Status","code":410})"};
  for (std::size_t piece = 1; piece <= kStream.size(); ++piece) {
    EXPECT_EQ(decode_in_pieces(kStream, piece), expected) << "pieces of " << piece;
  }
}

TEST(WatchDecoder, KnowsWhetherTheStreamMayEndHere) {
  WatchDecoder decoder;
  EXPECT_TRUE(decoder.at_boundary());
  decoder.feed(R"({"type":"ADDED",)");
  EXPECT_FALSE(decoder.at_boundary());
  decoder.feed("\"object\":{}}\n");
  EXPECT_TRUE(decoder.at_boundary());
}

TEST(WatchDecoder, EventsBeforeABadOneAreDelivered) {
  WatchDecoder decoder;
  const DecodedEvents decoded =
      decoder.feed(R"({"type":"ADDED","object":{}} {"type":"CHANGED","object":{}})");
  EXPECT_EQ(decoded.events.size(), 1u);
  ASSERT_TRUE(decoded.failure);
  EXPECT_EQ(decoded.failure->message, "the watch sent a bad event: unknown type \"CHANGED\"");
  EXPECT_FALSE(decoder.at_boundary());
  EXPECT_TRUE(decoder.feed(R"({"type":"ADDED","object":{}})").events.empty());
}

TEST(WatchDecoder, SaysWhatIsWrongWithAnEvent) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"<html>", "expected '{', found \"<\""},
      {R"({"object":{}})", "it has no type"},
      {R"({"type":"ADDED"})", "it has no object"},
      {R"({"type":"ADDED","object":[]})", "it has no object"},
      {R"({"type":"ADDED" "object":{}})", "line 1"},
      {R"({"type":"ADDED","object":{]})", "line 1"},
  };
  for (const auto& [stream, problem] : cases) {
    WatchDecoder decoder;
    const DecodedEvents decoded = decoder.feed(stream);
    ASSERT_TRUE(decoded.failure) << stream;
    EXPECT_TRUE(decoded.failure->message.contains(problem)) << decoded.failure->message;
  }
}

TEST(WatchDecoder, AnEventThatNeverEndsIsRefusedAtItsBound) {
  WatchDecoder decoder(1000);
  std::size_t fed = 0;
  DecodedEvents decoded = decoder.feed(R"({"type":"ADDED","object":{"x":")");
  while (!decoded.failure && fed < 2000) {
    decoded = decoder.feed("yyyyyyyyyy");
    fed += 10;
  }
  ASSERT_TRUE(decoded.failure);
  EXPECT_EQ(decoded.failure->code, Code::RequestEntityTooLarge);
  EXPECT_LT(fed, 1000u);
}

TEST(WatchDecoder, TheBoundIsForOneEventNotForTheStream) {
  WatchDecoder decoder(50);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(decoder.feed(R"({"type":"ADDED","object":{"n":1}})").events.size(), 1u);
  }
}

RC_GTEST_PROP(WatchDecoder, StringsMayHoldAnything, (const std::string& text)) {
  std::string stream = R"({"type":"ADDED","object":{"x":)";
  json::append_quoted(stream, text);
  stream += "}}";
  const auto piece = *rc::gen::inRange<std::size_t>(1, stream.size() + 1);
  RC_ASSERT(decode_in_pieces(stream, piece).size() == 1u);
}

}  // namespace
}  // namespace berth::client
