// One object of a hub in words: what it says itself, and what others say about it.

#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "json/value.h"
#include "views/hub_view.h"

namespace berth::views {

// What is on the hub beside the object. Whatever is not there, or may not be read, is not told.
struct Company {
  Time now;
  std::vector<json::Value> clusters = {};   // ManagedClusters.
  std::vector<json::Value> bindings = {};   // ManagedClusterSetBindings.
  std::vector<json::Value> decisions = {};  // PlacementDecisions.
  std::vector<json::Value> scores = {};     // AddOnPlacementScores.
  std::vector<json::Value> events = {};     // Of the core group; also of other objects.
};

std::string description_text(const HubView& view, const json::Value& object,
                             const Company& company);

}  // namespace berth::views
