// Discovery in its second form: everything in two documents, one for the core group and one for all
// others. Texts of JSON, with the members and the order of kube-apiserver.

#pragma once

#include <string>
#include <string_view>

#include "apiserver/registry.h"

namespace berth::apiserver {

// Clients tell the form by it; every parameter counts.
inline constexpr std::string_view kAggregatedContentType =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

struct DiscoveryDocument {
  std::string text;
  std::string etag;  // In quotes, as the header has it.
};

DiscoveryDocument aggregated_core(const Registry& registry);    // /api
DiscoveryDocument aggregated_groups(const Registry& registry);  // /apis

}  // namespace berth::apiserver
