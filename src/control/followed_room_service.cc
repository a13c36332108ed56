#include "control/followed_room_service.h"

namespace berth::control {

client::FollowerProof proof_within(Duration silence_max) {
  return {.every = silence_max / 12, .age_max = silence_max * 5 / 6};
}

client::FollowerSpec node_room_spec(Duration silence_max) {
  return {.collection = {.resource = {"", "v1", "nodes"}},
          .projection = client::Projection::only(
              {"metadata.labels", "spec.unschedulable", "spec.taints", "status.allocatable",
               "status.conditions[].type", "status.conditions[].status"}),
          .proof = proof_within(silence_max)};
}

// What api::pod_requests reads.
client::FollowerSpec pod_room_spec(Duration silence_max) {
  return {
      .collection = {.resource = {"", "v1", "pods"}},
      .selection = {.fields = "status.phase!=Succeeded,status.phase!=Failed"},
      .projection = client::Projection::only(
          {"spec.nodeName", "spec.overhead", "spec.resources", "spec.containers[].name",
           "spec.containers[].resources", "spec.initContainers[].name",
           "spec.initContainers[].resources", "spec.initContainers[].restartPolicy", "status.phase",
           "status.resources", "status.allocatedResources", "status.conditions[].type",
           "status.conditions[].reason", "status.containerStatuses[].name",
           "status.containerStatuses[].resources", "status.containerStatuses[].allocatedResources",
           "status.initContainerStatuses[].name", "status.initContainerStatuses[].resources",
           "status.initContainerStatuses[].allocatedResources"}),
      .proof = proof_within(silence_max)};
}

}  // namespace berth::control
