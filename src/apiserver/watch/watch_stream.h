// The body of a watch: first, if asked for, what there is; then what happens, as it happens.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/objects/selection.h"
#include "apiserver/watch/event_text.h"
#include "apiserver/watch/watch_hub.h"
#include "base/time.h"
#include "http/body.h"
#include "store/snapshot.h"

namespace berth::apiserver {

// How an object of the store looks to the one who watches it.
class EventForm {
 public:
  virtual ~EventForm() = default;

  // The object as it is to be sent; `stored` has its right resourceVersion.
  virtual void append_object(std::string& text, std::string_view stored) = 0;

  // {"kind":..,"apiVersion":..,"metadata":{"resourceVersion":..}} and, at the end of what there was
  // at first, the annotation that says so.
  virtual void append_bookmark(std::string& text, store::Revision revision,
                               bool is_initial_end) = 0;
};

struct WatchPlan {
  std::string table;
  Selection selection = {};
  std::unique_ptr<EventForm> form;
  store::Revision from = 0;  // Changes after this one are told.

  // What is there first, if it is to be told; its revision is `from`.
  store::SnapshotPtr initial = nullptr;
  bool marks_initial_end = false;
  bool wants_bookmarks = false;
  Duration length = std::chrono::minutes(30);  // The stream ends after so long.
  std::vector<std::string> warnings = {};      // Sent with the head of the answer.
};

inline constexpr Duration kBookmarkPeriod = std::chrono::seconds(60);

// Lives on the hub's loop. Pulled by the connection as fast as the client reads.
class WatchStream final : public http::BodySource {
 public:
  // `wake` tells the connection to pull again. `now` is the time of the start.
  WatchStream(WatchHub& hub, WatchPlan plan, std::function<void()> wake, Instant now);

  http::Pull pull(std::span<char> room) override;

  // Tells the time, about once a second: bookmarks and the end come from here.
  void on_time(Instant now);

  void end();  // In good order, at the next pull: the server stops.

 private:
  bool fill();
  void fill_initial();
  void fill_changes();
  void append_change(const store::EntryChange& change);
  void append_object(EventType type, std::string_view stored);
  void append_bookmark(store::Revision revision, bool is_initial_end);
  void append_bookmark_if_due();
  bool matches(const store::EntryPtr& entry);
  void fail_expired();
  void rest();

  WatchHub& hub_;
  WatchPlan plan_;
  std::function<void()> wake_;
  std::optional<WatchHub::Cursor> cursor_;
  std::string buffer_;
  std::size_t sent_ = 0;
  std::string initial_from_;  // The next name to look at.
  Instant now_;
  Instant next_bookmark_;
  Instant ends_at_;
  bool ended_ = false;
};

}  // namespace berth::apiserver
