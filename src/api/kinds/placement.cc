#include "api/kinds/placement.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace berth::api {
namespace {

// Absent means everything here, because Go's type has the selector by value.
Result<LabelSelector> read_selector(const json::Value& selector) {
  return selector.is_null() ? LabelSelector() : LabelSelector::from_json(selector);
}

// Claims have matchExpressions only; a matchLabels would have been dropped by the schema.
Result<LabelSelector> read_claim_selector(const json::Value& selector) {
  json::Value expressions = json::Value::object();
  expressions["matchExpressions"] = field(selector, "matchExpressions");
  return LabelSelector::from_json(expressions);
}

ClusterSelector read_cluster_selector(const json::Value& selector) {
  return {.labels = read_selector(field(selector, "labelSelector")),
          .claims = read_claim_selector(field(selector, "claimSelector")),
          .expressions = texts_field(field(selector, "celSelector"), "celExpressions")};
}

PrioritizerConfiguration read_configuration(const json::Value& configuration) {
  const json::Value& coordinate = field(configuration, "scoreCoordinate");
  PrioritizerConfiguration read{.has_coordinate = coordinate.is_object(),
                                .type = text_field(coordinate, "type"),
                                .built_in = text_field(coordinate, "builtIn"),
                                .weight = int32_field(configuration, "weight").value_or(0)};
  if (const json::Value& add_on = field(coordinate, "addOn"); add_on.is_object()) {
    read.add_on = AddOnScore{.resource = text_field(add_on, "resourceName"),
                             .score = text_field(add_on, "scoreName")};
  }
  return read;
}

SpreadConstraint read_constraint(const json::Value& constraint) {
  using KeyType = SpreadConstraint::KeyType;
  using When = SpreadConstraint::WhenUnsatisfiable;
  const bool by_claim = field(constraint, "topologyKeyType").string_or_empty() == "Claim";
  const bool is_hard = field(constraint, "whenUnsatisfiable").string_or_empty() == "DoNotSchedule";
  return {.key_type = by_claim ? KeyType::Claim : KeyType::Label,
          .topology_key = text_field(constraint, "topologyKey"),
          .skew_max = std::max(1, int32_field(constraint, "maxSkew").value_or(1)),
          .when_unsatisfiable = is_hard ? When::DoNotSchedule : When::ScheduleAnyway};
}

GroupSize read_group_size(const json::Value& size) {
  if (const auto text = size.as_string()) return std::string(*text);
  return size.as_int().value_or(0);
}

// One number and one of h, m, s, as the schema has it; a minute for anything else.
Duration read_rate_limit(std::string_view text) {
  constexpr std::int64_t kNumberMax = 1'000'000;
  constexpr Duration kDefault = std::chrono::minutes(1);
  if (text.empty()) return kDefault;
  const auto number = parse_int64(text.substr(0, text.size() - 1));
  if (!number || *number < 0) return kDefault;
  const std::int64_t limited = std::min(*number, kNumberMax);
  switch (text.back()) {
    case 'h':
      return std::chrono::hours(limited);
    case 'm':
      return std::chrono::minutes(limited);
    case 's':
      return std::chrono::seconds(limited);
    default:
      return kDefault;
  }
}

PlacementStatus read_status(const json::Value& status) {
  PlacementStatus read{.selected = int32_field(status, "numberOfSelectedClusters").value_or(0),
                       .conditions = field(status, "conditions"),
                       .last_score_update = time_field(status, "lastScoreUpdateTime")};
  for (const json::Value& group : elements_field(status, "decisionGroups")) {
    read.groups.push_back({.index = int32_field(group, "decisionGroupIndex").value_or(0),
                           .name = text_field(group, "decisionGroupName"),
                           .decisions = texts_field(group, "decisions"),
                           .cluster_count = int32_field(group, "clusterCount").value_or(0)});
  }
  return read;
}

void read_spec(const json::Value& spec, Placement& placement) {
  for (const json::Value& predicate : elements_field(spec, "predicates")) {
    placement.predicates.push_back(
        read_cluster_selector(field(predicate, "requiredClusterSelector")));
  }
  const json::Value& policy = field(spec, "prioritizerPolicy");
  placement.mode = text_field(policy, "mode");
  for (const json::Value& configuration : elements_field(policy, "configurations")) {
    placement.configurations.push_back(read_configuration(configuration));
  }
  for (const json::Value& constraint :
       elements_field(field(spec, "spreadPolicy"), "spreadConstraints")) {
    placement.spread.push_back(read_constraint(constraint));
  }
  for (const json::Value& toleration : elements_field(spec, "tolerations")) {
    placement.tolerations.push_back(Toleration::from_json(toleration));
  }
  const json::Value& groups = field(field(spec, "decisionStrategy"), "groupStrategy");
  for (const json::Value& group : elements_field(groups, "decisionGroups")) {
    placement.groups.push_back(
        {.name = text_field(group, "groupName"),
         .selector = read_cluster_selector(field(group, "groupClusterSelector"))});
    placement.groups.back().selector.expressions.clear();
  }
  placement.group_size = read_group_size(field(groups, "clustersPerDecisionGroup"));
}

}  // namespace

Placement read_placement(const json::Value& object) {
  const json::Value& spec = field(object, "spec");
  Placement placement{
      .facts = read_facts(object),
      .cluster_sets = texts_field(spec, "clusterSets"),
      .number_of_clusters = int32_field(spec, "numberOfClusters"),
      .sort_by =
          field(spec, "sortBy").string_or_empty() == "Score" ? SortBy::Score : SortBy::ClusterName,
      .score_rate_limit = read_rate_limit(field(spec, "scoreRateLimit").string_or_empty()),
      .status = read_status(field(object, "status"))};
  read_spec(spec, placement);
  return placement;
}

}  // namespace berth::api
