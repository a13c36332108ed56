#include "client/reflector.h"

#include <gtest/gtest.h>

#include "client/errors.h"
#include "client/testing/model_store.h"
#include "json/parse.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;

ObjectPtr object(std::string_view name, std::string_view version) {
  json::Value body;
  body["metadata"]["name"] = name;
  body["metadata"]["resourceVersion"] = version;
  return make_object(std::move(body), Projection::everything()).value();
}

StreamEvent put(std::string_view name, std::string_view version) {
  return ObjectChanged{ObjectChanged::Type::Put, object(name, version)};
}
StreamEvent deleted(std::string_view name, std::string_view version) {
  return ObjectChanged{ObjectChanged::Type::Deleted, object(name, version)};
}
StreamEvent bookmark(std::string_view version) { return Bookmark{std::string(version)}; }
StreamEvent initial_end(std::string_view version) { return Bookmark{std::string(version), true}; }

const Error kExpired{.code = Code::Expired};
const Error kTooLarge{.code = Code::Timeout, .causes = {{.reason = "ResourceVersionTooLarge"}}};
const Error kBusy{.code = Code::TooManyRequests};
const Error kInternal{.code = Code::InternalError};
const Error kNotFound{.code = Code::NotFound};
const Error kInvalid{.code = Code::Invalid};

struct Bench {
  Reflector reflector;
  Instant now{1h};

  explicit Bench(StartMode mode) : reflector({.start = mode}, Random(1)) {}

  const ListOptions list(const Reaction& reaction) {
    return std::get<ListOptions>(reaction.next.value());
  }
  const WatchOptions watch(const Reaction& reaction) {
    return std::get<WatchOptions>(reaction.next.value());
  }
  // Lets the delay pass that the reaction asks for.
  Reaction after_wait(const Reaction& reaction) {
    now = std::get<WaitUntil>(reaction.next.value()).when;
    return reflector.on_time(now);
  }
  // To a running watch from version 10, whatever the mode.
  void sync() {
    const Reaction first = reflector.start(now);
    if (std::holds_alternative<ListOptions>(*first.next)) {
      reflector.on_page({.items = {object("a", "5")}, .resource_version = "10"}, now);
    } else {
      reflector.on_event(put("a", "5"), now);
      reflector.on_event(initial_end("10"), now);
    }
    EXPECT_EQ(reflector.last_version(), "10");
  }
  Reaction closed(const Error& error) { return reflector.on_watch_closed(failure(error), now); }
};

TEST(Reflector, ListsFirstAtAnyVersionInPagesThenWatches) {
  Bench bench(StartMode::List);
  EXPECT_EQ(bench.list(bench.reflector.start(bench.now)),
            (ListOptions{.resource_version = "0", .limit = 500}));
  const Reaction second = bench.reflector.on_page(
      {.items = {object("b", "7")}, .resource_version = "10", .continue_token = "t"}, bench.now);
  EXPECT_EQ(bench.list(second).continue_token, "t");
  EXPECT_TRUE(second.changes.empty());
  const Reaction last =
      bench.reflector.on_page({.items = {object("a", "5")}, .resource_version = "10"}, bench.now);
  EXPECT_EQ(bench.watch(last).resource_version, "10");
  EXPECT_EQ(bench.watch(last).initial_events, InitialEvents::No);
  const auto& items = std::get<Replace>(last.changes.at(0)).items;
  ASSERT_EQ(items.size(), 2u);
  EXPECT_EQ(items[0]->name(), "a");
}

TEST(Reflector, AWatchEndsSomewhereBetweenFiveAndTenMinutes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Reflector reflector({}, Random(seed));
    const Reaction start = reflector.start(Instant{});
    const Duration timeout = std::get<WatchOptions>(*start.next).timeout;
    EXPECT_GE(timeout, 300s);
    EXPECT_LE(timeout, 600s);
  }
}

TEST(Reflector, CollectsInitialEventsAndKeepsTheStream) {
  Bench bench(StartMode::WatchList);
  const Reaction start = bench.reflector.start(bench.now);
  EXPECT_EQ(bench.watch(start).initial_events, InitialEvents::Yes);
  EXPECT_EQ(bench.watch(start).resource_version, "");
  EXPECT_TRUE(bench.reflector.on_event(put("a", "90"), bench.now).changes.empty());
  bench.reflector.on_event(put("b", "5"), bench.now);
  bench.reflector.on_event(deleted("b", "6"), bench.now);
  bench.reflector.on_event(bookmark("95"), bench.now);
  EXPECT_EQ(bench.reflector.last_version(), "") << "initial events say nothing about progress";
  EXPECT_EQ(bench.reflector.waits_for(), "the server to accept the watch");
  bench.reflector.on_watch_opened(bench.now);
  EXPECT_EQ(bench.reflector.waits_for(), "the end of the initial events");
  EXPECT_EQ(bench.reflector.collected(), 1u);

  const Reaction end = bench.reflector.on_event(initial_end("100"), bench.now);
  EXPECT_FALSE(end.next) << "the same stream goes on";
  const auto& items = std::get<Replace>(end.changes.at(0)).items;
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(items[0]->name(), "a");
  EXPECT_EQ(bench.reflector.last_version(), "100");
  EXPECT_EQ(bench.reflector.on_event(put("c", "101"), bench.now).changes.size(), 1u);
  EXPECT_EQ(bench.reflector.last_version(), "101");
}

