#include "apiserver/verbs/removal.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/objects/stored_form.h"
#include "apiserver/requests/continue_token.h"
#include "apiserver/strategies/namespaces.h"
#include "apiserver/strategies/pod_deletion.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/read.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

std::vector<std::string> finalizers_after(const json::Value& object, Propagation propagation) {
  std::vector<std::string> finalizers;
  for (const std::string_view name : api::Metadata(object).finalizers()) {
    const bool is_policy = name == kOrphanFinalizer || name == kForegroundFinalizer;
    if (propagation == Propagation::Unset || !is_policy) finalizers.emplace_back(name);
  }
  if (propagation == Propagation::Orphan) finalizers.emplace_back(kOrphanFinalizer);
  if (propagation == Propagation::Foreground) finalizers.emplace_back(kForegroundFinalizer);
  return finalizers;
}

void set_finalizers(json::Value& object, const std::vector<std::string>& finalizers) {
  if (finalizers.empty()) {
    object["metadata"].erase("finalizers");
    return;
  }
  json::Value list = json::Value::array();
  for (const std::string& name : finalizers) list.push_back(name);
  object["metadata"]["finalizers"] = std::move(list);
}

bool has_namespace_finalizers(const Resource& resource, const json::Value& object) {
  if (resource.table != "namespaces") return false;
  const json::Value* finalizers = object.find_path({"spec", "finalizers"});
  return finalizers && finalizers->size() > 0;
}

void mark(const Strategy& strategy, json::Value& object, Time now) {
  json::Value& metadata = object["metadata"];
  metadata["deletionTimestamp"] = format_seconds(now);
  // Where the server itself cleans up, the reference only notes the time.
  if (strategy.cleanup_finalizer.empty()) {
    metadata["deletionGracePeriodSeconds"] = 0;
    const std::int64_t generation = api::Metadata(object).generation();
    if (generation > 0) metadata["generation"] = generation + 1;
  }
  if (strategy.on_mark) strategy.on_mark(object, now);
}

// Only pods are given time; others stay for their finalizers.
Removal plan_pod_removal(const json::Value& pod, const std::vector<std::string>& finalizers,
                         const DeleteOptions& options, Time now) {
  PodDeletion deletion = delete_pod(pod, options.grace_seconds, now);
  if (deletion.action == PodDeletion::Action::Remove && finalizers.empty()) {
    return {.kind = Removal::Kind::AtOnce};
  }
  Removal removal{.kind = Removal::Kind::Marked, .object = std::move(deletion.pod)};
  set_finalizers(removal.object, finalizers);
  if (removal.object == pod) removal.kind = Removal::Kind::Already;
  return removal;
}

Outcome gone_response(const Call& call, const json::Value& object) {
  const api::Metadata metadata(object);
  StatusDetails details = details_of(*call.resource, metadata.name());
  details.uid = metadata.uid();
  return json_response(200, success_status(details));
}

// Where the page of a deletion of many begins.
Attempt<std::string> first_of(const Selection& selection, const ListOptions& options) {
  if (options.continue_token.empty()) {
    return selection.name.empty() ? selection.prefix : selection.name;
  }
  ASSIGN_OR_RETURN(const ContinueToken token,
                   decode_continue(options.continue_token, selection.prefix));
  return token.start;
}

// What one removal writes; nothing when it is already under way.
Attempt<std::optional<store::EntryWrite>> write_of(const Resource& resource, const Current& current,
                                                   const Removal& removal, store::Key key) {
  if (removal.kind == Removal::Kind::Already) return std::nullopt;
  store::EntryWrite write{.key = std::move(key), .expected = current.entry->revision};
  if (removal.kind == Removal::Kind::Marked) {
    ASSIGN_OR_RETURN(write.draft, stored_draft(resource, removal.object));
  }
  return write;
}

}  // namespace

Removal plan_removal(const Resource& resource, const json::Value& object,
                     const DeleteOptions& options, Time now) {
  const Strategy& strategy = strategy_of(resource);
  const api::Metadata metadata(object);
  std::vector<std::string> finalizers = finalizers_after(object, options.propagation);
  const std::string_view cleanup = strategy.cleanup_finalizer;
  if (!cleanup.empty() && !metadata.is_being_deleted() && !metadata.has_finalizer(cleanup)) {
    finalizers.emplace_back(cleanup);
  }
  if (resource.table == "pods") return plan_pod_removal(object, finalizers, options, now);
  const bool is_held = !finalizers.empty() || has_namespace_finalizers(resource, object);
  if (!is_held) return {.kind = Removal::Kind::AtOnce};

  Removal removal{.kind = Removal::Kind::Marked, .object = object};
  set_finalizers(removal.object, finalizers);
  if (!metadata.is_being_deleted()) {
    mark(strategy, removal.object, now);
  } else if (removal.object == object) {
    removal.kind = Removal::Kind::Already;
  }
  return removal;
}

