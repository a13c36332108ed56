// What was seen of the reference: how it found a fleet after an edit, and where it came to rest.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/time.h"
#include "json/value.h"
#include "kube/comparison/objects.h"

namespace berth::kube {

struct Observation {
  std::uint64_t seed = 0;
  int step = 0;           // 0 is the new fleet, which it has seen in no one order.
  std::string edit = {};  // In words; nothing for a new fleet.

  Objects edited = {};  // Where it last came to rest, with the edit. For a new fleet as below.
  Time edited_at = {};
  Objects settled = {};  // After every placement was decided on once more, twice.
  Time settled_at = {};
  std::set<ObjectName> restless = {};  // Placements that it wrote about even the second time.

  // What its debug endpoint says then about every placement; see normalised_answer().
  std::map<ObjectName, json::Value> answers = {};
};

}  // namespace berth::kube
