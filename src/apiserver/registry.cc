#include "apiserver/registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include "apiserver/kinds/version_order.h"

namespace berth::apiserver {
namespace {

// How kube-apiserver orders its own groups; clients resolve short names in this order.
constexpr std::array<std::string_view, 21> kGroupOrder = {
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
};

std::size_t rank_of_group(std::string_view group) {
  return static_cast<std::size_t>(std::ranges::find(kGroupOrder, group) - kGroupOrder.begin());
}

}  // namespace

Registry::Registry(std::vector<std::shared_ptr<const Resource>> resources) {
  std::map<std::string, std::vector<std::string>> versions;
  for (auto& resource : resources) {
    const api::Gvr& gvr = resource->gvr;
    std::vector<std::string>& of_group = versions[gvr.group];
    if (std::ranges::find(of_group, gvr.version) == of_group.end()) {
      of_group.push_back(gvr.version);
    }
    kinds_.emplace(Key(gvr.group, gvr.version, resource->kind), resource);
    resources_.emplace(Key(gvr.group, gvr.version, gvr.resource), std::move(resource));
  }
  for (auto& [group, of_group] : versions) {
    std::ranges::sort(of_group, is_preferred_version);
    groups_.push_back({.name = group, .versions = std::move(of_group)});
  }
  std::ranges::sort(groups_, {}, [](const ServedGroup& group) {
    return std::pair(rank_of_group(group.name), std::string_view(group.name));
  });
}

std::shared_ptr<const Resource> Registry::find(std::string_view group, std::string_view version,
                                               std::string_view resource) const {
  const auto found = resources_.find(std::tuple(group, version, resource));
  return found == resources_.end() ? nullptr : found->second;
}

std::shared_ptr<const Resource> Registry::find_kind(const api::Gvk& gvk) const {
  const auto found = kinds_.find(std::tie(gvk.group, gvk.version, gvk.kind));
  return found == kinds_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<const Resource>> Registry::resources(std::string_view group,
                                                                 std::string_view version) const {
  std::vector<std::shared_ptr<const Resource>> result;
  const auto first = resources_.lower_bound(std::tuple(group, version, std::string_view()));
  for (auto at = first; at != resources_.end(); ++at) {
    const auto& [at_group, at_version, name] = at->first;
    if (at_group != group || at_version != version) break;
    result.push_back(at->second);
  }
  return result;
}

}  // namespace berth::apiserver
