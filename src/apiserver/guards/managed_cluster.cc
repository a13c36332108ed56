#include "apiserver/guards/managed_cluster.h"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/metadata.h"
#include "api/names.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "http/url.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

bool accepts_client(const json::Value* cluster) {
  const json::Value* field =
      cluster == nullptr ? nullptr : cluster->find_path({"spec", "hubAcceptsClient"});
  return field != nullptr && field->as_bool().value_or(false);
}

std::string_view set_of(const json::Value* cluster) {
  if (cluster == nullptr) return {};
  return api::Metadata(*cluster).labels().find(kClusterSetLabel).value_or("");
}

const json::Value* find_taint(const json::Value* cluster, std::string_view key) {
  const json::Value* taints = cluster == nullptr ? nullptr : cluster->find_path({"spec", "taints"});
  if (taints == nullptr) return nullptr;
  for (const json::Value& taint : taints->elements()) {
    if (text_of(taint, "key") == key) return &taint;
  }
  return nullptr;
}

// Nullopt for none; what is no time was refused by the schema.
std::optional<Time> time_added(const json::Value& taint) {
  const auto time = parse_rfc3339(text_of(taint, "timeAdded"));
  return time.ok() ? std::optional(*time) : std::nullopt;
}

Attempt<void> stamp_taints(const GuardedWrite& write, json::Value& cluster) {
  json::Value* spec = cluster.find("spec");
  json::Value* taints = spec == nullptr ? nullptr : spec->find("taints");
  if (taints == nullptr) return {};
  std::vector<std::string> wrong;
  for (json::Value& taint : taints->elements()) {
    if (!taint.is_object()) continue;
    const json::Value* old = find_taint(write.before, text_of(taint, "key"));
    const bool is_same = old != nullptr && text_of(*old, "value") == text_of(taint, "value") &&
                         text_of(*old, "effect") == text_of(taint, "effect");
    const auto added = time_added(taint);
    if (write.before != nullptr && (is_same ? added != time_added(*old) : added.has_value())) {
      wrong.emplace_back(text_of(taint, "key"));
    } else if (!is_same) {
      taint["timeAdded"] = format_seconds(write.now);
    }
  }
  if (wrong.empty()) return {};
  return refuse(Code::BadRequest, fmt::format("It is not allowed to set TimeAdded of Taint {}.",
                                              quote(join(wrong, ","))));
}

void add_default_set(json::Value& cluster) {
  json::Value& labels = cluster["metadata"]["labels"];
  if (labels.is_null()) labels = json::Value::object();
  json::Value& set = labels[kClusterSetLabel];
  if (set.string_or_empty().empty()) set = "default";
}

Attempt<void> check_form(const GuardedWrite& write, const json::Value& cluster) {
  std::vector<std::string> problems;
  const json::Value* configs = cluster.find_path({"spec", "managedClusterClientConfigs"});
  const bool has_configs = configs != nullptr && configs->size() > 0;
  // OCM looks at the name only if there are such configurations; then acceptance fails later, when
  // the namespace cannot be made. Clusters that exist are left in peace.
  if (write.before == nullptr || has_configs) {
    const api::Problems name = api::check_dns1123_label(api::Metadata(cluster).name());
    if (!name.empty()) {
      problems.push_back("metadata.name format is not correct: " + join(name, ","));
    }
  }
  if (has_configs) {
    for (const json::Value& config : configs->elements()) {
      const auto url = http::parse_url(text_of(config, "url"));
      if (!url.ok() || url->scheme != http::Scheme::Https) {
        problems.push_back(
            fmt::format("url {} is invalid in client configs", quote(text_of(config, "url"))));
      }
    }
  }
  if (problems.empty()) return {};
  return refuse(Code::BadRequest, join(problems, "\n"));
}

Attempt<void> check_accept(const GuardedWrite& write, const json::Value& cluster) {
  if (!accepts_client(&cluster) || accepts_client(write.before)) return {};
  const std::string name(api::Metadata(cluster).name());
  if (write.namespace_phase == "Terminating") {
    return refuse(
        {{.code = Code::Forbidden,
          .message =
              fmt::format("managedclusters/accept.{} {} is forbidden: cluster namespace {} is "
                          "terminating",
                          kClusterGroup, quote(name), quote(name))},
         {.name = name, .group = std::string(kClusterGroup), .kind = "managedclusters/accept"}});
  }
  return check_demand(
      write,
      {.group = "register.open-cluster-management.io",
       .resource = "managedclusters",
       .subresource = "accept",
       .verb = "update",
       .name = name},
      fmt::format("user {} cannot update the HubAcceptsClient field", quote(write.user.name)));
}

Attempt<void> check_sets(const GuardedWrite& write, const json::Value& cluster) {
  const std::string_view left = set_of(write.before);
  const std::string_view entered = set_of(&cluster);
  if (left == entered) return {};
  for (const std::string_view set : {left, entered}) {
    if (set.empty()) continue;
    RETURN_IF_ERROR(check_demand(
        write,
        {.group = std::string(kClusterGroup),
         .resource = "managedclustersets",
         .subresource = "join",
         .verb = "create",
         .name = std::string(set)},
        fmt::format("user {} cannot add/remove a ManagedCluster to/from ManagedClusterSet {}",
                    quote(write.user.name), quote(set))));
  }
  return {};
}

}  // namespace

Attempt<json::Value> guard_managed_cluster(const GuardedWrite& write, json::Value after) {
  RETURN_IF_ERROR(stamp_taints(write, after));
  add_default_set(after);
  RETURN_IF_ERROR(check_form(write, after));
  RETURN_IF_ERROR(check_accept(write, after));
  RETURN_IF_ERROR(check_sets(write, after));
  return after;
}

}  // namespace berth::apiserver
