// What both forms of discovery say about one resource, and in which order.

#pragma once

#include <string>
#include <vector>

#include "apiserver/resource.h"
#include "json/value.h"

namespace berth::apiserver {

json::Value texts_value(const std::vector<std::string>& texts);

// Sorted for built-in resources; custom ones have an order of their own at Kubernetes.
json::Value published_verbs(const Resource& resource);

// By name for built-in resources; status before scale for custom ones.
std::vector<Subresource> published_subresources(const Resource& resource);

// Whether the subresource takes what belongs to another group version than the resource itself.
bool is_of_other_version(const Subresource& subresource, const Resource& parent);

}  // namespace berth::apiserver
