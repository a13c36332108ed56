// What a pod asks for: Kubernetes' own formula over containers, init containers, sidecars,
// pod-level resources, overhead and resizes that are under way.
//
// The largest of what the pod needs while each init container runs and what it needs afterwards
// (KEP-753), with the pod-level numbers on top (KEP-2837) and, during a resize, the larger of what
// is wished, granted and in force (KEP-1287).

#pragma once

#include "api/resource_list.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::api {

// The defaults are those of kube-scheduler 1.35.
struct PodResourcesOptions {
  bool use_status = true;             // Resizes of containers.
  bool use_pod_level_status = false;  // Resizes of pod-level resources; needs use_status.
  bool use_pod_level = true;
  bool with_overhead = true;

  // What a container that says nothing about a resource counts for. Only for requests.
  ResourceList container_defaults = {};
};

// Errors name the field that holds no quantity.
Result<ResourceList> pod_requests(const json::Value& pod, const PodResourcesOptions& options = {});
Result<ResourceList> pod_limits(const json::Value& pod, const PodResourcesOptions& options = {});

// The requests that kube-scheduler scores with: a container without cpu or memory counts for 100m
// or 200Mi, unless the pod as a whole names the resource.
Result<ResourceList> pod_nonzero_requests(const json::Value& pod,
                                          const PodResourcesOptions& options = {});

}  // namespace berth::api
