#include "client/informer.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "client/errors.h"
#include "client/testing/model_store.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using testing::ModelStore;

// A server that answers the informer's steps, well or badly, as a generator of numbers decides. It
// holds every delta against the history, so that a lost, doubled or reordered event is noticed at
// once.
class Trial {
 public:
  Trial(StartMode mode, std::uint64_t seed)
      : random_(seed), informer_({.start = mode}, {}, Random(seed + 1)) {
    for (int i = 0; i < 5; ++i) mutate();
    take(informer_.start(now_), Source::Live);
  }

  void disturb(int steps) {
    for (int i = 0; i < steps; ++i) {
      if (random_.chance(0.4)) mutate();
      if (random_.chance(0.1)) {
        server_.compact(random_.between(server_.compacted(), server_.revision()));
      }
      random_.chance(0.3) ? hurt() : serve();
    }
  }

  // The server behaves from now on: everything must come right.
  void settle() {
    for (int i = 0; i < 2000 && !settled(); ++i) serve();
    ASSERT_TRUE(settled()) << "stuck at version " << informer_.reflector().last_version();
    ASSERT_EQ(informer_.store().size(), server_.state().size());
    for (const auto& [name, body] : server_.state()) {
      const ObjectPtr cached = informer_.store().find({"default", name});
      ASSERT_TRUE(cached) << name;
      ASSERT_EQ(cached->body(), body);
      ASSERT_EQ(shadow_.at(name), cached);
    }
    ASSERT_EQ(shadow_.size(), server_.state().size());
  }

  void restore_backup() {
    if (server_.revision() <= 101) return;
    server_.restore(random_.between(101, server_.revision() - 1));
    // The process that lost its newest state cannot have kept its connections.
    if (stream_) break_stream(network_error(NetworkFailure::Lost, "restart"));
  }

  const std::vector<Incident>& incidents() const { return incidents_; }

 private:
  enum class Source { Live, Replaced };

  void mutate() {
    const std::string name(1, static_cast<char>('a' + random_.below(6)));
    random_.chance(0.3) ? server_.erase(name) : server_.put(name);
  }

  bool settled() const {
    return informer_.has_synced() && stream_ && !stream_->initial &&
           informer_.reflector().last_version() == std::to_string(server_.revision());
  }

  // One good deed: the answer, the event or the moment that the informer waits for.
  void serve() {
    now_ += 10ms;
    if (const auto* wait = std::get_if<WaitUntil>(&doing_)) {
      now_ = std::max(now_, wait->when);
      take(informer_.on_time(now_), Source::Live);
    } else if (const auto* list = std::get_if<ListOptions>(&doing_)) {
      answer_list(ListOptions(*list));
    } else if (!stream_) {
      open_stream(std::get<WatchOptions>(doing_));
    } else if (stream_->initial) {
      continue_initial();
    } else if (stream_->at < server_.compacted()) {
      // As a server does with a watcher that it can no longer serve.
      deliver({WatchEvent::Type::Error, testing::expired_status()});
    } else if (const auto* change = server_.after(stream_->at)) {
      stream_->at = change->revision;
      deliver(change->event);
    } else if (random_.chance(0.5)) {
      deliver({WatchEvent::Type::Bookmark, testing::bookmark_at(stream_->at)});
    } else {
      close_stream({});  // Its time was up.
    }
  }

  void answer_list(const ListOptions& options) {
    const std::int64_t asked = version_of(options.resource_version);
    if (asked > server_.revision()) {
      return take(informer_.on_list_failed(error_of_status(testing::too_large_status()), now_),
                  Source::Live);
    }
    // Pages of two, with a token that says where to go on and of which revision.
    if (options.continue_token.empty()) page_revision_ = server_.revision();
    if (page_revision_ < server_.compacted() || page_revision_ > server_.revision()) {
      return take(informer_.on_list_failed(error_of_status(testing::expired_status()), now_),
                  Source::Live);
    }
    if (options.continue_token.empty()) page_state_ = server_.state();
    ListPage page{.resource_version = std::to_string(page_revision_)};
    auto item = page_state_.upper_bound(options.continue_token);
    for (; item != page_state_.end(); ++item) {
      if (options.limit > 0 && page.items.size() == 2) {
        page.continue_token = std::string(page.items.back()->name());
        break;
      }
      page.items.push_back(make_object(item->second, Projection::everything()).value());
    }
    take(informer_.on_page(std::move(page), now_), Source::Replaced);
  }

