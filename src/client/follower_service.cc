#include "client/follower_service.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "client/list_page.h"
#include "client/protobuf/plan.h"
#include "client/resource_version.h"

namespace berth::client {
namespace {

constexpr Duration kListTimeout = std::chrono::minutes(2);

// Of a server that is ahead of its own watches, the first ones will do.
constexpr std::size_t kDistancesMax = 8;

}  // namespace

Follower::Follower(const env::Env& env, Api& api, FollowerSpec spec, FollowerListener listener)
    : env_(env),
      api_(api),
      spec_(std::move(spec)),
      listener_(std::move(listener)),
      reflector_({}, Random(env::new_seed(env_.entropy))),
      protobuf_(protobuf::DecodingPlan::of(spec_.collection.resource, spec_.projection)) {
  react(reflector_.start(env_.clock.monotonic()));
  if (spec_.proof) begin_proof();
}

Follower::~Follower() { abandon(); }

void Follower::react(const Reaction& reaction) {
  for (const CacheChange& change : reaction.changes) tell(change);
  prove();
  if (reaction.next) proceed(*reaction.next);
  arm_deadline();
}

void Follower::tell(const CacheChange& change) {
  if (const auto* state = std::get_if<Replace>(&change)) {
    last_sign_ = std::max(last_sign_.value_or(asked_), asked_);
    distances_.clear();  // Versions of a server that was set back begin anew.
    synced_ = true;
    listener_.on_state(state->items);
  } else if (const auto* put = std::get_if<Upsert>(&change)) {
    listener_.on_put(*put->object);
  } else {
    listener_.on_removed(*std::get<Remove>(change).object);
  }
}

void Follower::proceed(const Step& step) {
  abandon();
  if (const auto* wait = std::get_if<WaitUntil>(&step)) {
    timer_ =
        env_.loop.at(wait->when, [this] { react(reflector_.on_time(env_.clock.monotonic())); });
  } else if (const auto* page = std::get_if<ListOptions>(&step)) {
    if (page->continue_token.empty()) asked_ = env_.clock.monotonic();
    list(*page);
  } else {
    WatchOptions options = std::get<WatchOptions>(step);
    options.selection = spec_.selection;
    if (options.initial_events == InitialEvents::Yes) asked_ = env_.clock.monotonic();
    call_ = api_.watch(spec_.collection, options, {.listener = this, .protobuf = protobuf_});
  }
}

void Follower::abandon() {
  timer_.cancel();
  if (call_) api_.cancel(*call_);
  call_ = std::nullopt;
  watching_ = false;
}

void Follower::begin_proof() {
  proof_ = env::after(env_.loop, env_.clock, spec_.proof->every, [this] {
    const Instant now = env_.clock.monotonic();
    const bool is_overdue =
        last_sign_ && now - std::max(*last_sign_, asked_) > spec_.proof->age_max;
    if (is_overdue) react(reflector_.start(now));
    ask_how_far();
    begin_proof();
  });
}

// One object of the list is enough: the version is the whole collection's.
void Follower::ask_how_far() {
  if (!synced_ || distances_.size() >= kDistancesMax) return;
  api_.call(list_request(spec_.collection, {.limit = 1}),
            {.timeout = spec_.proof->every, .retry = {.attempts_max = 1}},
            scope_.guard([this, asked = env_.clock.monotonic()](Result<json::Value> answer) {
              if (!answer.ok() || asked < asked_) return;
              const json::Value& metadata = api::field(*answer, "metadata");
              distances_.push_back(
                  {.asked = asked, .version = api::text_field(metadata, "resourceVersion")});
              prove();
            }));
}

void Follower::prove() {
  while (!distances_.empty()) {
    const Distance& next = distances_.front();
    const auto order = compare_versions(reflector_.last_version(), next.version);
    if (!order || *order < 0) return;
    last_sign_ = std::max(*last_sign_, next.asked);
    distances_.pop_front();
  }
}

void Follower::list(ListOptions options) {
  options.selection = spec_.selection;
  call_ = api_.call(list_request(spec_.collection, options),
                    {.timeout = kListTimeout, .retry = {.attempts_max = 1}},
                    scope_.guard([this](Result<json::Value> answer) {
                      call_ = std::nullopt;
                      on_page(std::move(answer));
                    }));
}

void Follower::on_page(Result<json::Value> answer) {
  const Instant now = env_.clock.monotonic();
  if (!answer.ok()) {
    complain(answer.error());
    return react(reflector_.on_list_failed(answer.error(), now));
  }
  ReadPage read = read_page(*std::move(answer), spec_.projection);
  for (const Error& error : read.skipped) {
    complain(error);
  }
  react(reflector_.on_page(std::move(read.page), now));
}

void Follower::on_opened() {
  trouble_.clear();
  watching_ = true;
  react(reflector_.on_watch_opened(env_.clock.monotonic()));
}

void Follower::on_events(std::vector<WatchEvent> events) {
  for (WatchEvent& event : events) {
    auto meaning = read_event(std::move(event), spec_.projection);
    if (!meaning.ok()) {
      complain(meaning.error());
      continue;
    }
    const Reaction reaction = reflector_.on_event(*std::move(meaning), env_.clock.monotonic());
    react(reaction);
    if (reaction.next) return;  // The rest of this stream does not count any more.
  }
}

void Follower::on_closed(const Status& why) {
  call_ = std::nullopt;
  watching_ = false;
  if (!why.ok()) {
    if (why.error().code == Code::NotAcceptable) protobuf_ = nullptr;
    complain(why.error());
  }
  react(reflector_.on_watch_closed(why, env_.clock.monotonic()));
}

void Follower::arm_deadline() {
  const auto deadline = reflector_.deadline();
  if (!deadline) return;  // Waiting, which has set the timer, or listing, which has its own.
  timer_ = env_.loop.at(*deadline, [this] { react(reflector_.on_time(env_.clock.monotonic())); });
}

// A lost connection is told of once by whoever holds it, not once per collection.
void Follower::complain(const Error& error) {
  if (trouble_ == error.message) return;
  trouble_ = error.message;
  const bool lost = network_failure(error).has_value();
  const std::string resource = spec_.collection.resource.text();
  const env::Fields fields = {{"resource", resource}, {"error", error.message}};
  lost ? env_.log.debug("follower.failed", fields) : env_.log.warn("follower.failed", fields);
}

}  // namespace berth::client
