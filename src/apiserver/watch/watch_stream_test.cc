#include "apiserver/watch/watch_stream.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

using namespace std::chrono_literals;
using State = http::Pull::State;

// Objects go out as they are; a bookmark is its revision.
class PlainForm final : public EventForm {
 public:
  void append_object(std::string& text, std::string_view stored) override { text += stored; }
  void append_bookmark(std::string& text, store::Revision revision, bool is_initial_end) override {
    text += fmt::format("{}{}", revision, is_initial_end ? "!" : "");
  }
};

class WatchStreamTest : public ::testing::Test {
 protected:
  // Objects are {"l":LABEL,"v":REVISION}; no label: the object goes.
  void write(std::string name, std::string_view label) {
    store::EntryChange change{.revision = ++revision, .key = {.table = "t", .name = name}};
    change.before = now_there[name];
    if (!label.empty()) {
      const store::Draft draft{
          .text = fmt::format(R"({{"metadata":{{"labels":{{"l":"{}"}}}},"v":""}})", label)};
      store::Draft placed = draft;
      placed.version_at = static_cast<std::uint32_t>(draft.text.size() - 2);
      change.after = std::make_shared<store::Entry>(store::completed(placed, revision));
    }
    now_there[name] = change.after;
    const auto batch = std::make_shared<store::Batch>(
        store::Batch{.after = revision - 1, .changes = {std::move(change)}});
    snapshot = store::applied(*snapshot, batch->changes);
    hub.take(batch, Instant());
  }

  WatchPlan plan(store::Revision from) {
    return {.table = "t", .form = std::make_unique<PlainForm>(), .from = from};
  }
  WatchPlan initial_plan() {
    WatchPlan made = plan(snapshot->revision());
    made.initial = snapshot;
    return made;
  }
  void open(WatchPlan made) {
    stream.emplace(hub, std::move(made), [this] { ++woken; }, start);
  }

  // All there is now, asked for in pieces of at most that size.
  std::string pulled(std::size_t room_size = 4096) {
    std::string text;
    std::string room(room_size, '\0');
    while (true) {
      const http::Pull pull = stream->pull(room);
      text.append(room, 0, pull.bytes);
      last = pull.state;
      if (last != State::More) return text;
    }
  }

  // "ADDED x@3": of objects the label and the revision.
  static std::string told(std::string_view events) {
    std::string text;
    while (!events.empty()) {
      const std::size_t end = events.find('\n');
      const auto event = json::parse(events.substr(0, end));
      events.remove_prefix(end + 1);
      if (!event.ok()) return text + "?";
      const json::Value* object = event->find("object");
      const json::Value* label = object->find_path({"metadata", "labels", "l"});
      text += event->find("type")->string_or_empty();
      if (label) {
        text +=
            fmt::format(" {}@{}", label->string_or_empty(), object->find("v")->string_or_empty());
      } else if (object->is_number()) {
        text += " " + object->number_text();
      } else if (const json::Value* code = object->find("code")) {
        text += " " + code->number_text();
      }
      text += "\n";
    }
    return text;
  }

  WatchHub hub{{.changes_max = 50}};
  store::Revision revision = 0;
  store::SnapshotPtr snapshot = std::make_shared<store::Snapshot>();
  std::map<std::string, store::EntryPtr> now_there;
  std::optional<WatchStream> stream;
  Instant start = Instant() + 1h;
  int woken = 0;
  State last = State::More;
};

TEST_F(WatchStreamTest, TellsWhatIsThereAndThenWhatHappens) {
  write("a", "x");
  write("b", "y");
  open(initial_plan());
  EXPECT_EQ(told(pulled()), "ADDED x@1\nADDED y@2\n");
  EXPECT_EQ(last, State::Waiting);
  EXPECT_EQ(woken, 0);
  write("a", "z");
  EXPECT_EQ(woken, 1);
  write("b", "");
  write("c", "w");
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(told(pulled()), "MODIFIED z@3\nDELETED y@4\nADDED w@5\n");
}

