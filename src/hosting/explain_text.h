// Why a request is where it is, or nowhere, as people and programs read it.

#pragma once

#include <string>
#include <vector>

#include "hosting/decide.h"
#include "hosting/hosted_cluster_request.h"
#include "json/value.h"

namespace berth::hosting {

struct Explanation {
  const HostedClusterRequest& request;
  std::string message = {};             // What its status says it waits for.
  std::vector<HostVerdict> hosts = {};  // As if it were decided now.
};

json::Value to_json(const Explanation& explanation);

// What has become of it, and a row for each managed cluster.
std::string to_text(const Explanation& explanation);

}  // namespace berth::hosting
