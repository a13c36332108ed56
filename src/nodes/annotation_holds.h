// Room that annotations of a node keep for owners of pods.
//
//   reserve.<resource>/<owner-uid>: "5000m"          a quantity
//   reserve.kubernetes.io/resources: '[{"owner_uid": ..., "reserved_resources":
//       [{"resource_type": "cpu", "reserved_quanty": 4000}]}]'
//
// In the second form a string is a quantity, and a number counts millicores of cpu or whole units
// of anything else: that is what its writer means. (The spelling is its writer's, too.)

#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "nodes/hold.h"

namespace berth::nodes {

struct AnnotationHolds {
  std::vector<Hold> holds = {};  // Sorted by id.

  // What cannot be read, each naming its annotation. The rest counts all the same.
  std::vector<std::string> problems = {};
};

AnnotationHolds read_annotation_holds(const json::Value& node);

}  // namespace berth::nodes
