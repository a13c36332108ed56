#include "fleet/work/next_step.h"

#include <algorithm>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/rfc3339.h"
#include "fleet/work/members.h"
#include "fleet/work/names.h"
#include "fleet/work/resource_meta.h"

namespace berth::fleet {
namespace {

using api::field;
using api::text_field;

std::optional<Time> eviction_start(const json::Value& record) {
  return api::time_field(field(record, "status"), "evictionStartTime");
}

bool is_ours(const json::Value& record, const WorkIdentity& identity) {
  return text_field(field(record, "spec"), "agentID") == identity.agent_id;
}

bool has_right_spec(const json::Value& record, const WorkIdentity& identity) {
  return is_ours(record, identity) &&
         text_field(field(record, "spec"), "hubHash") == identity.hub_hash;
}

WorkStep step_of_going_record(const json::Value& record, const WorkIdentity& identity) {
  const bool is_our_turn =
      api::Metadata(record).has_finalizer(kAppliedWorkFinalizer) && is_ours(record, identity);
  if (!is_our_turn) return {};
  return {read_applied_resources(record).empty() ? WorkAction::LetRecordGo : WorkAction::Release};
}

WorkStep step_of_going_work(const json::Value& work, const json::Value* record) {
  if (!api::Metadata(work).has_finalizer(kManifestWorkFinalizer)) return {};
  if (!record) return {WorkAction::LetWorkGo};
  const bool is_said = api::is_condition_true(work, kWorkDeleting);
  return {is_said ? WorkAction::DeleteRecord : WorkAction::SayDeleting};
}

WorkStep step_of_work(const json::Value& work, const json::Value* record,
                      const WorkIdentity& identity) {
  if (!api::Metadata(work).has_finalizer(kManifestWorkFinalizer)) return {WorkAction::AddFinalizer};
  if (!record) {
    const bool is_over = api::is_condition_true(work, kWorkComplete);
    return {is_over ? WorkAction::Nothing : WorkAction::CreateRecord};
  }
  if (!has_right_spec(*record, identity)) return {WorkAction::MendRecord};
  if (eviction_start(*record)) return {WorkAction::StopEviction};
  return {WorkAction::Apply};
}

WorkStep step_of_orphan(const json::Value& record, const WorkIdentity& identity, Time now) {
  if (!is_ours(record, identity)) return {};
  const auto start = eviction_start(record);
  if (identity.eviction_grace >= kGraceNever) {
    return {start ? WorkAction::StopEviction : WorkAction::Nothing};
  }
  if (!start) return {WorkAction::StartEviction};
  const Duration left = *start + identity.eviction_grace - now;
  if (left <= Duration::zero()) return {WorkAction::DeleteRecord};
  return {WorkAction::Nothing, left};
}

}  // namespace

WorkStep next_step(const json::Value* work, const json::Value* record, const WorkIdentity& identity,
                   Time now) {
  if (record && api::Metadata(*record).is_being_deleted()) {
    return step_of_going_record(*record, identity);
  }
  if (work && api::Metadata(*work).is_being_deleted()) return step_of_going_work(*work, record);
  if (work) return step_of_work(*work, record, identity);
  if (record) return step_of_orphan(*record, identity, now);
  return {};
}

json::Value new_record(const json::Value& work, const WorkIdentity& identity) {
  const std::string name(api::Metadata(work).name());
  json::Value metadata =
      json::Value::object({{"name", applied_work_name(identity.hub_hash, name)}});
  if (const json::Value& labels = field(field(work, "metadata"), "labels"); labels.size() > 0) {
    metadata["labels"] = labels;
  }
  metadata["finalizers"] = json::Value::array({kAppliedWorkFinalizer});
  return json::Value::object({{"apiVersion", kWorkApiVersion},
                              {"kind", kAppliedWorkKind},
                              {"metadata", std::move(metadata)},
                              {"spec", json::Value::object({{"hubHash", identity.hub_hash},
                                                            {"agentID", identity.agent_id},
                                                            {"manifestWorkName", name}})}});
}

json::Value mended_record(json::Value record, const WorkIdentity& identity) {
  json::Value& spec = object_in(record, "spec");
  spec["hubHash"] = identity.hub_hash;
  spec["agentID"] = identity.agent_id;
  return record;
}

json::Value with_finalizer(json::Value object, std::string_view finalizer) {
  if (!api::Metadata(object).has_finalizer(finalizer)) {
    array_in(object_in(object, "metadata"), "finalizers").push_back(finalizer);
  }
  return object;
}

json::Value without_finalizer(json::Value object, std::string_view finalizer) {
  json::Value rest = json::Value::array();
  for (const std::string_view name : api::Metadata(object).finalizers()) {
    if (name != finalizer) rest.push_back(name);
  }
  object_in(object, "metadata")["finalizers"] = std::move(rest);
  return object;
}

json::Value with_eviction(json::Value record, std::optional<Time> start) {
  if (start) {
    object_in(record, "status")["evictionStartTime"] = format_seconds(*start);
  } else if (json::Value* status = record.find("status"); status && status->is_object()) {
    status->erase("evictionStartTime");
  }
  return record;
}

json::Value with_deleting(json::Value work, Time now) {
  json::Value& conditions = object_in(work, "status")["conditions"];
  conditions = api::with_condition(std::move(conditions),
                                   {.type = std::string(kWorkDeleting),
                                    .status = api::ConditionStatus::True,
                                    .reason = "WorkDeleting",
                                    .message = "ManifestWork is being deleted",
                                    .observed_generation = api::Metadata(work).generation()},
                                   now);
  return work;
}

}  // namespace berth::fleet
