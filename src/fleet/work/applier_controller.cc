// Tested by suites/delivering_test.cc.
#include "fleet/work/applier_controller.h"

#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "fleet/work/names.h"

namespace berth::fleet {
namespace {

constexpr int kAttemptsMax = 5;

client::WriteOptions as_agent() { return {.field_manager = std::string(kFieldManager)}; }

bool is_object(const json::Value& answer) {
  return answer.is_object() && api::field(answer, "metadata").is_object();
}

}  // namespace

void Applier::apply(ManifestTask task, Done done) {
  look(std::make_shared<Job>(std::move(task), std::move(done)));
}

client::ResourcePath Applier::path_of(const ResourceMeta& meta) {
  return {.resource = meta.gvr(), .ns = meta.ns, .name = meta.name};
}

void Applier::look(const JobPtr& job) {
  ++job->attempts;
  api_.get(path_of(job->task.meta), scope_.guard([this, job](Result<json::Value> live) {
    if (live.ok() && is_object(*live)) {
      job->live = *std::move(live);
      return act(job);
    }
    job->live = std::nullopt;
    if (live.ok()) {
      return fail(job, {.code = Code::InternalError, .message = "the answer is no object"});
    }
    if (!client::is_not_found(live.error())) return fail(job, live.error());
    act(job);
  }));
}

void Applier::act(const JobPtr& job) {
  const Deed deed = deed_for(
      {.manifest = job->task.manifest, .update = job->task.update, .owner = job->task.owner},
      job->live ? &*job->live : nullptr, job->task.settled);
  const bool is_write = !std::holds_alternative<Nothing>(deed);
  if (is_write && !may_write_())
    return finish(job, {.applied = failure(Code::Conflict, std::string(kNotLeading))});
  if (const auto* made = std::get_if<CreateObject>(&deed)) return create(job, *made);
  if (const auto* made = std::get_if<ReplaceObject>(&deed)) return replace(job, *made);
  if (const auto* made = std::get_if<PatchOwners>(&deed)) return patch_owners(job, made->patch);
  if (const auto* made = std::get_if<ApplyObject>(&deed)) return apply_object(job, *made);
  finish(job, {.settled = job->task.settled});
}

void Applier::create(const JobPtr& job, const CreateObject& deed) {
  client::ResourcePath collection = path_of(job->task.meta);
  collection.name.clear();
  api_.create(collection, deed.object, as_agent(),
              scope_.guard([this, job](Result<json::Value> answer) {
                const bool lost_race = !answer.ok() && client::is_already_exists(answer.error());
                if (lost_race && job->attempts < kAttemptsMax) return look(job);
                on_written(job, std::move(answer));
              }));
}

void Applier::replace(const JobPtr& job, const ReplaceObject& deed) {
  api_.update(path_of(job->task.meta), deed.object, as_agent(),
              scope_.guard(
                  [this, job](Result<json::Value> answer) { on_written(job, std::move(answer)); }));
}

void Applier::patch_owners(const JobPtr& job, const json::Value& patch) {
  api_.patch(path_of(job->task.meta), patch, {.write = as_agent()},
             scope_.guard([this, job](Result<json::Value> answer) {
               if (!answer.ok() || !is_object(*answer)) return on_written(job, std::move(answer));
               job->live = *std::move(answer);
               finish(job, {.settled = job->task.settled});
             }));
}

void Applier::apply_object(const JobPtr& job, const ApplyObject& deed) {
  const client::PatchOptions options{
      .type = client::PatchType::Apply,
      .write = {.field_manager = deed.field_manager},
      .conflicts = deed.force ? client::ApplyConflicts::TakeOver : client::ApplyConflicts::Refuse};
  api_.patch(path_of(job->task.meta), deed.object, options,
             scope_.guard([this, job](Result<json::Value> answer) {
               if (!answer.ok() && client::is_conflict(answer.error())) {
                 return finish(job,
                               {.applied = failure(answer.error()), .is_apply_conflict = true});
               }
               if (!answer.ok() || !is_object(*answer)) return on_written(job, std::move(answer));
               job->live = *std::move(answer);
               job->task.settled = fingerprint(*job->live, UpdateType::ServerSideApply);
               if (const auto patch = owners_patch(*job->live, job->task.owner)) {
                 return patch_owners(job, *patch);
               }
               finish(job, {.settled = job->task.settled});
             }));
}

void Applier::on_written(const JobPtr& job, Result<json::Value> answer) {
  if (!answer.ok()) {
    const bool is_stale = client::is_stale_write(answer.error());
    if (is_stale && job->attempts < kAttemptsMax) return look(job);
    return finish(job, {.applied = failure(answer.error())});
  }
  if (!is_object(*answer)) {
    return fail(job, {.code = Code::InternalError, .message = "the answer is no object"});
  }
  job->live = *std::move(answer);
  finish(job, {.settled = fingerprint(*job->live, job->task.update.type)});
}

// Nothing is known of the object.
void Applier::fail(const JobPtr& job, const Error& error) {
  const bool reads_only = job->task.update.type == UpdateType::ReadOnly;
  job->done({.applied = reads_only ? Status() : Status(failure(error)), .live = failure(error)});
}

void Applier::finish(const JobPtr& job, ManifestOutcome outcome) {
  if (job->live) {
    outcome.live = *std::move(job->live);
  } else {
    outcome.live = failure(Code::NotFound, "not found");
  }
  job->done(std::move(outcome));
}

}  // namespace berth::fleet
