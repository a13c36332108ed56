// Defaults of namespaces, nodes, limits, events, rights, budgets and webhooks.

#include <string>
#include <utility>

#include "apiserver/defaults/kind_rules.h"
#include "apiserver/defaults/quantities.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr DefaultRule kWhole[] = {{"spec", kEmptyObject}, {"status", kEmptyObject}};
constexpr DefaultRule kSpecOnly[] = {{"spec", kEmptyObject}};
constexpr RuleGroup kSpecOnlyRules = {.rules = kSpecOnly};

// Selectors of namespaces can so name them.
Value with_name_label(Value object) {
  const Value* name = object.find_path({"metadata", "name"});
  if (is_missing(name)) return object;
  Value copy = *name;
  Value* labels = object_under(object["metadata"], "labels");
  if (labels) (*labels)["kubernetes.io/metadata.name"] = std::move(copy);
  return object;
}
constexpr DefaultRule kNamespaceStatus[] = {{"phase", "Active"}};
constexpr RuleGroup kNamespaceStatusRules = {.rules = kNamespaceStatus};
constexpr Inclusion kInNamespace[] = {{"status", &kNamespaceStatusRules}};
constexpr RuleGroup kNamespaceRules = {
    .rules = kWhole, .includes = kInNamespace, .adjust = with_name_label};

constexpr DefaultRule kSecret[] = {{"type", "Opaque"}};
constexpr RuleGroup kSecretRules = {.rules = kSecret};

Value canonical_node(Value status) {
  for (const char* list : {"capacity", "allocatable"}) {
    if (Value* found = status.find(list)) *found = canonical_quantities(std::move(*found));
  }
  return status;
}
constexpr DefaultRule kNodeStatus[] = {{"allocatable", copy_of("capacity")},
                                       {"daemonEndpoints", kEmptyObject},
                                       {"nodeInfo", kEmptyObject}};
constexpr DefaultRule kDaemonEndpoints[] = {{"kubeletEndpoint", kEmptyObject}};
constexpr RuleGroup kDaemonEndpointsRules = {.rules = kDaemonEndpoints};
constexpr DefaultRule kKubeletPort[] = {{"Port", 0}};
constexpr RuleGroup kKubeletPortRules = {.rules = kKubeletPort};
constexpr DefaultRule kNodeInfo[] = {{"machineID", ""},       {"systemUUID", ""},
                                     {"bootID", ""},          {"kernelVersion", ""},
                                     {"osImage", ""},         {"containerRuntimeVersion", ""},
                                     {"kubeletVersion", ""},  {"kubeProxyVersion", ""},
                                     {"operatingSystem", ""}, {"architecture", ""}};
constexpr RuleGroup kNodeInfoRules = {.rules = kNodeInfo};
constexpr Inclusion kInNodeStatus[] = {{"daemonEndpoints", &kDaemonEndpointsRules},
                                       {"daemonEndpoints.kubeletEndpoint", &kKubeletPortRules},
                                       {"nodeInfo", &kNodeInfoRules}};
constexpr RuleGroup kNodeStatusRules = {
    .rules = kNodeStatus, .includes = kInNodeStatus, .adjust = canonical_node};

// The older field holds the first of the newer one.
Value with_pod_ranges(Value spec) {
  const Value* ranges = spec.find("podCIDRs");
  const bool has_ranges = ranges && ranges->size() > 0;
  if (has_ranges) {
    const Value first = ranges->elements()[0];
    spec["podCIDR"] = first;
  } else if (const Value* range = spec.find("podCIDR")) {
    spec["podCIDRs"] = Value::array({*range});
  }
  return spec;
}
constexpr RuleGroup kNodeSpecRules = {.adjust = with_pod_ranges};
constexpr Inclusion kInNode[] = {{"spec", &kNodeSpecRules}, {"status", &kNodeStatusRules}};
constexpr RuleGroup kNodeRules = {.rules = kWhole, .includes = kInNode};

Value with_missing(Value list, const Value& more) {
  if (!list.is_object()) return list;
  for (const json::Member& member : more.members()) {
    if (!list.find(member.name())) list[member.name()] = member.value;
  }
  return list;
}

// What a container may have at most is what it gets; what it gets, or at least has, is what it
// asks.
Value with_limit_defaults(Value item) {
  for (const char* name : {"min", "max", "default", "defaultRequest", "maxLimitRequestRatio"}) {
    if (Value* list = item.find(name)) *list = canonical_quantities(std::move(*list));
  }
  const Value* type = item.find("type");
  if (!type || type->string_or_empty() != "Container") return item;
  const auto list_of = [&](std::string_view name) {
    const Value* list = item.find(name);
    return list ? *list : Value::object();
  };
  const Value limits = with_missing(list_of("default"), list_of("max"));
  Value requests = with_missing(list_of("defaultRequest"), limits);
  requests = with_missing(std::move(requests), list_of("min"));
  if (limits.size() > 0) item["default"] = limits;
  if (requests.size() > 0) item["defaultRequest"] = std::move(requests);
  return item;
}
constexpr RuleGroup kLimitItemRules = {.adjust = with_limit_defaults};
constexpr Inclusion kInLimitRange[] = {{"spec.limits[]", &kLimitItemRules}};
constexpr RuleGroup kLimitRangeRules = {.rules = kSpecOnly, .includes = kInLimitRange};

