// What a ManifestWork says about itself: conditions of each manifest and of the whole, in OCM's
// words.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/conditions.h"
#include "base/result.h"
#include "base/time.h"
#include "fleet/work/feedback.h"
#include "fleet/work/resource_meta.h"
#include "json/value.h"

namespace berth::fleet {

// What came of one manifest.
struct ManifestReport {
  ResourceMeta meta;
  Status applied = {};  // Why not, in the words of the message.
  std::string failure_reason = "AppliedManifestFailed";
  api::Condition available = {};
  std::optional<Feedback> feedback = std::nullopt;  // None while it is not available.
  std::vector<api::Condition> rules = {};           // Made by condition rules.
};

// The condition Available of a manifest whose object was looked for.
api::Condition availability(const ResourceMeta& meta, const Status& fetched);

// The work with the status that these reports, in the order of its manifests, make of it. Feedback
// and conditions of manifests that are no longer there go; what others wrote stays.
json::Value with_status(json::Value work, const std::vector<ManifestReport>& reports, Time now);

// Whether a condition of the manifest says that it is complete, and will not be touched again.
bool is_complete(const json::Value& work, const ResourceMeta& meta);

}  // namespace berth::fleet
