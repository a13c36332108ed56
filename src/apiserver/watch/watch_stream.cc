#include "apiserver/watch/watch_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "apiserver/status_text.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kChunkBytes = 32 * 1024;
constexpr Duration kLastBookmark = std::chrono::seconds(2);  // Before the end.

}  // namespace

WatchStream::WatchStream(WatchHub& hub, WatchPlan plan, std::function<void()> wake, Instant now)
    : hub_(hub),
      plan_(std::move(plan)),
      wake_(std::move(wake)),
      initial_from_(plan_.selection.name.empty() ? plan_.selection.prefix : plan_.selection.name),
      now_(now),
      next_bookmark_(now + kBookmarkPeriod),
      ends_at_(now + plan_.length) {
  if (plan_.length > kLastBookmark) {
    next_bookmark_ = std::min(next_bookmark_, ends_at_ - kLastBookmark);
  }
  cursor_.emplace(hub_, plan_.table, plan_.selection, plan_.from, wake_);
}

http::Pull WatchStream::pull(std::span<char> room) {
  std::size_t written = 0;
  while (written < room.size()) {
    if (sent_ == buffer_.size() && !fill()) break;
    const std::size_t bytes = std::min(room.size() - written, buffer_.size() - sent_);
    std::memcpy(room.data() + written, buffer_.data() + sent_, bytes);
    sent_ += bytes;
    written += bytes;
  }
  const bool is_drained = sent_ == buffer_.size();
  if (is_drained) rest();
  if (is_drained && ended_) return {.bytes = written, .state = http::Pull::State::End};
  return {.bytes = written,
          .state = written == room.size() ? http::Pull::State::More : http::Pull::State::Waiting};
}

// Whether there is something to send.
bool WatchStream::fill() {
  buffer_.clear();
  sent_ = 0;
  if (ended_) return false;
  if (plan_.initial) fill_initial();
  if (!plan_.initial) fill_changes();
  return !buffer_.empty();
}

void WatchStream::fill_initial() {
  const store::Table& table = plan_.initial->table(plan_.table);
  bool is_complete = true;
  table.visit(initial_from_,
              [this, &is_complete](std::string_view name, const store::EntryPtr& entry) {
                if (!plan_.selection.covers(name)) return false;
                if (buffer_.size() >= kChunkBytes) {
                  initial_from_ = name;
                  is_complete = false;
                  return false;
                }
                if (matches(entry)) append_object(EventType::Added, entry->text);
                return true;
              });
  if (!is_complete) return;
  if (plan_.marks_initial_end) append_bookmark(plan_.from, true);
  plan_.initial = nullptr;
}

void WatchStream::fill_changes() {
  while (buffer_.size() < kChunkBytes) {
    if (cursor_->is_lost()) return fail_expired();
    const store::EntryChange* change = cursor_->next();
    if (!change) {
      append_bookmark_if_due();
      if (now_ >= ends_at_) ended_ = true;
      return;
    }
    append_change(*change);
  }
}

// Whoever selects sees objects come and go as their labels and fields change.
void WatchStream::append_change(const store::EntryChange& change) {
  const bool was = change.before && matches(change.before);
  const bool is = change.after && matches(change.after);
  if (is) {
    append_object(was ? EventType::Modified : EventType::Added, change.after->text);
  } else if (was) {
    append_object(EventType::Deleted, store::text_at(*change.before, change.revision));
  }
}

void WatchStream::append_object(EventType type, std::string_view stored) {
  begin_event(buffer_, type, stored.size());
  plan_.form->append_object(buffer_, stored);
  end_event(buffer_);
}

void WatchStream::append_bookmark(store::Revision revision, bool is_initial_end) {
  begin_event(buffer_, EventType::Bookmark, 0);
  plan_.form->append_bookmark(buffer_, revision, is_initial_end);
  end_event(buffer_);
}

// Only when everything before it was delivered.
void WatchStream::append_bookmark_if_due() {
  if (!plan_.wants_bookmarks || now_ < next_bookmark_) return;
  next_bookmark_ = now_ + kBookmarkPeriod;
  if (ends_at_ - kLastBookmark > now_) {
    next_bookmark_ = std::min(next_bookmark_, ends_at_ - kLastBookmark);
  }
  if (hub_.position() < plan_.from) return;
  append_bookmark(cursor_->position(), false);
}

bool WatchStream::matches(const store::EntryPtr& entry) {
  if (!plan_.selection.looks_inside()) return true;
  const json::Value* object = hub_.seen_objects().at(*entry);
  return object && plan_.selection.matches(*object);
}

void WatchStream::fail_expired() {
  const Error error{.code = Code::Expired,
                    .message = "too old resource version: the watch was read too slowly"};
  append_event(buffer_, EventType::Error, json::print(failure_status(error)));
  ended_ = true;
}

// There are thousands of watches, and most of them wait: they hold no memory meanwhile.
void WatchStream::rest() {
  buffer_ = {};
  sent_ = 0;
}

void WatchStream::on_time(Instant now) {
  now_ = now;
  const bool is_due = now >= ends_at_ || (plan_.wants_bookmarks && now >= next_bookmark_);
  if (is_due) wake_();
}

void WatchStream::end() {
  ends_at_ = now_;
  wake_();
}

}  // namespace berth::apiserver
