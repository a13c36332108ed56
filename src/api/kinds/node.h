// Node: what Berth reads of a Kubernetes node.

#pragma once

#include <string>
#include <vector>

#include "api/labels.h"
#include "api/resource_list.h"
#include "api/taint.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::api {

struct Node {
  std::string name;
  std::vector<Label> labels;  // Sorted by key.
  bool unschedulable = false;
  bool ready = false;  // The condition Ready is True.
  bool being_deleted = false;
  std::vector<Taint> taints;
  ResourceList capacity;
  ResourceList allocatable;

  // Errors name the field that holds no quantity.
  static Result<Node> from_json(const json::Value& node);
};

}  // namespace berth::api
