// Placement: how a user asks for clusters, read once into what the scheduler works with.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/kinds/fields.h"
#include "api/label_selector.h"
#include "api/taint.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::api {

inline constexpr std::string_view kSchedulingDisableAnnotation =
    "cluster.open-cluster-management.io/experimental-scheduling-disable";
inline constexpr std::string_view kMissingScoresAnnotation = "placement.berth.dev/missing-scores";
inline constexpr std::string_view kMinGainAnnotation = "placement.berth.dev/min-gain";

// All of the three must match. A selector that cannot be read is kept as its error: whether anybody
// is told depends on whether scheduling gets that far.
struct ClusterSelector {
  Result<LabelSelector> labels = LabelSelector();
  Result<LabelSelector> claims = LabelSelector();
  std::vector<std::string> expressions = {};
};

struct AddOnScore {
  std::string resource = {};
  std::string score = {};

  auto operator<=>(const AddOnScore&) const = default;
};

struct PrioritizerConfiguration {
  bool has_coordinate = false;
  std::string type = {};  // BuiltIn or AddOn; "" when nobody applied the schema's default.
  std::string built_in = {};
  std::optional<AddOnScore> add_on = std::nullopt;
  std::int32_t weight = 0;
};

struct SpreadConstraint {
  enum class KeyType : std::uint8_t { Label, Claim };
  enum class WhenUnsatisfiable : std::uint8_t { ScheduleAnyway, DoNotSchedule };

  KeyType key_type = KeyType::Label;
  std::string topology_key = {};
  std::int32_t skew_max = 1;
  WhenUnsatisfiable when_unsatisfiable = WhenUnsatisfiable::ScheduleAnyway;
};

struct DecisionGroup {
  std::string name = {};
  ClusterSelector selector = {};  // Labels and claims only.
};

// A number of clusters, or a text that should be a percentage.
using GroupSize = std::variant<std::int64_t, std::string>;

enum class SortBy : std::uint8_t { ClusterName, Score };

struct DecisionGroupStatus {
  std::int32_t index = 0;
  std::string name = {};
  std::vector<std::string> decisions = {};  // Names of PlacementDecisions.
  std::int32_t cluster_count = 0;

  bool operator==(const DecisionGroupStatus&) const = default;
};

struct PlacementStatus {
  std::int32_t selected = 0;
  std::vector<DecisionGroupStatus> groups = {};
  json::Value conditions = {};  // As they are: others may keep conditions of their own there.
  std::optional<Time> last_score_update = std::nullopt;
};

struct Placement {
  ObjectFacts facts = {};
  std::vector<std::string> cluster_sets = {};
  std::optional<std::int32_t> number_of_clusters = std::nullopt;
  std::vector<ClusterSelector> predicates = {};
  std::string mode = {};
  std::vector<PrioritizerConfiguration> configurations = {};
  std::vector<SpreadConstraint> spread = {};
  std::vector<Toleration> tolerations = {};
  std::vector<DecisionGroup> groups = {};
  GroupSize group_size = std::int64_t{0};
  SortBy sort_by = SortBy::ClusterName;
  Duration score_rate_limit = std::chrono::minutes(1);
  PlacementStatus status = {};

  // The annotation counts only as exactly "true".
  bool is_disabled() const { return facts.annotation(kSchedulingDisableAnnotation) == "true"; }
};

Placement read_placement(const json::Value& object);

}  // namespace berth::api
