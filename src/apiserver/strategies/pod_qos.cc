#include "apiserver/strategies/pod_qos.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/resource_list.h"

namespace berth::apiserver {
namespace {

using api::ResourceList;
using json::Value;

// Only cpu and memory count, and only more than nothing of them.
Result<ResourceList> read_counted(const Value& resources, std::string_view name) {
  ASSIGN_OR_RETURN(const ResourceList all, ResourceList::from_json(resources.find(name)));
  ResourceList counted;
  for (const char* resource : {"cpu", "memory"}) {
    const api::Quantity* amount = all.find(resource);
    if (amount && amount->sign() > 0) counted.set(resource, *amount);
  }
  return counted;
}

struct Sums {
  ResourceList requests = {};
  ResourceList limits = {};
  bool all_are_limited = true;
};

Result<Sums> with_resources(Sums sums, const Value& resources) {
  ASSIGN_OR_RETURN(const ResourceList requests, read_counted(resources, "requests"));
  ASSIGN_OR_RETURN(const ResourceList limits, read_counted(resources, "limits"));
  sums.requests.add(requests);
  sums.limits.add(limits);
  if (limits.entries().size() < 2) sums.all_are_limited = false;
  return sums;
}

Result<Sums> sum_up(const Value& spec) {
  const Value& of_pod = api::field(spec, "resources");
  if (of_pod.is_object()) return with_resources({}, of_pod);
  Sums sums;
  for (const char* list : {"containers", "initContainers"}) {
    for (const Value& container : api::elements_field(spec, list)) {
      ASSIGN_OR_RETURN(sums, with_resources(std::move(sums), api::field(container, "resources")));
    }
  }
  return sums;
}

}  // namespace

Result<std::string_view> pod_qos_class(const Value& pod) {
  ASSIGN_OR_RETURN(const Sums sums, sum_up(api::field(pod, "spec")));
  if (sums.requests.empty() && sums.limits.empty()) return "BestEffort";
  const bool is_guaranteed = sums.all_are_limited && sums.requests == sums.limits;
  return is_guaranteed ? "Guaranteed" : "Burstable";
}

}  // namespace berth::apiserver
