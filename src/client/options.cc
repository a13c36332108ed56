#include "client/options.h"

#include <algorithm>
#include <string_view>

namespace berth::client {
namespace {

void add(Query& query, std::string_view name, std::string_view value) {
  if (!value.empty()) query.emplace_back(name, value);
}

void add_selection(Query& query, const Selection& selection) {
  add(query, "labelSelector", selection.labels);
  add(query, "fieldSelector", selection.fields);
}

std::string_view name_of(FieldValidation validation) {
  switch (validation) {
    case FieldValidation::ServerDefault:
      return "";
    case FieldValidation::Ignore:
      return "Ignore";
    case FieldValidation::Warn:
      return "Warn";
    case FieldValidation::Strict:
      return "Strict";
  }
  return "";
}

std::string_view name_of(Propagation propagation) {
  switch (propagation) {
    case Propagation::ServerDefault:
      return "";
    case Propagation::Background:
      return "Background";
    case Propagation::Foreground:
      return "Foreground";
    case Propagation::Orphan:
      return "Orphan";
  }
  return "";
}

}  // namespace

Query query_of(const ListOptions& options) {
  Query query;
  add_selection(query, options.selection);
  if (options.limit > 0) add(query, "limit", std::to_string(options.limit));
  add(query, "continue", options.continue_token);
  // A token carries its own version; naming one besides is refused by servers.
  if (options.continue_token.empty()) {
    add(query, "resourceVersion", options.resource_version);
    add(query, "resourceVersionMatch", options.resource_version_match);
  }
  return query;
}

Query query_of(const WatchOptions& options) {
  Query query = {{"watch", "true"}, {"allowWatchBookmarks", "true"}};
  add_selection(query, options.selection);
  add(query, "resourceVersion", options.resource_version);
  if (options.initial_events == InitialEvents::Yes) {
    add(query, "sendInitialEvents", "true");
    add(query, "resourceVersionMatch", "NotOlderThan");
  }
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(options.timeout).count();
  add(query, "timeoutSeconds", std::to_string(std::max<std::int64_t>(seconds, 1)));
  return query;
}

Query query_of(const WriteOptions& options) {
  Query query;
  if (options.dry_run == DryRun::Yes) add(query, "dryRun", "All");
  add(query, "fieldManager", options.field_manager);
  add(query, "fieldValidation", name_of(options.field_validation));
  return query;
}

Query query_of(const PatchOptions& options) {
  Query query = query_of(options.write);
  const bool force =
      options.type == PatchType::Apply && options.conflicts == ApplyConflicts::TakeOver;
  if (force) add(query, "force", "true");
  return query;
}

json::Value body_of(const DeleteOptions& options) {
  json::Value body = json::Value::object({{"apiVersion", "v1"}, {"kind", "DeleteOptions"}});
  if (options.grace_period_seconds) body["gracePeriodSeconds"] = *options.grace_period_seconds;
  if (!options.uid.empty()) body["preconditions"]["uid"] = options.uid;
  if (!options.resource_version.empty()) {
    body["preconditions"]["resourceVersion"] = options.resource_version;
  }
  if (const auto policy = name_of(options.propagation); !policy.empty()) {
    body["propagationPolicy"] = policy;
  }
  if (options.dry_run == DryRun::Yes) body["dryRun"].push_back("All");
  return body;
}

std::string_view content_type_of(PatchType type) {
  switch (type) {
    case PatchType::Json:
      return "application/json-patch+json";
    case PatchType::Merge:
      return "application/merge-patch+json";
    case PatchType::Strategic:
      return "application/strategic-merge-patch+json";
    case PatchType::Apply:
      return "application/apply-patch+yaml";
  }
  return "";
}

}  // namespace berth::client
