// Tested by generator_controller_test.cc.

#include "scores/generators/generator_runner_service.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "client/patch_builder.h"
#include "scores/generators/generator_resources_service.h"
#include "scores/generators/generator_status.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kFieldManager = "berth-scores";
constexpr Duration kRetry = 5s;

// Publishing can be seldom. What is new is given this time, so that it is part of the first one.
constexpr Duration kSettling = 2s;

api::OwnerReference owner_of(const client::Object& generator) {
  return {.api_version = std::string(kGeneratorApiVersion),
          .kind = std::string(kGeneratorKind),
          .name = std::string(generator.name()),
          .uid = std::string(generator.uid())};
}

}  // namespace

GeneratorRunner::GeneratorRunner(const GeneratorSurroundings& around, client::ObjectPtr object)
    : around_(around),
      object_(std::move(object)),
      seen_(object_->body()),
      work_(around.options.times),
      random_(env::new_seed(around.env.entropy)) {
  read();
  const json::Value& status = api::field(seen_, "status");
  if (api::integer_field(status, "observedGeneration") == reading_.generator.facts.generation) {
    work_.restore(status, now());
  }
  changed();
}

GeneratorRunner::~GeneratorRunner() {
  for (; slots_ > 0; --slots_) around_.give_back();
}

void GeneratorRunner::update(client::ObjectPtr object) {
  const bool same = object->resource_version() == object_->resource_version();
  object_ = std::move(object);
  if (same) return;
  seen_ = object_->body();
  if (api::read_facts(seen_).generation != reading_.generator.facts.generation) read();
  changed();
}

void GeneratorRunner::read() {
  reading_ = read_generator(object_->body(), around_.options.cluster, around_.options.rules);
  const bool accepted = reading_.problems.empty();
  work_.assign(accepted ? reading_.generator : Generator(), now().instant);
  settled_ = now().instant + kSettling;
  if (publisher_ && publisher_->options().times != publish_times()) publisher_ = nullptr;
}

void GeneratorRunner::pump() {
  for (const TaskId id : work_.due(now().instant)) {
    if (!around_.take_slot()) break;
    ++slots_;
    begin(id);
  }
  arm();
}

void GeneratorRunner::begin(TaskId id) {
  work_.begin(id, now().instant);
  if (const auto* section = std::get_if<PluginSection>(&work_.task(id))) {
    return around_.plugins.run(object_->key(), *section,
                               scope_.guard([this, id](Result<PluginScores> outcome) {
                                 work_.on_plugin(id, outcome, now(), random_.unit());
                                 end(id);
                               }));
  }
  const auto& latency = std::get<Latency>(work_.task(id));
  probes_[id] = std::make_unique<ProbeRun>(
      ProbeRun::World{around_.env.clock, around_.env.loop, around_.env.network},
      ProbeRequest{.location = latency.location,
                   .timeout = latency.timeout,
                   .rules = around_.options.rules,
                   .authorities_pem = around_.options.authorities_pem},
      scope_.guard([this, id](Result<Timings> outcome) {
        if (outcome.ok()) outcome->connect += around_.options.simulated_delay;
        work_.on_run(id, outcome, now(), random_.unit());
        end(id);
      }));
}

void GeneratorRunner::end(TaskId id) {
  probes_.erase(id);
  --slots_;
  around_.give_back();
  changed();
}

void GeneratorRunner::changed() {
  publish();
  write_status();
  pump();
}

// The next run, or the moment at which a score is no longer part of what is published.
void GeneratorRunner::arm() {
  std::optional<Instant> next = work_.next_due();
  const Instant at = now().instant;
  if (next && *next <= at) next.reset();  // It waits for a slot.
  if (const auto lapse = work_.next_lapse(at)) {
    next = std::min(next.value_or(Instant::max()), *lapse);
  }
  if (at < settled_) next = std::min(next.value_or(Instant::max()), settled_);
  timer_.cancel();
  if (next) timer_ = around_.env.loop.at(*next, scope_.guard([this] { changed(); }));
}

PublishTimes GeneratorRunner::publish_times() const {
  PublishTimes times;
  for (const Latency& latency : reading_.generator.latencies) {
    times.refresh = std::min(times.refresh, latency.interval);
  }
  if (!reading_.generator.sections.empty()) {
    times.refresh = std::min(times.refresh, around_.options.times.plugin_interval);
  }
  times.validity = 3 * times.refresh;
  times.change_interval = std::min(times.change_interval, times.refresh);
  return times;
}

Report GeneratorRunner::report(Time hub_now) const {
  if (reading_.problems.empty()) return work_.report(now().instant, hub_now);
  return {.trouble = Trouble{.reason = TroubleReason::Invalid,
                             .message = reading_.problems.front().message}};
}

// The object is made when there is something to put into it.
void GeneratorRunner::publish() {
  if (work_.has_unmeasured() && now().instant < settled_) return;
  if (!publisher_) {
    if (!report(around_.env.clock.now()).scores) return;
    publisher_ = std::make_unique<Publisher>(
        around_.env, around_.hub,
        PublisherOptions{.object = {.cluster = around_.options.cluster,
                                    .name = std::string(object_->name()),
                                    .owner = owner_of(*object_)},
                         .times = publish_times(),
                         .field_manager = std::string(kFieldManager)},
        [this](Time hub_now) { return report(hub_now); });
  }
  publisher_->on_changed();
}

json::Value GeneratorRunner::wanted_status() const {
  const json::Value& before = api::field(seen_, "status");
  const std::int64_t generation = reading_.generator.facts.generation;
  const Time time = around_.env.clock.now();
  if (!reading_.problems.empty())
    return refused_status(before, reading_.problems, generation, time);
  return working_status(before, work_.entries(), generation, time, around_.options.simulated_delay);
}

void GeneratorRunner::write_status() {
  if (writing_status_) return;  // The answer looks again.
  json::Value after = seen_;
  after["status"] = wanted_status();
  const bool can_wait = !differs_in_kind(api::field(seen_, "status"), *after.find("status"));
  const Instant at = now().instant;
  if (can_wait && status_written_ && at < *status_written_ + around_.options.status_interval) {
    status_timer_ = around_.env.loop.at(*status_written_ + around_.options.status_interval,
                                        scope_.guard([this] { write_status(); }));
    return;
  }
  const auto patch = client::merge_patch_for(seen_, after, client::Precondition::Uid);
  if (!patch.ok() || !*patch) return;
  writing_status_ = true;
  around_.hub.patch(
      generator_path(*object_, "status"), **patch,
      {.write = {.field_manager = std::string(kFieldManager)}},
      scope_.guard([this](Result<json::Value> answer) { on_status_written(std::move(answer)); }));
}

void GeneratorRunner::on_status_written(Result<json::Value> answer) {
  writing_status_ = false;
  status_written_ = now().instant;
  if (answer.ok()) {
    seen_ = *std::move(answer);
    return write_status();
  }
  if (client::is_not_found(answer.error())) return;  // The watch will say so.
  if (!client::is_stale_write(answer.error())) {
    around_.env.log.warn("generator.status_not_written",
                         {{"generator", object_->key().text()}, {"error", answer.error().message}});
  }
  status_timer_ = env::after(around_.env.loop, around_.env.clock, kRetry,
                             scope_.guard([this] { write_status(); }));
}

}  // namespace berth::scores
