// The end of a namespace, as a decision: what a pass over its contents found, and what that means
// for its status and its finalizer.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "json/value.h"
#include "upkeep/content.h"

namespace berth::upkeep {

inline constexpr std::string_view kNamespaceFinalizer = "kubernetes";

// Somebody asked for the deletion, and it is still upkeep's turn.
bool needs_teardown(const json::Value& object);

// What one pass over the contents found.
struct Teardown {
  std::optional<std::string> discovery_failure = std::nullopt;
  std::vector<std::string> content_failures = {};
  std::vector<Content> left = {};  // May hold empty ones.

  bool is_complete() const;
  Duration grace() const;  // The longest that some content still asks for.
};

// The namespace with the five conditions that tell how its end goes, in the words of Kubernetes.
json::Value with_teardown_conditions(json::Value object, const Teardown& teardown, Time now);

// The namespace without upkeep's finalizer: what is sent to /finalize.
json::Value finalized(json::Value object);

}  // namespace berth::upkeep
