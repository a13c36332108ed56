// Tested by nodes/filters/inter_pod_affinity_test.cc.
#include "nodes/anti_affinity.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"

namespace berth::nodes {

std::vector<AntiAffinityTerm> AntiAffinityTerm::read_all(const json::Value& pod) {
  std::vector<AntiAffinityTerm> terms;
  const json::Value& affinity =
      api::field(api::field(api::field(pod, "spec"), "affinity"), "podAntiAffinity");
  for (const json::Value& read :
       api::elements_field(affinity, "requiredDuringSchedulingIgnoredDuringExecution")) {
    AntiAffinityTerm term;
    term.topology_key_ = api::text_field(read, "topologyKey");
    term.namespaces_ = api::texts_field(read, "namespaces");
    const json::Value& of_namespaces = api::field(read, "namespaceSelector");
    if (of_namespaces.is_object()) {
      term.every_namespace_ = true;
      term.cautious_ = of_namespaces.size() > 0;
    } else if (term.namespaces_.empty()) {
      term.namespaces_.emplace_back(api::Metadata(pod).namespace_name());
    }
    auto selector = api::LabelSelector::from_json(api::field(read, "labelSelector"));
    // Keys to match are already part of the selector: the API server adds them.
    term.selector_ = selector.ok() ? *std::move(selector) : api::LabelSelector();
    terms.push_back(std::move(term));
  }
  return terms;
}

bool AntiAffinityTerm::matches(std::string_view pod_namespace, const api::Labels& pod) const {
  const bool is_meant =
      every_namespace_ || std::ranges::find(namespaces_, pod_namespace) != namespaces_.end();
  return is_meant && selector_.matches(pod);
}

}  // namespace berth::nodes