  void open_stream(const WatchOptions& options) {
    const std::int64_t asked = version_of(options.resource_version);
    const bool initial = options.initial_events == InitialEvents::Yes;
    stream_ = Stream{.at = initial ? server_.revision() : asked, .initial = initial};
    if (initial && asked > server_.revision()) {
      return deliver({WatchEvent::Type::Error, testing::too_large_status()});
    }
    if (!initial && asked < server_.compacted()) {
      return deliver({WatchEvent::Type::Error, testing::expired_status()});
    }
    if (!initial && asked > server_.revision()) {
      stream_ = std::nullopt;  // A real server stays silent; the watchdog has to notice.
      now_ = *informer_.reflector().deadline();
      return take(informer_.on_time(now_), Source::Live);
    }
    if (initial) {
      for (const auto& [name, body] : server_.state()) stream_->backlog.push_back(body);
    }
    take(informer_.on_watch_opened(now_), Source::Live);
  }

  void continue_initial() {
    if (!stream_->backlog.empty()) {
      const std::size_t pick = random_.below(stream_->backlog.size());
      json::Value body = stream_->backlog[pick];
      stream_->backlog.erase(stream_->backlog.begin() + static_cast<std::ptrdiff_t>(pick));
      return deliver({WatchEvent::Type::Added, std::move(body)});
    }
    stream_->initial = false;
    deliver({WatchEvent::Type::Bookmark, testing::initial_events_end_at(stream_->at)},
            Source::Replaced);
  }

  // One bad deed.
  void hurt() {
    const Error troubles[] = {
        network_error(NetworkFailure::NotSent, "refused"),
        network_error(NetworkFailure::Lost, "reset"),
        error_of_status(testing::expired_status()),
        {.code = Code::TooManyRequests, .retry_after = 1s},
        {.code = Code::InternalError},
        {.code = Code::NotFound},
        {.code = Code::Unauthorized},
        {.code = Code::Invalid},
    };
    const Error& trouble = troubles[random_.below(std::size(troubles))];
    if (std::holds_alternative<ListOptions>(doing_)) {
      take(informer_.on_list_failed(trouble, now_), Source::Live);
    } else if (std::holds_alternative<WatchOptions>(doing_)) {
      random_.chance(0.2) ? close_stream({}) : close_stream(failure(trouble));
    }
  }

  void close_stream(const Status& why) {
    stream_ = std::nullopt;
    take(informer_.on_watch_closed(why, now_), Source::Live);
  }
  void break_stream(const Error& why) { close_stream(failure(why)); }

  void deliver(WatchEvent event, Source source = Source::Live) {
    auto read = read_event(std::move(event), Projection::everything());
    ASSERT_TRUE(read.ok());
    take(informer_.on_event(std::move(*read), now_), source);
  }

  void take(InformerReaction reaction, Source source) {
    if (reaction.next) {
      doing_ = *reaction.next;
      stream_ = std::nullopt;
    }
    for (const Incident incident : reaction.incidents) incidents_.push_back(incident);
    const bool reset = std::ranges::count(reaction.incidents, Incident::ServerWasReset) > 0;
    if (source == Source::Live) {
      check_gapless(reaction.deltas);
    } else if (informer_.has_synced()) {
      expected_ = version_of(informer_.reflector().last_version()) + 1;
    }
    for (const Delta& delta : reaction.deltas) follow(delta, reset);
  }