TEST(Reflector, FallsBackToAListWhenInitialEventsAreRefused) {
  for (const Error& refusal : {kInvalid, kInternal, kNotFound, Error{.code = Code::Forbidden}}) {
    Bench bench(StartMode::WatchList);
    bench.reflector.start(bench.now);
    const Reaction reaction = bench.closed(refusal);
    EXPECT_EQ(bench.list(reaction).resource_version, "0");
    EXPECT_EQ(reaction.incidents, std::vector{Incident::FellBackToList});
  }
}

TEST(Reflector, PassingTroubleBeforeTheSyncIsWaitedOut) {
  for (const Error& trouble : {kBusy, network_error(NetworkFailure::NotSent, "refused"),
                               network_error(NetworkFailure::Lost, "reset")}) {
    Bench bench(StartMode::WatchList);
    bench.reflector.start(bench.now);
    const Reaction reaction = bench.after_wait(bench.closed(trouble));
    EXPECT_EQ(bench.watch(reaction).initial_events, InitialEvents::Yes);
  }
}

TEST(Reflector, AStreamThatEndsBeforeTheInitialEventsDoStartsOver) {
  Bench bench(StartMode::WatchList);
  bench.reflector.start(bench.now);
  bench.reflector.on_event(put("a", "5"), bench.now);
  const Reaction again = bench.after_wait(bench.reflector.on_watch_closed({}, bench.now));
  EXPECT_EQ(bench.watch(again).initial_events, InitialEvents::Yes);
  const Reaction end = bench.reflector.on_event(initial_end("9"), bench.now);
  EXPECT_TRUE(std::get<Replace>(end.changes.at(0)).items.empty()) << "nothing of the first try";
}

TEST(Reflector, EventsMoveTheVersionAndBookmarksOnlyTheVersion) {
  Bench bench(StartMode::List);
  bench.sync();
  EXPECT_EQ(bench.reflector.on_event(put("b", "11"), bench.now).changes.size(), 1u);
  const Reaction removed = bench.reflector.on_event(deleted("a", "12"), bench.now);
  EXPECT_TRUE(std::holds_alternative<Remove>(removed.changes.at(0)));
  EXPECT_TRUE(bench.reflector.on_event(bookmark("20"), bench.now).changes.empty());
  EXPECT_EQ(bench.reflector.last_version(), "20");
  bench.reflector.on_event(bookmark("15"), bench.now);
  EXPECT_EQ(bench.reflector.last_version(), "20") << "never back";
}

TEST(Reflector, ACleanCloseIsFollowedAtOnceByTheNextWatch) {
  Bench bench(StartMode::List);
  bench.sync();
  bench.now += 5min;
  EXPECT_EQ(bench.watch(bench.reflector.on_watch_closed({}, bench.now)).resource_version, "10");
}

TEST(Reflector, AUselessWatchCostsADelay) {
  Bench bench(StartMode::List);
  bench.sync();
  const Reaction useless = bench.reflector.on_watch_closed({}, bench.now + 999ms);
  EXPECT_TRUE(std::holds_alternative<WaitUntil>(*useless.next));
  EXPECT_EQ(bench.watch(bench.after_wait(useless)).resource_version, "10");

  Bench busy(StartMode::List);
  busy.sync();
  busy.reflector.on_event(put("b", "11"), busy.now);
  EXPECT_EQ(busy.watch(busy.reflector.on_watch_closed({}, busy.now)).resource_version, "11");
}

TEST(Reflector, AForgottenVersionMeansAListFromTheLastVersionFirst) {
  Bench bench(StartMode::List);
  bench.sync();
  const Reaction reaction = bench.reflector.on_event(kExpired, bench.now);
  EXPECT_EQ(reaction.incidents, std::vector{Incident::VersionTooOld});
  const Reaction relist = bench.after_wait(reaction);
  EXPECT_EQ(bench.list(relist), (ListOptions{.resource_version = "10", .limit = 0}));
  const Reaction newest = bench.reflector.on_list_failed(kExpired, bench.now);
  EXPECT_EQ(bench.list(newest), (ListOptions{.resource_version = "", .limit = 500}))
      << "at once, with the newest";
  const Reaction third = bench.reflector.on_list_failed(kExpired, bench.now);
  EXPECT_TRUE(std::holds_alternative<WaitUntil>(*third.next)) << "no tight loop";
}

