#include "client/informer_service.h"

#include <utility>

#include "client/errors.h"
#include "client/list_page.h"

namespace berth::client {
namespace {

// So many deltas in one turn of the loop; others want their turn too.
constexpr std::size_t kBatch = 256;

// A page of large objects through a slow link takes its time.
constexpr Duration kListTimeout = std::chrono::minutes(2);

// After so long without a first state an operator hears of it, and again each time.
constexpr Duration kPatience = std::chrono::seconds(10);

}  // namespace

InformerService::InformerService(const env::Env& env, Api& api, InformerSpec spec)
    : env_(env),
      api_(api),
      spec_(std::move(spec)),
      informer_(spec_.reflector, spec_.indexes, Random(env::new_seed(env_.entropy))),
      protobuf_(spec_.wire == WireFormat::Compact
                    ? protobuf::DecodingPlan::of(spec_.collection.resource, spec_.projection)
                    : nullptr),
      metrics_(env_.metrics, {.resource = spec_.collection.resource.text(),
                              .host = api_.config().server.authority()}) {}

InformerService::~InformerService() { abandon(); }

void InformerService::start() {
  started_ = env_.clock.monotonic();
  arm_resync();
  arm_patience();
  react(informer_.start(started_));
}

void InformerService::react(InformerReaction reaction) {
  for (const Incident incident : reaction.incidents) note(incident);
  for (auto& [id, handler] : handlers_) {
    for (const Delta& delta : reaction.deltas) handler.queue.push_back(delta);
    if (has_synced() && !handler.synced && handler.until_synced == 0) {
      handler.until_synced = handler.queue.size();
      handler.synced = handler.queue.empty();
    }
    if (!handler.queue.empty()) schedule(id);
  }
  release_waiters();
  measure();
  if (reaction.next) follow(*reaction.next);
  arm_deadline();
}

void InformerService::follow(const Step& step) {
  abandon();
  if (const auto* wait = std::get_if<WaitUntil>(&step)) {
    timer_ = env_.loop.at(wait->when, [this] { react(informer_.on_time(env_.clock.monotonic())); });
  } else if (const auto* page = std::get_if<ListOptions>(&step)) {
    list(*page);
  } else {
    begin_watch(std::get<WatchOptions>(step));
  }
}

void InformerService::begin_watch(WatchOptions options) {
  options.selection = spec_.selection;
  request_began_ = env_.clock.monotonic();
  received_ = 0;
  watching_ = true;
  metrics_.watch_began();
  call_ = api_.watch(spec_.collection, options, {.listener = this, .protobuf = protobuf_});
}

void InformerService::end_watch() {
  if (!std::exchange(watching_, false)) return;
  metrics_.watch_ended(env_.clock.monotonic() - request_began_, received_);
}

void InformerService::abandon() {
  timer_.cancel();
  end_watch();
  if (call_) api_.cancel(*call_);
  call_ = std::nullopt;
}

void InformerService::list(const ListOptions& page) {
  ListOptions options = page;
  options.selection = spec_.selection;
  if (options.continue_token.empty()) {
    request_began_ = env_.clock.monotonic();
    received_ = 0;
  }
  // The reflector has delays of its own, for all informers alike.
  call_ = api_.call(list_request(spec_.collection, options),
                    {.timeout = kListTimeout, .retry = {.attempts_max = 1}},
                    scope_.guard([this](Result<json::Value> answer) {
                      call_ = std::nullopt;
                      on_page(std::move(answer));
                    }));
}

void InformerService::on_page(Result<json::Value> answer) {
  const Instant now = env_.clock.monotonic();
  if (!answer.ok()) {
    complain(answer.error());
    return react(informer_.on_list_failed(answer.error(), now));
  }
  ReadPage read = read_page(*std::move(answer), spec_.projection);
  for (const Error& error : read.skipped) {
    env_.log.warn("informer.object_skipped",
                  {{"resource", spec_.collection.resource.text()}, {"error", error.message}});
  }
  trouble_.clear();
  received_ += read.page.items.size();
  if (read.page.continue_token.empty()) metrics_.listed(now - request_began_, received_);
  react(informer_.on_page(std::move(read.page), now));
}

void InformerService::on_opened() {
  trouble_.clear();
  react(informer_.on_watch_opened(env_.clock.monotonic()));
}

void InformerService::on_events(std::vector<WatchEvent> events) {
  InformerReaction all;
  received_ += events.size();
  for (WatchEvent& event : events) {
    auto meaning = read_event(std::move(event), spec_.projection);
    if (!meaning.ok()) {
      env_.log.warn("informer.object_skipped", {{"resource", spec_.collection.resource.text()},
                                                {"error", meaning.error().message}});
      continue;
    }
    if (const auto* error = std::get_if<Error>(&*meaning)) complain(*error);
    InformerReaction one = informer_.on_event(*std::move(meaning), env_.clock.monotonic());
    all.deltas.insert(all.deltas.end(), std::make_move_iterator(one.deltas.begin()),
                      std::make_move_iterator(one.deltas.end()));
    all.incidents.insert(all.incidents.end(), one.incidents.begin(), one.incidents.end());
    all.next = std::move(one.next);
    if (all.next) break;  // The rest of this stream does not count any more.
  }
  react(std::move(all));
}

void InformerService::on_closed(const Status& why) {
  call_ = std::nullopt;
  end_watch();
  if (!why.ok()) {
    if (why.error().code == Code::NotAcceptable) distrust_protobuf(why.error());
    complain(why.error());
  }
  react(informer_.on_watch_closed(why, env_.clock.monotonic()));
}

void InformerService::arm_deadline() {
  const auto deadline = informer_.reflector().deadline();
  if (!deadline) return;  // Waiting, which has set the timer, or listing, which has its own.
  timer_ = env_.loop.at(*deadline, [this] { react(informer_.on_time(env_.clock.monotonic())); });
}

HandlerId InformerService::add_handler(DeltaHandler handler) {
  const HandlerId id = ++ids_;
  Handler& added = handlers_[id];
  added.handle = std::move(handler);
  for (Delta& delta : informer_.replay()) added.queue.push_back(std::move(delta));
  added.until_synced = added.queue.size();
  added.synced = has_synced() && added.queue.empty();
  if (!added.queue.empty()) schedule(id);
  return id;
}

void InformerService::remove_handler(HandlerId id) { handlers_.erase(id); }

bool InformerService::has_synced(HandlerId id) const {
  const auto found = handlers_.find(id);
  return found != handlers_.end() && found->second.synced;
}

void InformerService::schedule(HandlerId id) {
  Handler& handler = handlers_.at(id);
  if (handler.scheduled) return;
  handler.scheduled = true;
  env_.loop.post(scope_.guard([this, id] { deliver(id); }));
}

void InformerService::deliver(HandlerId id) {
  for (std::size_t i = 0; i < kBatch; ++i) {
    const auto found = handlers_.find(id);  // A handler may remove itself.
    if (found == handlers_.end()) return;
    Handler& handler = found->second;
    handler.scheduled = false;
    if (handler.queue.empty()) return measure();
    const Delta delta = std::move(handler.queue.front());
    handler.queue.pop_front();
    if (handler.until_synced > 0 && --handler.until_synced == 0) handler.synced = true;
    handler.handle(delta);
  }
  measure();
  if (handlers_.contains(id)) schedule(id);
}

void InformerService::measure() {
  std::size_t queued = 0;
  for (const auto& [id, handler] : handlers_) queued += handler.queue.size();
  metrics_.is_queueing(queued);
  metrics_.holds(store().size());
  if (has_synced()) metrics_.is_synced();
}

void InformerService::when_synced(env::Task task) { when_reached("", std::move(task)); }

void InformerService::when_reached(std::string resource_version, env::Task task) {
  waiters_.emplace_back(std::move(resource_version), std::move(task));
  release_waiters();
}

void InformerService::release_waiters() {
  if (!has_synced()) return;
  auto waiters = std::exchange(waiters_, {});
  for (auto& [version, task] : waiters) {
    if (version.empty() || informer_.has_reached(version)) {
      env_.loop.post(scope_.guard(std::move(task)));
    } else {
      waiters_.emplace_back(std::move(version), std::move(task));
    }
  }
}

// Nothing works without a first state, and somebody is waiting for it: say what holds it up.
void InformerService::arm_patience() {
  patience_ = env::after(env_.loop, env_.clock, kPatience, [this] {
    if (has_synced()) return;
    arm_patience();
    const Reflector& reflector = informer_.reflector();
    env_.log.warn("informer.still_syncing", {{"resource", spec_.collection.resource.text()},
                                             {"for", env_.clock.monotonic() - started_},
                                             {"objects", reflector.collected()},
                                             {"waits_for", reflector.waits_for()},
                                             {"error", trouble_}});
  });
}

void InformerService::arm_resync() {
  if (spec_.resync <= Duration::zero()) return;
  resync_ = env::after(env_.loop, env_.clock, spec_.resync, [this] {
    arm_resync();
    for (auto& [id, handler] : handlers_) {
      for (const ObjectPtr& object : store().objects()) {
        handler.queue.push_back({.type = Delta::Type::Updated, .before = object, .after = object});
      }
      if (!handler.queue.empty()) schedule(id);
    }
  });
}

std::uint64_t InformerService::count(Incident incident) const {
  const auto found = incidents_.find(incident);
  return found == incidents_.end() ? 0 : found->second;
}

void InformerService::note(Incident incident) {
  ++incidents_[incident];
  const std::string resource = spec_.collection.resource.text();
  env_.metrics
      .counter(
          {.name = "berth_informer_notices_total",
           .help = "Unusual moments of caches: lists again, servers set back, silent watches.",
           .labels = {{"resource", resource}, {"notice", std::string(incident_name(incident))}}})
      .increment();
  if (incident == Incident::ServerWasReset) {
    env_.log.error("informer.server_was_reset",
                   {{"resource", resource}, {"version", last_version()}});
  } else {
    env_.log.info("informer.notice", {{"resource", resource}, {"notice", incident_name(incident)}});
  }
}

// A server that is newer than the messages we know: JSON says the same, only slower.
void InformerService::distrust_protobuf(const Error& error) {
  if (!protobuf_) return;
  protobuf_ = nullptr;
  env_.log.info("informer.reads_json",
                {{"resource", spec_.collection.resource.text()}, {"reason", error.message}});
}

void InformerService::complain(const Error& error) {
  // Once per change of mind, not once per attempt.
  if (trouble_ == error.message) return;
  trouble_ = error.message;
  env_.log.warn("informer.trouble",
                {{"resource", spec_.collection.resource.text()}, {"error", error.message}});
}

}  // namespace berth::client