  // Every change of the history exactly once, in order, across all reconnects.
  void check_gapless(const std::vector<Delta>& deltas) {
    if (deltas.empty()) return;
    ASSERT_EQ(version_of(deltas.back().object().resource_version()), expected_);
    ++expected_;
  }

  // What a handler that keeps its own copy would see.
  void follow(const Delta& delta, bool reset) {
    const std::string name(delta.object().name());
    const auto known = shadow_.find(name);
    if (delta.type == Delta::Type::Added) {
      ASSERT_EQ(known, shadow_.end()) << name << " added twice";
    } else {
      ASSERT_NE(known, shadow_.end()) << name << " was never added";
      ASSERT_EQ(known->second->uid(), delta.before->uid());
    }
    if (delta.type == Delta::Type::Updated) {
      ASSERT_EQ(known->second, delta.before);
      if (!reset) {
        ASSERT_LT(version_of(delta.before->resource_version()),
                  version_of(delta.after->resource_version()));
      }
    }
    if (delta.type == Delta::Type::Deleted) {
      shadow_.erase(name);
    } else {
      shadow_[name] = delta.after;
    }
  }

  static std::int64_t version_of(std::string_view text) {
    return text.empty() ? 0 : std::stoll(std::string(text));
  }

  struct Stream {
    std::int64_t at;  // The revision up to which it has delivered.
    bool initial = false;
    std::vector<json::Value> backlog = {};
  };

  Random random_;
  ModelStore server_;
  Informer informer_;
  Instant now_{1h};
  Step doing_;
  std::optional<Stream> stream_;
  std::int64_t page_revision_ = 0;
  ModelStore::State page_state_;
  std::int64_t expected_ = 0;
  std::map<std::string, ObjectPtr> shadow_;
  std::vector<Incident> incidents_;
};

class InformerTrial : public ::testing::TestWithParam<StartMode> {};

TEST_P(InformerTrial, ConvergesWithoutLosingOrDoublingAnEventWhateverHappens) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Trial trial(GetParam(), seed);
    trial.disturb(150);
    trial.settle();
    if (HasFatalFailure()) return;
  }
}

TEST_P(InformerTrial, AcceptsAServerThatWasRestoredFromABackupAndSaysSo) {
  int resets = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Trial trial(GetParam(), seed);
    trial.disturb(60);
    trial.settle();
    trial.restore_backup();
    trial.settle();
    if (HasFatalFailure()) return;
    resets += std::ranges::count(trial.incidents(), Incident::ServerWasReset) > 0 ? 1 : 0;
  }
  EXPECT_GT(resets, 90);
}

INSTANTIATE_TEST_SUITE_P(Modes, InformerTrial,
                         ::testing::Values(StartMode::WatchList, StartMode::List));

ObjectPtr object(std::string_view name, std::string_view version, std::string_view uid = "u") {
  json::Value body;
  body["metadata"]["name"] = name;
  body["metadata"]["uid"] = uid;
  body["metadata"]["resourceVersion"] = version;
  return make_object(std::move(body), Projection::everything()).value();
}

class InformerCase : public ::testing::Test {
 protected:
  InformerReaction listed(std::vector<ObjectPtr> items, std::string version) {
    return informer_.on_page({.items = std::move(items), .resource_version = std::move(version)},
                             now_);
  }
  InformerReaction event(ObjectChanged::Type type, ObjectPtr changed) {
    return informer_.on_event(ObjectChanged{type, std::move(changed)}, now_);
  }
  void relist() {
    const auto wait =
        informer_.on_watch_closed(failure(Error{.code = Code::Expired}), now_).next.value();
    now_ = std::get<WaitUntil>(wait).when;
    informer_.on_time(now_);
  }

  Informer informer_{{.start = StartMode::List}, {}, Random(1)};
  Instant now_{};
};

