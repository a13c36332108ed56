// Keeps a copy of one collection in step with the server: list, watch, and what to do when either
// fails. A state machine without I/O: its owner tells it what happened and does what it answers.
//
//            start                                       initial events end
//   Stopped ------> Collecting (watch with initial events) ----------> Watching
//                      |  other errors                                  ^ |  |
//                      v                 last page                      | |  | 410, other errors
//                   Listing -------------------------------------------+ |  v
//                      ^  410: again with ""       network, 429, closed  |  Waiting -> start again
//                      |                            Waiting -> watch <---+
//
// In every state an error leads to Waiting, with a delay that grows. The version that was reached
// never goes back, except when the server itself was set back: see Replace::Reason::ServerReset.

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "client/backoff.h"
#include "client/object.h"
#include "client/options.h"
#include "client/store.h"
#include "client/watch_decoder.h"

namespace berth::client {

enum class StartMode {
  WatchList,  // One stream brings the state, then the changes. Falls back to List.
  List,       // Pages of a list, then a watch.
};

struct ReflectorOptions {
  StartMode start = StartMode::WatchList;
  std::int64_t page_size = 500;
  BackoffPolicy backoff = {};
  Duration watch_min = std::chrono::minutes(5);    // The server ends a watch at a random moment
  Duration watch_max = std::chrono::minutes(10);   // in between; so they do not all end at once.
  Duration short_watch = std::chrono::seconds(1);  // A watch that brings nothing and ends sooner.
  Duration idle_max = std::chrono::seconds(150);   // Without event or bookmark: watch again.
  Duration internal_error_grace = std::chrono::seconds(10);  // Watch on before listing again.
  int older_max = 5;  // Lists older than what we have seen, before we believe the server.
};

// What to do next. The version and the paging are filled in, the selection is the owner's.
struct WaitUntil {
  Instant when;
  bool operator==(const WaitUntil&) const = default;
};
using Step = std::variant<ListOptions, WatchOptions, WaitUntil>;

// What changes in the cache.
struct Replace {  // The whole contents.
  enum class Reason : std::uint8_t { Synced, ServerReset };
  std::vector<ObjectPtr> items;  // Sorted by key, each key once.
  Reason reason = Reason::Synced;
};
struct Upsert {
  ObjectPtr object;
};
struct Remove {
  ObjectPtr object;  // Its last state, with the version of its removal.
};
using CacheChange = std::variant<Replace, Upsert, Remove>;

// What an operator may want to know; for logs and metrics.
enum class Incident : std::uint8_t {
  FellBackToList,   // The server cannot or will not send initial events.
  VersionTooOld,    // 410: the server forgot the version; everything is read again.
  VersionTooNew,    // The server does not know the version yet: it is behind, or was set back.
  ServerIsBehind,   // It showed a state older than what it had shown before. Not taken.
  ServerWasReset,   // It insisted on it: taken.
  EventOutOfOrder,  // A watch went back in time. The stream is not used any more.
  WatchIdle,        // Neither events nor bookmarks where both were due.
  ContinueExpired,  // A list took too long for its pages: read again in one piece.
};
std::string_view incident_name(Incident incident);

struct Reaction {
  std::vector<CacheChange> changes = {};
  // Present: abandon whatever is open and do this. Absent: go on with what is open.
  std::optional<Step> next = std::nullopt;
  std::vector<Incident> incidents = {};
};

struct ListPage {
  std::vector<ObjectPtr> items = {};
  std::string resource_version = {};
  std::string continue_token = {};
};

struct ObjectChanged {
  enum class Type : std::uint8_t { Put, Deleted };
  Type type;
  ObjectPtr object;
};
struct Bookmark {
  std::string resource_version;
  bool ends_initial_events = false;
};
using StreamEvent = std::variant<ObjectChanged, Bookmark, Error>;

// The meaning of an event of the wire. Fails on an object that cannot be cached: log it, skip it.
Result<StreamEvent> read_event(WatchEvent event, const Projection& projection);

class Reflector {
 public:
  Reflector(const ReflectorOptions& options, Random random);

  Reaction start(Instant now);
  Reaction on_page(ListPage page, Instant now);
  Reaction on_list_failed(const Error& error, Instant now);
  Reaction on_watch_opened(Instant now);  // The head of the answer is there.
  Reaction on_event(StreamEvent event, Instant now);
  Reaction on_watch_closed(const Status& why, Instant now);  // Ok: the server ended it.
  Reaction on_time(Instant now);  // At the moment of WaitUntil, and at deadline().

  // When an open watch becomes suspect. Moves with each event: ask again after each call.
  std::optional<Instant> deadline() const;

  // The version that the cache has reached; empty before the first sync.
  const std::string& last_version() const { return last_version_; }

  // How much of a state is here that is not complete yet, and what is missing: for messages.
  std::size_t collected() const { return pending_.size(); }
  std::string_view waits_for() const;

 private:
  enum class Phase : std::uint8_t { Stopped, Collecting, Listing, Watching, Waiting };
  enum class Then : std::uint8_t { Start, Watch };

  Reaction begin_watch_list(Instant now);
  Reaction begin_list(Instant now);
  Reaction list_again(Instant now);
  Reaction begin_watch(Instant now);
  Reaction wait_then(Then then, const Error* error, Instant now);

  Reaction on_initial_error(const Error& error, Instant now);
  Reaction on_watch_error(const Error& error, Instant now);
  Reaction on_changed(ObjectChanged change, Instant now);
  Reaction on_bookmark(const Bookmark& bookmark, Instant now);
  Reaction on_complete(std::string version, Instant now);
  Duration watch_timeout();

  ReflectorOptions options_;
  Random random_;
  Backoff backoff_;
  Phase phase_ = Phase::Stopped;
  Then after_wait_ = Then::Start;
  std::string last_version_ = {};
  bool version_unavailable_ = false;  // Ask for the newest instead of last_version_.
  ObjectSet pending_ = {};            // The state that is being collected, or the pages so far.
  ListOptions list_ = {};             // Of the page at hand.
  WatchOptions watch_ = {};
  Instant opened_{};
  bool answered_ = false;        // The server has accepted the open watch.
  Instant last_sign_{};          // Of life on the open watch.
  std::uint64_t events_ = 0;     // On the open watch, bookmarks included.
  bool bookmarks_seen_ = false;  // Ever: this server sends them.
  int idle_in_a_row_ = 0;
  int older_in_a_row_ = 0;
  std::optional<Instant> internal_errors_since_ = std::nullopt;
};

}  // namespace berth::client
