// Tested by suites/delivering_test.cc.
#include "fleet/work/work_agent_controller.h"

#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "client/patch_builder.h"
#include "fleet/registration/resources.h"
#include "fleet/work/names.h"

namespace berth::fleet {
namespace {

constexpr std::size_t kInWorkMax = 10;

// Longer would let a hub that is back wait for no reason.
constexpr control::RetryDelayOptions kRetries = {.first = std::chrono::milliseconds(5),
                                                 .most = std::chrono::seconds(60)};

const json::Value* body_of(const client::ObjectPtr& object) {
  return object ? &object->body() : nullptr;
}

bool is_same_wish(const client::Delta& delta) {
  if (!delta.before || !delta.after) return false;
  const json::Value& before = delta.before->body();
  const json::Value& after = delta.after->body();
  return api::Metadata(before).generation() == api::Metadata(after).generation() &&
         delta.before->uid() == delta.after->uid();
}

}  // namespace

std::string hash_of_hub(const client::ClientConfig& hub) {
  return hub_hash(hub.written_server.empty() ? hub.server.text() : hub.written_server);
}

WorkAgent::WorkAgent(const env::Env& env, client::Api& hub, client::Api& cluster,
                     const WorkAgentSettings& settings)
    : env_(env),
      hub_(hub),
      cluster_(cluster),
      cluster_name_(settings.cluster_name),
      identity_{
          .hub_hash = hash_of_hub(hub.config()),
          .agent_id = settings.agent_id.empty() ? hash_of_hub(hub.config()) : settings.agent_id,
          .eviction_grace = settings.eviction_grace},
      may_write_(settings.may_write),
      random_(env::new_seed(env.entropy)),
      works_(env, hub, {.collection = {.resource = manifest_works(), .ns = cluster_name_}}),
      records_(env, cluster, {.collection = {.resource = applied_manifest_works()}}),
      discovery_(cluster, env.clock),
      live_(env, cluster, [this](const std::string& watcher) { reconciler_.add(watcher); }),
      executors_(env, cluster),
      applier_(cluster, may_write_),
      releaser_(env, cluster, may_write_),
      reconciler_(env, "manifest-works", kInWorkMax, [this](const Key& key) { work(key); }),
      retries_(kRetries),
      failures_(env.metrics.counter({.name = "berth_work_failures_total",
                                     .help = "Passes over a ManifestWork that have to be repeated.",
                                     .labels = {}})) {}

WorkAgent::~WorkAgent() {
  works_.remove_handler(work_handler_);
  records_.remove_handler(record_handler_);
}

void WorkAgent::start() {
  work_handler_ =
      works_.add_handler(scope_.guard([this](const client::Delta& delta) { on_work(delta); }));
  record_handler_ =
      records_.add_handler(scope_.guard([this](const client::Delta& delta) { on_record(delta); }));
  works_.when_synced(scope_.guard([this] { start_when_synced(); }));
  records_.when_synced(scope_.guard([this] { start_when_synced(); }));
  works_.start();
  records_.start();
}

// Before both are known, an absent work or record means nothing.
void WorkAgent::start_when_synced() {
  if (started_ || !has_synced()) return;
  started_ = true;
  env_.log.info("work.started", {{"cluster", cluster_name_},
                                 {"works", works_.store().size()},
                                 {"records", records_.store().size()}});
  reconciler_.start();
}

void WorkAgent::on_work(const client::Delta& delta) {
  const Key key = key_of_work(delta.object().name());
  if (!is_same_wish(delta)) retries_.reset(key);
  reconciler_.add(key);
}

void WorkAgent::on_record(const client::Delta& delta) {
  reconciler_.add(std::string(delta.object().name()));
}

WorkAgent::Key WorkAgent::key_of_work(std::string_view name) const {
  return applied_work_name(identity_.hub_hash, name);
}

client::ObjectPtr WorkAgent::find_work(const Key& key) const {
  const std::string prefix = identity_.hub_hash + "-";
  if (!key.starts_with(prefix)) return nullptr;  // Of another hub.
  return works_.store().find({.ns = cluster_name_, .name = key.substr(prefix.size())});
}

void WorkAgent::work(const Key& key) {
  const client::ObjectPtr work = find_work(key);
  const client::ObjectPtr record = records_.store().find({.name = key});
  const WorkStep step = next_step(body_of(work), body_of(record), identity_, env_.clock.now());
  if (!record) live_.watch(key, {});
  if (step.action == WorkAction::Nothing) {
    if (!work) forget(key);
    return finish(key, {}, step.look_again);
  }
  act(key, step.action, work, record);
}

void WorkAgent::act(const Key& key, WorkAction action, const client::ObjectPtr& work,
                    const client::ObjectPtr& record) {
  if (!may_write_()) return finish(key, failure(Code::Conflict, std::string(kNotLeading)));
  const Time now = env_.clock.now();
  switch (action) {
    case WorkAction::Nothing:
      return finish(key, {});
    case WorkAction::AddFinalizer:
      return change_work(key, work->body(), with_finalizer(work->body(), kManifestWorkFinalizer),
                         Part::Object);
    case WorkAction::CreateRecord:
      return create_record(key, work->body());
    case WorkAction::MendRecord:
      return change_record(key, record->body(), mended_record(record->body(), identity_),
                           Part::Object);
    case WorkAction::Apply:
      return apply(key, work, record);
    case WorkAction::SayDeleting:
      return change_work(key, work->body(), with_deleting(work->body(), now), Part::Status);
    case WorkAction::DeleteRecord:
      return delete_record(key, record->body());
    case WorkAction::Release:
      return release(key, record);
    case WorkAction::LetRecordGo:
      return change_record(key, record->body(),
                           without_finalizer(record->body(), kAppliedWorkFinalizer), Part::Object);
    case WorkAction::LetWorkGo:
      return let_work_go(key, work->body());
    case WorkAction::StartEviction:
      return change_record(key, record->body(), with_eviction(record->body(), now), Part::Status);
    case WorkAction::StopEviction:
      return change_record(key, record->body(), with_eviction(record->body(), std::nullopt),
                           Part::Status);
  }
}

void WorkAgent::apply(const Key& key, const client::ObjectPtr& work,
                      const client::ObjectPtr& record) {
  const WorkTools tools{.env = env_,
                        .hub = hub_,
                        .cluster = cluster_,
                        .discovery = discovery_,
                        .live = live_,
                        .executors = executors_,
                        .applier = applier_,
                        .releaser = releaser_,
                        .random = random_,
                        .may_write = may_write_};
  auto pass = std::make_unique<ApplyPass>(
      tools, memories_[key], work, record->body(), [this, key](PassResult result) {
        // Later, because the pass that calls must not die in its own call.
        env_.loop.post(scope_.guard([this, key, result = std::move(result)] {
          passes_.erase(key);
          finish(key, result.status, result.again);
        }));
      });
  ApplyPass& started = *pass;
  passes_[key] = std::move(pass);
  started.start();
}

void WorkAgent::create_record(const Key& key, const json::Value& work) {
  cluster_.create({.resource = applied_manifest_works()}, new_record(work, identity_), {},
                  scope_.guard([this, key](const Result<json::Value>& made) {
                    finish(key, made.ok() ? Status() : Status(failure(made.error())));
                  }));
}

void WorkAgent::delete_record(const Key& key, const json::Value& record) {
  const api::Metadata metadata(record);
  cluster_.remove({.resource = applied_manifest_works(), .name = key},
                  {.uid = std::string(metadata.uid()),
                   .resource_version = std::string(metadata.resource_version())},
                  scope_.guard([this, key](const Result<json::Value>& answer) {
                    const bool gone = answer.ok() || client::is_not_found(answer.error());
                    finish(key, gone ? Status() : Status(failure(answer.error())));
                  }));
}

// What is still on its way stays in the record; when all of it is gone, so is the finalizer.
void WorkAgent::release(const Key& key, const client::ObjectPtr& record) {
  const AppliedResources resources = read_applied_resources(record->body());
  std::set<LiveObject> objects;
  for (const AppliedResource& resource : resources) {
    objects.insert({.resource = resource.gvr(), .key = resource.key()});
  }
  live_.watch(key, objects);
  releaser_.release(resources, owner_reference(record->body()),
                    scope_.guard([this, key, record](const Released& released) {
                      const json::Value after =
                          with_applied_resources(record->body(), released.pending);
                      if (after != record->body()) {
                        return change_record(key, record->body(), after, Part::Status);
                      }
                      finish(key, failure(Code::Conflict, "still on its way"));
                    }));
}

// The record may have been made a moment ago and not be in the cache yet: the cluster itself is
// asked before the work may go.
void WorkAgent::let_work_go(const Key& key, const json::Value& work) {
  cluster_.get({.resource = applied_manifest_works(), .name = key},
               scope_.guard([this, key, work](const Result<json::Value>& record) {
                 if (record.ok()) return finish(key, failure(Code::Conflict, "still recorded"));
                 if (!client::is_not_found(record.error())) {
                   return finish(key, failure(record.error()));
                 }
                 change_work(key, work, without_finalizer(work, kManifestWorkFinalizer),
                             Part::Object);
               }));
}

void WorkAgent::change_work(const Key& key, const json::Value& before, const json::Value& after,
                            Part part) {
  change(key, hub_,
         {.resource = manifest_works(),
          .ns = cluster_name_,
          .name = std::string(api::Metadata(before).name())},
         before, after, part);
}

void WorkAgent::change_record(const Key& key, const json::Value& before, const json::Value& after,
                              Part part) {
  change(key, cluster_, {.resource = applied_manifest_works(), .name = key}, before, after, part);
}

void WorkAgent::change(const Key& key, client::Api& api, client::ResourcePath path,
                       const json::Value& before, const json::Value& after, Part part) {
  if (part == Part::Status) path.subresource = "status";
  auto patch = client::merge_patch_for(before, after, client::Precondition::UidAndVersion);
  if (!patch.ok()) return finish(key, failure(patch.error()));
  if (!*patch) return finish(key, {});
  if (!may_write_()) return finish(key, failure(Code::Conflict, std::string(kNotLeading)));
  api.patch(path, **patch, {.write = {.field_manager = std::string(kFieldManager)}},
            scope_.guard([this, key](const Result<json::Value>& answer) {
              const bool gone = !answer.ok() && client::is_not_found(answer.error());
              finish(key, answer.ok() || gone ? Status() : Status(failure(answer.error())));
            }));
}

void WorkAgent::finish(const Key& key, const Status& status, std::optional<Duration> again) {
  if (status.ok()) {
    retries_.reset(key);
  } else {
    again = std::min(again.value_or(Duration::max()), retries_.next(key));
    failures_.increment();
    const bool is_news =
        !client::is_stale_write(status.error()) && status.error().code != Code::Conflict;
    const env::Fields fields = {{"work", key}, {"error", status.error().message}};
    is_news ? env_.log.warn("work.failed", fields) : env_.log.debug("work.failed", fields);
  }
  reconciler_.finish(key);
  if (again) reconciler_.add_after(key, *again);
}

void WorkAgent::forget(const Key& key) {
  memories_.erase(key);
  if (!records_.store().find({.name = key})) live_.watch(key, {});
}

}  // namespace berth::fleet