bool is_ready_to_go(const Resource& resource, const json::Value& object) {
  const api::Metadata metadata(object);
  if (!metadata.is_being_deleted() || !metadata.finalizers().empty()) return false;
  if (has_namespace_finalizers(resource, object)) return false;
  const json::Value* grace = object.find_path({"metadata", "deletionGracePeriodSeconds"});
  return !grace || grace->as_int().value_or(0) == 0;
}

Attempt<void> check_delete_preconditions(const Resource& resource, const json::Value& object,
                                         const DeleteOptions& options) {
  const api::Metadata metadata(object);
  const auto refuse_for = [&](std::string_view what, std::string_view wanted,
                              std::string_view actual) {
    return refuse(conflicting(resource, metadata.name(),
                              fmt::format("the {0} in the precondition ({1}) does not match the "
                                          "{0} in record ({2}). The object might have been deleted "
                                          "and then recreated",
                                          what, wanted, actual)));
  };
  if (options.uid && *options.uid != metadata.uid()) {
    return refuse_for("UID", *options.uid, metadata.uid());
  }
  if (options.version && *options.version != metadata.resource_version()) {
    return refuse_for("ResourceVersion", *options.version, metadata.resource_version());
  }
  if (resource.table == "namespaces" && is_permanent_namespace(metadata.name())) {
    return refuse(forbidden(resource, metadata.name(), "this namespace may not be deleted"));
  }
  return {};
}

Attempt<Outcome> remove_object(const Call& call, const Current& current,
                               const DeleteOptions& options) {
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  RETURN_IF_ERROR(check_delete_preconditions(*call.resource, current.object, options));
  Removal removal = plan_removal(*call.resource, current.object, options, call.view.now);
  if (options.is_dry_run) {
    if (removal.kind == Removal::Kind::AtOnce) return gone_response(call, current.object);
    return trial_response(200, rendering, removal.object, {});
  }
  const std::string name(api::Metadata(current.object).name());
  ASSIGN_OR_RETURN(auto write, write_of(*call.resource, current, removal, call.key_of(name)));
  if (!write) return written_response(200, rendering, {.entry = current.entry}, {});

  const bool answers_object =
      removal.kind == Removal::Kind::Marked || call.resource->table == "pods";
  WriteIntent intent;
  intent.writes.push_back(*std::move(write));
  intent.then = [rendering, answers_object, gone = gone_response(call, current.object)](
                    const View&, std::span<const store::Written> written) mutable -> Outcome {
    if (!answers_object) return std::move(gone);
    return written_response(200, rendering, written.front(), {});
  };
  return intent;
}

Attempt<Outcome> delete_object(const Call& call) {
  ASSIGN_OR_RETURN(const auto body, read_options_body(call));
  ASSIGN_OR_RETURN(const DeleteOptions options,
                   read_delete_options(body ? &*body : nullptr, call.request.query));
  const store::EntryPtr entry = call.find();
  if (!entry) return refuse(no_such_object(*call.resource, call.name()));
  ASSIGN_OR_RETURN(Current current, read_current(entry));
  current.object = from_stored(*call.resource, std::move(current.object));
  return remove_object(call, current, options);
}

Attempt<Outcome> delete_collection(const Call& call) {
  ASSIGN_OR_RETURN(const auto body, read_options_body(call));
  ASSIGN_OR_RETURN(const DeleteOptions options,
                   read_delete_options(body ? &*body : nullptr, call.request.query));
  ASSIGN_OR_RETURN(const ListOptions list, read_list_options(call.request.query, ListUse::List));
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  ASSIGN_OR_RETURN(const Selection selection, call.selection(list));
  const store::Table& table = call.view.snapshot->table(call.resource->table);
  ASSIGN_OR_RETURN(const std::string from, first_of(selection, list));
  const std::size_t limit = list.limit > 0 ? static_cast<std::size_t>(list.limit)
                                           : std::numeric_limits<std::size_t>::max();
  const Page page = select_entries(table, selection, from, limit);
  WriteIntent intent;
  for (const store::EntryPtr& entry : page.entries) {
    ASSIGN_OR_RETURN(Current current, read_current(entry));
    current.object = from_stored(*call.resource, std::move(current.object));
    RETURN_IF_ERROR(check_delete_preconditions(*call.resource, current.object, options));
    const Removal removal = plan_removal(*call.resource, current.object, options, call.view.now);
    const api::Metadata about(current.object);
    store::Key key{.table = call.resource->table,
                   .name = table_name(about.namespace_name(), about.name())};
    ASSIGN_OR_RETURN(auto write, write_of(*call.resource, current, removal, std::move(key)));
    if (write) intent.writes.push_back(*std::move(write));
  }
  ListMetadata metadata{.revision = call.view.snapshot->revision()};
  if (!page.next.empty()) {
    metadata.continue_token = encode_continue(
        {.revision = static_cast<std::int64_t>(metadata.revision), .start = page.next},
        selection.prefix);
  }
  std::string text = rendering.list(page.entries, metadata);
  if (options.is_dry_run || intent.writes.empty()) return json_response(200, std::move(text));
  intent.then = [text = std::move(text)](const View&,
                                         std::span<const store::Written>) mutable -> Outcome {
    return json_response(200, std::move(text));
  };
  return intent;
}

}  // namespace berth::apiserver
