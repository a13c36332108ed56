// How much of what a cluster's nodes have its pods have asked for.

#pragma once

#include <string_view>

#include "api/resource_list.h"
#include "json/value.h"

namespace berth::local {

class ClusterUse {
 public:
  // Objects with amounts that cannot be read do not count.
  void add_node(const json::Value& node);
  void add_pod(const json::Value& pod);  // Counts while it is on a node and has not ended.

  // 0 is nothing, 1 all there is; more has been promised twice.
  double part(std::string_view resource) const;

 private:
  api::ResourceList there_;
  api::ResourceList asked_;
};

}  // namespace berth::local
