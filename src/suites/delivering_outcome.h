// What a cluster has to look like when the works of its hub are delivered: the error says what is
// missing.

#pragma once

#include <set>
#include <string>

#include "base/result.h"
#include "client/resource.h"
#include "json/value.h"
#include "upkeep/testing/model_cluster_service.h"

namespace berth::suites {

using upkeep::testing::ModelCluster;

// What works bring: ConfigMaps, and Things, which are nobody's but ours.
const client::Gvr& things();
client::Gvr resource_of(const std::string& kind);

// "ConfigMap/o1" of what the work wants, and of what all works on the hub want, whether or not it
// is there yet.
std::set<std::string> wanted_by(const json::Value& work);
std::set<std::string> wanted_on(const ModelCluster& hub);

// It says that it is, and its record and its objects are as it says.
Status is_delivered(const json::Value& work, const ModelCluster& cluster);

// Of the objects that go with their works, only those are there that some work wants, or that
// others have adopted.
Status nothing_is_left(const ModelCluster& hub, const ModelCluster& cluster,
                       const std::set<std::string>& adopted);

}  // namespace berth::suites