TEST_F(WatchStreamTest, TheTextDoesNotDependOnHowItIsCut) {
  for (int i = 0; i < 8; ++i) write(fmt::format("n{}", i), "x");
  const store::SnapshotPtr then = snapshot;
  WatchPlan first = initial_plan();
  first.marks_initial_end = true;
  open(std::move(first));
  write("n0", "y");
  write("n1", "");
  const std::string whole = pulled();
  ASSERT_FALSE(whole.empty());
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    WatchPlan again = plan(8);
    again.initial = then;
    again.marks_initial_end = true;
    open(std::move(again));
    EXPECT_EQ(pulled(size), whole) << size;
    EXPECT_EQ(last, State::Waiting);
  }
}

TEST_F(WatchStreamTest, ManyObjectsComeInPieces) {
  const std::string label(500, 'x');
  for (int i = 0; i < 40; ++i) write(fmt::format("n{:03}", i), label);
  for (int i = 0; i < 40; ++i) write(fmt::format("m{:03}", i), label);
  open(initial_plan());
  const std::string all = pulled(777);
  EXPECT_EQ(std::ranges::count(all, '\n'), 80);
}

TEST_F(WatchStreamTest, ASelectionSeesObjectsComeAndGo) {
  write("a", "in");
  write("b", "out");
  WatchPlan selected = initial_plan();
  selected.selection.labels = api::LabelSelector::parse("l=in").value();
  open(std::move(selected));
  EXPECT_EQ(told(pulled()), "ADDED in@1\n");
  write("b", "in");    // Comes into sight.
  write("a", "in");    // Stays.
  write("a", "out");   // Goes out of sight: its last state, at the revision of the change.
  write("a", "more");  // Was not seen and is not.
  write("b", "");
  write("a", "");
  EXPECT_EQ(told(pulled()), "ADDED in@3\nMODIFIED in@4\nDELETED in@5\nDELETED in@7\n");
}

TEST_F(WatchStreamTest, WhatManySelectFromIsParsedOnce) {
  const auto selecting = [this](std::string_view labels) {
    WatchPlan made = plan(0);
    made.selection.labels = api::LabelSelector::parse(labels).value();
    return made;
  };
  write("a", "in");
  write("a", "out");
  for (const auto& [labels, events] :
       {std::pair{"l=in", "ADDED in@1\nDELETED in@2\n"}, std::pair{"l=out", "ADDED out@2\n"},
        std::pair{"l", "ADDED in@1\nMODIFIED out@2\n"}}) {
    open(selecting(labels));
    EXPECT_EQ(told(pulled()), events) << labels;
    EXPECT_EQ(hub.seen_objects().size(), 2);
  }
  open(plan(0));
  hub.seen_objects().forget();
  pulled();
  EXPECT_EQ(hub.seen_objects().size(), 0);  // Nobody looks inside.
}

TEST_F(WatchStreamTest, OnlyTheNameOrTheNamespaceCounts) {
  write("ns/a", "x");
  write("other/a", "y");
  WatchPlan in_namespace = initial_plan();
  in_namespace.selection.prefix = "ns/";
  open(std::move(in_namespace));
  write("ns/b", "z");
  write("other/b", "y");
  EXPECT_EQ(told(pulled()), "ADDED x@1\nADDED z@3\n");
  WatchPlan one = plan(0);
  one.selection.name = "other/b";
  open(std::move(one));
  EXPECT_EQ(told(pulled()), "ADDED y@4\n");
}

TEST_F(WatchStreamTest, TheEndOfTheInitialStateIsMarked) {
  write("a", "x");
  WatchPlan marked = initial_plan();
  marked.marks_initial_end = true;
  open(std::move(marked));
  write("b", "y");
  const std::string events = pulled();
  EXPECT_TRUE(events.contains("{\"type\":\"BOOKMARK\",\"object\":1!}\n")) << events;
  EXPECT_TRUE(events.ends_with("}\n"));
  EXPECT_LT(events.find("BOOKMARK"), events.find("\"y\""));
}

