#include "scores/publisher_service.h"

#include <utility>

#include <fmt/format.h>

#include "client/errors.h"

namespace berth::scores {
namespace {

// How often an object that changes under our hands is read again at once, before we wait.
constexpr int kRefetchesMax = 3;

// By how much two calendars may differ before anybody is told.
constexpr Duration kClockTolerance = std::chrono::seconds(5);

std::string what_to_do(const Error& error, const ScoreObject& object) {
  if (client::is_forbidden(error)) {
    return fmt::format(
        "{}; allow get, create and patch of addonplacementscores and patch of "
        "addonplacementscores/status in the namespace {}",
        error.message, object.cluster);
  }
  if (client::is_not_found(error)) {
    return fmt::format("{}; is the cluster {} registered on this hub, and are OCM's kinds there?",
                       error.message, object.cluster);
  }
  return error.message;
}

double seconds_of(Time time) { return static_cast<double>(time.unix_seconds()); }

}  // namespace

Publisher::Publisher(const env::Env& env, client::Api& hub, PublisherOptions options,
                     Measure measure)
    : env_(env),
      hub_(hub),
      options_(std::move(options)),
      measure_(std::move(measure)),
      timing_(options_.times, Random(env::new_seed(env_.entropy))),
      writes_(env_.metrics.counter({"berth_scores_writes_total", "Scores written to the hub."})),
      failures_(env_.metrics.counter(
          {"berth_scores_write_failures_total", "Writes of scores that the hub did not take."})),
      published_gauge_(
          env_.metrics.gauge({"berth_scores_last_published_timestamp_seconds",
                              "When the hub last took scores, in seconds since 1970."})) {
  arm();
}

void Publisher::on_changed() {
  if (std::exchange(checking_, true)) return;
  env_.loop.post(scope_.guard([this] {
    checking_ = false;
    check();
  }));
}

void Publisher::set_demand(Demand demand) {
  if (std::exchange(demand_, demand) == demand) return;
  timing_.hurry(env_.clock.monotonic());
  arm();
}

void Publisher::set_owner(std::optional<api::OwnerReference> owner) {
  if (options_.object.owner == owner) return;
  options_.object.owner = std::move(owner);
  timing_.hurry(env_.clock.monotonic());
  arm();
}

bool Publisher::is_live() const { return env_.clock.monotonic() < live_until_; }

void Publisher::check() {
  if (busy_ || !object_) return;  // The end of what is under way looks again.
  if (compare(*object_, measure()) != Difference::Content) return;
  timing_.on_changed(env_.clock.monotonic());
  arm();
}

void Publisher::arm() {
  if (busy_) return;
  timer_ = env_.loop.at(timing_.due(), scope_.guard([this] { begin(); }));
}

void Publisher::begin() {
  busy_ = true;
  timer_.cancel();
  object_ ? adopt() : fetch();
}

void Publisher::fetch() {
  hub_.get(path(), scope_.guard([this](Result<json::Value> answer) {
    if (answer.ok()) return on_seen(*std::move(answer));
    if (!client::is_not_found(answer.error())) return fail(answer.error());
    demand_ == Demand::Wanted ? create() : rest();
  }));
}

void Publisher::create() {
  client::ResourcePath collection = path();
  collection.name.clear();
  hub_.create(
      collection, make_score_object(options_.object), {.field_manager = options_.field_manager},
      scope_.guard([this](Result<json::Value> answer) {
        if (!answer.ok()) return fail(answer.error());
        env_.log.info("scores.created",
                      {{"cluster", options_.object.cluster}, {"name", options_.object.name}});
        on_seen(*std::move(answer));
      }));
}

void Publisher::on_seen(json::Value object) {
  object_ = std::move(object);
  adopt();
}

void Publisher::adopt() {
  const auto& owner = options_.object.owner;
  auto patch = owner ? owner_patch(*object_, *owner) : std::nullopt;
  if (!patch) return write();
  hub_.patch(path(), *patch, patch_options(), scope_.guard([this](Result<json::Value> answer) {
    if (!answer.ok()) return fail(answer.error());
    object_ = *std::move(answer);
    write();
  }));
}

void Publisher::write() {
  Report report = measure();
  const auto patch = status_patch(
      *object_, {.report = report, .now = hub_now(), .validity = options_.times.validity});
  if (!patch) return rest();
  client::PatchOptions options = patch_options();
  // Only the hub can tell its time, and nothing may be written that ends at the wrong one.
  if (!asked_time_) options.write.dry_run = client::DryRun::Yes;
  const Instant sent = env_.clock.monotonic();
  hub_.patch(path("status"), *patch, options,
             scope_.guard([this, sent, report = std::move(report)](Result<json::Value> answer) {
               if (!answer.ok()) return fail(answer.error());
               note_time(*answer, sent);
               if (!std::exchange(asked_time_, true)) return write();
               object_ = *std::move(answer);
               on_written(report);
             }));
}

void Publisher::note_time(const json::Value& answer, Instant sent) {
  const Duration known = hub_now() - env_.clock.now();
  clock_.observe(answer, options_.field_manager,
                 {.sent = sent, .answered = env_.clock.monotonic()});
  const Duration now = hub_now() - env_.clock.now();
  if (std::chrono::abs(now - known) < kClockTolerance) return;
  env_.log.warn("scores.clock_differs", {{"hub_ahead_by", now}});
}

void Publisher::on_written(const Report& report) {
  writes_.increment();
  if (report.scores) {
    const Instant now = env_.clock.monotonic();
    published_at_ = now;
    const Time end = report.valid_until.value_or(hub_now() + options_.times.validity);
    live_until_ = now + (end - hub_now());
    published_gauge_.set(seconds_of(env_.clock.now()));
  }
  succeed();
}

void Publisher::succeed() {
  if (!std::exchange(trouble_, "").empty()) {
    env_.log.info("scores.published_again",
                  {{"cluster", options_.object.cluster}, {"name", options_.object.name}});
  }
  refetches_ = 0;
  busy_ = false;
  timing_.on_written(env_.clock.monotonic());
  arm();
  on_changed();  // The provider may have had news meanwhile.
}

void Publisher::rest() {
  busy_ = false;
  refetches_ = 0;
  timing_.on_nothing_to_write(env_.clock.monotonic());
  arm();
}

void Publisher::fail(const Error& error) {
  const bool changed_meanwhile = client::is_stale_write(error) ||
                                 client::is_already_exists(error) ||
                                 (object_ && client::is_not_found(error));
  object_ = std::nullopt;  // Whatever we believed about it, it is to be read again.
  if (changed_meanwhile && ++refetches_ <= kRefetchesMax) return fetch();
  failures_.increment();
  std::string trouble = what_to_do(error, options_.object);
  if (trouble != trouble_) {
    env_.log.warn(
        "scores.write_failed",
        {{"cluster", options_.object.cluster}, {"name", options_.object.name}, {"error", trouble}});
  }
  trouble_ = std::move(trouble);
  busy_ = false;
  timing_.on_failed(env_.clock.monotonic());
  arm();
}

Report Publisher::measure() const { return checked(measure_(hub_now())); }

Time Publisher::hub_now() const {
  return clock_.time_at(env_.clock.monotonic()).value_or(env_.clock.now());
}

client::ResourcePath Publisher::path(std::string subresource) const {
  return {.resource = score_resource(),
          .ns = options_.object.cluster,
          .name = options_.object.name,
          .subresource = std::move(subresource)};
}

client::PatchOptions Publisher::patch_options() const {
  return {.write = {.field_manager = options_.field_manager}};
}

}  // namespace berth::scores
