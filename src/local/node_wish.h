// Which nodes a pod wants: its node selector and what it requires of a node's labels and name.

#pragma once

#include <string>
#include <string_view>

#include "api/kinds/node.h"
#include "json/value.h"

namespace berth::local {

// Whether the spec of a pod allows the node. Taints are another matter, and so is what the pod
// would only like.
bool wants_node(const json::Value& pod_spec, const api::Node& node);

// A pod that goes to that node and nowhere else, as Kubernetes pins the pods of DaemonSets: on top
// of what it wants anyway.
json::Value pinned_to(json::Value pod, std::string_view node);

// Where such a pod goes; "" if it is not pinned.
std::string pin_of(const json::Value& pod);

}  // namespace berth::local
