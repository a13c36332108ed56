// Who stands behind the direct owners of pods: the Deployment behind a ReplicaSet.

#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/strings.h"
#include "json/value.h"
#include "nodes/pod_facts.h"

namespace berth::nodes {

class Owners {
 public:
  // A ReplicaSet. Whether that changes the root of its pods.
  bool put(const json::Value& replica_set);
  bool remove(std::string_view uid);

  // The uid of the owner behind this one, or the owner's own.
  std::string_view root_of(std::string_view owner_uid) const;
  PodOwner root_of(const PodOwner& owner) const;

 private:
  // By the uid of the ReplicaSet. One without a controller is a root of its own.
  boost::unordered_flat_map<std::string, PodOwner, StringHash, std::equal_to<>> parents_;
};

}  // namespace berth::nodes
