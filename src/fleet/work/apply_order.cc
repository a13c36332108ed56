#include "fleet/work/apply_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace berth::fleet {
namespace {

struct Ranked {
  std::string_view group;
  std::string_view kind;
  int rank;
};

constexpr Ranked kRanks[] = {
    {"scheduling.k8s.io", "PriorityClass", 0},
    {"", "Namespace", 0},
    {"apiextensions.k8s.io", "CustomResourceDefinition", 0},
    {"storage.k8s.io", "StorageClass", 0},
    {"", "PersistentVolume", 0},
    {"policy", "PodSecurityPolicy", 0},
    {"rbac.authorization.k8s.io", "ClusterRole", 1},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding", 1},
    {"rbac.authorization.k8s.io", "Role", 1},
    {"rbac.authorization.k8s.io", "RoleBinding", 1},
    {"networking.k8s.io", "NetworkPolicy", 2},
    {"", "ResourceQuota", 2},
    {"", "LimitRange", 2},
    {"policy", "PodDisruptionBudget", 2},
    {"", "ServiceAccount", 2},
    {"", "Secret", 3},
    {"", "ConfigMap", 3},
    {"", "PersistentVolumeClaim", 3},
    {"", "Service", 4},
    {"", "Pod", 5},
    {"", "ReplicationController", 5},
    {"apps", "ReplicaSet", 5},
    {"apps", "Deployment", 5},
    {"apps", "StatefulSet", 5},
    {"apps", "DaemonSet", 5},
    {"batch", "Job", 5},
    {"batch", "CronJob", 5},
    {"autoscaling", "HorizontalPodAutoscaler", 5},
    {"apiregistration.k8s.io", "APIService", 6},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", 6},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration", 6},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy", 6},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", 6},
};

}  // namespace

int kind_rank(std::string_view group, std::string_view kind) {
  if (kind.empty()) return kRankUnreadable;
  const auto found = std::ranges::find_if(
      kRanks, [&](const Ranked& ranked) { return ranked.group == group && ranked.kind == kind; });
  return found == std::end(kRanks) ? kRankOther : found->rank;
}

std::vector<std::size_t> apply_order(const std::vector<ResourceMeta>& manifests) {
  std::vector<std::size_t> order(manifests.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::pair(kind_rank(manifests[i].group, manifests[i].kind), i);
  });
  return order;
}

}  // namespace berth::fleet