TEST(Reflector, TroubleOnAWatchDoesNotCostAList) {
  for (const Error& trouble : {kBusy, kInternal, network_error(NetworkFailure::NotSent, "refused"),
                               network_error(NetworkFailure::Lost, "reset")}) {
    Bench bench(StartMode::List);
    bench.sync();
    EXPECT_EQ(bench.watch(bench.after_wait(bench.closed(trouble))).resource_version, "10");
  }
}

TEST(Reflector, InternalErrorsThatDoNotEndLeadToAList) {
  Bench bench(StartMode::List);
  bench.sync();
  bench.after_wait(bench.closed(kInternal));
  bench.now += 10s;
  EXPECT_EQ(bench.list(bench.after_wait(bench.closed(kInternal))).resource_version, "10");
}

TEST(Reflector, InternalErrorsWithLifeBetweenThemAreNotOneLongTrouble) {
  for (const StreamEvent& life : {put("b", "11"), bookmark("11")}) {
    Bench bench(StartMode::List);
    bench.sync();
    bench.after_wait(bench.closed(kInternal));
    bench.reflector.on_event(life, bench.now);
    bench.now += 1h;
    const Reaction reaction = bench.after_wait(bench.closed(kInternal));
    EXPECT_EQ(bench.watch(reaction).resource_version, "11");
  }
}

TEST(Reflector, OtherErrorsLeadToAList) {
  Bench bench(StartMode::List);
  bench.sync();
  EXPECT_EQ(bench.list(bench.after_wait(bench.closed(kNotFound))).resource_version, "10");
}

TEST(Reflector, DelaysGrowAndRespectTheServersWish) {
  Bench bench(StartMode::List);
  bench.reflector.start(bench.now);
  Duration longest{};
  for (int i = 0; i < 10; ++i) {
    const Reaction failed = bench.reflector.on_list_failed(kInternal, bench.now);
    longest = std::max(longest, std::get<WaitUntil>(*failed.next).when - bench.now);
    bench.after_wait(failed);
  }
  EXPECT_GE(longest, 30s);
  EXPECT_LT(longest, 60s);
  const Error wish{.code = Code::TooManyRequests, .retry_after = 100s};
  const Reaction failed = bench.reflector.on_list_failed(wish, bench.now);
  EXPECT_EQ(std::get<WaitUntil>(*failed.next).when - bench.now, 100s);
}

TEST(Reflector, PagesThatExpireAreReadAgainInOnePiece) {
  Bench bench(StartMode::List);
  bench.reflector.start(bench.now);
  bench.reflector.on_page(
      {.items = {object("a", "5")}, .resource_version = "10", .continue_token = "t"}, bench.now);
  const Reaction whole = bench.reflector.on_list_failed(kExpired, bench.now);
  EXPECT_EQ(bench.list(whole), (ListOptions{.resource_version = "0", .limit = 0}));
  const Reaction done = bench.reflector.on_page({.resource_version = "12"}, bench.now);
  EXPECT_TRUE(std::get<Replace>(done.changes.at(0)).items.empty()) << "no leftovers";
}

TEST(Reflector, AnOlderStateIsNotTakenUntilTheServerInsists) {
  Bench bench(StartMode::List);
  bench.sync();
  Reaction reaction = bench.after_wait(bench.closed(kNotFound));
  for (int i = 1; i < 5; ++i) {
    reaction = bench.reflector.on_page({.resource_version = "9"}, bench.now);
    EXPECT_TRUE(reaction.changes.empty()) << i;
    EXPECT_EQ(reaction.incidents, std::vector{Incident::ServerIsBehind});
    reaction = bench.after_wait(reaction);
    EXPECT_EQ(bench.list(reaction).resource_version, "") << "asks for the newest";
  }
  reaction = bench.reflector.on_page({.resource_version = "9"}, bench.now);
  EXPECT_EQ(reaction.incidents, std::vector{Incident::ServerWasReset});
  EXPECT_EQ(std::get<Replace>(reaction.changes.at(0)).reason, Replace::Reason::ServerReset);
  EXPECT_EQ(bench.reflector.last_version(), "9");
}

