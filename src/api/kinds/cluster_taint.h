// Taints of managed clusters and the tolerations that placements answer them with.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "json/value.h"

namespace berth::api {

enum class ClusterTaintEffect : std::uint8_t { Unknown, NoSelect, PreferNoSelect, NoSelectIfNew };

std::string_view cluster_effect_name(ClusterTaintEffect effect);  // "" for Unknown.
ClusterTaintEffect cluster_effect_of_name(std::string_view name);

struct ClusterTaint {
  std::string key = {};
  std::string value = {};
  ClusterTaintEffect effect = ClusterTaintEffect::Unknown;
  std::optional<Time> time_added = std::nullopt;

  bool operator==(const ClusterTaint&) const = default;
};

struct ClusterToleration {
  enum class Operator : std::uint8_t { Equal, Exists, Other };  // Other never matches.

  std::string key = {};  // "" is every key.
  Operator op = Operator::Equal;
  std::string value = {};
  std::optional<ClusterTaintEffect> effect = std::nullopt;  // None is every effect.
  std::optional<std::int64_t> seconds = std::nullopt;

  bool operator==(const ClusterToleration&) const = default;
};

ClusterTaint read_cluster_taint(const json::Value& taint);
ClusterToleration read_cluster_toleration(const json::Value& toleration);

// Key, value and effect; not the time.
bool matches(const ClusterToleration& toleration, const ClusterTaint& taint);

// When the toleration ends for this taint; nullopt is never. It holds strictly before that time.
// A taint without a time counts as added in year 1, and seconds are turned into nanoseconds in
// wrapping 64-bit arithmetic, because the reference does both: 9223372037 seconds are negative.
std::optional<Time> toleration_end(const ClusterToleration& toleration, const ClusterTaint& taint);

// "key=value:NoSelect" or "key:NoSelect", for messages.
std::string to_string(const ClusterTaint& taint);

}  // namespace berth::api
