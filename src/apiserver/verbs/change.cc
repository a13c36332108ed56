// update_to: how an object becomes another version of itself, or ceases to be.

#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/apply/managed_fields.h"
#include "apiserver/objects/ownership.h"
#include "apiserver/objects/stored_form.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/verbs/removal.h"
#include "apiserver/verbs/writing.h"

namespace berth::apiserver {
namespace {

bool is_patch(const Call& call) { return call.info().verb == "patch"; }

bool has_status_part(const Resource& resource) {
  return resource.find_subresource("status") != nullptr;
}

void take_part(json::Value& object, const json::Value& from, std::string_view name) {
  if (const json::Value* part = from.find(name)) {
    object[name] = *part;
  } else {
    object.erase(name);
  }
}

// The version and uid that the client saw are conditions.
Attempt<void> check_preconditions(const Call& call, const Strategy& strategy,
                                  const Current& current, const json::Value& object) {
  const api::Metadata wanted(object);
  const api::Metadata actual(current.object);
  const std::string_view version = wanted.resource_version();
  if (version.empty() && !strategy.takes_any_version && !is_patch(call)) {
    return refuse(
        invalid(call.resource->gvr.group, call.resource->gvr.resource, call.name(),
                {invalid("metadata.resourceVersion", 0, "must be specified for an update")}));
  }
  if (!version.empty() && version != std::to_string(current.entry->revision)) {
    return refuse(changed_meanwhile(*call.resource, call.name()));
  }
  if (wanted.uid().empty() || wanted.uid() == actual.uid()) return {};
  if (is_patch(call)) {
    return refuse(invalid_object(*call.resource, call.name(),
                                 {invalid("metadata.uid", wanted.uid(), "field is immutable")}));
  }
  return refuse(conflicting(*call.resource, call.name(),
                            fmt::format("Precondition failed: UID in precondition: {}, UID in "
                                        "object meta: {}",
                                        wanted.uid(), actual.uid())));
}

// A write to a part changes that part only; a write to the whole leaves the status alone.
void keep_other_parts(const Call& call, const Current& current, json::Value& object) {
  const json::Value& old = current.object;
  if (call.info().subresource == "status") {
    json::Value result = old;
    take_part(result, object, "status");
    json::Value& metadata = result["metadata"];
    const json::Value* sent = object.find("metadata");
    const json::Value* fields = sent ? sent->find("managedFields") : nullptr;
    if (fields) metadata["managedFields"] = *fields;
    if (!call.resource->custom && sent) {
      // Kubelets annotate their nodes and pods together with the status.
      take_part(metadata, *sent, "labels");
      take_part(metadata, *sent, "annotations");
    }
    object = std::move(result);
    return;
  }
  if (call.info().subresource.empty() && has_status_part(*call.resource)) {
    take_part(object, old, "status");
  }
}

bool differs_outside(const json::Value& a, const json::Value& b, const Resource& resource) {
  const auto relevant = [&resource](std::string_view name) {
    return name != "metadata" && name != "apiVersion" && name != "kind" &&
           !(name == "status" && has_status_part(resource));
  };
  for (const json::Member& member : a.members()) {
    if (!relevant(member.name())) continue;
    const json::Value* other = b.find(member.name());
    if (!other || *other != member.value) return true;
  }
  for (const json::Member& member : b.members()) {
    if (relevant(member.name()) && !a.find(member.name())) return true;
  }
  return false;
}

Attempt<void> check_change(const Call& call, const Strategy& strategy, const Occasion& occasion,
                           const json::Value& object, const json::Value& old) {
  std::vector<Cause> causes = check_metadata_update(object, old);
  for (Cause& cause : check_metadata(object, strategy.name_rule, call.resource->scope)) {
    causes.push_back(std::move(cause));
  }
  const ObjectPart part =
      call.info().subresource == "status" ? ObjectPart::Status : ObjectPart::Whole;
  for (Cause& cause : check_values(*call.resource, object, {.old = &old, .part = part})) {
    causes.push_back(std::move(cause));
  }
  if (strategy.check) {
    for (Cause& cause : strategy.check(object, &old, occasion)) causes.push_back(std::move(cause));
  }
  if (causes.empty()) return {};
  return refuse(invalid_object(*call.resource, call.name(), std::move(causes)));
}

Attempt<void> prepare(const Call& call, const Strategy& strategy, const Occasion& occasion,
                      const Current& current, Proposal& proposal) {
  json::Value& object = proposal.object;
  carry_over_metadata(object, current.object);
  drop_empty_metadata(object);
  keep_other_parts(call, current, object);
  for (std::string& warning : drop_repeated_owners(object)) {
    proposal.warnings.push_back(std::move(warning));
  }
  if (strategy.on_update) RETURN_IF_ERROR(strategy.on_update(object, current.object, occasion));
  put_defaults(*call.resource, object);
  if (strategy.admit) RETURN_IF_ERROR(strategy.admit(object, &current.object, occasion));
  return {};
}

void count_generation(const Call& call, const Strategy& strategy, const json::Value& old,
                      json::Value& object) {
  const bool counts = strategy.counts_generations && call.info().subresource != "status";
  if (!counts || !differs_outside(object, old, *call.resource)) return;
  object["metadata"]["generation"] = api::Metadata(old).generation() + 1;
}

// The writes of a call that is no update itself (a scale, an approval) go through here too.
bool is_settled(const json::Value& object, const json::Value& old) {
  json::Value a = object;
  a["metadata"].erase("resourceVersion");
  json::Value b = old;
  b["metadata"].erase("resourceVersion");
  return a == b;
}

}  // namespace

Attempt<Outcome> update_to(const Call& call, const WriteOptions& options, const Current& current,
                           Proposal proposal, const Rendering& rendering) {
  const Resource& resource = *call.resource;
  const Strategy& strategy = strategy_of(resource);
  const Occasion occasion{.view = call.view,
                          .user = call.request.user,
                          .resource = resource,
                          .subresource = call.info().subresource};
  json::Value& object = proposal.object;
  RETURN_IF_ERROR(check_preconditions(call, strategy, current, object));
  RETURN_IF_ERROR(prepare(call, strategy, occasion, current, proposal));
  RETURN_IF_ERROR(check_change(call, strategy, occasion, object, current.object));
  if (strategy.finish) strategy.finish(object, occasion);
  if (!options.is_applied) {
    object = with_owner(resource, &current.object, std::move(object),
                        {.manager = manager_of(call.request, options),
                         .subresource = call.info().subresource,
                         .now = call.view.now});
  }
  count_generation(call, strategy, current.object, object);
  object = without_new_times(current.object, std::move(object));
  if (is_settled(object, current.object)) {
    return written_response(200, rendering, {.entry = current.entry}, proposal.warnings);
  }
  if (options.is_dry_run) return trial_response(200, rendering, object, proposal.warnings);

  ASSIGN_OR_RETURN(store::Draft draft, stored_draft(resource, object));
  store::EntryWrite write{.key = call.key_of(call.name()), .expected = current.entry->revision};
  // The last finalizer is gone, and with it the object.
  const bool is_last = is_ready_to_go(resource, object);
  if (!is_last) write.draft = draft;
  WriteIntent intent;
  intent.writes.push_back(std::move(write));
  intent.then = [rendering, is_last, draft = std::move(draft),
                 warnings = std::move(proposal.warnings)](
                    const View&, std::span<const store::Written> written) -> Outcome {
    store::Written result = written.front();
    if (is_last) {
      result.entry = std::make_shared<store::Entry>(store::completed(draft, result.revision));
    }
    return written_response(200, rendering, result, warnings);
  };
  return intent;
}

}  // namespace berth::apiserver
