#include "local/cluster_use.h"

#include "api/kinds/node.h"
#include "api/kinds/pod.h"
#include "api/pod_requests.h"

namespace berth::local {

void ClusterUse::add_node(const json::Value& node) {
  const auto known = api::Node::from_json(node);
  if (known.ok()) there_.add(known->allocatable);
}

void ClusterUse::add_pod(const json::Value& pod) {
  const api::Pod known = api::Pod::from_json(pod);
  if (!known.is_bound() || known.is_terminal()) return;
  const auto requests = api::pod_requests(pod);
  if (requests.ok()) asked_.add(*requests);
}

double ClusterUse::part(std::string_view resource) const {
  const double there = there_.amount(resource).as_approximate_double();
  return there > 0 ? asked_.amount(resource).as_approximate_double() / there : 0;
}

}  // namespace berth::local
