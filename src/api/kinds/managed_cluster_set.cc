#include "api/kinds/managed_cluster_set.h"

#include <utility>

#include <fmt/format.h>

namespace berth::api {

ManagedClusterSet read_managed_cluster_set(const json::Value& object) {
  ManagedClusterSet set{.facts = read_facts(object)};
  const json::Value& selector = field(field(object, "spec"), "clusterSelector");
  const std::string_view type = field(selector, "selectorType").string_or_empty();
  if (type.empty() || type == "ExclusiveClusterSetLabel") return set;

  if (type != "LabelSelector") {
    set.problem =
        Error{.code = Code::Invalid, .message = fmt::format("selectorType is not right: {}", type)};
    return set;
  }
  set.type = ManagedClusterSet::SelectorType::LabelSelector;
  auto labels = LabelSelector::from_json(field(selector, "labelSelector"));
  if (labels.ok()) {
    set.selector = std::move(*labels);
  } else {
    set.problem = std::move(labels).error();
  }
  return set;
}

ManagedClusterSetBinding read_managed_cluster_set_binding(const json::Value& object) {
  return {.facts = read_facts(object),
          .cluster_set = text_field(field(object, "spec"), "clusterSet")};
}

}  // namespace berth::api
