// What a source has to say about one cluster, and whether saying it is worth a write.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "json/value.h"

namespace berth::scores {

// On every AddOnPlacementScore that a source made: the uid of the source and, for people and for
// whoever clears away, its namespace and name. An owner reference cannot do it: sources and scores
// live in different namespaces.
inline constexpr std::string_view kSourceUidLabel = "scores.berth.dev/source-uid";
inline constexpr std::string_view kSourceAnnotation = "scores.berth.dev/source";

// The uid of the source that the object belongs to; empty: to somebody else.
std::string source_uid_of(const json::Value& score_object);

struct KnownScore {
  std::string name = {};
  std::int32_t value = 0;
  Time valid_until = {};

  bool operator==(const KnownScore&) const = default;
};

struct Publication {
  std::string cluster = {};  // The namespace.
  std::string name = {};
  std::string source_uid = {};
  std::string source = {};                 // "namespace/name".
  std::vector<KnownScore> scores = {};     // By name. Those that have ended are among them.
  std::set<std::string> score_names = {};  // All that the source measures, answered or not.
  Duration valid_for = {};
  std::int32_t hysteresis = 1;
};

struct PublicationPlan {
  std::optional<json::Value> after = std::nullopt;  // The object to be; absent: as it is.
  std::optional<Time> look_again = std::nullopt;    // When time alone may call for another write.
};

// `object` is the one on the hub, which belongs to the source; null: there is none yet.
//
// The scores of an object share one end, that of the first to end. One that is about to end while
// others hold leaves before it would take them along. What the source has not measured since it
// started stays as published. Nothing is written when no score changed by the hysteresis and more
// than half of the time is left, nor when nothing is known any more: then the object lapses.
PublicationPlan plan_publication(const json::Value* object, const Publication& wanted, Time now);

}  // namespace berth::scores
