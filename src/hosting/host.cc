#include "hosting/host.h"

#include <algorithm>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/fields.h"
#include "api/kinds/managed_cluster.h"
#include "base/strings.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using api::field;
using api::text_field;
using json::Value;

bool claim_is_true(const Host& host, std::string_view name) {
  return api::Labels(host.claims).find(name) == "true";
}

// When the scores were last written, as the server noted it. A score has no such time of its own.
std::optional<Time> written_at(const Value& score) {
  std::optional<Time> latest;
  for (const Value& entry : api::elements_field(field(score, "metadata"), "managedFields")) {
    const auto time = api::time_field(entry, "time");
    if (time && field(field(entry, "fieldsV1"), "f:status").is_object()) {
      latest = std::max(latest.value_or(*time), *time);
    }
  }
  return latest;
}

std::optional<Observation> read_score(const HostSources& sources) {
  if (!sources.score) return std::nullopt;
  const api::AddOnPlacementScore score = api::read_add_on_placement_score(*sources.score);
  const auto item =
      std::ranges::find(score.scores, kCountItem, &api::AddOnPlacementScore::Item::name);
  if (item == score.scores.end()) return std::nullopt;
  Observation observation{.source = Observation::Source::Score,
                          .count = std::max(item->value, 0),
                          .at = written_at(*sources.score),
                          .valid_until = score.valid_until};
  if (sources.add_on) observation.is_live = api::is_condition_true(*sources.add_on, "Available");
  // The agent lives, and says that it could not count.
  if (api::is_condition_false(*sources.score, "HostedClusterCountUpdated")) {
    observation.is_live = false;
  }
  return observation;
}

// The agent's own words if they still hold, else what there is for everybody.
Observation observe(const HostSources& sources, const HostingLedger& ledger, Time now) {
  const KnownAmounts allocatable =
      read_known_amounts(field(field(sources.cluster, "status"), "allocatable"));
  std::optional<Observation> score = read_score(sources);
  if (score) score->capacity = allocatable;
  if (!ledger.observed) return score.value_or(Observation{.capacity = allocatable});
  const ExactObservation& exact = *ledger.observed;
  Observation observation{.source = Observation::Source::Agent,
                          .count = static_cast<std::int64_t>(exact.items.size()),
                          .items = exact.items,
                          .at = exact.at,
                          .valid_until = exact.valid_until,
                          .capacity = exact.capacity,
                          .free = exact.free};
  const bool is_stale = !staleness(observation, now).empty();
  return is_stale && score && staleness(*score, now).empty() ? *score : observation;
}

}  // namespace

void Host::weigh(Time now) { load = load_of(ledger, observation, now); }

Thresholds read_thresholds(const Value* deployment_config) {
  if (!deployment_config) return {};
  std::optional<std::int64_t> hosted_max = Thresholds().hosted_max;
  std::optional<std::int64_t> threshold = Thresholds().threshold;
  for (const Value& variable :
       api::elements_field(field(*deployment_config, "spec"), "customizedVariables")) {
    const std::string name = text_field(variable, "name");
    if (name == "hcMaxNumber") hosted_max = parse_int64(text_field(variable, "value"));
    if (name == "hcThresholdNumber") threshold = parse_int64(text_field(variable, "value"));
  }
  const bool makes_sense =
      hosted_max && threshold && *hosted_max >= 1 && *threshold >= 1 && *hosted_max >= *threshold;
  if (!makes_sense) return {};
  return {.hosted_max = *hosted_max, .threshold = *threshold};
}

std::string deployment_config_of(const Value& add_on) {
  for (const Value& reference : api::elements_field(field(add_on, "status"), "configReferences")) {
    if (text_field(reference, "resource") != "addondeploymentconfigs") continue;
    const Value& desired = field(reference, "desiredConfig");
    const Value& named = desired.is_object() ? desired : reference;
    const std::string name = text_field(named, "name");
    if (!name.empty()) return text_field(named, "namespace") + "/" + name;
  }
  return "";
}

Host read_host(const HostSources& sources, Time now) {
  api::ManagedCluster cluster = api::read_managed_cluster(sources.cluster);
  Host host{
      .name = cluster.facts.name,
      .labels = std::move(cluster.facts.labels),
      .claims = std::move(cluster.claims),
      .taints = std::move(cluster.taints),
      .is_accepted =
          field(field(sources.cluster, "spec"), "hubAcceptsClient").as_bool().value_or(false),
      .is_available = api::is_condition_true(sources.cluster, "ManagedClusterConditionAvailable"),
      .is_deleting = cluster.facts.is_deleting,
      .has_ledger = sources.ledger != nullptr,
      .thresholds = read_thresholds(sources.deployment_config)};
  host.is_hosting = claim_is_true(host, kHostingClaim);
  host.says_full = claim_is_true(host, kFullClaim);
  if (sources.ledger) host.ledger = read_ledger(*sources.ledger);
  if (host.ledger.hosted_max) {
    host.thresholds.hosted_max = std::max<std::int64_t>(*host.ledger.hosted_max, 0);
    host.thresholds.threshold = std::min(host.thresholds.threshold, host.thresholds.hosted_max);
  }
  if (host.ledger.threshold) host.thresholds.threshold = *host.ledger.threshold;
  host.observation = observe(sources, host.ledger, now);
  host.weigh(now);
  return host;
}

}  // namespace berth::hosting
