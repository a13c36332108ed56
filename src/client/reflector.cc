#include "client/reflector.h"

#include <algorithm>
#include <utility>

#include "client/errors.h"
#include "client/resource_version.h"

namespace berth::client {
namespace {

// How much later than asked for a server may end a watch before we do.
constexpr Duration kOverdue = std::chrono::seconds(30);

bool is_version_error(const Error& error) {
  return is_expired(error) || is_resource_version_too_large(error);
}

Incident incident_of(const Error& version_error) {
  return is_expired(version_error) ? Incident::VersionTooOld : Incident::VersionTooNew;
}

Reaction with_incident(Incident incident, Reaction reaction) {
  reaction.incidents.insert(reaction.incidents.begin(), incident);
  return reaction;
}

}  // namespace

std::string_view incident_name(Incident incident) {
  switch (incident) {
    case Incident::FellBackToList:
      return "fell_back_to_list";
    case Incident::VersionTooOld:
      return "version_too_old";
    case Incident::VersionTooNew:
      return "version_too_new";
    case Incident::ServerIsBehind:
      return "server_is_behind";
    case Incident::ServerWasReset:
      return "server_was_reset";
    case Incident::EventOutOfOrder:
      return "event_out_of_order";
    case Incident::WatchIdle:
      return "watch_idle";
    case Incident::ContinueExpired:
      return "continue_expired";
  }
  return "";
}

Reflector::Reflector(const ReflectorOptions& options, Random random)
    : options_(options), random_(random), backoff_(options.backoff) {}

Reaction Reflector::start(Instant now) {
  return options_.start == StartMode::WatchList ? begin_watch_list(now) : begin_list(now);
}

Reaction Reflector::begin_watch_list(Instant now) {
  phase_ = Phase::Collecting;
  pending_.clear();
  opened_ = now;
  answered_ = false;
  last_sign_ = now;
  events_ = 0;
  watch_ = {.resource_version = version_unavailable_ ? "" : last_version_,
            .initial_events = InitialEvents::Yes,
            .timeout = watch_timeout()};
  return {.next = watch_};
}

Reaction Reflector::begin_list(Instant now) {
  const std::string known = last_version_.empty() ? "0" : last_version_;
  const std::string version = version_unavailable_ ? "" : known;
  // A real version with a limit would mean "exactly that version", which is soon compacted away.
  const bool paged = version.empty() || version == "0";
  list_ = {.resource_version = version, .limit = paged ? options_.page_size : 0};
  return list_again(now);
}

Reaction Reflector::list_again(Instant now) {
  phase_ = Phase::Listing;
  if (list_.continue_token.empty()) pending_.clear();
  opened_ = now;
  return {.next = list_};
}

Reaction Reflector::begin_watch(Instant now) {
  phase_ = Phase::Watching;
  opened_ = now;
  answered_ = false;
  last_sign_ = now;
  events_ = 0;
  watch_ = {.resource_version = last_version_, .timeout = watch_timeout()};
  return {.next = watch_};
}

Reaction Reflector::wait_then(Then then, const Error* error, Instant now) {
  phase_ = Phase::Waiting;
  after_wait_ = then;
  pending_.clear();
  Duration delay = backoff_.next(now, random_);
  if (error && error->retry_after) delay = std::max(delay, *error->retry_after);
  return {.next = WaitUntil{now + delay}};
}

Reaction Reflector::on_page(ListPage page, Instant now) {
  if (phase_ != Phase::Listing) return {};
  for (ObjectPtr& item : page.items) {
    // A key twice can only come from pages of different states; the later one is newer.
    pending_.erase(item);
    pending_.insert(std::move(item));
  }
  if (!page.continue_token.empty()) {
    list_.continue_token = std::move(page.continue_token);
    return list_again(now);
  }
  return on_complete(std::move(page.resource_version), now);
}

// A whole state is there: take it, unless it is older than what we already know.
Reaction Reflector::on_complete(std::string version, Instant now) {
  const bool older = is_older(version, last_version_);
  if (older && ++older_in_a_row_ < options_.older_max) {
    // A replica that lags, or a server restored from a backup? Ask for the newest state and see.
    version_unavailable_ = true;
    return with_incident(Incident::ServerIsBehind, wait_then(Then::Start, nullptr, now));
  }
  older_in_a_row_ = 0;
  version_unavailable_ = false;
  last_version_ = std::move(version);
  internal_errors_since_ = std::nullopt;
  const auto reason = older ? Replace::Reason::ServerReset : Replace::Reason::Synced;
  Replace replace{.items = {pending_.begin(), pending_.end()}, .reason = reason};
  pending_.clear();

  Reaction reaction;
  if (phase_ == Phase::Listing) reaction = begin_watch(now);
  phase_ = Phase::Watching;
  if (older) reaction.incidents.push_back(Incident::ServerWasReset);
  reaction.changes.push_back(std::move(replace));
  return reaction;
}

Reaction Reflector::on_list_failed(const Error& error, Instant now) {
  if (phase_ != Phase::Listing) return {};
  if (is_expired(error) && !list_.continue_token.empty()) {
    list_.continue_token.clear();
    list_.limit = 0;
    return with_incident(Incident::ContinueExpired, list_again(now));
  }
  if (is_version_error(error) && !version_unavailable_) {
    version_unavailable_ = true;
    return with_incident(incident_of(error), begin_list(now));
  }
  return wait_then(Then::Start, &error, now);
}

Reaction Reflector::on_watch_opened(Instant now) {
  answered_ = true;
  last_sign_ = now;
  return {};
}

Reaction Reflector::on_event(StreamEvent event, Instant now) {
  if (phase_ != Phase::Collecting && phase_ != Phase::Watching) return {};
  if (const auto* error = std::get_if<Error>(&event)) return on_watch_closed(failure(*error), now);
  last_sign_ = now;
  ++events_;
  idle_in_a_row_ = 0;
  if (const auto* bookmark = std::get_if<Bookmark>(&event)) return on_bookmark(*bookmark, now);
  return on_changed(std::move(std::get<ObjectChanged>(event)), now);
}

Reaction Reflector::on_bookmark(const Bookmark& bookmark, Instant now) {
  bookmarks_seen_ = true;
  if (phase_ == Phase::Collecting) {
    if (!bookmark.ends_initial_events) return {};
    return on_complete(bookmark.resource_version, now);
  }
  internal_errors_since_ = std::nullopt;
  if (!bookmark.resource_version.empty() && !is_older(bookmark.resource_version, last_version_)) {
    last_version_ = bookmark.resource_version;
  }
  return {};
}

Reaction Reflector::on_changed(ObjectChanged change, Instant now) {
  const bool deleted = change.type == ObjectChanged::Type::Deleted;
  if (phase_ == Phase::Collecting) {
    // The versions of initial events come in no order: they say nothing about progress.
    pending_.erase(change.object);
    if (!deleted) pending_.insert(std::move(change.object));
    return {};
  }
  const std::string_view version = change.object->resource_version();
  if (is_older(version, last_version_)) {
    return with_incident(Incident::EventOutOfOrder, wait_then(Then::Start, nullptr, now));
  }
  internal_errors_since_ = std::nullopt;
  last_version_ = version;
  Reaction reaction;
  if (deleted) {
    reaction.changes.push_back(Remove{std::move(change.object)});
  } else {
    reaction.changes.push_back(Upsert{std::move(change.object)});
  }
  return reaction;
}

Reaction Reflector::on_watch_closed(const Status& why, Instant now) {
  if (phase_ == Phase::Collecting) {
    if (!why.ok()) return on_initial_error(why.error(), now);
    return wait_then(Then::Start, nullptr, now);
  }
  if (phase_ != Phase::Watching) return {};
  if (!why.ok()) return on_watch_error(why.error(), now);
  const bool useless = events_ == 0 && now - opened_ < options_.short_watch;
  return useless ? wait_then(Then::Watch, nullptr, now) : begin_watch(now);
}

Reaction Reflector::on_initial_error(const Error& error, Instant now) {
  if (is_version_error(error) && !version_unavailable_) {
    version_unavailable_ = true;
    return with_incident(incident_of(error), begin_watch_list(now));
  }
  const bool passing = is_too_many_requests(error) || network_failure(error) ||
                       is_version_error(error) || is_unauthorized(error);
  if (passing) return wait_then(Then::Start, &error, now);
  return with_incident(Incident::FellBackToList, begin_list(now));
}

Reaction Reflector::on_watch_error(const Error& error, Instant now) {
  if (is_version_error(error)) {
    return with_incident(incident_of(error), wait_then(Then::Start, &error, now));
  }
  if (is_too_many_requests(error) || network_failure(error)) {
    return wait_then(Then::Watch, &error, now);
  }
  if (error.code == Code::InternalError) {
    if (!internal_errors_since_) internal_errors_since_ = now;
    const bool patient = now - *internal_errors_since_ < options_.internal_error_grace;
    if (patient) return wait_then(Then::Watch, &error, now);
  }
  return wait_then(Then::Start, &error, now);
}

Reaction Reflector::on_time(Instant now) {
  if (phase_ == Phase::Waiting) {
    return after_wait_ == Then::Watch ? begin_watch(now) : start(now);
  }
  const auto suspect = deadline();
  if (!suspect || now < *suspect) return {};
  if (phase_ == Phase::Collecting) {
    return with_incident(Incident::WatchIdle, wait_then(Then::Start, nullptr, now));
  }
  // A server that was set back accepts a watch from its future and stays silent for ever; only a
  // list brings that to light.
  const bool again = ++idle_in_a_row_ >= 2;
  return with_incident(Incident::WatchIdle,
                       again ? wait_then(Then::Start, nullptr, now) : begin_watch(now));
}

std::optional<Instant> Reflector::deadline() const {
  if (phase_ != Phase::Collecting && phase_ != Phase::Watching) return std::nullopt;
  const Instant overdue = opened_ + watch_.timeout + kOverdue;
  // A state comes without pauses; after it, only bookmarks tell silence from a dead connection.
  const bool may_be_silent = phase_ == Phase::Watching && !bookmarks_seen_;
  return may_be_silent ? overdue : std::min(overdue, last_sign_ + options_.idle_max);
}

std::string_view Reflector::waits_for() const {
  switch (phase_) {
    case Phase::Stopped:
      return "the start";
    case Phase::Collecting:
      return answered_ ? "the end of the initial events" : "the server to accept the watch";
    case Phase::Listing:
      return list_.continue_token.empty() ? "the list" : "the next page of the list";
    case Phase::Watching:
      return answered_ ? "changes" : "the server to accept the watch";
    case Phase::Waiting:
      return "the next attempt";
  }
  return "";
}

Duration Reflector::watch_timeout() {
  const auto seconds = [](Duration length) {
    return std::chrono::duration_cast<std::chrono::seconds>(length).count();
  };
  return std::chrono::seconds(
      random_.between(seconds(options_.watch_min), seconds(options_.watch_max)));
}

Result<StreamEvent> read_event(WatchEvent event, const Projection& projection) {
  if (event.type == WatchEvent::Type::Error) return StreamEvent(error_of_status(event.object));
  if (event.type == WatchEvent::Type::Bookmark) {
    const json::Value* version = event.object.find_path({"metadata", "resourceVersion"});
    const json::Value* end =
        event.object.find_path({"metadata", "annotations", "k8s.io/initial-events-end"});
    return StreamEvent(
        Bookmark{.resource_version = std::string(version ? version->string_or_empty() : ""),
                 .ends_initial_events = end && end->string_or_empty() == "true"});
  }
  if (!event.is_projected) event.object = projection.apply(std::move(event.object));
  ASSIGN_OR_RETURN(ObjectPtr object, make_object(std::move(event.object)));
  const auto type = event.type == WatchEvent::Type::Deleted ? ObjectChanged::Type::Deleted
                                                            : ObjectChanged::Type::Put;
  return StreamEvent(ObjectChanged{.type = type, .object = std::move(object)});
}

}  // namespace berth::client
