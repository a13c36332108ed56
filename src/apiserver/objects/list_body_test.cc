#include "apiserver/objects/list_body.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

using State = http::Pull::State;

std::vector<store::EntryPtr> entries(std::initializer_list<const char*> texts) {
  std::vector<store::EntryPtr> made;
  for (const char* text : texts) {
    made.push_back(std::make_shared<const store::Entry>(store::Entry{.text = text}));
  }
  return made;
}

std::string pulled(ListBody body, std::size_t room_size) {
  std::string text;
  std::string room(room_size, '\0');
  for (;;) {
    const http::Pull pull = body.pull(room);
    text.append(room, 0, pull.bytes);
    if (pull.state == State::End) return text;
    // The room is filled as long as there is more.
    EXPECT_EQ(pull.bytes, room_size);
    EXPECT_EQ(pull.state, State::More);
    if (pull.bytes == 0) return text;
  }
}

TEST(ListBody, IsTheSameTextHoweverItIsCut) {
  struct Row {
    std::vector<store::EntryPtr> entries;
    std::string_view text;
  };
  const Row rows[] = {
      {entries({}), R"({"items":[]})"},
      {entries({"{1}"}), R"({"items":[{1}]})"},
      {entries({"{1}", "{22}", "{333}"}), R"({"items":[{1},{22},{333}]})"},
  };
  for (const Row& row : rows) {
    for (std::size_t size = 1; size <= row.text.size() + 1; ++size) {
      EXPECT_EQ(pulled(ListBody(R"({"items":[)", row.entries, "]}"), size), row.text) << size;
    }
  }
}

TEST(ListBody, HoldsTheTextsThatItIsMadeOf) {
  std::vector<store::EntryPtr> held = entries({"{1}"});
  const std::weak_ptr<const store::Entry> entry = held.front();
  {
    const ListBody body("[", std::move(held), "]");
    EXPECT_FALSE(entry.expired());
  }
  EXPECT_TRUE(entry.expired());
}

}  // namespace
}  // namespace berth::apiserver