TEST_F(InformerCase, IsSyncedOnceTheWholeFirstStateIsThere) {
  informer_.start(now_);
  EXPECT_FALSE(informer_.has_synced());
  EXPECT_TRUE(informer_.replay().empty());
  const InformerReaction reaction = listed({object("a", "5"), object("b", "6")}, "10");
  EXPECT_TRUE(informer_.has_synced());
  ASSERT_EQ(reaction.deltas.size(), 2u);
  EXPECT_EQ(reaction.deltas[0].type, Delta::Type::Added);
  EXPECT_TRUE(reaction.deltas[0].in_initial_list);
  EXPECT_EQ(informer_.replay().size(), 2u);
  const auto later = event(ObjectChanged::Type::Put, object("c", "11"));
  EXPECT_FALSE(later.deltas.at(0).in_initial_list);
}

TEST_F(InformerCase, ARelistTellsTheDifferenceOnly) {
  informer_.start(now_);
  listed({object("same", "5"), object("changed", "6"), object("gone", "7")}, "10");
  relist();
  const auto reaction =
      listed({object("changed", "12"), object("new", "11"), object("same", "5")}, "20");
  ASSERT_EQ(reaction.deltas.size(), 3u);
  EXPECT_EQ(reaction.deltas[0].type, Delta::Type::Deleted);
  EXPECT_EQ(reaction.deltas[0].before->name(), "gone");
  EXPECT_TRUE(reaction.deltas[0].final_state_unknown);
  EXPECT_EQ(reaction.deltas[1].type, Delta::Type::Updated);
  EXPECT_EQ(reaction.deltas[1].before->resource_version(), "6");
  EXPECT_EQ(reaction.deltas[2].type, Delta::Type::Added);
  EXPECT_FALSE(reaction.deltas[2].in_initial_list);
}

TEST_F(InformerCase, AnObjectThatWasReplacedUnseenIsDeletedAndAdded) {
  informer_.start(now_);
  listed({object("a", "5", "first")}, "10");
  relist();
  const auto reaction = listed({object("a", "15", "second")}, "20");
  ASSERT_EQ(reaction.deltas.size(), 2u);
  EXPECT_EQ(reaction.deltas[0].type, Delta::Type::Deleted);
  EXPECT_EQ(reaction.deltas[0].before->uid(), "first");
  EXPECT_EQ(reaction.deltas[1].type, Delta::Type::Added);
  EXPECT_EQ(reaction.deltas[1].after->uid(), "second");
}

TEST_F(InformerCase, ADeletionShowsTheLastStateAndIsToldOnce) {
  informer_.start(now_);
  listed({object("a", "5")}, "10");
  const auto reaction = event(ObjectChanged::Type::Deleted, object("a", "11"));
  ASSERT_EQ(reaction.deltas.size(), 1u);
  EXPECT_EQ(reaction.deltas[0].before->resource_version(), "11");
  EXPECT_FALSE(reaction.deltas[0].final_state_unknown);
  EXPECT_TRUE(event(ObjectChanged::Type::Deleted, object("a", "12")).deltas.empty());
}

TEST_F(InformerCase, ARepeatedEventIsTakenOnce) {
  informer_.start(now_);
  listed({}, "10");
  EXPECT_EQ(event(ObjectChanged::Type::Put, object("a", "11")).deltas.size(), 1u);
  EXPECT_TRUE(event(ObjectChanged::Type::Put, object("a", "11")).deltas.empty());
}

TEST_F(InformerCase, KnowsWhetherAWriteIsVisibleYet) {
  informer_.start(now_);
  EXPECT_FALSE(informer_.has_reached("1"));
  listed({}, "10");
  EXPECT_TRUE(informer_.has_reached("10"));
  EXPECT_TRUE(informer_.has_reached("9"));
  EXPECT_FALSE(informer_.has_reached("11"));
  EXPECT_FALSE(informer_.has_reached("no number"));
  informer_.on_event(Bookmark{"100"}, now_);
  EXPECT_TRUE(informer_.has_reached("99"));
}

}  // namespace
}  // namespace berth::client
