#include "nodes/pod_facts.h"

#include <utility>

#include "api/pod_requests.h"

namespace berth::nodes {

Result<PodFacts> PodFacts::from_json(const json::Value& object) {
  api::Pod pod = api::Pod::from_json(object);
  PodFacts facts{.key = std::move(pod.key),
                 .uid = std::move(pod.uid),
                 .node = std::move(pod.node_name),
                 .scheduler = std::move(pod.scheduler_name),
                 .priority = pod.priority,
                 .is_terminal = pod.is_terminal(),
                 .is_being_deleted = pod.being_deleted};
  if (pod.controller) {
    facts.owner = {.kind = std::move(pod.controller->kind),
                   .name = std::move(pod.controller->name),
                   .uid = std::move(pod.controller->uid)};
  }
  facts.claim = api::Metadata(object).annotations().find(kClaimAnnotation).value_or("");
  if (facts.is_terminal) return facts;  // It takes nothing any more.
  ASSIGN_OR_RETURN(facts.requests, api::pod_requests(object));
  ASSIGN_OR_RETURN(const api::ResourceList scored, api::pod_nonzero_requests(object));
  facts.scored_cpu = scored.amount("cpu").milli_value();
  facts.scored_memory = scored.amount("memory").value();
  facts.ports = host_ports_of(object);
  facts.anti_affinity = AntiAffinityTerm::read_all(object);
  return facts;
}

}  // namespace berth::nodes
