#include "hosting/host_usage.h"

#include <algorithm>
#include <utility>

#include "api/kinds/node.h"
#include "api/kinds/pod.h"
#include "api/metadata.h"
#include "api/pod_requests.h"

namespace berth::hosting {
namespace {

// HyperShift's control planes tolerate it.
constexpr std::string_view kControlPlaneTaint = "hypershift.openshift.io/control-plane";

bool keeps_away(const api::Taint& taint) {
  const bool matters =
      taint.effect == api::TaintEffect::NoSchedule || taint.effect == api::TaintEffect::NoExecute;
  return matters && taint.key != kControlPlaneTaint;
}

bool takes_control_planes(const api::Node& node) {
  return node.ready && !node.unschedulable && !node.being_deleted &&
         std::ranges::none_of(node.taints, keeps_away);
}

}  // namespace

Status HostUsage::put_node(const json::Value& object) {
  const auto node = api::Node::from_json(object);
  if (!node.ok()) {
    remove_node(api::Metadata(object).name());
    return failure(node.error());
  }
  if (takes_control_planes(*node)) {
    nodes_.insert_or_assign(node->name, amounts_of(node->allocatable));
  } else {
    remove_node(node->name);
  }
  return {};
}

void HostUsage::remove_node(std::string_view name) {
  const auto known = nodes_.find(name);
  if (known != nodes_.end()) nodes_.erase(known);
}

Status HostUsage::put_pod(const json::Value& object) {
  const api::Pod pod = api::Pod::from_json(object);
  remove_pod(pod.key);
  if (!pod.is_bound() || pod.is_terminal()) return {};
  const auto requests = api::pod_requests(object);
  if (!requests.ok()) return failure(requests.error());
  PodEntry entry{.node = pod.node_name, .amounts = amounts_of(*requests)};
  entry.amounts[Resource::Pods] = 1;
  used_[entry.node] += entry.amounts;
  pods_.emplace(pod.key, std::move(entry));
  return {};
}

void HostUsage::remove_pod(const api::ObjectKey& key) {
  const auto known = pods_.find(key);
  if (known == pods_.end()) return;
  const auto used = used_.find(known->second.node);
  used->second -= known->second.amounts;
  if (used->second[Resource::Pods] == 0) used_.erase(used);
  pods_.erase(known);
}

void HostUsage::clear_pods() {
  pods_.clear();
  used_.clear();
}

Amounts HostUsage::capacity() const {
  Amounts sum;
  for (const auto& [name, allocatable] : nodes_) sum += allocatable;
  return sum;
}

Amounts HostUsage::free() const {
  Amounts sum;
  for (const auto& [name, allocatable] : nodes_) {
    Amounts left = allocatable;
    if (const auto used = used_.find(name); used != used_.end()) left -= used->second;
    for (const Resource resource : kResources) {
      left[resource] = std::max<std::int64_t>(left[resource], 0);
    }
    sum += left;
  }
  return sum;
}

}  // namespace berth::hosting
