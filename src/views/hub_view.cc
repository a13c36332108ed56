#include "views/hub_view.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"

namespace berth::views {
namespace {

using json::Value;

constexpr std::string_view kClusterGroup = "cluster.open-cluster-management.io";
constexpr std::string_view kSetLabel = "cluster.open-cluster-management.io/clusterset";
constexpr std::string_view kPlacementLabel = "cluster.open-cluster-management.io/placement";

api::Gvr in_cluster_group(std::string version, std::string resource) {
  return {std::string(kClusterGroup), std::move(version), std::move(resource)};
}

api::Gvr in_hosting_group(std::string resource) {
  return {"hosting.berth.dev", "v1alpha1", std::move(resource)};
}

const Value& status_of(const Value& object) { return api::field(object, "status"); }

std::string condition_text(const Value& object, std::string_view type, std::string_view part) {
  const Value* condition = api::find_condition(api::field(status_of(object), "conditions"), type);
  return condition ? api::text_field(*condition, part) : "";
}

std::string age_of(const Value& object, Time now) {
  const auto made = api::time_field(api::field(object, "metadata"), "creationTimestamp");
  return made ? age_text(now - *made) : "";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ","));
}

std::vector<Row> cluster_rows(const Value& cluster, const Surroundings& around) {
  const api::ObjectFacts facts = api::read_facts(cluster);
  const bool accepted =
      api::field(api::field(cluster, "spec"), "hubAcceptsClient").as_bool().value_or(false);
  const Value& capacity = api::field(status_of(cluster), "capacity");
  std::vector<std::string> taints;
  for (const Value& taint : api::elements_field(api::field(cluster, "spec"), "taints")) {
    taints.push_back(api::text_field(taint, "key"));
  }
  return {{facts.name, accepted ? "true" : "false",
           condition_text(cluster, "ManagedClusterConditionAvailable", "status"),
           std::string(facts.label(kSetLabel)), api::text_field(capacity, "cpu"),
           api::text_field(capacity, "memory"),
           api::text_field(api::field(status_of(cluster), "version"), "kubernetes"), joined(taints),
           age_of(cluster, around.now)}};
}

std::vector<Row> set_rows(const Value& set, const Surroundings& around) {
  const std::string name = api::read_facts(set).name;
  const auto bound = around.bound.find(name);
  return {{name, bound == around.bound.end() ? "" : joined(bound->second),
           condition_text(set, "ClusterSetEmpty", "message"), age_of(set, around.now)}};
}

std::vector<Row> placement_rows(const Value& placement, const Surroundings& around) {
  const auto wanted = api::integer_field(api::field(placement, "spec"), "numberOfClusters");
  const auto chosen = api::integer_field(status_of(placement), "numberOfSelectedClusters");
  return {
      {api::read_facts(placement).name, condition_text(placement, "PlacementSatisfied", "status"),
       wanted ? std::to_string(*wanted) : "all", chosen ? std::to_string(*chosen) : "",
       condition_text(placement, "PlacementSatisfied", "reason"),
       condition_text(placement, "PlacementSatisfied", "message"), age_of(placement, around.now)}};
}

std::vector<Row> decision_rows(const Value& decision, const Surroundings& around) {
  const api::ObjectFacts facts = api::read_facts(decision);
  std::vector<std::string> clusters;
  for (const Value& one : api::elements_field(status_of(decision), "decisions")) {
    clusters.push_back(api::text_field(one, "clusterName"));
  }
  return {{facts.name, std::string(facts.label(kPlacementLabel)), joined(clusters),
           age_of(decision, around.now)}};
}

// One for each value; an object without any is there, too.
std::vector<Row> score_rows(const Value& score, const Surroundings& around) {
  const std::string name = api::read_facts(score).name;
  const auto until = api::time_field(status_of(score), "validUntil");
  std::string valid = "always";
  if (until) valid = *until > around.now ? age_text(*until - around.now) : "expired";
  const std::string age = age_of(score, around.now);
  std::vector<Row> rows;
  for (const Value& one : api::elements_field(status_of(score), "scores")) {
    const auto value = api::integer_field(one, "value");
    rows.push_back(
        {name, api::text_field(one, "name"), value ? std::to_string(*value) : "", valid, age});
  }
  if (rows.empty()) rows.push_back({name, "", "", valid, age});
  return rows;
}

std::string number(const Value& object, std::string_view name) {
  const auto value = api::integer_field(object, name);
  return value ? std::to_string(*value) : "";
}

// How old the report is that decisions rest on; a mere score does not say.
std::string observed_text(const Value& ledger, Time now) {
  const Value& status = status_of(ledger);
  const auto fresh = api::field(api::field(status, "load"), "fresh").as_bool();
  if (!fresh) return "";
  if (!*fresh) return "stale";
  const auto at = api::time_field(api::field(status, "observed"), "time");
  return at ? age_text(now - *at) : "by score";
}

