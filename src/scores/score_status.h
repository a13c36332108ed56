// What an AddOnPlacementScore should say, and the smallest safe write that makes it say so.
//
// Only `scores`, `validUntil` and our own condition are ever touched. What a provider can no longer
// vouch for is not erased: it stays and lapses at its validUntil, while the condition says why.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/group_version.h"
#include "api/kinds/add_on_placement_score.h"
#include "api/metadata.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::scores {

using Score = api::AddOnPlacementScore::Item;

// The type and the reason of the one condition that is ours.
inline constexpr std::string_view kScoreCondition = "AddOnPlacementScoreUpdated";

api::Gvr score_resource();

enum class TroubleReason : std::uint8_t {
  SourceUnavailable,  // Nothing could be measured.
  Invalid,            // What was asked for, or what was measured, makes no sense.
};

struct Trouble {
  TroubleReason reason = TroubleReason::SourceUnavailable;
  std::string message = {};  // What is wrong, and what to do about it.

  bool operator==(const Trouble&) const = default;
};

// What a provider can say at one moment. Neither scores nor trouble: it does not know yet, and
// nothing is written.
struct Report {
  // Absent: nothing new is known. Present: all that is measured; what is not in it is removed.
  std::optional<std::vector<Score>> scores = std::nullopt;
  std::optional<Time> valid_until = std::nullopt;  // Of these scores; absent: as usual.
  std::optional<Trouble> trouble = std::nullopt;  // May come with scores: a part could be measured.

  bool is_silent() const { return !scores && !trouble; }
  bool operator==(const Report&) const = default;
};

// The report as it may be published: scores sorted by name. Scores that an API server would refuse
// (no name, a name twice, a value out of range) make it an Invalid one without scores.
Report checked(Report report);

struct ScoreObject {
  std::string cluster;  // Its namespace on the hub.
  std::string name;
  std::optional<api::OwnerReference> owner = std::nullopt;  // With it the scores go.
};

// To be created; a status in it would be dropped.
json::Value make_score_object(const ScoreObject& wanted);

// The merge patch that makes the owner one of the object's; nothing if it is. An owner of the same
// kind and name with another uid is replaced: that one is gone.
std::optional<json::Value> owner_patch(const json::Value& object, const api::OwnerReference& owner);

enum class Difference : std::uint8_t {
  None,
  ValidUntil,  // The same scores, for longer.
  Content,     // A score or the condition differs.
};
Difference compare(const json::Value& object, const Report& report);

// The merge patch of the status subresource; nothing if the object says all that already. It holds
// for this object only, whatever others write meanwhile. If our condition changes, it holds for
// this very version: conditions are a list, and others' entries in it must not be lost.
//
// The report is a checked one. Scores without valid_until hold for `validity` from `now`; scores of
// the object that would hold for ever get that end, too, when there are no new ones.
struct StatusWish {
  const Report& report;
  Time now;
  Duration validity;
};
std::optional<json::Value> status_patch(const json::Value& object, const StatusWish& wish);

}  // namespace berth::scores