TEST(Reflector, AServerThatCatchesUpIsNeverTakenAsReset) {
  Bench bench(StartMode::WatchList);
  bench.sync();
  Reaction reaction = bench.after_wait(bench.closed(kExpired));
  EXPECT_EQ(bench.watch(reaction).resource_version, "10");
  reaction = bench.reflector.on_event(kTooLarge, bench.now);
  EXPECT_EQ(bench.watch(reaction).resource_version, "") << "at once, with the newest";
  reaction = bench.after_wait(bench.reflector.on_event(initial_end("8"), bench.now));
  EXPECT_EQ(bench.watch(reaction).initial_events, InitialEvents::Yes);
  reaction = bench.reflector.on_event(initial_end("11"), bench.now);
  EXPECT_EQ(std::get<Replace>(reaction.changes.at(0)).reason, Replace::Reason::Synced);
}

TEST(Reflector, AWatchThatGoesBackInTimeIsAbandoned) {
  Bench bench(StartMode::List);
  bench.sync();
  const Reaction reaction = bench.reflector.on_event(put("b", "9"), bench.now);
  EXPECT_TRUE(reaction.changes.empty());
  EXPECT_EQ(reaction.incidents, std::vector{Incident::EventOutOfOrder});
  EXPECT_EQ(bench.list(bench.after_wait(reaction)).resource_version, "10");
}

TEST(Reflector, ASilentWatchIsRestartedThenListedOnceBookmarksAreExpected) {
  Bench bench(StartMode::List);
  bench.sync();
  EXPECT_GT(*bench.reflector.deadline(), bench.now + 150s) << "no bookmark seen yet";
  bench.reflector.on_event(bookmark("11"), bench.now);
  EXPECT_EQ(bench.reflector.deadline(), bench.now + 150s);
  EXPECT_FALSE(bench.reflector.on_time(bench.now + 149s).next);

  bench.now += 150s;
  const Reaction first = bench.reflector.on_time(bench.now);
  EXPECT_EQ(first.incidents, std::vector{Incident::WatchIdle});
  EXPECT_EQ(bench.watch(first).resource_version, "11");
  bench.now += 150s;
  const Reaction second = bench.after_wait(bench.reflector.on_time(bench.now));
  EXPECT_EQ(bench.list(second).resource_version, "11") << "a reset server would stay silent";
}

TEST(Reflector, AStateThatStopsComingIsAskedForAnew) {
  Bench bench(StartMode::WatchList);
  bench.reflector.start(bench.now);
  bench.reflector.on_watch_opened(bench.now);
  bench.now += 100s;
  bench.reflector.on_event(put("a", "5"), bench.now);
  EXPECT_EQ(bench.reflector.deadline(), bench.now + 150s);
  bench.now += 150s;
  const Reaction silent = bench.reflector.on_time(bench.now);
  EXPECT_EQ(silent.incidents, std::vector{Incident::WatchIdle});
  EXPECT_EQ(bench.watch(bench.after_wait(silent)).initial_events, InitialEvents::Yes);
}

TEST(Reflector, AWatchThatOutlivesItsTimeIsRestarted) {
  Bench bench(StartMode::List);
  bench.sync();
  bench.now += 11min;
  EXPECT_EQ(bench.watch(bench.reflector.on_time(bench.now)).resource_version, "10");
}

TEST(Reflector, WhatComesLateFromAnAbandonedStreamIsIgnored) {
  Bench bench(StartMode::List);
  bench.sync();
  bench.closed(kBusy);
  EXPECT_FALSE(bench.reflector.on_event(put("x", "99"), bench.now).next);
  EXPECT_FALSE(bench.reflector.on_watch_closed({}, bench.now).next);
  EXPECT_FALSE(bench.reflector.on_page({}, bench.now).next);
  EXPECT_FALSE(bench.reflector.on_list_failed(kBusy, bench.now).next);
  EXPECT_EQ(bench.reflector.last_version(), "10");
}

TEST(Reflector, ReadsEventsOfTheWire) {
  const auto read = [](WatchEvent::Type type, json::Value body) {
    return read_event({.type = type, .object = std::move(body)}, Projection::everything());
  };
  const auto end = read(WatchEvent::Type::Bookmark, testing::initial_events_end_at(7));
  EXPECT_TRUE(std::get<Bookmark>(*end).ends_initial_events);
  EXPECT_EQ(std::get<Bookmark>(*end).resource_version, "7");
  const auto mark = read(WatchEvent::Type::Bookmark, testing::bookmark_at(8));
  EXPECT_FALSE(std::get<Bookmark>(*mark).ends_initial_events);
  const auto error = read(WatchEvent::Type::Error, testing::expired_status());
  EXPECT_TRUE(is_expired(std::get<Error>(*error)));
  EXPECT_FALSE(read(WatchEvent::Type::Added, json::Value::object({})).ok());
}

TEST(Reflector, EveryIncidentHasAName) {
  for (int i = 0; i <= static_cast<int>(Incident::ContinueExpired); ++i) {
    EXPECT_NE(incident_name(static_cast<Incident>(i)), "");
  }
}

}  // namespace
}  // namespace berth::client
