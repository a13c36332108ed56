#include "apiserver/watch/event_text.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(EventText, AnEventIsALine) {
  std::string text = "before\n";
  append_event(text, EventType::Added, R"({"a":1})");
  append_event(text, EventType::Error, "{}");
  EXPECT_EQ(text,
            "before\n{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n"
            "{\"type\":\"ERROR\",\"object\":{}}\n");
}

TEST(EventText, AnObjectMayBeWrittenInItsPlace) {
  std::string text;
  begin_event(text, EventType::Bookmark, 1'000);
  const char* place = text.data();
  text += std::string(1'000, '1');
  end_event(text);
  EXPECT_EQ(text, "{\"type\":\"BOOKMARK\",\"object\":" + std::string(1'000, '1') + "}\n");
  EXPECT_EQ(text.data(), place);  // There was room.
}

TEST(EventText, TypesAreCalledAsKubernetesCallsThem) {
  EXPECT_EQ(event_type_name(EventType::Added), "ADDED");
  EXPECT_EQ(event_type_name(EventType::Modified), "MODIFIED");
  EXPECT_EQ(event_type_name(EventType::Deleted), "DELETED");
  EXPECT_EQ(event_type_name(EventType::Bookmark), "BOOKMARK");
  EXPECT_EQ(event_type_name(EventType::Error), "ERROR");
}

}  // namespace
}  // namespace berth::apiserver
