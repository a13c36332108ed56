// Tested by suites/delivering_test.cc.
#include "fleet/work/apply_pass_controller.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/hash.h"
#include "client/backoff.h"
#include "client/errors.h"
#include "client/patch_builder.h"
#include "fleet/registration/resources.h"
#include "fleet/work/access.h"
#include "fleet/work/apply_order.h"
#include "fleet/work/condition_rules.h"
#include "fleet/work/members.h"
#include "fleet/work/names.h"
#include "fleet/work/reasons.h"

namespace berth::fleet {
namespace {

// The rights of an executor change without a word: they are looked at again after this.
constexpr Duration kExecutorInterval = std::chrono::minutes(4);
// What is leaving is watched; this is for kinds that cannot be.
constexpr Duration kLeavingInterval = std::chrono::seconds(10);
constexpr Duration kUnwatchedInterval = std::chrono::seconds(60);

LiveObject live_object(const ResourceMeta& meta) {
  return {.resource = meta.gvr(), .key = meta.key()};
}

}  // namespace

ApplyPass::ApplyPass(const WorkTools& tools, WorkMemory& memory, client::ObjectPtr work,
                     json::Value record, Done done)
    : tools_(tools),
      memory_(memory),
      work_object_(std::move(work)),
      record_(std::move(record)),
      done_(std::move(done)),
      watcher_(api::Metadata(record_).name()),
      work_(read_manifest_work(work_object_->body())) {
  for (const json::Value* manifest : work_.manifests) {
    Item item{.manifest = manifest, .report = {}};
    item.report.meta = meta_of(static_cast<std::int64_t>(items_.size()), *manifest);
    if (const Status sound = check_manifest(*manifest); !sound.ok()) item.problem = sound.error();
    items_.push_back(std::move(item));
  }
}

void ApplyPass::start() { resolve(Tables::Kept); }

// A kind that is not known may have been defined a moment ago.
void ApplyPass::resolve(Tables tables) {
  if (tables == Tables::Fresh) tools_.discovery.invalidate();
  tools_.discovery.table(
      scope_.guard([this, tables](Result<client::DiscoveryService::DiscoveryPtr> table) {
        if (!table.ok()) return finish(failure(table.error()));
        const bool all_known = resolve_with(**table);
        if (!all_known && tables == Tables::Kept) return resolve(Tables::Fresh);
        record_intents();
      }));
}

bool ApplyPass::resolve_with(const client::Discovery& table) {
  bool all_known = true;
  for (Item& item : items_) {
    ResourceMeta& meta = item.report.meta;
    const bool is_sound = check_manifest(*item.manifest).ok();
    if (!is_sound) continue;
    const client::ResourceInfo* info = table.find(meta.gvk());
    item.problem = std::nullopt;
    if (info) {
      meta.resource = info->gvr.resource;
      if (!info->namespaced) meta.ns.clear();
    } else {
      item.problem = Error{
          .code = Code::NotFound,
          .message = fmt::format("the server doesn't have a resource type \"{}\"", meta.kind)};
      all_known = false;
    }
  }
  return all_known;
}

// Whatever happens from here on, the record names it.
void ApplyPass::record_intents() {
  AppliedResources wanted;
  std::vector<ResourceMeta> metas;
  for (const Item& item : items_) {
    metas.push_back(item.report.meta);
    if (item.problem || !item.report.meta.is_complete()) continue;
    const bool reads_only = option_for(item.report.meta.identifier(), work_.configs).update.type ==
                            UpdateType::ReadOnly;
    if (!reads_only) wanted.push_back(applied_resource(item.report.meta, ""));
  }
  order_ = apply_order(metas);
  tools_.live.watch(watcher_, watched_objects());
  AppliedResources recorded = read_applied_resources(record_);
  const AppliedResources fresh = untracked(wanted, recorded);
  if (fresh.empty()) return is_recalled() ? next_manifest() : check_record();
  recorded.insert(recorded.end(), fresh.begin(), fresh.end());
  const json::Value after = with_applied_resources(record_, std::move(recorded));
  patch(tools_.cluster,
        {.resource = applied_manifest_works(), .name = watcher_, .subresource = "status"}, record_,
        after, scope_.guard([this](Result<json::Value> answer) {
          if (!answer.ok()) return finish(failure(answer.error()));
          record_ = *std::move(answer);
          next_manifest();
        }));
}

bool ApplyPass::is_recalled() {
  return std::ranges::all_of(items_, [this](Item& item) { return item.problem || recall(item); });
}

// The cache may be behind our own last write, which may have struck off what is wanted again.
void ApplyPass::check_record() {
  tools_.cluster.get({.resource = applied_manifest_works(), .name = watcher_},
                     scope_.guard([this](Result<json::Value> answer) {
                       if (!answer.ok()) return finish(failure(answer.error()));
                       const api::Metadata known(record_);
                       const api::Metadata read(*answer);
                       if (read.uid() != known.uid() || read.is_being_deleted()) {
                         return finish(failure(Code::Conflict, "the record is another one"));
                       }
                       const bool is_known = read.resource_version() == known.resource_version();
                       record_ = *std::move(answer);
                       is_known ? next_manifest() : record_intents();
                     }));
}

void ApplyPass::next_manifest() {
  while (next_ < order_.size()) {
    Item& item = items_[order_[next_++]];
    if (item.problem) {
      item.report.applied = failure(*item.problem);
      item.report.available = availability(item.report.meta, {});
      continue;
    }
    if (recall(item)) continue;
    if (work_.executor && !is_frozen(item)) return check_executor(item);
    return apply(item, std::nullopt);
  }
  prune();
}

// Nothing has changed since the last pass.
bool ApplyPass::recall(Item& item) {
  const auto found = memory_.find(item.report.meta.identifier());
  if (found == memory_.end() || found->second.wish != wish_of(item)) return false;
  const ManifestMemory& memory = found->second;
  if (!memory.report.applied.ok()) return false;
  const bool is_old =
      work_.executor && tools_.env.clock.monotonic() - memory.looked >= kExecutorInterval;
  if (is_old || !tools_.live.is_as_seen(watcher_, live_object(item.report.meta))) return false;
  const ResourceMeta meta = item.report.meta;
  item.report = memory.report;
  item.report.meta = meta;
  item.uid = memory.uid;
  return true;
}

bool ApplyPass::is_frozen(const Item& item) const {
  return api::is_condition_true(work_object_->body(), kWorkComplete) ||
         is_complete(work_object_->body(), item.report.meta);
}

std::uint64_t ApplyPass::wish_of(const Item& item) const {
  const std::uint64_t hash = hash64(wish_text(*item.manifest, work_object_->body()));
  return hash64(std::string(api::Metadata(record_).uid()) + (is_frozen(item) ? "frozen" : ""),
                hash);
}

ManifestTask ApplyPass::task_of(const Item& item) const {
  const ResourceIdentifier identifier = item.report.meta.identifier();
  ManifestTask task{.meta = item.report.meta,
                    .manifest = *item.manifest,
                    .update = option_for(identifier, work_.configs).update,
                    .owner = {.reference = owner_reference(record_),
                              .owned = is_owned(identifier, work_.deletion)}};
  if (item.report.meta.ns.empty()) object_in(task.manifest, "metadata").erase("namespace");
  if (is_frozen(item)) task.update = {.type = UpdateType::ReadOnly};
  const auto memory = memory_.find(identifier);
  if (memory != memory_.end() && memory->second.wish == wish_of(item)) {
    task.settled = memory->second.settled;
  }
  return task;
}

void ApplyPass::check_executor(Item& item) {
  const ManifestTask task = task_of(item);
  tools_.executors.ask({.executor = *work_.executor,
                        .meta = task.meta,
                        .owned = task.owner.owned,
                        .object = as_created(task.manifest, task.owner)},
                       scope_.guard([this, &item](const Status& allowed) {
                         apply(item, allowed.ok() ? std::nullopt : std::optional(allowed.error()));
                       }));
}

// What was refused is still read, for the status.
void ApplyPass::apply(Item& item, std::optional<Error> refused) {
  ManifestTask task = task_of(item);
  if (refused) task.update = {.type = UpdateType::ReadOnly};
  tools_.applier.apply(
      task, scope_.guard([this, &item, task, refused = std::move(refused)](ManifestOutcome result) {
        if (refused) {
          result.applied = failure(*refused);
          item.is_refused = client::is_forbidden(*refused);
        }
        on_applied(item, std::move(result), task);
      }));
}

void ApplyPass::on_applied(Item& item, ManifestOutcome outcome, const ManifestTask& task) {
  ManifestReport& report = item.report;
  const ManifestOption option = option_for(report.meta.identifier(), work_.configs);
  report.applied = outcome.applied;
  report.available = availability(
      report.meta, outcome.live.ok() ? Status() : Status(failure(outcome.live.error())));
  item.is_apply_conflict = outcome.is_apply_conflict;
  if (outcome.live.ok()) {
    const api::Metadata metadata(*outcome.live);
    item.uid = std::string(metadata.uid());
    report.feedback = read_feedback(*outcome.live, option.feedback);
    report.rules = evaluate_rules(*outcome.live, option.conditions);
    tools_.live.saw(watcher_, live_object(report.meta), std::string(metadata.resource_version()));
  } else if (client::is_not_found(outcome.live.error())) {
    item.uid = "";
    tools_.live.saw(watcher_, live_object(report.meta), "");
  }
  // Whatever was defined may be asked for by the next manifest.
  if (task.meta.resource == "customresourcedefinitions") tools_.discovery.invalidate();
  remember(item, outcome);
  next_manifest();
}

void ApplyPass::remember(const Item& item, const ManifestOutcome& outcome) {
  memory_[item.report.meta.identifier()] = {.wish = wish_of(item),
                                            .settled = outcome.settled,
                                            .report = item.report,
                                            .uid = item.uid.value_or(""),
                                            .looked = tools_.env.clock.monotonic()};
}

// Not before the work has been applied once: a hub that was set up anew must not cost anything. And
// not while some manifest cannot be told from what is recorded.
void ApplyPass::prune() {
  AppliedResources wanted;
  bool all_known = true;
  for (const Item& item : items_) {
    all_known = all_known && !item.problem;
    wanted.push_back(applied_resource(item.report.meta, ""));
  }
  AppliedResources unwanted = untracked(read_applied_resources(record_), wanted);
  const json::Value& conditions =
      api::field(api::field(work_object_->body(), "status"), "conditions");
  const bool was_applied = api::find_condition(conditions, kWorkApplied) != nullptr;
  if (unwanted.empty() || !all_known || !was_applied) {
    return record_results({.pending = std::move(unwanted)});
  }
  std::erase_if(memory_, [&](const auto& entry) {
    return std::ranges::any_of(unwanted, [&](const AppliedResource& resource) {
      return resource.identifier() == entry.first;
    });
  });
  tools_.releaser.release(
      std::move(unwanted), owner_reference(record_),
      scope_.guard([this](Released released) { record_results(std::move(released)); }));
}

void ApplyPass::record_results(Released released) {
  problems_ = std::move(released.problems);
  leaving_ = std::move(released.pending);
  AppliedResources resources = leaving_;
  const AppliedResources recorded = read_applied_resources(record_);
  for (const Item& item : items_) {
    const ResourceMeta& meta = item.report.meta;
    if (item.uid && !item.uid->empty()) resources.push_back(applied_resource(meta, *item.uid));
    const bool is_known = item.uid && (!item.uid->empty() || item.report.applied.ok());
    if (is_known) continue;
    // Nobody knows whether it is there, or it will be tried again: what the record says of it
    // stays. If it could not be made, the answer may be what was lost; and a record that came and
    // went with each try would cause the next one.
    std::ranges::copy_if(recorded, std::back_inserter(resources),
                         [&](const AppliedResource& resource) {
                           return resource.identifier() == meta.identifier();
                         });
  }
  tools_.live.watch(watcher_, watched_objects());
  const json::Value after = with_applied_resources(record_, std::move(resources));
  patch(tools_.cluster,
        {.resource = applied_manifest_works(), .name = watcher_, .subresource = "status"}, record_,
        after, scope_.guard([this](const Result<json::Value>& answer) {
          if (!answer.ok()) return finish(failure(answer.error()));
          write_status();
        }));
}

void ApplyPass::write_status() {
  std::vector<ManifestReport> reports;
  for (const Item& item : items_) reports.push_back(item.report);
  const json::Value& before = work_object_->body();
  const api::Metadata metadata(before);
  patch(tools_.hub,
        {.resource = manifest_works(),
         .ns = std::string(metadata.namespace_name()),
         .name = std::string(metadata.name()),
         .subresource = "status"},
        before, with_status(before, reports, tools_.env.clock.now()),
        scope_.guard([this](const Result<json::Value>& answer) {
          finish(answer.ok() ? Status() : Status(failure(answer.error())));
        }));
}

// Runs `then` with the object as it is afterwards; at once if nothing changes.
void ApplyPass::patch(client::Api& api, client::ResourcePath path, const json::Value& before,
                      const json::Value& after,
                      std::move_only_function<void(Result<json::Value>)> then) {
  auto patch = client::merge_patch_for(before, after, client::Precondition::UidAndVersion);
  if (!patch.ok()) return then(failure(patch.error()));
  if (!*patch) return then(before);
  if (!tools_.may_write()) return then(failure(Code::Conflict, std::string(kNotLeading)));
  api.patch(path, **patch, {.write = {.field_manager = std::string(kFieldManager)}},
            std::move(then));
}

std::set<LiveObject> ApplyPass::watched_objects() const {
  std::set<LiveObject> objects;
  for (const Item& item : items_) {
    if (!item.problem && item.report.meta.is_complete()) {
      objects.insert(live_object(item.report.meta));
    }
  }
  for (const AppliedResource& resource : leaving_) {
    objects.insert({.resource = resource.gvr(), .key = resource.key()});
  }
  return objects;
}

std::optional<Duration> ApplyPass::pause() {
  std::optional<Duration> pause;
  const auto at_most = [&pause](Duration length) {
    pause = std::min(pause.value_or(length), length);
  };
  if (work_.executor) at_most(client::jittered(kExecutorInterval, 0.5, tools_.random));
  if (!leaving_.empty()) at_most(kLeavingInterval);
  for (const Item& item : items_) {
    if (item.is_refused) at_most(kRefusedRetry);
    const bool is_watched = item.problem || tools_.live.is_followed(live_object(item.report.meta));
    if (!is_watched) at_most(client::jittered(kUnwatchedInterval, 0.5, tools_.random));
  }
  return pause;
}

void ApplyPass::finish(const Status& status) {
  if (!status.ok()) return done_({.status = status});
  for (const Item& item : items_) {
    const bool is_soft = item.is_refused || item.is_apply_conflict;
    if (!item.report.applied.ok() && !is_soft) {
      problems_.push_back(item.report.applied.error().message);
    }
  }
  if (!problems_.empty()) {
    return done_({.status = failure(Code::Unknown, aggregate(problems_)), .again = pause()});
  }
  done_({.again = pause()});
}

}  // namespace berth::fleet