Value canonical_quota(Value part) {
  for (const char* name : {"hard", "used"}) {
    if (Value* list = part.find(name)) *list = canonical_quantities(std::move(*list));
  }
  return part;
}
constexpr RuleGroup kQuotaPartRules = {.adjust = canonical_quota};
constexpr Inclusion kInQuota[] = {{"spec", &kQuotaPartRules}, {"status", &kQuotaPartRules}};
constexpr RuleGroup kQuotaRules = {.rules = kWhole, .includes = kInQuota};

constexpr DefaultRule kEvent[] = {{"involvedObject", kEmptyObject},
                                  {"source", kEmptyObject},
                                  {"reportingComponent", ""},
                                  {"reportingInstance", ""}};
constexpr RuleGroup kEventRules = {.rules = kEvent};
constexpr DefaultRule kNewEvent[] = {{"deprecatedSource", kEmptyObject},
                                     {"regarding", kEmptyObject}};
constexpr RuleGroup kNewEventRules = {.rules = kNewEvent};

constexpr DefaultRule kBudgetStatus[] = {
    {"disruptionsAllowed", 0}, {"currentHealthy", 0}, {"desiredHealthy", 0}, {"expectedPods", 0}};
constexpr RuleGroup kBudgetStatusRules = {.rules = kBudgetStatus};
constexpr Inclusion kInBudget[] = {{"status", &kBudgetStatusRules}};
constexpr RuleGroup kBudgetRules = {.rules = kWhole, .includes = kInBudget};

constexpr DefaultRule kPriorityClass[] = {{"value", 0},
                                          {"preemptionPolicy", "PreemptLowerPriority"}};
constexpr RuleGroup kPriorityClassRules = {.rules = kPriorityClass};
constexpr DefaultRule kStatusOnly[] = {{"status", kEmptyObject}};
constexpr RuleGroup kStatusOnlyRules = {.rules = kStatusOnly};

Value canonical_overhead(Value overhead) {
  if (Value* list = overhead.find("podFixed")) *list = canonical_quantities(std::move(*list));
  return overhead;
}
constexpr RuleGroup kOverheadRules = {.adjust = canonical_overhead};
constexpr Inclusion kInRuntimeClass[] = {{"overhead", &kOverheadRules}};
constexpr RuleGroup kRuntimeClassRules = {.includes = kInRuntimeClass};

constexpr const char* kRbac = "rbac.authorization.k8s.io";
constexpr DefaultRule kRoleRef[] = {{"apiGroup", kRbac}};
constexpr RuleGroup kRoleRefRules = {.rules = kRoleRef};
constexpr DefaultRule kSubject[] = {{"apiGroup", kRbac, if_equals("kind", "User")},
                                    {"apiGroup", kRbac, if_equals("kind", "Group")}};
constexpr RuleGroup kSubjectRules = {.rules = kSubject};
constexpr Inclusion kInBinding[] = {{"roleRef", &kRoleRefRules}, {"subjects[]", &kSubjectRules}};
constexpr RuleGroup kBindingRules = {.includes = kInBinding};

constexpr DefaultRule kServicePort[] = {{"port", 443}};
constexpr RuleGroup kServicePortRules = {.rules = kServicePort};
constexpr DefaultRule kScope[] = {{"scope", "*"}};
constexpr RuleGroup kScopeRules = {.rules = kScope};
constexpr DefaultRule kReinvocation[] = {{"reinvocationPolicy", "Never"}};
constexpr RuleGroup kReinvocationRules = {.rules = kReinvocation};
constexpr DefaultRule kWebhook[] = {{"failurePolicy", "Fail"},
                                    {"matchPolicy", "Equivalent"},
                                    {"namespaceSelector", kEmptyObject},
                                    {"objectSelector", kEmptyObject},
                                    {"timeoutSeconds", 10}};
constexpr Inclusion kInWebhook[] = {{"clientConfig.service", &kServicePortRules},
                                    {"rules[]", &kScopeRules}};
constexpr RuleGroup kWebhookRules = {.rules = kWebhook, .includes = kInWebhook};
constexpr Inclusion kInValidating[] = {{"webhooks[]", &kWebhookRules}};
constexpr RuleGroup kValidatingRules = {.includes = kInValidating};
constexpr Inclusion kInMutating[] = {{"webhooks[]", &kWebhookRules},
                                     {"webhooks[]", &kReinvocationRules}};
constexpr RuleGroup kMutatingRules = {.includes = kInMutating};

constexpr KindRules kKinds[] = {
    {"", "Namespace", &kNamespaceRules},
    {"", "Secret", &kSecretRules},
    {"", "Node", &kNodeRules},
    {"", "LimitRange", &kLimitRangeRules},
    {"", "ResourceQuota", &kQuotaRules},
    {"", "Event", &kEventRules},
    {"events.k8s.io", "Event", &kNewEventRules},
    {"coordination.k8s.io", "Lease", &kSpecOnlyRules},
    {"policy", "PodDisruptionBudget", &kBudgetRules},
    {"scheduling.k8s.io", "PriorityClass", &kPriorityClassRules},
    {"certificates.k8s.io", "CertificateSigningRequest", &kStatusOnlyRules},
    {"node.k8s.io", "RuntimeClass", &kRuntimeClassRules},
    {kRbac, "RoleBinding", &kBindingRules},
    {kRbac, "ClusterRoleBinding", &kBindingRules},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration", &kValidatingRules},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration", &kMutatingRules},
};

}  // namespace

std::span<const KindRules> core_rules() { return kKinds; }

}  // namespace berth::apiserver
