// OCM's debug endpoint /debug/placements/ as a function: how a Placement would be decided now,
// filter by filter and score by score. Nothing is stored.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/object_key.h"
#include "base/time.h"
#include "json/value.h"
#include "placement/situation.h"

namespace berth::placement {

inline constexpr std::string_view kDebugPath = "/debug/placements/";
inline constexpr std::size_t kDebugBodyMax = 1 << 20;

struct DebugRequest {
  std::string_view method;  // "GET" evaluates the Placement of the path, "POST" that of the body.
  std::string_view path;    // With kDebugPath, without a query.
  std::string_view body = {};
};

struct DebugResponse {
  int status = 200;
  std::string content_type = {};
  std::string body = {};

  bool operator==(const DebugResponse&) const = default;
};

// What the hub shows now.
struct DebugSource {
  const Situation& situation;
  // The Placement as the hub has it; null when there is none.
  std::function<std::shared_ptr<const json::Value>(const api::ObjectKey&)> find;
  // All ManagedClusters as the hub has them; asked for when expressions have to read them and the
  // situation does not keep them.
  std::function<std::vector<std::shared_ptr<const json::Value>>()> clusters;
  Time now;
};

// Whoever calls has checked that the user may ask.
DebugResponse answer_debug(const DebugRequest& request, const DebugSource& source);

// {"error": "..."}, as every refusal of this endpoint looks.
DebugResponse debug_error(int status, std::string_view message);

}  // namespace berth::placement
