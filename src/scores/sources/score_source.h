// ScoreSource: which questions to ask a Prometheus, and whose scores the answers are.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/fields.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "scores/normalise.h"

namespace berth::scores {

// Secrets and ConfigMaps that sources may read carry this label with the value "true". Whoever may
// write a source but not read Secrets could otherwise have any of them sent to a server of his own.
inline constexpr std::string_view kSourceMaterialLabel = "scores.berth.dev/score-source";

// One value in a Secret or ConfigMap of the source's namespace.
struct MaterialRef {
  enum class Kind : std::uint8_t { Secret, ConfigMap };

  Kind kind = Kind::Secret;
  std::string name = {};
  std::string key = {};

  bool operator==(const MaterialRef&) const = default;
};

struct Endpoint {
  std::string url = {};
  Duration timeout = std::chrono::seconds(30);
  std::optional<MaterialRef> token = std::nullopt;
  std::string authorities_pem = {};  // Inline. Empty: those of the reference, or of the system.
  std::optional<MaterialRef> authorities = std::nullopt;
  std::string client_certificate_secret = {};  // Its tls.crt and tls.key; empty: none.
  std::string server_name = {};                // Empty: the host of the URL.

  bool operator==(const Endpoint&) const = default;
};

struct ThanosOptions {
  bool dedup = true;
  bool partial_response = false;

  bool operator==(const ThanosOptions&) const = default;
};

struct FleetNormaliser {
  enum class Type : std::uint8_t {
    Bounds,      // Each cluster for itself.
    FleetRange,  // Between the least and the greatest number there is now.
    FleetRank,   // By the place among all numbers there are now.
  };

  Type type = Type::Bounds;
  Normaliser line = {.min = 0, .max = 1};  // Its bounds count for Bounds only.

  bool operator==(const FleetNormaliser&) const = default;
};

struct ScoreQuery {
  std::string score_name = {};
  std::string promql = {};
  std::string sample_time = {};                              // Empty: of what promql reads.
  std::optional<FleetNormaliser> normaliser = std::nullopt;  // Absent: the number is the score.
  Duration interval = std::chrono::seconds(60);

  bool operator==(const ScoreQuery&) const = default;
};

struct ScoreSource {
  api::ObjectFacts facts = {};
  Endpoint endpoint = {};
  std::optional<ThanosOptions> thanos = std::nullopt;
  std::string cluster_label = "cluster";
  std::string cluster_claim = {};  // Empty: the label holds names of clusters.
  std::vector<ScoreQuery> queries = {};
  std::string target = {};  // The name of the AddOnPlacementScores.
  std::string placement = {};
  Duration valid_for = std::chrono::minutes(3);
  std::int32_t hysteresis = 1;

  const ScoreQuery* find_query(std::string_view score_name) const;
};

// Whether they ask the same and mean the same by the answers, whatever else differs in the objects.
bool same_spec(const ScoreSource& a, const ScoreSource& b);

// All that the schema says is looked at again, and more: a refusal names the place. What the schema
// has a default for may be missing.
Result<ScoreSource> read_score_source(const json::Value& object);

}  // namespace berth::scores