std::vector<Row> hosting_rows(const Value& ledger, const Surroundings& around) {
  const Value& load = api::field(status_of(ledger), "load");
  const Value& free = api::field(load, "free");
  const bool cordoned =
      api::field(api::field(ledger, "spec"), "cordoned").as_bool().value_or(false);
  return {{api::read_facts(ledger).object_namespace, number(load, "hosted"),
           number(load, "inFlight"), number(load, "max"), api::text_field(free, "cpu"),
           api::text_field(free, "memory"), api::text_field(free, "pods"),
           cordoned ? "true" : "false", observed_text(ledger, around.now), number(load, "foreign"),
           number(load, "threshold"), age_of(ledger, around.now)}};
}

std::vector<Row> hosted_rows(const Value& request, const Surroundings& around) {
  const Value& status = status_of(request);
  return {{api::read_facts(request).name, api::text_field(status, "phase"),
           api::text_field(status, "hostingCluster"),
           condition_text(request, "Available", "status"), age_of(request, around.now),
           number(api::field(request, "spec"), "priority"), api::text_field(status, "message")}};
}

}  // namespace

std::span<const HubView> hub_views() {
  static const std::vector<HubView> kViews = {
      {.name = "clusters",
       .singular = "cluster",
       .kind_name = "managedclusters",
       .resource = in_cluster_group("v1", "managedclusters"),
       .columns = {"NAME", "ACCEPTED", "AVAILABLE", "CLUSTERSET", "CPU", "MEMORY",
                   "KUBERNETES VERSION"},
       .wide = {"TAINTS", "AGE"},
       .rows = cluster_rows},
      {.name = "clustersets",
       .singular = "clusterset",
       .kind_name = "managedclustersets",
       .resource = in_cluster_group("v1beta2", "managedclustersets"),
       .columns = {"NAME", "BOUND NAMESPACES", "STATUS"},
       .wide = {"AGE"},
       .rows = set_rows},
      {.name = "placements",
       .singular = "placement",
       .kind_name = "placements.cluster.open-cluster-management.io",
       .resource = in_cluster_group("v1beta1", "placements"),
       .is_namespaced = true,
       .columns = {"NAME", "SATISFIED", "WANTED", "CHOSEN", "REASON"},
       .wide = {"MESSAGE", "AGE"},
       .rows = placement_rows},
      {.name = "decisions",
       .singular = "decision",
       .kind_name = "placementdecisions",
       .resource = in_cluster_group("v1beta1", "placementdecisions"),
       .is_namespaced = true,
       .columns = {"NAME", "PLACEMENT", "CLUSTERS"},
       .wide = {"AGE"},
       .rows = decision_rows},
      {.name = "scores",
       .singular = "score",
       .kind_name = "addonplacementscores",
       .resource = in_cluster_group("v1alpha1", "addonplacementscores"),
       .is_namespaced = true,
       .columns = {"NAME", "SCORE", "VALUE", "VALID FOR"},
       .wide = {"AGE"},
       .rows = score_rows},
      {.name = "hosting",
       .singular = "hostingledger",
       .kind_name = "hostingledgers",
       .resource = in_hosting_group("hostingledgers"),
       .object_name = "hosting",
       .columns = {"CLUSTER", "HOSTED", "IN FLIGHT", "MAX", "FREE CPU", "FREE MEMORY", "FREE PODS",
                   "CORDONED", "OBSERVED"},
       .wide = {"FOREIGN", "THRESHOLD", "AGE"},
       .rows = hosting_rows},
      {.name = "hostedclusterrequests",
       .singular = "hostedclusterrequest",
       .kind_name = "hostedclusterrequests.hosting.berth.dev",
       .resource = in_hosting_group("hostedclusterrequests"),
       .is_namespaced = true,
       .columns = {"NAME", "PHASE", "CLUSTER", "AVAILABLE", "AGE"},
       .wide = {"PRIORITY", "MESSAGE"},
       .rows = hosted_rows},
  };
  return kViews;
}

const HubView* find_view(std::string_view name) {
  const auto found = std::ranges::find_if(hub_views(), [name](const HubView& view) {
    return name == view.name || name == view.singular || name == view.kind_name;
  });
  return found == hub_views().end() ? nullptr : &*found;
}

std::string view_text(const HubView& view, std::span<const Value> objects,
                      const Surroundings& surroundings, std::string_view ns, Width width) {
  const bool shows_namespace = view.is_namespaced && ns.empty();
  Row columns = view.columns;
  if (width == Width::Wide) columns.insert(columns.end(), view.wide.begin(), view.wide.end());
  const std::size_t cells = columns.size();
  // A cluster's scores are in the namespace of its name.
  if (shows_namespace) columns.insert(columns.begin(), "NAMESPACE");
  std::vector<Row> rows;
  for (const Value& object : objects) {
    for (Row& row : view.rows(object, surroundings)) {
      row.resize(cells);
      if (shows_namespace) row.insert(row.begin(), api::read_facts(object).object_namespace);
      rows.push_back(std::move(row));
    }
  }
  return table_text(columns, rows);
}

std::string age_text(Duration length) {
  using namespace std::chrono_literals;
  if (length < 0s) return "0s";
  if (length < 2min) return fmt::format("{}s", length / 1s);
  if (length < 2h) return fmt::format("{}m", length / 1min);
  if (length < 48h) return fmt::format("{}h", length / 1h);
  return fmt::format("{}d", length / 24h);
}

}  // namespace berth::views