TEST_F(WatchStreamTest, BookmarksComeWhenAskedForAndAfterWhatWasBefore) {
  write("a", "x");
  WatchPlan asking = plan(1);
  asking.wants_bookmarks = true;
  open(std::move(asking));
  EXPECT_EQ(pulled(), "");
  stream->on_time(start + 59s);
  EXPECT_EQ(woken, 0);
  write("b", "y");
  EXPECT_EQ(woken, 1);
  stream->on_time(start + 61s);
  EXPECT_EQ(woken, 2);
  EXPECT_EQ(told(pulled()), "ADDED y@2\nBOOKMARK 2\n");
  // One is enough for a while.
  stream->on_time(start + 62s);
  EXPECT_EQ(pulled(), "");
  // A quiet watch learns how far the others have come.
  hub.take(std::make_shared<store::Batch>(
               store::Batch{.after = 2,
                            .changes = {{.revision = 3,
                                         .key = {.table = "elsewhere", .name = "e"},
                                         .after = std::make_shared<store::Entry>()}}}),
           Instant());
  stream->on_time(start + 125s);
  EXPECT_EQ(told(pulled()), "BOOKMARK 3\n");
}

TEST_F(WatchStreamTest, ABookmarkWaitsUntilEverythingBeforeItIsTaken) {
  WatchPlan asking = plan(0);
  asking.wants_bookmarks = true;
  write("a", "x");
  open(std::move(asking));
  stream->on_time(start + 61s);
  for (int i = 0; i < 5; ++i) write("a", "x");
  std::string room(10, '\0');
  std::string text;
  while (!text.contains("BOOKMARK")) {
    const http::Pull pull = stream->pull(room);
    ASSERT_EQ(pull.state, State::More);
    text.append(room, 0, pull.bytes);
  }
  EXPECT_EQ(std::ranges::count(text, '\n'), 6);
}

TEST_F(WatchStreamTest, NobodyGetsBookmarksUnasked) {
  open(plan(0));
  stream->on_time(start + 5min);
  EXPECT_EQ(woken, 0);
  EXPECT_EQ(pulled(), "");
}

TEST_F(WatchStreamTest, AWatchFromTheFutureGetsNoBookmarkFromThePast) {
  write("a", "x");
  WatchPlan future = plan(3);
  future.wants_bookmarks = true;
  open(std::move(future));
  stream->on_time(start + 61s);
  EXPECT_EQ(pulled(), "");
  write("a", "x");
  write("a", "x");
  write("a", "y");
  EXPECT_EQ(told(pulled()), "MODIFIED y@4\n");
}

TEST_F(WatchStreamTest, AReaderThatIsTooSlowIsTold) {
  open(plan(0));
  for (int i = 0; i < 200; ++i) write("a", "x");
  EXPECT_EQ(told(pulled()), "ERROR 410\n");
  EXPECT_EQ(last, State::End);
}

TEST_F(WatchStreamTest, AReaderThatFallsBehindInTheMiddleIsTold) {
  write("a", "x");
  open(plan(0));
  EXPECT_EQ(told(pulled()), "ADDED x@1\n");
  for (int i = 0; i < 200; ++i) write("a", "x");
  EXPECT_EQ(told(pulled()), "ERROR 410\n");
  EXPECT_EQ(last, State::End);
}

TEST_F(WatchStreamTest, ItEndsAfterItsTimeWithABookmarkBefore) {
  WatchPlan brief = plan(0);
  brief.wants_bookmarks = true;
  brief.length = 10s;
  open(std::move(brief));
  EXPECT_EQ(pulled(), "");
  stream->on_time(start + 8s);
  EXPECT_EQ(told(pulled()), "BOOKMARK 0\n");
  EXPECT_EQ(last, State::Waiting);
  stream->on_time(start + 10s);
  EXPECT_EQ(pulled(), "");
  EXPECT_EQ(last, State::End);
}

TEST_F(WatchStreamTest, AnEndFromOutsideLosesNothing) {
  write("a", "x");
  open(initial_plan());
  write("b", "y");
  stream->end();
  EXPECT_GT(woken, 0);
  EXPECT_EQ(told(pulled(7)), "ADDED x@1\nADDED y@2\n");
  EXPECT_EQ(last, State::End);
}

}  // namespace
}  // namespace berth::apiserver
