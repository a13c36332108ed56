// Taints and tolerations: of nodes (NoSchedule, PreferNoSchedule, NoExecute) and of managed
// clusters (NoSelect, PreferNoSelect, NoSelectIfNew). Both worlds match them alike.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "json/value.h"

namespace berth::api {

enum class TaintEffect : std::uint8_t {
  Any,      // In a toleration only: nothing was said.
  Unknown,  // A word that we do not know. Matches nothing.
  NoSchedule,
  PreferNoSchedule,
  NoExecute,
  NoSelect,
  PreferNoSelect,
  NoSelectIfNew,
};

std::string_view effect_name(TaintEffect effect);  // "" for Any and Unknown.

struct Taint {
  std::string key;
  std::string value = {};
  TaintEffect effect = TaintEffect::Unknown;
  std::optional<Time> time_added = std::nullopt;

  static Taint from_json(const json::Value& taint);
  bool operator==(const Taint&) const = default;
};

struct Toleration {
  // Lt and Gt compare the taint's value with the toleration's, both whole numbers; they are alpha
  // in Kubernetes 1.35.
  enum class Operator : std::uint8_t { Equal, Exists, Lt, Gt, Unknown };

  std::string key = {};  // Empty: any key.
  Operator op = Operator::Equal;
  std::string value = {};
  TaintEffect effect = TaintEffect::Any;
  std::optional<std::int64_t> seconds = std::nullopt;  // Absent: for ever.

  static Toleration from_json(const json::Value& toleration);
  bool operator==(const Toleration&) const = default;
};

std::vector<Taint> read_taints(const json::Value* list);
std::vector<Toleration> read_tolerations(const json::Value* list);

enum class NumericOperators : std::uint8_t { Off, On };

// Whether effect, key and value fit. Time is not looked at.
bool tolerates(const Toleration& toleration, const Taint& taint,
               NumericOperators numeric = NumericOperators::Off);

// The first taint with one of the effects that no toleration fits; nullptr when there is none.
const Taint* find_untolerated(std::span<const Taint> taints,
                              std::span<const Toleration> tolerations,
                              std::span<const TaintEffect> effects,
                              NumericOperators numeric = NumericOperators::Off);

// When the toleration ends for this taint; nullopt is never. It holds strictly before that time.
// For managed clusters, whose reference counts a taint without a time as added in year 1 and turns
// seconds into nanoseconds in wrapping 64-bit arithmetic: 9223372037 seconds are negative.
std::optional<Time> toleration_end(const Toleration& toleration, const Taint& taint);

// "key=value:NoSelect" or "key:NoSelect", for messages.
std::string to_string(const Taint& taint);

// What keeps ordinary pods off a node.
inline constexpr TaintEffect kRepellingNodeEffects[] = {TaintEffect::NoSchedule,
                                                        TaintEffect::NoExecute};

}  // namespace berth::api
